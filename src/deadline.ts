import { setTimeout } from 'node:timers/promises'
import { errorProblem, type Problem, ProblemError } from './problem.ts'
import { type Text, text } from './text/text.ts'

/** In tests, hours of waiting take no time. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number
  /** Resolves after `milliseconds`, or rejects with the signal's reason when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  // Node rejects with its own error instead of the signal's reason.
  sleep: (milliseconds, signal) =>
    setTimeout(milliseconds, undefined, { signal }).catch(() => Promise.reject(signal?.reason)),
}

/** @param request the latest without a response */
function timedOutProblem(request: Text | undefined): Problem {
  const remedy = request
    ? text`The last request without a response was ${request}. Can the runner reach this host (firewall, proxy)? Raise \`timeout-minutes\` if the service is only slow.`
    : text`Raise \`timeout-minutes\`, or see in the log what the step waited for.`
  return errorProblem(
    'Timed out after timeout-minutes',
    text`Not everything could be done within \`timeout-minutes\`. Nothing was sent after that.\n${remedy}`,
  )
}

export class AbortedError extends ProblemError {}

/** Milliseconds after a cancellation for the response, which says what became of a message. */
const gracePeriod = 2_000
/** Milliseconds until work that ignores its signal, like a DNS lookup, is abandoned. */
const settlePeriod = 1_000

/** The cancellation of the run and, once it has started, its time limit. */
export class Deadline {
  readonly clock: Clock
  #endsAt = Infinity
  readonly #work = new AbortController()
  readonly #requests = new AbortController()
  readonly #closed = new AbortController()
  /**
   * In order. A signal takes longer for each listener, and a promise in every `Promise.race` would
   * keep all results.
   */
  readonly #waits = new Set<{
    end(reason: AbortedError): void
    request: (() => Text) | undefined
  }>()
  #abandoned: AbortedError | undefined
  /** Aborts with an `AbortedError` when nothing new may start. */
  readonly signal = this.#work.signal
  /** Aborts at the deadline, or 2 s after a cancellation. */
  readonly requestSignal = this.#requests.signal

  constructor(clock: Clock) {
    this.clock = clock
  }

  start(milliseconds: number): void {
    this.#endsAt = this.clock.now() + milliseconds
    this.#abortAfter(milliseconds, () => {
      const unanswered = [...this.#waits].findLast(({ request }) => request !== undefined)
      return new AbortedError(timedOutProblem(unanswered?.request?.()))
    })
  }

  get problem(): Problem | undefined {
    const { reason } = this.signal
    return reason instanceof AbortedError ? reason.problems[0] : undefined
  }

  /** Milliseconds, at least 0. */
  remaining(): number {
    return this.signal.aborted ? 0 : Math.max(0, this.#endsAt - this.clock.now())
  }

  /**
   * Settles like `work`, or rejects with an `AbortedError` a second after `requestSignal` aborted.
   *
   * @param request names it if the time ends before its response
   */
  waitFor<T>(work: Promise<T>, request?: () => Text): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#abandoned) reject(this.#abandoned)
      const wait = { end: reject, request }
      this.#waits.add(wait)
      work.then(resolve, reject).finally(() => this.#waits.delete(wait))
    })
  }

  cancel(): void {
    const explanation = text`The run was cancelled, or the step reached its own \`timeout-minutes\` in the workflow (not the input). Nothing was sent after that.\nIf nobody cancelled it, raise \`timeout-minutes\` beside \`uses:\`.`
    this.abort(errorProblem('The runner stopped the step', explanation))
  }

  abort(...problems: readonly Problem[]): void {
    const reason = new AbortedError(...problems)
    this.#work.abort(reason)
    this.#abortAfter(gracePeriod, () => reason)
  }

  /** Ends all timers, which keep the process alive. */
  [Symbol.dispose](): void {
    // A check that still runs would wait for its next attempt.
    this.#work.abort()
    this.#requests.abort()
    this.#closed.abort()
  }

  #abortAfter(milliseconds: number, reasonThen: () => AbortedError): void {
    const wait = (time: number) => this.clock.sleep(time, this.#closed.signal)
    const abort = async () => {
      await wait(milliseconds)
      const reason = reasonThen()
      this.#work.abort(reason)
      this.#requests.abort(reason)
      await wait(settlePeriod)
      this.#abandoned = reason
      for (const { end } of this.#waits) end(reason)
    }
    abort().catch(() => undefined)
  }
}
