// Slow lines and slow services. All times are on the action's clock.
import { expect, test } from '@jest/globals'
import { withClock } from '../support/scaled-clock.ts'
import { called, type Done, errorsIn, runStep } from '../support/step.ts'

/**
 * A second of a busy machine is this many for the action. The cases run in parallel, since they
 * mostly wait.
 */
const speed = 12
const sizes = (count: number, bytes: number) => Array.from({ length: count }, () => bytes)

test.concurrent.each([
  // Files that fit through the line in time are posted, however many they are.
  ['6 × 900 KB at 1 Mbit/s', 1, sizes(6, 900_000)],
  ['a file of each kind at 0.5 Mbit/s', 0.5, [1_500_000, 999_999, ...sizes(10, 20_000)]],
])('%s', async (_, megabits, bytes) => {
  const total = bytes.reduce((sum, length) => sum + length, 0)
  const done = await runStep({
    files: Object.fromEntries(
      bytes.map((length, index) => [`report-${index}.csv`, Buffer.alloc(length, 'a')]),
    ),
    inputs: { method: 'external', 'max-files': '50', 'if-not-confirmed': 'ignore' },
    service: { bitsPerSecond: megabits * 1e6 * speed },
    ...withClock(speed),
  })
  const sent = done.requests.reduce((sum, request) => sum + request.bytes, 0)
  expect(done).toMatchObject({
    code: 0,
    outputs: { status: 'accepted', count: String(bytes.length) },
  })
  expect(sent / total).toBeLessThan(1.2)
})

test.concurrent('Six files of 1.9 MB at once at 4 Mbit/s each arrive within the 30 s that Slack gives them', async () => {
  // In real seconds, the service gives up after 15, and an idle machine needs 11.
  const speed = 2
  const done = await runStep({
    files: Object.fromEntries(
      sizes(6, 1_900_000).map((length, index) => [`screenshot-${index}.png`, Buffer.alloc(length)]),
    ),
    inputs: { method: 'external', 'if-not-confirmed': 'ignore' },
    service: { bitsPerSecond: 4e6 * speed, uploadMilliseconds: 30_000 / speed },
    ...withClock(speed),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '6' } })
  expect(called(done).filter((name) => name === 'upload')).toHaveLength(6)
})

// See `unit/service/http/transfer.test.ts` for the time until then, which here depends on the
// machine.
test.concurrent('A connection that dies among 40 uploads is noticed, and its file is sent again', async () => {
  const done = await runStep({
    files: Object.fromEntries(
      sizes(40, 500_000).map((length, index) => [`report-${index}.csv`, Buffer.alloc(length)]),
    ),
    inputs: { method: 'external', 'max-files': '40', 'if-not-confirmed': 'ignore' },
    prepare: ({ faults }) =>
      faults.add({ on: 'upload-bytes', call: 20, fault: { kind: 'silence' } }),
    ...withClock(20),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '40' } })
  expect(done.stdout).toContain('STALLED')
})

test.concurrent('An upload host that takes 24 files, and answers only those after the first six, gets all of them', async () => {
  const done = await runStep({
    files: Object.fromEntries(
      sizes(24, 300_000).map((length, index) => [`report-${index}.csv`, Buffer.alloc(length)]),
    ),
    inputs: { method: 'external', 'if-not-confirmed': 'ignore' },
    prepare: ({ faults }) =>
      faults.add({ on: 'upload-bytes', call: [1, 2, 3, 4, 5, 6], fault: { kind: 'silence' } }),
    ...withClock(speed),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '24' } })
})

const store = (method: string, bytes: number, seconds: number, minutes: number) =>
  runStep({
    files: { 'report.bin': Buffer.alloc(bytes) },
    inputs: { method, 'if-not-confirmed': 'ignore', 'timeout-minutes': String(minutes) },
    prepare: ({ faults }) =>
      faults.add({
        on: method === 'external' ? 'upload-bytes' : 'files.upload',
        delay: (seconds / speed) * 1_000,
      }),
    ...withClock(speed),
  })
const uploads = ({ requests }: Done) => requests.filter(({ bytes }) => bytes >= 1e6).length

test.concurrent.each([
  ['external', 20e6, 70, 4],
  ['files.upload', 20e6, 75, 4],
  // A proxy buffers everything, before a line of 0.5 Mbit/s.
  ['external', 5e6, 80, 4],
])(
  'A service that stores a file before it responds, by %s, %d bytes in %d s of %d minutes, gets them once',
  async (method, bytes, seconds, minutes) => {
    const done = await store(method, bytes, seconds, minutes)
    expect(done).toMatchObject({
      code: 0,
      outputs: { status: expect.stringMatching(/accepted|posted/) },
    })
    expect(uploads(done)).toBe(1)
  },
)

test.concurrent('A service that stores it for too long gets it twice, if no third attempt could end in time, and the error says what happened', async () => {
  const done = await store('external', 1.1e6, 100, 2)
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(uploads(done)).toBe(2)
  const [error] = errorsIn(done)
  // 52 s on the action's clock, on an idle machine.
  expect(error?.text).toMatch(/\(`STALLED`: no complete response for ([5-9]|1\d)\d seconds\)/)
  expect(error?.title).toBe('The service did not respond')
})
