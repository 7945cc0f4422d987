import { AbortedError, type Deadline } from '../deadline.ts'
import type { CallInfo } from './errors/error-codes.ts'
import { createFailure, describeCall, describeFailure, type Failure } from './errors/failures.ts'
import type { HttpResponse } from './http/http.ts'
import { NoResponseError } from './http/no-response.ts'
import { stallTime } from './http/stall.ts'
import { type CallResult, isRefusal } from './responses.ts'
import type { ServiceEvent } from './service.ts'

export interface RetryOptions {
  /** Ambiguous failures are repeated, too, because the call makes nothing visible. */
  readonly safeToRepeat: boolean
  /** Default 6. Rate limits, and failures with a usable `Retry-After`, do not count. */
  readonly maxFailures?: number
  /** Milliseconds until the call ends, even amid a request. So does `signal`, or the run's. */
  readonly maxTime?: number
  /** Replaces the deadline's two signals: ends waits, and at once a request under way. */
  readonly signal?: AbortSignal
}

/** Without rate limits, their five waits take 15.5 to 31 s, longer than an outage of 15 s. */
const defaultMaxFailures = 6
const firstBackoff = 1_000
const maxBackoff = 30_000
/** A wait that ends sooner after its request was sent, or the last reported wait, is silent. */
const minReportGap = 1_000

export type Read = (response: HttpResponse, call: CallInfo) => CallResult

/** Of every call. Even one that hangs settles a second after the deadline's `requestSignal`. */
export class Retry {
  readonly #deadline: Deadline
  readonly #onEvent: (event: ServiceEvent) => void
  readonly #random: () => number
  /** By method: the last end of a `Retry-After` to a call that may be repeated. All calls wait. */
  readonly #pauses = new Map<string, { readonly until: number; readonly failure: Failure }>()
  /** By method: the end of the last reported wait. */
  readonly #reported = new Map<string, number>()

  /** @param random 0 to 1, for the jitter of the backoff */
  constructor(deadline: Deadline, onEvent: (event: ServiceEvent) => void, random: () => number) {
    this.#deadline = deadline
    this.#onEvent = onEvent
    this.#random = random
  }

  /**
   * First waits for a pause to end, next sends. Then returns the result, unless it may be repeated,
   * and failures and time are left. If so, begins again.
   *
   * @param call names the call in failures; an attempt may change its host
   * @throws what the attempt throws, but for NoResponseError and AbortedError
   */
  async run(
    call: CallInfo,
    attempt: (signal: AbortSignal) => Promise<HttpResponse>,
    read: Read,
    options: RetryOptions,
  ): Promise<CallResult> {
    const { clock } = this.#deadline
    const { maxFailures = defaultMaxFailures, maxTime = Number.POSITIVE_INFINITY } = options
    const waitUntil = clock.now() + maxTime
    using limits = this.#limits(options)
    let failures = 0
    let rateLimits = 0
    let wait = 0
    for (;;) {
      const givenUp = await this.#wait(wait, call, limits.waitSignal, waitUntil)
      if (givenUp) return givenUp
      const sentAt = clock.now()
      const result = await this.#attempt(call, attempt(limits.requestSignal), read)
      if (!mayRepeat(result, options)) return result
      if (result.outcome === 'rate limited') rateLimits += 1
      else if (result.retryAfter === undefined) failures += 1
      if (failures >= maxFailures) return result
      wait = this.#waitAfter(result, failures, rateLimits)
      if (wait + timeAgain(result, clock.now() - sentAt) >= this.#left(waitUntil)) return result
      this.#reportWait(wait, result, sentAt)
    }
  }

  #limits({ maxTime, signal }: RetryOptions) {
    const { clock, requestSignal, signal: runSignal } = this.#deadline
    if (maxTime === undefined) {
      return {
        waitSignal: signal ?? runSignal,
        // After a cancellation, nothing waits, but a request may still get its response.
        requestSignal: signal ?? requestSignal,
        [Symbol.dispose]() {},
      }
    }
    const over = new AbortController()
    const end = () => over.abort({ limit: 'the time limit of the request' })
    clock.sleep(maxTime, over.signal).then(end, end)
    const own = AbortSignal.any([signal ?? runSignal, over.signal])
    return { waitSignal: own, requestSignal: own, [Symbol.dispose]: end }
  }

