import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { IncomingMessage, request } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Plan, usual } from '../../sandbox/faults.ts'
import { Recorder } from '../../sandbox/recorder.ts'
import { runAction } from '../../sandbox/runner.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { methods, Workspace } from '../../sandbox/workspace.ts'
import fc from '../support/fast-check.ts'
import { onPosix } from '../support/systems.ts'

let sandbox: Sandbox
const running: Sandbox[] = []

async function start(options?: SandboxOptions): Promise<Sandbox> {
  sandbox = await startSandbox(options)
  running.push(sandbox)
  return sandbox
}

beforeEach(async () => {
  await start()
})

afterEach(async () => {
  for (const started of running.splice(0)) await started.stop()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function call(method: string, form: Record<string, string>, token: string = sandbox.tokens.all) {
  const response = await fetch(`${sandbox.baseUrl}/api/${method}`, {
    method: 'POST',
    headers: bearer(token),
    body: new URLSearchParams(form),
  })
  return JSON.parse(await response.text())
}

/** The specified request. */
async function upload(fields: Record<string, string>, file = new File(['a,b\n1,2\n'], 'report.csv'), headers = {}) {
  const form = new FormData()
  form.set('file', file)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return fetch(`${sandbox.baseUrl}/api/files.upload`, {
    method: 'POST',
    headers: { ...bearer(sandbox.tokens.all), ...headers },
    body: form,
  })
}

/** Ticket and bytes. */
async function stage(content = 'a,b\n1,2\n', name = 'report.csv', more: Record<string, string> = {}): Promise<string> {
  const length = String(Buffer.byteLength(content))
  const { upload_url, file_id } = await call('files.getUploadURLExternal', { filename: name, length, ...more })
  await fetch(upload_url, { method: 'POST', body: content })
  return file_id
}

const files = (...ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id, title: 'Report' })))

const complete = async (id: string, form: Record<string, string> = {}) =>
  call('files.completeUploadExternal', { files: files(id), channel_id: sandbox.channels.general, ...form })

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

const channelsOf = ({ workspace }: Sandbox) => workspace.messages.map(({ channel }) => channel)

