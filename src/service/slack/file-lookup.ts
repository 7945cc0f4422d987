import { type Json, objectIn, textIn } from '../../json.ts'
import { type Text, text } from '../../text/text.ts'
import {
  isCutShort,
  isUnprocessed,
  keptOf,
  type LookupResult,
  nothingSeen,
  type Sighting,
  sightingsIn,
} from '../record.ts'
import { type CallResult, isRefusal } from '../responses.ts'
import type { MessageTarget } from '../service.ts'
import type { ServiceDependencies } from '../web-api.ts'

/** All times are in milliseconds. */
export interface Schedule {
  /** Before each lookup; the last one repeats. There is at least one. */
  readonly delays: readonly number[]
  /** Longer if the file is not processed by then. */
  readonly window: number
  /** End as soon as the file is absent, because the completion failed. */
  readonly untilAbsent?: boolean
  /** Of all files of the message, for `scanTime`. */
  readonly bytes: number
  readonly reason: Text
}

export const usualTimes = {
  delays: [0, 1, 0.5, 0.5, 1, 2, 5, 10].map((seconds) => seconds * 1_000),
  window: 60_000,
}

/** A lookup must be answered within this time after the end. */
const maxOverrun = 5_000
/** A file is absent if lookups found no such file for this long, plus `scanTime`. */
const absentAfter = 30_000
/**
 * The end is at least this long, plus `scanTime`, after a lookup that showed the file unprocessed
 * or, with `untilAbsent`, got no answer. A second more than `absentAfter`: a timer can end early.
 */
const endAfterOpen = 31_000
/** The latest such end, from the start, plus `scanTime`. A longer `window` wins. */
const latestEndAfterOpen = 180_000
/** Without a ts or a thread, a message is complete this long after it was seen in every channel. */
const completeAfter = 12_000
/** A wait that ends sooner is not reported. Most messages are visible by then. */
const reportAfter = 3_000

/**
 * Milliseconds by which Slack's scan may delay a message: 1 s for 10 MB. Users report that it grows
 * with the files.
 */
export function scanTime(bytes: number): number {
  return Math.floor(bytes / 10_000_000) * 1_000
}

interface Answer extends Pick<LookupResult, 'lacksScope' | 'reason'> {
  /**
   * - `found`: a record.
   * - `missing`: no such file.
   * - `refused`: another answer, like `file_deleted`. Lookups go on.
   * - `none`: no answer, for example in an outage.
   * - `never`: no answer, and none from another lookup: they end.
   */
  readonly kind: 'found' | 'missing' | 'refused' | 'none' | 'never'
  /** With `found`: what is kept of the record, and where it shows the message. */
  readonly record?: Json
  readonly sightings?: readonly Sighting[]
}

/** Times are milliseconds since the lookups began. */
interface Lookup extends Answer {
  readonly sentAt: number
  readonly answeredAt: number
}

type LookupDependencies = Pick<ServiceDependencies, 'api' | 'deadline' | 'onEvent'>

/** A message is seen where each of its files is seen. */
export async function pollFiles(
  deps: LookupDependencies,
  fileIds: readonly string[],
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  const results = await Promise.all(fileIds.map((id) => pollFile(deps, id, target, schedule)))
  const sightings = target.channels.flatMap(({ id }) => {
    const inChannel = results.map((file) => file.sightings.find(({ channel }) => channel.id === id))
    return inChannel.every((sighting) => sighting !== undefined) ? inChannel.slice(0, 1) : []
  })
  const hidden = results.filter((file) => file.sightings.length < target.channels.length)
  // A deleted file says more than one that an outage hides.
  const deciding =
    hidden.find(({ isConclusive }) => isConclusive) ?? hidden[0] ?? results[0] ?? nothingSeen
  return {
    ...deciding,
    // With one file gone, the message may be there with the others.
    isAbsent: results.every(({ isAbsent }) => isAbsent),
    aborted: results.some(({ aborted }) => aborted),
    sightings,
    records: results.flatMap(({ records }) => records),
  }
}

/** First waits, next looks up, until `isOver`, or until the run ends in a wait. */
export async function pollFile(
  { api, deadline: { clock, requestSignal, signal }, onEvent }: LookupDependencies,
  fileId: string,
  target: MessageTarget,
  schedule: Schedule,
): Promise<LookupResult> {
  if (api.lacks('files:read')) return { ...nothingSeen, lacksScope: true }
  const { delays, reason } = schedule
  const start = clock.now()
  const elapsed = () => clock.now() - start
  const lookups: Lookup[] = []
  do {
    const end = endOf(lookups, schedule)
    const delay = (delays[lookups.length] ?? delays.at(-1)) as number
    const wait = Math.min(delay, end - elapsed())
    if (elapsed() + wait > reportAfter && !signal.aborted)
      onEvent({ kind: 'lookups', milliseconds: end, reason })
    await clock.sleep(wait, signal).catch(() => undefined)
    const sentAt = elapsed()
    if (signal.aborted)
      return { ...lookupResult(lookups, schedule, target), aborted: true, milliseconds: sentAt }
    const maxTime = end + maxOverrun - sentAt
    const options = { safeToRepeat: true, maxFailures: 1, maxTime, signal: requestSignal }
    const response = await api.call('files.info', { file: fileId }, options)
    lookups.push({ ...answerOf(response, fileId, target), sentAt, answeredAt: elapsed() })
  } while (!isOver(lookups, schedule, target))
  const milliseconds = elapsed()
  return { ...lookupResult(lookups, schedule, target), aborted: false, milliseconds }
}

