// What the action does as the runner starts it, over real connections that break, stall and trickle.
import { describe, expect, test } from '@jest/globals'
import type { Fault, Target } from '../../sandbox/faults.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'
import { withStuckLookUps } from '../support/stuck-thread.ts'

const speed = 20
const small = { 'report.csv': 'name,result\n' }
/** More than the buffers between two sockets take, so that a peer that reads nothing is noticed. */
const large = { 'report.csv': Buffer.alloc(16_000_000, 'name,result\n') }

interface Delivered extends Done {
  readonly sandbox: Sandbox
}

/** Runs the step, and checks what it says against what stands in the channels. */
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
  ])('an answer to the completion that %s: green, and there once', async (_, fault) => {
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
    ['never answered', { kind: 'silence' }],
    ['read byte by byte', { kind: 'slow-reader', bytesPerSecond: 1_000 }],
    ['answered by an error', { kind: 'response', status: 504, body: { text: 'upstream timed out' } }],
    ['answered before they were read', { kind: 'response', status: 200, early: true }],
  ])('bytes that are %s are sent again with a new ticket', async (_, fault) => {
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

  test('bytes that another origin shall get are not sent there', async () => {
    const done = await external(disturbed('upload-bytes', { kind: 'redirect', status: 307 }))
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
    expect(count(done, '/elsewhere')).toBe(0)
  })

  test('a message that is late is waited for, and has its link', async () => {
    const done = await external(undefined, {
      service: { sharing: { milliseconds: 1_000, lookups: 0, channels: 'all' } },
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(done.outputs['permalink']).toContain(`/p${done.outputs['ts']?.replace('.', '')}`)
  })

  test('a message that never shows is red after a minute', async () => {
    const done = await external(undefined, { service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } } })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown', count: '0' } })
    expect(errorsIn(done)).toEqual([
      {
        title: expect.stringContaining('do not show'),
        text: expect.stringMatching(/^After 6\d s no message with report\.csv shows/),
      },
    ])
  })

  test('a rate limit is waited out, and told once for all files', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`report-${index}.csv`, 'a\n']))
    const limit: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '15' } }
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
    expect(done.stdout.match(/^Waiting .*/gm)).toEqual([expect.stringContaining('Waiting 15 s')])
  })

  test('300 files where 100 calls a minute are allowed all arrive, and few calls are in vain', async () => {
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
  ])('a request that was %s cannot have been taken, and is repeated', async (_, fault) => {
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
  ])('an answer that is %s leaves it unknown: red, not repeated', async (_, fault) => {
    const done = await upload(fault)
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
    expect(count(done, 'files.upload')).toBe(1)
    expect(errorsIn(done)).toEqual([
      {
        title: expect.any(String),
        text: expect.stringContaining('Look into C0GENERAL00 before you run the step again'),
      },
    ])
  })

  test('an ok before the request was read is none', async () => {
    const ok: Fault = { kind: 'response', status: 200, body: { json: { ok: true } }, early: true }
    const done = await upload(ok, { files: large })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
  })

  test('a refusal before the request was read is certain', async () => {
    const done = await upload({ kind: 'response', status: 413, early: true }, { files: large })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  })

  test('the second of three files fails: partial, and a later step learns which files are missing where', async () => {
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

describe('A run that is cancelled ends within 5 seconds and says what is known', () => {
  /** Cancels as soon as the sandbox has got a request to `path`. */
  async function cancelled(path: string, prepare: (sandbox: Sandbox) => void, step: Step = {}): Promise<Delivered> {
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

  test('while bytes are on their way: nothing was posted', async () => {
    const done = await cancelled('/upload/', disturbed('upload-bytes', { kind: 'silence' }), external)
    expect(done.outputs['status']).toBe('failed')
    expect(errorsIn(done)).toMatchObject([{ title: 'The run was cancelled' }])
  })

  test('while a message is published: unknown', async () => {
    const fault: Fault = { kind: 'silence', effect: true }
    const done = await cancelled('completeUploadExternal', disturbed('files.completeUploadExternal', fault), external)
    expect(done.outputs['status']).toBe('unknown')
    expect(count(done, 'files.info')).toBe(0)
    expect(done.summary).toContain('not known whether posted')
  })

  test('while a message is looked for: unknown', async () => {
    const done = await cancelled('files.info', () => {}, {
      ...external,
      service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } },
    })
    expect(done.outputs['status']).toBe('unknown')
  })

  test('between two files: the first is posted, and the answer to it still counts', async () => {
    const done = await cancelled('files.upload', ({ faults }) => faults.add({ on: 'files.upload', delay: 1_000 }), {
      files: { 'a.csv': '1\n', 'b.csv': '2\n' },
    })
    expect(done.outputs).toMatchObject({ status: 'partial', count: '1' })
    expect(count(done, 'files.upload')).toBe(1)
  })
})

test('a look-up that hangs in its thread does not keep a red step alive', async () => {
  const clock = withClock(speed)
  const stuck = withStuckLookUps()
  const done = await run({
    files: small,
    inputs: { 'base-url': 'https://chat.example', 'timeout-minutes': '1' },
    nodeOptions: [...clock.nodeOptions, ...stuck.nodeOptions],
    env: { ...clock.env, ...stuck.env },
  })
  expect(done.outputs['status']).toBe('failed')
  expect(done.summary).not.toBe('')
  expect(done.signal).toBe('SIGKILL')
  expect(done.milliseconds * speed).toBeLessThan(120_000)
})

test('outputs that cannot be written make the step red, and the log says what was posted', async () => {
  const done = await run({ files: small, env: { GITHUB_OUTPUT: '/nowhere/output' } })
  expect(done.code).toBe(1)
  expect(errorsIn(done)).toMatchObject([{ title: 'The outputs could not be written' }])
  expect(done.stdout).toContain('report.csv')
  expect(done.summary).toContain('report.csv')
  expect(done.messages).toHaveLength(1)
})