describe('The specified upload', () => {
  test('posts the file with the comment to every listed channel and direct conversation', async () => {
    const { channels, workspace } = sandbox
    const listed = [channels.general, channels.private, channels.direct]
    const response = await upload({ initial_comment: 'Nightly "report" & more', channels: listed.join(',') })

    expect(await response.json()).toMatchObject({ ok: true, file: { name: 'report.csv', size: 8 } })
    expect(channelsOf(sandbox)).toEqual(listed)
    for (const { text, files } of workspace.messages) {
      expect(text).toBe('Nightly "report" & more')
      expect(files).toMatchObject([{ name: 'report.csv', sha256: sha256('a,b\n1,2\n') }])
    }
  })

  test('responds with the ts of each message', async () => {
    const { channels, workspace } = sandbox
    const response = await upload({ channels: `${channels.general},${channels.direct}` })
    const { file } = JSON.parse(await response.text())
    const [first, second] = workspace.messages
    expect(file.shares).toMatchObject({
      public: { [channels.general]: [{ ts: first?.ts }] },
      private: { [channels.direct]: [{ ts: second?.ts }] },
    })
    expect(first?.ts).toMatch(/^\d{10}\.\d{6}$/)
    expect(first?.ts).not.toBe(second?.ts)
  })

  test('takes what curl sends', async () => {
    const { baseUrl, channels, tokens } = sandbox
    const boundary = '------------------------d74496d66958873e'
    const part = (head: string, body: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
    const body = Buffer.from(
      part('name="file"; filename="coverage.csv"\r\nContent-Type: text/csv', 'a;b') +
        part('name="initial_comment"', 'Coverage') +
        part('name="channels"', channels.general) +
        `--${boundary}--\r\n`,
    )
    const sent = request(`${baseUrl}/api/files.upload`, {
      method: 'POST',
      headers: {
        ...bearer(tokens.all),
        accept: '*/*',
        'content-length': body.length,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    }).end(body)
    const [response] = await once(sent, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
    expect(sandbox.workspace.messages).toMatchObject([
      {
        channel: channels.general,
        text: 'Coverage',
        files: [{ name: 'coverage.csv', size: 3, sha256: sha256('a;b') }],
      },
    ])
  })

  test.each([
    ['no token', () => ({ authorization: '' }), 'not_authed'],
    ['a webhook URL as token', () => bearer('https://hooks.slack.com/services/T0/B0/x'), 'invalid_auth'],
    ['an unknown token', () => bearer(sandbox.tokens.unknown), 'invalid_auth'],
    ['another scheme', () => ({ authorization: `Basic ${sandbox.tokens.all}` }), 'not_authed'],
    ['a token without scopes', () => bearer(sandbox.tokens.noScopes), 'missing_scope'],
  ])('posts nothing with %s', async (_, headers, error) => {
    const response = await upload({ channels: sandbox.channels.general }, undefined, headers())
    expect(await response.json()).toMatchObject({ ok: false, error })
    expect(sandbox.workspace.messages).toEqual([])
    expect(sandbox.workspace.files).toEqual([])
  })

  test.each([
    'é ü 漢字 🎉.csv',
    'with "quotes".csv',
    'a;b=c, d.csv',
    'back\\slash\\',
    'line\nbreak.csv',
    'x'.repeat(250),
  ])('keeps the file name %j', async (name) => {
    await upload({ channels: sandbox.channels.general }, new File(['x'], name))
    expect(sandbox.workspace.files).toMatchObject([{ name }])
    expect(sandbox.requests).toMatchObject([{ file: { field: 'file', name } }])
  })

  test('takes an empty file', async () => {
    await upload({ channels: sandbox.channels.general }, new File([], 'empty.csv'))
    expect(sandbox.workspace.files).toMatchObject([{ name: 'empty.csv', size: 0 }])
  })

  test('keeps opaque identifiers apart as a compatible server does', async () => {
    await start({ strictIds: false })
    await upload({ channels: 'general,team/7,42' })
    expect(channelsOf(sandbox)).toEqual(['general', 'team/7', '42'])
    await upload({ channels: 'general, 42' })
    expect(sandbox.workspace.messages).toHaveLength(3)
  })

  test('replies in a thread of one channel, not of two', async () => {
    const { general, direct } = sandbox.channels
    const threadTs = '1760688662.900279'
    await upload({ channels: general, thread_ts: threadTs })
    await upload({ channels: `${general},${direct}`, thread_ts: threadTs })
    await upload({ channels: general, thread_ts: '1760688662.9' })
    expect(sandbox.workspace.messages).toMatchObject([{ threadTs: threadTs }])
  })

  test('says what is wrong with a form that breaks off', async () => {
    const { baseUrl, tokens } = sandbox
    const response = await fetch(`${baseUrl}/api/files.upload`, {
      method: 'POST',
      headers: { ...bearer(tokens.all), 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b',
    })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('multipart')])
    expect(sandbox.requests).toMatchObject([{ status: 400 }])
    expect(sandbox.workspace.files).toEqual([])
  })

  test('without a file part is refused', async () => {
    const response = await call('files.upload', { channels: sandbox.channels.general, file: 'a,b' })
    expect(response).toEqual({ ok: false, error: 'no_file_data' })
    expect(sandbox.workspace.messages).toEqual([])
  })

  test('with one wrong channel of two fails both, or itself alone where that is set', async () => {
    const { general, archived } = sandbox.channels
    const both = async () => (await upload({ channels: `${general},${archived}` })).json()
    expect(await both()).toMatchObject({ error: 'is_archived' })
    expect(sandbox.workspace.files).toEqual([])
    sandbox.workspace.set({ wrongChannel: 'fails alone' })
    expect(await both()).toMatchObject({ error: 'is_archived' })
    expect(channelsOf(sandbox)).toEqual([general])
  })

  test('without channels keeps the file private', async () => {
    expect(await (await upload({})).json()).toMatchObject({ ok: true })
    expect(sandbox.workspace.messages).toEqual([])
  })

  test('is refused when it is retired, and unknown where it never was', async () => {
    await start({ offers: { 'files.upload': 'retired' } })
    expect(await (await upload({ channels: sandbox.channels.general })).json()).toEqual({
      ok: false,
      error: 'method_deprecated',
    })
    await start({ offers: { 'files.upload': 'absent' } })
    const response = await upload({ channels: sandbox.channels.general })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(sandbox.workspace.messages).toEqual([])
  })

  test('is found below a base path only', async () => {
    await start({ basePath: '/chat/v1' })
    expect(sandbox.baseUrl).toMatch(/:\d+\/chat\/v1$/)
    await upload({ channels: sandbox.channels.general })
    const outside = await fetch(`${new URL(sandbox.baseUrl).origin}/api/files.upload`, { method: 'POST' })
    expect(outside.status).toBe(404)
    expect(sandbox.requests.map(({ path, status }) => [path, status])).toEqual([
      ['/chat/v1/api/files.upload', 200],
      ['/api/files.upload', 404],
    ])
  })
})

describe('The external upload', () => {
  test('posts to several channels bytes that were sent once', async () => {
    const { channels, workspace } = sandbox
    const id = await stage()
    const response = await call('files.completeUploadExternal', {
      files: files(id),
      channels: `${channels.general},${channels.releases}`,
      initial_comment: 'Done',
    })
    expect(response).toMatchObject({ ok: true, files: [{ id, title: 'Report', size: 8, shares: {}, channels: [] }] })
    expect(channelsOf(sandbox)).toEqual([channels.general, channels.releases])
    expect(workspace.postings().map(({ times }) => times)).toEqual([1, 1])
    expect(sandbox.requests.map(({ origin, path }) => [origin, path.replace(/ticket-.*/, 'TICKET')])).toEqual([
      ['api', '/api/files.getUploadURLExternal'],
      ['upload', '/upload/v1/TICKET'],
      ['api', '/api/files.completeUploadExternal'],
    ])
  })

  test('takes the bytes on another origin, where a token is noticed', async () => {
    const { upload_url } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '1' })
    expect(new URL(upload_url).origin).toBe(sandbox.uploadOrigin)
    expect(sandbox.uploadOrigin).not.toBe(new URL(sandbox.baseUrl).origin)
    await fetch(upload_url, { method: 'POST', body: 'x', headers: bearer(sandbox.tokens.all) })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right', bytes: 1, status: 200 })
    await fetch(`${upload_url}?token=${sandbox.tokens.all}`, { method: 'POST', body: 'x' })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right' })
    await fetch(upload_url, { method: 'POST', body: 'x' })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'none' })
  })

  test('refuses bytes that are not as many as was said, and a second upload', async () => {
    const { upload_url, file_id } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    const send = async (body: string) => (await fetch(upload_url, { method: 'POST', body })).status
    expect(await send('four')).toBe(400)
    expect(await complete(file_id)).toMatchObject({ error: 'file_not_found' })
    expect(await send('abc')).toBe(200)
    expect(await send('abc')).toBe(404)
    expect(await complete(file_id)).toMatchObject({ ok: true })
  })

  test('refuses bytes without a Content-Length', async () => {
    const { upload_url, file_id } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('abc'))
        controller.close()
      },
    })
    const init = { method: 'POST', body, duplex: 'half' } as const
    expect((await fetch(upload_url, init)).status).toBe(411)
    expect(await complete(file_id)).toMatchObject({ error: 'file_not_found' })
  })

  test('gives no upload URL for an empty file or a length that is not a number of bytes', async () => {
    for (const length of ['-1', '1.5', 'three']) {
      expect(await call('files.getUploadURLExternal', { filename: 'a.csv', length })).toMatchObject({
        error: 'invalid_arguments',
      })
    }
    expect(await call('files.getUploadURLExternal', { filename: 'a.csv', length: '0' })).toMatchObject({
      error: 'missing_argument',
    })
  })

  test('is completed by JSON as well', async () => {
    const id = await stage()
    const response = await fetch(`${sandbox.baseUrl}/api/files.completeUploadExternal`, {
      method: 'POST',
      headers: { ...bearer(sandbox.tokens.all), 'content-type': 'application/json' },
      body: JSON.stringify({ files: [{ id }], channel_id: sandbox.channels.general }),
    })
    expect(await response.json()).toMatchObject({ ok: true, files: [{ id, title: 'report.csv' }] })
  })

  test('a second completion finds nothing, or shares again where that is set', async () => {
    const id = await stage()
    await complete(id)
    expect(await complete(id)).toMatchObject({ error: 'file_not_found' })
    expect(sandbox.workspace.postings()).toMatchObject([{ times: 1 }])
    sandbox.workspace.set({ secondCompletion: 'shares again' })
    expect(await complete(id)).toMatchObject({ ok: true })
    expect(sandbox.workspace.postings()).toMatchObject([{ times: 2 }])
  })

  test('another token cannot complete it', async () => {
    const id = await stage()
    const { tokens, channels } = sandbox
    const form = { files: files(id), channel_id: channels.general }
    expect(await call('files.completeUploadExternal', form, tokens.user)).toMatchObject({ error: 'file_not_found' })
  })

  test('an upload URL expires', async () => {
    let now = Date.now()
    await start({ now: () => now, ticketMilliseconds: 60_000 })
    const id = await stage()
    now += 60_001
    expect(await complete(id)).toMatchObject({ error: 'file_not_found' })
  })

  test('completing without bytes finds nothing, or posts an empty file where that is set', async () => {
    const { file_id } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    expect(await complete(file_id)).toMatchObject({ error: 'file_not_found' })
    sandbox.workspace.set({ completionWithoutBytes: 'empty file' })
    expect(await complete(file_id)).toMatchObject({ ok: true, files: [{ size: 0 }] })
  })

  test('a message takes 14 files and not 15', async () => {
    const ids: string[] = []
    for (let count = 0; count < 15; count += 1) ids.push(await stage())
    const channelId = sandbox.channels.general
    const form = (given: readonly string[]) => ({ files: files(...given), channel_id: channelId })
    expect(await call('files.completeUploadExternal', form(ids))).toMatchObject({ error: 'internal_error' })
    expect(await call('files.completeUploadExternal', form(ids.slice(1)))).toMatchObject({ ok: true })
    expect(sandbox.workspace.messages.map(({ files }) => files.length)).toEqual([14])
  })

  test('without a channel it is ok, and the file is private', async () => {
    expect(await call('files.completeUploadExternal', { files: files(await stage()) })).toMatchObject({ ok: true })
    expect(sandbox.workspace.messages).toEqual([])
    expect(sandbox.workspace.files).toHaveLength(1)
  })

  const ids = (count: number) => Array.from({ length: count }, (_, index) => `C${String(index).padStart(9, '0')}`)
  const section = (text: object) => JSON.stringify([{ type: 'section', text }])
  test.each<[string, () => Record<string, string>, string]>([
    ['both channel_id and channels', () => ({ channels: sandbox.channels.releases }), 'invalid_arguments'],
    ['a channel name', () => ({ channel_id: '#general' }), 'invalid_arguments'],
    ['a user id', () => ({ channel_id: sandbox.users.reviewer }), 'invalid_arguments'],
    ['an unknown channel', () => ({ channel_id: 'C0123456789' }), 'channel_not_found'],
    ['a channel it is not in', () => ({ channel_id: sandbox.channels.notJoined }), 'not_in_channel'],
    ['a private channel it is not in', () => ({ channel_id: sandbox.channels.privateNotJoined }), 'channel_not_found'],
    ['an archived channel', () => ({ channel_id: sandbox.channels.archived }), 'is_archived'],
    [
      'a channel that denies posting',
      () => ({ channel_id: sandbox.channels.postingDenied }),
      'posting_to_channel_denied',
    ],
    ['a malformed thread_ts', () => ({ thread_ts: '1760688662' }), 'invalid_thread_ts'],
    ['files that are no list', () => ({ files: '{}' }), 'invalid_arguments'],
    ['files that are no JSON', () => ({ files: 'F1' }), 'invalid_arguments'],
    ['no file', () => ({ files: '[]' }), 'invalid_arguments'],
    ['an unknown file', () => ({ files: files('F0') }), 'file_not_found'],
    ['blocks that are no JSON', () => ({ blocks: '[' }), 'invalid_arguments'],
    ['a file entry without id', () => ({ files: '[{"title":"a"}]' }), 'invalid_arguments'],
    ['a file entry that is no object', () => ({ files: '[null]' }), 'invalid_arguments'],
    ['a title that is no text', () => ({ files: '[{"id":"F1","title":7}]' }), 'invalid_arguments'],
    ['no block', () => ({ blocks: '[]' }), 'invalid_blocks'],
    ['a text of no kind', () => ({ blocks: section({ type: 'markdown', text: 'x' }) }), 'invalid_blocks'],
    [
      'a text with more in it',
      () => ({ blocks: section({ type: 'mrkdwn', text: 'x', emoji: true }) }),
      'invalid_blocks',
    ],
    ['a markdown block', () => ({ blocks: '[{"type":"markdown","text":"a"}]' }), 'internal_error'],
    ['a block of no kind', () => ({ blocks: '[{"type":"banner"}]' }), 'invalid_blocks'],
    ['a section without text', () => ({ blocks: '[{"type":"section"}]' }), 'invalid_blocks'],
    ['an empty text', () => ({ blocks: section({ type: 'mrkdwn', text: '' }) }), 'invalid_blocks'],
    ['a text of 3001', () => ({ blocks: section({ type: 'mrkdwn', text: 'x'.repeat(3001) }) }), 'invalid_blocks'],
    [
      'verbatim plain text',
      () => ({ blocks: section({ type: 'plain_text', text: 'x', verbatim: true }) }),
      'invalid_blocks',
    ],
  ])('with %s nothing is posted', async (_, form, error) => {
    const id = await stage()
    expect(await complete(id, form())).toMatchObject({ ok: false, error })
    expect(sandbox.workspace.messages).toEqual([])
    expect(await complete(id)).toMatchObject({ ok: true })
  })

  test('more than 100 channels, or several with thread_ts, are refused', async () => {
    const form = async (more: Record<string, string>) =>
      call('files.completeUploadExternal', { files: files(await stage()), ...more })
    expect(await form({ channels: ids(101).join(',') })).toMatchObject({ error: 'channels_limit_exceeded' })
    expect(await form({ channels: ids(100).join(',') })).toMatchObject({ error: 'channel_not_found' })
    const { general, releases } = sandbox.channels
    const several = { channels: `${general},${releases}`, thread_ts: '1760688662.900279' }
    expect(await form(several)).toMatchObject({ error: 'invalid_arguments' })
    expect(await form({ channels: `${general}, ${releases}` })).toMatchObject({ error: 'invalid_arguments' })
  })

  test('a comment beats blocks, and without a comment, blocks are the text', async () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '<https://example.com|run>', verbatim: true } }]
    await complete(await stage(), { blocks: JSON.stringify(blocks) })
    await complete(await stage(), { blocks: JSON.stringify(blocks), initial_comment: 'Text' })
    expect(sandbox.workspace.messages).toMatchObject([
      { text: undefined, blocks },
      { text: 'Text', blocks: undefined },
    ])
  })

  test('one wrong channel of two fails both, or itself alone where that is set', async () => {
    const { general, notJoined } = sandbox.channels
    const both = async () =>
      call('files.completeUploadExternal', { files: files(await stage()), channels: `${notJoined},${general}` })
    expect(await both()).toMatchObject({ error: 'not_in_channel' })
    expect(sandbox.workspace.messages).toEqual([])
    sandbox.workspace.set({ wrongChannel: 'fails alone' })
    expect(await both()).toMatchObject({ error: 'not_in_channel' })
    expect(channelsOf(sandbox)).toEqual([general])
  })
})

