import { type Problem, ProblemError } from './problem.ts'
import { code, text } from './text/text.ts'

/** Time as the run sees it. Tests bring their own, so that hours of waiting take no time. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason as soon as the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

const causes = {
  'timed out': {
    title: 'Timed out after timeout-minutes',
    text: text`Not everything could be done within ${code('timeout-minutes')}. Nothing was posted after that.\nRaise ${code('timeout-minutes')}, or see in the log what the step waited for.`,
  },
  canceled: {
    title: 'The run was canceled',
    text: text`The runner asked the step to stop. Nothing was posted after that.`,
  },
} as const satisfies Record<string, Problem>

/** The run must end before its work is done. */
export class AbortedError extends ProblemError {}

/** Milliseconds that a running request may still take after a cancellation: its response says what became of a message. */
const gracePeriod = 2_000
/** Milliseconds after which work that ignores its signal, such as a DNS lookup that hangs in a thread, is abandoned. */
const settlePeriod = 1_000

/** The time limit of the run, and its cancellation. Every attempt, wait and lookup fits inside. */
export class Deadline {
  readonly clock: Clock
  readonly #endsAt: number
  readonly #work = new AbortController()
  readonly #requests = new AbortController()
  readonly #abandon = new AbortController()
  readonly #closed = new AbortController()

  /** @param milliseconds that the run may take */
  constructor(clock: Clock, milliseconds: number) {
    this.clock = clock
    this.#endsAt = clock.now() + milliseconds
    this.#abortAfter(milliseconds, new AbortedError(causes['timed out']))
  }

  /** Aborts, with an `AbortedError`, when nothing new may be started. */
  get signal(): AbortSignal {
    return this.#work.signal
  }

  /** Aborts when running requests must end: at the deadline, or two seconds after a cancellation. */
  get requestSignal(): AbortSignal {
    return this.#requests.signal
  }

  /** Why the run must end, once that is so. */
  get problem(): Problem | undefined {
    const { reason } = this.signal
    return reason instanceof AbortedError ? reason.problem : undefined
  }

  /** Milliseconds that are left, never below 0. */
  remaining(): number {
    return this.signal.aborted ? 0 : Math.max(0, this.#endsAt - this.clock.now())
  }

  /** Settles as `work` does; rejects with an `AbortedError` if `work` still runs a second after its requests had to end. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#abandon
    return new Promise((resolve, reject) => {
      const abandon = () => reject(signal.reason)
      if (signal.aborted) abandon()
      signal.addEventListener('abort', abandon, { once: true })
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon))
    })
  }

  /** The runner asked the step to stop. */
  cancel(): void {
    this.abort(causes.canceled)
  }

  /** The run must end because of the problem. */
  abort(problem: Problem): void {
    if (this.signal.aborted) return
    const reason = new AbortedError(problem)
    this.#work.abort(reason)
    this.#abortAfter(gracePeriod, reason)
  }

  /** The run is over: no timer of the deadline keeps the process alive. */
  close(): void {
    this.#closed.abort()
  }

  #abortAfter(milliseconds: number, reason: AbortedError): void {
    const wait = (time: number) => this.clock.sleep(time, this.#closed.signal)
    const abort = async () => {
      await wait(milliseconds)
      this.#work.abort(reason)
      this.#requests.abort(reason)
      await wait(settlePeriod)
      this.#abandon.abort(reason)
    }
    abort().catch(() => undefined)
  }
}
