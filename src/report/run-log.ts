import type { FoundFiles } from '../files/files.ts'
import type { CheckResult } from '../service/service.ts'
import { formatCount, formatList, formatSize } from '../text/format.ts'
import { quoted } from '../text/text.ts'
import { runnerLog as log } from './log.ts'
import { type Report, type ReportedMessage, renamedTo } from './run-report.ts'

/** Logs the files that were found or skipped, and the patterns that matched nothing. */
export function logFiles({ files, skipped, unmatched }: FoundFiles): void {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  log.list(
    files.length === 0 ? 'Found no files' : `Found ${formatCount(files.length, 'file')}, ${size}`,
    files.map((file) => {
      const name = renamedTo(file)
      return `${file.path}${name === undefined ? '' : ` as ${name}`} (${formatSize(file.size)})`
    }),
  )
  if (files.length > 0 && skipped.length > 0) {
    const lines = skipped.map(({ path, why }) => `${path}: ${quoted(why)}`)
    log.list(`Skipped ${formatCount(skipped.length, 'file')}`, lines)
  }
  const explained = unmatched.filter(({ explanation }) => explanation).slice(0, maxExplained)
  for (const { pattern, explanation = [] } of explained) {
    log.list(`No file matches ${pattern}`, explanation.map(quoted))
  }
  const more = unmatched.length - explained.length
  if (more > 0) log.info(`No file matches ${formatCount(more, 'other pattern')} either`)
}

/** Patterns that match nothing: beyond this number the explanations repeat themselves. */
const maxExplained = 20

/** Logs the outcome of each message, the duration and, as one annotation per cause, what people must know. */
export function logReport(report: Report): void {
  const { delivery, dryRun, duration, headline, messages, problems, status } = report
  // The headline of these says it all.
  const quiet = !delivery || status === 'failed' || (dryRun && !messages.some(({ earlier }) => earlier))
  log.list(headline, quiet ? [] : messages.map(describeMessage))
  const checks = dryRun ? (delivery?.checks ?? []) : []
  if (checks.length > 0) log.list('Checked', checks.map(describeCheck))
  if (duration !== undefined) log.info(`Took ${duration}`)
  const byLevel = Map.groupBy(problems, ({ level }) => level)
  // What matters most comes last, where people look first.
  for (const level of ['notice', 'warning', undefined] as const) {
    for (const problem of byLevel.get(level) ?? []) log.problem(problem)
  }
}

function describeCheck({ note, result, subject }: CheckResult): string {
  return `${subject}: ${result}${note ? ` (${quoted(note)})` : ''}`
}

const maxNames = 10

/** One line, with a link to the message in the first channel; the summary links to the others. */
function describeMessage({ files, label, postings }: ReportedMessage): string {
  const paths = files.map(({ file }) => file.path)
  const what = paths.length === 1 ? paths[0] : `${formatCount(files.length, 'file')}${label ? ` (${label})` : ''}`
  const states = [...Map.groupBy(postings, (posting) => posting.stateText)].map(([stateText, those]) => {
    const places = those.map(({ channel: { id }, title }) => (title === id ? title : `${title} (${id})`))
    const where = `${stateText} ${those[0]?.state === 'not-sent' ? 'to' : 'in'} ${formatList(places, maxNames)}`
    const { permalink, ts } = those.find((posting) => posting.permalink ?? posting.ts) ?? {}
    const link = permalink ?? (ts && `ts ${ts}`)
    return link ? `${where}, ${those.length > 1 ? 'first: ' : ''}${link}` : where
  })
  const isMissing = postings.some(({ state }) => state === 'unknown' || state === 'not-sent')
  const names = paths.length > 1 && isMissing ? `: ${formatList(paths, maxNames)}` : ''
  return `${what}: ${states.join('; ')}${names}`
}
