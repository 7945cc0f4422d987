import type { DeliveryResult } from '../delivery/deliver.ts'
import type { FoundFile, FoundFiles, SkippedFile, SkipReason } from '../files/files.ts'
import { skipAdvice } from '../files/search-problems.ts'
import { notice, type Problem, uniqueProblems, warning } from '../problem.ts'
import type { DeliveredMessage, Posting } from '../service/service.ts'
import { formatCount, formatDuration, formatNumber } from '../text/format.ts'
import { code, list, quoted, text } from '../text/text.ts'

/** The outcome of the run: the output `status`. */
export type Status = DeliveryResult['status'] | 'skipped'

/** What became of a run. */
export interface RunResult {
  readonly status: Status
  readonly dryRun: boolean
  /** Absent if the run ended before files were searched. `unmatched`: only the patterns that no problem explains. */
  readonly found?: FoundFiles
  /** Absent if nothing was to be delivered, or the run ended before. */
  readonly delivery?: DeliveryResult
  /** One per cause, besides those of the delivery and the skipped files. */
  readonly problems: readonly Problem[]
  /** From the start of the step. */
  readonly milliseconds: number
}

/** What log, annotations, summary and outputs show of it, computed once. */
export interface Report extends RunResult {
  /** The outcome in a few words, without a full stop. */
  readonly headline: string
  /** Everything that people must know, each problem once. */
  readonly problems: readonly Problem[]
  readonly messages: readonly ReportedMessage[]
  /** How long the run took, if that is worth a line. */
  readonly duration: string | undefined
}

export interface ReportedMessage extends DeliveredMessage {
  /** Such as `message 2/3`. Absent if there is one message, or each file is a message of its own. */
  readonly label: string | undefined
  /** An earlier attempt of the run posted it. */
  readonly earlier: boolean
  readonly postings: readonly ReportedPosting[]
}

export interface ReportedPosting extends Posting {
  /** The name of the channel that a check found, or what the user wrote. */
  readonly title: string
  /** The state, as people read it. */
  readonly stateText: string
}

/** Milliseconds: nobody waits for a shorter run. */
const minDuration = 1_000

export function describeRun(run: RunResult): Report {
  // The files of a run that failed before any delivery are in no message.
  const all = run.delivery?.messages ?? run.found?.files.map((file) => ({ files: [{ file }], postings: [] })) ?? []
  const needLabels = all.length > 1 && all.some(({ files }) => files.length > 1)
  const messages = all.map(
    ({ files, postings }, index): ReportedMessage => ({
      files,
      label: needLabels ? `message ${index + 1}/${all.length}` : undefined,
      earlier: postings.some(({ earlier }) => earlier),
      postings: postings.map((posting) => describePosting(posting, run)),
    }),
  )
  const wasAttempted = run.delivery !== undefined && !run.dryRun
  const counts = countAll(messages)
  return {
    ...run,
    messages,
    headline: headlineOf(run, counts),
    problems: uniqueProblems([
      ...run.problems,
      // What ended the run can also be the reason why a message was not sent.
      ...(run.delivery?.problems ?? []),
      // If no file is left, the problem of finding no files explains why.
      ...(run.found && run.found.files.length > 0 ? skippedFilesWarnings(run.found.skipped) : []),
      ...rerunNotices(run, counts),
    ]),
    duration: wasAttempted && run.milliseconds >= minDuration ? formatDuration(run.milliseconds) : undefined,
  }
}

function headlineOf({ dryRun, status }: RunResult, counts: Counts): string {
  if (status === 'failed' && dryRun) return 'Dry run: posting would fail'
  return headlines[status](counts)
}

function describePosting(posting: Posting, { delivery, status }: RunResult): ReportedPosting {
  const { requested } = posting.channel
  const title = delivery?.checks.find(({ subject }) => subject === requested)?.name ?? requested
  if (posting.earlier) return { ...posting, title, stateText: 'posted by an earlier attempt' }
  return { ...posting, title, stateText: status === 'dry-run' ? 'would be sent' : stateTexts[posting.state] }
}

const stateTexts: Readonly<Record<Posting['state'], string>> = {
  posted: 'posted',
  accepted: 'accepted (not confirmed)',
  unknown: 'unknown whether posted',
  'not-sent': 'not sent',
}

export function isPosted({ state }: Posting): boolean {
  return state === 'posted' || state === 'accepted'
}

type Counts = ReturnType<typeof countAll>

