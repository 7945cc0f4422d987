import type { Comment } from '../comment/comment.ts'
import type { Deadline } from '../deadline.ts'
import type { FoundFile } from '../files/files.ts'
import { isError, type Problem, problemsOfError, uniqueProblems } from '../problem.ts'
import {
  allInState,
  type Channel,
  type CheckResult,
  type DeliveredMessage,
  type Message,
  type MessagingService,
  type PostResult,
  type ServiceFile,
  type ServiceOptions,
} from '../service/service.ts'

export interface Plan {
  /** If empty, the comment is posted alone. */
  readonly files: readonly FoundFile[]
  readonly channels: readonly string[]
  readonly commentFor: (files: readonly FoundFile[]) => Comment | undefined
  readonly threadTs?: string | undefined
  readonly dryRun: boolean
}

/** Holds every message, even after a failure. */
export interface DeliveryResult {
  /** See the table in `docs/delivery.md`. */
  readonly status: 'posted' | 'accepted' | 'dry-run' | 'partial' | 'unknown' | 'failed'
  readonly messages: readonly DeliveredMessage[]
  readonly checks: readonly CheckResult[]
  readonly comments?: readonly string[]
  /** One per cause. */
  readonly problems: readonly Problem[]
}

type Options = Pick<ServiceOptions, 'deadline' | 'onEvent'>

/** Stages every file, then posts the messages in order, until one has an error. */
export async function deliver(
  plan: Plan,
  service: MessagingService,
  options: Options,
): Promise<DeliveryResult> {
  const { deadline } = options
  const prepared = await prepare(plan, service, options)
  const messages = messagesFor(plan, prepared, service.limits)
  const posted = prepared.staged ? await postAll(messages, service, deadline) : []
  const rest = messages.slice(posted.length).map((message) => allInState('not-sent', message))
  const problems = uniqueProblems([
    ...prepared.problems,
    ...(prepared.staged ? problemsOf(posted, messages.length, deadline) : []),
  ])
  const delivered = [...posted, ...rest]
  const failed = problems.some(isError)
  const comments = messages.flatMap(({ comment }) => comment?.text ?? [])
  return {
    status: plan.dryRun && !failed ? 'dry-run' : statusOf(delivered, failed),
    messages: delivered,
    checks: prepared.checks,
    comments: [...new Set(comments)],
    problems,
  }
}

interface Preparation extends Pick<DeliveryResult, 'checks' | 'problems'> {
  /** Empty until they are resolved. */
  readonly channels: readonly Channel[]
  /** Absent after a failure and in a dry run. */
  readonly staged?: ReadonlyMap<FoundFile, ServiceFile>
}

async function prepare(
  { channels: requested, dryRun, files }: Plan,
  service: MessagingService,
  { deadline, onEvent }: Options,
): Promise<Preparation> {
  let prepared: Preparation = { channels: [], checks: [], problems: [] }
  try {
    const channels = await deadline.waitFor(service.resolve(requested))
    prepared = { ...prepared, channels }
    const posts = files.length === 0 ? 'comment' : 'files'
    const checks = await deadline.waitFor(service.preflight(channels, posts))
    prepared = { ...prepared, checks, problems: checks.flatMap(({ problem }) => problem ?? []) }
    // A message that cannot be posted needs no upload.
    if (prepared.problems.some(isError)) return prepared
    onEvent({ kind: 'sending', bytes: files.reduce((sum, { size }) => sum + size, 0) })
    const staged = await deadline.waitFor(stageAll(files, service, deadline.signal))
    return dryRun ? prepared : { ...prepared, staged }
  } catch (error) {
    const causes = deadline.problem ? [deadline.problem] : problemsOfError(error)
    return { ...prepared, problems: [...prepared.problems, ...causes] }
  }
}

