import path from 'node:path'
import { errorProblem, type Problem } from '../problem.ts'
import { questionForGap } from '../text/expressions.ts'
import { isAlmost } from '../text/is-almost.ts'
import { join, list, type Text, text, words } from '../text/text.ts'
import type { UnnamedFile } from './allowed.ts'
import { exists, follow, isWithin, resolved } from './disk.ts'
import { type SkippedFile, skipAdvice, type UnmatchedPattern } from './files.ts'
import { otherLanguage } from './other-languages.ts'
import type { Pattern, PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { closestFiles, hidden, listFiles, maxNamed, nameFiles } from './similar-files.ts'

/** More explanations only repeat themselves. */
const maxExplained = 10

export interface Search {
  readonly pattern: Pattern
  readonly files: readonly UnnamedFile[]
  readonly skipped: readonly SkippedFile[]
}

/** `files` and `skipped` are those of all its patterns. */
export interface SearchedLine extends Omit<Search, 'pattern'> {
  readonly line: PatternLine
  /** It names one file or folder. */
  readonly namesOne: boolean
  readonly searches: readonly Search[]
}

/** Lines without a file, the first 10 explained, and unused alternatives of other lines. */
export async function explainUnmatched(
  context: SearchContext,
  searched: readonly SearchedLine[],
): Promise<readonly UnmatchedPattern[]> {
  const unmatched = searched.filter(({ files }) => files.length === 0)
  // A missing named file is an error even if other lines find files.
  const byWeight = unmatched.toSorted((a, b) => Number(b.namesOne) - Number(a.namesOne))
  const explained = new Set(byWeight.slice(0, maxExplained))
  // An empty file is not missing. `-r/old/**` may have been meant to exclude.
  const isLiteral = ({ line, namesOne, skipped }: SearchedLine) =>
    (namesOne || /^(?:[-^]|(?:not|exclude:?)\s)/.test(line.text)) &&
    skipped.every(({ reason }) => reason !== 'empty')
  // A green run lists no folder for a hint.
  const isGreen = unmatched.length < searched.length && !unmatched.some(isLiteral)
  const all = isGreen
    ? searched.flatMap(({ files, skipped }) => [...files, ...skipped].map(({ path: at }) => at))
    : await listFiles(context)
  const lines = await Array.fromAsync(unmatched, async (searchedLine) => ({
    pattern: searchedLine.line.text,
    literal: isLiteral(searchedLine),
    ...(explained.has(searchedLine) && (await explainLine(context, searchedLine, all))),
  }))
  const unused = searched.flatMap(({ files, searches }) =>
    searches.filter((one) => files.length > 0 && one.files.length + one.skipped.length === 0),
  )
  const named = unused.slice(0, maxExplained).map(({ pattern: { root, segments } }) => ({
    pattern: context.display(path.join(root, ...segments)),
    explanation: [],
  }))
  return [...lines, ...named]
}

async function explainLine(
  context: SearchContext,
  { line, namesOne, searches, skipped }: SearchedLine,
  known: readonly string[],
): Promise<Partial<UnmatchedPattern>> {
  const root = searches[0]?.pattern.root
  if (root === undefined) return { explanation: [text`It matches no path at all.`] }
  const start = context.display(root + path.sep)
  // Skipped files explain the miss. Skipped folders don't, except where the search began.
  const reasons = skipped.filter(({ path: at }) => !at.endsWith('/') || at === start)
  if (reasons.length > 0) return { explanation: [describeSkipped(reasons)], isNamed: namesOne }
  const place = await describePlace(context, root, searches.length === 1)
  const all = place.mayBeWorkspace ? known : []
  const near = await closestFiles(context, line, all)
  const question = questionForGap(line.pattern, near)
  const closest = question ? [] : near
  const similar = nameFiles(context, line, closest)
  const { excludes } = await context.exclusionOf(line)
  /** The line matches the file, even if it is hidden, or a folder above it. */
  const matches = (file: string) => excludes(path.join(context.options.workspace, file), false)
  const [, characters] = line.noClasses ? [] : (/^[^[]*(\[\w+\])/.exec(line.pattern) ?? [])
  const language =
    otherLanguage(line) ??
    question ??
    (characters &&
      text`${characters} stands for one character, since no file has this name. For brackets, write \`[[]\` and \`[]]\`.`) ??
    (closest.slice(0, 1).some(matches) ? onlyFolders : undefined)
  const isSlip = (await closestFiles(context, line, closest, maxSlip)).length > 0
  const cause = place.question ?? (isSlip ? [] : notWritten)
  const showsHidden = similar.length === 0 || all.some((file) => hidden.test(file) && matches(file))
  const lines = language
    ? [language, similar]
    : [place.found, similar, cause, describeFolders(skipped, showsHidden)]
  return {
    explanation: lines.filter(({ length }) => length > 0),
    isNamed: namesOne && !language,
    saysWhatToWrite: Boolean(language) || similar.length > 0,
  }
}

/** All names are there, some almost. */
const maxSlip = 99

const onlyFolders = text`It matches only folders. End it with \`/**\` to find the files in them.`

/** The path, or the nearest above it that exists. */
async function nearest(at: string): Promise<string> {
  const above = path.dirname(at)
  return above === at || (await exists(at)) ? at : nearest(above)
}

const emptyWorkspace = text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
const diskRoot = text`A leading \`/\` is the root of the runner's disk: was an expression before it empty?`
const notWritten = text`Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.`

/** @param isOnly the line has no alternatives */
async function describePlace(context: SearchContext, root: string, isOnly: boolean) {
  const { display, entriesOf, nameOf, options, realWorkspace } = context
  const at = await nearest(root)
  const isInWorkspace = isWithin(await resolved(at), realWorkspace)
  const isDiskRoot = path.dirname(at) === at
  const mayBeWorkspace = isInWorkspace || isDiskRoot
  if ((await follow(at)).kind === 'file') {
    const found = text`${display(at)} is a file, not a folder. Leave out the \`/\` and what follows it.`
    return { found, question: [] }
  }
  const entries = await entriesOf(at).catch(() => [])
  const names = entries.map(({ name }) => options.removeToken(name))
  const [missing = ''] = path.relative(at, root).split(path.sep)
  const rankOf = (name: string) => (isAlmost(missing, name) ? 0 : name.startsWith('.') ? 2 : 1)
  const ranks = Map.groupBy(names.sort(), rankOf)
  const sorted = ([0, 1, 2] as const).flatMap((rank) => ranks.get(rank) ?? [])
  const held = names.length > 0 ? list(sorted, { max: maxNamed }) : words('nothing')
  const isMissing = isOnly && at !== root
  const what = isMissing ? text`There is no ${display(root)}` : text`Searched ${nameOf(at)}`
  const holds = isMissing ? text`: ${nameOf(at)} holds ${held}` : text`, which holds ${held}`
  const isEmpty = names.length === 0 && at === options.workspace
  return {
    // On a self-hosted runner, other folders belong to other jobs.
    found: text`${what}${isInWorkspace ? holds : []}.`,
    question: isEmpty ? emptyWorkspace : isDiskRoot ? diskRoot : undefined,
    mayBeWorkspace,
  }
}

function describeFolders(skipped: readonly SkippedFile[], showsHidden: boolean): Text {
  const isHidden = ({ reason }: SkippedFile) => Number(reason === 'hidden')
  const folders = skipped
    .filter((folder) => showsHidden || !isHidden(folder))
    .filter(({ path: at }) => !/(?<![^/])(?:node_modules|\.git[^/]*)\//.test(at))
    .toSorted((a, b) => isHidden(a) - isHidden(b))
  return folders.length > 0 ? text`Not searched: ${describeSkipped(folders, 1)}` : []
}

function describeSkipped(skipped: readonly SkippedFile[], maxAdvice?: number): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const listed = text`${list(items, { max: maxNamed, separator: '; ' })}.`
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([listed, ...[...advice].slice(0, maxAdvice)], ' ')
}

/** Errors for lines that exclude nothing, but almost a file that would be sent. */
export async function explainIdle(
  context: SearchContext,
  idle: readonly PatternLine[],
  sent: readonly string[],
): Promise<readonly Problem[]> {
  const explain = async (line: PatternLine) => {
    // A letter in brackets says that the line is right.
    if (/\[.\]|\{.\}/u.test(line.pattern)) return []
    const closest = await closestFiles(context, line, sent, maxSlip)
    if (closest.length === 0) return []
    const brackets = line.noClasses ? '{$&}' : '[$&]'
    const kept = line.text.replace(
      /[\p{L}\p{N}_~#-](?=[^/\\]*(?:[/\\][^\p{L}\p{N}_~#-]*)?$)/u,
      brackets,
    )
    const explanation = text`${line.text} excludes nothing. ${nameFiles(context, line, closest)}\nCorrect it (\`!**/\` excludes in all folders), or write ${kept} if it is right.`
    return errorProblem('An exclusion excludes nothing', explanation, 'nothingFound')
  }
  return (await Array.fromAsync(idle, explain)).flat().slice(0, maxExplained)
}
