import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Inputs } from '../inputs/inputs.ts'
import { ProblemError } from '../problem.ts'
import { code, showValue, text } from '../text/text.ts'
import { tokenRemover } from '../text/token.ts'
import { follow, ignoreCase, isWithin, pathFrom, pathOnDisk, resolved } from './disk.ts'
import type { NotSent } from './files.ts'
import { type Exclusion, initialState } from './matcher.ts'
import { memoize } from './memoize.ts'
import { type Pattern, type PatternLine, patternsOf } from './patterns.ts'

type UsedInputs = 'includeHiddenFiles' | 'maxFiles' | 'method' | 'token' | 'workingDirectory' | 'workspace'

export interface FindOptions extends Pick<Inputs, UsedInputs> {
  /** Ends the search with its reason. */
  readonly signal: AbortSignal
}

/** What every part of the search needs. */
export type SearchContext = Awaited<ReturnType<typeof searchContext>>

export async function searchContext(excludingLines: readonly PatternLine[], options: FindOptions) {
  const { signal, token, workspace } = options
  const workingDirectory = await findWorkingDirectory(workspace, options.workingDirectory)
  const realWorkspace = await resolved(workspace)
  const checkpoint = checkpoints(signal)
  const realFolders = { [workspace]: realWorkspace, [workingDirectory]: await resolved(workingDirectory) }
  const exclusionOf = async (line: PatternLine) =>
    lineExclusion(line, await patternsOf(line, workingDirectory, checkpoint), realFolders)
  const exclusions: ReturnType<typeof lineExclusion>[] = []
  for (const line of excludingLines) exclusions.push(await exclusionOf(line))
  const removeToken = tokenRemover(token)
  /** What people read: relative to the workspace if it is below it, with `/` and without the token; `.` for the workspace. */
  const display = (absolute: string) => {
    const shown = pathFrom(workspace, absolute) ?? pathFrom(realWorkspace, absolute) ?? absolute
    return removeToken(shown.replaceAll(path.sep, '/')) || '.'
  }
  /** A folder as part of a sentence. */
  const nameOf = (folder: string) => (display(folder) === '.' ? text`the workspace` : text`${display(folder)}`)
  /** The entries of a folder, which is read once in a run. Rejects as `readdir` does. */
  const entriesOf = memoize((real: string) => readdir(real, { withFileTypes: true }))
  /** At the root of the disk. */
  const exclusion: Exclusion = { pending: exclusions.flatMap(({ pending }) => pending) }
  return {
    checkpoint,
    display,
    entriesOf,
    exclusion,
    exclusionOf,
    exclusions,
    nameOf,
    options,
    realWorkspace,
    removeToken,
    workingDirectory,
  }
}

/**
 * What a line with `!` excludes, from the root of the disk on: by the path that leads to a file, and by its real path. A link that
 * the line itself names is not resolved: what it leads to is not excluded with it.
 */
function lineExclusion(line: PatternLine, patterns: readonly Pattern[], realFolders: Readonly<Record<string, string>>) {
  const notSent: NotSent = { reason: 'excluded', why: text`is excluded by ${line.text}` }
  const rootsOf = (root: string) => {
    const above = Object.entries(realFolders).filter(([folder]) => isWithin(root, folder))
    return new Set([root, ...above.map(([folder, real]) => path.join(real, path.relative(folder, root)))])
  }
  const pending = patterns
    .flatMap((pattern) => [pattern, pattern.otherwise ?? []].flat())
    .flatMap((pattern) => [...rootsOf(pattern.root)].map((root) => ({ ...pattern, notSent, root })))
    .map((rule) => initialState(rule, { dot: true, ignoreCase }))
  return { line, why: notSent.why, pending }
}

/**
 * The folder from which relative patterns start: absolute, as the disk spells it.
 *
 * @param typed relative to the workspace, as the user wrote it; empty for the workspace itself
 * @throws ProblemError if it is no folder that can be read
 */
async function findWorkingDirectory(workspace: string, typed: string): Promise<string> {
  const folder = await pathOnDisk(path.resolve(workspace, typed))
  const target = await follow(folder)
  if (target.kind === 'folder') return folder
  const isMissing = target.kind === 'absent'
  const notFound = isMissing ? text`does not exist` : text`is not a folder`
  const why = 'why' in target ? target.why : notFound
  const where = /[*?]/.test(typed)
    ? text` It takes no wildcards: they belong in ${code('files')}.`
    : text` Is there a checkout, or a step that creates it, before this step?`
  throw new ProblemError({
    title: 'Invalid input: working-directory',
    text: text`${code('working-directory')} is ${showValue(typed || workspace)}, which ${why}. Write a folder of the workspace, such as ${code('packages/app')}.${isMissing ? where : []}`,
    page: 'inputs',
  })
}

/** Long work without a pause keeps the deadline from firing. */
const maxMilliseconds = 50

/**
 * A function for loops that can take long: it lets timers fire now and then, and throws the reason of the signal once the
 * signal is aborted. It returns nothing to wait for in between, so that a loop does not slow down.
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
