import path from 'node:path'
import pMap from 'p-map'
import { sortNaturally } from '../text/natural-order.ts'
import { text, words } from '../text/text.ts'
import { exists, follow, isWithin, pathOnDisk } from './disk.ts'
import { explainer } from './explain.ts'
import type { SearchResult, SkippedFile, UnmatchedPattern } from './files.ts'
import { whyCredentials } from './filter.ts'
import { Matcher } from './matcher.ts'
import { channelNames } from './names.ts'
import { type Pattern, type PatternLine, patternLines, patternsOf } from './patterns.ts'
import { type FindOptions, resolved, type SearchContext, searchContext } from './search-context.ts'
import {
  refuseDiskRoot,
  refuseNamed,
  type SearchedLine,
  type SearchedPattern,
  tooManyFiles,
  type UnnamedFile,
  warnOfSpacesInBraces,
  warnOfUnknownFolders,
} from './search-problems.ts'
import { type Boundary, leadsOutOf, type Match, type Skipped, type Walked, walk } from './walk.ts'

const filesAtOnce = 32
/** Beyond this number, explanations repeat themselves. */
const maxExplained = 10

/**
 * The files that the patterns name, and the reason for each that is skipped: lines → patterns → walk → inspected files →
 * explanations.
 *
 * @param lines one pattern per line; see `docs/files.md` for the grammar.
 * @throws ProblemError for a pattern that cannot be used, a line that names something that must not or cannot be sent, and
 *   more files than allowed. The reason of the signal once it is aborted.
 */
export async function findFiles(lines: string, options: FindOptions): Promise<SearchResult> {
  const parsed = patternLines(lines)
  const exclusions = parsed.filter((line) => line.exclude)
  const context = await searchContext(exclusions, options)
  const searched: SearchedLine[] = []
  for (const line of parsed.filter(({ exclude }) => !exclude)) searched.push(await searchLine(context, line))
  const files = uniqueBy(searched.flatMap(filesOfLine), ({ real }) => real)
  if (files.length > options.maxFiles) throw tooManyFiles(files, options.maxFiles)
  const names = channelNames(files.map((file) => file.path))
  const unmatched = await explainUnmatched(context, searched)
  await context.checkpoint()
  return {
    files: files.map((file, index) => ({ ...file, name: names[index] ?? path.basename(file.real) })),
    skipped: skippedFiles(context, searched),
    unmatched,
    problems: [...(await warnOfUnknownFolders(context, searched)), ...warnOfSpacesInBraces(searched)],
  }
}

async function searchLine(context: SearchContext, line: PatternLine): Promise<SearchedLine> {
  const { checkpoint, options } = context
  const patterns: Pattern[] = []
  for (const pattern of await patternsOf(line, options.workingDirectory, exists, checkpoint)) {
    patterns.push({ ...pattern, root: await pathOnDisk(pattern.root) })
  }
  refuseDiskRoot(line, patterns)
  const literal = patterns.length === 1 && patterns[0]?.segments.length === 0
  const searches: SearchedPattern[] = []
  for (const pattern of patterns) {
    await checkpoint()
    const { excluded, matches, skipped } = await search(context, pattern, literal)
    const inspected = await pMap(matches, (match) => inspectMatch(context, line, match), { concurrency: filesAtOnce })
    const all = [...skipped, ...inspected.filter((one) => 'reason' in one)]
    refuseNamed(context, pattern.root, literal, all)
    searches.push({ pattern, files: inspected.filter((one) => 'size' in one), skipped: all, excluded })
  }
  return { line, literal, searches }
}

const nothing: Walked = { matches: [], skipped: [], excluded: [] }

/** Everything that a pattern matches. No file of it was opened yet. */
async function search(context: SearchContext, pattern: Pattern, literal: boolean): Promise<Walked> {
  const { root, segments } = pattern
  const target = await follow(root)
  const isForFolders = pattern.foldersOnly && (segments.length > 0 || target.kind === 'file')
  if (target.kind === 'absent' || isForFolders) return nothing
  if (target.kind === 'unsendable') return { ...nothing, skipped: [{ path: root, ...target }] }
  const { real } = target
  const boundary = await boundaryOf(context, root, target)
  if (!isWithin(real, boundary.real)) return { ...nothing, skipped: [{ path: root, ...leadsOutOf(boundary) }] }
  const exclusion = context.exclusions.at([root, real], target.kind === 'folder')
  if (exclusion.line !== undefined) return { ...nothing, excluded: [{ path: root, line: exclusion.line }] }
  if (target.kind === 'file') return segments.length === 0 ? { ...nothing, matches: [{ path: root, real }] } : nothing
  const why = whyCredentials(`${context.display(root)}/`)
  if (why !== undefined) {
    const at = literal ? root : `${root}${path.sep}`
    return { ...nothing, skipped: [{ path: at, reason: 'credentials', why: words(why) }] }
  }
  const { ignoreCase, options } = context
  const below = { root, segments: segments.length === 0 ? ['**'] : segments }
  const matcher = new Matcher(below, { dot: options.includeHiddenFiles, ignoreCase })
  return walk(context, { path: root, real, state: matcher.at(root), exclusion }, boundary)
}

