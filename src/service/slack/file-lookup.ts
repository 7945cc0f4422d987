import { isObject, type Json, listIn, numberIn, objectIn, textIn } from '../../json.ts'
import { code, type Text, text, words } from '../../text/text.ts'
import { maxResponseMebibytes } from '../http/transfer.ts'
import { type CallResult, isRefusal } from '../responses.ts'
import type { Channel, MessageTarget, ServiceFile, ServiceOptions } from '../service.ts'
import { idIn, linkIn, type WebApi } from './web-api.ts'

/** When a file is looked up, and how the log explains the wait. All times in milliseconds. */
export interface Schedule {
  /** Before each lookup; the last one again and again. */
  readonly delays: readonly number[]
  /** How long lookups take that are answered. */
  readonly window: number
  /** How long they take at most as long as the file is not processed. */
  readonly processing: number
  /** Continue after the window until the file is absent. */
  readonly untilAbsent?: boolean
  /** Of the files of the message: each time is longer for large ones. */
  readonly bytes: number
  /** What the lookups wait for. */
  readonly reason: Text
}

const seconds = (numbers: readonly number[]) => numbers.map((second) => second * 1_000)
/** Of a message that should be visible: at once, then less often. */
export const confirming = {
  ...{ delays: seconds([0, 1, 1, 2, 3, 5, 8, 10]), window: 60_000, processing: 180_000 },
  reason: text`it is not visible in every channel yet`,
}
/** To find out what became of a completion. The reason is its response. */
export const reconciling = {
  ...{ delays: seconds([1, 1, 2, 3, 5, 8, 10]), window: 30_000, processing: 180_000 },
  untilAbsent: true,
}

/** Waits that end later are reported: most messages are visible by then. */
const reportAfter = 3_000
/** How long every lookup says that there is no such file, without a break, until it counts as absent. */
const absentAfter = 30_000
/** How long lookups go on at least after one that showed the file unprocessed: its message can follow. */
const afterUnprocessed = 30_000
/** After so many lookups that show a file in every channel, its ts and its thread are not waited for any more. */
const lookupsForTs = 6

/** By which Slack's scan may delay a message: users report that it grows with the files. 1 s for 10 MB. */
export function scanTime(bytes: number): number {
  return Math.floor(bytes / 10_000_000) * 1_000
}

/** What lookups showed of a file, or of all files of a message: the one definition of "seen". */
export interface LookupResult {
  /**
   * - `found`: the service has a record of the file. What was found once exists.
   * - `absent`: for 30 s and longer without a break, the service did not know the file.
   */
  readonly result: 'found' | 'absent' | 'unknown'
  /** Lookups work: the last record, or an answer after it such as `file_deleted`, is what is known. After an outage, nothing is. */
  readonly worked: boolean
  /** The run had to end before the lookups were over. */
  readonly aborted: boolean
  /** The channels in which it was seen, whatever later lookups showed. */
  readonly shares: readonly FileShare[]
  /** The last record of each file that was found. */
  readonly records: readonly Json[]
  /** The last answer that was no record, unless it was that there is no such file. */
  readonly reason?: Text | undefined
  /** How long it took. */
  readonly milliseconds: number
}

/** One answer to a lookup: the record of the file, the reason why there is none, or neither: there is no such file. */
interface Answer extends Pick<LookupResult, 'reason' | 'worked'> {
  readonly record?: Json
  /** Another lookup would have the same answer. */
  readonly isFinal?: boolean
}

interface Lookup extends Answer {
  /** When it was sent, and when its answer came: milliseconds since the first one. */
  readonly sentAt: number
  readonly at: number
  /** What was seen so far. */
  readonly shares: readonly FileShare[]
}

export interface LookupDependencies extends Pick<ServiceOptions, 'deadline' | 'onEvent'> {
  readonly api: WebApi
}

/** Looks the files of one message up: what is seen of the message is what is seen of each of them. */
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
  // If the first file is not visible because of an outage, and the second was deleted, the second says more.
  const deciding = hidden.find(({ worked }) => worked) ?? hidden[0] ?? seen[0] ?? nothing
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

const nothing = { result: 'unknown', worked: false, aborted: false, shares: [], records: [], milliseconds: 0 } as const

/** Compared by identity: it is handed on as it is. */
export const lacksScope: Text = text`the token lacks ${code('files:read')}. Add this scope to the app, reinstall the app, and use the new token`

