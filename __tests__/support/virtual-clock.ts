import type { Clock } from '../../src/deadline.ts'

interface Sleeper {
  readonly at: number
  wake(): void
}

/** A rate limit of 3 s that never ends takes 6,900 turns. More means that a bug keeps it from ending. */
const maxTurns = 20_000

/**
 * Time passes only when everybody waits for it, so hours take no time, and always the same course.
 */
export class VirtualClock implements Clock {
  #now = 0
  #busy = 0
  /** In the order of waking. */
  readonly #sleepers: Sleeper[] = []

  now(): number {
    return this.#now
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const wake = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      // Whole microseconds, because adding 1e-11 might change nothing, and time must go on.
      const sleeper = { at: this.#now + Math.ceil(milliseconds * 1_000) / 1_000, wake }
      const stop = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
      const later = this.#sleepers.findIndex(({ at }) => at > sleeper.at)
      this.#sleepers.splice(later === -1 ? this.#sleepers.length : later, 0, sleeper)
    })
  }

  /** Time stands still during `work` that needs more than promises. */
  async standStill<T>(work: Promise<T>): Promise<T> {
    this.#busy += 1
    try {
      return await work
    } finally {
      this.#busy -= 1
    }
  }

  /** Lets time pass until the end of `work`. */
  async play<T>(work: Promise<T>): Promise<T> {
    let over = false
    const end = () => {
      over = true
    }
    work.then(end, end)
    for (let turn = 0; turn < maxTurns; turn += 1) {
      await new Promise(setImmediate)
      if (over) return work
      if (this.#busy > 0) continue
      const next = this.#sleepers.shift()
      if (next === undefined) throw new Error('Nobody will ever go on')
      this.#now = Math.max(this.#now, next.at)
      next.wake()
    }
    throw new Error(`After ${maxTurns} turns and ${this.#now} ms, it is not over`)
  }
}