describe('Sharing', () => {
  const shares = async (id: string) => (await call('files.info', { file: id })).file?.shares

  test('shows at the first lookup by default', async () => {
    const id = await stage()
    expect(await call('files.info', { file: id })).toMatchObject({ error: 'file_not_found' })
    await complete(id)
    const { general } = sandbox.channels
    expect(await shares(id)).toMatchObject({ public: { [general]: [{ ts: expect.stringMatching(/^\d+\.\d{6}$/) }] } })
  })

  test('comes later by time', async () => {
    let now = Date.now()
    await start({ now: () => now, sharing: { milliseconds: 5_000, lookups: 0, channels: 'all' } })
    const appeared: string[] = []
    sandbox.events.on('message', ({ channel }) => appeared.push(channel))
    const id = await stage()
    await complete(id)
    now += 4_999
    expect(await shares(id)).toEqual({})
    expect(sandbox.workspace.messages).toEqual([])
    expect(sandbox.workspace.postings()).toHaveLength(1)
    expect(appeared).toEqual([])
    now += 1
    expect(await shares(id)).toHaveProperty('public')
    expect(sandbox.workspace.messages).toHaveLength(1)
    expect(appeared).toEqual([sandbox.channels.general])
  })

  test('comes later by lookups', async () => {
    await start({ sharing: { milliseconds: 0, lookups: 2, channels: 'all' } })
    const id = await stage()
    await complete(id)
    expect(await shares(id)).toEqual({})
    expect(await shares(id)).toEqual({})
    expect(await shares(id)).toHaveProperty('public')
  })

  test('comes in some channels only, or never', async () => {
    const { general, releases } = sandbox.channels
    await start({ sharing: { milliseconds: 0, lookups: 0, channels: [general] } })
    const id = await stage()
    await call('files.completeUploadExternal', { files: files(id), channels: `${general},${releases}` })
    expect(Object.keys((await shares(id)).public)).toEqual([general])
    sandbox.workspace.set({ sharing: { milliseconds: 0, lookups: 0, channels: [] } })
    const lost = await stage()
    expect(await complete(lost)).toMatchObject({ ok: true })
    expect(await shares(lost)).toEqual({})
    expect(channelsOf(sandbox)).toEqual([general])
  })
})

