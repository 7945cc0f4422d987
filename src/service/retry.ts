import { AbortedError, type Deadline } from '../deadline.ts'
import type { CallInfo } from './errors/error-codes.ts'
import { createFailure, describeCall, describeFailure, type Failure } from './errors/failures.ts'
import type { HttpResponse } from './http/http.ts'
import { NoResponseError } from './http/no-response.ts'
import { stallTime } from './http/stall.ts'
import { type CallResult, readNoResponse } from './responses.ts'
import type { ServiceEvent } from './service.ts'

export interface RetryOptions {
  /** The call makes nothing visible, so it may be carried out twice. */
  readonly safeToRepeat: boolean
  /** Default 6. Rate limits, and failures with a usable `Retry-After`, do not count. */
  readonly maxAttempts?: number
  /** Milliseconds for all waits of the call together. Default: what is left of the run. */
  readonly maxWait?: number
  /** Milliseconds after which the call is given up. */
  readonly maxTime?: number
  /** Ends the call; it aborts with the deadline, or before. */
  readonly signal?: AbortSignal
}

/** The waits between them take 15.5 to 31 s, so that an outage of 15 s is outlasted. */
const defaultMaxAttempts = 6
const firstBackoff = 1_000
const maxBackoff = 30_000
/** Milliseconds. A wait is reported if it ends this long after its request and the last report. */
const minReportedWait = 1_000
/**
 * After a request that stalled for 100 s, another attempt needs 75 s. Less than all of the time,
 * because a large upload is given up when half of the run is left.
 */
const minTimeAgain = 0.75

/** Makes a request and sends it. After a `NoResponseError`, it can be called again. */
type Attempt = (signal: AbortSignal) => Promise<HttpResponse>

/** A call that is under way. */
interface Running {
  /** Nothing waits after it aborts. */
  readonly signal: AbortSignal
  /** A time of the clock. */
  readonly waitUntil: number
  failures: number
  rateLimits: number
}

/** The service asked to wait, which holds for every call of the method. */
interface Pause {
  /** A time of the clock. */
  readonly until: number
  readonly failure: Failure
}

/** What a response means. */
export type Read = (response: HttpResponse, call: CallInfo) => CallResult

/**
 * The one retry loop, for every call. A call that hangs settles at most a second after the
 * deadline's `requestSignal`.
 */
export class Retry {
  readonly #deadline: Deadline
  readonly #onEvent: (event: ServiceEvent) => void
  readonly #random: () => number
  /** By method. */
  readonly #pauses = new Map<string, Pause>()
  /** Per method: the end of the wait that was last reported. */
  readonly #reported = new Map<string, number>()

  /** @param random a number from 0 to 1, for the jitter of the backoff */
  constructor(deadline: Deadline, onEvent: (event: ServiceEvent) => void, random: () => number) {
    this.#deadline = deadline
    this.#onEvent = onEvent
    this.#random = random
  }

