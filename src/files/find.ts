import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { sortNaturally } from '../text/natural-order.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { caseOnDisk, exists, follow, isWithin, withOpen } from './disk.ts'
import { explain } from './explain.ts'
import type { FoundFile, FoundFiles, SkippedFile } from './files.ts'
import { holdsPrivateKey, mayHoldPrivateKey, whyCredentials } from './filter.ts'
import { Matcher } from './matcher.ts'
import { channelNames } from './names.ts'
import { type Pattern, type PatternLine, patternLines, patternsOf } from './patterns.ts'
import { type FindOptions, resolved, type SearchContext, searchContext } from './search-context.ts'
import { type Candidate, type Excluded, leadsOutOf, type Skipped, type Walked, walk } from './walk.ts'

interface LineResult {
  readonly line: PatternLine
  readonly literal: boolean
  readonly patterns: readonly Pattern[]
  readonly files: readonly Omit<FoundFile, 'name'>[]
  readonly skipped: readonly Skipped[]
  readonly excluded: readonly Excluded[]
}

const parallel = 32

/**
 * The files that the patterns name, and the reason for each that is skipped.
 *
 * @param lines one pattern per line; see `docs/files.md` for the grammar.
 * @throws ProblemError for a pattern that cannot be used, a line that names something that must not or cannot be sent, and
 *   more files than allowed. The reason of the signal once it is aborted.
 */
export async function findFiles(lines: string, options: FindOptions): Promise<FoundFiles> {
  const parsed = patternLines(lines)
  const context = await searchContext(
    parsed.filter((line) => line.exclude),
    options,
  )
  const results: LineResult[] = []
  for (const line of parsed.filter((one) => !one.exclude)) results.push(await searchLine(context, line))
  const files = uniqueBy(
    results.flatMap((result) => result.files),
    ({ real }) => real,
  )
  if (files.length > options.maxFiles) throw tooMany(files, options.maxFiles)
  const names = channelNames(files.map((file) => file.path))
  const unmatched = []
  for (const { line, literal, ...result } of results.filter(({ files }) => files.length === 0)) {
    unmatched.push({ pattern: line.text, literal, explanation: await explain({ context, line, ...result }) })
  }
  await context.checkpoint()
  return {
    files: files.map((file, index) => ({ ...file, name: names[index] ?? path.basename(file.real) })),
    skipped: skippedFiles(context, results),
    unmatched,
  }
}

async function searchLine(context: SearchContext, line: PatternLine): Promise<LineResult> {
  const { checkpoint, options } = context
  const found = await patternsOf(line, options.workingDirectory, exists, checkpoint)
  const patterns = await Promise.all(found.map(asOnDisk))
  const literal = patterns.length === 1 && patterns[0]?.segments.length === 0
  const searches: Walked[] = []
  for (const pattern of patterns) searches.push(await search(context, pattern, literal))
  const candidates = searches.flatMap((walked) => walked.candidates)
  const examined = await pMap(candidates, (candidate) => examine(context, line, candidate), { concurrency: parallel })
  const skipped = [...searches.flatMap((walked) => walked.skipped), ...examined.filter((one) => 'reason' in one)]
  for (const { root } of patterns) refuseNamed(context, root, literal, skipped)
  return {
    line,
    literal,
    patterns,
    files: sortNaturally(
      examined.filter((one) => 'size' in one),
      ({ path: shown }) => shown,
    ),
    skipped,
    excluded: searches.flatMap((walked) => walked.excluded),
  }
}

/** Where case does not matter, names are shown as they are on disk. */
async function asOnDisk(pattern: Pattern): Promise<Pattern> {
  if (process.platform === 'linux') return pattern
  return { ...pattern, root: caseOnDisk(pattern.root, await resolved(pattern.root)) }
}

const nothing: Walked = { candidates: [], skipped: [], excluded: [] }

async function search(context: SearchContext, pattern: Pattern, literal: boolean): Promise<Walked> {
  const { display, exclusions, ignoreCase, options, realWorkspace } = context
  const { root } = pattern
  await context.checkpoint()
  const target = await follow(root)
  if (target.kind === 'absent' || pattern.foldersOnly) return nothing
  if (target.kind === 'unsendable') {
    return { ...nothing, skipped: [{ path: root, reason: target.reason, why: target.why }] }
  }
  const belongsToWorkspace = [root, target.real].some((at) =>
    [options.workspace, realWorkspace].some((folder) => isWithin(at, folder)),
  )
  const boundary = belongsToWorkspace
    ? { real: realWorkspace, name: text`the workspace` }
    : { real: target.kind === 'file' ? await resolved(path.dirname(root)) : target.real, name: text`${display(root)}` }
  if (!isWithin(target.real, boundary.real)) {
    return { ...nothing, skipped: [{ path: root, reason: 'link-outside', why: leadsOutOf(boundary.name) }] }
  }
  const exclusion = exclusions.at([root, target.real], target.kind === 'folder')
  if (exclusion.line !== undefined) return { ...nothing, excluded: [{ path: root, line: exclusion.line }] }
  if (target.kind === 'file') {
    return pattern.segments.length === 0 ? { ...nothing, candidates: [{ path: root, real: target.real }] } : nothing
  }
  const why = whyCredentials(`${display(root)}/`)
  if (why !== undefined) {
    return {
      ...nothing,
      skipped: [{ path: literal ? root : `${root}${path.sep}`, reason: 'credentials', why: words(why) }],
    }
  }
  const below = { ...pattern, segments: pattern.segments.length === 0 ? ['**'] : pattern.segments }
  const visible = new Matcher(below, { dot: options.includeHiddenFiles, ignoreCase })
  const all = new Matcher(below, { dot: true, ignoreCase })
  const start = { visible: visible.at(root), all: all.at(root) }
  return walk({ context, root, realRoot: target.real, boundary, visible, all, start, exclusion })
}

