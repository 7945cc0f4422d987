import pMap from 'p-map'
import type { Comment, MessagePart } from '../comment/comment.ts'
import type { Deadline } from '../deadline.ts'
import type { FoundFile } from '../files/files.ts'
import { isError, type Problem, problemsOfError, uniqueProblems } from '../problem.ts'
import {
  type Channel,
  type CheckResult,
  connectionsAtOnce,
  type DeliveredMessage,
  type EarlierUploads,
  type Message,
  type MessagingService,
  type Posting,
  type PostResult,
  type ServiceFile,
  type ServiceOptions,
} from '../service/service.ts'
import { text } from '../text/text.ts'
import { type RemainingFiles, remainingFiles } from './rerun/remaining.ts'
import { duplicateWarnings, noLookupWarnings } from './rerun/warnings.ts'

/** What is to be delivered. */
export interface Plan {
  /** None: the comment is posted alone. */
  readonly files: readonly FoundFile[]
  /** What the user wrote. */
  readonly channels: readonly string[]
  /** The comment for a message with these files, if there is one. */
  readonly commentFor: (files: readonly FoundFile[]) => Comment | undefined
  /** The text of a later message, where the comment goes with the first. */
  readonly continuationFor?: (part: MessagePart) => Comment | undefined
  readonly threadTs?: string | undefined
  /** Resolve and check, and post nothing. */
  readonly dryRun: boolean
  /**
   * With `on-rerun: missing`: the number of this attempt, or `NaN` if it is unknown. What an earlier one posted is not posted again.
   * Absent without files: no lookup finds a comment alone.
   */
  readonly attempt?: number | undefined
}

/** What became of the whole delivery, as far as it is known: complete also if something failed. */
export interface DeliveryResult {
  /** See the table in `docs/delivery.md`. */
  readonly status: 'posted' | 'accepted' | 'dry-run' | 'partial' | 'unknown' | 'failed'
  /** In the order of posting, those of an earlier attempt first. Together they hold every file that was to be sent. */
  readonly messages: readonly DeliveredMessage[]
  /** Of the checks before anything was posted. */
  readonly checks: readonly CheckResult[]
  /** Of a dry run: what the messages would say, each text once. */
  readonly comments?: readonly string[]
  /** One for each cause. */
  readonly problems: readonly Problem[]
  /** A later attempt posts only what is missing. */
  readonly rerunPostsMissing?: boolean
  /** This attempt posted nothing, though an earlier one may have posted what is `unknown`. */
  readonly postedNothing?: boolean
}

/** Bytes. A smaller file takes as long as its round trips, so many of them are staged at once. */
const smallFileBytes = 1_000_000
const largeFilesAtOnce = 2

type Options = Pick<ServiceOptions, 'deadline' | 'onEvent'>

/** Stages every file, then posts the messages in order, until one has an error. What an earlier attempt is seen to have posted is left out. */
export async function deliver(plan: Plan, service: MessagingService, options: Options): Promise<DeliveryResult> {
  const { deadline } = options
  const prepared = await prepare(plan, service, options)
  const { earlier, checks, staged } = prepared
  const before = earlier.messages
  const toPost = messagesFor(prepared, plan, service.limits)
  const posted = staged === undefined ? [] : await postAll(toPost, before, { deadline, plan, service })
  const rest = toPost.slice(posted.length).map((message) => allInState('not-sent', message))
  const attempted = [...posted, ...rest]
  const messages = [...before, ...(earlier.incomplete && !plan.dryRun ? attempted.map(mayBeEarlier) : attempted)]
  const problems = uniqueProblems([
    ...prepared.problems,
    ...(staged ? problemsOf(posted, toPost.length, deadline) : []),
    ...(isLaterAttempt(plan) ? duplicateWarnings(earlier, posted) : []),
    ...(plan.attempt === 1 ? noLookupWarnings(service.lookupProblem) : []),
  ])
  const failed = problems.some(isError)
  return {
    // A dry run posts nothing, whatever an earlier attempt posted.
    status: plan.dryRun && !failed ? 'dry-run' : statusOf(plan.dryRun ? [] : messages, failed, earlier),
    messages,
    checks,
    comments: plan.dryRun ? [...new Set(toPost.flatMap(({ comment }) => comment?.text ?? []))] : [],
    problems,
    postedNothing: earlier.incomplete !== undefined && !posted.some(({ postings }) => postings.some(mayBePosted)),
    rerunPostsMissing: plan.attempt !== undefined && service.lookupProblem === undefined,
  }
}

