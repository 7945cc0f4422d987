import { type Problem, ProblemError } from './problem.ts'

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

const interruptions = {
  'time is up': {
    title: 'The time of the step is over',
    text: 'Not everything could be done within timeout-minutes. Nothing was posted after that.\nRaise timeout-minutes, or see in the log what was waited for.',
  },
  cancelled: {
    title: 'The run was cancelled',
    text: 'The step was asked to stop. Nothing was posted after that.',
  },
} as const satisfies Record<string, Problem>

/** Why a run has to end before its work is done. */
export class Interrupted extends ProblemError {
  constructor(why: keyof typeof interruptions | Problem) {
    super(typeof why === 'string' ? interruptions[why] : why)
  }
}

/** After a cancellation a request under way may still be answered for this long: it tells what became of a message. */
const graceMilliseconds = 2_000
/** What does not end when it has to, such as a look-up in a thread that hangs, is left to itself after this long. */
const patienceMilliseconds = 1_000

/** The time that a run has: every attempt, wait and look fits inside. */
export class Budget {
  readonly clock: Clock
  readonly #endsAt: number
  readonly #stopping = new AbortController()
  readonly #ended = new AbortController()
  readonly #overdue = new AbortController()
  readonly #closed = new AbortController()
  #interruption: Interrupted | undefined

  constructor(clock: Clock, milliseconds: number) {
    this.clock = clock
    this.#endsAt = clock.now() + milliseconds
    this.#endAfter(milliseconds, new Interrupted('time is up'))
  }

  /** Why nothing new may be begun, as soon as that is so. */
  get interruption(): Interrupted | undefined {
    return this.#interruption
  }

  /** Aborts when nothing new may be begun. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts when what is under way has to end too. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Milliseconds that are left, never below 0. */
  remaining(): number {
    return this.#stopping.signal.aborted ? 0 : Math.max(0, this.#endsAt - this.clock.now())
  }

  /** Waits, or rejects with `Interrupted` as soon as nothing new may be begun. */
  sleep(milliseconds: number): Promise<void> {
    return this.clock.sleep(milliseconds, this.stopping)
  }

  /** Ends as `work` does; rejects with `Interrupted` if `work` goes on although everything has to end. */
  settle<T>(work: Promise<T>): Promise<T> {
    const overdue = this.#overdue.signal
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(overdue.reason)
      overdue.addEventListener('abort', giveUp, { once: true })
      work.then(resolve, reject).finally(() => overdue.removeEventListener('abort', giveUp))
    })
  }

  /** Someone asked the run to stop. */
  cancel(): void {
    this.#interrupt(new Interrupted('cancelled'))
  }

  /** The run cannot go on, for a reason outside of it. */
  fail(problem: Problem): void {
    this.#interrupt(new Interrupted(problem))
  }

  /** The run is over: no timer of the budget keeps the process alive. */
  close(): void {
    this.#closed.abort()
  }

  #interrupt(reason: Interrupted): void {
    if (this.#interruption) return
    this.#stop(reason)
    this.#endAfter(graceMilliseconds, reason)
  }

  #stop(reason: Interrupted): void {
    this.#interruption ??= reason
    this.#stopping.abort(reason)
  }

  #endAfter(milliseconds: number, reason: Interrupted): void {
    const wait = (time: number) => this.clock.sleep(time, this.#closed.signal)
    const end = async () => {
      await wait(milliseconds)
      this.#stop(reason)
      this.#ended.abort(reason)
      await wait(patienceMilliseconds)
      this.#overdue.abort(reason)
    }
    end().catch(() => undefined)
  }
}