describe('Methods that read', () => {
  test('auth.test returns the granted scopes and a request ID', async () => {
    const response = await fetch(`${sandbox.baseUrl}/api/auth.test`, {
      method: 'POST',
      headers: bearer(sandbox.tokens.uploadOnly),
    })
    expect(await response.json()).toMatchObject({ ok: true, url: `${sandbox.baseUrl}/`, user_id: sandbox.users.app })
    expect(response.headers.get('x-oauth-scopes')).toBe('files:write')
    expect(response.headers.get('x-slack-req-id')).toMatch(/\w/)
  })

  test.each([
    ['revoked', 'token_revoked'],
    ['appLevel', 'not_allowed_token_type'],
    ['unknown', 'invalid_auth'],
  ] as const)('a token that is %s is refused', async (name, error) => {
    expect(await call('auth.test', {}, sandbox.tokens[name])).toMatchObject({ ok: false, error })
  })

  test.each([
    ['files.getUploadURLExternal', 'noScopes', 'files:write', ''],
    ['files.completeUploadExternal', 'noScopes', 'files:write', ''],
    ['files.info', 'uploadOnly', 'files:read', 'files:write'],
    ['conversations.open', 'uploadOnly', 'im:write', 'files:write'],
  ] as const)('%s names the scope that is missing', async (method, token, needed, provided) => {
    expect(await call(method, { file: 'F1' }, sandbox.tokens[token])).toEqual({
      ok: false,
      error: 'missing_scope',
      needed,
      provided,
    })
  })

  test('conversations.info shows membership as far as the scopes go', async () => {
    const { channels, tokens } = sandbox
    const getInfo = (channel: string, token = tokens.all) => call('conversations.info', { channel }, token)
    expect(await getInfo(channels.general)).toMatchObject({ channel: { is_member: true, is_archived: false } })
    expect(await getInfo(channels.notJoined)).toMatchObject({ channel: { name: 'not-joined', is_member: false } })
    expect(await getInfo(channels.archived)).toMatchObject({ channel: { is_archived: true } })
    expect(await getInfo(channels.private)).toMatchObject({ channel: { is_private: true, is_member: true } })
    expect(await getInfo(channels.privateNotJoined)).toMatchObject({ error: 'channel_not_found' })
    expect(await getInfo(channels.direct)).toMatchObject({ channel: { is_im: true, user: sandbox.users.reviewer } })
    expect(await getInfo('C0123456789')).toMatchObject({ error: 'channel_not_found' })
    expect(await getInfo(channels.general, tokens.files)).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:read',
    })
    expect(await getInfo(channels.private, tokens.files)).toMatchObject({ needed: 'groups:read' })
    expect(await getInfo(channels.direct, tokens.files)).toMatchObject({ needed: 'im:read' })
  })

  test('conversations.open finds or makes the direct conversation of a user', async () => {
    const { channels, users, workspace } = sandbox
    expect(await call('conversations.open', { users: users.reviewer })).toMatchObject({
      channel: { id: channels.direct },
    })
    const before = workspace.conversations.length
    const tried = await call('conversations.open', { users: users.newcomer, prevent_creation: 'true' })
    expect(tried).toEqual({ ok: true, no_op: true })
    expect(workspace.conversations).toHaveLength(before)
    const { channel } = await call('conversations.open', { users: users.newcomer })
    expect(await complete(await stage(), { channel_id: channel.id })).toMatchObject({ ok: true })
    expect(await call('conversations.open', { users: 'U0000000000' })).toMatchObject({ error: 'user_not_found' })
    expect(await call('conversations.open', {})).toMatchObject({ error: 'users_list_not_supplied' })
    const own = await call('conversations.open', { users: users.app }, sandbox.tokens.user)
    expect(own.channel.id).not.toBe(channels.direct)
  })

  test('chat.getPermalink links to a message that is there', async () => {
    const { baseUrl, channels, workspace } = sandbox
    await complete(await stage(), { thread_ts: '1760688662.900279' })
    const ts = workspace.messages[0]?.ts ?? ''
    const link = await call(
      'chat.getPermalink',
      { channel: channels.general, message_ts: ts },
      sandbox.tokens.uploadOnly,
    )
    const path = `archives/${channels.general}/p${ts.replace('.', '')}`
    expect(link.permalink).toBe(`${baseUrl}/${path}?thread_ts=1760688662.900279&cid=${channels.general}`)
    expect(await call('chat.getPermalink', { channel: channels.general, message_ts: '1.000000' })).toMatchObject({
      error: 'message_not_found',
    })
  })

  test('an unknown method is refused', async () => {
    expect(await call('files.uploadV2', {})).toEqual({ ok: false, error: 'unknown_method' })
  })

  test('calls beyond the limit of a minute wait for the next', async () => {
    let now = Date.now()
    await start({ now: () => now, callsPerMinute: new Map([['auth.test', 2]]) })
    const getInfo = () =>
      fetch(`${sandbox.baseUrl}/api/auth.test`, { method: 'POST', headers: bearer(sandbox.tokens.all) })
    await getInfo()
    now += 20_000
    await getInfo()
    const refused = await getInfo()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    expect(await refused.json()).toEqual({ ok: false, error: 'ratelimited' })
    expect(await call('files.info', { file: 'F1' })).toMatchObject({ error: 'file_not_found' })
    now += 40_000
    expect((await getInfo()).status).toBe(200)
  })

  test('so do uploads of bytes', async () => {
    await start({ callsPerMinute: new Map([['upload-bytes', 1]]) })
    const send = async () => {
      const { upload_url } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '1' })
      return (await fetch(upload_url, { method: 'POST', body: 'x' })).status
    }
    expect([await send(), await send()]).toEqual([200, 429])
  })

  test('a message that follows another one in its channel too soon has to wait', async () => {
    let now = Date.now()
    await start({ now: () => now, secondsPerMessage: 2 })
    const post = async (...ids: readonly string[]) => {
      const body = new FormData()
      body.append('channels', ids.join(','))
      body.append('file', new File(['a'], 'a.csv'))
      const request = { method: 'POST', headers: bearer(sandbox.tokens.all), body }
      const { headers, status } = await fetch(`${sandbox.baseUrl}/api/files.upload`, request)
      return [status, headers.get('retry-after')]
    }
    const { builds, general } = sandbox.channels
    expect(await post(general)).toEqual([200, null])
    now += 500
    expect(await post(builds)).toEqual([200, null])
    expect(await post(builds, general)).toEqual([429, '2'])
    now += 1_500
    expect(await post(general)).toEqual([200, null])
    expect(sandbox.workspace.messages).toHaveLength(3)
  })
})

