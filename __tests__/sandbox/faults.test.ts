import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault, FaultRule } from '../../sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { ApiClient } from '../support/api-client.ts'

let sandbox: Sandbox
let api: ApiClient

beforeEach(async () => {
  sandbox = await startSandbox()
  api = new ApiClient(sandbox)
})

afterEach(() => sandbox.stop())

const on = (method: FaultRule['on'], fault: Fault, more: Partial<FaultRule> = {}) =>
  sandbox.faults.add({ on: method, fault, ...more })

/** Sends a request and takes what comes, also when it breaks off; rejects when nothing comes. */
async function send(url: string, headers: Record<string, string>, body: Uint8Array, signal?: AbortSignal) {
  const sent: ClientRequest = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    ...(signal && { signal }),
  })
  // An early response leaves bytes that are never read.
  const responded = once(sent, 'response')
  sent.end(body)
  const [response]: IncomingMessage[] = await responded
  sent.on('error', () => {})
  if (response === undefined) throw new Error('No response')
  const chunks: Uint8Array[] = []
  let broken = false
  try {
    for await (const chunk of response) if (chunk instanceof Uint8Array) chunks.push(chunk)
  } catch {
    broken = true
  }
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString(), broken }
}

const authorization = () => ({ authorization: `Bearer ${sandbox.tokens.all}` })

/** The specified request, with a file of that many bytes. */
async function upload(size = 8, signal?: AbortSignal) {
  const form = new FormData()
  form.set('channels', sandbox.channels.general)
  form.set('file', new File([new Uint8Array(size)], 'report.csv'))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const body = Buffer.from(await encoded.arrayBuffer())
  return send(`${sandbox.baseUrl}/api/files.upload`, { ...authorization(), 'content-type': type }, body, signal)
}

const ticket = (length: number): Promise<{ upload_url: string; file_id: string }> =>
  api.call('files.getUploadURLExternal', { filename: 'a.csv', length: String(length) })

const call = (method: string, signal?: AbortSignal) =>
  send(`${sandbox.baseUrl}/api/${method}`, authorization(), new Uint8Array(), signal)

const posted = () => sandbox.workspace.postings().map(({ times }) => times)

/** Ends the wait for a response that never comes. On a busy machine, a request takes some time to arrive. */
const shortTimeout = () => AbortSignal.timeout(1_000)

describe('Another response', () => {
  const json = { ok: false, error: 'ratelimited', more: ['why'] }
  const text = JSON.stringify(json)
  const html = '<html>Oops</html>'
  const elsewhere = expect.stringMatching(/:\d+\/elsewhere$/)
  const type = (name: string) => ({ 'content-type': `${name}; charset=utf-8` })
  const headers = { 'retry-after': '7' }
  const limited: Fault = { kind: 'response', status: 429, headers, body: { json } }
  test.each<[fault: Fault, status: number, body: string, headers: object]>([
    [limited, 429, text, { ...type('application/json'), ...headers }],
    [{ kind: 'response', status: 500, body: { html } }, 500, html, type('text/html')],
    [{ kind: 'response', status: 504, body: { text: 'timed out' } }, 504, 'timed out', type('text/plain')],
    [{ kind: 'response', status: 200 }, 200, '', { 'content-length': '0' }],
    [{ kind: 'response', status: 204 }, 204, '', {}],
    [{ kind: 'response', status: 200, body: { megabytes: 10 } }, 200, 'x'.repeat(10 * 2 ** 20), type('text/plain')],
    [{ kind: 'error', code: 'fatal_error' }, 200, '{"ok":false,"error":"fatal_error"}', type('application/json')],
    [{ kind: 'error', code: 'e', more: { needed: 'x' } }, 200, '{"ok":false,"error":"e","needed":"x"}', {}],
    [{ kind: 'redirect', status: 304 }, 304, '', {}],
    [{ kind: 'redirect', status: 307 }, 307, '', { location: elsewhere }],
    [{ kind: 'redirect', status: 308, location: '/a' }, 308, '', { location: '/a' }],
  ])('%j comes without the effect, or after it where that is asked', async (fault, status, body, headers) => {
    for (const [index, times] of [[], [1]].entries()) {
      on('files.upload', { ...fault, effect: index === 1 } as Fault, { call: index + 1 })
      expect(await upload()).toMatchObject({ status, body, headers })
      expect(posted()).toEqual(times)
    }
    expect(sandbox.requests[0]).toMatchObject({ file: { length: 8 }, fault: fault.kind, status: expect.any(Number) })
  })
})

