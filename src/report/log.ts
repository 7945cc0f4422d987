import * as core from '@actions/core'
import { helpPages, type Problem, titleOf } from '../problem.ts'
import { escapeInvisible } from '../text/sanitize.ts'
import { quoted } from '../text/text.ts'

/** What people read while the step runs. Every text can come from outside: it cannot become a workflow command here. */
export const runnerLog = {
  info: (line: string) => core.info(withoutCommands(line)),
  /** One line that is shown only when step debug logging is on. */
  debug(line: string) {
    if (core.isDebug()) core.debug(withoutCommands(line))
  },
  /** A heading and its lines, in a group that is folded if it is long. */
  list(heading: string, lines: readonly string[]) {
    const isFolded = lines.length >= foldedFrom
    const begin = isFolded ? core.startGroup : core.info
    begin(withoutCommands(heading))
    for (const line of lines) core.info(withoutCommands(isFolded ? line : `  ${line}`))
    if (isFolded) core.endGroup()
  },
  problem(problem: Problem) {
    const url = documentationUrl(problem, process.env)
    const lines = [...quoted(problem.text).split('\n'), ...(url === undefined ? [] : [`See ${url}`])]
    annotations[problem.level ?? 'error'](lines.map(withoutCommands).join('\n'), {
      title: withoutCommands(quoted(titleOf(problem))),
    })
  },
}

const foldedFrom = 11

const annotations = { error: core.error, warning: core.warning, notice: core.notice } as const

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
export function withoutCommands(text: string): string {
  const line = escapeInvisible(text)
  return suspect.test(line) ? line.replace(oldCommand, '# ').replace(command, '$1 ') : line
}

/** The page that helps, as it is at the commit in use. The variables are not set for an action that is part of the workflow's repository. */
export function documentationUrl({ level, page }: Problem, environment: NodeJS.ProcessEnv): string | undefined {
  const repository = environment['GITHUB_ACTION_REPOSITORY']
  const ref = environment['GITHUB_ACTION_REF']
  const path = page ? helpPages[page] : level === undefined ? helpPages.errors : undefined
  if (!repository || !ref || path === undefined) return undefined
  return URL.parse(`/${repository}/blob/${ref}/${path}`, environment['GITHUB_SERVER_URL'] || 'https://github.com')?.href
}
