// What the action does as the runner starts it, over real connections that break, stall and trickle.
import { describe, expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const speed = 20
const small = { 'report.csv': 'name,result\n' }
/** More than the buffers between two sockets take, so that a peer that reads nothing is noticed. */
const large = { 'report.csv': Buffer.alloc(16_000_000, 'name,result\n') }

interface Delivered extends Done {
  readonly sandbox: Sandbox
}

/** Runs the step, and compares what it reports with what is in the channels. */
async function run(step: Step): Promise<Delivered> {
  let sandbox: Sandbox | undefined
  const done = await runStep({
    ...withClock(speed),
    ...step,
    prepare: (started, folder) => {
      sandbox = started
      return step.prepare?.(started, folder)
    },
  })
  if (sandbox === undefined) throw new Error('The sandbox was not started')
  const postings = sandbox.workspace.postings()
  expect(postings.filter(({ times }) => times > 1)).toEqual([])
  for (const { channel, paths, state } of JSON.parse(done.outputs['messages'] ?? '[]')) {
    const there = postings.filter((posting) => posting.channel === channel && paths.includes(posting.name)).length
    if (state === 'posted') expect(there).toBe(paths.length)
    if (state === 'not-sent') expect(there).toBe(0)
  }
  if (done.outputs['status'] === 'failed') expect(postings).toEqual([])
  expect(done.requests.filter(({ origin, token }) => origin === 'upload' && token !== 'none')).toEqual([])
  return { ...done, sandbox }
}

const count = ({ requests }: Done, name: string) => requests.filter(({ path }) => path.endsWith(name)).length
const bytesSent = ({ requests }: Done) => requests.filter(({ origin }) => origin === 'upload').length
const disturbed =
  (on: Target, fault: Fault, more: { readonly call?: number; readonly delay?: number } = { call: 1 }) =>
  ({ faults }: Sandbox) =>
    faults.add({ on, fault, ...more })

describe('By the external upload', () => {
  const external = (prepare: Step['prepare'], step: Step = {}) =>
    run({ files: small, ...step, ...(prepare && { prepare }), inputs: { method: 'external', ...step.inputs } })
  const complete = 'files.completeUploadExternal'

  test.each<readonly [string, Fault]>([
    ['is lost', { kind: 'reset', when: 'after', effect: true }],
    ['never comes', { kind: 'silence', effect: true }],
    ['breaks off', { kind: 'truncated' }],
    ['trickles', { kind: 'trickle', bytesPerSecond: 1 }],
    ['has 10 MB', { kind: 'response', status: 200, body: { megabytes: 10 }, effect: true }],
    ['is a code that asks for another try', { kind: 'error', code: 'file_update_failed', effect: true }],
  ])('a response to the completion that %s: the step succeeds, and the message is there once', async (_, fault) => {
    const done = await external(disturbed(complete, fault), { service: { secondCompletion: 'shares again' } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, complete)).toBe(1)
  })

  test('a completion that was lost on the way is repeated with the same files, once', async () => {
    const done = await external(disturbed(complete, { kind: 'reset', when: 'after' }))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, complete)).toBe(2)
    expect(bytesSent(done)).toBe(1)
  })

  test.each<readonly [string, Fault, Required<Step>['files']]>([
    ['cut in the middle', { kind: 'reset', when: 'middle' }, small],
    ['never responded to', { kind: 'silence' }, small],
    ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }, large],
    ['responded to with an error', { kind: 'response', status: 504, body: { text: 'upstream timed out' } }, small],
    ['responded to before they were read', { kind: 'response', status: 200, early: true }, large],
  ])('bytes that are %s are sent again with a new upload URL', async (_, fault, files) => {
    const done = await external(disturbed('upload-bytes', fault), { files })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, 'files.getUploadURLExternal')).toBe(2)
    expect(bytesSent(done)).toBe(2)
  })

  test('bytes that a slow line takes more than half a minute for are sent once', async () => {
    const files = { 'report.csv': Buffer.alloc(4_000_000, 'name,result\n') }
    // By the clock of the action, 100 kB a second.
    const slow: Fault = { kind: 'slow-reader', bytesPerSecond: 100_000 * speed }
    const done = await external(disturbed('upload-bytes', slow), { files })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(bytesSent(done)).toBe(1)
  })

  test('bytes are not sent to the origin that a redirect names', async () => {
    const done = await external(disturbed('upload-bytes', { kind: 'redirect', status: 307 }))
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
    expect(count(done, '/elsewhere')).toBe(0)
  })

  test('a message that appears late is confirmed, and has its permalink', async () => {
    const done = await external(undefined, {
      service: { sharing: { milliseconds: 1_000, lookups: 0, channels: 'all' } },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(done.outputs['permalink']).toContain(`/p${done.outputs['ts']?.replace('.', '')}`)
  })

  test('a message that never becomes visible fails the step after a minute', async () => {
    const done = await external(undefined, { service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } } })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown', count: '0' } })
    expect(errorsIn(done)).toEqual([
      {
        title: expect.stringMatching(/^`127\.0\.0\.1:\d+` accepted the files, but the message has not appeared$/),
        text: expect.stringMatching(/^After [6-9]\d s, no message with `report\.csv` is visible in `C0GENERAL00`/),
      },
    ])
  })

  test('a rate limit is waited out, and reported once', async () => {
    const files = { 'a.csv': 'a\n', 'b.csv': 'b\n', 'c.csv': 'c\n' }
    const limit: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '60' } }
    const limited = ({ faults }: Sandbox) =>
      faults.add({ on: 'files.getUploadURLExternal', call: [1, 2, 3], fault: limit })
    const done = await external(limited, { files })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '3' } })
    expect(done.stdout.match(/^Waiting 1 min/gm)).toHaveLength(1)
  })

  test('every response may be compressed', async () => {
    const done = await external(({ faults }) => faults.add({ on: '*', fault: { kind: 'encoded', as: 'gzip' } }))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })

  test('a service that gives two files the same file ID: an error before anything is visible', async () => {
    const files = { 'a.csv': 'a\n', 'b.csv': 'b\n' }
    const done = await external(
      ({ faults, uploadOrigin }) => {
        const json = { ok: true, file_id: 'F0SAME00000', upload_url: `${uploadOrigin}/upload/v1/1` }
        const fault: Fault = { kind: 'response', status: 200, body: { json } }
        faults.add({ on: 'files.getUploadURLExternal', fault })
        faults.add({ on: 'upload-bytes', fault: { kind: 'response', status: 200 } })
      },
      { files },
    )
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
    expect(count(done, complete)).toBe(0)
  })
})

