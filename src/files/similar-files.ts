import path from 'node:path'
import leven from 'leven'
import { Minimatch } from 'minimatch'
import { isAlmost } from '../text/is-almost.ts'
import { list, type Text, text } from '../text/text.ts'
import { memoize } from './memoize.ts'
import { grammar, type PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { walk } from './walk.ts'

/** Items that an explanation names. */
export const maxNamed = 3
/** No hints in a workspace with more than twice as many files. */
const maxListed = 50_000
/** `@(a|b)` is meant as `{a,b}`. 30 is enough for `{a..z}`. The name of an existing file can stand for any number of names. */
const withBraces = { ...grammar, nobrace: false, noext: false, braceExpandMax: 30 }

/** Lists what may be sent, without links and packages, of which nobody means a file. */
export async function listFiles(context: SearchContext): Promise<readonly string[]> {
  const root = context.realWorkspace
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
const wildcard = /[*?[{]|@\(/

/**
 * The distance is 200 for each missing name of the line, 100 for each other name of the file (which
 * `**` allows), 1 for each that is almost the same, and Infinity without the `needed` last names.
 */
function distanceFrom(typed: string, exclude: boolean): (file: string) => number {
  const names = typed.split('/').filter((name) => /[^*]/.test(name))
  const tests = names.map((name) => differenceFrom(name, exclude))
  // Any folder can hold a `*.csv`, so `reports/*.csv` needs `reports`, too.
  const needed = names.findLastIndex((name) => /^[^*?[]+$|^[^*?[]{3}/.test(name))
  // Names that can be other ones: none after a leading `**`, the first before a later one, else all.
  const counted = typed.startsWith('**') ? 0 : typed.includes('**') ? 1 : undefined
  const onlyFolders = /\/\**$/.test(typed) ? -1 : undefined
  return (file) => {
    const found = file.split('/').slice(0, onlyFolders)
    const least = tests.map((test) => Math.min(...found.map(test)))
    if (tests.length === 0 || least.slice(needed).includes(Infinity)) return Infinity
    const others = found
      .slice(0, counted)
      .filter((name) => tests.every((test) => test(name) === Infinity))
    return least.reduce((sum, one) => sum + Math.min(one, 200), 100 * others.length)
  }
}

/** 0 for the same name in another case, 1 for almost the same, Infinity for any other. */
function differenceFrom(typed: string, exclude: boolean): (name: string) => number {
  const same = typed.toLowerCase()
  // `!.cache` is not meant for `cache`, nor `!*IT.xml` for `junit.xml`.
  const mayDiffer = !(exclude && /^\.|\*\w/.test(typed))
  const matcher = wildcard.test(typed)
    ? new Minimatch(typed.replaceAll('**', '*'), { ...withBraces, nocase: mayDiffer })
    : undefined
  const isSame = (name: string) => name.toLowerCase() === same || matcher?.match(name)
  // `*.cvs` is almost `unit.csv`. But `!*.pdb` beside a `.pdf` may be right.
  const end = typed.replace(/.*\./, '')
  const isAlmostEnd = (other: string) => isAlmost(end, other) && !(exclude && leven(end, other) < 2)
  const isAlmostSame = (name: string) =>
    matcher
      ? isAlmostEnd(name.replace(/.*\./, '')) && isSame(name.replace(/[^.]*$/, end))
      : mayDiffer && isAlmost(typed, name, exclude)
  return memoize((name) => (isSame(name) ? 0 : isAlmostSame(name) ? 1 : Infinity))
}

/** The line from the workspace on, without quotes, a comment or a title. */
function asMeant(context: SearchContext, { isPath, pattern }: PatternLine): string {
  const plain = pattern
    .replace(
      /^[$%{]\W*(?:env:)?(?:github.workspace|pwd)\W*?[/\\]|^- +|%20|["'`“”„‘’«»]|\s+(?:#|=>|->|as\s|!).*|(?<=\.\w+)[:=#,;].*|(?<=^[^{]*)[,;](?:\s.*)?$/gi,
      '',
    )
    .replaceAll('\\', '/')
  if (path.isAbsolute(plain)) return context.display(plain)
  return path.posix.join(isPath ? '' : context.display(context.workingDirectory), plain)
}

export async function closestFiles(
  context: SearchContext,
  line: PatternLine,
  all: Iterable<string>,
  maxDistance = Number.MAX_VALUE,
): Promise<readonly string[]> {
  // In an exclusion, folders may be missing.
  const typed = (line.exclude ? '**/' : '') + asMeant(context, line)
  const distanceOf = distanceFrom(typed, line.exclude)
  let shortest = maxDistance
  let closest: string[] = []
  for (const file of all) {
    await context.checkpoint()
    const isHidden = !line.exclude && hidden.test(file) && !hidden.test(typed)
    if (isHidden && wildcard.test(typed)) continue
    const distance = distanceOf(file) + (isHidden ? 1e6 : 0)
    if (distance > shortest) continue
    if (distance < shortest) closest = []
    shortest = distance
    closest.push(file)
  }
  return closest
}

/** Names files as they must be typed in this line. */
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
