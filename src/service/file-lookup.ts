import type { Clock, Deadline } from '../deadline.ts'
import { type Json, objectIn, textIn } from '../json.ts'
import { type Text, text } from '../text/text.ts'
import { isOwnCode } from './failures.ts'
import { isCutShort, type Place, type Share, sharesIn } from './file-record.ts'
import type { WebApi } from './web-api.ts'

/** When a file is looked up. */
export interface Schedule {
  /** Milliseconds before each lookup. Lookups that an outage or a rate limit slows down may take twice the time. */
  readonly delays: readonly number[]
  /** Continue after the last delay, for at most twice the time, until the file is absent. */
  readonly untilAbsent?: boolean
  /** Whether no other lookup is needed. Default: the file is visible in every channel, and a ts is known or was waited for. */
  readonly isEnough?: (shares: readonly Share[]) => boolean
}

const seconds = (list: readonly number[]) => list.map((second) => second * 1_000)
/** Of a message that should be visible: at once, then less often, a minute in all. */
export const confirming: Schedule = { delays: seconds([0, 1, 1, 2, 3, 5, 8, 10, 10, 10, 10]) }
/** To find out what became of a completion. */
export const reconciling: Schedule = { delays: seconds([1, 1, 2, 3, 5, 8, 10]), untilAbsent: true }
/** Of one of many uploads of an earlier attempt: a minute in all. */
export const earlierDelays = seconds([0, 2, 4, 8, 16, 30])
/** Milliseconds without a break in which every lookup says that there is no such file, until it counts as absent. */
export const absentAfter = 30_000
/** After this number of lookups, a file that is visible without a ts is enough: the ts may follow. */
const lookupsForTs = 6

/** What lookups showed of a file, or of all files of a message: the one definition of "seen". */
export interface Seen {
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
  readonly shares: readonly Share[]
  /** The last record of each file that was found. */
  readonly records: readonly Json[]
  /** The last answer that was no record, unless it was that there is no such file. */
  readonly reason?: Text
  readonly lacksScope?: true
  /** How long it took. */
  readonly milliseconds: number
}

/** One answer to a lookup. `last`: another lookup is of no use. */
type Answer =
  | { readonly kind: 'found'; readonly record: Json }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unclear' | 'no result'; readonly reason: Text }
  | { readonly kind: 'not possible'; readonly reason: Text; readonly lacksScope?: true }

interface Dependencies {
  readonly api: WebApi
  readonly deadline: Deadline
}

/** Looks the files of one message up: what is seen of the message is what is seen of each of them. */
export async function pollFiles(
  deps: Dependencies,
  fileIds: readonly string[],
  place: Place,
  schedule: Schedule,
): Promise<Seen> {
  const seen = await Promise.all(fileIds.map((id) => pollFile(deps, id, place, schedule)))
  const shares = place.channels.flatMap(({ id }) => {
    const inChannel = seen.map((file) => file.shares.find(({ channel }) => channel.id === id))
    return inChannel.every((share) => share !== undefined) ? inChannel.slice(0, 1) : []
  })
  const hidden = seen.filter((file) => file.shares.length < place.channels.length)
  // An answer about a file that is not visible says more than a lookup without one.
  const deciding = hidden.find(isAnswered) ?? hidden[0] ?? seen[0]
  if (deciding === undefined) throw new Error('A message has no file to look up')
  return {
    ...deciding,
    aborted: seen.some(({ aborted }) => aborted),
    shares,
    records: seen.flatMap(({ records }) => records),
  }
}

/** Whether lookups work: the service gave an answer about the file. */
export function isAnswered({ result }: Seen): boolean {
  return result !== 'no result' && result !== 'not possible'
}

/** Looks a file up until that is enough, another lookup is of no use, the schedule is over, or the run must end. */
export async function pollFile(
  { api, deadline }: Dependencies,
  fileId: string,
  place: Place,
  schedule: Schedule,
): Promise<Seen> {
  const { clock, signal } = deadline
  const polling = new Polling(clock, place, schedule)
  if (api.lacks('files:read')) {
    polling.add({ kind: 'not possible', reason: text`${'missing_scope'}`, lacksScope: true }, 0)
    return polling.seen()
  }
  for (;;) {
    await clock.sleep(polling.nextDelay(), signal).catch(() => undefined)
    if (signal.aborted) return polling.seen({ aborted: true })
    // What is enough may depend on the lookups of other files, which went on meanwhile.
    if (polling.isComplete()) return polling.seen()
    const sentAt = polling.passed()
    polling.add(await lookUpFile(api, fileId, 2 * polling.window - sentAt), sentAt)
    if (polling.isOver()) return polling.seen()
  }
}

