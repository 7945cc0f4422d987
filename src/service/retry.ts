import { AbortedError, type Deadline } from '../deadline.ts'
import { type Call, createFailure, describeCall, describeFailure, type Failure } from './failures.ts'
import type { HttpResponse } from './http.ts'
import { NoResponseError } from './no-response.ts'
import { type CallResult, type RateLimit, readNoResponse } from './responses.ts'
import type { ServiceEvent } from './service.ts'

export interface RetryOptions {
  /** The request makes nothing visible: it may be repeated although it may have been carried out. */
  readonly safeToRepeat: boolean
  /** Default 5. Waits for a rate limit do not count. */
  readonly maxAttempts?: number
  /** Milliseconds for all waits of the call together. Default: what is left of the run. */
  readonly maxWait?: number
  /** Gives the call up, in place of the deadline: it aborts with the deadline, or before. */
  readonly signal?: AbortSignal
}

const defaultMaxAttempts = 5
const firstBackoff = 1_000
const maxBackoff = 30_000
/** Milliseconds. Shorter waits are not reported; a longer pause is reported again only if it ends at least this much later. */
const minReportedWait = 1_000

/** The one retry loop, for every call, inside the deadline of the run. Every call settles within a second of its signal. */
export class Retry {
  readonly #deadline: Deadline
  readonly #onEvent: (event: ServiceEvent) => void
  readonly #random: () => number
  /** Per method: no call before `until`, because of a response that came at `since`. Times of the clock. */
  readonly #pauses = new Map<string, { readonly since: number; readonly until: number }>()
  /** Per method: the end of the wait that was last reported. */
  readonly #reported = new Map<string, number>()

  /** @param random a number from 0 to 1, for the jitter of the backoff */
  constructor(deadline: Deadline, onEvent: (event: ServiceEvent) => void, random: () => number) {
    this.#deadline = deadline
    this.#onEvent = onEvent
    this.#random = random
  }

