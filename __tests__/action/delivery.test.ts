// Real connections that break, stall and trickle. See `unit/delivery/` for the rules, in virtual
// time.
import { expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { called, type Done, errorsIn, runStep, type Step } from '../support/step.ts'

/** Larger than the buffers between two sockets, to notice a peer that reads nothing. */
const large = { 'report.csv': Buffer.alloc(16_000_000, 'name,result\n') }

const count = (done: Done, method: string) => called(done).filter((name) => name === method).length
const disturbed =
  (on: Target, fault: Fault): NonNullable<Step['prepare']> =>
  ({ faults }) =>
    faults.add({ on, call: 1, fault })

/** Runs the step, and compares its report with the channels. */
async function run(step: Step): Promise<Done> {
  const done = await runStep({ ...withClock(20), ...step })
  const there = new Map(Map.groupBy(done.messages, ({ channel }) => channel))
  const reported = JSON.parse(done.outputs['messages'] ?? '[]')
  for (const { channel, paths, state } of reported) {
    const names = (there.get(channel) ?? []).flatMap(({ files }) => files.map(({ name }) => name))
    for (const path of state === 'unknown' ? [] : paths)
      expect(names.filter((name) => name === path)).toEqual(state === 'posted' ? [path] : [])
  }
  return done
}

// The longest come first, since ten run at once, of one block.
const upload = (fault: Fault, step: Step = {}) =>
  run({ ...step, prepare: disturbed('files.upload', fault) })

/** Leaves the body unread. */
const refusal = { kind: 'response', early: true } as const

test.concurrent.each<readonly [string, Fault, Step]>([
  ['missing', { kind: 'silence', effect: true }, {}],
  ['lost', { kind: 'reset', when: 'after', effect: true }, {}],
  ['broken off', { kind: 'truncated' }, {}],
  ['compressed, and no header says so', { kind: 'encoded', as: 'unnamed' }, {}],
  [
    'an ok before the request was read',
    { kind: 'response', status: 200, early: true },
    { files: large },
  ],
])(
  'By files.upload, a response that is %s makes the message unknown: the step fails, and nothing is repeated',
  async (_, fault, step) => {
    const done = await upload(fault, step)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(count(done, 'files.upload')).toBe(1)
    const text = expect.stringContaining('\nCheck `C0GENERAL00` before you run the step again')
    expect(errorsIn(done)).toEqual([{ title: expect.any(String), text }])
  },
)

test.concurrent.each<readonly [string, Fault]>([
  ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }],
  ['cut in the middle', { kind: 'reset', when: 'middle' }],
  ['cut at once', { kind: 'reset', when: 'before' }],
])(
  'By files.upload, a request that was %s was not carried out, and is repeated',
  async (_, fault) => {
    const done = await upload(fault, { files: large })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, 'files.upload')).toBe(2)
  },
)

test.concurrent('By files.upload, every other request is refused by a rate limiter in front of the server: all files are posted, each once', async () => {
  const names = Array.from({ length: 5 }, (_, index) => `report-${index}.csv`)
  const headers = { 'retry-after': '1', connection: 'close' }
  const done = await run({
    files: Object.fromEntries(names.map((name) => [name, 'a,b\n'])),
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.upload',
        call: names.map((_, index) => 2 * index + 1),
        fault: { ...refusal, status: 429, headers },
      }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '5' } })
  expect(done.messages).toHaveLength(5)
})

test.concurrent('By files.upload, a refusal of a request that is not finished is certain, with several channels too', async () => {
  const body = { json: { error: 'not_in_channel' } }
  const done = await upload(
    // With a large file, the response can get lost when the server closes the connection.
    { ...refusal, status: 403, body },
    { files: large, inputs: { channels: 'general,42' } },
  )
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, messages: [] })
  expect(count(done, 'files.upload')).toBe(1)
})

const external = (on: Target, fault: Fault, step: Step = {}) =>
  run({ ...step, inputs: { method: 'external' }, prepare: disturbed(on, fault) })
const complete = 'files.completeUploadExternal'

test.concurrent.each<readonly [string, Fault, Step]>([
  ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }, { files: large }],
  ['cut in the middle', { kind: 'reset', when: 'middle' }, {}],
  ['never responded to', { kind: 'silence' }, {}],
  [
    'responded to before they were read',
    { kind: 'response', status: 200, early: true },
    { files: large },
  ],
])(
  'By the external upload, bytes that are %s are sent again with a new upload URL',
  async (_, fault, step) => {
    const done = await external('upload-bytes', fault, step)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect([count(done, 'files.getUploadURLExternal'), count(done, 'upload')]).toEqual([2, 2])
  },
)

test.concurrent.each<readonly [string, Fault]>([
  ['is lost', { kind: 'reset', when: 'after', effect: true }],
  ['never comes', { kind: 'silence', effect: true }],
  ['breaks off', { kind: 'truncated' }],
  ['trickles', { kind: 'trickle', bytesPerSecond: 1 }],
  ['has 10 MB', { kind: 'response', status: 200, body: { megabytes: 10 }, effect: true }],
])(
  'By the external upload, a response to the completion that %s: the step succeeds, and the message is there once',
  async (_, fault) => {
    const done = await external(complete, fault, {
      asRecorded: true,
      service: { secondCompletion: 'shares again' },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' }, messages: [{}] })
    expect(count(done, complete)).toBe(1)
  },
)

test.concurrent('By the external upload, a completion that was lost on the way is repeated with the same files, once', async () => {
  const done = await external(complete, { kind: 'reset', when: 'after' }, { asRecorded: true })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  expect([count(done, complete), count(done, 'upload')]).toEqual([2, 1])
})

// After a 1xx, the final response is still to come:
// https://www.rfc-editor.org/rfc/rfc9110#name-informational-1xx
test.concurrent.each([
  ['external', 103],
  ['files.upload', 102],
] as const)(
  'By %s, every call gets %d before its response, and is made once',
  async (method, status) => {
    const done = await runStep({
      files: { 'a.bin': Buffer.alloc(6e6) },
      inputs: { method },
      prepare: ({ faults }) => faults.add({ on: '*', fault: { kind: 'informational', status } }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(called(done)).toEqual([...new Set(called(done))])
  },
)
