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

/** Why a run has to end before its work is done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly why: 'time is up' | 'cancelled'

  constructor(why: 'time is up' | 'cancelled') {
    super(why)
    this.why = why
  }
}

/** After a cancellation a request under way may still be answered for this long: it tells what became of a message. */
const graceMilliseconds = 2_000

/** The time that a run has: every attempt, wait and look fits inside. */
export class Budget {
  readonly clock: Clock
  readonly #endsAt: number
  readonly #stopping = new AbortController()
  readonly #ended = new AbortController()

  constructor(clock: Clock, milliseconds: number) {
    this.clock = clock
    this.#endsAt = clock.now() + milliseconds
    this.#endAfter(milliseconds, new Interrupted('time is up'))
  }

  /** Aborts when nothing new may be begun, with `Interrupted` as its reason. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts when what is under way has to end too, with `Interrupted` as its reason. */
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

  /** Someone asked the run to stop. */
  cancel(): void {
    if (this.#stopping.signal.aborted) return
    const reason = new Interrupted('cancelled')
    this.#stopping.abort(reason)
    this.#endAfter(graceMilliseconds, reason)
  }

  /** The run is over: no timer of the budget keeps the process alive. */
  close(): void {
    this.#closed.abort()
  }

  readonly #closed = new AbortController()

  #endAfter(milliseconds: number, reason: Interrupted): void {
    this.clock.sleep(milliseconds, this.#closed.signal).then(
      () => {
        this.#stopping.abort(reason)
        this.#ended.abort(reason)
      },
      () => undefined,
    )
  }
}
