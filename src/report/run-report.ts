import type { DeliveredFile, DeliveredMessage, DeliveryReport, Status } from '../delivery/delivered.ts'
import type { FoundFiles, LeftOut, LeftOutReason } from '../files/files.ts'
import type { Problem } from '../problem.ts'
import type { Finding } from '../service/service.ts'
import { formatCount, formatNumber } from '../text/format.ts'

/** Everything that is told about a run, whatever became of it: what log, annotations, summary and outputs render. */
export interface RunReport {
  readonly status: Status
  readonly dryRun: boolean
  /** Absent when it ended before the settings were known. */
  readonly destination?: { readonly host: string; readonly method: 'external' | 'files.upload' }
  /** Absent when it ended before files were looked for. `unmatched`: only those that no problem explains. */
  readonly found?: FoundFiles
  /** Absent when nothing was to be delivered, or it ended before. */
  readonly delivery?: DeliveryReport
  /** What a dry run found out. The problem of one that fails stands in `problems` too. */
  readonly findings: readonly Finding[]
  /** Why it is red, one per cause, besides those of the delivery. */
  readonly problems: readonly Problem[]
  /** What somebody probably wants to mend, besides those of the delivery and the files that were left out. */
  readonly warnings: readonly Problem[]
  /** What is good to know, besides those of the delivery. */
  readonly notices: readonly Problem[]
  /** From the start of the step. */
  readonly milliseconds: number
}

/** Whether the service was asked to post something. */
export function wasTried({ delivery, dryRun }: RunReport): boolean {
  return delivery !== undefined && !dryRun
}

export function problemsOf(run: RunReport): readonly Problem[] {
  // What ended the run can also be the reason why a message was not sent.
  return [...new Set([...run.problems, ...(run.delivery?.problems ?? [])])]
}

export function warningsOf(run: RunReport): readonly Problem[] {
  // Where nothing is left, the problem of finding no files says why.
  const leftOut = run.found && run.found.files.length > 0 ? run.found.leftOut : []
  return [...run.warnings, ...(run.delivery?.warnings ?? []), ...leftOutWarnings(leftOut)]
}

export function noticesOf(run: RunReport): readonly Problem[] {
  const everywhere = standEverywhere(run)
  const again = run.status === 'partial' && everywhere > 0 && everywhere < filesOf(run) ? [runningAgain] : []
  return [...run.notices, ...(run.delivery?.notices ?? []), ...again]
}

const runningAgain: Problem = {
  title: 'Some files are there already',
  text: 'Running the step again would post a second time what is there. Send only what is missing: the output "messages" names it for each channel.',
}

/**
 * What somebody may miss, and what to do about it. Hidden files are left out by design, and sockets and the like are no
 * files: these are only listed.
 */
const skippedAdvice: Readonly<Partial<Record<LeftOutReason, { readonly title: string; readonly advice: string }>>> = {
  credentials: {
    title: 'Files with credentials are left out',
    advice: 'If one of them is meant to be posted, copy it to another name.',
  },
  'link-outside': {
    title: 'Links that lead out of the workspace are left out',
    advice: 'Copy the files that they lead to into the workspace.',
  },
  'link-loop': {
    title: 'Links that lead in a circle are left out',
    advice: 'Remove them, or exclude them by a pattern.',
  },
  'link-broken': { title: 'Links that lead nowhere are left out', advice: 'Was what they lead to made in this job?' },
  empty: { title: 'Empty files are left out', advice: 'The service takes no empty files.' },
  'name-not-utf8': {
    title: 'Files whose names are not valid UTF-8 are left out',
    advice: 'Rename them before they are posted.',
  },
  unreadable: {
    title: 'Files that cannot be read are left out',
    advice: 'Give the user that runs the step the right to read them.',
  },
}

const maxNamesInWarning = 10

function leftOutWarnings(leftOut: readonly LeftOut[]): readonly Problem[] {
  return Object.entries(skippedAdvice).flatMap(([reason, { advice, title }]) => {
    const those = leftOut.filter((one) => one.reason === reason)
    if (those.length === 0) return []
    const named = Map.groupBy(those.slice(0, maxNamesInWarning), ({ why }) => why)
    const groups = [...named].map(([why, some]) => `${some.map(({ displayPath }) => displayPath).join(', ')} (${why})`)
    const more = those.length - maxNamesInWarning
    const all = `${groups.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
    return [{ title, text: `Left out: ${all}.\n${advice}` }]
  })
}

/** What was left out and no warning names. */
export function leftUnnamed(leftOut: readonly LeftOut[]): readonly LeftOut[] {
  const named = new Map<LeftOutReason, number>()
  return leftOut.filter(({ reason }) => {
    const count = (named.get(reason) ?? 0) + 1
    named.set(reason, count)
    return skippedAdvice[reason] === undefined || count > maxNamesInWarning
  })
}

/** A file and the messages it stands, or should stand, in: one per conversation. */
export interface FilePlaces {
  readonly delivered: DeliveredFile
  readonly messages: readonly DeliveredMessage[]
}

export function placesOf(delivery: DeliveryReport): readonly FilePlaces[] {
  const messages = new Map<string, DeliveredMessage[]>()
  for (const message of delivery.messages) {
    for (const { file } of message.files) {
      const known = messages.get(file.path)
      if (known === undefined) messages.set(file.path, [message])
      else known.push(message)
    }
  }
  return delivery.files.map((delivered) => ({ delivered, messages: messages.get(delivered.file.path) ?? [] }))
}

/** The files that stand in at least one conversation, as far as it is known. */
export function postedFiles(delivery: DeliveryReport): readonly DeliveredFile[] {
  return placesOf(delivery)
    .filter(({ messages }) => messages.some(isThere))
    .map(({ delivered }) => delivered)
}

function isThere({ state }: DeliveredMessage): boolean {
  return state === 'posted' || state === 'accepted'
}

/** What became of the run, in a few words without a full stop. */
export function headline(run: RunReport): string {
  const { delivery, status } = run
  const files = formatCount(filesOf(run), 'file')
  const conversations = new Set(delivery?.messages.map(({ conversation }) => conversation.id)).size
  const channels = formatCount(conversations, 'channel')
  switch (status) {
    case 'posted':
      return `Posted ${files} in ${channels}`
    case 'accepted':
      return `The service took ${files} for ${channels}`
    case 'skipped':
      return 'Skipped: nothing was posted'
    case 'dry-run':
      return `Dry run: ${files} would go to ${channels}`
    case 'partial': {
      const everywhere = standEverywhere(run)
      if (everywhere === filesOf(run)) return `Posted ${files} in ${channels}, not all of them whole`
      return everywhere === 0
        ? 'Partly posted: some channels show it, the others do not'
        : `Partly posted: ${formatNumber(everywhere)} of ${files} stand in ${conversations === 1 ? 'the channel' : 'every channel'}`
    }
    case 'unknown':
      return 'It is not known whether everything was posted'
    case 'failed':
      return run.dryRun ? 'Dry run: posting would fail' : 'Nothing was posted'
  }
}

function filesOf({ delivery }: RunReport): number {
  return delivery?.files.length ?? 0
}

/** How many files stand in every channel. */
function standEverywhere({ delivery }: RunReport): number {
  if (delivery === undefined) return 0
  return placesOf(delivery).filter(({ messages }) => messages.length > 0 && messages.every(isThere)).length
}
