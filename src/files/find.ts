import { realpath } from 'node:fs/promises'
import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { credentialsAt, holdsPrivateKey, mayHoldPrivateKey } from './credentials.ts'
import { barredBy, beginning, type Disk, disk, exists, follow, isWithin, pathFrom } from './disk.ts'
import { explain } from './explain.ts'
import type { FoundFile, FoundFiles, LeftOut } from './files.ts'
import { channelNames } from './names.ts'
import { alternatives, matcher, type PatternLine, type Place, patternLines, place, visibleMatcher } from './patterns.ts'
import { type Candidate, type Excluded, leadsOut, type PassedOver, type Walked, walk } from './walk.ts'
import { quoted } from './wording.ts'

export interface FindOptions {
  /** Absolute: the folder that links must not leave. */
  readonly workspace: string
  /** Absolute: what relative patterns start from. */
  readonly workingDirectory: string
  readonly includeHiddenFiles: boolean
  /** More files than that are refused. */
  readonly maxFiles: number
  /** Absolute paths of the runner's own command files, such as that of `GITHUB_ENV`. */
  readonly commandFiles: readonly string[]
}

/** What the search for one line needs to know. */
interface Ground {
  readonly disk: Disk
  readonly options: FindOptions
  readonly realWorkspace: string
  readonly realCommandFiles: readonly string[]
  readonly exclusion: (path: string, real: string) => string | undefined
  readonly display: (path: string) => string
}

interface LineResult {
  readonly line: PatternLine
  readonly literal: boolean
  readonly places: readonly Place[]
  readonly files: readonly Omit<FoundFile, 'name'>[]
  readonly passedOver: readonly PassedOver[]
  readonly excluded: readonly Excluded[]
}

const parallel = 32
// A certificate chain may stand before the key.
const privateKeyWithin = 1024 * 1024

/**
 * The files that the patterns name, and for everything left out the reason.
 *
 * @param lines one pattern per line; see `docs/files.md` for the grammar.
 * @throws ProblemError for a pattern that cannot be used, a line that names something that must not be sent, and more
 *   files than allowed.
 */
export async function findFiles(lines: string, options: FindOptions): Promise<FoundFiles> {
  const parsed = patternLines(lines)
  const ground = await survey(parsed, options)
  const results: LineResult[] = []
  for (const line of parsed.filter((one) => !one.exclude)) {
    results.push(await searchLine(ground, line))
  }
  const files = withoutDoubles(results.flatMap((result) => result.files))
  if (files.length > options.maxFiles) {
    throw tooMany(files, options.maxFiles)
  }
  const names = channelNames(files.map((file) => file.displayPath))
  const unmatched = results.filter((result) => result.files.length === 0)
  return {
    files: files.map((file, index) => ({ ...file, name: names[index] ?? path.basename(file.path) })),
    leftOut: leftOut(ground, results),
    unmatched: await pMap(
      unmatched,
      async (result) => ({
        pattern: result.line.text,
        literal: result.literal,
        explanation: await explain({ ...ground, ...result, workspace: ground.options.workspace }),
      }),
      { concurrency: 1 },
    ),
  }
}

async function survey(lines: readonly PatternLine[], options: FindOptions): Promise<Ground> {
  const realWorkspace = await real(options.workspace)
  return {
    disk: disk(),
    options,
    realWorkspace,
    realCommandFiles: await Promise.all(options.commandFiles.map(real)),
    exclusion: await exclusions(
      lines.filter((line) => line.exclude),
      options.workingDirectory,
    ),
    display: (at) => displayPath(at, options.workspace, realWorkspace),
  }
}

function displayPath(at: string, workspace: string, realWorkspace: string): string {
  const shown = pathFrom(workspace, at) ?? pathFrom(realWorkspace, at) ?? at
  return shown.replaceAll(path.sep, '/') || '.'
}

