import type { ServiceEvent } from '../service/service.ts'
import { formatDuration, formatSize } from '../text/format.ts'
import type { Log } from './log.ts'

/** Bytes. Of less than this, the time of the connection is measured, not of the bytes. */
const large = 1_000_000

/**
 * Tells of what happens while the service is talked to. How bytes are moving is told with every tenth, but not more
 * often than once a second, at least every 5 seconds, and when all are there: the runner's log has no progress bar.
 *
 * `totalBytes`: of all files that are to be sent. `now`: milliseconds that only grow.
 */
export function tellServiceEvents(
  log: Log,
  totalBytes: number,
  now: () => number = () => performance.now(),
): (event: ServiceEvent) => void {
  const start = now()
  let sent = 0
  let told = { bytes: 0, at: start }

  const tellBytes = (count: number): void => {
    sent += count
    const at = now()
    const waited = at - told.at
    const due = waited >= 5000 || (waited >= 1000 && sent - told.bytes >= totalBytes / 10)
    if (!due && sent !== totalBytes) return
    told = { bytes: sent, at }
    const rate = `${formatSize((sent / (at - start)) * 1000)}/s`
    // Attempts that failed count as well.
    log.info(
      sent <= totalBytes
        ? `Sent ${formatSize(sent)} of ${formatSize(totalBytes)} (${Math.floor((sent / totalBytes) * 100)} %), ${rate}`
        : `Sent ${formatSize(sent)}, repeats included, ${rate}`,
    )
  }

  return (event) => {
    switch (event.kind) {
      case 'call': {
        const { method, milliseconds, outcome, requestId, status } = event
        const request = requestId === undefined ? '' : `, request id ${requestId}`
        log.debug(`${method}: ${status ?? 'no answer'}, ${outcome}, ${Math.round(milliseconds)} ms${request}`)
        break
      }
      case 'waiting':
        log.info(`Waiting ${formatDuration(event.milliseconds)}: ${event.why}`)
        break
      case 'bytes':
        if (totalBytes >= large) tellBytes(event.count)
        break
    }
  }
}
