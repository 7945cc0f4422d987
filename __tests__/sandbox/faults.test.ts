import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Fault, type FaultRule, Faults, plan } from '../../sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox()
})

afterEach(async () => {
  await sandbox.stop()
})

const on = (method: FaultRule['on'], fault: Fault, more: Partial<FaultRule> = {}) =>
  sandbox.faults.add({ on: method, fault, ...more })

interface Seen {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The response ended before it was complete. */
  readonly broken: boolean
}

/** Sends a request and takes what comes, also when it breaks off; rejects when nothing comes. */
async function send(
  url: string,
  headers: Record<string, string>,
  body: Uint8Array,
  signal?: AbortSignal,
): Promise<Seen> {
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
async function upload(size = 8, signal?: AbortSignal): Promise<Seen> {
  const form = new FormData()
  form.set('channels', sandbox.channels.general)
  form.set('file', new File([new Uint8Array(size)], 'report.csv'))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const body = Buffer.from(await encoded.arrayBuffer())
  return send(`${sandbox.baseUrl}/api/files.upload`, { ...authorization(), 'content-type': type }, body, signal)
}

async function call(method: string, form: Record<string, string> = {}, signal?: AbortSignal): Promise<Seen> {
  const headers = { ...authorization(), 'content-type': 'application/x-www-form-urlencoded' }
  const body = Buffer.from(String(new URLSearchParams(form)))
  return send(`${sandbox.baseUrl}/api/${method}`, headers, body, signal)
}

async function ticket(length: number): Promise<{ upload_url: string; file_id: string }> {
  return JSON.parse((await call('files.getUploadURLExternal', { filename: 'a.csv', length: String(length) })).body)
}

const posted = () => sandbox.workspace.postings().map(({ times }) => times)

/** Ends the wait for a response that never comes. */
const shortTimeout = () => AbortSignal.timeout(300)

describe('Another response', () => {
  test('has status, headers and JSON, and by default no effect', async () => {
    const json = { ok: false, error: 'ratelimited' }
    on('files.upload', { kind: 'response', status: 429, headers: { 'retry-after': '7' }, body: { json } })
    const seen = await upload()
    expect(seen).toMatchObject({ status: 429, headers: { 'retry-after': '7' }, body: JSON.stringify(json) })
    expect(seen.headers['content-type']).toContain('application/json')
    expect(posted()).toEqual([])
    expect(sandbox.requests).toMatchObject([{ status: 429, file: { length: 8 } }])
  })

  test('comes after the effect where that is asked', async () => {
    on('files.upload', { kind: 'response', status: 500, body: { html: '<html>Oops</html>' }, effect: true })
    const seen = await upload()
    expect(seen).toMatchObject({ status: 500, body: '<html>Oops</html>' })
    expect(seen.headers['content-type']).toContain('text/html')
    expect(posted()).toEqual([1])
  })

  test.each([200, 204])('%i with nothing in it', async (status) => {
    on('files.upload', { kind: 'response', status, effect: true })
    const seen = await upload()
    expect(seen).toMatchObject({ status, body: '' })
    expect(seen.headers).not.toHaveProperty('content-type')
    expect(posted()).toEqual([1])
  })

  test('is plain text', async () => {
    on('upload-bytes', { kind: 'response', status: 504, body: { text: 'upstream timed out' } })
    const { upload_url } = await ticket(1)
    expect(await send(upload_url, {}, Buffer.from('x'))).toMatchObject({ status: 504, body: 'upstream timed out' })
  })

  test('is 10 MB long', async () => {
    on('auth.test', { kind: 'response', status: 200, body: { megabytes: 10 } })
    expect((await call('auth.test')).body).toHaveLength(10 * 2 ** 20)
  })

  test('comes early, before the request is read', async () => {
    on('files.upload', { kind: 'response', status: 413, early: true })
    expect(await upload(20_000_000)).toMatchObject({ status: 413 })
    expect(sandbox.requests).toMatchObject([{ status: 413, bytes: 0, file: undefined }])
  })

  test('is an error code of the service, with and without the effect', async () => {
    on('files.upload', { kind: 'error', code: 'fatal_error' }, { call: 1 })
    const more = { response_metadata: { messages: ['why'] } }
    on('files.upload', { kind: 'error', code: 'internal_error', more, effect: true }, { call: 2 })
    expect(await upload()).toMatchObject({ status: 200, body: '{"ok":false,"error":"fatal_error"}' })
    expect(posted()).toEqual([])
    expect(JSON.parse((await upload()).body)).toEqual({ ok: false, error: 'internal_error', ...more })
    expect(posted()).toEqual([1])
  })

  test('is a redirect to another origin, where a request is noticed', async () => {
    on('files.upload', { kind: 'redirect', status: 307 })
    on('upload-bytes', { kind: 'redirect', status: 302 })
    const { headers } = await upload()
    expect(headers.location).toBe(`${sandbox.uploadOrigin}/elsewhere`)
    await send(headers.location ?? '', authorization(), Buffer.from('file'))
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', path: '/elsewhere', token: 'right', bytes: 4 })
    const { upload_url } = await ticket(1)
    const seen = await send(upload_url, {}, Buffer.from('x'))
    expect(seen).toMatchObject({ status: 302, headers: { location: `${sandbox.origin}/elsewhere` } })
    expect(posted()).toEqual([])
  })

  test.each([301, 302, 303, 304, 307, 308] as const)('is a redirect with %i that hides the effect', async (status) => {
    on('files.upload', { kind: 'redirect', status, effect: true })
    expect(await upload()).toMatchObject({ status, body: '' })
    expect(posted()).toEqual([1])
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
  test('is reset before the request is read', async () => {
    on('files.upload', { kind: 'reset', when: 'before' })
    await expect(upload()).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(sandbox.requests).toMatchObject([{ status: undefined, bytes: 0 }])
    expect(posted()).toEqual([])
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

  test('is reset after the request, without the effect', async () => {
    on('files.upload', { kind: 'reset', when: 'after' })
    await expect(upload()).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(sandbox.requests).toMatchObject([{ status: undefined, file: { length: 8 } }])
    expect(posted()).toEqual([])
  })

  test('is lost after the effect', async () => {
    on('files.upload', { kind: 'reset', when: 'after', effect: true }, { call: 1 })
    await expect(upload()).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(posted()).toEqual([1])
    await upload()
    expect(posted()).toEqual([2])
  })

  test('breaks off in the middle of the response', async () => {
    on('auth.test', { kind: 'truncated' })
    const seen = await call('auth.test')
    expect(seen).toMatchObject({ status: 200, broken: true })
    expect(seen.body).toHaveLength(Math.floor(Number(seen.headers['content-length']) / 2))
  })

  test('is accepted and gets no response, with and without the effect', async () => {
    on('files.upload', { kind: 'silence' }, { call: 1 })
    on('files.upload', { kind: 'silence', effect: true }, { call: 2 })
    await expect(upload(8, shortTimeout())).rejects.toThrow('aborted')
    expect(sandbox.requests).toMatchObject([{ status: undefined, file: { length: 8 } }])
    expect(posted()).toEqual([])
    await expect(upload(8, shortTimeout())).rejects.toThrow('aborted')
    expect(posted()).toEqual([1])
  })

  test('responds one byte after the other', async () => {
    sandbox.faults.add({ on: 'auth.test', call: 1, fault: { kind: 'trickle', bytesPerSecond: 500 } })
    const begin = performance.now()
    const { body } = await call('auth.test')
    expect(JSON.parse(body)).toMatchObject({ ok: true })
    expect(performance.now() - begin).toBeGreaterThan((body.length / 500) * 900)
    sandbox.faults.add({ on: 'auth.test', fault: { kind: 'trickle', bytesPerSecond: 1 } })
    expect(await call('auth.test', {}, shortTimeout())).toMatchObject({ status: 200, body: '{', broken: true })
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
  await once(sandbox.events, 'message')
  expect(performance.now() - begin).toBeLessThan(350)
  expect(JSON.parse((await uploading).body)).toMatchObject({ ok: true })
  expect(performance.now() - begin).toBeGreaterThan(390)
})

test('Fewer files are named in a response than were completed', async () => {
  on('files.completeUploadExternal', { kind: 'fewer-files', files: 1 })
  const { upload_url, file_id } = await ticket(1)
  const other = await ticket(1)
  for (const url of [upload_url, other.upload_url]) await send(url, {}, Buffer.from('x'))
  const completed = await call('files.completeUploadExternal', {
    files: JSON.stringify([{ id: file_id }, { id: other.file_id }]),
    channel_id: sandbox.channels.general,
  })
  expect(JSON.parse(completed.body).files).toMatchObject([{ id: file_id }])
  expect(sandbox.workspace.messages).toMatchObject([{ files: [{ id: file_id }, { id: other.file_id }] }])
})

test('Fewer bytes are kept than were sent, and only the size shows it', async () => {
  on('upload-bytes', { kind: 'wrong-size', bytes: 3 })
  const { upload_url, file_id } = await ticket(6)
  expect(await send(upload_url, {}, Buffer.from('abcdef'))).toMatchObject({ status: 200, body: 'OK - 6' })
  const completed = await call('files.completeUploadExternal', {
    files: JSON.stringify([{ id: file_id }]),
    channel_id: sandbox.channels.general,
  })
  expect(JSON.parse(completed.body)).toMatchObject({ ok: true, files: [{ id: file_id, size: 3 }] })
  const sha256 = createHash('sha256').update('abc').digest('hex')
  expect(sandbox.workspace.files).toMatchObject([{ size: 3, sha256 }])
})

describe('A rule', () => {
  const failed = async () => (JSON.parse((await call('auth.test')).body).ok ? 'fine' : 'failed')

  test('meets the calls it names, and every call when it names none', async () => {
    on('auth.test', { kind: 'error', code: 'fatal_error' }, { call: [2, 3] })
    expect([await failed(), await failed(), await failed(), await failed()]).toEqual([
      'fine',
      'failed',
      'failed',
      'fine',
    ])
    on('auth.test', { kind: 'error', code: 'fatal_error' })
    expect([await failed(), await failed()]).toEqual(['failed', 'failed'])
  })

  test('meets its method only, and all methods by *', async () => {
    on('files.info', { kind: 'error', code: 'fatal_error' })
    expect(await failed()).toBe('fine')
    on('*', { kind: 'error', code: 'fatal_error' })
    expect(await failed()).toBe('failed')
  })

  test('is forgotten with the counts', async () => {
    on('auth.test', { kind: 'error', code: 'fatal_error' }, { call: 1 })
    expect(await failed()).toBe('failed')
    sandbox.faults.clear()
    expect(await failed()).toBe('fine')
    sandbox.faults.clear()
    on('auth.test', { kind: 'error', code: 'fatal_error' }, { call: 1 })
    expect(await failed()).toBe('failed')
  })

  test('that comes first decides', () => {
    const rules: readonly FaultRule[] = [
      { on: 'files.info', call: 1, fault: { kind: 'silence' } },
      { on: '*', fault: { kind: 'reset', when: 'before' } },
    ]
    const endings = [
      plan(rules, 'files.info', 1, ''),
      plan(rules, 'files.info', 2, ''),
      plan(rules, 'auth.test', 1, ''),
    ]
    expect(endings.map(({ ending }) => ending)).toEqual(['silence', 'reset', 'reset'])
  })

  test('can be played without a server', () => {
    const faults = new Faults()
    faults.add({ on: 'files.completeUploadExternal', call: 2, fault: { kind: 'reset', when: 'after', effect: true } })
    expect(faults.next('files.completeUploadExternal')).toMatchObject({ effect: true, ending: 'complete' })
    expect(faults.next('files.completeUploadExternal')).toMatchObject({ effect: true, ending: 'reset' })
  })
})
