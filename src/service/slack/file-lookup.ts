import { type Json, objectIn, textIn } from '../../json.ts'
import { type Text, text, words } from '../../text/text.ts'
import {
  type FileShare,
  isCutShort,
  isUnprocessed,
  type LookupResult,
  lacksScope,
  nothingSeen,
  sharesIn,
  usedOf,
} from '../record.ts'
import { type CallResult, isRefusal } from '../responses.ts'
import type { MessageTarget, ServiceOptions } from '../service.ts'
import type { WebApi } from '../web-api.ts'

/** When a file is looked up, and how the log explains the wait. All times in milliseconds. */
export interface Schedule {
  /** Before each lookup; the last one again and again. */
  readonly delays: readonly number[]
  /** How long lookups go on if the service answers them. */
  readonly window: number
  /** Until the file is found or absent, continue after the window. */
  readonly untilAbsent?: boolean
  /** Of all files of the message: with large ones, each time is longer. */
  readonly bytes: number
  /** What the lookups wait for. */
  readonly reason: Text
}

const seconds = (numbers: readonly number[]) => numbers.map((second) => second * 1_000)
/** For a message that should be visible: at once, then less often. */
export const confirming = {
  delays: seconds([0, 1, 1, 2, 3, 5, 8, 10]),
  window: 60_000,
  reason: text`it is not visible in every channel yet`,
}
/** To find out what became of a completion. The reason is its response. */
export const reconciling = {
  delays: seconds([1, 1, 2, 3, 5, 8, 10]),
  window: 30_000,
  untilAbsent: true,
}

/** Waits that end later are reported: most messages are visible by then. */
const reportAfter = 3_000
/** For so long, each lookup must say that there is no such file, until it counts as absent. */
const absentAfter = 30_000
/** Lookups go on for so long after one that showed the file unprocessed: its message can follow. */
const afterUnprocessed = 30_000
/** Lookups end after this time, also if the file is not processed by then. */
const maxProcessing = 180_000
/**
 * After so many lookups that show a file in every channel, nothing waits for its ts and thread any
 * more.
 */
const lookupsForTs = 6

/**
 * Milliseconds by which Slack's scan may delay a message: 1 s for 10 MB. Users report that it grows
 * with the files.
 */
export function scanTime(bytes: number): number {
  return Math.floor(bytes / 10_000_000) * 1_000
}

/**
 * The answer to a lookup: the record of the file, or the reason why there is none. If it has
 * neither, the service knows no such file.
 */
interface Answer extends Pick<LookupResult, 'reason' | 'worked'> {
  readonly record?: Json
  /** Another lookup would have the same answer. */
  readonly isFinal?: boolean
}

/** What the lookups of a file have shown so far. */
interface Progress {
  /** How many there were. */
  readonly count: number
  readonly last: Answer
  /** When the last one was sent, and when it was answered: milliseconds since the first one. */
  readonly sentAt: number
  readonly answeredAt: number
  /** When the last answer came that was not "no such file". */
  readonly missingSince: number
  /** When the file was last seen unprocessed. */
  readonly unprocessedAt: number
  /** The last record. */
  readonly record?: Json | undefined
  /** Whether the last lookup that worked had no record. */
  readonly workedWithoutRecord: boolean
  readonly shares: readonly FileShare[]
  /** How many lookups showed the file in every channel. */
  readonly timesVisible: number
}

const beginning: Progress = {
  count: 0,
  last: { worked: false },
  sentAt: 0,
  answeredAt: 0,
  missingSince: 0,
  unprocessedAt: Number.NEGATIVE_INFINITY,
  workedWithoutRecord: false,
  shares: [],
  timesVisible: 0,
}

export interface LookupDependencies extends Pick<ServiceOptions, 'deadline' | 'onEvent'> {
  readonly api: WebApi
}

/** Looks up the files of one message. The message is seen where each of its files is seen. */
export async function pollFiles(
  deps: LookupDependencies,
  fileIds: readonly string[],
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  const seen = await Promise.all(fileIds.map((id) => pollFile(deps, id, target, schedule)))
  const shares = target.channels.flatMap(({ id }) => {
    const inChannel = seen.map((file) => file.shares.find(({ channel }) => channel.id === id))
    return inChannel.every((share) => share !== undefined) ? inChannel.slice(0, 1) : []
  })
  const hidden = seen.filter((file) => file.shares.length < target.channels.length)
  // Such as a first file that an outage hides, and a second one that was deleted: the second says
  // more.
  const deciding = hidden.find(({ worked }) => worked) ?? hidden[0] ?? seen[0] ?? nothingSeen
  // A message of which one file is gone may be there with the others.
  const isAbsent = seen.every(({ result }) => result === 'absent')
  return {
    ...deciding,
    result: deciding.result === 'absent' && !isAbsent ? 'unknown' : deciding.result,
    aborted: seen.some(({ aborted }) => aborted),
    shares,
    records: seen.flatMap(({ records }) => records),
  }
}

/**
 * Looks a file up until it is visible everywhere, another lookup would say the same, the schedule
 * is over, or the run must end.
 */
