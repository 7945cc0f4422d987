import { appendFileSync, statSync } from 'node:fs'
import { type Text, text } from '../text/text.ts'

/**
 * Appends to the file that the variable names, if it is set.
 *
 * @returns the reason for a failure, without a full stop
 */
export function appendToRunnerFile(
  name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY',
  content: string,
): Text | undefined {
  const path = process.env[name]
  if (!path) return undefined
  try {
    // Opening a pipe that nobody reads would block the step.
    if (!statSync(path).isFile()) return text`${name} is ${path}, which is not a regular file`
    appendFileSync(path, content)
    return undefined
  } catch (error) {
    return text`${name} is ${path}, which cannot be written (${String((error as NodeJS.ErrnoException).code ?? error)})`
  }
}
