import leven from 'leven'
import { code, join, list, type Text, text } from '../text/text.ts'
import { isWithin, resolved } from './disk.ts'
import { patternsOf } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { maxNamed } from './search-problems.ts'
import { walk } from './walk.ts'

/** Names at the end of a pattern that are looked for elsewhere. */
const maxEnd = 4
/** `{a..z}` is 26 of them. */
const maxAlternatives = 30

/**
 * Why a pattern may find nothing, and the patterns that may be meant.
 *
 * @param known names and paths that may be meant
 */
type Rewriting = readonly [
  why: Text,
  rewrite: (written: string, known: readonly string[]) => readonly string[],
]

/** Tried in this order. */
export const rewritings: readonly Rewriting[] = [
  [
    text`It matches only folders.`,
    (written) => [`${written}/**`.replace(/(^|\/)\*?\/\*\*$/, '$1**')],
  ],
  [text`${code('**')} also searches the folders below.`, (written) => [withFoldersBelow(written)]],
  [text`Upper and lower case matter.`, (written) => [written.toLowerCase()]],
  [[], (written) => [written.replaceAll('%20', ' ')]],
  [
    text`Nothing may follow a path.`,
    (written) => [written.replace(/(?<=\.\w+)(?:[.:]| =>).*/, '')],
  ],
  [
    text`${code('\\')} makes the character after it literal.`,
    (written) => [written.replaceAll('\\', '/')],
  ],
  [[], respelled],
  // `reports/**` for `reprots/*.xls`, if there is no such file.
  [[], (written, known) => respelled(written.split('/').with(-1, '**').join('/'), known)],
]

/** Tried last, because many a pattern begins with what is not meant as a path. */
export const shorter: readonly Rewriting[] = [
  [text`Patterns start in the workspace, or in ${code('working-directory')}.`, endsOf],
]

/** Offers the first of the patterns that finds a file. */
export async function suggest(
  context: SearchContext,
  written: string,
  known: readonly string[],
  among: readonly Rewriting[],
): Promise<Text | undefined> {
  for (const [why, rewrite] of among) {
    for (const suggestion of rewrite(written, known)) {
      const found = await lookFor(context, suggestion)
      const offer = text`Did you mean ${suggestion}?`
      const there = found.includes(suggestion)
        ? []
        : text`There is ${list(found, { max: maxNamed })}.`
      if (found.length > 0) return join([why, offer, there], ' ')
    }
  }
  return undefined
}

/** Packages hold much that nobody means. */
const packages = { text: 'node_modules', pattern: '**/node_modules', exclude: true }

/**
 * The files of the workspace that a pattern finds. On a runner of one's own, what lies outside
 * belongs to other jobs.
 */
export async function lookFor(context: SearchContext, pattern: string): Promise<readonly string[]> {
  const { checkpoint, display, exclusionOf, realWorkspace, workingDirectory } = context
  const { pending } = await exclusionOf(packages)
  const exclusion = { pending: [...context.exclusion.pending, ...pending] }
  const line = { text: pattern, pattern, exclude: false }
  const patterns = await patternsOf(line, workingDirectory, checkpoint).catch(() => [])
  const found: string[] = []
  for (const each of patterns.slice(0, maxAlternatives)) {
    if (!isWithin(await resolved(each.root), realWorkspace)) continue
    // Too many files are no hint.
    const { matches } = await walk({ ...context, exclusion }, each).catch(() => ({ matches: [] }))
    found.push(...matches.map(({ path: at }) => display(at)))
  }
  return found
}

// `reports/**/*.csv` for `reports/*.csv`, and for `reports/**.csv`.
export function withFoldersBelow(pattern: string): string {
  return pattern.replace(
    /(?:\*\*\/)?([^/]*)$/,
    (_, name: string) => `**/${name.replaceAll('**', '*')}`,
  )
}

/**
 * With a word of a name in place of one that has almost the same letters: `coverage` for `covrage`,
 * `csv` for `cvs`.
 */
function respelled(written: string, known: readonly string[]): readonly string[] {
  const wordsIn = (from: string) => [...new Set(from.match(/\p{L}{3,}/gu))]
  const letters = (word: string) => [...word.toLowerCase()].sort().join('')
  const isSimilar = (typed: string, word: string) =>
    word[0]?.toLowerCase() === typed[0]?.toLowerCase() &&
    leven(letters(word), letters(typed)) <= Math.min(2, word.length / 3, typed.length / 3)
  const words = wordsIn(known.join())
  return wordsIn(written).flatMap((typed) =>
    words
      .filter((word) => word !== typed && isSimilar(typed, word))
      .map((word) => written.replace(typed, word)),
  )
}

/**
 * Of `build/reports/*.csv`: `reports/*.csv`, also in other folders. But not `*.csv`, which fits
 * anything.
 */
function endsOf(written: string): readonly string[] {
  const names = written.split('/').slice(-maxEnd)
  const ends = names
    .map((_, index) => names.slice(index).join('/'))
    .filter((end) => /^(?:[^/].*\/)?\w/.test(end))
  const anywhere = ends.slice(-2).map((end) => `**/${end}`)
  const folders = anywhere.filter((end) => !/\.\w+$/.test(end)).map((end) => `${end}/**`)
  return [...ends, ...anywhere, ...folders]
}
