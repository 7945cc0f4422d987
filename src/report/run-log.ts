import type { FoundFiles } from '../files/files.ts'
import type { Channel, Finding, Posting, UploadedFile } from '../service/service.ts'
import { formatCount, formatNumber, formatSize } from '../text/format.ts'
import { quoted } from '../text/text.ts'
import type { Log } from './log.ts'
import {
  durationOf,
  type FilesInChannel,
  headline,
  postingsOf,
  problemsOf,
  type RunReport,
  renamedTo,
  skippedWithoutWarning,
} from './run-report.ts'

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
  for (const { pattern, explanation } of explained) {
    log.list(`No file matches ${pattern}`, explanation ? quoted(explanation).split('\n') : [])
  }
  const more = unmatched.length - explained.length
  if (more > 0) log.info(`No file matches ${formatCount(more, 'other pattern')} either`)
}

/** Patterns that match nothing: beyond this number the explanations repeat themselves. */
const maxExplained = 20

/** Logs the outcome for each channel, the duration and, as one annotation per cause, what people must know. */
export function logReport(log: Log, run: RunReport): void {
  log.list(headline(run), outcomes(run))
  const findings = run.dryRun ? (run.delivery?.findings ?? []) : []
  if (findings.length > 0) log.list('Checked', findings.map(describeFinding))
  const duration = durationOf(run)
  if (duration !== undefined) log.info(`Took ${duration}`)
  const problems = Map.groupBy(problemsOf(run), ({ level }) => level)
  // What matters most comes last, where people look first.
  for (const level of ['notice', 'warning', undefined] as const)
    for (const problem of problems.get(level) ?? []) log.problem(problem)
}

function describeFinding({ note, result, subject }: Finding): string {
  return `${subject}: ${result}${note ? ` (${quoted(note)})` : ''}`
}

/** What the user wrote, with the ID that it was resolved to. */
export function channelName({ id, requested }: Channel): string {
  return id === requested ? id : `${requested} (${id})`
}

/** The state that people read. */
export type ShownState = Posting['state'] | 'earlier'

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

const maxNamesInLine = 10
const maxLabels = 3

export function stateText(state: ShownState, run: Pick<RunReport, 'status'>): string {
  return run.status === 'dry-run' && state !== 'earlier' ? 'would be sent' : stateTexts[state]
}

/**
 * A line for each channel and state, with a link to the first message; the summary links to the others. No line if the
 * headline says it all.
 */
function outcomes(run: RunReport): readonly string[] {
  const all = postingsOf(run.delivery)
  if (run.status === 'failed' || (run.dryRun && !all.some(({ earlier }) => earlier))) return []
  const byChannel = Map.groupBy(all, ({ channel }) => channelName(channel))
  return [...byChannel].flatMap(([name, postings]) =>
    [...Map.groupBy(postings, shownState)].map(
      ([state, those]) => `${name}: ${outcome(state, those, postings.length, run)}`,
    ),
  )
}

function outcome(
  state: ShownState,
  postings: readonly FilesInChannel[],
  messages: number,
  run: Pick<RunReport, 'status'>,
): string {
  const inMessages = whichMessages(postings, messages)
  const files = postings.flatMap((posting) => posting.files)
  if (state === 'unknown' || state === 'not-sent') return `${stateText(state, run)}${inMessages}: ${namesOf(files)}`

  const [only] = files.length === 1 ? files : []
  const what = `${only ? only.file.name : formatCount(files.length, 'file')} ${stateTexts[state]}`
  const where = `${what}${inMessages}`
  const { permalink, ts } = postings.find((posting) => posting.permalink ?? posting.ts) ?? {}
  if (permalink !== undefined) return `${where}, ${postings.length > 1 ? 'first: ' : ''}${permalink}`
  return ts === undefined ? where : `${where}, ts ${ts}`
}

/** Which of the messages, or how many. */
function whichMessages(postings: readonly FilesInChannel[], messages: number): string {
  const labels = postings.length < messages ? postings.flatMap(({ label }) => label ?? []) : []
  if (labels.length > 0 && labels.length <= maxLabels) return ` (${labels.join(', ')})`
  return postings.length === 1 ? '' : ` in ${formatCount(postings.length, 'message')}`
}

function namesOf(files: readonly UploadedFile[]): string {
  const names = files.slice(0, maxNamesInLine).map(({ file }) => file.path)
  const more = files.length - names.length
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${formatNumber(more)} more`
}