export async function pollFile(
  { api, deadline: { clock, signal }, onEvent }: LookupDependencies,
  fileId: string,
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  if (api.lacks('files:read')) return { ...nothingSeen, reason: lacksScope }
  const { delays, reason } = schedule
  const start = clock.now()
  let progress = beginning
  let waited = 0
  do {
    const { limit, maxTime, window } = timesOf(progress, schedule)
    const wait = Math.min(delays[progress.count] ?? delays.at(-1) ?? 0, limit - waited)
    waited += wait
    const isLong = clock.now() - start + wait > reportAfter
    if (isLong && !signal.aborted) onEvent({ kind: 'lookups', milliseconds: window, reason })
    await clock.sleep(wait, signal).catch(() => undefined)
    const sentAt = clock.now() - start
    if (signal.aborted)
      return { ...lookupResult(progress, schedule), aborted: true, milliseconds: sentAt }
    const answer = await lookUpFile(api, fileId, maxTime - sentAt)
    progress = advance(progress, answer, { sentAt, answeredAt: clock.now() - start }, target)
  } while (!isOver(progress, schedule, waited))
  return lookupResult(progress, schedule)
}

function advance(
  before: Progress,
  last: Answer,
  times: Pick<Progress, 'sentAt' | 'answeredAt'>,
  target: MessageTarget,
): Progress {
  const { reason, record, worked } = last
  const shares = sharesAfter(before.shares, sharesIn(record, target), target)
  const isVisible = shares.length === target.channels.length
  return {
    ...times,
    count: before.count + 1,
    last,
    missingSince: record || reason ? times.answeredAt : before.missingSince,
    unprocessedAt: isUnprocessed(record) ? times.answeredAt : before.unprocessedAt,
    record: record ?? before.record,
    workedWithoutRecord: worked ? record === undefined : before.workedWithoutRecord,
    shares,
    timesVisible: before.timesVisible + Number(isVisible),
  }
}

/**
 * A channel that was seen once counts. Its ts and its thread can follow, and a known ts is never
 * replaced by none.
 */
function sharesAfter(
  before: readonly FileShare[],
  now: readonly FileShare[],
  { channels }: MessageTarget,
) {
  return channels.flatMap(({ id }) => {
    const [earlier, later] = [before, now].map((shares) =>
      shares.find(({ channel }) => channel.id === id),
    )
    const isFinal = earlier?.ts !== undefined && (earlier.isInPlace || later?.ts === undefined)
    return (isFinal ? earlier : (later ?? earlier)) ?? []
  })
}

function lookupResult(progress: Progress, { bytes }: Schedule): LookupResult {
  const { answeredAt, last, missingSince, record, sentAt, shares, workedWithoutRecord } = progress
  const isAbsent = sentAt - missingSince >= absentAfter + scanTime(bytes)
  return {
    result: record ? 'found' : isAbsent ? 'absent' : 'unknown',
    // An outage after the last record says that nothing is known about the message any more.
    worked: !last.isFinal && (last.worked || workedWithoutRecord),
    aborted: false,
    shares,
    records: record ? [record] : [],
    reason: last.reason,
    milliseconds: answeredAt,
  }
}

/**
 * When the schedule is over: after `maxTime` at the latest. After a lookup that worked, `limit`
 * counts all of the time, else only the delays.
 */
function timesOf({ record, unprocessedAt }: Progress, schedule: Schedule) {
  const { bytes, untilAbsent } = schedule
  const scan = scanTime(bytes)
  const afterLast = Math.min(unprocessedAt + afterUnprocessed, maxProcessing)
  const window = Math.max(schedule.window, afterLast) + scan
  // An outage or a rate limit can slow the lookups down.
  const maxTime = Math.max(2 * (schedule.window + scan), window)
  return { window, maxTime, limit: untilAbsent && !record ? maxTime : window }
}

function isOver(progress: Progress, schedule: Schedule, waited: number): boolean {
  const { answeredAt, last } = progress
  const { limit, maxTime } = timesOf(progress, schedule)
  if (isComplete(progress) || last.isFinal || answeredAt >= maxTime) return true
  if (schedule.untilAbsent && lookupResult(progress, schedule).result === 'absent') return true
  return waited >= limit || (last.worked && answeredAt >= limit)
}

/** Visible in every channel, with each ts, and in the thread, unless these stay away for long. */
function isComplete({ last, shares, timesVisible }: Progress): boolean {
  if (timesVisible === 0) return false
  const isKnown = ({ isInPlace, ts }: FileShare) => ts !== undefined && isInPlace !== false
  return timesVisible >= lookupsForTs || isCutShort(last.record) || shares.every(isKnown)
}

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookUpFile(api: WebApi, fileId: string, maxWait: number): Promise<Answer> {
  const limits = { safeToRepeat: true, maxAttempts: 1, maxWait }
  return answerOf(await api.call('files.info', { file: fileId }, limits), fileId)
}

function answerOf(result: CallResult, fileId: string): Answer {
  if (result.outcome === 'succeeded') {
    const record = objectIn(result.json, 'file')
    const reason = text`\`files.info\` responded ${words(record ? 'with another file' : 'without a file')}`
    // A server that gives no file never will. Another file may come from a cache.
    if (record === undefined || textIn(record, 'id') !== fileId)
      return { worked: false, isFinal: !record, reason }
    return { worked: true, record: usedOf(record) }
  }
  const reason = text`${result.code}`
  if (!isRefusal(result)) return { worked: false, reason }
  if (result.code === 'file_not_found') return { worked: true }
  if (result.code === 'missing_scope') return { worked: false, isFinal: true, reason: lacksScope }
  const isFinal = result.outcome === 'no such method' || result.advice.about === 'token'
  // A refusal with another status may come from a proxy.
  return { worked: result.status === 200 && !isFinal, isFinal, reason }
}
