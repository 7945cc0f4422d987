import path from 'node:path'
import pMap from 'p-map'
import { notice, type Problem } from '../problem.ts'
import { join, list, type Text, text, words } from '../text/text.ts'
import type { UnnamedFile } from './allowed.ts'
import { follow, isWithin, resolved } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { otherLanguage } from './other-languages.ts'
import type { PatternLine } from './patterns.ts'
import {
  elsewhere,
  fromWorkspace,
  type HintContext,
  matching,
  rewritings,
  suggest,
  withFoldersBelow,
} from './rewritings.ts'
import { maxExplained, maxNamed, skipAdvice } from './search-problems.ts'

/** A line, and what was found for it. */
export interface SearchedLine {
  readonly line: PatternLine
  /** It names one file or folder, which is not an empty file. */
  readonly literal: boolean
  /** Where the search for each of its patterns began. */
  readonly roots: readonly string[]
  readonly files: readonly UnnamedFile[]
  readonly skipped: readonly SkippedFile[]
}

/** The lines without a file. Those that people will read are explained. */
export function explainUnmatched(
  context: HintContext,
  searched: readonly SearchedLine[],
): Promise<readonly UnmatchedPattern[]> {
  const unmatched = searched.filter(({ files }) => files.length === 0)
  // What names one file comes first, because it can be an error beside files that other lines find.
  const byWeight = unmatched.toSorted((a, b) => Number(b.literal) - Number(a.literal))
  const explained = new Set(byWeight.slice(0, maxExplained))
  return pMap(
    unmatched,
    async (searchedLine) => ({
      pattern: searchedLine.line.text,
      literal: searchedLine.literal,
      explanation: explained.has(searchedLine)
        ? await explainLine(context, searchedLine)
        : undefined,
    }),
    { concurrency: 1 },
  )
}

/** `reports/**.csv` finds files, and none in the folders below. */
export async function explainShallow(
  context: HintContext,
  { files, line, skipped }: SearchedLine,
): Promise<readonly Problem[]> {
  // Without files, `explainUnmatched` says more.
  if (files.length === 0 || !/[^/*]\*\*[^/]*$|\*\*[^/*][^/]*$/.test(line.pattern)) return []
  const seen = new Set([...files, ...skipped].map(({ path: at }) => at))
  const suggestion = withFoldersBelow(line.pattern)
  const isMeant = matching(fromWorkspace(context, { ...line, pattern: suggestion }))
  const missed = (await context.listFiles(context.options.workspace)).filter(
    (at) => isMeant(at) && !seen.has(at),
  )
  if (missed.length === 0) return []
  const shown = list(missed, { max: maxNamed })
  const explanation = text`${line.text} leaves out ${shown}: \`**\` searches folders only between slashes. To search them too, write ${suggestion}.`
  return [notice('A pattern leaves out the folders below', explanation, 'nothingFound')]
}

async function explainLine(
  context: HintContext,
  { line, roots, skipped }: SearchedLine,
): Promise<readonly Text[]> {
  const [root] = roots
  if (root === undefined) return [text`It matches no path at all.`]
  // A skipped file is the explanation. A hidden folder is none: nobody looked whether the file is
  // in it.
  const isExplained = skipped.some(
    ({ path: at, reason }) => reason !== 'hidden' || !at.endsWith('/'),
  )
  if (isExplained) return [describeSkipped(skipped)]
  const explanation =
    (await suggest(context, line, rewritings)) ??
    otherLanguage(line.pattern.replaceAll(path.sep, '/'))
  if (explanation) return [explanation]
  const hidden = skipped.length > 0 ? text`Skipped: ${describeSkipped(skipped)}` : []
  const similar = (await suggest(context, line, elsewhere)) ?? []
  // The user wrote none of several alternatives.
  const [place = [], ...question] = await describePlace(context, root, roots.length === 1)
  return [place, hidden, similar, ...question].filter(({ length }) => length > 0)
}

/** The folder itself, or the nearest above it that exists. */
async function nearestFolder(at: string): Promise<string> {
  const above = path.dirname(at)
  return above === at || (await follow(at)).kind === 'folder' ? at : nearestFolder(above)
}

const emptyWorkspace = text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
const diskRoot = text`A leading \`/\` is the root of the runner's disk: was an expression before it empty?`
const notWritten = text`Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.`

/** What there is, and what may have happened. */
async function describePlace(context: HintContext, root: string, isOnly: boolean) {
  const { display, entriesOf, nameOf, options, realWorkspace, removeToken } = context
  const folder = await nearestFolder(root)
  const names = (await entriesOf(folder).catch(() => [])).map(({ name }) => name)
  const [first = ''] = isOnly ? path.relative(folder, root).split(path.sep) : []
  const at = display(path.join(folder, first))
  if (names.includes(first)) return [text`${at} is a file, not a folder.`]
  // Hidden ones come last.
  const key = (name: string) => name.replace(/^\./, '~')
  const sorted = names.map(removeToken).sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const held = names.length > 0 ? list(sorted, { max: maxNamed }) : words('nothing')
  const [what, then] = first
    ? [text`There is no ${at}`, text`: ${nameOf(folder)}`]
    : [text`Searched ${nameOf(folder)}`, words(', which')]
  // On a runner of one's own, what lies outside belongs to other jobs.
  const isInWorkspace = isWithin(await resolved(folder), realWorkspace)
  const holds = isInWorkspace ? text`${then} holds ${held}` : []
  const isEmpty = names.length === 0 && folder === options.workspace
  const question = isEmpty
    ? emptyWorkspace
    : path.dirname(folder) === folder
      ? diskRoot
      : notWritten
  return [text`${what}${holds}.`, question]
}

function describeSkipped(skipped: readonly SkippedFile[]): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([text`${list(items, { max: maxNamed, separator: '; ' })}.`, ...advice], ' ')
}
