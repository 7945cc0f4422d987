import type { DeliveredMessage } from '../delivery/delivered.ts'
import type { FoundFiles } from '../files/files.ts'
import { formatCount, formatSize } from '../message/size.ts'
import type { Conversation, Finding } from '../service/service.ts'
import type { Log } from './log.ts'
import { formatDuration } from './progress.ts'
import { headline, leftUnnamed, noticesOf, problemsOf, type RunReport, warningsOf } from './run-report.ts'

/** Tells what was matched, and what was left out unless a warning tells it. */
export function tellFound(log: Log, { files, leftOut, unmatched }: FoundFiles): void {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  log.list(
    files.length === 0 ? 'Found no files' : `Found ${formatCount(files.length, 'file')}, ${size}`,
    files.map((file) => `${file.displayPath} (${formatSize(file.size)})`),
  )
  const unnamed = leftUnnamed(leftOut)
  if (files.length > 0 && unnamed.length > 0) {
    log.list(
      `Left out ${unnamed.length.toLocaleString('en')}`,
      unnamed.map(({ displayPath, why }) => `${displayPath}: ${why}`),
    )
  }
  for (const { pattern, explanation } of unmatched) log.list(`No file matches ${pattern}`, explanation.split('\n'))
}

/** Tells where it went, how long it took, and, as one annotation per cause, what people have to know. */
export function tellEnd(log: Log, run: RunReport): void {
  log.list(headline(run), places(run))
  if (run.findings.length > 0) log.list('Checked', run.findings.map(finding))
  if (run.bytes > 0) log.info(throughput(run))
  for (const notice of noticesOf(run)) log.notice(notice)
  for (const warning of warningsOf(run)) log.warning(warning)
  for (const problem of problemsOf(run)) log.error(problem)
}

function finding({ about, note, problem, verdict }: Finding): string {
  const said = problem?.title ?? note
  return `${about}: ${VERDICTS[verdict]}${said === undefined ? '' : `, ${said}`}`
}

const VERDICTS = { fine: 'fine', fails: 'fails', 'cannot-tell': 'cannot tell' } as const

/** `12 MB in 3.4 s, 3.5 MB/s` */
export function throughput({ bytes, milliseconds }: RunReport): string {
  return `${formatSize(bytes)} in ${formatDuration(milliseconds)}, ${formatSize((bytes / Math.max(milliseconds, 1)) * 1000)}/s`
}

/** As the user wrote it, with what it became. */
export function nameOf({ id, requested }: Conversation): string {
  return id === requested ? id : `${requested} (${id})`
}

const STATES: Readonly<Record<DeliveredMessage['state'], string>> = {
  posted: 'posted',
  accepted: 'accepted',
  unknown: 'not known whether posted',
  'not-sent': 'not sent',
}

export function stateText(state: DeliveredMessage['state'], run: Pick<RunReport, 'status'>): string {
  return run.status === 'dry-run' ? 'would be sent' : STATES[state]
}

/** A line for each conversation and what became of the files in it; the links to all messages stand in the summary. */
function places(run: RunReport): readonly string[] {
  const messages = run.delivery?.messages ?? []
  const groups = Map.groupBy(messages, ({ conversation, state }) => `${state} ${conversation.id}`)
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : place(run, first, others)))
}

function place(run: RunReport, first: DeliveredMessage, others: readonly DeliveredMessage[]): string {
  const all = [first, ...others]
  const [file, ...moreFiles] = all.flatMap(({ files }) => files)
  const what = file !== undefined && moreFiles.length === 0 ? file.file.name : formatCount(moreFiles.length + 1, 'file')
  const said = `${nameOf(first.conversation)}: ${what} ${stateText(first.state, run)}`
  const counted = others.length === 0 ? said : `${said} in ${formatCount(all.length, 'message')}`
  const { permalink, ts } = all.find((message) => message.permalink ?? message.ts) ?? {}
  if (permalink !== undefined) return `${counted}, ${permalink}`
  return ts === undefined ? counted : `${counted}, ts ${ts}`
}