/** Looks a file up until that is enough, another lookup is of no use, the schedule is over, or the run must end. */
export async function pollFile(
  { api, deadline: { clock, signal }, onEvent }: LookupDependencies,
  fileId: string,
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  if (api.lacks('files:read')) return { ...nothing, reason: lacksScope }
  const { delays, reason } = schedule
  const start = clock.now()
  const lookups: Lookup[] = []
  let waited = 0
  while (!isOver(lookups, target, schedule, waited)) {
    const { limit, maxTime, window } = timesOf(lookups, schedule)
    const wait = Math.min(delays[lookups.length] ?? delays.at(-1) ?? 0, limit - waited)
    waited += wait
    const isLong = clock.now() - start + wait > reportAfter
    if (isLong && !signal.aborted) onEvent({ kind: 'lookups', milliseconds: window, reason })
    await clock.sleep(wait, signal).catch(() => undefined)
    const sentAt = clock.now() - start
    if (signal.aborted) return { ...resultOf(lookups, schedule), aborted: true, milliseconds: sentAt }
    const answer = await lookUpFile(api, fileId, maxTime - sentAt)
    const shares = sharesAfter(lookups.at(-1)?.shares ?? [], sharesIn(answer.record, target), target)
    lookups.push({ ...answer, sentAt, at: clock.now() - start, shares })
  }
  return resultOf(lookups, schedule)
}

/** What was seen once counts; a ts or a thread can follow. */
function sharesAfter(before: readonly FileShare[], now: readonly FileShare[], { channels }: MessageTarget) {
  return channels.flatMap(({ id }) => {
    const [earlier, later] = [before, now].map((shares) => shares.find(({ channel }) => channel.id === id))
    const isFinal = earlier?.ts !== undefined && (earlier.isInPlace || later?.ts === undefined)
    return (isFinal ? earlier : (later ?? earlier)) ?? []
  })
}

function resultOf(lookups: readonly Lookup[], { bytes }: Schedule): LookupResult {
  const last = lookups.at(-1)
  if (last === undefined) return nothing
  const { at, isFinal, reason, sentAt, shares } = last
  const missingSince = lookups.findLast((lookup) => lookup.record ?? lookup.reason)?.at ?? 0
  const isAbsent = sentAt - missingSince >= absentAfter + scanTime(bytes)
  // An outage after the last record says that nothing is known about the message any more.
  const lastWorked = lookups.findLast((lookup) => lookup.worked)
  const worked = !isFinal && lastWorked !== undefined && (lastWorked === last || !lastWorked.record)
  const seen = { worked, aborted: false, shares, reason, milliseconds: at }
  const record = lookups.findLast((lookup) => lookup.record)?.record
  if (record !== undefined) return { ...seen, result: 'found', records: [record] }
  return { ...seen, result: isAbsent ? 'absent' : 'unknown', records: [] }
}

/** When the schedule is over: `limit` counts the delays only. */
function timesOf(lookups: readonly Lookup[], schedule: Schedule) {
  const { bytes, processing, untilAbsent } = schedule
  const unprocessedAt = lookups.findLast(({ record }) => isUnprocessed(record))?.at ?? Number.NEGATIVE_INFINITY
  const scan = scanTime(bytes)
  const window = Math.max(schedule.window, Math.min(unprocessedAt + afterUnprocessed, processing)) + scan
  // An outage or a rate limit can slow the lookups down.
  const maxTime = Math.max(2 * (schedule.window + scan), window)
  const isFound = lookups.some(({ record }) => record)
  return { window, maxTime, limit: untilAbsent && !isFound ? maxTime : window }
}

function isOver(lookups: readonly Lookup[], target: MessageTarget, schedule: Schedule, waited: number): boolean {
  const last = lookups.at(-1)
  if (last === undefined) return false
  const { limit, maxTime } = timesOf(lookups, schedule)
  if (isComplete(lookups, target) || last.isFinal || last.at >= maxTime) return true
  if (schedule.untilAbsent && resultOf(lookups, schedule).result === 'absent') return true
  return waited >= limit || (last.worked && last.at >= limit)
}

/** Visible in every channel, with the ts of each, and in the thread, unless these do not come. */
function isComplete(lookups: readonly Lookup[], { channels }: MessageTarget): boolean {
  const visible = lookups.filter(({ shares }) => shares.length === channels.length)
  if (visible.length >= lookupsForTs) return true
  const last = visible.at(-1)
  const isKnown = ({ isInPlace, ts }: FileShare) => ts !== undefined && isInPlace !== false
  return last !== undefined && (isCutShort(last.record) || last.shares.every(isKnown))
}

