/**
 * Connections to one host, and files that are uploaded at once. It is the number that browsers use,
 * because proxies limit each client.
 */
export const connectionsAtOnce = 6

/** Milliseconds without movement, besides what a slow line needs. */
export const stallTime = 30_000
/** Bytes that this machine may still hold after it reported them as sent: they get their time. */
const maxBuffered = 4_000_000
/** Bytes that each of the others may send between two movements of a request. */
const chunkBytes = 1_000_000
/** Bytes per millisecond: 0.5 Mbit/s, of which a fifth is for the protocols. */
const slowestLine = 50

/** A request in which nothing moved since its connection, its last chunk, or the beginning of its response. */
export interface Standstill {
  readonly body: { readonly length: number }
  readonly fullySent: boolean
  /**
   * Milliseconds that the response may take, at least. Without it, the request may be repeated, so
   * half of the time is kept for that.
   */
  readonly minResponseTime?: number | undefined
  /** Milliseconds that were left of the run. */
  readonly timeLeft: number
}

/**
 * Milliseconds without movement after which a request is given up: 30 s, and what a slow line
 * needs for six such bodies, at most 1 MB of each: six requests share it. After the last byte, a proxy
 * may still hold the whole request, so it counts once more.
 */
export function maxStandstill({ body, fullySent, minResponseTime, timeLeft }: Standstill): number {
  const { length } = body
  const outstanding = connectionsAtOnce * Math.min(length, chunkBytes) + (fullySent ? length : 0)
  const maxWait = stallTime + outstanding / slowestLine
  if (minResponseTime !== undefined) return Math.max(maxWait, fullySent ? minResponseTime : 0)
  return Math.min(
    maxWait,
    Math.max(timeLeft / 2, stallTime + Math.min(length, maxBuffered) / slowestLine),
  )
}
