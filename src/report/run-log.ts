import type { FoundFiles } from '../files/files.ts'
import type { Channel, Finding, Posting } from '../service/service.ts'
import { formatCount, formatList, formatNumber, formatSize } from '../text/format.ts'
import { quoted } from '../text/text.ts'
import type { Log } from './log.ts'
import { type Report, type ReportedMessage, type RunReport, renamedTo } from './run-report.ts'
import { skippedWithoutWarning } from './skipped-files.ts'

/** Logs the files that were found, the skipped ones that no warning names, and the patterns that matched nothing. */
export function logFiles(log: Log, { files, skipped, unmatched }: FoundFiles): void {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  log.list(
    files.length === 0 ? 'Found no files' : `Found ${formatCount(files.length, 'file')}, ${size}`,
    files.map((file) => {
      const name = renamedTo(file)
      return `${file.path}${name === undefined ? '' : ` as ${name}`} (${formatSize(file.size)})`
    }),
  )
  const quiet = skippedWithoutWarning(skipped)
  if (files.length > 0 && quiet.length > 0) {
    const warned = skipped.length - quiet.length
    const others = warned === 0 ? '' : `, besides ${formatNumber(warned)} that a warning names`
    log.list(
      `Skipped ${formatCount(quiet.length, 'file')}${others}`,
      quiet.map(({ path, why }) => `${path}: ${quoted(why)}`),
    )
  }
  const explained = unmatched.filter(({ explanation }) => explanation).slice(0, maxExplained)
  for (const { pattern, explanation = [] } of explained) {
    log.list(`No file matches ${pattern}`, quoted(explanation).split('\n'))
  }
  const more = unmatched.length - explained.length
  if (more > 0) log.info(`No file matches ${formatCount(more, 'other pattern')} either`)
}

/** Patterns that match nothing: beyond this number the explanations repeat themselves. */
const maxExplained = 20

/** Logs the outcome of each message, the duration and, as one annotation per cause, what people must know. */
export function logReport(log: Log, report: Report): void {
  const { delivery, dryRun, duration, headline, messages, problems, status } = report
  // The headline of these says it all.
  const quiet = status === 'failed' || (dryRun && !messages.some(({ earlier }) => earlier))
  log.list(headline, quiet ? [] : messages.map((message) => describeMessage(message, report)))
  const findings = dryRun ? (delivery?.findings ?? []) : []
  if (findings.length > 0) log.list('Checked', findings.map(describeFinding))
  if (duration !== undefined) log.info(`Took ${duration}`)
  const byLevel = Map.groupBy(problems, ({ level }) => level)
  // What matters most comes last, where people look first.
  for (const level of ['notice', 'warning', undefined] as const) {
    for (const problem of byLevel.get(level) ?? []) log.problem(problem)
  }
}

function describeFinding({ note, result, subject }: Finding): string {
  return `${subject}: ${result}${note ? ` (${quoted(note)})` : ''}`
}

/** The name that a check found, or what the user wrote. */
export function channelTitle({ requested }: Channel, { delivery }: RunReport): string {
  return delivery?.findings.find(({ subject }) => subject === requested)?.name ?? requested
}

function channelWithId(channel: Channel, report: RunReport): string {
  const title = channelTitle(channel, report)
  return title === channel.id ? title : `${title} (${channel.id})`
}

/** The state that people read. */
type ShownState = Posting['state'] | 'earlier'

export function shownState({ earlier, state }: Posting): ShownState {
  return earlier ? 'earlier' : state
}

const stateTexts: Readonly<Record<ShownState, string>> = {
  posted: 'posted',
  accepted: 'accepted (not confirmed)',
  unknown: 'unknown whether posted',
  'not-sent': 'not sent',
  earlier: 'posted by an earlier attempt',
}

export function stateText(state: ShownState, { status }: RunReport): string {
  return status === 'dry-run' && state !== 'earlier' ? 'would be sent' : stateTexts[state]
}

const maxNames = 10

/** One line, with a link to the message in the first channel; the summary links to the others. */
function describeMessage({ files, label, postings }: ReportedMessage, report: Report): string {
  const [only] = files.length === 1 ? files : []
  const what = only ? only.file.path : `${formatCount(files.length, 'file')}${label === undefined ? '' : ` (${label})`}`
  const states = [...Map.groupBy(postings, shownState)].map(([state, those]) => {
    const places = those.map(({ channel }) => channelWithId(channel, report))
    const where = `${stateText(state, report)} ${state === 'not-sent' ? 'to' : 'in'} ${formatList(places, maxNames)}`
    const { permalink, ts } = those.find((posting) => posting.permalink ?? posting.ts) ?? {}
    const link = permalink ?? (ts === undefined ? undefined : `ts ${ts}`)
    return link === undefined ? where : `${where}, ${those.length > 1 ? 'first: ' : ''}${link}`
  })
  const isMissing = postings.some(({ state }) => state === 'unknown' || state === 'not-sent')
  const paths = files.map(({ file }) => file.path)
  const names = only || !isMissing ? '' : `: ${formatList(paths, maxNames)}`
  return `${what}: ${states.join('; ')}${names}`
}