function isOver(lookups: readonly Lookup[], schedule: Schedule, target: MessageTarget): boolean {
  const { answeredAt = 0, kind } = lookups.at(-1) ?? {}
  return (
    kind === 'never' ||
    answeredAt >= endOf(lookups, schedule) ||
    (schedule.untilAbsent === true && isAbsent(lookups, schedule)) ||
    isComplete(lookups, target)
  )
}

/** The end of the lookups as far as is known, in milliseconds from their start. */
function endOf(lookups: readonly Lookup[], { bytes, untilAbsent, window }: Schedule): number {
  const open = lookups.findLast(
    ({ kind, record }) => isUnprocessed(record) || (untilAbsent && kind === 'none'),
  )
  const prolonged = open ? open.answeredAt + endAfterOpen : 0
  return Math.max(window, Math.min(prolonged, latestEndAfterOpen)) + scanTime(bytes)
}

/** The service never had a record, and said so for long enough without a break. */
function isAbsent(lookups: readonly Lookup[], { bytes }: Schedule): boolean {
  const { sentAt = 0 } = lookups.at(-1) ?? {}
  const { answeredAt = 0 } = lookups.findLast(({ kind }) => kind !== 'missing') ?? {}
  const isFound = lookups.some(({ kind }) => kind === 'found')
  return !isFound && sentAt - answeredAt >= absentAfter + scanTime(bytes)
}

/** First, it must be visible in every channel. Next, one more condition is enough. */
function isComplete(lookups: readonly Lookup[], target: MessageTarget): boolean {
  const isEverywhere = (sightings: readonly Sighting[]) =>
    sightings.length === target.channels.length
  const sightings = sightingsOf(lookups, target)
  if (!isEverywhere(sightings)) return false
  const isKnown = ({ isInPlace, ts }: Sighting) => ts !== undefined && isInPlace !== false
  const now = lookups.at(-1)?.answeredAt ?? 0
  const isLongAgo = ({ answeredAt }: Lookup) => now - answeredAt >= completeAfter
  return (
    sightings.every(isKnown) ||
    isCutShort(lastRecord(lookups)) ||
    isEverywhere(sightingsOf(lookups.filter(isLongAgo), target))
  )
}

function lookupResult(lookups: readonly Lookup[], schedule: Schedule, target: MessageTarget) {
  const last = lookups.at(-1)
  const answered = lookups.findLast(({ kind }) => kind !== 'none')
  const record = lastRecord(lookups)
  return {
    isAbsent: isAbsent(lookups, schedule),
    isConclusive:
      answered !== undefined &&
      answered.kind !== 'never' &&
      (answered === last || answered.kind !== 'found'),
    sightings: sightingsOf(lookups, target),
    records: record ? [record] : [],
    reason: last?.reason,
    lacksScope: last?.lacksScope,
  }
}

function lastRecord(lookups: readonly Lookup[]): Json | undefined {
  return lookups.findLast(({ record }) => record)?.record
}

/** Seen once is enough. ts and thread can follow, and a known ts is never replaced by none. */
function sightingsOf(lookups: readonly Lookup[], target: MessageTarget): readonly Sighting[] {
  const all = lookups.flatMap(({ sightings = [] }) => sightings)
  return target.channels.flatMap(({ id }) => {
    const here = all.filter(({ channel }) => channel.id === id)
    const withTs = here.filter(({ ts }) => ts !== undefined)
    return withTs.find(({ isInPlace }) => isInPlace) ?? withTs.at(-1) ?? here.at(-1) ?? []
  })
}

/** https://docs.slack.dev/reference/methods/files.info, scope files:read */
function answerOf(result: CallResult, fileId: string, target: MessageTarget): Answer {
  if (result.outcome === 'succeeded') {
    const record = objectIn(result.json, 'file')
    if (record && textIn(record, 'id') === fileId)
      return { kind: 'found', record: keptOf(record), sightings: sightingsIn(record, target) }
    // A server that gives no file never will. Another file may come from a cache.
    return record === undefined
      ? { kind: 'never', reason: text`\`files.info\` responded without a file` }
      : { kind: 'none', reason: text`\`files.info\` responded with another file` }
  }
  const { code, status } = result
  const reason = status === undefined ? text`no response (${code})` : text`${code}`
  if (!isRefusal(result)) return { kind: 'none', reason }
  // First the codes that count with any 4xx, next those that count with 200 only.
  if (code === 'file_not_found') return { kind: 'missing' }
  if (code === 'missing_scope') return { kind: 'never', lacksScope: true }
  if (result.outcome === 'no such method' || result.advice.about === 'token')
    return { kind: 'never', reason }
  // Another status may come from a proxy.
  return { kind: status === 200 ? 'refused' : 'none', reason }
}
