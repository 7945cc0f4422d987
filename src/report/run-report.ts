import type { DeliveredMessage, DeliveryResult } from '../delivery/deliver.ts'
import type { FoundFile, FoundFiles, SkippedFile, SkipReason } from '../files/files.ts'
import { type Problem, uniqueProblems } from '../problem.ts'
import type { Posting, UploadedFile } from '../service/service.ts'
import { formatCount, formatDuration, formatNumber } from '../text/format.ts'
import { code, list, quoted, type Text, text, words } from '../text/text.ts'

/** The outcome of the run: the output `status`. */
export type Status = DeliveryResult['status'] | 'skipped'

/** Everything that log, annotations, summary and outputs show about a run. */
export interface RunReport {
  readonly status: Status
  readonly dryRun: boolean
  /** `Slack`, or the host of another service. Absent if the run ended before the inputs were known. */
  readonly service?: Text
  /** Absent if the run ended before files were searched. `unmatched`: only the patterns that no problem explains. */
  readonly found?: FoundFiles
  /** Absent if nothing was to be delivered, or the run ended before. */
  readonly delivery?: DeliveryResult
  /** One per cause, besides those of the delivery and the skipped files. */
  readonly problems: readonly Problem[]
  /** From the start of the step. */
  readonly milliseconds: number
}

/** Whether the service was asked to post something. */
function wasAttempted({ delivery, dryRun }: RunReport): boolean {
  return delivery !== undefined && !dryRun
}

/** Everything that people must know, each problem once. */
export function problemsOf(run: RunReport): readonly Problem[] {
  // If no file is left, the problem of finding no files explains why.
  const skipped = run.found && run.found.files.length > 0 ? run.found.skipped : []
  return uniqueProblems([
    ...run.problems,
    // What ended the run can also be the reason why a message was not sent.
    ...(run.delivery?.problems ?? []),
    ...skippedWarnings(skipped, run.service ?? text`The service`),
    ...rerunNotices(run),
  ])
}

function rerunNotices(run: RunReport): readonly Problem[] {
  if (run.delivery?.rerunPostsMissing) return ['partial', 'unknown'].includes(run.status) ? [rerunPostsMissing] : []
  const everywhere = countPostedEverywhere(run)
  const isMixed = run.status === 'partial' && everywhere > 0 && everywhere < filesOf(run).length
  return isMixed ? [rerunPostsAgain] : []
}

const rerunPostsAgain: Problem = {
  level: 'notice',
  title: 'Some files are already posted',
  text: text`If the step runs again, it posts them a second time. Send only the missing ones: the output ${code('messages')} lists them for each channel.`,
}

const rerunPostsMissing: Problem = {
  level: 'notice',
  title: 'A re-run posts only what is missing',
  text: text`Fix the cause, then run the failed job again: the step first looks up what is in the channels already (${code('on-rerun: missing')}).`,
}

/** Skipped files that somebody may miss, and what to do. Hidden files are skipped by design, and sockets are no files: the log lists them. */
const skippedAdvice: Readonly<Partial<Record<SkipReason, { readonly title: string; readonly advice: string }>>> = {
  credentials: {
    title: 'Files with credentials are skipped',
    advice: 'To post one of them anyway, put it into an archive: archives are not opened.',
  },
  'link-outside': {
    title: 'Links that lead out of the workspace are skipped',
    advice: 'Copy the files that they lead to into the workspace.',
  },
  'link-loop': {
    title: 'Links that lead in a circle are skipped',
    advice: 'Remove them, or exclude them with a pattern that begins with !.',
  },
  'link-broken': {
    title: 'Broken links are skipped',
    advice: 'Does an earlier step create the files that they lead to?',
  },
  // The advice names the service.
  empty: { title: 'Empty files are skipped', advice: '' },
  'name-not-utf8': {
    title: 'Files whose names are not valid UTF-8 are skipped',
    advice: 'Rename them before this step.',
  },
  unreadable: {
    title: 'Files that cannot be read are skipped',
    advice: 'Make them readable for the user that runs the step.',
  },
}

const maxNamesInWarning = 10

function skippedWarnings(skipped: readonly SkippedFile[], service: Text): readonly Problem[] {
  return Object.entries(skippedAdvice).flatMap(([reason, { advice, title }]) => {
    const those = skipped.filter((one) => one.reason === reason)
    if (those.length === 0) return []
    const byReason = Map.groupBy(those.slice(0, maxNamesInWarning), ({ why }) => quoted(why))
    const groups = [...byReason.values()].map((some) => {
      const paths = list(some.map(({ path }) => path))
      return text`${paths} (${some[0]?.why ?? text``})`
    })
    const more = those.length - maxNamesInWarning
    const all = more > 0 ? text`${list(groups)} and ${more} more` : list(groups)
    return [
      {
        level: 'warning',
        title,
        text: text`Skipped: ${all}.\n${advice === '' ? text`${service} does not accept empty files.` : words(advice)}`,
      },
    ]
  })
}

/** The skipped files that no warning names. */
export function skippedWithoutWarning(skipped: readonly SkippedFile[]): readonly SkippedFile[] {
  const counts = new Map<SkipReason, number>()
  return skipped.filter(({ reason }) => {
    const count = (counts.get(reason) ?? 0) + 1
    counts.set(reason, count)
    return skippedAdvice[reason] === undefined || count > maxNamesInWarning
  })
}

