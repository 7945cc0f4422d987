import pMap from 'p-map'
import type { Comment } from '../comment/comment.ts'
import type { Deadline } from '../deadline.ts'
import type { FoundFile } from '../files/files.ts'
import { type Problem, problemsOfError, uniqueProblems } from '../problem.ts'
import {
  type Channel,
  type Finding,
  type Message,
  type MessagingService,
  NotOfferedError,
  type Posting,
  type PostResult,
  type UploadedFile,
} from '../service/service.ts'
import { code, join, text } from '../text/text.ts'

/** What is to be delivered. */
export interface Plan {
  readonly files: readonly FoundFile[]
  /** What the user wrote. */
  readonly channels: readonly string[]
  /** The comment for a message with these files, if there is one. */
  readonly commentFor: (files: readonly FoundFile[]) => Comment | undefined
  readonly threadTs?: string
  /** What happens if an accepted message is not visible; `ignore` does not check. */
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  /** Resolve and check, and post nothing. */
  readonly dryRun: boolean
}

/** The files of one message, and what became of it in each channel. */
export interface DeliveredMessage {
  readonly files: readonly UploadedFile[]
  readonly postings: readonly Posting[]
}

/** What became of the whole delivery, as far as it is known: complete also if something failed. */
export interface DeliveryResult {
  /** See the table in `docs/delivery.md`. */
  readonly status: 'posted' | 'accepted' | 'dry-run' | 'partial' | 'unknown' | 'failed'
  /** In the order of posting. Together they hold every file that was to be sent. */
  readonly messages: readonly DeliveredMessage[]
  /** What the preflight checks found. */
  readonly findings: readonly Finding[]
  /** The server does not offer the upload method: nothing was posted, and another method may be tried. */
  readonly notOffered?: Problem
  /** Why the step fails: one per cause. Empty if it succeeds. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  readonly notices: readonly Problem[]
}

/** Bytes. A smaller file takes as long as its round trips, so many of them are uploaded at once. */
const smallFileBytes = 1_000_000
const smallFilesAtOnce = 64
const largeFilesAtOnce = 2

/** Stages every file, then posts the messages in order: each one after the message before it was posted or accepted. */
export async function deliver(plan: Plan, service: MessagingService, deadline: Deadline): Promise<DeliveryResult> {
  const prepared = await prepare(plan, service, deadline)
  const { channels, findings, staged } = prepared
  const batches = batchesOf(staged ?? plan.files.map((file) => ({ file })), service.limits.filesPerMessage)
  const posted = staged === undefined ? [] : await postAll(batches, channels, plan, service, deadline)
  const messages = batches.map(
    (files, index): DeliveredMessage =>
      posted[index] ?? { files, postings: channels.map((channel) => ({ channel, state: 'not-sent' })) },
  )
  const problems = uniqueProblems([
    ...prepared.problems,
    ...(staged ? problemsOf(posted, batches.length, deadline) : []),
  ])
  const notOffered = prepared.notOffered ?? posted[0]?.notOffered
  return {
    status: plan.dryRun && problems.length === 0 ? 'dry-run' : statusOf(messages, problems.length > 0),
    messages,
    findings,
    ...(notOffered && { notOffered }),
    problems,
    warnings: posted.flatMap(({ warnings }) => warnings),
    notices: uniqueProblems(posted.flatMap(({ notices }) => notices)),
  }
}

interface Preparation {
  readonly channels: readonly Channel[]
  readonly findings: readonly Finding[]
  /** Absent if nothing may be posted: something failed, or it is a dry run. */
  readonly staged?: readonly UploadedFile[]
  readonly notOffered?: Problem
  readonly problems: readonly Problem[]
}

/** Everything that can be done before anything is visible. */
async function prepare(plan: Plan, service: MessagingService, deadline: Deadline): Promise<Preparation> {
  let channels: readonly Channel[] = []
  let findings: readonly Finding[] = []
  const failed = () => uniqueProblems(findings.flatMap(({ problem, result }) => (result === 'failed' && problem) || []))
  try {
    channels = await deadline.race(service.resolve(plan.channels))
    const stop = new AbortController()
    const preflight = service.preflight(channels).then((found) => {
      findings = found
      // A message that cannot be posted needs no upload.
      if (failed().length > 0) stop.abort()
    })
    if (service.preflightFirst) await deadline.race(preflight)
    const staging =
      plan.dryRun || stop.signal.aborted
        ? []
        : stageAll(plan.files, service, AbortSignal.any([stop.signal, deadline.signal]))
    const [staged] = await deadline.race(Promise.all([staging, preflight]))
    if (failed().length > 0 || plan.dryRun) return { channels, findings, problems: failed() }
    return { channels, findings, staged, problems: [] }
  } catch (error) {
    if (error instanceof NotOfferedError)
      return { channels, findings, notOffered: error.problem, problems: [error.problem] }
    // What a finding explains needs no second explanation.
    if (failed().length > 0) return { channels, findings, problems: failed() }
    return { channels, findings, problems: deadline.problem ? [deadline.problem] : problemsOfError(error) }
  }
}

/** In the order of the files. As soon as one fails, or the signal aborts, the others are given up. */
async function stageAll(
  files: readonly FoundFile[],
  service: MessagingService,
  signal: AbortSignal,
): Promise<readonly UploadedFile[]> {
  const failed = new AbortController()
  const either = AbortSignal.any([failed.signal, signal])
  const stageThese = (some: readonly FoundFile[], concurrency: number) =>
    pMap(some, async (file) => [file, await service.stage(file, either)] as const, { concurrency })
  try {
    const staged = await Promise.all([
      stageThese(
        files.filter(({ size }) => size >= smallFileBytes),
        largeFilesAtOnce,
      ),
      stageThese(
        files.filter(({ size }) => size < smallFileBytes),
        smallFilesAtOnce,
      ),
    ])
    const stagedFiles = new Map(staged.flat())
    return files.flatMap((file) => stagedFiles.get(file) ?? [])
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

interface Posted extends PostResult {
  readonly warnings: readonly Problem[]
}

/** The results of the messages in order, up to the first that was not posted or accepted. */
async function postAll(
  batches: readonly (readonly UploadedFile[])[],
  channels: readonly Channel[],
  plan: Plan,
  service: MessagingService,
  deadline: Deadline,
): Promise<readonly Posted[]> {
  const posted: Posted[] = []
  for (const [index, files] of batches.entries()) {
    if (deadline.signal.aborted) break
    const comment =
      service.limits.commentGoesWith === 'each message'
        ? plan.commentFor(files.map(({ file }) => file))
        : index === 0
          ? plan.commentFor(plan.files)
          : undefined
    const message: Message = {
      channels,
      files,
      ...(comment && { comment }),
      ...(plan.threadTs === undefined ? {} : { threadTs: plan.threadTs }),
    }
    const posting = service.post(message, { confirm: plan.ifNotConfirmed !== 'ignore' })
    const result = await deadline.race(posting).catch((error: unknown) => outcomeUnknown(message, error))
    const last = applyIfNotConfirmed(result, plan.ifNotConfirmed)
    posted.push(last)
    if (last.problems.length > 0 || last.notOffered) break
  }
  return posted
}

/** After a fault of the action itself, or one that hangs, nothing is known. */
function outcomeUnknown({ channels, files }: Message, error: unknown): PostResult {
  const postings = channels.map((channel): Posting => ({ channel, state: 'unknown' }))
  return { postings, files, problems: problemsOfError(error), notices: [] }
}

/** An accepted message that is not visible becomes unknown, or a warning. */
function applyIfNotConfirmed(result: PostResult, policy: Plan['ifNotConfirmed']): Posted {
  const { notVisible } = result
  if (notVisible === undefined) return { ...result, warnings: [] }
  const { channels, problem } = notVisible
  if (policy === 'warn') return { ...result, warnings: [problem] }
  const postings = result.postings.map(
    (posting): Posting => (channels.includes(posting.channel) ? { ...posting, state: 'unknown' } : posting),
  )
  const advice = text`${code('if-not-confirmed: warn')} makes this a warning.`
  const problems = [...result.problems, { ...problem, text: join([problem.text, advice], ' ') }]
  return { ...result, postings, problems, warnings: [] }
}

/** The problems of the messages, and that of the deadline if it kept a message from being posted. */
function problemsOf(posted: readonly Posted[], messages: number, deadline: Deadline): readonly Problem[] {
  const problems = posted.flatMap((result) => [...result.problems, ...(result.notOffered ? [result.notOffered] : [])])
  const complete = posted.length === messages && problems.length === 0
  if (complete || deadline.problem === undefined) return problems
  // A request that was given up before it was sent failed because of the deadline, and for no other reason.
  const notSent = posted.at(-1)?.postings.every(({ state }) => state === 'not-sent')
  return [...(notSent ? [] : problems), deadline.problem]
}

function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function statusOf(messages: readonly DeliveredMessage[], failed: boolean): DeliveryResult['status'] {
  const states = new Set(messages.flatMap(({ postings }) => postings.map(({ state }) => state)))
  if (states.has('unknown')) return 'unknown'
  if (failed) return states.has('posted') || states.has('accepted') ? 'partial' : 'failed'
  return states.has('accepted') ? 'accepted' : 'posted'
}