/** The message, in the same state in every channel. */
function allInState(state: Posting['state'], { channels, files }: Message): DeliveredMessage {
  return { files, postings: channels.map((channel) => ({ channel, state })) }
}

/** What this attempt did not post may be there, if what an earlier one posted could not be looked up. */
function mayBeEarlier(message: DeliveredMessage): DeliveredMessage {
  const unknown = (posting: Posting): Posting => (mayBePosted(posting) ? posting : { ...posting, state: 'unknown' })
  return { ...message, postings: message.postings.map(unknown) }
}

function mayBePosted({ state }: Posting): boolean {
  return state !== 'not-sent'
}

/** Also one whose number is `NaN`, which may be a later one. */
function isLaterAttempt({ attempt }: Plan): boolean {
  return attempt !== undefined && attempt !== 1
}

interface Preparation extends Pick<DeliveryResult, 'checks' | 'problems'> {
  readonly earlier: EarlierUploads
  readonly remaining: readonly RemainingFiles[]
  /** Absent if nothing may be posted: something failed, or it is a dry run. */
  readonly staged?: ReadonlyMap<FoundFile, ServiceFile>
}

/** Everything that can be done before anything is visible. A message that cannot be posted needs no upload. */
async function prepare(plan: Plan, service: MessagingService, { deadline, onEvent }: Options): Promise<Preparation> {
  const { files } = plan
  const isLater = isLaterAttempt(plan)
  let prepared: Preparation = {
    checks: [],
    problems: [],
    earlier: isLater ? { messages: [], incomplete: text`the run ended before that` } : { messages: [] },
    // Without channels until they are resolved.
    remaining: [{ files, channels: [] }],
  }
  try {
    const channels = await deadline.race(service.resolve(plan.channels))
    const earlier = isLater ? await deadline.race(service.findPosted(files, { ...plan, channels })) : prepared.earlier
    const remaining = isLater ? remainingFiles(files, channels, earlier.messages) : [{ files, channels }]
    prepared = { ...prepared, earlier, remaining }
    const needed = channels.filter((channel) => remaining.some((group) => group.channels.includes(channel)))
    const checks = await deadline.race(service.preflight(needed, files.length === 0 ? 'comment' : 'files'))
    prepared = { ...prepared, checks, problems: checks.flatMap(({ problem }) => problem ?? []) }
    if (prepared.problems.some(isError)) return prepared
    const toStage = remaining.flatMap((group) => group.files)
    onEvent({ kind: 'sending', bytes: toStage.reduce((sum, { size }) => sum + size, 0) })
    const staged = await deadline.race(stageAll(toStage, service, deadline.signal))
    return plan.dryRun ? prepared : { ...prepared, staged }
  } catch (error) {
    return { ...prepared, problems: deadline.problem ? [deadline.problem] : problemsOfError(error) }
  }
}

/** As soon as one fails, or the signal aborts, the others are given up. */
async function stageAll(
  files: readonly FoundFile[],
  service: MessagingService,
  signal: AbortSignal,
): Promise<ReadonlyMap<FoundFile, ServiceFile>> {
  const giveUp = new AbortController()
  const either = AbortSignal.any([giveUp.signal, signal])
  const stageSome = (isSmall: boolean, concurrency: number) =>
    pMap(
      files.filter(({ size }) => size < smallFileBytes === isSmall),
      async (file) => [file, await service.stage(file, either)] as const,
      { concurrency },
    )
  try {
    const staged = await Promise.all([stageSome(false, largeFilesAtOnce), stageSome(true, connectionsAtOnce)])
    return new Map(staged.flat())
  } catch (error) {
    giveUp.abort(error)
    throw error
  }
}

