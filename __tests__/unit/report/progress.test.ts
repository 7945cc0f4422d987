import { expect, test } from '@jest/globals'
import { logServiceEvents } from '../../../src/report/progress.ts'
import type { ServiceEvent } from '../../../src/service/service.ts'
import { text } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import { grid } from '../../support/grid.ts'
import { stdoutOf } from '../../support/stdout.ts'

/** The log of these events, some seconds apart. */
function linesFor(
  totalBytes: number,
  events: readonly (readonly [seconds: number, event: ServiceEvent])[],
) {
  let now = 5_000
  const onEvent = logServiceEvents(() => now)
  const play = () => {
    onEvent({ kind: 'sending', bytes: totalBytes })
    for (const [seconds, event] of events) {
      now += seconds * 1000
      onEvent(event)
    }
  }
  const written = withEnvironment({ RUNNER_DEBUG: '1' }, () => stdoutOf(play))
  return written.split('\n').slice(0, -1)
}

test('An event is one line', async () => {
  const events = `
{"kind":"request","status":200,"outcome":"ok","requestId":"r-1","milliseconds":12.4}
{"kind":"request","status":415,"outcome":"http_415","milliseconds":3,"detail":"not allowed"}
{"kind":"request","outcome":"ECONNRESET","milliseconds":3}
{"kind":"wait","milliseconds":30000}
{"kind":"lookups","milliseconds":30000}
`
  const shown = grid(events, (line) => {
    const event = { method: 'files.info', reason: text`${'rate_limited'}`, ...JSON.parse(line) }
    return linesFor(1, [[0, event]])
  })
  expect(await shown).toMatchInlineSnapshot(`
"{"kind":"request","status":200,"outcome":"ok","requestId":"r-1","milliseconds":12.4}
    ["::debug::files.info: 200, ok, 12 ms, request ID r-1"]
{"kind":"request","status":415,"outcome":"http_415","milliseconds":3,"detail":"not allowed"}
    ["::debug::files.info: 415, http_415, 3 ms, not allowed"]
{"kind":"request","outcome":"ECONNRESET","milliseconds":3}
    ["::debug::files.info: no response, ECONNRESET, 3 ms"]
{"kind":"wait","milliseconds":30000}
    ["Waiting 30 s: \`rate_limited\`"]
{"kind":"lookups","milliseconds":30000}
    ["Checking for up to 30 s what happened to the message: \`rate_limited\`"]"
`)
})

test('files that are looked up at the same time make one line, and another one if they still are when its time is over', () => {
  const waitFor = (reason: string, milliseconds = 60_000) =>
    ({ kind: 'lookups', milliseconds, reason: text`${reason}` }) as const
  const late = waitFor('late')
  const after = (seconds: number) => [seconds, late] as const
  const prolonged = [0, waitFor('late', 90_000)] as const
  const lines = linesFor(1, [
    ...[0, 0].map(after),
    prolonged,
    ...[59, 1].map(after),
    [1, waitFor('lost')],
  ])
  expect(lines.map((line) => line.slice(-6))).toEqual(['`late`', '`late`', '`lost`'])
})

test('Bytes that are sent are logged every 5 s and at the end, but not for small files', async () => {
  const uploads = `
999999 B, 10 x 100000 B in 6 s
1000000 B, 1 x 1000000 B in 1 s
1e9 B, 1000 x 1e6 B in 0.0009 s
1e9 B, 12 x 1e6 B in 1 s
2e7 B, 2 x 15e6 B in 6 s
`
  const shown = grid(uploads, (line) => {
    const [total = 0, times, bytes = 0, seconds = 0] = (line.match(/[\d.e]+/g) ?? []).map(Number)
    return linesFor(total, Array(times).fill([seconds, { kind: 'sent', bytes }]))
  })
  expect(await shown).toMatchInlineSnapshot(`
"999999 B, 10 x 100000 B in 6 s
    []
1000000 B, 1 x 1000000 B in 1 s
    ["Sent 1 MB of 1 MB, 1 MB/s"]
1e9 B, 1000 x 1e6 B in 0.0009 s
    ["Sent 1 GB of 1 GB, 1.1 GB/s"]
1e9 B, 12 x 1e6 B in 1 s
    ["Sent 5 MB of 1 GB, 1 MB/s","Sent 10 MB of 1 GB, 1 MB/s"]
2e7 B, 2 x 15e6 B in 6 s
    ["Sent 15 MB of 20 MB, 2.5 MB/s","Sent 30 MB of 20 MB with retries, 2.5 MB/s"]"
`)
})
