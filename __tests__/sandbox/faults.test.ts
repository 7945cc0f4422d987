// Effects of faults that whole deliveries don't show. `action/delivery.test.ts` fails if another
// fault is missing.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Fault, FaultRule } from '../../sandbox/faults.ts'
import { Line } from '../../sandbox/line.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { ApiClient } from '../support/api-client.ts'

let sandbox: Sandbox
let api: ApiClient

beforeEach(async () => {
  sandbox = await startSandbox(atOnce)
  api = new ApiClient(sandbox)
})

afterEach(() => sandbox.stop())

const on = (method: FaultRule['on'], fault: Fault, more: Partial<FaultRule> = {}) =>
  sandbox.faults.add({ on: method, fault, ...more })

async function send(path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${sandbox.tokens.all}` }
  const response = await fetch(new URL(path, sandbox.baseUrl), {
    method: 'POST',
    redirect: 'manual',
    headers,
    ...init,
  })
  const { status } = response
  return { status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/** A `files.upload` request with a file of `size` bytes. */
function upload(size = 8) {
  const body = new FormData()
  body.set('channels', sandbox.channels.general)
  body.set('file', new File([new Uint8Array(size)], 'report.csv'))
  return send('/api/files.upload', { body })
}

const posted = () => sandbox.workspace.postings().map(({ times }) => times)

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
    [
      { kind: 'response', status: 504, body: { text: 'timed out' } },
      504,
      'timed out',
      type('text/plain'),
    ],
    [{ kind: 'response', status: 204 }, 204, '', {}],
    [
      { kind: 'response', status: 200, body: { megabytes: 10 } },
      200,
      'x'.repeat(10 * 2 ** 20),
      type('text/plain'),
    ],
    [{ kind: 'redirect', status: 307 }, 307, '', { location: elsewhere }],
    [{ kind: 'redirect', status: 308, location: '/a' }, 308, '', { location: '/a' }],
  ])(
    '%j comes without the effect, or after it where that is asked',
    async (fault, status, body, headers) => {
      for (const [index, times] of [[], [1]].entries()) {
        on('files.upload', { ...fault, effect: index === 1 } as Fault, { call: index + 1 })
        expect(await upload()).toMatchObject({ status, body, headers })
        expect(posted()).toEqual(times)
      }
      expect(sandbox.requests[0]).toMatchObject({
        file: { length: 8 },
        fault: fault.kind,
        status: expect.any(Number),
      })
    },
  )
})

test('A line carries one thing after the other', async () => {
  using _ = jest.spyOn(performance, 'now').mockReturnValue(0)
  const line = new Line(8_000_000)
  const arrived: string[] = []
  const carry = async (name: string, bytes: number) => {
    await line.carry(bytes, new AbortController().signal)
    arrived.push(name)
  }
  await Promise.all([carry('the large one, sent first', 3_000), carry('the small one', 1)])
  expect(arrived).toEqual(['the large one, sent first', 'the small one'])
})

describe('A connection', () => {
  test('is reset in the middle of the bytes', async () => {
    on('upload-bytes', { kind: 'reset', when: 'middle' })
    const size = 20_000_000
    const { upload_url } = await api.call('files.getUploadURLExternal', {
      filename: 'a.csv',
      length: String(size),
    })
    await expect(send(upload_url, { body: Buffer.alloc(size) })).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|EPIPE|UND_ERR_SOCKET/) },
    })
    const bytes = sandbox.requests.at(-1)?.bytes ?? 0
    expect(bytes).toBeGreaterThanOrEqual(size / 2)
    expect(bytes).toBeLessThan(size)
  })

  test('responds one byte after the other', async () => {
    on('auth.test', { kind: 'trickle', bytesPerSecond: 50_000 }, { call: 1 })
    on('auth.test', { kind: 'trickle', bytesPerSecond: 0.001 })
    expect(JSON.parse((await send('/api/auth.test')).body)).toMatchObject({ ok: true })
    const stop = new AbortController()
    const response = await fetch(`${sandbox.baseUrl}/api/auth.test`, {
      method: 'POST',
      signal: stop.signal,
    })
    const first = await response.body?.getReader().read()
    stop.abort()
    expect(Buffer.from(first?.value ?? []).toString()).toBe('{')
  })
})