/** The messages in the order of posting. A channel with an earlier one has the comment already, if it goes with the first message. */
function messagesFor(
  { earlier, remaining, staged }: Preparation,
  plan: Plan,
  { commentGoesWith, filesPerMessage }: MessagingService['limits'],
): readonly Message[] {
  const commented = new Set(earlier.messages.flatMap(({ postings }) => postings.map(({ channel }) => channel.id)))
  const commentFor = (files: readonly FoundFile[], channels: readonly Channel[]) => {
    if (commentGoesWith === 'each message') return plan.commentFor(files)
    const isFirst = channels.some(({ id }) => !commented.has(id))
    for (const { id } of channels) commented.add(id)
    return isFirst ? plan.commentFor(plan.files) : undefined
  }
  return remaining.flatMap(({ channels, files }) =>
    // Without files, the comment is a message all the same.
    Array.from({ length: Math.ceil(files.length / filesPerMessage) || 1 }, (_, index): Message => {
      const together = files.slice(index * filesPerMessage, (index + 1) * filesPerMessage)
      const uploads = together.map((file) => staged?.get(file) ?? { file })
      return { channels, files: uploads, comment: commentFor(together, channels), threadTs: plan.threadTs }
    }),
  )
}

/** The results in order, up to and including the first with an error. */
async function postAll(
  messages: readonly Message[],
  earlier: readonly DeliveredMessage[],
  { deadline, plan, service }: { readonly deadline: Deadline; readonly plan: Plan; readonly service: MessagingService },
): Promise<readonly PostResult[]> {
  const results: PostResult[] = []
  for (const planned of messages) {
    if (deadline.signal.aborted || results.at(-1)?.problems.some(isError)) break
    const before = [...earlier, ...results]
    const number = before.length + 1
    const part = { number, count: earlier.length + messages.length, firstMessage: firstMessage(planned, before) }
    const comment = planned.comment ?? (number > 1 ? plan.continuationFor?.(part) : undefined)
    const result = await deadline
      .race(service.post({ ...planned, comment }))
      // After a bug in the action, or a request that hangs, the message may or may not have been posted.
      .catch((error: unknown) => ({ ...allInState('unknown', planned), problems: problemsOfError(error) }))
    results.push(result)
  }
  return results
}

/** The link to the first message in the same channel. People of one channel may not see another, so of several there is none. */
function firstMessage({ channels }: Message, before: readonly DeliveredMessage[]): string | undefined {
  const [only] = channels.length === 1 ? channels : []
  const postings = before.flatMap((message) => message.postings.filter(({ channel }) => channel.id === only?.id))
  return postings[0]?.permalink
}

/** The problems of the messages, and that of the deadline if it kept a message from being posted. */
function problemsOf(posted: readonly PostResult[], messages: number, deadline: Deadline): readonly Problem[] {
  const problems = posted.flatMap((result) => result.problems)
  const complete = posted.length === messages && !problems.some(isError)
  if (complete || deadline.problem === undefined) return problems
  // A request that was given up before it was sent failed because of the deadline, and for no other reason.
  const notSent = !posted.at(-1)?.postings.some(mayBePosted)
  return [...(notSent ? problems.filter((problem) => !isError(problem)) : problems), deadline.problem]
}

function statusOf(
  messages: readonly DeliveredMessage[],
  failed: boolean,
  { incomplete }: EarlierUploads,
): DeliveryResult['status'] {
  const states = new Set(messages.flatMap(({ postings }) => postings.map(({ state }) => state)))
  // If the channels could not be resolved, no message has a state.
  if (states.has('unknown') || (failed && messages.length > 0 && incomplete)) return 'unknown'
  if (failed) return states.has('posted') || states.has('accepted') ? 'partial' : 'failed'
  return states.has('accepted') ? 'accepted' : 'posted'
}
