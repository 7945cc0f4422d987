import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { text } from '../text/text.ts'
import { tokenRemover } from '../text/token.ts'
import { checkpoints } from './checkpoint.ts'
import { ignoreCase, memoize, pathFrom, resolved } from './disk.ts'
import type { Exclusion, ExclusionRule } from './exclusions.ts'
import type { NotSent } from './files.ts'
import { Matcher, type State } from './matcher.ts'
import { type PatternLine, patternsOf } from './patterns.ts'
import { findWorkingDirectory } from './working-directory.ts'

export interface FindOptions {
  /** Absolute: the folder that links must not leave. */
  readonly workspace: string
  /** What relative patterns start from. It can be relative to the workspace. */
  readonly workingDirectory: string
  readonly includeHiddenFiles: boolean
  /** Bytes: smaller files are skipped as `empty`. */
  readonly minFileBytes: number
  /** What it is to find nothing. With `ignore`, an explanation asks no question. */
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  /** More files than that are refused. */
  readonly maxFiles: number
  /** Absolute: folders besides the workspace in which a search is no surprise. */
  readonly knownFolders: readonly string[]
  /** Absolute paths of the runner's own command files, such as that of `GITHUB_ENV`. */
  readonly commandFiles: readonly string[]
  /** A file with the token in its path is not sent. */
  readonly token: string
  /** Ends the search with its reason. */
  readonly signal: AbortSignal
}

/** What every part of the search needs. */
export type SearchContext = Awaited<ReturnType<typeof searchContext>>

export async function searchContext(exclusions: readonly PatternLine[], options: FindOptions) {
  const { signal, token, workspace } = options
  const workingDirectory = await findWorkingDirectory(workspace, options.workingDirectory)
  const realWorkspace = await resolved(workspace)
  /** Throws once the search must end, and lets timers fire. */
  const checkpoint = checkpoints(signal)
  const pending: State<ExclusionRule>[] = []
  for (const line of exclusions) {
    const notSent: NotSent = { reason: 'excluded', why: text`is excluded by ${line.text}` }
    for (const pattern of await patternsOf(line, workingDirectory, checkpoint)) {
      for (const root of new Set([pattern.root, await resolved(pattern.root)])) {
        pending.push(new Matcher({ ...pattern, root, notSent }, { dot: true, ignoreCase }).start)
      }
    }
  }
  /** The text with a placeholder for the token. */
  const removeToken = tokenRemover(token)
  /** What people read: relative to the workspace if it is below it, with `/` and without the token; `.` for the workspace. */
  const display = (absolute: string) => {
    const shown = pathFrom(workspace, absolute) ?? pathFrom(realWorkspace, absolute) ?? absolute
    return removeToken(shown.replaceAll(path.sep, '/')) || '.'
  }
  /** A folder as part of a sentence. */
  const nameOf = (folder: string) => (display(folder) === '.' ? text`the workspace` : text`${display(folder)}`)
  /** The entries of a folder, which is read once in a run. Rejects as `readdir` does. */
  const list = memoize((real) => readdir(real, { withFileTypes: true }))
  /** At the root of the disk. */
  const exclusion: Exclusion = { pending }
  return { checkpoint, display, exclusion, list, nameOf, options, realWorkspace, removeToken, workingDirectory }
}