/** An excluded folder excludes everything below it. Wherever the line stands, it is stronger than the others. */
async function exclusions(lines: readonly PatternLine[], base: string) {
  const rules = await Promise.all(
    lines.map(async (line) => {
      const places = await placesOf(line, base)
      return Promise.all(
        places.map(async ({ root, segments, foldersOnly }) => {
          const below = matcher([...segments, '**'])
          const itself = matcher(segments)
          return {
            line: line.text,
            roots: new Set([root, await real(root)]),
            covers: (relative: string) =>
              segments.length === 0 ||
              (relative !== '' && ((!foldersOnly && itself.matches(relative)) || below.matches(relative))),
          }
        }),
      )
    }),
  )
  const all = rules.flat()
  return (at: string, realPath: string): string | undefined =>
    all.find(({ roots, covers }) =>
      [...roots].some((root) =>
        [at, realPath].some((one) => {
          const relative = pathFrom(root, one)
          return relative !== undefined && covers(relative.replaceAll(path.sep, '/'))
        }),
      ),
    )?.line
}

const ignoreCase = process.platform === 'win32'

async function placesOf(line: PatternLine, base: string): Promise<readonly Place[]> {
  const literal = path.resolve(base, line.pattern)
  if (!/[*?]/.test(line.pattern) && (await exists(literal))) {
    return [{ root: literal, segments: [], foldersOnly: false }]
  }
  return Promise.all(alternatives(line, path).map((glob) => place(line, glob, base, path, exists)))
}

async function searchLine(ground: Ground, line: PatternLine): Promise<LineResult> {
  const places = await placesOf(line, ground.options.workingDirectory)
  const literal = places.length === 1 && places[0]?.segments.length === 0
  const searches: Walked[] = []
  for (const one of places) {
    searches.push(await search(ground, one, literal))
  }
  const candidates = searches.flatMap((walked) => walked.candidates)
  const examined = await pMap(candidates, (candidate) => examine(ground, line, candidate), { concurrency: parallel })
  const passedOver = [
    ...searches.flatMap((walked) => walked.passedOver),
    ...examined.filter((one) => one !== undefined && 'reason' in one),
  ]
  if (literal) {
    refuseLiteral(ground, places, passedOver)
  }
  return {
    line,
    literal,
    places,
    // Not by locale: the order must not depend on the machine.
    files: examined
      .filter((one) => one !== undefined && 'size' in one)
      .sort((a, b) => (a.displayPath < b.displayPath ? -1 : Number(a.displayPath > b.displayPath))),
    passedOver,
    excluded: searches.flatMap((walked) => walked.excluded),
  }
}

async function search(ground: Ground, { root, segments, foldersOnly }: Place, literal: boolean): Promise<Walked> {
  const { options, realWorkspace, display } = ground
  const target = await follow(root)
  if (target.kind === 'absent' || foldersOnly) {
    return nothing
  }
  if (target.kind === 'barred') {
    return { ...nothing, passedOver: [{ path: root, reason: target.reason, why: target.why }] }
  }
  const belongsToWorkspace =
    isWithin(root, options.workspace) || isWithin(root, realWorkspace) || isWithin(target.real, realWorkspace)
  const boundary = belongsToWorkspace
    ? { real: realWorkspace, name: 'the workspace' }
    : { real: target.kind === 'file' ? await real(path.dirname(root)) : target.real, name: display(root) }
  if (!isWithin(target.real, boundary.real)) {
    return { ...nothing, passedOver: [{ path: root, ...leadsOut(boundary.name) }] }
  }
  const line = ground.exclusion(root, target.real)
  if (line !== undefined) {
    return { ...nothing, excluded: [{ path: root, line }] }
  }
  if (target.kind === 'file') {
    return segments.length === 0 ? { ...nothing, candidates: [{ path: root, real: target.real }] } : nothing
  }
  const credentials = credentialsAt(`${display(root)}/`)
  if (credentials !== undefined) {
    const at = literal ? root : `${root}${path.sep}`
    return { ...nothing, passedOver: [{ path: at, reason: 'credentials', why: credentials }] }
  }
  const glob = segments.length === 0 ? ['**'] : segments
  const all = matcher(glob)
  return walk({
    disk: ground.disk,
    root,
    realRoot: target.real,
    boundary,
    visible: options.includeHiddenFiles ? all : visibleMatcher(glob, ignoreCase),
    all,
    exclusion: ground.exclusion,
    display,
  })
}

