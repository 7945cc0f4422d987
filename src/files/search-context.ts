import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fatal } from '../problem.ts'
import { noTextProblem, questionForGap } from '../text/expressions.ts'
import { showValue, type Text, text } from '../text/text.ts'
import { follow, isWithin, pathFrom, pathOnDisk, resolved } from './disk.ts'
import { type Excludes, exclusionBy } from './matcher.ts'
import { memoize } from './memoize.ts'
import { type Pattern, type PatternLine, patternsOf } from './patterns.ts'

export interface FindOptions {
  /** Absolute. Symlinks must not lead out of it. */
  readonly workspace: string
  /** Where relative patterns start; itself relative to the workspace. */
  readonly workingDirectory: string
  readonly includeHiddenFiles: boolean
  readonly maxFiles: number
  /** Slack takes no empty files. */
  readonly skipEmptyFiles: boolean
  readonly removeToken: (text: string) => string
  /** Ends the search with its reason. */
  readonly signal: AbortSignal
}

export interface SearchContext {
  readonly options: FindOptions
  /** A path for people, from the workspace on, without the token. */
  readonly display: (absolute: string) => string
  /** A folder in a sentence: `the workspace`, or its path. */
  readonly nameOf: (folder: string) => Text
  readonly entriesOf: (real: string) => Promise<readonly Dirent[]>
  /** See `checkpoints`. */
  readonly checkpoint: () => Promise<void> | undefined
  /** Absolute, as the disk spells it. */
  readonly workingDirectory: string
  readonly realWorkspace: string
  readonly exclusions: readonly LineExclusion[]
  /** The exclusion of any line, as if it had a `!`. */
  readonly exclusionOf: (line: PatternLine) => Promise<LineExclusion>
}

export interface LineExclusion {
  readonly line: PatternLine
  readonly excludes: Excludes
}

export async function searchContext(
  excludingLines: readonly PatternLine[],
  options: FindOptions,
): Promise<SearchContext> {
  const { signal, workspace } = options
  const workingDirectory = await findWorkingDirectory(workspace, options.workingDirectory)
  const realWorkspace = await resolved(workspace)
  const checkpoint = checkpoints(signal)
  const realFolders = {
    [workspace]: realWorkspace,
    [workingDirectory]: await resolved(workingDirectory),
  }
  const exclusionOf = async (line: PatternLine) => {
    const start = line.isPath ? workspace : workingDirectory
    const patterns = await patternsOf(line, start, checkpoint)
    const all = patterns.flatMap((pattern) => withRealRoots(pattern, realFolders))
    return { line, excludes: exclusionBy(all) }
  }
  const exclusions = await Array.fromAsync(excludingLines, exclusionOf)
  const read = (real: string) => readdir(real, { withFileTypes: true })
  const readAgain = memoize(read)
  const wereRead = new Set<string>()
  // Entries are kept from the second time on. Those of 600,000 files take 140 MB.
  const entriesOf = (real: string) => {
    if (wereRead.has(real)) return readAgain(real)
    wereRead.add(real)
    return read(real)
  }
  return {
    ...pathNames(options, realWorkspace),
    entriesOf,
    checkpoint,
    options,
    workingDirectory,
    realWorkspace,
    exclusions,
    exclusionOf,
  }
}

function pathNames({ removeToken, workspace }: FindOptions, realWorkspace: string) {
  const display = (absolute: string) => {
    const shown = pathFrom(workspace, absolute) ?? pathFrom(realWorkspace, absolute) ?? absolute
    return removeToken(shown.replaceAll(path.sep, '/')) || '.'
  }
  const nameOf = (folder: string) =>
    display(folder) === '.' ? text`the workspace` : text`${display(folder)}`
  return { display, nameOf }
}

/**
 * The workspace can be a symlink. Real paths then begin with its real folder. Other symlinks stay:
 * `!latest` excludes the symlink, not its target.
 */
function withRealRoots(
  pattern: Pattern,
  realFolders: Readonly<Record<string, string>>,
): readonly Pattern[] {
  const { otherReading, root } = pattern
  const above = Object.entries(realFolders).filter(([folder]) => isWithin(root, folder))
  const real = above.map(([folder, target]) => path.join(target, path.relative(folder, root)))
  const all = Array.from(new Set([root, ...real]), (one) => ({ ...pattern, root: one }))
  return otherReading ? [...all, ...withRealRoots(otherReading, realFolders)] : all
}

/**
 * Absolute, as the disk spells it.
 *
 * @param typed relative to the workspace, which is the default
 */
async function findWorkingDirectory(workspace: string, typed: string): Promise<string> {
  const folder = await pathOnDisk(path.resolve(workspace, typed))
  const target = await follow(folder)
  if (target.kind === 'folder') return folder
  const isMissing = target.kind === 'absent'
  const notFound = isMissing ? text`does not exist` : text`is not a folder`
  const why = target.kind === 'unusable' ? target.notSent.why : notFound
  const form = /[*?\\"',]|^[$%~]/.test(typed.replaceAll(path.sep, '/'))
    ? text`It is one folder, with \`/\` between names, and without quotes. It takes no wildcards (they belong in \`files\`), no \`~\` and no variables of a shell.`
    : text`Is there a checkout, or a step that creates it, before this step?`
  const where = text` ${questionForGap(typed) ?? form}`
  const wrong = text`is ${showValue(typed || workspace)}, which ${why}. The default is the workspace: write a path that starts there, like \`packages/app\`, without a leading \`/\`.${isMissing ? where : []}`
  throw fatal(
    'Invalid input: working-directory',
    text`\`working-directory\` ${noTextProblem(typed, wrong) ?? []}`,
    'inputs',
  )
}

/** Longer work without a pause delays the deadline. */
const maxMilliseconds = 50

/**
 * For long loops: lets timers fire every 50 ms, and throws the reason of an aborted signal. Most
 * calls return no promise, which is faster.
 */
export function checkpoints(signal: AbortSignal): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    signal.throwIfAborted()
    if (performance.now() - last < maxMilliseconds) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}
