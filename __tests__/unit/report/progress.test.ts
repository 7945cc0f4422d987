import { expect, test } from '@jest/globals'
import { logServiceEvents } from '../../../src/report/progress.ts'
import type { ServiceEvent } from '../../../src/service/service.ts'
import { text } from '../../../src/text/text.ts'
import { withEnvironment } from '../../support/environment.ts'
import { stdoutOf } from '../../support/stdout.ts'

/** The log of these events, some seconds apart. */
function linesFor(
  totalBytes: number,
  events: readonly (readonly [seconds: number, event: ServiceEvent])[],
) {
  let now = 0
  const onEvent = logServiceEvents(() => now)
  const play = () => {
    for (const [seconds, event] of [
      [5, { kind: 'sending', bytes: totalBytes }] as const,
      ...events,
    ]) {
      now += seconds * 1000
      onEvent(event)
    }
  }
  const written = withEnvironment({ RUNNER_DEBUG: '1' }, () => stdoutOf(play))
  return written.split('\n').slice(0, -1)
}

const request = { kind: 'request', method: 'files.info' } as const
test.each<[ServiceEvent, string]>([
  [
    { ...request, status: 200, outcome: 'ok', requestId: 'r-1', milliseconds: 12.4 },
    '::debug::files.info: 200, ok, 12 ms, request ID r-1',
  ],
  [
    { ...request, status: 415, outcome: 'http_415', milliseconds: 3, detail: 'not allowed' },
    '::debug::files.info: 415, http_415, 3 ms, not allowed',
  ],
  [
    { ...request, outcome: 'ECONNRESET', milliseconds: 3 },
    '::debug::files.info: no response, ECONNRESET, 3 ms',
  ],
  [
    { kind: 'wait', milliseconds: 30_000, reason: text`${'rate_limited'}` },
    'Waiting 30 s: `rate_limited`',
  ],
  [
    { kind: 'lookups', milliseconds: 30_000, reason: text`lost` },
    'Checking for up to 30 s what happened to the message: lost',
  ],
])('%j is one line', (event, line) => {
  expect(linesFor(1, [[0, event]])).toEqual([line])
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

test.each<
  [
    what: string,
    total: number,
    times: number,
    bytes: number,
    seconds: number,
    lines: readonly string[],
  ]
>([
  ['not for small files', 999_999, 10, 100_000, 6, []],
  ['from 1 MB on', 1_000_000, 1, 1_000_000, 1, ['Sent 1 MB of 1 MB, 1 MB/s']],
  ['once if all are sent in a second', 1e9, 1000, 1e6, 0.0009, ['Sent 1 GB of 1 GB, 1.1 GB/s']],
  ['every 5 seconds', 1e9, 12, 1e6, 1, ['Sent 5 MB of 1 GB, 1 MB/s', 'Sent 10 MB of 1 GB, 1 MB/s']],
  [
    'with retries',
    2e7,
    2,
    15e6,
    6,
    ['Sent 15 MB of 20 MB, 2.5 MB/s', 'Sent 30 MB of 20 MB with retries, 2.5 MB/s'],
  ],
])('bytes that are sent are logged %s', (_what, total, times, bytes, seconds, lines) => {
  expect(linesFor(total, Array(times).fill([seconds, { kind: 'sent', bytes }]))).toEqual(lines)
})