describe('The model without a server', () => {
  const token = 'a token'
  const channel = 'C0123456789'
  const model = () =>
    new Workspace({
      tokens: new Map([[token, { user: 'U1', scopes: ['files:write', 'files:read', 'channels:read', 'im:write'] }]]),
      conversations: [{ id: channel, name: 'general', kind: 'public', members: ['U1'] }],
    })

  test('responds to every call with JSON', () => {
    const json = fc.oneof(
      fc.json(),
      fc.json().map((value) => JSON.stringify([{ id: value, title: 1 }])),
    )
    const value = fc.oneof(fc.string(), json, fc.constantFrom(channel, 'F0000000002', '1', '1760688662.900279'))
    const fields = ['filename', 'length', 'files', 'channel_id', 'channels', 'blocks', 'thread_ts', 'file', 'users']
    const form = fc.dictionary(fc.constantFrom(...fields), value)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...methods), form, fc.boolean())), (calls) => {
        const workspace = model()
        for (const [method, form, json] of calls) {
          const { status, json: envelope } = workspace.call(method, { token, form, json })
          expect([status, typeof envelope?.['ok']]).toEqual([200, 'boolean'])
        }
      }),
    )
  })

  test('plays a whole upload', () => {
    const workspace = model()
    const ticket = workspace.call('files.getUploadURLExternal', { token, form: { filename: 'a.csv', length: '3' } })
    const { upload_url, file_id } = ticket.json ?? {}
    const received = { length: 3, sha256: sha256('abc') }
    expect(workspace.receive(String(upload_url).split('/').at(-1) ?? '', received)).toMatchObject({ status: 200 })
    const form = { files: JSON.stringify([{ id: file_id, title: 'A' }]), channels: channel }
    expect(workspace.call('files.completeUploadExternal', { token, form }).json).toMatchObject({ ok: true })
    expect(workspace.postings()).toEqual([{ channel, name: 'a.csv', title: 'A', sha256: sha256('abc'), times: 1 }])
  })
})

