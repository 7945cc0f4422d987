import * as core from '@actions/core'
import type { FoundFiles } from '../files/files.ts'
import { helpPages, type Problem } from '../problem.ts'
import type { DeliveredMessage } from '../service/service.ts'
import { formatCount, formatList, formatSize } from '../text/format.ts'
import { escapeInvisible } from '../text/sanitize.ts'
import { quoted } from '../text/text.ts'
import { type Report, renamedTo, stateIn, stateTexts, titleIn } from './report.ts'

/** Text from outside never becomes a workflow command. */
export const runnerLog = {
  info: (line: string) => core.info(withoutCommands(line)),
  /** Shown only with step debug logging. */
  debug(line: string) {
    if (core.isDebug()) core.debug(withoutCommands(line))
  },
  /** A long list is folded. */
  list(heading: string, lines: readonly string[]) {
    const isFolded = lines.length >= foldedFrom
    const begin = isFolded ? core.startGroup : core.info
    begin(withoutCommands(heading))
    for (const line of lines) core.info(withoutCommands(isFolded ? line : `  ${line}`))
    if (isFolded) core.endGroup()
  },
  problem(problem: Problem) {
    const page = documentation(problem)
    const lines = [...quoted(problem.text).split('\n'), ...(page ? [`See ${page}`] : [])]
    annotations[problem.level](lines.map(withoutCommands).join('\n'), {
      title: problem.title,
    })
  },
}

const foldedFrom = 11

const annotations = { error: core.error, warning: core.warning, notice: core.notice } as const

/** Every line with a command matches. The expressions below take 3 ms to build. */
const suspect = /^[^!-9;-~]*:|#.*#/

/**
 * One line, and no workflow command: `::name::` at the start, or `##[name]` anywhere.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommands(value: string): string {
  const line = escapeInvisible(value)
  if (!suspect.test(line)) return line
  /** .NET ignores white space and characters without width before a command. */
  const skipped = '[^\\p{L}\\p{N}\\p{P}\\p{S}]*'
  return line
    .replace(new RegExp(`#(?=${skipped}#${skipped}\\[)`, 'gu'), '# ')
    .replace(new RegExp(`^(${skipped}:)(?=${skipped}:)`, 'u'), '$1 ')
}

/**
 * The page at the commit in use; on GitHub Enterprise Server, where the action can come from
 * github.com, its path and repository. An action in the workflow's own repository gets none.
 */
export function documentation({ page }: Problem): string {
  const {
    GITHUB_ACTION_REPOSITORY: repository,
    GITHUB_ACTION_REF: ref,
    GITHUB_SERVER_URL,
  } = process.env
  if (!repository || !ref || !page) return ''
  const path = helpPages[page]
  return GITHUB_SERVER_URL === 'https://github.com'
    ? `${GITHUB_SERVER_URL}/${repository}/blob/${ref}/${path}`
    : `${path} in ${repository}`
}

export function logFiles({ files, remarks = [], skipped, unmatched }: FoundFiles): void {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  runnerLog.list(
    files.length === 0 ? 'No files found' : `Found ${formatCount(files.length, 'file')}, ${size}`,
    files.map((file) => {
      const name = renamedTo(file)
      return `${file.path}${name && ` as ${name}`} (${formatSize(file.size)})`
    }),
  )
  if (files.length > 0 && skipped.length > 0) {
    const lines = skipped.map(({ path, why }) => `${path} ${quoted(why)}`)
    runnerLog.list(`Skipped ${formatCount(skipped.length, 'file')}`, lines)
  }
  for (const remark of remarks) runnerLog.info(quoted(remark))
  for (const { pattern, explanation } of unmatched) {
    if (explanation) runnerLog.list(`No file to send for ${pattern}`, explanation.map(quoted))
  }
  const more = unmatched.filter(({ explanation }) => !explanation).length
  if (more > 0) runnerLog.info(`${formatCount(more, 'more pattern')} matched nothing`)
}

export function logReport(report: Report): void {
  const { delivery, dryRun, headline, messages, problems, status } = report
  // If nothing was posted, the headline says it all.
  runnerLog.list(
    headline,
    status === 'failed' ? [] : messages.map((message) => describeMessage(message, report)),
  )
  if (status === 'dry-run') {
    for (const comment of delivery?.comments ?? []) runnerLog.list('Comment', comment.split('\n'))
    const files = messages.flatMap((message) => message.files)
    const titles = files.flatMap(({ file: { path, title } }) =>
      title === undefined ? [] : `${path} as ${title}`,
    )
    if (titles.length > 0) runnerLog.list('Titles', titles)
  }
  const checks = (delivery?.checks ?? []).filter(({ result }) => dryRun || result === 'unknown')
  const checked = checks.map(
    ({ note, result, subject }) => `${subject}: ${result}${note ? ` (${quoted(note)})` : ''}`,
  )
  if (checked.length > 0) runnerLog.list(dryRun ? 'Checked' : 'Not checked', checked)
  // Errors come last, where people look first.
  for (const level of ['notice', 'warning', 'error'] as const) {
    problems.filter((problem) => problem.level === level).forEach(runnerLog.problem)
  }
}

const maxNames = 10

/**
 * One line, with the link of the first channel. No colon follows a path: the problem matcher of
 * actions/setup-go would make an error of `cmd/main.go: posted in …`.
 */
function describeMessage({ files, postings }: DeliveredMessage, report: Report): string {
  const paths = files.map(({ file }) => file.path)
  const several = paths.length === 0 ? 'the comment' : formatCount(paths.length, 'file')
  const what = paths.length === 1 ? paths[0] : several
  const states = [...Map.groupBy(postings, (posting) => stateIn(report, posting))].map(
    ([stateText, group]) => {
      const places = group.map((posting) => {
        const { id } = posting.channel
        const title = titleIn(report, posting)
        return title === id ? id : `${title} (${id})`
      })
      const where = `${stateText} ${group[0]?.state === 'not-sent' ? 'to' : 'in'} ${formatList(places, maxNames)}`
      const { permalink, ts } = group.find((posting) => posting.permalink ?? posting.ts) ?? {}
      const link = permalink ?? (ts && `ts ${ts}`)
      return link ? `${where}, ${group.length > 1 ? 'first: ' : ''}${link}` : where
    },
  )
  const isMissing = postings.some(({ state }) => state === 'unknown' || state === 'not-sent')
  const names = paths.length > 1 && isMissing ? `: ${formatList(paths, maxNames)}` : ''
  return `${what} ${states.join('; ') || stateTexts['not-sent']}${names}`
}
