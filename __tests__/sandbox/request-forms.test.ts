import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readForm } from '../../sandbox/body.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { ApiClient } from '../support/api-client.ts'

let sandbox: Sandbox
let api: ApiClient

beforeEach(async () => {
  sandbox = await startSandbox()
  api = new ApiClient(sandbox)
})

afterEach(() => sandbox.stop())

const authorized = () => ({ authorization: `Bearer ${sandbox.tokens.all}` })
const get = () => ({ method: 'GET', headers: authorized() })
const json = (body: unknown) => ({
  headers: { ...authorized(), 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})

describe('GET', () => {
  test('reads', async () => {
    const { general } = sandbox.channels
    const id = await api.post('a.csv', [general])
    const ts = sandbox.workspace.messages[0]?.ts
    const ok = { ok: true }
    expect(await api.send('auth.test', get())).toMatchObject(ok)
    expect(await api.send(`conversations.info?channel=${general}`, get())).toMatchObject(ok)
    expect(await api.send('users.conversations?limit=1', get())).toMatchObject({ channels: [{ id: general }] })
    expect(await api.send(`files.info?file=${id}`, get())).toMatchObject({ file: { id } })
    expect(await api.send('files.list?count=1', get())).toMatchObject({ files: [{ id }] })
    expect(await api.send(`chat.getPermalink?channel=${general}&message_ts=${ts}`, get())).toMatchObject(ok)
    const ticket = 'files.getUploadURLExternal?filename=a.csv&length=3'
    expect(await api.send(ticket, get())).toMatchObject(ok)
    expect(sandbox.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/api/files.getUploadURLExternal',
      fields: [
        ['filename', 'a.csv'],
        ['length', '3'],
      ],
    })
  })

  test.each(['files.completeUploadExternal', 'files.delete', 'files.upload', 'conversations.open', 'files.unknown'])(
    'does not change anything with %s',
    async (method) => {
      const response = await fetch(`${sandbox.baseUrl}/api/${method}`, get())
      expect(response.status).toBe(404)
      expect(sandbox.requests).toMatchObject([{ method: 'GET', status: 404 }])
    },
  )
})

describe('The token', () => {
  const form = (token: string) => ({ body: new URLSearchParams({ token }) })

  test('is taken from the form, and recorded without its value', async () => {
    expect(await api.send('auth.test', form(sandbox.tokens.all))).toMatchObject({ ok: true })
    expect(await api.send('auth.test', form('xoxb-other'))).toMatchObject({ error: 'invalid_auth' })
    expect(sandbox.requests).toMatchObject([
      { token: 'right', fields: [['token', '***']] },
      { token: 'wrong', fields: [['token', '***']] },
    ])
  })

  test('is taken from a JSON body', async () => {
    const init = { ...json({ token: sandbox.tokens.all }), headers: { 'content-type': 'application/json' } }
    expect(await api.send('auth.test', init)).toMatchObject({ ok: true })
  })

  test('is taken from the header if both are sent', async () => {
    expect(await api.send('auth.test', { headers: authorized(), ...form('xoxb-other') })).toMatchObject({ ok: true })
  })

  test('is not taken from the query, where Slack no longer accepts it, and is noticed there', async () => {
    expect(await api.send(`auth.test?token=${sandbox.tokens.all}`, { method: 'GET' })).toMatchObject({
      error: 'not_authed',
    })
    expect(sandbox.requests).toMatchObject([{ token: 'right', fields: [['token', '***']] }])
  })

  test('is noticed in the form of an upload', async () => {
    const { upload_url } = await api.call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    const body = new FormData()
    body.set('token', sandbox.tokens.all)
    body.set('file', new File(['a;b'], 'a.csv'))
    await fetch(upload_url, { method: 'POST', body })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right', status: 200 })
  })
})

describe('JSON', () => {
  test('is accepted by every method but files.upload and files.getUploadURLExternal', async () => {
    const { general } = sandbox.channels
    const id = await api.post('a.csv', [general])
    expect(await api.send('conversations.info', json({ channel: general }))).toMatchObject({ ok: true })
    expect(await api.send('files.info', json({ file: id }))).toMatchObject({ file: { id } })
    expect(await api.send('files.list', json({ count: 1 }))).toMatchObject({ paging: { count: 1 } })
    expect(await api.send('files.upload', json({ channels: general, content: 'a' }))).toMatchObject({
      error: 'no_file_data',
    })
    expect(await api.send('files.getUploadURLExternal', json({ filename: 'a.csv', length: 3 }))).toMatchObject({
      error: 'invalid_arguments',
    })
  })
})

describe('The bytes of an upload in a form', () => {
  const send = async (body: FormData) => {
    const { upload_url, file_id } = await api.call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    return { file_id, status: (await fetch(upload_url, { method: 'POST', body })).status }
  }

  test('are those of the first file, whatever its name', async () => {
    const body = new FormData()
    body.set('comment', 'first')
    body.set('filename', new File(['a;b'], 'x'))
    body.set('other', new File(['not this one'], 'y'))
    const { file_id, status } = await send(body)
    expect(status).toBe(200)
    await api.call('files.completeUploadExternal', { files: JSON.stringify([{ id: file_id }]) })
    expect(sandbox.workspace.files).toMatchObject([{ name: 'a.csv', size: 3 }])
  })

  test('must be as many as announced, and in a file part', async () => {
    const body = new FormData()
    body.set('file', 'a;b')
    expect((await send(body)).status).toBe(400)
    body.set('file', new File(['a;b;c'], 'a.csv'))
    expect((await send(body)).status).toBe(400)
  })
})

test('a form is read to its end when a part of it is more than a stream holds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'form-'))
  try {
    const content = 'a,b\n'.repeat(50_000)
    const part = (name: string, text: string) => `--X\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}\r\n`
    const form = `${part('name="content"', content)}${part('name="file"; filename="a.csv"', content)}--X--\r\n`
    async function* bytes() {
      yield Buffer.from(form)
    }
    const { fields, file } = await readForm('multipart/form-data; boundary=X', bytes(), folder)
    expect(fields).toEqual([['content', content]])
    expect(file).toMatchObject({ name: 'a.csv', length: content.length })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
