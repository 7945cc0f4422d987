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

test('Another response comes without the effect, or after it where that is asked', async () => {
  const faults = `
{"kind":"response","status":429,"headers":{"retry-after":"7"},"body":{"json":{"ok":false,"more":["why"]}}}
{"kind":"response","status":500,"body":{"html":"<html>Oops</html>"}}
{"kind":"response","status":504,"body":{"text":"timed out"}}
{"kind":"response","status":204}
{"kind":"response","status":200,"body":{"megabytes":10}}
{"kind":"redirect","status":307}
{"kind":"redirect","status":308,"location":"/a"}
`
  const respond = async (line: string, effect: boolean) => {
    on('files.upload', { ...JSON.parse(line), effect }, { call: sandbox.requests.length + 1 })
    const { body, headers, status } = await upload()
    const { 'content-type': type, location, 'retry-after': after } = headers
    const { length: posted } = sandbox.workspace.messages
    return [status, type, after, location, body.length, body.slice(0, 40), posted].join(' | ')
  }
  const shown = await Array.fromAsync(faults.trim().split('\n'), async (line) =>
    [line, await respond(line, false), await respond(line, true)].join('\n    '),
  )
  const stable = shown.join('\n').replace(/127\.0\.0\.1:\d+/g, 'HOST')
  expect(stable).toMatchInlineSnapshot(`
"{"kind":"response","status":429,"headers":{"retry-after":"7"},"body":{"json":{"ok":false,"more":["why"]}}}
    429 | application/json; charset=utf-8 | 7 |  | 27 | {"ok":false,"more":["why"]} | 0
    429 | application/json; charset=utf-8 | 7 |  | 27 | {"ok":false,"more":["why"]} | 1
{"kind":"response","status":500,"body":{"html":"<html>Oops</html>"}}
    500 | text/html; charset=utf-8 |  |  | 17 | <html>Oops</html> | 1
    500 | text/html; charset=utf-8 |  |  | 17 | <html>Oops</html> | 2
{"kind":"response","status":504,"body":{"text":"timed out"}}
    504 | text/plain; charset=utf-8 |  |  | 9 | timed out | 2
    504 | text/plain; charset=utf-8 |  |  | 9 | timed out | 3
{"kind":"response","status":204}
    204 |  |  |  | 0 |  | 3
    204 |  |  |  | 0 |  | 4
{"kind":"response","status":200,"body":{"megabytes":10}}
    200 | text/plain; charset=utf-8 |  |  | 10485760 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | 4
    200 | text/plain; charset=utf-8 |  |  | 10485760 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | 5
{"kind":"redirect","status":307}
    307 |  |  | http://HOST/elsewhere | 0 |  | 5
    307 |  |  | http://HOST/elsewhere | 0 |  | 6
{"kind":"redirect","status":308,"location":"/a"}
    308 |  |  | /a | 0 |  | 6
    308 |  |  | /a | 0 |  | 7"
`)
  expect(sandbox.requests[0]).toMatchObject({ file: { length: 8 }, fault: 'response', status: 429 })
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
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(size / 2)
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
