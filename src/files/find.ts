import path from 'node:path'
import pMap from 'p-map'
import { sortNaturally } from '../text/natural-order.ts'
import { text } from '../text/text.ts'
import { inspectFile } from './content.ts'
import { credential, reasonByName } from './credentials.ts'
import { follow, ignoreCase, isWithin, resolved } from './disk.ts'
import { explainUnmatched } from './explain.ts'
import type { NotSent, SearchResult, SkippedFile } from './files.ts'
import { exclusionAt, Matcher } from './matcher.ts'
import { uniqueFileNames } from './names.ts'
import { type Pattern, type PatternLine, patternLines, patternsOf } from './patterns.ts'
import { type FindOptions, memoize, type SearchContext, searchContext } from './search-context.ts'
import {
  braceSpaceWarnings,
  refuseDiskRoot,
  refuseNamed,
  type SearchedLine,
  type SearchedPattern,
  tooManyFiles,
  type UnnamedFile,
  unknownFolderWarnings,
} from './search-problems.ts'
import { leadsOutOf, type Walked, walk } from './walk.ts'

const filesAtOnce = 32

/**
 * The files that the patterns name, and the reason for each that is skipped: lines → patterns → walk → inspected files →
 * explanations.
 *
 * @param lines one pattern per line; see `docs/files.md` for the grammar.
 * @throws ProblemError for a folder or a pattern that cannot be used, a line that names something that must not or cannot be
 *   sent, and more files than allowed. The reason of the signal once it is aborted.
 */
export async function findFiles(lines: string, options: FindOptions): Promise<SearchResult> {
  const parsed = Map.groupBy(patternLines(lines), ({ exclude }) => exclude)
  const context = await searchContext(parsed.get(true) ?? [], options)
  const inspect = await inspector(context)
  const searched: SearchedLine[] = []
  for (const line of parsed.get(false) ?? []) searched.push(await searchLine(context, line, inspect))
  const found = searched.flatMap(({ searches }) =>
    sortNaturally(
      searches.flatMap(({ files }) => files),
      shownPath,
    ),
  )
  const files = uniqueBy(found, ({ real }) => real)
  if (files.length > options.maxFiles) throw tooManyFiles(files, searched, options.maxFiles)
  const names = uniqueFileNames(files.map(shownPath))
  const unmatched = await explainUnmatched(context, searched)
  await context.checkpoint()
  return {
    files: files.map((file, index) => ({ ...file, name: names[index] ?? path.basename(file.real) })),
    skipped: uniqueBy(
      searched
        .flatMap(({ searches }) => searches.flatMap(({ skipped }) => skipped))
        .filter(({ reason }) => reason !== 'excluded'),
      shownPath,
    ),
    unmatched,
    problems: [...(await unknownFolderWarnings(context, searched)), ...braceSpaceWarnings(searched)],
  }
}

const shownPath = ({ path: shown }: { readonly path: string }) => shown

type Inspect = (at: string, real: string) => Promise<UnnamedFile | SkippedFile>

async function searchLine(context: SearchContext, line: PatternLine, inspect: Inspect): Promise<SearchedLine> {
  const { checkpoint, workingDirectory } = context
  const patterns = await patternsOf(line, workingDirectory, checkpoint)
  refuseDiskRoot(line, patterns)
  const literal = patterns.length === 1 && patterns[0]?.segments.length === 0
  const searches: SearchedPattern[] = []
  for (const pattern of patterns) {
    await checkpoint()
    const { matches, ...walked } = await search(context, pattern)
    const inspected = await pMap(matches, (match) => inspect(match.path, match.real), { concurrency: filesAtOnce })
    const skipped = [...walked.skipped, ...inspected.filter((one) => 'reason' in one)]
    refuseNamed(context.display(pattern.root), literal, skipped)
    const files = inspected.filter((one) => 'real' in one)
    searches.push({ pattern, files, skipped })
  }
  return { line, literal, searches }
}

/** Everything that a pattern matches. No file of it was opened yet. */
async function search(context: SearchContext, pattern: Pattern): Promise<Walked> {
  const { foldersOnly, root, segments } = pattern
  const shown = context.display(root)
  const nothing: Walked = { matches: [], skipped: [] }
  const skip = (at: string, notSent: NotSent): Walked => ({ ...nothing, skipped: [{ path: at, ...notSent }] })
  // It matches folders, and only files are sent.
  if (foldersOnly && segments.length > 0) return nothing
  const target = await follow(root)
  if ('reason' in target) return skip(shown, target)
  const isFile = target.kind === 'file'
  if (target.kind === 'absent' || (isFile && (foldersOnly || segments.length > 0))) return nothing
  const { real } = target
  const boundary = await boundaryOf(context, root, target)
  if (!isWithin(real, boundary)) return skip(shown, leadsOutOf(context, boundary))
  const exclusion = exclusionAt(context.exclusion, [root, real], !isFile)
  if (exclusion.notSent) return skip(shown, exclusion.notSent)
  if (isFile) return { ...nothing, matches: [{ path: root, real }] }
  const why = reasonByName(`${shown}/`)
  if (why) return skip(`${shown}/`, credential(why))
  const below = { root, segments: segments.length === 0 ? ['**'] : segments }
  const matcher = new Matcher(below, { dot: context.options.includeHiddenFiles, ignoreCase })
  return walk(context, { path: root, real, state: matcher.at(root), exclusion }, boundary)
}

/** The folder that links must not leave. */
async function boundaryOf(
  { options, realWorkspace }: SearchContext,
  root: string,
  target: { readonly kind: 'file' | 'folder'; readonly real: string },
): Promise<string> {
  const belongsToWorkspace = [root, target.real].some((at) =>
    [options.workspace, realWorkspace].some((folder) => isWithin(at, folder)),
  )
  if (belongsToWorkspace) return realWorkspace
  return target.kind === 'file' ? resolved(path.dirname(root)) : target.real
}

/** @returns a function that looks at each match once, whatever the number of patterns */
async function inspector(context: SearchContext): Promise<Inspect> {
  const { checkpoint, display, options, removeToken } = context
  const commandFiles = await Promise.all(options.commandFiles.map(resolved))
  return memoize(async (at, real: string) => {
    await checkpoint()
    const shown = display(at)
    const skip = (why: string) => ({ path: shown, ...credential(why) })
    if (removeToken(at) !== at) return skip('has the token in its name')
    if (commandFiles.includes(real)) return skip('is a command file of the runner')
    const found = await inspectFile(real, [...new Set([shown, display(real)])], checkpoint)
    if ('reason' in found) return { path: shown, ...found }
    if (found.size === 0 && options.method === 'external') return { path: shown, reason: 'empty', why: text`is empty` }
    return { path: shown, real, ...found }
  })
}

/** What several patterns or links lead to is sent, or reported, once: where it was found first. */
function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed()
}