/** The lookups of one file so far. */
class Polling {
  /** Milliseconds that the schedule takes. */
  readonly window: number
  readonly #clock: Clock
  readonly #place: Place
  readonly #schedule: Schedule
  readonly #start: number
  #lookups = 0
  #last: Answer | undefined
  #record: Json | undefined
  readonly #shares = new Map<string, Share>()
  #isAnswered = false
  /** Milliseconds. Since then, every lookup said that there is no such file. */
  #missingSince = 0
  #isAbsent = false

  constructor(clock: Clock, place: Place, schedule: Schedule) {
    this.window = schedule.delays.reduce((sum, delay) => sum + delay, 0)
    this.#clock = clock
    this.#place = place
    this.#schedule = schedule
    this.#start = clock.now()
  }

  /** Milliseconds since the start. */
  passed(): number {
    return this.#clock.now() - this.#start
  }

  /** Milliseconds before the next lookup. */
  nextDelay(): number {
    const { delays } = this.#schedule
    return delays[this.#lookups] ?? delays.at(-1) ?? 0
  }

  add(answer: Answer, sentAt: number): void {
    this.#last = answer
    this.#lookups += 1
    if (answer.kind === 'found') this.#record = answer.record
    if (answer.kind !== 'no result' && answer.kind !== 'not possible') this.#isAnswered = true
    if (answer.kind !== 'missing') this.#missingSince = this.passed()
    this.#isAbsent = answer.kind === 'missing' && sentAt - this.#missingSince >= absentAfter
    for (const share of sharesIn(this.#record, this.#place)) {
      const before = this.#shares.get(share.channel.id)
      if (before?.inThread || (before?.ts !== undefined && share.ts === undefined)) continue
      this.#shares.set(share.channel.id, share)
    }
  }

  isOver(): boolean {
    const { delays, untilAbsent } = this.#schedule
    if (this.isComplete() || this.#last?.kind === 'not possible' || this.passed() >= 2 * this.window) return true
    if (untilAbsent && this.#result() !== 'found') return this.#result() === 'absent'
    return this.#lookups >= delays.length || (this.#last?.kind !== 'no result' && this.passed() >= this.window)
  }

  /** By default: visible in every channel, with the ts of each, unless it does not come. */
  isComplete(): boolean {
    const { isEnough } = this.#schedule
    const { shares } = this.seen()
    if (this.#lookups === 0) return false
    if (isEnough) return isEnough(shares)
    if (shares.length < this.#place.channels.length) return false
    return isCutShort(this.#record) || this.#lookups >= lookupsForTs || shares.every(({ ts }) => ts !== undefined)
  }

  seen({ aborted = false } = {}): Seen {
    const last = this.#last
    return {
      result: this.#result(),
      aborted,
      shares: this.#place.channels.flatMap(({ id }) => this.#shares.get(id) ?? []),
      records: this.#record === undefined ? [] : [this.#record],
      ...(last !== undefined && 'reason' in last && { reason: last.reason }),
      ...(last?.kind === 'not possible' && last.lacksScope && { lacksScope: true }),
      milliseconds: this.passed(),
    }
  }

  #result(): Seen['result'] {
    if (this.#record !== undefined) return 'found'
    if (this.#isAbsent) return 'absent'
    if (this.#isAnswered) return 'unclear'
    return this.#last?.kind === 'not possible' ? 'not possible' : 'no result'
  }
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
  const { failure } = result
  const reason = text`${failure.code}`
  if (result.outcome !== 'refused' || failure.isTransient) return { kind: 'no result', reason }
  if (failure.code === 'file_not_found') return { kind: 'missing' }
  if (result.unknownMethod || failure.row.aboutToken) {
    return { kind: 'not possible', reason, ...(failure.code === 'missing_scope' && { lacksScope: true }) }
  }
  return { kind: isOwnCode(failure) ? 'unclear' : 'no result', reason }
}
