import * as core from '@actions/core'
import { type Problem, plainText } from '../problem.ts'
import { visible } from '../text/sanitize.ts'

/** What people read while a step runs. Every text may come from anywhere: it is made harmless here. */
export interface Log {
  /** One line. */
  info(line: string): void
  /** One line that is shown only when step debug logging is on. */
  debug(line: string): void
  /** A heading and what belongs to it, folded when it is long. */
  list(heading: string, lines: readonly string[]): void
  error(problem: Problem): void
  warning(problem: Problem): void
  notice(problem: Problem): void
}

const foldedFrom = 11

export const runnerLog: Log = {
  info: (line) => core.info(harmless(line)),
  debug(line) {
    if (core.isDebug()) core.debug(harmless(line))
  },
  list(heading, lines) {
    if (lines.length < foldedFrom) {
      core.info(harmless(heading))
      for (const line of lines) core.info(harmless(`  ${line}`))
      return
    }
    core.startGroup(harmless(heading))
    for (const line of lines) core.info(harmless(line))
    core.endGroup()
  },
  error: (problem) => core.error(harmlessLines(plainText(problem)), { title: harmless(problem.title) }),
  warning: (problem) => core.warning(harmlessLines(plainText(problem)), { title: harmless(problem.title) }),
  notice: (problem) => core.notice(harmlessLines(plainText(problem)), { title: harmless(problem.title) }),
}

/** Whatever .NET skips or ignores when it looks for the beginning of a command: white space and characters without width. */
const skipped = '[^\\p{L}\\p{N}\\p{P}\\p{S}]*'
const command = new RegExp(`^(${skipped}:)(?=${skipped}:)`, 'u')
const oldCommand = new RegExp(`#(?=${skipped}#${skipped}\\[)`, 'gu')
/** What each of them needs at least. Looked for first: they take 3 ms to build, and hardly a line needs them. */
const suspect = /^[^!-9;-~]*:|#.*#/

/**
 * The text as one line that the runner cannot take for a workflow command: `::name::` at its start, or `##[name]`
 * anywhere, https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function harmless(text: string): string {
  const line = visible(text)
  return suspect.test(line) ? line.replace(oldCommand, '# ').replace(command, '$1 ') : line
}

function harmlessLines(text: string): string {
  return text.split('\n').map(harmless).join('\n')
}
