// The sandbox over HTTP: forms, tokens, what it records and what it keeps. What its methods respond: methods.test.ts.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { readForm } from '../../sandbox/body.ts'
import { type Plan, usual } from '../../sandbox/faults.ts'
import { Recorder } from '../../sandbox/recorder.ts'
import { runAction } from '../../sandbox/runner.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { methods } from '../../sandbox/workspace.ts'
import { ApiClient, post } from '../support/api-client.ts'
import { onPosix } from '../support/systems.ts'

let sandbox: Sandbox
let api: ApiClient

async function start(options?: SandboxOptions): Promise<void> {
  await sandbox?.stop()
  sandbox = await startSandbox(options)
  api = new ApiClient(sandbox)
}

beforeEach(() => start())
afterEach(() => sandbox.stop())

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const authorized = () => ({ headers: bearer(sandbox.tokens.all) })
const get = () => ({ method: 'GET', ...authorized() })
const json = (body: unknown, headers: Record<string, string> = bearer(sandbox.tokens.all)) => ({
  headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
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
  test.each([
    'é ü 漢字 🎉.csv',
    'with "quotes".csv',
    'a;b=c, d.csv',
    'back\\slash\\',
    'line\nbreak.csv',
    'x'.repeat(250),
  ])('keeps the file name %j', async (name) => {
    await post(sandbox, name, 'x')
    expect(sandbox.workspace.files).toMatchObject([{ name }])
    expect(sandbox.requests).toMatchObject([{ file: { field: 'file', name } }])
  })

  test('that breaks off is refused with what is wrong with it', async () => {
    const headers = { ...bearer(sandbox.tokens.all), 'content-type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b'
    const response = await send(`${sandbox.baseUrl}/api/files.upload`, { headers, body })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('multipart')])
    expect(sandbox.requests).toMatchObject([{ status: 400 }])
    expect(sandbox.workspace.files).toEqual([])
  })

  test.each([
    ['no file part', { file: 'a,b' }],
    ['a file part of another name', { content: new File(['a'], 'a.csv') }],
  ])('with %s is refused by files.upload', async (_, fields) => {
    const body = formOf({ channels: sandbox.channels.general, ...fields })
    expect(await api.send('files.upload', { ...authorized(), body })).toEqual({ ok: false, error: 'no_file_data' })
  })

  const type = 'multipart/form-data; boundary=X'
  const part = (name: string, text: string) => `--X\r\nContent-Disposition: form-data; ${name}\r\n\r\n${text}\r\n`
  async function* bytesOf(...chunks: readonly string[]) {
    for (const chunk of chunks) {
      yield Buffer.from(chunk)
      await new Promise(setImmediate)
    }
  }

  test('has its fields in order, however it is cut', async () => {
    const fields = ['a', 'b', 'c'].map((name) => [name, name])
    const form = `${fields.map(([name, value]) => part(`name="${name}"`, `${value}`)).join('')}--X--\r\n`
    for (let at = 1; at < form.length - 7; at += 1)
      expect(await readForm(type, bytesOf(form.slice(0, at), form.slice(at)), '')).toMatchObject({ fields })
  })

  test('is read to its end when a part of it is more than a stream holds', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'form-'))
    try {
      const content = 'a,b\n'.repeat(50_000)
      const form = `${part('name="content"', content)}${part('name="file"; filename="a.csv"', content)}--X--\r\n`
      const { fields, file } = await readForm(type, bytesOf(form), folder)
      expect(fields).toEqual([['content', content]])
      expect(file).toMatchObject({ name: 'a.csv', length: content.length })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('The token', () => {
  const other = 'another-secret'
  const form = (token: string) => ({ body: new URLSearchParams({ token }) })
  test.each<
    [string, (token: string) => RequestInit & { query?: string }, string | undefined, 'none' | 'right' | 'wrong']
  >([
    ['missing', () => ({}), 'not_authed', 'none'],
    ['unknown', () => ({ headers: bearer(other) }), 'invalid_auth', 'wrong'],
    ['in another scheme', (token) => ({ headers: { authorization: `Basic ${token}` } }), 'not_authed', 'right'],
    ['in the query, where Slack does not accept it', (token) => ({ query: `?token=${token}` }), 'not_authed', 'right'],
    ['in the form', form, undefined, 'right'],
    ['unknown in the form', () => form(other), 'invalid_auth', 'wrong'],
    ['in a JSON body', (token) => json({ token }, {}), undefined, 'right'],
    ['in the header, not in the form', (token) => ({ headers: bearer(token), ...form(other) }), undefined, 'right'],
  ])('%s', async (_, request, error, recorded) => {
    const { query = '', ...init } = request(sandbox.tokens.all)
    const response = await api.send(`auth.test${query}`, init)
    expect(response).toMatchObject(error === undefined ? { ok: true } : { ok: false, error })
    expect(sandbox.requests).toMatchObject([{ token: recorded }])
    for (const token of [sandbox.tokens.all, other]) expect(JSON.stringify(sandbox.requests)).not.toContain(token)
  })

  test.each<[string, (token: string) => [path: string, init: RequestInit]]>([
    ['header', (token) => ['', { body: 'a;b', headers: bearer(token) }]],
    ['URL', (token) => [`?token=${token}`, { body: 'a;b' }]],
    ['form', (token) => ['', { body: formOf({ token, file: new File(['a;b'], 'a.csv') }) }]],
  ])('is noticed in the %s of an upload, which is on another origin', async (_, request) => {
    const { upload_url } = await ticket()
    expect([new URL(upload_url).origin, sandbox.uploadOrigin]).not.toContain(new URL(sandbox.baseUrl).origin)
    const [path, init] = request(sandbox.tokens.all)
    expect((await send(upload_url + path, init)).status).toBe(200)
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right', status: 200 })
    await send(upload_url, { body: 'x' })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'none', bytes: 1, status: 404 })
  })
})

