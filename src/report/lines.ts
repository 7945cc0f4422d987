import type { DeliveredFile, DeliveredMessage } from '../delivery/delivered.ts'
import type { FoundFiles } from '../files/files.ts'
import type { Conversation, Finding } from '../service/service.ts'
import { formatCount, formatDuration, formatNumber, formatSize } from '../text/format.ts'
import type { Log } from './log.ts'
import { headline, leftUnnamed, noticesOf, problemsOf, type RunReport, warningsOf, wasTried } from './run-report.ts'

/** Tells what was matched, and what was left out unless a warning tells it. */
export function tellFound(log: Log, { files, leftOut, unmatched }: FoundFiles): void {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  log.list(
    files.length === 0 ? 'Found no files' : `Found ${formatCount(files.length, 'file')}, ${size}`,
    files.map((file) => `${file.displayPath} (${formatSize(file.size)})`),
  )
  const unnamed = leftUnnamed(leftOut)
  if (files.length > 0 && unnamed.length > 0) {
    const named = leftOut.length - unnamed.length
    const others = named === 0 ? '' : `, and ${formatNumber(named)} that warnings name`
    log.list(
      `Left out ${formatNumber(unnamed.length)}${others}`,
      unnamed.map(({ displayPath, why }) => `${displayPath}: ${why}`),
    )
  }
  for (const { pattern, explanation } of unmatched.slice(0, maxExplained)) {
    log.list(`No file matches ${pattern}`, explanation.split('\n'))
  }
  const more = unmatched.length - maxExplained
  if (more > 0) log.info(`No file matches ${formatCount(more, 'other line')} either`)
}

/** Lines that match nothing: of more, their explanations would say the same. */
const maxExplained = 20

/** Tells where it went, how long it took, and, as one annotation per cause, what people have to know. */
export function tellEnd(log: Log, run: RunReport): void {
  log.list(headline(run), places(run))
  if (run.findings.length > 0) log.list('Checked', run.findings.map(finding))
  if (wasTried(run)) log.info(`Took ${formatDuration(run.milliseconds)}`)
  for (const notice of noticesOf(run)) log.notice(notice)
  for (const warning of warningsOf(run)) log.warning(warning)
  for (const problem of problemsOf(run)) log.error(problem)
}

function finding({ about, note, problem, verdict }: Finding): string {
  const said = problem?.title ?? note
  return `${about}: ${verdicts[verdict]}${said === undefined ? '' : ` (${said})`}`
}

const verdicts = { fine: 'fine', fails: 'fails', 'cannot-tell': 'cannot tell' } as const

/** As the user wrote it, with what it became. */
export function nameOf({ id, requested }: Conversation): string {
  return id === requested ? id : `${requested} (${id})`
}

const states: Readonly<Record<DeliveredMessage['state'], string>> = {
  posted: 'posted',
  accepted: 'accepted',
  unknown: 'not known whether posted',
  'not-sent': 'not sent',
}

const maxNamesInLine = 10

export function stateText(state: DeliveredMessage['state'], run: Pick<RunReport, 'status'>): string {
  return run.status === 'dry-run' ? 'would be sent' : states[state]
}

/**
 * A line for each conversation and what became of the files in it, with a link to the first message: those to the others
 * stand in the summary. None where the headline says it all.
 */
function places(run: RunReport): readonly string[] {
  if (run.dryRun || run.status === 'failed') return []
  const conversations = Map.groupBy(run.delivery?.messages ?? [], ({ conversation }) => nameOf(conversation))
  return [...conversations].flatMap(([name, messages]) =>
    [...Map.groupBy(messages, ({ state }) => state)].map(([state, those]) => `${name}: ${place(state, those)}`),
  )
}

function place(state: DeliveredMessage['state'], messages: readonly DeliveredMessage[]): string {
  const files = messages.flatMap((message) => message.files)
  if (state === 'unknown' || state === 'not-sent') return `${states[state]}: ${namesOf(files)}`

  const [only] = files.length === 1 ? files : []
  const what = `${only ? only.file.name : formatCount(files.length, 'file')} ${states[state]}`
  const counted = messages.length === 1 ? what : `${what} in ${formatCount(messages.length, 'message')}`
  const { permalink, ts } = messages.find((message) => message.permalink ?? message.ts) ?? {}
  if (permalink !== undefined) return `${counted}, ${permalink}`
  return ts === undefined ? counted : `${counted}, ts ${ts}`
}

function namesOf(files: readonly DeliveredFile[]): string {
  const names = files.slice(0, maxNamesInLine).map(({ file }) => file.displayPath)
  const more = files.length - names.length
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${formatNumber(more)} more`
}
