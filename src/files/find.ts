import path from 'node:path'
import pMap from 'p-map'
import { parseString } from '../json.ts'
import { type Text, text } from '../text/text.ts'
import { inspectFile, type Match, type UnnamedFile } from './allowed.ts'
import { exists } from './disk.ts'
import { explainIdle, explainUnmatched, type Search, type SearchedLine } from './explain.ts'
import { uniqueFileNames } from './file-names.ts'
import type { FoundFiles } from './files.ts'
import { memoize } from './memoize.ts'
import { linesIn, type Pattern, type PatternLine, patternLines, patternsOf } from './patterns.ts'
import { type FindOptions, type SearchContext, searchContext } from './search-context.ts'
import {
  noPattern,
  refuseDiskRoot,
  refuseFolderAsFile,
  refuseHostPath,
  refuseNamed,
  tooManyFiles,
} from './search-problems.ts'
import { walk } from './walk.ts'

/** libuv has four threads; 8 keep them busy. Each takes a descriptor. */
const filesAtOnce = 8

/**
 * Lines → patterns → walk → inspected files → explanations.
 *
 * @param input one pattern per line, or a JSON list. `docs/files.md` has the grammar.
 * @throws ProblemError for what stops the step; the signal's reason once it is aborted
 */
export async function findFiles(input: string, options: FindOptions): Promise<FoundFiles> {
  // A file name can look like JSON.
  const isName =
    /^["[{]/.test(input) &&
    (await exists(path.resolve(options.workspace, options.workingDirectory, input)))
  const lines = isName ? linesIn(input) : patternLines(parseString(input) ?? input)
  for (const line of lines) refuseHostPath(line.text, options)
  const exclusions = lines.filter(({ exclude }) => exclude)
  if (exclusions.length === lines.length)
    return { files: [], skipped: [], unmatched: [noPattern(lines.length > 0)], problems: [] }
  const context = await searchContext(exclusions, options)
  // Several patterns can match the same file.
  const inspect = memoize((match: Match) => inspectFile(context, match))
  const searched = await Array.fromAsync(
    lines.filter(({ exclude }) => !exclude),
    (line) => searchLine(context, line, inspect),
  )
  const matches = searched.flatMap((line) => filesOf(context, line))
  const files = uniqueBy(matches, 'real')
  if (files.length > options.maxFiles) {
    const found = text`The patterns match ${files.length} files${inPackages(files)}`
    throw tooManyFiles(found, options.maxFiles)
  }
  const names = uniqueFileNames(
    files.map(({ path: at, name }) => (name ? path.posix.join(at, '..', name) : at)),
  )
  const unmatched = await explainUnmatched(context, searched)
  const skipped = searched.flatMap((line) => line.skipped)
  const excluding = new Set(skipped.flatMap(({ excludedBy = [] }) => excludedBy))
  const idle = exclusions.filter((line) => !excluding.has(line.text))
  const sent = files.map(({ path: at }) => at)
  const problems = await explainIdle(context, idle, sent)
  const reported = skipped.filter(({ reason }) => reason !== 'excluded')
  await context.checkpoint()
  return {
    files: files.map((file, index) => ({ ...file, name: names[index] as string })),
    skipped: uniqueBy(reported, 'path'),
    remarks: remarksOn(searched, idle),
    unmatched,
    problems,
  }
}

/** A `**` within a name. */
const shallow = /[^/*]\*\*|\*\*[^/*]/

function remarksOn(
  searched: readonly SearchedLine[],
  idle: readonly PatternLine[],
): readonly Text[] {
  const below = text`searches no folders below: \`**\` does that only between slashes`
  return [
    ...idle.map((line) => text`${line.text} excluded nothing`),
    ...searched
      .filter(({ files, line }) => files.length > 0 && shallow.test(line.pattern))
      .map(({ line }) => text`${line.text} ${below}`),
  ]
}

function inPackages(files: readonly UnnamedFile[]): Text {
  const count = files.filter(({ path: at }) => at.split('/').includes('node_modules')).length
  return count > 0 ? text` (${count} in \`node_modules\`)` : []
}

async function searchLine(
  context: SearchContext,
  line: PatternLine,
  inspect: (match: Match) => ReturnType<typeof inspectFile>,
): Promise<SearchedLine> {
  const { checkpoint, options, workingDirectory } = context
  const patterns = await patternsOf(
    line,
    line.isPath ? options.workspace : workingDirectory,
    checkpoint,
  )
  const namesOne = patterns.length === 1 && patterns[0]?.segments.length === 0
  const searchPattern = async (pattern: Pattern): Promise<Search> => {
    await checkpoint()
    await refuseDiskRoot(line, pattern)
    await refuseFolderAsFile(line, pattern)
    const walked = await walk(context, pattern)
    const inspected = await pMap(walked.matches, inspect, { concurrency: filesAtOnce })
    const skipped = [...walked.skipped, ...inspected.filter((match) => 'reason' in match)]
    refuseNamed(context.display(pattern.root), namesOne, skipped)
    const files = inspected.filter((match) => 'real' in match)
    if (files.length > 0 || !pattern.otherReading) return { pattern, files, skipped }
    const other = await searchPattern(pattern.otherReading)
    return { ...other, skipped: [...skipped, ...other.skipped] }
  }
  const searches = await Array.fromAsync(patterns, searchPattern)
  const skipped = searches.flatMap((search) => search.skipped)
  return {
    line,
    namesOne,
    searches,
    files: searches.flatMap(({ files }) => files),
    // Two patterns can skip the same folder.
    skipped: uniqueBy(skipped, 'path'),
  }
}

/** Sorts in the same way on every machine. A link is left out if the line finds its file, too. */
function filesOf({ display }: SearchContext, searched: SearchedLine) {
  const matches = searched.files.map((file) => ({ ...file, ...searched.line.given }))
  // A collator takes milliseconds to make.
  if (matches.length < 2) return matches
  const { compare } = new Intl.Collator('en', { numeric: true })
  matches.sort((a, b) => compare(a.path, b.path) || (a.path < b.path ? -1 : 1))
  const isLink = (file: UnnamedFile) => display(file.real) !== file.path
  const own = new Set(matches.filter((file) => !isLink(file)).map(({ real }) => real))
  return matches.filter((file) => !isLink(file) || !own.has(file.real))
}

/** The first of all that have the same value. */
function uniqueBy<Item>(items: readonly Item[], key: keyof Item): readonly Item[] {
  const groups = Map.groupBy(items, (item) => item[key])
  return [...groups.values()].flatMap((same) => same.slice(0, 1))
}
