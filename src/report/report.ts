import type { DeliveryResult } from '../delivery/deliver.ts'
import {
  type FoundFile,
  type FoundFiles,
  type SkippedFile,
  type SkipReason,
  skipAdvice,
} from '../files/files.ts'
import { notice, type Problem, uniqueProblems, warning } from '../problem.ts'
import type { DeliveredMessage, Posting } from '../service/service.ts'
import { formatCount } from '../text/format.ts'
import { list, text } from '../text/text.ts'

export interface RunResult {
  readonly status: DeliveryResult['status'] | 'skipped'
  readonly dryRun: boolean
  /** Absent without a search. `unmatched` holds the patterns that no problem explains. */
  readonly found?: FoundFiles
  /** Absent if nothing was to be delivered, or the run ended before. */
  readonly delivery?: DeliveryResult
  /** One per cause, without those of search, delivery and skipped files. */
  readonly problems: readonly Problem[]
}

/** `problems` are complete and distinct. */
export interface Report extends RunResult {
  /** The outcome in a few words, without a full stop. */
  readonly headline: string
  /** Without postings if the channels could not be resolved. */
  readonly messages: readonly DeliveredMessage[]
}

export function describeRun(run: RunResult): Report {
  // Before the delivery, the files are in no message.
  const messages =
    run.delivery?.messages ??
    run.found?.files.map((file) => ({ files: [{ file }], postings: [] })) ??
    []
  return {
    ...run,
    messages,
    headline: headlineOf(run, messages),
    problems: uniqueProblems([
      ...run.problems,
      ...(run.found?.problems ?? []),
      // Can repeat the problem that ended the run.
      ...(run.delivery?.problems ?? []),
      // If no file is left, the problem of finding none says so.
      ...(run.found?.files.length ? skippedFilesWarnings(run.found.skipped) : []),
      ...partialNotices(run, messages),
    ]),
  }
}

/** The channel's name from a check, or what the user wrote. */
export function titleIn({ delivery }: RunResult, { channel: { requested } }: Posting): string {
  return delivery?.checks.find(({ subject }) => subject === requested)?.name ?? requested
}

export function stateIn({ status }: RunResult, { state }: Posting): string {
  return status === 'dry-run' ? 'would be posted' : stateTexts[state]
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

export function filesIn(messages: readonly DeliveredMessage[]): number {
  return messages.reduce((sum, { files }) => sum + files.length, 0)
}

function headlineOf({ dryRun, status }: RunResult, messages: readonly DeliveredMessage[]): string {
  const count = filesIn(messages)
  const isComment = count === 0 && messages.length > 0
  const files = isComment ? 'the comment' : formatCount(count, 'file')
  const places = messages.flatMap(({ postings }) => postings.map(({ channel }) => channel.id))
  const channels = formatCount(new Set(places).size, 'channel')
  const headlines: Readonly<Record<RunResult['status'], string>> = {
    posted: `Posted ${files} in ${channels}`,
    accepted: `The service accepted ${files} for ${channels}`,
    skipped: 'Skipped: nothing was posted',
    'dry-run': `Dry run: ${files} would be posted to ${channels}`,
    partial: 'Posted, but not everything arrived',
    unknown: 'It is unknown whether everything was posted',
    failed: dryRun ? 'Dry run: posting would fail' : 'Nothing was posted',
  }
  return headlines[status]
}

function partialNotices(
  { status }: RunResult,
  messages: readonly DeliveredMessage[],
): readonly Problem[] {
  const count = filesIn(messages)
  const whole = filesIn(messages.filter(({ postings }) => postings.every(isPosted)))
  if (status !== 'partial' || whole === 0 || whole === count) return []
  const explanation = text`If you run the step again, it posts ${whole} of ${count} files a second time. To send only the missing files: \`files: \${{ steps.<id>.outputs.not-sent }}\`.`
  return [notice('Some files are already posted', explanation, 'partial')]
}

/** The name in the channel. Empty if it is the path's. */
export function renamedTo({ path, name }: Pick<FoundFile, 'path' | 'name'>): string {
  return path.split('/').at(-1) === name ? '' : name
}

/**
 * Only the log lists hidden files, sockets, and symlinks to a folder above, whose files are found
 * anyway.
 */
const skipWarnings = new Map<SkipReason, string>([
  ['credentials', 'Credential files'],
  ['token-in-name', 'Files with the token in their name'],
  ['link-outside', 'Symlinks that point outside'],
  ['link-broken', 'Broken symlinks'],
  ['empty', 'Empty files'],
  ['pointer', 'Pointers of Git LFS'],
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