test('All connections share one line', async () => {
  await sandbox.stop()
  sandbox = await startSandbox({ bitsPerSecond: 4_000_000 })
  const begin = performance.now()
  await Promise.all([upload(60_000), upload(60_000)])
  // Each of them alone would take 120 ms.
  expect(performance.now() - begin).toBeGreaterThan(230)
  expect(posted()).toEqual([2])
})

describe('A connection', () => {
  test.each<[Fault, string, object, number]>([
    [{ kind: 'reset', when: 'before' }, 'ECONNRESET', { bytes: 0, file: undefined }, 0],
    [{ kind: 'reset', when: 'after' }, 'ECONNRESET', { file: { length: 8 } }, 0],
    [{ kind: 'reset', when: 'after', effect: true }, 'ECONNRESET', { file: { length: 8 } }, 1],
    [{ kind: 'silence' }, 'ABORT_ERR', { file: { length: 8 } }, 0],
    [{ kind: 'silence', effect: true }, 'ABORT_ERR', { file: { length: 8 } }, 1],
  ])('gets no response by %j', async (fault, code, recorded, times) => {
    on('files.upload', fault)
    await expect(upload(8, shortTimeout())).rejects.toMatchObject({ code })
    expect(sandbox.requests).toMatchObject([{ ...recorded, status: undefined, fault: fault.kind }])
    expect(posted()).toEqual(times === 0 ? [] : [times])
  })

  test('is reset in the middle of the bytes', async () => {
    on('upload-bytes', { kind: 'reset', when: 'middle' })
    const size = 20_000_000
    const { upload_url } = await ticket(size)
    await expect(send(upload_url, {}, Buffer.alloc(size))).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|EPIPE/),
    })
    const bytes = sandbox.requests.at(-1)?.bytes ?? 0
    expect(bytes).toBeGreaterThanOrEqual(size / 2)
    expect(bytes).toBeLessThan(size)
  })

  test('responds one byte after the other', async () => {
    on('auth.test', { kind: 'trickle', bytesPerSecond: 500 }, { call: 1 })
    on('auth.test', { kind: 'trickle', bytesPerSecond: 0.1 })
    const begin = performance.now()
    const { body } = await call('auth.test')
    expect(JSON.parse(body)).toMatchObject({ ok: true })
    expect(performance.now() - begin).toBeGreaterThan((body.length / 500) * 900)
    expect(await call('auth.test', shortTimeout())).toMatchObject({ status: 200, body: '{', broken: true })
  })

  test('reads slowly', async () => {
    on('upload-bytes', { kind: 'slow-reader', bytesPerSecond: 1_000 })
    const { upload_url } = await ticket(20_000_000)
    await expect(send(upload_url, {}, Buffer.alloc(20_000_000), shortTimeout())).rejects.toThrow('aborted')
    const bytes = sandbox.requests.at(-1)?.bytes ?? 0
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(1_000_000)
  })
})

test('A delay applies to the response, and not to the effect', async () => {
  sandbox.faults.add({ on: 'files.upload', delay: 400 })
  const begin = performance.now()
  const uploading = upload()
  const first = await Promise.race([uploading, once(sandbox.events, 'message')])
  expect(first).toMatchObject([{ files: [{}] }])
  expect(JSON.parse((await uploading).body)).toMatchObject({ ok: true })
  expect(performance.now() - begin).toBeGreaterThan(390)
})