describe('A method', () => {
  const reads = /^(?:auth|users)\.|info$|Permalink$|list$|URLExternal$/
  test.each([...methods, 'files.unknown'])('such as %s takes GET if it only reads', async (method) => {
    const { general } = sandbox.channels
    await post(sandbox, 'a.csv', 'a')
    const [file = { id: '' }] = sandbox.workspace.files
    const [message = { ts: '' }] = sandbox.workspace.messages
    const query = { channel: general, file: file.id, filename: 'a.csv', length: '3', message_ts: message.ts }
    const response = await fetch(`${sandbox.baseUrl}/api/${method}?${new URLSearchParams(query)}`, get())
    expect(response.status).toBe(reads.test(method) ? 200 : 404)
    if (reads.test(method)) expect(await response.json()).toMatchObject({ ok: true })
    const fields = reads.test(method) ? Object.entries(query) : []
    expect(sandbox.requests.at(-1)).toMatchObject({ method: 'GET', path: `/api/${method}`, fields })
  })

  test('takes JSON, but for files.upload and files.getUploadURLExternal', async () => {
    const { general } = sandbox.channels
    const id = await api.stage()
    for (const [method, body, response] of [
      ['files.completeUploadExternal', { files: [{ id }], channel_id: general }, { files: [{ title: 'report.csv' }] }],
      ['files.info', { file: id }, { file: { id } }],
      ['files.list', { count: 1 }, { paging: { count: 1 } }],
      ['files.upload', { channels: general, content: 'a' }, { error: 'no_file_data' }],
      ['files.getUploadURLExternal', { filename: 'a.csv', length: 3 }, { error: 'invalid_arguments' }],
    ] as const)
      expect(await api.send(method, json(body))).toMatchObject(response)
  })

  test('responds with the granted scopes and a request ID, unless it is absent', async () => {
    await start({ offers: { 'files.upload': 'absent' } })
    const response = await send(`${sandbox.baseUrl}/api/auth.test`, authorized())
    expect(await response.json()).toMatchObject({ ok: true, url: `${sandbox.origin}/` })
    expect(response.headers.get('x-oauth-scopes')).toMatch(/^files:write,/)
    expect(response.headers.get('x-slack-req-id')).toMatch(/\w/)
    const absent = await send(`${sandbox.baseUrl}/api/files.upload`, authorized())
    expect([absent.status, absent.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')])
    expect(sandbox.requests.map(({ status }) => status)).toEqual([200, 404])
  })
})

describe('An incoming webhook', () => {
  const text = (value: string) => new URLSearchParams({ payload: JSON.stringify({ text: value }) })
  test.each<[string, () => RequestInit, [status: number, text: string]]>([
    ['JSON', () => json({ text: 'Done' }, {}), [200, 'ok']],
    ['the field payload of a form', () => ({ body: text('Done') }), [200, 'ok']],
    ['an empty text', () => json({ text: '' }, {}), [400, 'no_text']],
    ['a malformed block', () => json({ blocks: [{}] }, {}), [400, 'invalid_blocks']],
    ['no JSON', () => ({ ...json({}, {}), body: '{"text"' }), [400, 'invalid_payload']],
    ['nothing', () => ({}), [400, 'invalid_payload']],
  ])('for %s', async (_, init, expected) => {
    const response = await send(sandbox.webhook, init())
    expect([response.status, await response.text()]).toEqual(expected)
    const message = { channel: sandbox.channels.general, user: sandbox.users.app, text: 'Done', files: [] }
    expect(sandbox.workspace.messages).toMatchObject(response.ok ? [message] : [])
  })

  test('posts to its own channel only, is not shown whole, and its URL authorizes nothing', async () => {
    const { channels, webhook, workspace } = sandbox
    await send(webhook, json({ text: 'a', channel: channels.builds }, {}))
    expect(workspace.messages).toMatchObject([{ channel: channels.general }])
    expect(sandbox.requests).toMatchObject([
      { path: '/services/T0SANDBOX0/B0WEBHOOK00/***', status: 200, token: 'none' },
    ])
    for (const token of [webhook, new URL(webhook).pathname])
      expect(await api.call('files.upload', {}, token)).toEqual({ ok: false, error: 'invalid_auth' })
    for (const [path, id, expected] of [
      ['archived', channels.archived, [410, 'channel_is_archived']],
      ['denied', channels.postingDenied, [403, 'action_prohibited']],
      ['none', undefined, [404, 'no_service']],
    ] as const) {
      workspace.set({ webhooks: new Map(id === undefined ? [] : [[path, id]]) })
      const response = await send(`${sandbox.baseUrl}/services/${path}`, json({ text: 'a' }, {}))
      expect([response.status, await response.text()]).toEqual(expected)
    }
    expect(workspace.messages).toHaveLength(1)
  })
})

describe('The bytes of an upload', () => {
  test.each<[string, () => RequestInit, number]>([
    ['without Content-Length', () => ({ body: new Blob(['a;b']).stream(), duplex: 'half' }) as RequestInit, 411],
    ['in a form without a file part', () => ({ body: formOf({ file: 'a;b' }) }), 400],
    ['in a form, more than announced', () => ({ body: formOf({ file: new File(['a;b;'], 'a') }) }), 400],
    [
      'in a form, as its first file, whatever its name',
      () => ({ body: formOf({ comment: 'c', filename: new File(['a;b'], 'x'), other: new File(['no'], 'y') }) }),
      200,
    ],
  ])('%s', async (_, init, status) => {
    const { upload_url, file_id } = await ticket()
    expect((await send(upload_url, init())).status).toBe(status)
    await api.call('files.completeUploadExternal', { files: JSON.stringify([{ id: file_id }]) })
    expect(sandbox.workspace.files).toMatchObject(status === 200 ? [{ name: 'a.csv', sha256: sha256('a;b') }] : [])
  })

  test('are taken on the port that was asked for, and on no other', async () => {
    const { origin, tokens } = sandbox
    await start({ port: Number(new URL(origin).port) })
    expect(sandbox.tokens.all).not.toBe(tokens.all)
    expect([sandbox.origin, sandbox.uploadOrigin]).toEqual([origin, origin])
    await api.stage()
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'none', status: 200 })
  })
})