/** The service has not looked at the content yet. Other servers may lack both members. */
export function isUnprocessed(record: Json | undefined): boolean {
  return record?.['mimetype'] === '' && record['filetype'] === ''
}

const used = 'id permalink size mimetype filetype shares has_more_shares channels groups ims'.split(' ')

/** What is used of a record: the rest can be megabytes. */
function usedOf(record: Json): Json {
  return Object.fromEntries(used.flatMap((name) => (name in record ? [[name, record[name]]] : [])))
}

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookUpFile(api: WebApi, fileId: string, maxWait: number): Promise<Answer> {
  const limits = { safeToRepeat: true, maxAttempts: 1, maxWait }
  return answerOf(await api.call('files.info', { file: fileId }, limits), fileId)
}

function answerOf(result: CallResult, fileId: string): Answer {
  if (result.outcome === 'succeeded') {
    const record = objectIn(result.json, 'file')
    const reason = text`${'files.info'} responded ${words(record ? 'with another file' : 'without a file')}`
    if (record === undefined || textIn(record, 'id') !== fileId) return { worked: false, isFinal: !record, reason }
    return { worked: true, record: usedOf(record) }
  }
  const isTooLong = result.code === 'too_long'
  const reason = isTooLong
    ? text`the record of the file has more than ${maxResponseMebibytes} MiB`
    : text`${result.code}`
  if (isTooLong || !isRefusal(result)) return { worked: false, isFinal: isTooLong, reason }
  if (result.code === 'file_not_found') return { worked: true }
  if (result.code === 'missing_scope') return { worked: false, isFinal: true, reason: lacksScope }
  const isFinal = result.outcome === 'no such method' || result.advice.about === 'token'
  // A refusal with another status may come from a proxy.
  return { worked: result.status === 200 && !isFinal, isFinal, reason }
}

/** A channel in which a file was seen. */
export interface FileShare {
  readonly channel: Channel
  /** Of the message. Absent if the service lists the channel without it. */
  readonly ts?: string | undefined
  /** Whether the message is where it belongs: with a `threadTs`, in this thread. Absent as long as the service does not say. */
  readonly isInPlace?: boolean | undefined
}

/** A file with what its record at the service says about it. */
export function serviceFile(before: ServiceFile, record: Json | undefined): ServiceFile {
  return {
    file: before.file,
    id: idIn(record, 'id') ?? before.id,
    permalink: linkIn(record, 'permalink') ?? before.permalink,
    size: numberIn(record, 'size') ?? before.size,
  }
}

/**
 * The channels in which the record of a file shows it. `shares.public` and `shares.private` hold a list of messages for
 * each channel. They can be late, or cut short (`has_more_shares`); `channels`, `groups` and `ims` list the channels of
 * all messages, without a ts. https://docs.slack.dev/reference/objects/file-object/
 */
export function sharesIn(record: Json | undefined, { channels, threadTs }: MessageTarget): readonly FileShare[] {
  const listed = ['channels', 'groups', 'ims'].flatMap((name) => listIn(record, name))
  return channels.flatMap((channel): readonly FileShare[] => {
    const messages = ['public', 'private']
      .flatMap((visibility) => listIn(objectIn(objectIn(record, 'shares'), visibility), channel.id))
      .filter(isObject)
      .filter((message) => idIn(message, 'ts') !== undefined)
    if (messages.length === 0 && !listed.includes(channel.id)) return []
    const reply = messages.find((message) => threadTs === undefined || textIn(message, 'thread_ts') === threadTs)
    const isUndecided = reply === undefined && (messages.length === 0 || isCutShort(record))
    const isInPlace = threadTs === undefined || (isUndecided ? undefined : reply !== undefined)
    return [{ channel, ts: idIn(reply ?? messages[0], 'ts'), isInPlace }]
  })
}

/** Whether a record does not list all shares, and never will. */
function isCutShort(record: Json | undefined): boolean {
  return record?.['has_more_shares'] === true
}

/** Any other size says nothing: Slack removes the metadata of photos. */
export function isDamaged({ file, size }: ServiceFile): boolean {
  return size === 0 && file.size > 0
}