/** One message in one channel, with the files of the message. */
export interface FilesInChannel extends Posting {
  readonly files: readonly UploadedFile[]
  /** Such as `message 2/3`. Absent if there is one message, or each file is a message of its own. */
  readonly label?: string
}

/** In the order of posting; within one message in the order of the channels. */
export function postingsOf(delivery: DeliveryResult | undefined): readonly FilesInChannel[] {
  const messages = delivery?.messages ?? []
  return messages.flatMap(({ files, postings }, index) => {
    const label = messageLabel(messages, index)
    return postings.map((posting) => ({ ...posting, files, ...(label === undefined ? {} : { label }) }))
  })
}

/** As in `FilesInChannel`. */
export function messageLabel(messages: readonly DeliveredMessage[], index: number): string | undefined {
  const needsLabel = messages.length > 1 && messages.some(({ files }) => files.length > 1)
  return needsLabel ? `message ${index + 1}/${messages.length}` : undefined
}

/** The name in the channel, if it is not the end of the path. */
export function renamedTo({ path, name }: Pick<FoundFile, 'path' | 'name'>): string | undefined {
  return path.split('/').at(-1) === name ? undefined : name
}

/** Milliseconds: nobody waits for a shorter run. */
const minDuration = 1_000

/** How long the run took, if that is worth a line. */
export function durationOf(run: RunReport): string | undefined {
  return wasAttempted(run) && run.milliseconds >= minDuration ? formatDuration(run.milliseconds) : undefined
}

function filesOf({ delivery }: RunReport): readonly FoundFile[] {
  return [...new Set((delivery?.messages ?? []).flatMap(({ files }) => files.map(({ file }) => file)))]
}

export interface PostedFile extends UploadedFile {
  /** This attempt did not post it. */
  readonly earlier: boolean
}

/** The files that are in at least one channel, as far as it is known. One that was uploaded by two attempts is the later upload. */
export function postedFiles(run: RunReport): readonly PostedFile[] {
  const posted = (run.delivery?.messages ?? []).filter(({ postings }) => postings.some(isPosted))
  const uploads = posted.flatMap((message) => message.files.map((file) => ({ ...file, earlier: isEarlier(message) })))
  return [...new Map(uploads.map((upload) => [upload.file, upload])).values()]
}

function isEarlier({ postings }: DeliveredMessage): boolean {
  return postings.some(({ earlier }) => earlier === true)
}

function isPosted({ state }: Posting): boolean {
  return state === 'posted' || state === 'accepted'
}

/** The outcome of the run in a few words, without a full stop. */
export function headline(run: RunReport): string {
  const count = filesOf(run).length
  const files = formatCount(count, 'file')
  const channelCount = countChannels(run.delivery?.messages)
  const channels = formatCount(channelCount, 'channel')
  const earlier = (run.delivery?.messages ?? []).filter(isEarlier)
  const now = (run.delivery?.messages ?? []).filter((message) => !isEarlier(message))
  // Where an earlier attempt posted something, these are the files and channels of this one.
  const these = formatCount(countFiles(now), 'file')
  const there = formatCount(countChannels(now), 'channel')
  const others = earlier.length === 0 ? '' : `; an earlier attempt posted ${formatCount(countFiles(earlier), 'file')}`
  const nothingMissing = earlier.length > 0 && now.length === 0
  switch (run.status) {
    case 'posted':
      return nothingMissing
        ? `An earlier attempt posted ${files} in ${channels}`
        : `Posted ${these} in ${there}${others}`
    case 'accepted':
      return `The service accepted ${these} for ${there}${others}`
    case 'skipped':
      return 'Skipped: nothing was posted'
    case 'dry-run':
      return nothingMissing
        ? `Dry run: nothing would be posted${others}`
        : `Dry run: ${these} would be posted in ${there}${others}`
    case 'partial': {
      const everywhere = countPostedEverywhere(run)
      if (everywhere === count) return `Posted ${files} in ${channels}, but not all of them are intact`
      return everywhere === 0
        ? 'Partly posted: some channels have the files, the others do not'
        : `Partly posted: ${formatNumber(everywhere)} of ${files} are in ${channelCount === 1 ? 'the channel' : 'every channel'}`
    }
    case 'unknown':
      return 'It is unknown whether everything was posted'
    case 'failed':
      return run.dryRun ? 'Dry run: posting would fail' : 'Nothing was posted'
  }
}

function countFiles(messages: readonly DeliveredMessage[]): number {
  return new Set(messages.flatMap(({ files }) => files.map(({ file }) => file))).size
}

function countChannels(messages: readonly DeliveredMessage[] = []): number {
  return new Set(messages.flatMap(({ postings }) => postings.map(({ channel }) => channel.id))).size
}

function countPostedEverywhere({ delivery }: RunReport): number {
  const all = (delivery?.messages ?? []).flatMap(({ files, postings }) => files.map(({ file }) => ({ file, postings })))
  return [...Map.groupBy(all, ({ file }) => file).values()].filter((those) => {
    const postings = those.flatMap((one) => one.postings)
    return postings.length > 0 && postings.every(isPosted)
  }).length
}