async function examine(
  context: SearchContext,
  line: PatternLine,
  candidate: Candidate,
): Promise<Omit<FoundFile, 'name'> | Skipped> {
  const { disk, display, realCommandFiles, removeToken } = context
  await context.checkpoint()
  const skip = (reason: Skipped['reason'], why: Text) => ({ path: candidate.path, reason, why })
  const displayPath = display(candidate.path)
  if (removeToken(candidate.path) !== candidate.path) return skip('credentials', text`has the token in its name`)
  if (realCommandFiles.includes(candidate.real)) return skip('credentials', text`is a command file of the runner`)
  const linked = candidate.real !== candidate.path
  const why = whyCredentials(displayPath) ?? (linked ? whyCredentials(display(candidate.real)) : undefined)
  if (why !== undefined) return skip('credentials', words(why))
  if (await isConfigOfBareRepository(context, candidate.real)) {
    return skip('credentials', text`is the configuration of a git repository, where tokens are kept`)
  }
  const found = await disk.inspect(candidate.real)
  if (found.kind === 'unsendable') return skip(found.reason, found.why)
  if (mayHoldPrivateKey(displayPath) || (linked && mayHoldPrivateKey(candidate.real))) {
    const held = await withOpen(candidate.real, (handle, { size }) => holdsPrivateKey(handle, size, context.checkpoint))
    if (held === true) return skip('credentials', text`contains a private key`)
    if (held !== false) return skip(held.reason, held.why)
  }
  const { kind: _, ...file } = found
  return { path: displayPath, real: candidate.real, ...file, pattern: line.text }
}

/** `config` beside `HEAD` and `objects`: a repository without a `.git` folder. */
async function isConfigOfBareRepository({ disk }: SearchContext, real: string): Promise<boolean> {
  if (path.basename(real) !== 'config') return false
  const names = new Set((await disk.list(path.dirname(real)).catch(() => [])).map(({ name }) => name))
  return names.has('HEAD') && names.has('objects')
}

/** A file that several patterns or links lead to is sent once: where it was found first. */
function uniqueBy<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed()
}

function skippedFiles({ display }: SearchContext, results: readonly LineResult[]): readonly SkippedFile[] {
  const skipped = results.flatMap((result) => result.skipped)
  return uniqueBy(skipped, (one) => one.path).map(({ path: at, reason, why }) => ({ path: display(at), reason, why }))
}

/**
 * A line that names a file or folder which must not be sent is an error; a wildcard only skips it. So is an unreadable
 * folder before the first wildcard. A link to nothing, or to itself, counts as not found.
 */
function refuseNamed({ display }: SearchContext, root: string, literal: boolean, skipped: readonly Skipped[]): void {
  const refused = skipped.find(
    ({ path: at, reason }) =>
      (at === root || at === `${root}${path.sep}`) &&
      (reason === 'unreadable' || (literal && at === root && reason !== 'link-broken' && reason !== 'link-loop')),
  )
  if (refused === undefined) return
  const { reason, why } = refused
  throw new ProblemError({
    title: reason === 'unreadable' ? 'A file cannot be read' : 'A file must not be sent',
    text: text`${display(root)} ${why}.\n${instead(reason)}`,
  })
}

function instead(reason: Skipped['reason']): Text {
  switch (reason) {
    case 'credentials':
      return text`To send it all the same, copy what is needed to a file of another name and write that name in ${code('files')}.`
    case 'link-outside':
      return text`Copy what it leads to into the workspace in an earlier step, or write the path that it leads to.`
    case 'unreadable':
      return text`Close the program that uses it, or give the user that runs the step the right to read it.`
    default:
      return text`Remove this line from ${code('files')}, or write a file that can be sent.`
  }
}

function tooMany(files: readonly { readonly pattern: string }[], maxFiles: number): ProblemError {
  const byPattern = [...Map.groupBy(files, (file) => file.pattern)].sort(([, a], [, b]) => b.length - a.length)
  const [most, ...others] = byPattern
  const source = most && others.length > 0 ? text` Most are from ${most[0]}: ${most[1].length}.` : []
  return new ProblemError({
    title: 'More files than allowed',
    text: text`The patterns match ${files.length} files, ${code('max-files')} allows ${maxFiles}.${source}
Write a narrower pattern, or ${code(`max-files: ${files.length}`)} if all of them are meant.`,
  })
}
