import { closeSync, constants, openSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import { code, type Text, text } from '../text/text.ts'

type RunnerFile = 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'

/** Why the file that an environment variable names cannot be written. `undefined` if it can, or if the variable is not set. */
export function whyNotWritable(name: RunnerFile): Text | undefined {
  const path = process.env[name]
  if (!path) return undefined
  try {
    // Before it is opened: opening a pipe that nobody reads would block the step.
    if (!statSync(path).isFile()) return text`${code(name)} is ${path}, which is not a regular file`
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND))
    return undefined
  } catch (error) {
    return cannotBeWritten(name, error)
  }
}

/** No full stop. */
export function cannotBeWritten(name: RunnerFile, error: unknown): Text {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const path = process.env[name]
  if (!path) return text`${code(name)} is not set`
  return text`${code(name)} is ${path}, which cannot be written (${reason})`
}

/**
 * The files through which steps talk to the runner, which are not sent because they hold what other steps put into the
 * environment; and the folders for files that a job keeps outside of its workspace.
 */
export function runnerPaths(environment: NodeJS.ProcessEnv): {
  readonly commandFiles: readonly string[]
  readonly knownFolders: readonly string[]
} {
  return {
    commandFiles: commandFiles.flatMap((name) => environment[name] || []),
    knownFolders: [environment['RUNNER_TEMP'] ?? '', homedir(), tmpdir()].filter((at) => isAbsolute(at)),
  }
}

const commandFiles = [
  'GITHUB_ARTIFACTS',
  'GITHUB_ARTIFACTS_LIST',
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH',
]
