import { isObject, type Json, listIn, numberIn, objectIn, textIn } from '../../json.ts'
import type { Problem } from '../../problem.ts'
import { code, type Text, text } from '../../text/text.ts'
import { isRefusal } from '../responses.ts'
import type { Channel, MessageTarget, ServiceFile, ServiceOptions } from '../service.ts'
import { idIn, linkIn, type WebApi } from './web-api.ts'

/** When a file is looked up, and how the log explains the wait. */
export interface Schedule {
  /** Milliseconds before each lookup. */
  readonly delays: readonly number[]
  /** Milliseconds that lookups may take which an outage or a rate limit slows down. Default: twice the time of the delays. */
  readonly maxTime?: number
  /** Continue after the last delay, at most for this time, until the file is absent. */
  readonly untilAbsent?: boolean
  /** What the lookups wait for. */
  readonly reason: Text
}

/** Milliseconds. Waits that end later are reported: most messages are visible by then. */
const reportAfter = 3_000

const seconds = (numbers: readonly number[]) => numbers.map((second) => second * 1_000)
/** Of a message that should be visible: at once, then less often, a minute in all. */
export const confirming: Schedule = {
  delays: seconds([0, 1, 1, 2, 3, 5, 8, 10, 10, 10, 10]),
  reason: text`it is not visible in every channel yet`,
}
/** To find out what became of a completion. The reason is its response. */
export const reconciling = { delays: seconds([1, 1, 2, 3, 5, 8, 10]), untilAbsent: true }
/** Of an upload of an earlier attempt that was looked up once: a minute, besides rate limits. What is not found is posted again. */
export const findingEarlier: Schedule = {
  delays: seconds([2, 4, 8, 16, 30]),
  maxTime: Number.POSITIVE_INFINITY,
  reason: text`not all files of an earlier attempt are visible in every channel`,
}
/** Milliseconds by which Slack's scan may delay a message: users report that it grows with the files. 1 s for 10 MB. */
export function scanTime(bytes: number): number {
  return bytes / 10_000
}

/** The schedule, extended by the time of the scan. */
export function forBytes(schedule: Schedule, bytes: number): Schedule {
  const more = Array.from({ length: Math.floor(scanTime(bytes) / 10_000) }, () => 10_000)
  return { ...schedule, delays: [...schedule.delays, ...more] }
}

/** Milliseconds without a break in which every lookup says that there is no such file, until it counts as absent. */
const absentAfter = 30_000
/** After this number of lookups, a file that is visible without a ts is enough: the ts may follow. */
const lookupsForTs = 6

/** What lookups showed of a file, or of all files of a message: the one definition of "seen". */
export interface LookupResult {
  /**
   * - `found`: the service has a record of the file. What was found once exists.
   * - `absent`: for 30 s without a break, the service did not know the file.
   */
  readonly result: 'found' | 'absent' | 'unknown'
  /** Lookups work: an answer was about the file, such as its record or `file_deleted`. */
  readonly worked: boolean
  /** The run had to end before the lookups were over. */
  readonly aborted: boolean
  /** The channels in which it was seen, whatever later lookups showed. */
  readonly shares: readonly FileShare[]
  /** The last record of each file that was found. */
  readonly records: readonly Json[]
  /** The last answer that was no record, unless it was that there is no such file. */
  readonly reason?: Text | undefined
  readonly lacksScope?: boolean | undefined
  /** How long it took. */
  readonly milliseconds: number
}

/** One answer to a lookup: the record of the file, `noSuchFile`, or the reason why it is neither. */
interface Answer extends Pick<LookupResult, 'lacksScope' | 'reason' | 'worked'> {
  readonly record?: Json
  /** Another lookup would have the same answer. */
  readonly isFinal?: true
}

const noSuchFile: Answer = { worked: true }

