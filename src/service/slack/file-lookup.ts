import { isObject, type Json, listIn, numberIn, objectIn, textIn } from '../../json.ts'
import type { Problem } from '../../problem.ts'
import { type Text, text } from '../../text/text.ts'
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

const seconds = (list: readonly number[]) => list.map((second) => second * 1_000)
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
   * - `unclear`: answers about the file that are neither, such as `file_deleted`. Lookups work.
   * - `not possible`: the token may not look it up, or the server offers no lookup.
   * - `no result`: no answer about the file, such as in an outage.
   */
  readonly result: 'found' | 'absent' | 'unclear' | 'not possible' | 'no result'
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

/** One answer to a lookup. */
interface Answer extends Pick<LookupResult, 'lacksScope' | 'reason'> {
  readonly kind: 'found' | 'missing' | 'unclear' | 'no result' | 'not possible'
  readonly record?: Json
}

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
  // An answer about a file that is not visible says more than a lookup without one.
  const deciding = hidden.find(isAnswered) ?? hidden[0] ?? seen[0] ?? nothing
  // A message of which one file is gone may be there with the others.
  const isAbsent = seen.every(({ result }) => result === 'absent')
  return {
    ...deciding,
    result: deciding.result === 'absent' && !isAbsent ? 'unclear' : deciding.result,
    aborted: seen.some(({ aborted }) => aborted),
    shares,
    records: seen.flatMap(({ records }) => records),
  }
}

/** Whether lookups work: the service gave an answer about the file. */
export function isAnswered({ result }: LookupResult): boolean {
  return result !== 'no result' && result !== 'not possible'
}

const nothing: LookupResult = { result: 'no result', aborted: false, shares: [], records: [], milliseconds: 0 }

const lacksScope: Answer = { kind: 'not possible', reason: text`${'missing_scope'}`, lacksScope: true }

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
  if (api.lacks('files:read')) return updated(seen, lacksScope, target, 0)
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
  const { kind, lacksScope, reason, record = seen.records[0] } = answer
  const missingSince = kind === 'missing' ? seen.missingSince : seen.milliseconds
  const shown = sharesIn(record, target)
  const shares = target.channels.flatMap(({ id }) => {
    const [before, now] = [seen.shares, shown].map((list) => list.find(({ channel }) => channel.id === id))
    const isFinal = before?.ts !== undefined && (before.isInPlace || now?.ts === undefined)
    return (isFinal ? before : (now ?? before)) ?? []
  })
  return {
    ...seen,
    result: resultAfter(seen, answer, sentAt - missingSince),
    shares,
    records: record === undefined ? [] : [record],
    reason,
    lacksScope,
    lookups: seen.lookups + 1,
    missingSince,
  }
}

/** @param missingFor milliseconds */
function resultAfter(seen: LookupResult, { kind }: Answer, missingFor: number): LookupResult['result'] {
  if (kind === 'found' || seen.result === 'found') return 'found'
  if (kind === 'missing') return missingFor >= absentAfter ? 'absent' : 'unclear'
  return isAnswered(seen) ? 'unclear' : kind
}

function isOver(seen: Progress, { kind }: Answer, target: MessageTarget, schedule: Schedule): boolean {
  const { lookups, milliseconds, result } = seen
  if (isComplete(seen, target) || kind === 'not possible') return true
  if (milliseconds >= maxTimeOf(schedule)) return true
  if (schedule.untilAbsent && result !== 'found') return result === 'absent'
  return lookups >= schedule.delays.length || (kind !== 'no result' && milliseconds >= windowOf(schedule))
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
    if (record === undefined) return { kind: 'not possible', reason: text`${'files.info'} responded without a file` }
    if (textIn(record, 'id') === fileId) return { kind: 'found', record }
    return { kind: 'no result', reason: text`${'files.info'} responded with another file` }
  }
  const reason = text`${result.code}`
  if (!isRefusal(result)) return { kind: 'no result', reason }
  if (result.code === 'file_not_found') return { kind: 'missing' }
  if (result.code === 'missing_scope') return lacksScope
  if (result.outcome === 'no such method' || result.advice.aboutToken) return { kind: 'not possible', reason }
  // A refusal with another status may come from a proxy.
  return { kind: result.status === 200 ? 'unclear' : 'no result', reason }
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
export function serviceFile(known: ServiceFile, record: Json | undefined): ServiceFile {
  return {
    file: known.file,
    id: idIn(record, 'id') ?? known.id,
    permalink: linkIn(record, 'permalink') ?? known.permalink,
    size: numberIn(record, 'size') ?? known.size,
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

/** A file of another size at the service is damaged: people would read something else than was sent. */
export function damagedFiles(files: readonly ServiceFile[]): readonly Problem[] {
  return files.flatMap(({ file, size }) => {
    if (size === undefined || size === file.size) return []
    const what = text`${file.path} has ${file.size} bytes, but the service reports ${size}.`
    return [{ title: 'A file arrived damaged', text: text`${what}\nDelete it in the channel, and run the step again.` }]
  })
}
