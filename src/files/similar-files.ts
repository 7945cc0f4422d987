import path from 'node:path'
import leven from 'leven'
import { Minimatch } from 'minimatch'
import pMap from 'p-map'
import { list, type Text, text } from '../text/text.ts'
import { inspectFile } from './allowed.ts'
import { ignoreCase, isWithin } from './disk.ts'
import { memoize } from './memoize.ts'
import { grammar, type PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { walk } from './walk.ts'

/** Items that an explanation names. */
export const maxNamed = 3
/** In a workspace with more than twice as many, no file is a hint. */
const maxListed = 50_000
/** If more files are similar, the others are counted without a look into them. */
const maxInspected = 100
/** `{a..z}` is 26 of them. A name on the disk can stand for any number. */
const withBraces = { ...grammar, nobrace: false, braceExpandMax: 30 }

export interface HintContext extends SearchContext {
  /** The files of a folder, from the workspace on. It is searched once. */
  readonly listFiles: (root: string) => Promise<readonly string[]>
  /** The lines are items of a JSON list. */
  readonly inList: boolean
}

/** Without links, which lead to other files, and without packages, of which nobody means a file. */
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

/** Whether the names in a path fit those in a line. */
type Fits = (names: readonly string[]) => boolean
type Test = (name: string) => boolean

/** How a path from the workspace on can fit a line. */
function waysToFit(typed: string) {
  const names = typed.split('/').filter((name) => name !== '' && name !== '**')
  const startsAnywhere = names.length < 2 || typed.startsWith('**/')
  // `unit.csv` of `build/unit.csv`, `reports/*.csv` of `build/reports/*.csv`. But not `b.csv` of
  // `x/a.csv or x/b.csv`, and not `a.csv` of `-x/a.csv`.
  const isOther = /^[-^]|\S\s+\S.*\//.test(typed)
  const end = isOther
    ? 0
    : Math.max(
        0,
        names.findLastIndex((name) => !wildcard.test(name)),
      )
  const waysBy = (testOf: (typed: string) => Test): readonly [Fits, Fits] => {
    const tests = names.map(testOf)
    const fitsFirst = (name = '') => startsAnywhere || tests[0]?.(name) === true
    return [
      (found) => fitsFirst(found[0]) && fitInOrder(tests, found),
      (found) => fitInOrder(tests.slice(end), found),
    ]
  }
  const [below, elsewhere] = waysBy(sameAs)
  const [almostBelow, almostElsewhere] = waysBy(almostSameAs)
  const slip: Fits = (found) =>
    (typed.includes('**') || found.length === names.length) && almostBelow(found)
  return {
    /** It is the same path in another case, or it is below it. */
    below: [below],
    /** It is almost the same path. */
    slip: [slip],
    /** `below`; else the same name in another folder; else almost the same. */
    closest: [below, elsewhere, slip, almostElsewhere],
  }
}

/** A line from the workspace on, without what does not belong there: quotes, a comment, a label. */
function asMeant(context: SearchContext, { isPath, pattern }: PatternLine): string {
  const plain = pattern
    .replace(
      /^- +|^[\w-]+(?::\s+|=)@?|^@|["'`“”„‘’«»]|\s+#.*|(?<=\.\w+)(?:[:=#]| (?:=>|->|as) ).*|[,;]+$/g,
      '',
    )
    .replaceAll('\\', '/')
  if (path.isAbsolute(plain)) return context.display(plain)
  return path.posix.join(isPath ? '' : context.display(context.workingDirectory), plain)
}

/** Other names can be between them. */
function fitInOrder(tests: readonly Test[], names: readonly string[]): boolean {
  let next = 0
  for (const name of names) if (tests[next]?.(name)) next += 1
  return next === tests.length
}

/** A name that no wildcard stands for. */
const hidden = /(?<![^/])\./
const wildcard = /[*?[{]/

/** `Unit.csv` for `unit.*`. */
function sameAs(typed: string): Test {
  const matcher = new Minimatch(typed.replaceAll('**', '*').toLowerCase(), withBraces)
  return (name) => matcher.match(name.toLowerCase())
}

/** `unit.csv` for `unti.csv`, and for `*.cvs`. */
function almostSameAs(typed: string): Test {
  const isSame = sameAs(typed)
  const end = typed.replace(/.*\./, '')
  const isAlmost: Test = wildcard.test(typed)
    ? (name) => isSimilar(end, name.replace(/.*\./, '')) && isSame(name.replace(/[^.]*$/, end))
    : (name) => isSimilar(typed, name)
  return memoize((name) => isSame(name) || isAlmost(name))
}

/** Whether two names begin alike, have the same digits, and are the same but for one letter. */
function isSimilar(typed: string, name: string): boolean {
  const [a = '', b = ''] = [typed, name].map((written) =>
    written.toLowerCase().replace(/(?!^)(?:%20|[^\p{L}\d.])/gu, ''),
  )
  const fixed = (plain: string) => plain.replace(/(?!^)\D/g, '')
  const sorted = (plain: string) => [...plain].sort().join('')
  if (Math.min(a.length, b.length) < 3 || fixed(a) !== fixed(b)) return false
  return leven(a, b) < 2 || sorted(a) === sorted(b)
}

/**
 * Names the files that fit a line in the closest way in which one fits, and says what to write for
 * them. Linear in the number of files, whatever the line. What cannot be sent does not count.
 */
export async function offer(
  context: HintContext,
  line: PatternLine,
  way: keyof ReturnType<typeof waysToFit>,
  all: readonly string[],
): Promise<Text> {
  const typed = asMeant(context, line)
  const ways = waysToFit(typed)[way]
  const found = ways.map((): string[] => [])
  for (const file of all) {
    await context.checkpoint()
    if (hidden.test(file) && !hidden.test(typed)) continue
    const names = file.split('/')
    // What does not fit in the widest way, the last one, fits in none.
    if (ways.at(-1)?.(names)) found[ways.findIndex((fits) => fits(names))]?.push(file)
  }
  const closest = found.find(({ length }) => length > 0) ?? []
  const inspected = await pMap(closest.slice(0, maxInspected), (file) => {
    const real = path.resolve(context.realWorkspace, file)
    return inspectFile(context, { path: real, real })
  })
  const notSent = new Set(inspected.flatMap((file) => ('reason' in file ? file.path : [])))
  const files = closest.filter((file) => !notSent.has(file))
  const [file] = files
  if (file === undefined) return []
  if (files.length === 1) return text`Did you mean ${asTyped(context, line, file)}?`
  const pattern = line.isPath ? undefined : patternFor(typed, closest, all)
  const advice = pattern ? text` If they are meant, write ${asTyped(context, line, pattern)}.` : []
  return text`Similar files: ${list(files, { max: maxNamed })}.${advice}`
}

/**
 * The folder that all files share, with the last name of the line, if that finds them and no other.
 * Of several files with the name of one, any can be meant.
 */
function patternFor(
  typed: string,
  files: readonly string[],
  all: readonly string[],
): string | undefined {
  const last = path.posix.basename(typed).replace(/\*\*(?=.)|(?<=.)\*\*/g, '*')
  if (!wildcard.test(last)) return undefined
  const folder = files.map((file) => path.posix.dirname(file)).reduce(sharedFolder)
  const patterns = [last, `**/${last}`].map((end) => path.posix.join(folder, end))
  return patterns.find((pattern) => {
    const matcher = new Minimatch(pattern, { ...withBraces, nocase: ignoreCase })
    return String(all.filter((file) => matcher.match(file))) === String(files)
  })
}

function sharedFolder(folder: string, other: string): string {
  return isWithin(other, folder) ? folder : sharedFolder(path.posix.dirname(folder), other)
}

/** A path or a pattern from the workspace on, from where the line begins. */
function asTyped(context: HintContext, line: PatternLine, found: string): string {
  const { inList, options, workingDirectory } = context
  const start = line.isPath ? options.workspace : workingDirectory
  const typed = path.relative(start, path.join(options.workspace, found)).replaceAll(path.sep, '/')
  const whole = line.exclude ? `!${typed}` : typed
  return inList ? JSON.stringify(whole) : whole
}