/** Bytes uploaded at once: 30 s at 3.2 Mbit/s. After more, users see Slack respond 504. */
const bytesAtOnce = 12_000_000
/** A larger file counts as this, so that smaller ones are uploaded beside it. */
const mostOfOne = 7_000_000

/** If one fails, or the signal aborts, all are given up. */
async function stageAll(
  files: readonly FoundFile[],
  service: MessagingService,
  signal: AbortSignal,
): Promise<ReadonlyMap<FoundFile, ServiceFile>> {
  const giveUp = new AbortController()
  const uploadSignal = AbortSignal.any([giveUp.signal, signal])
  const weightOf = ({ size }: FoundFile) => Math.min(size, mostOfOne)
  const waiting = new Set(files.toSorted((one, other) => weightOf(other) - weightOf(one)))
  const staged = new Map<FoundFile, ServiceFile>()
  let free = service.limits.filesAtOnce
  let bytes = bytesAtOnce
  const stage = async (file: FoundFile) => {
    waiting.delete(file)
    free -= 1
    bytes -= weightOf(file)
    staged.set(file, await service.stage(file, uploadSignal))
    free += 1
    bytes += weightOf(file)
    await stageWhatFits()
  }
  const stageWhatFits = async () => {
    const begun: Promise<void>[] = []
    for (const file of waiting) {
      if (free === 0) break
      if (weightOf(file) <= bytes) begun.push(stage(file))
    }
    await Promise.all(begun)
  }
  try {
    await stageWhatFits()
    return staged
  } catch (error) {
    giveUp.abort(error)
    throw error
  }
}

function messagesFor(
  { commentFor, files, threadTs }: Plan,
  { channels, staged }: Preparation,
  { commentGoesWith, filesPerMessage }: MessagingService['limits'],
): readonly Message[] {
  // Without files, the comment alone.
  const count = Math.ceil(files.length / filesPerMessage) || 1
  return Array.from({ length: count }, (_, index): Message => {
    const together = files.slice(index * filesPerMessage, (index + 1) * filesPerMessage)
    const isCommented = commentGoesWith === 'each message' || index === 0
    const described = commentGoesWith === 'each message' ? together : files
    return {
      channels,
      files: together.map((file) => staged?.get(file) ?? { file }),
      comment: isCommented ? commentFor(described) : undefined,
      threadTs,
    }
  })
}

/** The results up to the first error, inclusive. */
async function postAll(
  messages: readonly Message[],
  service: MessagingService,
  deadline: Deadline,
): Promise<readonly PostResult[]> {
  const results: PostResult[] = []
  for (const message of messages) {
    if (deadline.signal.aborted || results.at(-1)?.problems.some(isError)) break
    const result = await deadline
      .waitFor(service.post(message))
      // Rejects only if it hangs, or after a bug in the action.
      .catch((error: unknown) => ({
        ...allInState('unknown', message),
        problems: problemsOfError(error),
      }))
    results.push(result)
  }
  return results
}

/** Adds the deadline's problem if that kept a message from being posted. */
function problemsOf(
  posted: readonly PostResult[],
  count: number,
  deadline: Deadline,
): readonly Problem[] {
  const problems = posted.flatMap((result) => result.problems)
  const complete = posted.length === count && !problems.some(isError)
  if (complete || deadline.problem === undefined) return problems
  // The deadline alone explains a message that is not sent.
  const notSent = posted.at(-1)?.postings.every(({ state }) => state === 'not-sent')
  return [
    ...(notSent ? problems.filter((problem) => !isError(problem)) : problems),
    deadline.problem,
  ]
}

function statusOf(
  messages: readonly DeliveredMessage[],
  failed: boolean,
): DeliveryResult['status'] {
  const states = new Set(messages.flatMap(({ postings }) => postings.map(({ state }) => state)))
  if (states.has('unknown')) return 'unknown'
  if (failed) return states.has('posted') || states.has('accepted') ? 'partial' : 'failed'
  return states.has('accepted') ? 'accepted' : 'posted'
}
