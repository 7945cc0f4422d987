import type { ServiceEvent } from '../service/service.ts'
import { formatDuration, formatSize } from '../text/format.ts'
import { quoted } from '../text/text.ts'
import { runnerLog as log } from './log.ts'

/** Bytes. With fewer, a rate would mislead, since most time goes into the connection. */
const minBytesForProgress = 1_000_000

/**
 * Logs progress every 5 seconds and at the end.
 *
 * @param now milliseconds, never going back
 */
export function logServiceEvents(
  now: () => number = () => performance.now(),
): (event: ServiceEvent) => void {
  let totalBytes = 0
  let start = 0
  let sent = 0
  let loggedAt = 0
  let lookups = { reason: '', until: 0 }

  const logProgress = (bytes: number): void => {
    sent += bytes
    const at = now()
    if (at - loggedAt < 5000 && sent !== totalBytes) return
    loggedAt = at
    const rate = `${formatSize((sent / (at - start)) * 1000)}/s`
    // Failed attempts count too.
    const retried = sent > totalBytes ? ' with retries' : ''
    log.info(`Sent ${formatSize(sent)} of ${formatSize(totalBytes)}${retried}, ${rate}`)
  }

  return (event) => {
    switch (event.kind) {
      case 'request':
        log.debug(describeRequest(event))
        break
      case 'wait':
        log.info(`Waiting ${formatDuration(event.milliseconds)}: ${quoted(event.reason)}`)
        break
      case 'lookups': {
        const { milliseconds } = event
        const reason = quoted(event.reason)
        // One line for all files looked up in this time, even if it is prolonged.
        if (reason === lookups.reason && now() < lookups.until) break
        lookups = { reason, until: now() + milliseconds }
        log.info(
          `Checking for up to ${formatDuration(milliseconds)} what happened to the message: ${reason}`,
        )
        break
      }
      case 'sending':
        totalBytes = event.bytes
        start = now()
        loggedAt = start
        break
      case 'sent':
        if (totalBytes >= minBytesForProgress) logProgress(event.bytes)
        break
    }
  }
}

function describeRequest(request: Extract<ServiceEvent, { kind: 'request' }>): string {
  const { detail, method, milliseconds, outcome, requestId, status } = request
  const id = requestId && `request ID ${requestId}`
  const parts = [status ?? 'no response', outcome, `${Math.round(milliseconds)} ms`, id, detail]
  return `${method}: ${parts.filter(Boolean).join(', ')}`
}