describe('By files.upload', () => {
  const upload = (fault: Fault, step: Step = {}) =>
    run({ files: small, ...step, prepare: disturbed('files.upload', fault) })

  test.each<readonly [string, Fault]>([
    ['cut in the middle', { kind: 'reset', when: 'middle' }],
    ['cut at once', { kind: 'reset', when: 'before' }],
    ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }],
  ])('a request that was %s was not carried out, and is repeated', async (_, fault) => {
    const done = await upload(fault, { files: large })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, 'files.upload')).toBe(2)
  })

  test.each<readonly [string, Fault]>([
    ['lost', { kind: 'reset', when: 'after', effect: true }],
    ['missing', { kind: 'silence', effect: true }],
    ['503', { kind: 'response', status: 503 }],
    ['broken off', { kind: 'truncated' }],
    ['compressed, and no header says so', { kind: 'encoded', as: 'unnamed' }],
    ['in UTF-16', { kind: 'encoded', as: 'utf-16le' }],
    ['a web page', { kind: 'response', status: 200, body: { html: '<!doctype html><title>Hotel</title>' } }],
  ])('a response that is %s makes the message unknown: the step fails, and nothing is repeated', async (_, fault) => {
    const done = await upload(fault)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(count(done, 'files.upload')).toBe(1)
    expect(errorsIn(done)).toEqual([
      {
        title: expect.any(String),
        text: expect.stringContaining('\nCheck `C0GENERAL00` before you run the step again'),
      },
    ])
  })

  test('an ok before the request was read does not count', async () => {
    const ok: Fault = { kind: 'response', status: 200, body: { json: { ok: true } }, early: true }
    const done = await upload(ok, { files: large })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
  })

  test('a refusal before the request was read is certain', async () => {
    const done = await upload({ kind: 'response', status: 413, early: true }, { files: large })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  })

  test('the second of three files fails: partial, and the outputs list which files are missing', async () => {
    const done = await run({
      files: { 'a.csv': '1\n', 'b.csv': '2\n', 'c.csv': '3\n' },
      prepare: disturbed('files.upload', { kind: 'error', code: 'file_type_not_allowed' }, { call: 2 }),
    })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '1' } })
    const messages: readonly { readonly state: string; readonly paths: readonly string[] }[] = JSON.parse(
      done.outputs['messages'] ?? '',
    )
    const missing = messages.filter(({ state }) => state === 'not-sent').flatMap(({ paths }) => paths)
    expect(missing).toEqual(['b.csv', 'c.csv'])
  })
})