describe('The sandbox', () => {
  test('begins a run with each client that connects anew, unless a fault closed its connection', () => {
    const recorder = new Recorder(() => new Map())
    const send = (socket: Socket, path: string, plan?: Plan) =>
      recorder.begin(Object.assign(new IncomingMessage(socket), { url: path }), 'api', plan).run
    const sendAndClose = (path: string, plan?: Plan) => {
      const socket = new Socket()
      const run = send(socket, path, plan)
      socket.emit('close')
      return run
    }
    const open = new Socket()
    expect([send(open, '/api/files.upload'), sendAndClose('/api/files.upload')]).toEqual([1, 1])
    expect(sendAndClose('/api/files.upload')).toBe(1)
    open.emit('close')
    expect(sendAndClose('/api/conversations.info')).toBe(2)
    // curl connects for each call.
    const calls = ['/api/files.getUploadURLExternal', '/upload/v1/1', '/api/files.completeUploadExternal']
    expect(calls.map((path) => sendAndClose(path))).toEqual([3, 3, 3])
    expect(sendAndClose('/api/files.info', { ...usual, fault: 'reset' })).toBe(3)
    expect(sendAndClose('/api/files.getUploadURLExternal')).toBe(3)
  })

  test('keeps files as they came until it stops, and nothing that was refused', async () => {
    const { channels, workspace } = sandbox
    const content = randomBytes(3_000_000)
    await post(sandbox, 'big.bin', content)
    await post(sandbox, 'a.csv', 'a', { channels: channels.archived })
    await send((await ticket()).upload_url, { body: 'four' })
    const stored = workspace.files[0]?.stored ?? ''
    expect(await readdir(dirname(stored))).toEqual([basename(stored)])
    expect(sha256(await readFile(stored))).toBe(sha256(content))
    await sandbox.stop()
    await expect(readdir(dirname(stored))).rejects.toThrow('ENOENT')
  })
})