/** What the lookups of one file showed so far. */
interface Progress extends LookupResult {
  readonly lookups: number
  /** Milliseconds. Since then, every lookup said that there is no such file. */
  readonly missingSince: number
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

export const lacksScope: Text = text`the token lacks ${code('files:read')}. Add this scope to the app, reinstall the app, and use the new token`
const notAllowed: Answer = { worked: false, isFinal: true, reason: lacksScope, lacksScope: true }

/** Looks a file up until that is enough, another lookup is of no use, the schedule is over, or the run must end. */
export async function pollFile(
  { api, deadline: { clock, signal }, onEvent }: LookupDependencies,
  fileId: string,
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  const { delays, reason } = schedule
  const start = clock.now()
  let seen: Progress = { ...nothing, lookups: 0, missingSince: 0 }
  if (api.lacks('files:read')) return updated(seen, notAllowed, target, 0)
  for (;;) {
    const wait = delays[seen.lookups] ?? delays.at(-1) ?? 0
    const isLong = clock.now() - start + wait > reportAfter
    if (isLong && !signal.aborted) onEvent({ kind: 'lookups', milliseconds: windowOf(schedule), reason })
    await clock.sleep(wait, signal).catch(() => undefined)
    const sentAt = clock.now() - start
    if (signal.aborted) return { ...seen, aborted: true, milliseconds: sentAt }
    const answer = await lookUpFile(api, fileId, maxTimeOf(schedule) - sentAt)
    seen = updated({ ...seen, milliseconds: clock.now() - start }, answer, target, sentAt)
    if (isOver(seen, answer, target, schedule)) return seen
  }
}

/** Milliseconds that the schedule takes. */
function windowOf({ delays }: Schedule): number {
  return delays.reduce((sum, delay) => sum + delay, 0)
}

function maxTimeOf(schedule: Schedule): number {
  return schedule.maxTime ?? 2 * windowOf(schedule)
}

/** @param sentAt when the request of the answer was sent, as milliseconds */
function updated(seen: Progress, answer: Answer, target: MessageTarget, sentAt: number): Progress {
  const { lacksScope, reason, record = seen.records[0] } = answer
  const missingSince = answer === noSuchFile ? seen.missingSince : seen.milliseconds
  const isAbsent = answer === noSuchFile && sentAt - missingSince >= absentAfter
  return {
    ...seen,
    result: record ? 'found' : isAbsent ? 'absent' : 'unknown',
    worked: seen.worked || answer.worked,
    shares: sharesAfter(seen.shares, sharesIn(record, target), target),
    records: record ? [record] : [],
    reason,
    lacksScope,
    lookups: seen.lookups + 1,
    missingSince,
  }
}

/** What was seen once counts; a ts or a thread can follow. */
function sharesAfter(before: readonly FileShare[], now: readonly FileShare[], { channels }: MessageTarget) {
  return channels.flatMap(({ id }) => {
    const [earlier, later] = [before, now].map((shares) => shares.find(({ channel }) => channel.id === id))
    const isFinal = earlier?.ts !== undefined && (earlier.isInPlace || later?.ts === undefined)
    return (isFinal ? earlier : (later ?? earlier)) ?? []
  })
}

function isOver(seen: Progress, { isFinal, worked }: Answer, target: MessageTarget, schedule: Schedule): boolean {
  const { lookups, milliseconds, result } = seen
  if (isComplete(seen, target) || isFinal || milliseconds >= maxTimeOf(schedule)) return true
  if (schedule.untilAbsent && result !== 'found') return result === 'absent'
  return lookups >= schedule.delays.length || (worked && milliseconds >= windowOf(schedule))
}

/** Visible in every channel, with the ts of each, unless it does not come. */
function isComplete({ lookups, records, shares }: Progress, { channels }: MessageTarget): boolean {
  if (shares.length < channels.length) return false
  return isCutShort(records[0]) || lookups >= lookupsForTs || shares.every(({ ts }) => ts !== undefined)
}

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
async function lookUpFile(api: WebApi, fileId: string, maxWait: number): Promise<Answer> {
  const options = { safeToRepeat: true, maxAttempts: 1, maxWait }
  const result = await api.call('files.info', { file: fileId }, options)
  if (result.outcome === 'succeeded') {
    const record = objectIn(result.json, 'file')
    if (record === undefined) {
      return { worked: false, isFinal: true, reason: text`${'files.info'} responded without a file` }
    }
    if (textIn(record, 'id') === fileId) return { record, worked: true }
    return { worked: false, reason: text`${'files.info'} responded with another file` }
  }
  const reason = text`${result.code}`
  if (!isRefusal(result)) return { worked: false, reason }
  if (result.code === 'file_not_found') return noSuchFile
  if (result.code === 'missing_scope') return notAllowed
  if (result.outcome === 'no such method' || result.advice.aboutToken) return { worked: false, isFinal: true, reason }
  // A refusal with another status may come from a proxy.
  return { worked: result.status === 200, reason }
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

export function damagedFiles(files: readonly ServiceFile[]): readonly Problem[] {
  return files.filter(isDamaged).flatMap(({ file }) => {
    const what = text`${file.path} has ${file.size} bytes, but the service reports ${0}.`
    return [{ title: 'A file arrived damaged', text: text`${what}\nDelete it in the channel, and run the step again.` }]
  })
}
