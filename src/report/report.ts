import type { DeliveryResult } from '../delivery/deliver.ts'
import type { FoundFile, FoundFiles, SkippedFile, SkipReason } from '../files/files.ts'
import { skipAdvice } from '../files/search-problems.ts'
import { notice, type Problem, uniqueProblems, warning } from '../problem.ts'
import type { DeliveredMessage, Posting } from '../service/service.ts'
import { formatCount } from '../text/format.ts'
import { list, text } from '../text/text.ts'

/** The outcome of the run: the output `status`. */
export type Status = DeliveryResult['status'] | 'skipped'

/** What became of a run. */
export interface RunResult {
  readonly status: Status
  readonly dryRun: boolean
  /**
   * Absent if the run ended before files were searched. Its `unmatched` are the patterns that no
   * problem explains.
   */
  readonly found?: FoundFiles
  /** Absent if nothing was to be delivered, or the run ended before. */
  readonly delivery?: DeliveryResult
  /** One per cause, besides those of the search, the delivery and the skipped files. */
  readonly problems: readonly Problem[]
}

/**
 * What log, annotations, summary and outputs show of it, computed once. Its `problems` are
 * everything that people must know, each once.
 */
export interface Report extends RunResult {
  /** The outcome in a few words, without a full stop. */
  readonly headline: string
  readonly messages: readonly ReportedMessage[]
}

export interface ReportedMessage extends DeliveredMessage {
  /** None if the channels could not be resolved: then the message was not sent. */
  readonly postings: readonly ReportedPosting[]
}

export interface ReportedPosting extends Posting {
  /** The name of the channel that a check found, or what the user wrote. */
  readonly title: string
  /** The state, as people read it. */
  readonly stateText: string
}

export function describeRun(run: RunResult): Report {
  // The files of a run that failed before any delivery are in no message.
  const all =
    run.delivery?.messages ??
    run.found?.files.map((file) => ({ files: [{ file }], postings: [] })) ??
    []
  const messages = all.map(
    ({ files, postings }): ReportedMessage => ({
      files,
      postings: postings.map((posting) => describePosting(posting, run)),
    }),
  )
  return {
    ...run,
    messages,
    headline: headlineOf(run, messages),
    problems: uniqueProblems([
      ...run.problems,
      ...(run.found?.problems ?? []),
      // What ended the run can also be the reason why a message was not sent.
      ...(run.delivery?.problems ?? []),
      // If no file is left, the problem of finding no files explains why.
      ...(run.found?.files.length ? skippedFilesWarnings(run.found.skipped) : []),
      ...partialNotices(run, messages),
    ]),
  }
}

function describePosting(posting: Posting, { delivery, status }: RunResult): ReportedPosting {
  const { requested } = posting.channel
  const title = delivery?.checks.find(({ subject }) => subject === requested)?.name ?? requested
  return {
    ...posting,
    title,
    stateText: status === 'dry-run' ? 'would be posted' : stateTexts[posting.state],
  }
}

export const stateTexts: Readonly<Record<Posting['state'], string>> = {
  posted: 'posted',
  accepted: 'accepted',
  unknown: 'unknown whether posted',
  'not-sent': 'not sent',
}

export function isPosted({ state }: Posting): boolean {
  return state === 'posted' || state === 'accepted'
}

/** How many there are. */
export function filesIn(messages: readonly ReportedMessage[]): number {
  return messages.reduce((sum, { files }) => sum + files.length, 0)
}

function countFiles(messages: readonly ReportedMessage[]): string {
  const count = filesIn(messages)
  return count === 0 && messages.length > 0 ? 'the comment' : formatCount(count, 'file')
}

function countChannels(messages: readonly ReportedMessage[]): string {
  const channels = messages.flatMap(({ postings }) => postings.map(({ channel }) => channel.id))
  return formatCount(new Set(channels).size, 'channel')
}

function headlineOf({ dryRun, status }: RunResult, messages: readonly ReportedMessage[]): string {
  switch (status) {
    case 'posted':
      return `Posted ${countFiles(messages)} in ${countChannels(messages)}`
    case 'accepted':
      return `The service accepted ${countFiles(messages)} for ${countChannels(messages)}`
    case 'skipped':
      return 'Skipped: nothing was posted'
    case 'dry-run':
      return `Dry run: ${countFiles(messages)} would be posted to ${countChannels(messages)}`
    case 'partial':
      return 'Posted, but not everything arrived'
    case 'unknown':
      return 'It is unknown whether everything was posted'
    case 'failed':
      return dryRun ? 'Dry run: posting would fail' : 'Nothing was posted'
  }
}

function partialNotices(
  { status }: RunResult,
  messages: readonly ReportedMessage[],
): readonly Problem[] {
  const count = filesIn(messages)
  const whole = filesIn(messages.filter(({ postings }) => postings.every(isPosted)))
  if (status !== 'partial' || whole === 0 || whole === count) return []
  const explanation = text`If you run the step again, it posts ${whole} of ${count} files a second time. To send only the missing files: \`files: \${{ steps.<id>.outputs.not-sent }}\`.`
  return [notice('Some files are already posted', explanation, 'partial')]
}

/** The name in the channel, if it is not the end of the path. */
export function renamedTo({ path, name }: Pick<FoundFile, 'path' | 'name'>): string | undefined {
  return path.split('/').at(-1) === name ? undefined : name
}

/**
 * What somebody may miss. Hidden files are skipped by design, sockets are not files, and what a
 * symlink to a folder above it leads to is found without it: only the log lists those.
 */
const skipWarnings = new Map<SkipReason, string>([
  ['credentials', 'Credential files'],
  ['token-in-name', 'Files with the token in their name'],
  ['link-outside', 'Symlinks that point outside the workspace'],
  ['link-broken', 'Broken symlinks'],
  ['empty', 'Empty files'],
  ['unreadable', 'Files that cannot be read'],
])

const maxSkippedNames = 10

function skippedFilesWarnings(skipped: readonly SkippedFile[]): readonly Problem[] {
  return [...skipWarnings].flatMap(([reason, what]): readonly Problem[] => {
    const files = skipped.filter((file) => file.reason === reason)
    if (files.length === 0) return []
    const names = files.map(({ path, why }) => text`${path} ${why}`)
    const explanation = text`${list(names, { max: maxSkippedNames, separator: '; ' })}.\n${skipAdvice[reason] ?? []}`
    return [warning(`${what} are skipped`, explanation, 'skippedFiles')]
  })
}