  /**
   * @param attempt sends the request, made anew each time. Only `NoResponseError` is handled; any other error is thrown
   * @param read what the response means
   */
  async run(
    call: Call,
    attempt: (signal: AbortSignal) => Promise<HttpResponse>,
    read: (response: HttpResponse, call: Call) => CallResult,
    options: RetryOptions,
  ): Promise<CallResult> {
    const { clock } = this.#deadline
    // After a cancellation, a request that is on its way may still end, but nothing waits any more.
    const requestSignal = options.signal ?? this.#deadline.requestSignal
    const waitSignal = options.signal ?? this.#deadline.signal
    const waitUntil = clock.now() + (options.maxWait ?? Number.POSITIVE_INFINITY)
    const count: Count = { failures: 0, rateLimits: 0 }
    for (;;) {
      await this.#untilAllowed(call.method, waitSignal)
      if (waitSignal.aborted) return { outcome: 'not sent', failure: createFailure(call, 'ABORTED') }

      const sentAt = clock.now()
      const result = await this.#attempt(call, () => attempt(requestSignal), read)
      if (!mayRepeat(result, options)) return markRefusal(result, count)

      const wait = this.#waitAfter(result, count, options)
      // A service that did not respond for a long time gets as much time again, or no other attempt.
      const unanswered = result.failure.code === 'STALLED' ? clock.now() - sentAt : 0
      if (wait + unanswered >= Math.min(waitUntil - clock.now(), this.#deadline.remaining())) {
        return this.#withWaitRequested(result, wait)
      }
      if (result.rateLimit) this.#pause(result, wait, sentAt)
      else await this.#wait(wait, result.failure, waitSignal)
    }
  }

  async #attempt(
    call: Call,
    attempt: () => Promise<HttpResponse>,
    read: (response: HttpResponse, call: Call) => CallResult,
  ): Promise<CallResult> {
    const { clock } = this.#deadline
    const start = clock.now()
    const response = await this.#deadline
      .race(attempt(), () => describeCall(call))
      .catch((error: unknown) => {
        if (error instanceof NoResponseError) return error
        // The attempt hangs, such as in a read of the disk.
        if (error instanceof AbortedError) return new NoResponseError('ABORTED', true, 'the run ended')
        throw error
      })
    const responded = !(response instanceof NoResponseError)
    const result = responded ? read(response, call) : readNoResponse(response, call)
    const requestId = responded ? response.headers['x-slack-req-id'] : undefined
    this.#onEvent({
      kind: 'request',
      method: call.method,
      outcome: result.outcome === 'succeeded' ? 'ok' : result.failure.code,
      milliseconds: clock.now() - start,
      ...(responded && { status: response.status }),
      ...(requestId === undefined ? {} : { requestId }),
    })
    return result
  }

  /** Milliseconds before the next attempt; infinite if there is none. */
  #waitAfter({ rateLimit }: Repeatable, count: Count, { maxAttempts = defaultMaxAttempts }: RetryOptions): number {
    if (rateLimit) {
      count.rateLimits += 1
      // `Retry-After: 0` counts as absent. Otherwise the request would be repeated at once, without end.
      return rateLimit.retryAfter || this.#backoff(count.rateLimits)
    }
    count.failures += 1
    return count.failures < maxAttempts ? this.#backoff(count.failures) : Number.POSITIVE_INFINITY
  }

  /** The error names the wait that the service asks for, if that is longer than the run may last. */
  #withWaitRequested(result: Repeatable, wait: number): CallResult {
    const retryAfter = result.rateLimit?.retryAfter
    const isTooLong = !this.#deadline.signal.aborted && wait >= this.#deadline.remaining()
    return retryAfter && isTooLong ? { ...result, failure: { ...result.failure, retryAfter } } : result
  }

  /** A rate limit holds for every call of the method, also for those that run at the same time. */
  #pause({ failure, rateLimit }: Repeatable, wait: number, sentAt: number): void {
    const now = this.#deadline.clock.now()
    const pause = this.#pauses.get(failure.method)
    // The request was sent before the pause began. Only a time that the response names makes the pause longer.
    if (rateLimit?.retryAfter === undefined && pause !== undefined && pause.since >= sentAt) return
    this.#pauses.set(failure.method, { since: now, until: Math.max(pause?.until ?? now, now + wait) })
    this.#reportWait(wait, failure)
  }

  async #untilAllowed(method: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const wait = (this.#pauses.get(method)?.until ?? 0) - this.#deadline.clock.now()
      if (wait <= 0 || signal.aborted) return
      await this.#deadline.clock.sleep(wait, signal).catch(() => undefined)
    }
  }

  async #wait(milliseconds: number, failure: Failure, signal: AbortSignal): Promise<void> {
    this.#reportWait(milliseconds, failure)
    await this.#deadline.clock.sleep(milliseconds, signal).catch(() => undefined)
  }

  /** Several calls that wait for the same pause make one report. */
  #reportWait(milliseconds: number, failure: Failure): void {
    const now = this.#deadline.clock.now()
    const end = now + milliseconds
    if (end < Math.max(now, this.#reported.get(failure.method) ?? now) + minReportedWait) return
    this.#reported.set(failure.method, end)
    this.#onEvent({ kind: 'wait', milliseconds, reason: describeFailure(failure) })
  }

  /** Full jitter: calls that failed together do not come back together. */
  #backoff(failures: number): number {
    return this.#random() * Math.min(maxBackoff, firstBackoff * 2 ** (failures - 1))
  }
}

/** A result after which the request may be sent again. */
type Repeatable = Extract<CallResult, { outcome: 'ambiguous' | 'not sent' }> & { readonly rateLimit?: RateLimit }

interface Count {
  failures: number
  rateLimits: number
}

function mayRepeat(result: CallResult, { safeToRepeat }: RetryOptions): result is Repeatable {
  if (result.outcome !== 'not sent' && !(result.outcome === 'ambiguous' && safeToRepeat)) return false
  return !result.failure.row.isPermanent
}

/** A refusal may be about what an earlier attempt did, if the service reported the rate limit only after that. */
function markRefusal(result: CallResult, { rateLimits }: Count): CallResult {
  return result.outcome === 'refused' && rateLimits > 0 ? { ...result, afterRateLimit: true } : result
}
