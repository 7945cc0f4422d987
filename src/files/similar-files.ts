import path from 'node:path'
import { Minimatch } from 'minimatch'
import { isAlmost } from '../text/is-almost.ts'
import { list, type Text, text } from '../text/text.ts'
import { memoize } from './memoize.ts'
import { grammar, type PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { walk } from './walk.ts'

/** Items that an explanation names. */
export const maxNamed = 3
/** In a workspace with more than twice as many, no file is a hint. */
const maxListed = 50_000
/** `{a..z}` is 26 of them. A name on the disk can stand for any number. */
const withBraces = { ...grammar, nobrace: false, braceExpandMax: 30, nocase: true }

export interface HintContext extends SearchContext {
  /** The files of a folder, from the workspace on. It is searched once. */
  readonly listFiles: (root: string) => Promise<readonly string[]>
}

/** Without links, which lead to other files, and packages, of which nobody means a file. */
export async function listFiles(context: SearchContext, root: string): Promise<readonly string[]> {
  const pattern = path.join(root, '**/node_modules')
  const packages = await context.exclusionOf({ text: pattern, pattern, exclude: true })
  const hints = {
    ...context,
    exclusions: [...context.exclusions, packages],
    options: { ...context.options, includeHiddenFiles: true, maxFiles: maxListed },
  }
  const all = { root, segments: ['**'], foldersOnly: false }
  const { matches } = await walk(hints, all).catch(() => ({ matches: [] }))
  return matches.filter((file) => file.path === file.real).map(({ real }) => context.display(real))
}

/** A dotfile, or a file in a dot folder. */
export const hidden = /(?<![^/])\./
const wildcard = /[*?[{]/

/**
 * How far a path is from a line: 200 for each name of the line that is missing, 100 for each other
 * name, 1 for each that is only almost the same. Infinity if the names at the end of the line are
 * not there.
 */
function distanceFrom(typed: string): (file: string) => number {
  const names = typed.split('/').filter((name) => /[^*]/.test(name))
  const tests = names.map(differenceFrom)
  const [last = () => 0] = tests.slice(-1)
  // Any folder can hold a `*.csv`: of `reports/*.csv`, `reports` must be there, too.
  const needed = names.findLastIndex((name) => /^[^*?[]+$|^[^*?[]{3}/.test(name))
  // `**` stands for any other names, at the start of the line for the first one, too.
  const counted = typed.startsWith('**') ? 0 : typed.includes('**') ? 1 : undefined
  return (file) => {
    const found = file.split('/')
    // Most files end here.
    if (found.every((name) => last(name) === Infinity)) return Infinity
    const least = tests.map((test) => Math.min(...found.map(test)))
    if (least.slice(needed).includes(Infinity)) return Infinity
    const others = found
      .slice(0, counted)
      .filter((name) => tests.every((test) => test(name) === Infinity))
    return least.reduce((sum, one) => sum + Math.min(one, 200), 100 * others.length)
  }
}

/** 0 for the same name in another case, 1 for almost the same, Infinity for any other. */
function differenceFrom(typed: string): (name: string) => number {
  const same = typed.toLowerCase()
  const matcher = wildcard.test(typed)
    ? new Minimatch(typed.replaceAll('**', '*'), withBraces)
    : undefined
  const isSame = (name: string) => name.toLowerCase() === same || matcher?.match(name)
  // `unit.csv` for `*.cvs`.
  const end = typed.replace(/.*\./, '')
  const isAlmostSame = (name: string) =>
    matcher
      ? isAlmost(end, name.replace(/.*\./, '')) && isSame(name.replace(/[^.]*$/, end))
      : isAlmost(typed, name)
  return memoize((name) => (isSame(name) ? 0 : isAlmostSame(name) ? 1 : Infinity))
}

/** A line from the workspace on, without what does not belong there: quotes, a comment, a title. */
function asMeant(context: SearchContext, { isPath, pattern }: PatternLine): string {
  const plain = pattern
    .replace(/^- +|%20|["'`“”„‘’«»]|\s+(?:#|=>|->|as\s).*|(?<=\.\w+)[:=#,;].*/g, '')
    .replaceAll('\\', '/')
  if (path.isAbsolute(plain)) return context.display(plain)
  return path.posix.join(isPath ? '' : context.display(context.workingDirectory), plain)
}

/**
 * The files that are closest to a line, from which people choose. Linear in the number of files,
 * whatever the line.
 */
export async function closestFiles(
  context: HintContext,
  line: PatternLine,
  all: readonly string[],
  maxDistance = Number.MAX_VALUE,
): Promise<readonly string[]> {
  const typed = asMeant(context, line)
  const distanceOf = distanceFrom(typed)
  let shortest = maxDistance
  let closest: string[] = []
  for (const file of all) {
    await context.checkpoint()
    const isHidden = hidden.test(file) && !hidden.test(typed)
    if (isHidden && wildcard.test(typed)) continue
    const distance = distanceOf(file) + (isHidden ? 1e6 : 0)
    if (distance > shortest) continue
    if (distance < shortest) closest = []
    shortest = distance
    closest.push(file)
  }
  return closest
}

/** Names files as they must be typed where the line stands. */
export function nameFiles(
  { options, workingDirectory }: SearchContext,
  { isPath }: PatternLine,
  files: readonly string[],
): Text {
  const start = isPath ? options.workspace : workingDirectory
  const typed = files.map((file) =>
    path.relative(start, path.join(options.workspace, file)).replaceAll(path.sep, '/'),
  )
  return typed.length > 0 ? text`Similar: ${list(typed, { max: maxNamed })}.` : []
}
