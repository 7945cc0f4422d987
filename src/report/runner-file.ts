import { statSync } from 'node:fs'

/**
 * Checks a file before it is opened: opening a pipe that nobody reads would block the step.
 *
 * @throws Error if the environment variable `name` names something that exists and is not a regular file
 */
export function requireRegularFile(name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'): void {
  const path = process.env[name]
  if (path && statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${name} is ${path}, which is not a regular file`)
  }
}

/** The files through which steps talk to the runner. They hold what other steps put into the environment, so they are not sent. */
export function runnerFiles(environment: NodeJS.ProcessEnv): readonly string[] {
  return [
    'GITHUB_ENV',
    'GITHUB_OUTPUT',
    'GITHUB_PATH',
    'GITHUB_STATE',
    'GITHUB_STEP_SUMMARY',
    'GITHUB_EVENT_PATH',
  ].flatMap((name) => environment[name] || [])
}
