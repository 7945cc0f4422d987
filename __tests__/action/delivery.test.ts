// What the action does as the runner starts it, over real connections that break, stall and trickle.
import { describe, expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'
import { withStuckLookUps } from '../support/stuck-thread.ts'
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
    ['is an error page', { kind: 'response', status: 500, body: { html: '<html>Oops</html>' }, effect: true }],
    ['never comes', { kind: 'silence', effect: true }],
    ['breaks off', { kind: 'truncated' }],
    ['trickles', { kind: 'trickle', bytesPerSecond: 1 }],
    ['has 10 MB', { kind: 'response', status: 200, body: { megabytes: 10 }, effect: true }],
  ])('a response to the completion that %s: the step succeeds, and the message is there once', async (_, fault) => {
    const done = await external(disturbed(complete, fault), { service: { secondCompletion: 'shares again' } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, complete)).toBe(1)
  })

  test.each<readonly [string, Fault]>([
    ['lost on the way', { kind: 'reset', when: 'after' }],
    ['refused by a web page', { kind: 'response', status: 502, body: { html: '<html>Oops</html>' } }],
  ])('a completion that was %s is repeated with the same files, once', async (_, fault) => {
    const done = await external(disturbed(complete, fault))
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(count(done, complete)).toBe(2)
    expect(bytesSent(done)).toBe(1)
  })

  test.each<readonly [string, Fault]>([
    ['cut in the middle', { kind: 'reset', when: 'middle' }],
    ['never responded to', { kind: 'silence' }],
    ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }],
    ['responded to with an error', { kind: 'response', status: 504, body: { text: 'upstream timed out' } }],
    ['responded to before they were read', { kind: 'response', status: 200, early: true }],
  ])('bytes that are %s are sent again with a new upload URL', async (_, fault) => {
    const done = await external(disturbed('upload-bytes', fault), { files: large })
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
        text: expect.stringMatching(/^After 6\d s, no message with `report\.csv` is visible in `C0GENERAL00`/),
      },
    ])
  })

  test('a message that never becomes visible is worth a warning, if the user says so', async () => {
    const done = await external(undefined, {
      service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } },
      inputs: { 'if-not-confirmed': 'warn' },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '1', ts: '', permalink: '' } })
    expect(done.stdout).toMatch(/^::warning title=.* accepted the files%2C but the message has not appeared::/m)
    expect(done.stdout).toMatch(/^The service accepted 1 file for 1 channel$/m)
  })

  test('a message in one of two channels only: unknown, with both channels named', async () => {
    const done = await run({
      files: small,
      service: { sharing: { milliseconds: 0, lookups: 0, channels: ['C0GENERAL00'] } },
      inputs: ({ channels }) => ({ method: 'external', channels: `${channels.general}, ${channels.builds}` }),
    })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(JSON.parse(done.outputs['messages'] ?? '')).toMatchObject([
      { channel: 'C0GENERAL00', state: 'posted', permalink: expect.any(String) },
      { channel: 'C0BUILDS000', state: 'unknown' },
    ])
    expect(errorsIn(done)).toMatchObject([{ text: expect.stringContaining('is visible in `C0BUILDS000`') }])
  })

  test('a token that may not look a file up: accepted, and a notice names the scope', async () => {
    const done = await run({
      files: small,
      inputs: ({ tokens }) => ({ method: 'external', token: tokens.uploadOnly }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '1', ts: '', permalink: '' } })
    expect(done.stdout).toMatch(/^::notice title=Could not verify that the files are visible::.*`files:read`/m)
    expect(count(done, 'files.info')).toBe(0)
  })

  test('a rate limit is waited out, and not reported for each file', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`report-${index}.csv`, 'a\n']))
    const limit: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '60' } }
    const done = await external(
      ({ faults }) => {
        faults.add({
          on: 'files.getUploadURLExternal',
          call: Array.from({ length: 30 }, (_, index) => index + 1),
          fault: limit,
        })
      },
      { files },
    )
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '30' } })
    const waits = done.stdout.match(/^Waiting 1 min/gm) ?? []
    // A slow machine adds some: each response begins the wait anew.
    expect(waits.length).toBeGreaterThan(0)
    expect(waits.length).toBeLessThan(15)
  })

  test('300 files where 100 calls a minute are allowed are all posted, and few calls are rate limited', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`report-${index}.csv`, `${index}\n`]))
    const begin = Date.now()
    const done = await external(undefined, {
      files,
      inputs: { 'max-files': '300' },
      service: {
        now: () => begin + (Date.now() - begin) * speed,
        callsPerMinute: new Map(
          ['files.getUploadURLExternal', complete, 'files.info'].map((method) => [method, 100] as const),
        ),
      },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '300' } })
    expect(done.sandbox.workspace.files).toHaveLength(300)
    // Two windows close, with 64 calls under way each.
    expect(done.requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(2 * 64)
  }, 60_000)
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
    ['408', { kind: 'response', status: 408, effect: true }],
    ['503', { kind: 'response', status: 503 }],
    ['broken off', { kind: 'truncated' }],
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

onPosix('a DNS lookup that hangs in its thread does not keep a failed step alive', async () => {
  const stuck = withStuckLookUps()
  const done = await run({
    files: small,
    inputs: { 'base-url': 'https://chat.example', 'timeout-minutes': '1' },
    nodeOptions: [...withClock(speed).nodeOptions, ...stuck.nodeOptions],
    env: stuck.env,
  })
  expect(done.outputs['status']).toBe('failed')
  expect(done.summary).not.toBe('')
  expect(done.signal).toBe('SIGKILL')
})

test('outputs that cannot be written fail the step, and the log shows what was posted', async () => {
  const done = await run({ files: small, env: { GITHUB_OUTPUT: '/nowhere/output' } })
  expect(done.code).toBe(1)
  expect(errorsIn(done)).toMatchObject([{ title: 'The outputs could not be written' }])
  expect(done.stdout).toContain('report.csv')
  expect(done.summary).toContain('report.csv')
  expect(done.messages).toHaveLength(1)
})