describe('The runner', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'step-'))
  })

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  async function step(script: string, more: Partial<Parameters<typeof runAction>[0]> = {}) {
    const entry = join(folder, 'step.mjs')
    await writeFile(entry, `import { appendFileSync, readFileSync } from 'node:fs'\nconst { env } = process\n${script}`)
    return runAction({ inputs: {}, workspace: folder, entry, ...more })
  }

  test('gives inputs, the event and the workspace, and nothing of this machine, and returns what the step did', async () => {
    process.env['HTTPS_PROXY_OF_THIS_MACHINE'] = 'x'
    let printed = ''
    const result = await step(
      `const { action } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
      console.log(env['INPUT_IF-NO-FILES-FOUND'], env['INPUT_MAX-FILES'], env.INPUT_NOT_DECLARED, env.INPUT_TOKEN === '')
      console.log(action, env.GITHUB_EVENT_NAME, env.GITHUB_REF_TYPE, process.cwd() === env.GITHUB_WORKSPACE)
      console.log(env.HTTPS_PROXY_OF_THIS_MACHINE, env.EXTRA)
      appendFileSync(env.GITHUB_OUTPUT, 'one=1=1\\nmany<<END\\na\\nb=c\\n\\nEND\\nnone<<END\\n\\nEND\\n')
      appendFileSync(env.GITHUB_STEP_SUMMARY, '# Done')
      console.error('err')
      process.exitCode = 3`,
      {
        inputs: { 'max-files': '3', 'not declared': 'passed on' },
        eventName: 'release',
        event: { action: 'published' },
        env: { EXTRA: '1' },
        onOutput: (text) => {
          printed += text
        },
      },
    )
    delete process.env['HTTPS_PROXY_OF_THIS_MACHINE']
    const stdout = 'error 3 passed on true\npublished release tag true\nundefined 1\n'
    const outputs = { one: '1=1', many: 'a\nb=c\n', none: '' }
    expect(result).toMatchObject({ code: 3, signal: null, stdout, stderr: 'err\n', outputs, summary: '# Done' })
    expect(printed).toContain('err\n')
    expect(printed.replace('err\n', '')).toBe(stdout)
  })

  onPosix('cancels by SIGINT', async () => {
    const cancel = new AbortController()
    const result = await step(
      `process.once('SIGINT', () => { console.log('cancelled'); process.exit(130) })
      setInterval(() => {}, 1000)
      console.log('ready')`,
      { signal: cancel.signal, onOutput: (text) => text.includes('ready') && cancel.abort() },
    )
    expect(result).toMatchObject({ code: 130, stdout: 'ready\ncancelled\n' })
    expect(await step('', { signal: AbortSignal.abort() })).toMatchObject({ code: null, signal: 'SIGINT' })
  })

  test('refuses an output that does not end, as the runner does', async () => {
    await expect(step(`appendFileSync(env.GITHUB_OUTPUT, 'name<<END\\nvalue\\n')`)).rejects.toThrow('name does not end')
  })
})