describe('The sandbox', () => {
  test('records each request, and no token', async () => {
    const { channels, requests, tokens } = sandbox
    await upload({ initial_comment: 'Hi', channels: channels.general, token: tokens.all, note: `with ${tokens.files}` })
    await upload({ channels: channels.general }, undefined, bearer(tokens.unknown))
    expect(requests).toMatchObject([
      {
        origin: 'api',
        method: 'POST',
        path: '/api/files.upload',
        headers: expect.arrayContaining([
          ['authorization', 'Bearer ***'],
          ['host', expect.any(String)],
        ]),
        token: 'right',
        fields: [
          ['initial_comment', 'Hi'],
          ['channels', channels.general],
          ['token', '***'],
          ['note', 'with ***'],
        ],
        file: { field: 'file', name: 'report.csv', contentType: 'application/octet-stream', length: 8 },
        bytes: expect.any(Number),
        status: 200,
        milliseconds: expect.any(Number),
      },
      { token: 'wrong' },
    ])
    for (const token of Object.values(tokens)) expect(JSON.stringify(requests)).not.toContain(token)
  })

  test('begins a run with each client that connects anew, unless a fault closed its connection', () => {
    const recorder = new Recorder(() => new Map())
    const send = (socket: Socket, path: string, plan?: Plan) => {
      const sent = new IncomingMessage(socket)
      sent.url = path
      return recorder.begin(sent, 'api', plan).run
    }
    const [first, second, third, fourth] = [new Socket(), new Socket(), new Socket(), new Socket()]
    expect([send(first, '/api/files.upload'), send(second, '/api/files.upload')]).toEqual([1, 1])
    first.emit('close')
    expect(send(third, '/api/files.upload')).toBe(1)
    for (const socket of [second, third]) socket.emit('close')
    expect(send(fourth, '/api/conversations.info')).toBe(2)
    fourth.emit('close')
    // curl connects for each call.
    const calls = ['/api/files.getUploadURLExternal', '/upload/v1/1', '/api/files.completeUploadExternal']
    const runs = calls.map((path) => {
      const socket = new Socket()
      const run = send(socket, path)
      socket.emit('close')
      return run
    })
    expect(runs).toEqual([3, 3, 3])
    const reset = new Socket()
    expect(send(reset, '/api/files.info', { ...usual, fault: 'reset' })).toBe(3)
    reset.emit('close')
    expect(send(new Socket(), '/api/files.getUploadURLExternal')).toBe(3)
  })

  test('takes the bytes of uploads on the port that was asked for, and on no other', async () => {
    const { origin } = sandbox
    await sandbox.stop()
    running.splice(0)
    await start({ port: Number(new URL(origin).port) })
    expect([sandbox.origin, sandbox.uploadOrigin]).toEqual([origin, origin])
    const { upload_url, file_id } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '1' })
    expect(new URL(upload_url).origin).toBe(origin)
    await fetch(upload_url, { method: 'POST', body: 'x', headers: bearer(sandbox.tokens.all) })
    expect(sandbox.requests.at(-1)).toMatchObject({ origin: 'upload', token: 'right', status: 200 })
    expect(await complete(file_id)).toMatchObject({ ok: true })
  })

  test('keeps files as they came until it stops', async () => {
    const content = randomBytes(3_000_000)
    await upload({ channels: sandbox.channels.general }, new File([content], 'big.bin'))
    const stored = sandbox.workspace.files[0]?.stored ?? ''
    expect(sha256(await readFile(stored))).toBe(sha256(content))
    await sandbox.stop()
    running.splice(0)
    await expect(readdir(dirname(stored))).rejects.toThrow('ENOENT')
  })

  test('keeps nothing that was refused', async () => {
    const { channels, tokens, workspace } = sandbox
    await upload({ channels: channels.general })
    await upload({ channels: channels.archived })
    await upload({ channels: channels.general }, undefined, bearer(tokens.unknown))
    const { upload_url } = await call('files.getUploadURLExternal', { filename: 'a.csv', length: '3' })
    await fetch(upload_url, { method: 'POST', body: 'four' })
    const stored = workspace.files[0]?.stored ?? ''
    expect(await readdir(dirname(stored))).toEqual([basename(stored)])
  })

  test('emits a message when it appears', async () => {
    const appeared = once(sandbox.events, 'message')
    await upload({ channels: sandbox.channels.general })
    expect(await appeared).toMatchObject([{ channel: sandbox.channels.general, files: [{ name: 'report.csv' }] }])
  })

  test('is fresh at each start', async () => {
    const { tokens } = sandbox
    await start()
    expect(sandbox.tokens.all).not.toBe(tokens.all)
  })

  test('refuses requests to another host name', async () => {
    const sent = request(`${sandbox.baseUrl}/api/auth.test`, {
      method: 'POST',
      headers: { ...bearer(sandbox.tokens.all), host: 'attacker.example' },
    }).end()
    const [response] = await once(sent, 'response')
    response.resume()
    expect(response.statusCode).toBe(403)
  })

  test('takes nothing that a page of another site sends', async () => {
    const response = await upload({ channels: sandbox.channels.general }, undefined, { origin: 'https://site.example' })
    expect(response.status).toBe(403)
    expect(sandbox.requests).toEqual([])
  })

  test('serves a page beside the API, which is not recorded', async () => {
    await start({
      page: (app, { workspace }) => {
        app.get('/', () => ({ channels: workspace.conversations.length }))
      },
    })
    const page = await fetch(sandbox.baseUrl)
    expect(await page.json()).toEqual({ channels: sandbox.workspace.conversations.length })
    expect(sandbox.requests).toEqual([])
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

  test('passes inputs, defaults and what was not declared', async () => {
    const { stdout } = await step(
      `console.log(env['INPUT_IF-NO-FILES-FOUND'], env['INPUT_MAX-FILES'], env.INPUT_NOT_DECLARED, env.INPUT_TOKEN === '')`,
      { inputs: { 'max-files': '3', 'not declared': 'passed on' } },
    )
    expect(stdout).toBe('error 3 passed on true\n')
  })

  test('gives the event, the run and the workspace, and nothing of this machine', async () => {
    process.env['HTTPS_PROXY_OF_THIS_MACHINE'] = 'x'
    const { stdout } = await step(
      `const { action } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'))
      console.log(action, env.GITHUB_EVENT_NAME, env.GITHUB_REF_TYPE, process.cwd() === env.GITHUB_WORKSPACE)
      console.log(env.HTTPS_PROXY_OF_THIS_MACHINE, env.EXTRA)`,
      { eventName: 'release', event: { action: 'published' }, env: { EXTRA: '1' } },
    )
    delete process.env['HTTPS_PROXY_OF_THIS_MACHINE']
    expect(stdout).toBe('published release tag true\nundefined 1\n')
  })

  test('returns outputs, summary, text and exit code', async () => {
    const printed: string[] = []
    const result = await step(
      `appendFileSync(env.GITHUB_OUTPUT, 'one=1=1\\nmany<<END\\na\\nb=c\\n\\nEND\\nnone<<END\\n\\nEND\\n')
      appendFileSync(env.GITHUB_STEP_SUMMARY, '# Done')
      console.log('out')
      console.error('err')
      process.exitCode = 3`,
      { onOutput: (text) => printed.push(text) },
    )
    expect(result).toMatchObject({
      code: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      outputs: { one: '1=1', many: 'a\nb=c\n', none: '' },
      summary: '# Done',
    })
    expect(printed.sort()).toEqual(['err\n', 'out\n'])
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
