import path from 'node:path'
import leven from 'leven'
import { minimatch } from 'minimatch'
import pMap from 'p-map'
import { join, list, type Text, text } from '../text/text.ts'
import { inspectFile } from './allowed.ts'
import { ignoreCase } from './disk.ts'
import { grammar, type PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { maxNamed } from './search-problems.ts'
import { walk } from './walk.ts'

/** Names at the end of a pattern that are looked for elsewhere. */
const maxEnd = 4
/** `{a..z}` is 26 of them. A name on the disk can stand for any number. */
const maxAlternatives = 30
/** In a larger workspace, no file is a hint. */
const maxListed = 50_000

const similar = text`Similar files:`

export interface HintContext extends SearchContext {
  /** Its files, from there on. It is searched once. */
  readonly listFiles: (workspace: string) => Promise<readonly string[]>
}

/**
 * Why a pattern may find nothing, and the patterns that may be meant, from the workspace on.
 *
 * @param written the pattern of the line, from there on
 */
type Rewriting = readonly [
  Text,
  (written: string, files: Paths, line: PatternLine) => readonly string[],
]

/** The names in each path. */
type Paths = readonly (readonly string[])[]

/** Tried in this order. */
export const rewritings: readonly Rewriting[] = [
  // `{"path": "reports/*.csv"}`
  [
    text`A \`path\` takes no wildcards.`,
    (written, _files, { isPath }) => (isPath ? [written] : []),
  ],
  // `reports/**` for `reports/`, and for `reports/*`, which holds only folders.
  [
    text`It matches only folders.`,
    (written) => [`${written}/**`.replace(/(^|\/)(?:\*|\*\*\/)?\/\*\*$/, '$1**')],
  ],
  // `reports/**/*.csv` for `reports/*.csv`, and for `reports/**.csv`.
  [text`Only \`**/\` searches the folders below.`, (written) => [withFoldersBelow(written)]],
  // `reports/*.csv`, which is in the workspace, not in `working-directory`.
  [text`Patterns start in \`working-directory\`.`, (_written, _files, { pattern }) => [pattern]],
  // `files: a.csv`, `"a.csv"`, or `a.csv,`.
  [
    text`A line holds only a path or a pattern.`,
    (written) => [
      written.replace(
        /^[\w-]+(?::\s+|=)@?|^@|["'`“”„‘’«»]|(?<=\.\w+)(?:[:=#]| (?:=>|->|as) ).*|[,;]+$/g,
        '',
      ),
    ],
  ],
  // `reports\unit.csv`
  [
    text`\`\\\` makes the character after it literal.`,
    (written) => (written.includes('\\') ? endsOf(written.replaceAll('\\', '/')) : []),
  ],
  [
    [],
    // `reports/**` for `reprots/*.xls`, if there is no such file.
    (written, files) =>
      [written, withFoldersBelow(written), written.replace(/[^/]*$/, '**')].flatMap((pattern) =>
        respelled(pattern.split('/'), files)
          .map((names) => names.join('/'))
          .filter((meant) => meant !== pattern),
      ),
  ],
  // `/reports/unit.csv`
  [
    text`A leading \`/\` is the root of the runner's disk: was an expression before it empty?`,
    (written) => ['', '**/'].map((start) => written.replace(/^\/+/, start)),
  ],
  // `~/reports/*.csv`, `../reports/*.csv`, or `C:/reports/*.csv`.
  [
    text`Patterns start in the workspace, or in \`working-directory\`.`,
    (written) => (/^(?:[a-z]:|~|\.\.)?\//i.test(written) ? endsOf(written) : []),
  ],
]

/** Asked last: a file that ends in the same names can be another one, such as that of a test. */
export const elsewhere: readonly Rewriting[] = [
  [similar, (written) => endsOf(written).flatMap((end) => [end, `**/${end}`, `**/${end}/**`])],
]

/** Offers the first of the patterns that finds a file which can be sent. */
export async function suggest(
  context: HintContext,
  line: PatternLine,
  among: readonly Rewriting[],
): Promise<Text | undefined> {
  const written = fromWorkspace(context, line)
  const all = await context.listFiles(context.options.workspace)
  const paths = all.map((file) => file.split('/'))
  for (const [why, rewrite] of among) {
    for (const meant of rewrite(written, paths, line)) {
      await context.checkpoint()
      const files = all.filter(matching(meant))
      const inspected = await pMap(files.slice(0, maxNamed), (file) => {
        const real = path.join(context.realWorkspace, file)
        return inspectFile(context, { path: real, real })
      })
      if (inspected.some((file) => 'real' in file)) return offer(context, line, [why, meant], files)
    }
  }
  return undefined
}

function offer(
  context: SearchContext,
  line: PatternLine,
  [why, meant]: readonly [why: Text, meant: string],
  files: readonly string[],
): Text {
  const [file = ''] = files
  const isName = files.length === 1 && path.basename(file) === path.basename(line.pattern)
  const start = fromWorkspace(context, { ...line, pattern: '' })
  const pattern = path.posix.relative(start, isName ? file : meant)
  // An object names one file, and a string can be a pattern.
  const offered = line.isPath && pattern !== file ? JSON.stringify(pattern) : pattern
  const found = list(files, { max: maxNamed })
  if (why === similar) return text`${why} ${found}. If that is meant, write ${offered}.`
  const reason =
    offered.toLowerCase() === line.pattern.toLowerCase() ? text`Upper and lower case matter.` : why
  return join(
    [reason, text`Did you mean ${offered}?`, file === offered ? [] : text`It finds ${found}.`],
    ' ',
  )
}

/** The pattern of a line, from the workspace on if it is in it, with `/`. */
export function fromWorkspace(
  { display, workingDirectory }: SearchContext,
  { isPath, pattern }: PatternLine,
): string {
  if (path.isAbsolute(pattern)) return display(pattern)
  const start = isPath ? '' : display(workingDirectory)
  return path.posix.join(start, pattern.replaceAll(path.sep, '/'))
}

/** The files of the workspace. Packages hold many that nobody means. */
export async function listFiles(context: SearchContext, root: string): Promise<readonly string[]> {
  const pattern = path.join(root, '**/node_modules')
  const packages = await context.exclusionOf({ text: pattern, pattern, exclude: true })
  const hints = {
    ...context,
    exclusions: [...context.exclusions, packages],
    options: { ...context.options, includeHiddenFiles: true, maxFiles: maxListed },
  }
  const walked = await walk(hints, { root, segments: ['**'], foldersOnly: false }).catch(
    () => undefined,
  )
  return (walked?.matches ?? []).map((match) => context.display(match.path))
}

/** Whether a file has this path, is below it, or matches it. A wildcard means no hidden file. */
export function matching(pattern: string): (file: string) => boolean {
  const matches = minimatch.filter(pattern, {
    ...grammar,
    nobrace: false,
    braceExpandMax: maxAlternatives,
    nocase: ignoreCase,
  })
  return (file) => file === pattern || file.startsWith(`${pattern}/`) || matches(file)
}

// Adds `**/` before the last name, in which `**` becomes `*`.
export function withFoldersBelow(pattern: string): string {
  return pattern.replace(
    /(?:\*\*\/)?([^/]*)$/,
    (_, name: string) => `**/${name.replaceAll('**', '*')}`,
  )
}

/** With a similar name, as the files spell it, in place of each that is not there. */
function respelled([typed, ...rest]: readonly string[], below: Paths): Paths {
  if (below.length === 0) return []
  if (typed === undefined) return [[]]
  const there = below.flatMap(([name = []]) => name)
  const isThere = typed === '**' || there.some(matching(typed))
  return (isThere ? [typed] : similarNames(typed, there)).flatMap((meant) => {
    const isMeant = matching(meant)
    const inside =
      meant === '**'
        ? below.flatMap((names) => names.map((_, index) => names.slice(index)))
        : below.filter(([name = '']) => isMeant(name)).map((names) => names.slice(1))
    return respelled(rest, inside).map((names) => [meant, ...names])
  })
}

/** `unit.csv` for `unti.csv`; and of what has a wildcard, each word: `*.csv` for `*.cvs`. */
function similarNames(typed: string, there: readonly string[]): readonly string[] {
  const separator = /[*?[{]/.test(typed) ? /\P{L}+/u : '/'
  const others = new Set(there.flatMap((name) => name.split(separator)))
  return typed
    .split(separator)
    .flatMap((part) =>
      [...others]
        .filter((other) => isSimilar(part, other))
        .map((other) => typed.replace(part, () => other)),
    )
}

/** Whether two names begin alike, have the same digits, and almost the same letters. */
function isSimilar(typed: string, other: string): boolean {
  const [a = '', b = ''] = [typed, other].map((name) =>
    name.toLowerCase().replace(/(?!^)(?:%20|[^\p{L}\d.])/gu, ''),
  )
  const sorted = (name: string) => [...name].sort().join('')
  const fixed = (name: string) => name.replace(/(?!^)\D/g, '')
  const maxChanges = Math.round(Math.min(a.length, b.length) / 5)
  return fixed(a) === fixed(b) && (sorted(a) === sorted(b) || leven(a, b) <= maxChanges)
}

/**
 * Of `build/reports/*.csv`: `reports/*.csv`. But not `*.csv`, which fits anything, and not `b.csv`
 * of `a.csv or b.csv`.
 */
function endsOf(written: string): readonly string[] {
  const names = written.split('/').slice(-maxEnd)
  return names
    .map((_, index) => names.slice(index).join('/'))
    .filter((end) => /^(?:[^/].*\/)?\w/.test(end) && !/\s/.test(written.slice(0, -end.length)))
}
