import type { Dirent } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { tokenRemover } from '../text/token.ts'
import { checkpoints } from './checkpoint.ts'
import { inspect, type Readable } from './content.ts'
import { exists, listFolder, memoize, pathFrom, type Unsendable } from './disk.ts'
import { Exclusions } from './exclusions.ts'
import { type PatternLine, patternsOf } from './patterns.ts'

export interface FindOptions {
  /** Absolute: the folder that links must not leave. */
  readonly workspace: string
  /** Absolute: what relative patterns start from. */
  readonly workingDirectory: string
  readonly includeHiddenFiles: boolean
  /** With `ignore` a missing file is no mistake, and no explanation asks about it. */
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
export interface SearchContext {
  /** Looks at each folder and each file once in a run, whatever the number of patterns. */
  readonly disk: {
    /** Rejects as `readdir` does. */
    readonly list: (real: string) => Promise<readonly Dirent[]>
    readonly inspect: (real: string, paths: readonly string[]) => Promise<Readable | Unsendable>
  }
  readonly options: FindOptions
  readonly realWorkspace: string
  readonly realCommandFiles: readonly string[]
  readonly exclusions: Exclusions
  readonly ignoreCase: boolean
  /**
   * Absolute path → what people read: relative to the workspace if it is below it, with `/` and without the token;
   * `.` for the workspace.
   */
  readonly display: (path: string) => string
  /** The text with a placeholder for the token. */
  readonly removeToken: (text: string) => string
  /** Throws once the search must end, and lets timers fire. */
  readonly checkpoint: () => Promise<void> | undefined
}

export async function searchContext(exclusions: readonly PatternLine[], options: FindOptions): Promise<SearchContext> {
  const { signal, workspace } = options
  const removeToken = tokenRemover(options.token)
  const ignoreCase = process.platform === 'win32'
  const realWorkspace = await resolved(workspace)
  const checkpoint = checkpoints(signal)
  const rules = []
  for (const line of exclusions) {
    for (const pattern of await patternsOf(line, options.workingDirectory, exists, checkpoint)) {
      const roots = new Set([pattern.root, await resolved(pattern.root)])
      rules.push(...[...roots].map((root) => ({ ...pattern, root, line: line.text })))
    }
  }
  return {
    disk: {
      list: memoize(listFolder),
      inspect: memoize((real, paths: readonly string[]) => inspect(real, paths, checkpoint)),
    },
    options,
    realWorkspace,
    realCommandFiles: await Promise.all(options.commandFiles.map(resolved)),
    exclusions: new Exclusions(rules, ignoreCase),
    ignoreCase,
    display: (at) => {
      const shown = pathFrom(workspace, at) ?? pathFrom(realWorkspace, at) ?? at
      return removeToken(shown.replaceAll(path.sep, '/')) || '.'
    },
    removeToken,
    checkpoint,
  }
}

/** Links resolved as far as there is something. */
export async function resolved(at: string): Promise<string> {
  return realpath(at).catch(() => at)
}