async function boundaryOf(
  { display, options, realWorkspace }: SearchContext,
  root: string,
  target: { readonly kind: 'file' | 'folder'; readonly real: string },
): Promise<Boundary> {
  const belongsToWorkspace = [root, target.real].some((at) =>
    [options.workspace, realWorkspace].some((folder) => isWithin(at, folder)),
  )
  if (belongsToWorkspace) return { real: realWorkspace, name: text`the workspace` }
  const real = target.kind === 'file' ? await resolved(path.dirname(root)) : target.real
  return { real, name: text`${display(root)}` }
}

async function inspectMatch(
  context: SearchContext,
  line: PatternLine,
  { path: at, real }: Match,
): Promise<UnnamedFile | Skipped> {
  const { checkpoint, disk, display, realCommandFiles, removeToken } = context
  await checkpoint()
  const shown = display(at)
  const paths = real === at ? [shown] : [shown, display(real)]
  const skip = (why: string): Skipped => ({ path: at, reason: 'credentials', why: words(why) })
  if (removeToken(at) !== at) return skip('has the token in its name')
  if (realCommandFiles.includes(real)) return skip('is a command file of the runner')
  if (await isConfigOfBareRepository(context, real)) {
    return skip('is the configuration of a git repository, where tokens are kept')
  }
  const { kind, ...found } = await disk.inspect(real, paths)
  return 'reason' in found ? { path: at, ...found } : { path: shown, real, ...found, pattern: line.text }
}

/** `config` beside `HEAD` and `objects`: a repository without a `.git` folder. */
async function isConfigOfBareRepository({ disk }: SearchContext, real: string): Promise<boolean> {
  if (path.basename(real) !== 'config') return false
  const names = new Set((await disk.list(path.dirname(real)).catch(() => [])).map(({ name }) => name))
  return names.has('HEAD') && names.has('objects')
}

function filesOfLine({ searches }: SearchedLine): readonly UnnamedFile[] {
  return sortNaturally(
    searches.flatMap(({ files }) => files),
    (file) => file.path,
  )
}

/** What several patterns or links lead to is sent, or reported, once: where it was found first. */
function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed()
}

function skippedFiles({ display }: SearchContext, searched: readonly SearchedLine[]): readonly SkippedFile[] {
  const skipped = searched.flatMap(({ searches }) => searches.flatMap((one) => one.skipped))
  return uniqueBy(skipped, (one) => one.path).map(({ reason, why, ...one }) => ({
    path: display(one.path),
    reason,
    why,
  }))
}

/** Lines without a file, and alternatives of a line that match none. Those that people will read are explained. */
async function explainUnmatched(
  context: SearchContext,
  searched: readonly SearchedLine[],
): Promise<readonly UnmatchedPattern[]> {
  const explain = explainer(context)
  let explained = 0
  let literals = 0
  const unmatched: UnmatchedPattern[] = []
  for (const one of searched) {
    const { line, literal, searches } = one
    const empty = searches.filter(({ files }) => files.length === 0)
    if (empty.length < searches.length) unmatched.push(...alternativesWithout(line, empty))
    else if (++explained <= maxExplained || (literal && ++literals <= maxExplained)) {
      unmatched.push({ pattern: line.text, literal, ...(await explain(one)) })
    } else unmatched.push({ pattern: line.text, literal })
  }
  return unmatched
}

/** `{unit,api}/*.csv` that finds nothing in `api`. */
function alternativesWithout(line: PatternLine, empty: readonly SearchedPattern[]): readonly UnmatchedPattern[] {
  const [first] = empty
  if (first === undefined) return []
  const explanation = text`${line.text} finds other files, but none for ${
    empty.length === 1 ? text`this alternative` : text`this one and ${empty.length - 1} more of its alternatives`
  }.`
  return [{ pattern: first.pattern.text, literal: false, explanation }]
}
