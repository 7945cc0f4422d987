/**
 * Connections to a host, and uploads at once. Browsers use this number, because proxies limit each
 * client.
 */
export const connectionsAtOnce = 6

/** Milliseconds without movement, besides what a slow line needs. */
export const stallTime = 30_000
/** Bytes that may sit in kernel buffers. */
const maxBuffered = 4_000_000
/** Bytes that each other request may send between two movements. */
const chunkBytes = 1_000_000
/** Bytes per millisecond: 0.5 Mbit/s, of which a fifth is for the protocols. */
const slowestLine = 50

/** Since its connection, its last chunk, or the start of its response. */
export interface Standstill {
  readonly body: { readonly length: number }
  readonly fullySent: boolean
  /**
   * Milliseconds that the response may take at least. Without it, half of the time is kept for a
   * repetition.
   */
  readonly minResponseTime?: number | undefined
  /** Milliseconds left of the run. */
  readonly timeLeft: number
}

/**
 * Milliseconds without movement before a request is given up: 30 s, and what a slow line needs for
 * six such bodies, which share it, at most 1 MB of each. After the last byte, a proxy may hold the
 * whole request, so it counts once more.
 */
export function maxStandstill({ body, fullySent, minResponseTime, timeLeft }: Standstill): number {
  const { length } = body
  const outstanding = connectionsAtOnce * Math.min(length, chunkBytes) + (fullySent ? length : 0)
  const maxWait = stallTime + outstanding / slowestLine
  if (minResponseTime !== undefined) return fullySent ? Math.max(maxWait, minResponseTime) : maxWait
  return Math.min(
    maxWait,
    Math.max(timeLeft / 2, stallTime + Math.min(length, maxBuffered) / slowestLine),
  )
}