function countAll(messages: readonly ReportedMessage[]) {
  const byFile = Map.groupBy(
    messages.flatMap(({ files, postings }) => files.map(({ file }) => ({ file, postings }))),
    ({ file }) => file,
  )
  const everywhere = [...byFile.values()].filter((those) => {
    const postings = those.flatMap((message) => message.postings)
    return postings.length > 0 && postings.every(isPosted)
  })
  return {
    all: countIn(messages),
    now: countIn(messages.filter(({ earlier }) => !earlier)),
    /** By an earlier attempt. */
    before: countIn(messages.filter(({ earlier }) => earlier)),
    /** Files that are in all of their channels. */
    everywhere: everywhere.length,
  }
}

function countIn(messages: readonly ReportedMessage[]) {
  const files = new Set(messages.flatMap((message) => message.files.map(({ file }) => file))).size
  const channels = new Set(messages.flatMap(({ postings }) => postings.map(({ channel }) => channel.id))).size
  return {
    count: files,
    files: files === 0 && messages.length > 0 ? 'the comment' : formatCount(files, 'file'),
    channelCount: channels,
    channels: formatCount(channels, 'channel'),
  }
}

const earlierToo = ({ before }: Counts) => (before.count === 0 ? '' : `; an earlier attempt posted ${before.files}`)
const nothingLeft = ({ before, now }: Counts) => before.count > 0 && now.count === 0

const headlines: Readonly<Record<Status, (counts: Counts) => string>> = {
  posted: (counts) =>
    nothingLeft(counts)
      ? `An earlier attempt posted ${counts.all.files} in ${counts.all.channels}`
      : `Posted ${counts.now.files} in ${counts.now.channels}${earlierToo(counts)}`,
  accepted: (counts) => `The service accepted ${counts.now.files} for ${counts.now.channels}${earlierToo(counts)}`,
  skipped: () => 'Skipped: nothing was posted',
  'dry-run': (counts) =>
    nothingLeft(counts)
      ? `Dry run: nothing would be posted${earlierToo(counts)}`
      : `Dry run: ${counts.now.files} would be posted in ${counts.now.channels}${earlierToo(counts)}`,
  partial({ all, everywhere }) {
    if (everywhere > 0 && everywhere === all.count)
      return `Posted ${all.files} in ${all.channels}, but not all of them are intact`
    const where = all.channelCount === 1 ? 'the channel' : 'every channel'
    return everywhere === 0
      ? `Partly posted: some channels have ${all.count === 0 ? all.files : 'the files'}, the others do not`
      : `Partly posted: ${formatNumber(everywhere)} of ${all.files} are in ${where}`
  },
  unknown: () => 'It is unknown whether everything was posted',
  failed: () => 'Nothing was posted',
}

function rerunNotices({ delivery, status }: RunResult, { all, everywhere }: Counts): readonly Problem[] {
  if (status !== 'partial' && status !== 'unknown') return []
  if (delivery?.rerunPostsMissing) {
    const explanation = text`Fix the cause, then run the failed job again: the step first looks up what is in the channels already (${code('on-rerun: missing')}).`
    return [notice('A re-run posts only what is missing', explanation, 'rerun')]
  }
  if (status === 'unknown' || everywhere === 0 || everywhere === all.count) return []
  const explanation = text`If the step runs again, it posts ${everywhere} of ${all.count} files a second time. Send only the rest: ${code('files: ${{ steps.<id>.outputs.not-sent }}')}.`
  return [notice('Some files are already posted', explanation, 'partial')]
}

/** The name in the channel, if it is not the end of the path. */
export function renamedTo({ path, name }: Pick<FoundFile, 'path' | 'name'>): string | undefined {
  return path.split('/').at(-1) === name ? undefined : name
}

/** What somebody may miss. Hidden files are skipped by design, and sockets are no files: only the log lists them. */
const skipWarnings = new Map<SkipReason, string>([
  ['credentials', 'Files with credentials'],
  ['link-outside', 'Links that lead out of the workspace'],
  ['link-broken', 'Broken links'],
  ['empty', 'Empty files'],
  ['unreadable', 'Files that cannot be read'],
])

const maxSkippedNames = 10

function skippedFilesWarnings(skipped: readonly SkippedFile[]): readonly Problem[] {
  return [...skipWarnings].flatMap(([reason, what]): readonly Problem[] => {
    const files = skipped.filter((file) => file.reason === reason)
    if (files.length === 0) return []
    const groups = [...Map.groupBy(files.slice(0, maxSkippedNames), ({ why }) => quoted(why)).values()]
    const names = list(groups.map((those) => text`${list(those.map(({ path }) => path))} (${those[0]?.why ?? []})`))
    const more = files.length > maxSkippedNames ? text` and ${files.length - maxSkippedNames} more` : []
    const explanation = text`Skipped: ${names}${more}.\n${skipAdvice[reason] ?? []}`
    return [warning(`${what} are skipped`, explanation, 'skippedFiles')]
  })
}