const nothing: Walked = { candidates: [], passedOver: [], excluded: [] }

async function examine(
  ground: Ground,
  line: PatternLine,
  candidate: Candidate,
): Promise<Omit<FoundFile, 'name'> | PassedOver | undefined> {
  const shown = ground.display(candidate.path)
  const credentials = ground.realCommandFiles.includes(candidate.real)
    ? 'is a command file of the runner'
    : (credentialsAt(shown) ?? credentialsAt(ground.display(candidate.real)))
  if (credentials !== undefined) {
    return { path: candidate.path, reason: 'credentials', why: credentials }
  }
  const target = await ground.disk.lookAt(candidate.real)
  if (target.kind === 'barred') {
    return { path: candidate.path, reason: target.reason, why: target.why }
  }
  if (target.kind !== 'file') {
    return undefined
  }
  if (mayHoldPrivateKey(shown) || mayHoldPrivateKey(candidate.real)) {
    try {
      if (holdsPrivateKey(await beginning(target.real, Math.min(target.size, privateKeyWithin)))) {
        return { path: candidate.path, reason: 'credentials', why: 'holds a private key' }
      }
    } catch (error) {
      const { reason, why } = barredBy(error, candidate.path)
      return { path: candidate.path, reason, why }
    }
  }
  return { path: target.real, displayPath: shown, size: target.size, pattern: line.text }
}

/** A file that several patterns or links lead to is sent once: where it was found first. */
function withoutDoubles<File extends { readonly path: string }>(files: readonly File[]): readonly File[] {
  return [...new Map(files.toReversed().map((file) => [file.path, file])).values()].toReversed()
}

function leftOut(ground: Ground, results: readonly LineResult[]): readonly LeftOut[] {
  const passedOver = results.flatMap((result) => result.passedOver)
  return withoutDoubles(passedOver).map(({ path: at, reason, why }) => ({
    displayPath: ground.display(at),
    reason,
    why,
  }))
}

/** What a wildcard passes over is an error when a line asks for just that. A link to nothing counts as not found. */
function refuseLiteral(ground: Ground, places: readonly Place[], passedOver: readonly PassedOver[]): void {
  const barred = passedOver.find(
    ({ path: at, reason }) => at === places[0]?.root && reason !== 'link-broken' && reason !== 'link-loop',
  )
  if (barred !== undefined) {
    throw refused(ground.display(barred.path), barred)
  }
}

function refused(shown: string, { reason, why }: PassedOver): ProblemError {
  const instead =
    reason === 'credentials'
      ? 'To send it all the same, copy what is needed to a file of another name and write that name in `files`.'
      : reason === 'link-outside'
        ? 'Copy what it leads to into the workspace in an earlier step, or write the path that it leads to.'
        : 'Remove this line from `files`, or write a file that can be sent.'
  return new ProblemError({ title: 'A file in `files` must not be sent', text: `${quoted(shown)} ${why}.\n${instead}` })
}

function tooMany(files: readonly { readonly pattern: string }[], maxFiles: number): ProblemError {
  const [most] = [...Map.groupBy(files, (file) => file.pattern)].sort(([, a], [, b]) => b.length - a.length)
  return new ProblemError({
    title: 'More files than allowed',
    text:
      `The patterns match ${files.length} files, \`max-files\` allows ${maxFiles}. ` +
      `Most are from ${quoted(most?.[0] ?? '')}: ${most?.[1].length}.\n` +
      `Write a narrower pattern, or \`max-files: ${files.length}\` if all of them are meant.`,
  })
}

/** Links resolved as far as there is something. */
async function real(at: string): Promise<string> {
  return realpath(at).catch(() => at)
}