  /** Milliseconds that a call may wait. */
  #left(waitUntil: number): number {
    return Math.min(waitUntil - this.#deadline.clock.now(), this.#deadline.remaining())
  }

  async #attempt(call: CallInfo, work: Promise<HttpResponse>, read: Read): Promise<CallResult> {
    const { clock } = this.#deadline
    const start = clock.now()
    let response: HttpResponse | undefined
    let result: CallResult
    try {
      response = await this.#deadline.waitFor(work, () => describeCall(call))
      result = read(response, call)
    } catch (error) {
      if (!(error instanceof AbortedError || error instanceof NoResponseError)) throw error
      result = failureOf(error, call)
    }
    this.#onEvent({
      kind: 'request',
      method: result.method,
      outcome: result.outcome === 'succeeded' ? 'ok' : result.code,
      milliseconds: clock.now() - start,
      status: response?.status,
      requestId: response?.headers['x-slack-req-id'],
      detail: result.outcome === 'succeeded' ? undefined : result.detail,
    })
    return result
  }

  /** Milliseconds before the next attempt. Remembers a `Retry-After`, even one that is too long. */
  #waitAfter(failure: Failure, failures: number, rateLimits: number): number {
    const { retryAfter } = failure
    if (retryAfter !== undefined) {
      const until = this.#deadline.clock.now() + retryAfter
      if (until > (this.#pauses.get(failure.method)?.until ?? 0))
        this.#pauses.set(failure.method, { until, failure })
      return retryAfter
    }
    // Calls that were limited together must not return together.
    if (failure.outcome === 'rate limited') return this.#random() * backoff(rateLimits)
    // Half is fixed, so that none of many calls draws only short waits.
    return (0.5 + this.#random() / 2) * backoff(failures)
  }

  /**
   * Waits, and then until no pause of the method holds.
   *
   * @returns the reason not to send: the run is over, or the pause is too long
   */
  async #wait(
    milliseconds: number,
    call: CallInfo,
    signal: AbortSignal,
    waitUntil: number,
  ): Promise<Failure | undefined> {
    const { clock } = this.#deadline
    for (let wait = milliseconds; ; ) {
      if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined)
      if (signal.aborted) return createFailure(call, 'ABORTED', 'not sent')
      const { until = 0, failure } = this.#pauses.get(call.method) ?? {}
      wait = until - clock.now()
      if (failure === undefined || wait <= 0) return undefined
      const outcome = failure.outcome === 'rate limited' ? 'rate limited' : 'not sent'
      if (wait >= this.#left(waitUntil)) return { ...failure, ...call, outcome }
    }
  }

  /** Calls that wait for the same pause make one report. */
  #reportWait(milliseconds: number, failure: Failure, sentAt: number): void {
    const end = this.#deadline.clock.now() + milliseconds
    if (end < Math.max(sentAt, this.#reported.get(failure.method) ?? 0) + minReportGap) return
    this.#reported.set(failure.method, end)
    this.#onEvent({ kind: 'wait', milliseconds, reason: describeFailure(failure) })
  }
}

function failureOf(error: AbortedError | NoResponseError, call: CallInfo): Failure {
  // The attempt ignored its signal, maybe in a read of the disk.
  if (error instanceof AbortedError)
    return createFailure(call, 'ABORTED', 'ambiguous', { detail: 'the run ended' })
  const { code, fullySent, message } = error
  return createFailure(call, code, fullySent ? 'ambiguous' : 'not sent', { detail: message })
}

/** Milliseconds that another attempt needs after one that stalled. */
function timeAgain({ code }: Failure, milliseconds: number): number {
  // A large upload is given up when half of the run is left, so all of it would never fit.
  return code === 'STALLED' ? Math.max(stallTime, 0.75 * milliseconds) : 0
}

/** The longest wait, in milliseconds. */
function backoff(attempts: number): number {
  return Math.min(maxBackoff, firstBackoff * 2 ** (attempts - 1))
}

/** First, would it change anything? Next, may it be carried out twice? */
function mayRepeat(result: CallResult, { safeToRepeat }: RetryOptions): result is Failure {
  if (result.outcome === 'succeeded' || isRefusal(result) || result.advice.isPermanent) return false
  return result.outcome !== 'ambiguous' || safeToRepeat
}