  async run(
    call: CallInfo,
    attempt: Attempt,
    read: Read,
    options: RetryOptions,
  ): Promise<CallResult> {
    const { maxTime, signal = this.#deadline.signal } = options
    if (maxTime === undefined) return this.#run(call, attempt, read, options)
    const over = new AbortController()
    const end = () => over.abort()
    this.#deadline.clock.sleep(maxTime, over.signal).then(end, end)
    const limited = { ...options, maxWait: maxTime, signal: AbortSignal.any([signal, over.signal]) }
    return this.#run(call, attempt, read, limited).finally(end)
  }

  async #run(
    call: CallInfo,
    attempt: Attempt,
    read: Read,
    options: RetryOptions,
  ): Promise<CallResult> {
    const { clock } = this.#deadline
    const { maxWait = Number.POSITIVE_INFINITY, signal = this.#deadline.signal } = options
    // After a cancellation, a request that is on its way may still end, but nothing waits any more.
    // The signal of a caller ends both.
    const requestSignal = options.signal ?? this.#deadline.requestSignal
    const running = { signal, waitUntil: clock.now() + maxWait, failures: 0, rateLimits: 0 }
    let next = 0
    for (;;) {
      const notSent = await this.#waitUntil(next, call, running)
      if (notSent) return notSent

      const sentAt = clock.now()
      const result = await this.#attempt(call, attempt(requestSignal), read)
      if (!mayRepeat(result, options)) return result

      const wait = this.#waitAfter(result, running, options)
      if (hasUsableTime(result)) this.#pause(result)
      const again =
        result.code === 'STALLED' ? Math.max(stallTime, minTimeAgain * (clock.now() - sentAt)) : 0
      if (wait + again >= this.#waitLeft(running)) return result
      next = clock.now() + wait
      this.#reportWait(wait, result, sentAt)
    }
  }

  /** Milliseconds that a call may wait. */
  #waitLeft({ waitUntil }: Running): number {
    return Math.min(waitUntil - this.#deadline.clock.now(), this.#deadline.remaining())
  }

  async #attempt(call: CallInfo, work: Promise<HttpResponse>, read: Read): Promise<CallResult> {
    const { clock } = this.#deadline
    const start = clock.now()
    const request = () => describeCall(call)
    const response = await this.#deadline.waitFor(work, request).catch((error: unknown) => {
      if (error instanceof NoResponseError) return error
      // The attempt hangs, such as in a read of the disk.
      if (error instanceof AbortedError)
        return new NoResponseError('ABORTED', true, 'the run ended')
      throw error
    })
    const responded = response instanceof NoResponseError ? undefined : response
    const result =
      response instanceof NoResponseError ? readNoResponse(response, call) : read(response, call)
    this.#onEvent({
      kind: 'request',
      method: call.method,
      outcome: result.outcome === 'succeeded' ? 'ok' : result.code,
      milliseconds: clock.now() - start,
      status: responded?.status,
      requestId: responded?.headers['x-slack-req-id'],
      detail: result.outcome === 'succeeded' ? undefined : result.detail,
    })
    return result
  }

  /** Milliseconds before the next attempt; infinite if there is none. */
  #waitAfter(
    result: Failure,
    running: Running,
    { maxAttempts = defaultMaxAttempts }: RetryOptions,
  ): number {
    if (result.outcome === 'rate limited') running.rateLimits += 1
    if (hasUsableTime(result)) return result.retryAfter
    // Calls that were limited at the same time must not all return at the same time.
    if (result.outcome === 'rate limited') return this.#random() * backoff(running.rateLimits)
    running.failures += 1
    if (running.failures >= maxAttempts) return Number.POSITIVE_INFINITY
    // Half of the wait is fixed: otherwise, one of many calls would draw only short waits.
    return (0.5 + this.#random() / 2) * backoff(running.failures)
  }

  /** Other calls of the method wait, too. A backoff concerns only its own call. */
  #pause(failure: Failure & { readonly retryAfter: number }): void {
    const until = this.#deadline.clock.now() + failure.retryAfter
    if (until > (this.#pauses.get(failure.method)?.until ?? 0))
      this.#pauses.set(failure.method, { until, failure })
  }

  /**
   * Waits until the time of the clock, and until no pause of the method holds.
   *
   * @returns why the call is not sent: the run is over, or the pause lasts too long for the call
   */
  async #waitUntil(time: number, call: CallInfo, running: Running): Promise<Failure | undefined> {
    const { clock } = this.#deadline
    let until = time
    for (;;) {
      if (until > clock.now())
        await clock.sleep(until - clock.now(), running.signal).catch(() => undefined)
      if (running.signal.aborted) return createFailure(call, 'ABORTED', 'not sent')
      const pause = this.#pauses.get(call.method)
      if (pause === undefined || pause.until <= clock.now()) return undefined
      const outcome = pause.failure.outcome === 'rate limited' ? 'rate limited' : 'not sent'
      if (pause.until - clock.now() >= this.#waitLeft(running))
        return { ...pause.failure, ...call, outcome }
      until = pause.until
    }
  }

  /** Several calls that wait for the same pause make one report. */
  #reportWait(milliseconds: number, failure: Failure, sentAt: number): void {
    const end = this.#deadline.clock.now() + milliseconds
    if (end < Math.max(sentAt, this.#reported.get(failure.method) ?? 0) + minReportedWait) return
    this.#reported.set(failure.method, end)
    this.#onEvent({ kind: 'wait', milliseconds, reason: describeFailure(failure) })
  }
}

/** The longest wait after this number of failures, in milliseconds. */
function backoff(failures: number): number {
  return Math.min(maxBackoff, firstBackoff * 2 ** (failures - 1))
}

/**
 * Whether the service asks for a wait that can be used. A shorter time, such as 0, is ignored:
 * otherwise the request would be repeated at once, without end.
 */
function hasUsableTime(failure: Failure): failure is Failure & { readonly retryAfter: number } {
  return failure.retryAfter !== undefined && failure.retryAfter >= firstBackoff
}

function mayRepeat(result: CallResult, { safeToRepeat }: RetryOptions): result is Failure {
  if (result.outcome === 'succeeded' || result.advice.isPermanent) return false
  const { outcome } = result
  return (
    outcome === 'not sent' ||
    outcome === 'rate limited' ||
    (outcome === 'ambiguous' && safeToRepeat)
  )
}
