// The sandbox over HTTP: forms, tokens, records of requests. See methods.test.ts for responses.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
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

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const ticket = () => api.call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
const send = (url: string, init: RequestInit) => fetch(url, { method: 'POST', ...init })

describe('A form', () => {
  test('that breaks off is refused with what is wrong with it', async () => {
    const headers = {
      ...bearer(sandbox.tokens.all),
      'content-type': 'multipart/form-data; boundary=x',
    }
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b'
    const response = await send(`${sandbox.baseUrl}/api/files.upload`, { headers, body })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('multipart'),
    ])
    expect(sandbox.requests).toMatchObject([{ status: 400 }])
    expect(sandbox.workspace.files).toEqual([])
  })
})

describe('The token', () => {
  const other = 'another-secret'
  const form = (token: string) => ({ body: new URLSearchParams({ token }) })
  test.each<
    [
      string,
      (token: string) => RequestInit & { query?: string },
      string | undefined,
      'none' | 'right' | 'wrong',
    ]
  >([
    ['missing', () => ({}), 'not_authed', 'none'],
    ['unknown', () => ({ headers: bearer(other) }), 'invalid_auth', 'wrong'],
    [
      'in the query, where Slack does not accept it',
      (token) => ({ query: `?token=${token}` }),
      'not_authed',
      'right',
    ],
    ['in the form', form, undefined, 'right'],
    ['in a JSON body', (token) => json({ token }), undefined, 'right'],
    [
      'in the header, not in the form',
      (token) => ({ headers: bearer(token), ...form(other) }),
      undefined,
      'right',
    ],
  ])('%s', async (_, request, error, recorded) => {
    const { query = '', ...init } = request(sandbox.tokens.all)
    const response = await api.send(`auth.test${query}`, init)
    expect(response).toMatchObject(error === undefined ? { ok: true } : { ok: false, error })
    expect(sandbox.requests).toMatchObject([{ token: recorded }])
    for (const token of [sandbox.tokens.all, other])
      expect(JSON.stringify(sandbox.requests)).not.toContain(token)
  })

  test.each<[string, (token: string) => [path: string, init: RequestInit]]>([
    ['header', (token) => ['', { body: 'a;b', headers: bearer(token) }]],
    ['URL', (token) => [`?token=${token}`, { body: 'a;b' }]],
    ['form', (token) => ['', { body: formOf({ token, file: new File(['a;b'], 'a.csv') }) }]],
  ])('is noticed in the %s of an upload, which is on another origin', async (_, request) => {
    const { upload_url } = await ticket()
    expect([new URL(upload_url).origin, sandbox.uploadOrigin]).not.toContain(
      new URL(sandbox.baseUrl).origin,
    )
    const [path, init] = request(sandbox.tokens.all)
    expect((await send(upload_url + path, init)).status).toBe(200)
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right', status: 200 })
    await send(upload_url, { body: 'x' })
    expect(sandbox.requests.at(-1)).toMatchObject({
      origin: 'upload',
      token: 'none',
      bytes: 1,
      status: 500,
    })
  })
})

describe('The bytes of an upload', () => {
  test.each<[string, () => RequestInit, number]>([
    [
      'without Content-Length',
      () => ({ body: new Blob(['a;b']).stream(), duplex: 'half' }) as RequestInit,
      411,
    ],
    [
      'in a form without Content-Length',
      () => {
        const { body, headers } = new Response(formOf({ file: new File(['a;b'], 'a') }))
        return { body, headers, duplex: 'half' } as RequestInit
      },
      200,
    ],
    [
      'in a form, more than announced',
      () => ({ body: formOf({ file: new File(['a;b;'], 'a') }) }),
      500,
    ],
    [
      'in a form, as its first file, whatever its name',
      () => ({
        body: formOf({
          comment: 'c',
          filename: new File(['a;b'], 'x'),
          other: new File(['no'], 'y'),
        }),
      }),
      200,
    ],
  ])('%s', async (_, init, status) => {
    const { upload_url, file_id } = await ticket()
    expect((await send(upload_url, init())).status).toBe(status)
    await api.call('files.completeUploadExternal', { files: JSON.stringify([{ id: file_id }]) })
    expect(sandbox.workspace.files).toMatchObject(
      status === 200 ? [{ name: 'a.csv', sha256: sha256('a;b') }] : [],
    )
  })
})
