import { setTimeout } from 'node:timers/promises'

/**
 * A line of limited speed. What several connections send over it waits in one queue, so they share
 * its speed.
 */
export class Line {
  readonly #bitsPerSecond: number
  /** When it has carried everything so far: milliseconds, as `performance.now()`. */
  #free = 0

  constructor(bitsPerSecond: number) {
    this.#bitsPerSecond = bitsPerSecond
  }

  /** Ends when the line has carried these bytes, and all that came before. */
  async carry(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    this.#free = Math.max(now, this.#free) + (bytes * 8 * 1000) / this.#bitsPerSecond
    if (this.#free > now) await setTimeout(this.#free - now, undefined, { signal })
  }
}
