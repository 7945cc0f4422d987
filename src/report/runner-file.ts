import { statSync } from 'node:fs'

/**
 * Checks a file before it is opened: opening a pipe that nobody reads would block the step.
 *
 * @throws Error if the environment variable `name` names something that is there and is not a regular file
 */
export function requireRegularFile(name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY'): void {
  const path = process.env[name]
  if (path && statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new Error(`${name} is ${path}, which is not a regular file`)
  }
}
