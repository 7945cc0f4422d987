import { setTimeout } from 'node:timers/promises'

/** A line of limited speed. Its connections share one queue. */
export class Line {
  readonly #bitsPerSecond: number
  /** When the queue is empty: milliseconds, as `performance.now()`. */
  #free = 0

  constructor(bitsPerSecond: number) {
    this.#bitsPerSecond = bitsPerSecond
  }

  /** Resolves when these bytes, and all before them, are carried. */
  async carry(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    this.#free = Math.max(now, this.#free) + (bytes * 8 * 1000) / this.#bitsPerSecond
    if (this.#free > now) await setTimeout(this.#free - now, undefined, { signal })
  }
}