// On Windows, to cancel is a Ctrl-C in the console, which no other process can type.
describe('A run that is canceled ends within 5 seconds and reports what is known', () => {
  /** Cancels as soon as the sandbox has got a request to `path`. */
  async function canceled(path: string, prepare: (sandbox: Sandbox) => void, step: Step = {}): Promise<Delivered> {
    const cancel = new AbortController()
    let at = 0
    const { promise, resolve } = Promise.withResolvers<Sandbox>()
    const running = run({
      nodeOptions: [],
      files: small,
      ...step,
      signal: cancel.signal,
      prepare: (sandbox) => {
        prepare(sandbox)
        resolve(sandbox)
      },
    })
    const { requests } = await promise
    const watching = setInterval(() => {
      if (at > 0 || !requests.some((request) => request.path.includes(path))) return
      at = performance.now()
      cancel.abort()
    }, 10)
    const done = await running
    clearInterval(watching)
    expect(performance.now() - at).toBeLessThan(5_000)
    expect(done).toMatchObject({ code: 1, signal: null })
    return done
  }

  const external: Step = { inputs: { method: 'external' } }

  onPosix('while bytes are on their way: nothing was posted', async () => {
    const done = await canceled('/upload/', disturbed('upload-bytes', { kind: 'silence' }), external)
    expect(done.outputs['status']).toBe('failed')
    expect(errorsIn(done)).toMatchObject([{ title: 'The run was canceled' }])
  })

  onPosix('while a message is posted: unknown', async () => {
    const fault: Fault = { kind: 'silence', effect: true }
    const done = await canceled('completeUploadExternal', disturbed('files.completeUploadExternal', fault), external)
    expect(done.outputs['status']).toBe('unknown')
    expect(count(done, 'files.info')).toBe(0)
    expect(done.summary).toContain('unknown whether posted')
  })

  onPosix('while a message is looked up: unknown', async () => {
    const done = await canceled('files.info', () => {}, {
      ...external,
      service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } },
    })
    expect(done.outputs['status']).toBe('unknown')
  })

  onPosix('between two files: the first is posted, and the response to it still counts', async () => {
    const done = await canceled('files.upload', ({ faults }) => faults.add({ on: 'files.upload', delay: 1_000 }), {
      files: { 'a.csv': '1\n', 'b.csv': '2\n' },
    })
    expect(done.outputs).toMatchObject({ status: 'partial', count: '1' })
    expect(count(done, 'files.upload')).toBe(1)
  })
})
