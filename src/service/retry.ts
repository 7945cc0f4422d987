import { AbortedError, type Deadline } from '../deadline.ts'
import { type Call, createFailure, describeCall, describeFailure, type Failure } from './failures.ts'
import type { HttpResponse } from './http.ts'
import { NoResponseError } from './no-response.ts'
import { type CallResult, readNoResponse } from './responses.ts'
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
    const { clock, requestSignal, signal } = this.#deadline
    const requests = options.signal ?? requestSignal
    const waits = options.signal ?? signal
    const giveUpAt = clock.now() + (options.maxWait ?? Number.POSITIVE_INFINITY)
    let failures = 0
    let rateLimits = 0
    for (;;) {
      await this.#untilAllowed(call.method, waits)
      if (waits.aborted) return { outcome: 'not sent', failure: createFailure(call, 'ABORTED') }

      const sentAt = clock.now()
      const result = await this.#once(call, () => attempt(requests), read)
      if (result.outcome === 'refused' && rateLimits > 0) return { ...result, afterRateLimit: true }
      const mayRepeat = result.outcome === 'not sent' || (result.outcome === 'ambiguous' && options.safeToRepeat)
      if (!mayRepeat) return result

      const { failure } = result
      const rateLimit = result.outcome === 'not sent' ? result.rateLimit : undefined
      if (rateLimit) rateLimits += 1
      else failures += 1
      if (failures >= (options.maxAttempts ?? defaultMaxAttempts) || failure.row.isPermanent) return result
      const retryAfter = rateLimit?.retryAfter
      // `Retry-After: 0` counts as absent. Otherwise the request would be repeated at once, without end.
      const wait = retryAfter || this.#backoff(rateLimit ? rateLimits : failures)
      if (wait >= Math.min(giveUpAt - clock.now(), this.#deadline.remaining())) {
        const tooLong = retryAfter !== undefined && !signal.aborted && wait >= this.#deadline.remaining()
        return tooLong ? { ...result, failure: { ...failure, retryAfter } } : result
      }
      if (rateLimit) this.#pause(call.method, wait, sentAt, retryAfter !== undefined, failure)
      else await this.#wait(wait, failure, waits)
    }
  }

  async #once(
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

  /** A rate limit holds for every call of the method, also for those that run at the same time. */
  #pause(method: string, wait: number, sentAt: number, requested: boolean, failure: Failure): void {
    const now = this.#deadline.clock.now()
    const pause = this.#pauses.get(method)
    // It was sent before the pause began, so it says nothing new.
    if (!requested && pause !== undefined && pause.since >= sentAt) return
    this.#pauses.set(method, { since: now, until: Math.max(pause?.until ?? now, now + wait) })
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

  /** Once for all calls that wait for the same. */
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
