import { connectionsAtOnce, smallFileBytes } from '../service.ts'

/** Milliseconds. A request is given up if nothing of it moves for this long, not counting what a slow line needs. */
export const stallTime = 30_000
/** Bytes of a request that the buffers of this machine can hold. */
const maxBuffered = 4_000_000
/** Bytes per millisecond. The slowest line on which everything arrives has 0.5 Mbit/s; a fifth of that is for the protocols. */
const slowestLine = 50

/** A request since the last time that something of it moved: it got its connection, a chunk was taken, the response began. */
export interface Standstill {
  readonly body: { readonly length: number }
  readonly fullySent: boolean
  /**
   * Milliseconds that the response may take, at least. A request without it may be repeated, and is given up while half
   * of the time is left.
   */
  readonly minResponseTime?: number | undefined
  /** Milliseconds that were left of the run. */
  readonly timeLeft: number
}

/**
 * Milliseconds after which a request is given up if nothing moves. A file of 900 KB that was sent whole waits 30 s, and as
 * long as a slow line needs for seven such files: six requests share the line, and a proxy can have taken all of this one at once.
 */
export function maxStandstill({ body, fullySent, minResponseTime, timeLeft }: Standstill): number {
  const { length } = body
  const outstanding = connectionsAtOnce * Math.min(length, smallFileBytes) + (fullySent ? length : 0)
  const maxWait = stallTime + outstanding / slowestLine
  if (minResponseTime !== undefined) return Math.max(maxWait, fullySent ? minResponseTime : 0)
  return Math.min(maxWait, Math.max(timeLeft / 2, stallTime + Math.min(length, maxBuffered) / slowestLine))
}
