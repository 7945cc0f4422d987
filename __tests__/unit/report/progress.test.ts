import { describe, expect, test } from '@jest/globals'
import type { Log } from '../../../src/report/log.ts'
import { logServiceEvents } from '../../../src/report/progress.ts'
import { formatDuration } from '../../../src/text/format.ts'
import { quoted, text } from '../../../src/text/text.ts'

function listen(totalBytes: number) {
  const lines: string[] = []
  const note = (kind: string) => (line: string) => void lines.push(`${kind}: ${line}`)
  const log: Log = {
    info: note('info'),
    debug: note('debug'),
    list: note('list'),
    problem: (problem) => note(problem.level ?? 'error')(quoted(problem.text)),
  }
  const clock = { now: 0 }
  const onEvent = logServiceEvents(log, [{ size: totalBytes }], () => clock.now)
  const send = (bytes: number, seconds: number, times: number) => {
    for (let count = 0; count < times; count += 1) {
      clock.now += seconds * 1000
      onEvent({ kind: 'sent', bytes })
    }
  }
  return { lines, onEvent, send }
}

describe('a request', () => {
  test('is a debug line with method, status, outcome, time and request ID', () => {
    const { lines, onEvent } = listen(0)
    onEvent({ kind: 'request', method: 'files.info', status: 200, outcome: 'ok', requestId: 'r-1', milliseconds: 12.4 })
    onEvent({ kind: 'request', method: 'files.info', outcome: 'ECONNRESET', milliseconds: 3 })
    expect(lines).toEqual([
      'debug: files.info: 200, ok, 12 ms, request ID r-1',
      'debug: files.info: no response, ECONNRESET, 3 ms',
    ])
  })
})

test('a wait is logged once, with its reason', () => {
  const { lines, onEvent } = listen(0)
  onEvent({ kind: 'wait', milliseconds: 30_000, reason: text`${'rate_limited'} from the service` })
  expect(lines).toEqual(['info: Waiting 30 s: `rate_limited` from the service'])
})

describe('bytes that are sent', () => {
  test('are not logged for small files', () => {
    const { lines, send } = listen(999_999)
    send(100_000, 6, 10)
    expect(lines).toEqual([])
  })

  test('are logged once when everything is sent within a second', () => {
    const { lines, send } = listen(1_000_000_000)
    send(1_000_000, 0.0009, 1000)
    expect(lines).toEqual(['info: Sent 1 GB of 1 GB (100 %), 1.1 GB/s'])
  })

  test('are logged with every tenth', () => {
    const { lines, send } = listen(100_000_000)
    send(1_000_000, 0.2, 100)
    expect(lines).toEqual(
      [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((tenth) => `info: Sent ${tenth} MB of 100 MB (${tenth} %), 5 MB/s`),
    )
  })

  test('are logged every 5 seconds when a tenth takes longer', () => {
    const { lines, send } = listen(1_000_000_000)
    send(1_000_000, 1, 12)
    expect(lines).toEqual(['info: Sent 5 MB of 1 GB (0 %), 1 MB/s', 'info: Sent 10 MB of 1 GB (1 %), 1 MB/s'])
  })

  test('are never more than all', () => {
    const { lines, send } = listen(20_000_000)
    send(15_000_000, 6, 2)
    expect(lines).toEqual([
      'info: Sent 15 MB of 20 MB (75 %), 2.5 MB/s',
      'info: Sent 30 MB, retries included, 2.5 MB/s',
    ])
  })
})

test.each([
  [0, '0 s'],
  [440, '0.4 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [185_000, '3 min 5 s'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
