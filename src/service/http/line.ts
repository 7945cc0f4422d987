import type { Clock } from '../../deadline.ts'
import { NoResponseError } from './no-response.ts'

/** Bytes. On a line of 0.5 Mbit/s they take half a minute. */
const firstLimit = 2 * 1024 * 1024
/** Bytes. However large a file is, its connection holds about one chunk of it at a time. */
const maxShare = 1024 * 1024
/** Milliseconds. On a line that is fast enough, everything in flight arrives within this time. */
const timeInFlight = 10_000
/** The slowest line on which everything arrives has 0.5 Mbit/s. A fifth of that is for the protocols. */
export const slowestBytesPerMillisecond = 50
const maxMilliseconds = 180_000

/**
 * The line to the service, which all uploads share. It limits the bytes in flight, so that a slow line carries few uploads at a
 * time, each of them soon. The limit is what the line was seen to carry in ten seconds.
 */
export class Line {
  readonly #clock: Clock
  #limit = firstLimit
  #inFlight = 0
  #uploads = 0
  #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds that everything in flight may take on a slow line. */
  get milliseconds(): number {
    return Math.min(this.#inFlight / slowestBytesPerMillisecond, maxMilliseconds)
  }

  /**
   * Sends a file as soon as there is room for it.
   *
   * @param send gets the milliseconds that it waited for that
   * @throws NoResponseError if the signal aborts before, and what `send` throws
   */
  async carry<T extends { readonly status: number }>(
    bytes: number,
    signal: AbortSignal,
    send: (waited: number) => Promise<T>,
  ): Promise<T> {
    const share = Math.min(bytes, maxShare)
    const asked = this.#clock.now()
    while (this.#inFlight > 0 && this.#inFlight + share > this.#limit) await this.#change(signal)
    const start = this.#clock.now()
    this.#inFlight += share
    this.#uploads += 1
    const uploads = this.#uploads
    let limit = firstLimit
    try {
      const response = await send(start - asked)
      if (response.status === 200) {
        // In the same time, the line carried as much of each other upload.
        const carried = (bytes * uploads * timeInFlight) / (this.#clock.now() - start)
        limit = Math.max(this.#limit, carried)
      }
      return response
    } finally {
      this.#limit = limit
      this.#inFlight -= share
      this.#uploads -= 1
      for (const wake of this.#waiting.splice(0)) wake()
    }
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.push(() => resolve(undefined))
    signal.addEventListener('abort', resolve)
    if (!signal.aborted) await promise
    signal.removeEventListener('abort', resolve)
    if (signal.aborted) throw new NoResponseError('ABORTED', false, 'the run ended before it was sent')
  }
}
