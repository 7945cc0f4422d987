import path from 'node:path'
import pMap from 'p-map'
import { notice, type Problem } from '../problem.ts'
import { join, list, type Text, text, words } from '../text/text.ts'
import type { UnnamedFile } from './allowed.ts'
import { exists, follow, isWithin, resolved } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { otherLanguage } from './other-languages.ts'
import type { PatternLine } from './patterns.ts'
import { skipAdvice } from './search-problems.ts'
import { type HintContext, maxNamed, offer } from './similar-files.ts'

/** Beyond this number, explanations repeat themselves. */
const maxExplained = 10

/** A line, and what was found for it. */
export interface SearchedLine {
  readonly line: PatternLine
  /** It names one file or folder. */
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
      ...(explained.has(searchedLine) && (await explainLine(context, searchedLine))),
    }),
    { concurrency: 1 },
  )
}

/** What was looked for, what is there, and what looks alike. */
async function explainLine(
  context: HintContext,
  { line, literal, roots, skipped }: SearchedLine,
): Promise<Partial<UnmatchedPattern>> {
  const [root] = roots
  if (root === undefined) return { explanation: [text`It matches no path at all.`] }
  const start = context.display(root + path.sep)
  const reasons = skipped.filter(({ path: at }) => at === start || !at.endsWith('/'))
  // What is skipped is the reason. A folder is none, unless the search began there: nobody looked
  // whether the file is in it.
  if (reasons.length > 0) return { explanation: [describeSkipped(reasons)], isNamed: literal }
  const place = await describePlace(context, root, roots.length === 1)
  const all = place.mayBeWorkspace ? await context.listFiles(context.realWorkspace) : []
  const similar = await offer(context, line, 'closest', all)
  const language = otherLanguage(line.pattern.replaceAll(path.sep, '/'))
  const lines = language
    ? [language, similar]
    : [place.found, similar, place.question, describeFolders(skipped)]
  return {
    explanation: lines.filter(({ length }) => length > 0),
    isNamed: literal && !language,
    saysWhatToWrite: Boolean(language) || similar.length > 0,
  }
}

/** The path itself, or the nearest above it at which there is something. */
async function nearest(at: string): Promise<string> {
  const above = path.dirname(at)
  return above === at || (await exists(at)) ? at : nearest(above)
}

const emptyWorkspace = text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
const diskRoot = text`A leading \`/\` is the root of the runner's disk: was an expression before it empty?`
const notWritten = text`Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.`

/**
 * What was looked for, what the nearest folder holds, and what may have happened.
 *
 * @param isOnly the user wrote this path, and not several alternatives
 */
async function describePlace(context: HintContext, root: string, isOnly: boolean) {
  const { display, entriesOf, nameOf, options, realWorkspace, removeToken } = context
  const at = await nearest(root)
  const isInWorkspace = isWithin(await resolved(at), realWorkspace)
  const isDiskRoot = path.dirname(at) === at
  const mayBeWorkspace = isInWorkspace || isDiskRoot
  if ((await follow(at)).kind !== 'folder')
    return { found: text`${display(at)} is a file, not a folder.`, question: [], mayBeWorkspace }
  const names = (await entriesOf(at).catch(() => [])).map(({ name }) => removeToken(name))
  // Hidden ones come last.
  const key = (name: string) => name.replace(/^\./, '~')
  const sorted = names.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const held = names.length > 0 ? list(sorted, { max: maxNamed }) : words('nothing')
  const isThere = at === root || !isOnly
  const what = isThere ? text`Searched ${nameOf(at)}` : text`There is no ${display(root)}`
  const holds = isThere ? text`, which holds ${held}` : text`: ${nameOf(at)} holds ${held}`
  const isEmpty = names.length === 0 && at === options.workspace
  return {
    // On a runner of one's own, what lies outside belongs to other jobs.
    found: text`${what}${isInWorkspace ? holds : []}.`,
    question: isEmpty ? emptyWorkspace : isDiskRoot ? diskRoot : notWritten,
    mayBeWorkspace,
  }
}

/** The folders that nobody looked into, hidden ones last. */
function describeFolders(skipped: readonly SkippedFile[]): Text {
  const folders = skipped.filter(
    ({ path: at }) => !/(?<![^/])(?:node_modules|\.git[^/]*)\//.test(at),
  )
  const isHidden = ({ reason }: SkippedFile) => Number(reason === 'hidden')
  const inOrder = folders.toSorted((a, b) => isHidden(a) - isHidden(b))
  return folders.length > 0 ? text`Not searched: ${describeSkipped(inOrder, 1)}` : []
}

function describeSkipped(
  skipped: readonly SkippedFile[],
  maxAdvice = Number.POSITIVE_INFINITY,
): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const listed = text`${list(items, { max: maxNamed, separator: '; ' })}.`
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([listed, ...[...advice].slice(0, maxAdvice)], ' ')
}

/** What a line does instead, by how a file that was meant fits it. */
const whatItDoes = {
  below: text`searches no folders below: \`**\` does that only between slashes`,
  slip: text`finds nothing`,
  closest: text`excludes nothing`,
}

/** A `**` that is only a part of a name. */
const shallow = /[^/*]\*\*|\*\*[^/*]/

/**
 * Notices for lines that probably do not mean what they say: they find nothing beside others, search
 * no folders below, or exclude nothing.
 *
 * @param idle lines with `!` that exclude nothing
 */
export async function explainSlips(
  context: HintContext,
  searched: readonly SearchedLine[],
  idle: readonly PatternLine[],
): Promise<readonly Problem[]> {
  const sent = searched.flatMap(({ files }) => files.map(({ real }) => context.display(real)))
  if (sent.length === 0) return []
  const suspects = searched.filter(({ files, line, literal }) =>
    files.length > 0 ? shallow.test(line.pattern) : !literal,
  )
  const all = suspects.length > 0 ? await context.listFiles(context.realWorkspace) : []
  const others = [...new Set(all).difference(new Set(sent))]
  const slips = [
    ...suspects.map(
      ({ files, line }) => ({ line, way: files.length > 0 ? 'below' : 'slip' }) as const,
    ),
    ...idle.map((line) => ({ line, way: 'closest' }) as const),
  ]
  const explain = async ({ line, way }: (typeof slips)[number]) => {
    const similar = await offer(context, line, way, way === 'closest' ? sent : others)
    if (similar.length === 0) return []
    const explanation = text`${line.text} ${whatItDoes[way]}. ${similar}`
    return notice('A line may not mean what it says', explanation, 'nothingFound')
  }
  return (await pMap(slips.slice(0, maxExplained), explain, { concurrency: 1 })).flat()
}
