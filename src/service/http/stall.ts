import { connectionsAtOnce, smallFileBytes } from '../service.ts'

/** Milliseconds. Without movement, a request is given up after them and those for a slow line. */
export const stallTime = 30_000
/** Bytes of a request that the buffers of this machine can hold. */
const maxBuffered = 4_000_000
/** Bytes per millisecond: 0.5 Mbit/s, of which a fifth is for the protocols. */
const slowestLine = 50

/** A request in which nothing moved since its connection, its last chunk, or its first response. */
export interface Standstill {
  readonly body: { readonly length: number }
  readonly fullySent: boolean
  /**
   * Milliseconds that the response may take, at least. A request without it may be repeated, and is
   * given up while half of the time is left.
   */
  readonly minResponseTime?: number | undefined
  /** Milliseconds that were left of the run. */
  readonly timeLeft: number
}

/**
 * Milliseconds without movement after which a request is given up. Six requests share the line,
 * and a proxy can take a whole request at once: 900 KB get 30 s, and what a slow line needs for
 * seven times as much.
 */
export function maxStandstill({ body, fullySent, minResponseTime, timeLeft }: Standstill): number {
  const { length } = body
  const outstanding =
    connectionsAtOnce * Math.min(length, smallFileBytes) + (fullySent ? length : 0)
  const maxWait = stallTime + outstanding / slowestLine
  if (minResponseTime !== undefined) return Math.max(maxWait, fullySent ? minResponseTime : 0)
  return Math.min(
    maxWait,
    Math.max(timeLeft / 2, stallTime + Math.min(length, maxBuffered) / slowestLine),
  )
}
