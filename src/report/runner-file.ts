import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { code, type Text, text } from '../text/text.ts'

/** Appends the content to the file that a variable of the runner names, or nothing. Returns why not, without a full stop. */
export function appendToRunnerFile(name: 'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY', content: string): Text | undefined {
  const path = process.env[name]
  if (!path) return text`${code(name)} is not set`
  try {
    const stats = statSync(path)
    // Before it is opened: opening a pipe that nobody reads would block the step.
    if (!stats.isFile()) return text`${code(name)} is ${path}, which is not a regular file`
    appendWhole(path, content, stats.size)
    return undefined
  } catch (error) {
    return text`${code(name)} is ${path}, which cannot be written (${String((error as NodeJS.ErrnoException).code ?? error)})`
  }
}

/** On a disk that is full, a part of the content would be left. */
function appendWhole(path: string, content: string, size: number): void {
  try {
    appendFileSync(path, content)
  } catch (error) {
    if (statSync(path).size > size) truncateSync(path, size)
    throw error
  }
}
