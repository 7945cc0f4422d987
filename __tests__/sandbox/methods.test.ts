// Responses of each method, as https://docs.slack.dev/reference/methods describes them, and the
// rules for what it leaves open. See sandbox.test.ts for HTTP, clients.test.ts for official
// clients, and unit/delivery for most rules.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce, type GivenSettings } from '../../sandbox/workspace.ts'
import { grid } from '../support/grid.ts'

type Form = Readonly<Record<string, string>>
type TokenName = keyof Sandbox['tokens']

const begin = 1_800_000_000_000
const general = 'C0GENERAL00'
const releases = 'C0RELEASES0'
const direct = 'D0DIRECT000'
const ts = '1760688662.900279'

let sandbox: Sandbox
let now: number

beforeEach(async () => {
  now = begin
  sandbox = await startSandbox({ ...atOnce, now: () => now })
})
afterEach(() => sandbox.stop())

const set = (settings: GivenSettings) => sandbox.workspace.set(settings)

function call(method: string, form: Form = {}, token: TokenName = 'all') {
  const { json } = sandbox.workspace.call(method, { token: sandbox.tokens[token], form })
  return JSON.parse(JSON.stringify(json))
}

const open = (token?: TokenName, length = 4) =>
  call('files.getUploadURLExternal', { filename: 'a.csv', length: String(length) }, token)

const send = (url: string, bytes = 'a;b\n') => {
  const received = {
    length: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  return sandbox.workspace.receive(url.split('/').at(-1) ?? '', received).status
}

/** Returns the ID of an upload that has its bytes. */
function stage(token?: TokenName): string {
  const { upload_url, file_id } = open(token)
  expect(send(upload_url)).toBe(200)
  return file_id
}

const filesOf = (...ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id })))

const complete = (id: string, form: Form = { channel_id: general }) =>
  call('files.completeUploadExternal', { files: filesOf(id), ...form })

/** Returns the ID of a file in these channels. */
function post(name: string, channels: readonly string[] = [], token?: TokenName): string {
  const id = stage(token)
  const files = JSON.stringify([{ id, title: name }])
  const where = channels.length === 0 ? undefined : { channels: channels.join(',') }
  call('files.completeUploadExternal', { files, ...where }, token)
  return id
}

const channelsOf = () => sandbox.workspace.messages.map(({ channel }) => channel)

const section = (text: object) => JSON.stringify([{ type: 'section', text }])
const channelIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `C${String(index).padStart(9, '0')}`)

const fieldsOf = (query: string): Form => Object.fromEntries(new URLSearchParams(query))

test('each call has the response of the real service', async () => {
  const calls = `
all files.uploadV2
revoked auth.test
appLevel auth.test
noScopes auth.test
user auth.test
noScopes files.upload
uploadOnly files.info
uploadOnly conversations.open
all conversations.info channel=G0NOTJOINED
all conversations.info channel=C0123456789
all conversations.info channel=C0NOTJOINED
all conversations.info channel=G0PRIVATE00
all conversations.info channel=${direct}
all conversations.open users=U0000000000
uploadOnly chat.getPermalink channel=${general}&message_ts=1.000000
all files.getUploadURLExternal filename=a.csv&length=0
`
  const shown = await grid(calls, (line) => {
    const [token, method = '', query = ''] = line.split(' ')
    return call(method, fieldsOf(query), token as TokenName)
  })
  expect(shown.replaceAll(sandbox.baseUrl, 'URL')).toMatchInlineSnapshot(`
"all files.uploadV2
    {"ok":false,"error":"unknown_method"}
revoked auth.test
    {"ok":false,"error":"token_revoked"}
appLevel auth.test
    {"ok":false,"error":"not_allowed_token_type"}
noScopes auth.test
    {"ok":true,"url":"URL/","team":"Sandbox","user":"u0appuser00","team_id":"T0SANDBOX0","user_id":"U0APPUSER00","bot_id":"B0APPBOT000","is_enterprise_install":false}
user auth.test
    {"ok":true,"url":"URL/","team":"Sandbox","user":"u0person000","team_id":"T0SANDBOX0","user_id":"U0PERSON000","is_enterprise_install":false}
noScopes files.upload
    {"ok":false,"error":"missing_scope","needed":"files:write:user","provided":""}
uploadOnly files.info
    {"ok":false,"error":"missing_scope","needed":"files:read","provided":"files:write"}
uploadOnly conversations.open
    {"ok":false,"error":"missing_scope","needed":"channels:write,groups:write,mpim:write,im:write","provided":"files:write"}
all conversations.info channel=G0NOTJOINED
    {"ok":false,"error":"channel_not_found"}
all conversations.info channel=C0123456789
    {"ok":false,"error":"channel_not_found"}
all conversations.info channel=C0NOTJOINED
    {"ok":true,"channel":{"id":"C0NOTJOINED","name":"not-joined","is_channel":true,"is_group":false,"is_im":false,"is_mpim":false,"is_private":false,"is_shared":false,"is_ext_shared":false,"is_archived":false,"is_member":false}}
all conversations.info channel=G0PRIVATE00
    {"ok":true,"channel":{"id":"G0PRIVATE00","name":"private","is_channel":true,"is_group":false,"is_im":false,"is_mpim":false,"is_private":true,"is_shared":false,"is_ext_shared":false,"is_archived":false,"is_member":true}}
all conversations.info channel=D0DIRECT000
    {"ok":true,"channel":{"id":"D0DIRECT000","is_im":true,"is_archived":false,"user":"U0REVIEWER0"}}
all conversations.open users=U0000000000
    {"ok":false,"error":"user_not_found"}
uploadOnly chat.getPermalink channel=C0GENERAL00&message_ts=1.000000
    {"ok":false,"error":"message_not_found"}
all files.getUploadURLExternal filename=a.csv&length=0
    {"ok":false,"error":"missing_argument"}"
`)
})

describe('A completion', () => {
  test('that is refused posts nothing, and the file can be posted after it', async () => {
    const forms = `
channel_id=${general}&channels=${releases}
channels=${channelIds(101)}
channel_id=C0NOTJOINED
channel_id=G0NOTJOINED
channel_id=${general}&thread_ts=1760688662
channels=${general},${releases}&thread_ts=${ts}
files=[{"id":"F0"}]
blocks=[{"type":"markdown","text":"a"}]
blocks=${section({ type: 'mrkdwn', text: 'x'.repeat(3001) })}
blocks=${JSON.stringify(Array(51).fill({ type: 'divider' }))}
`
    const shown = await grid(forms, (query) => {
      const before = channelsOf().length
      const id = stage()
      const { error } = complete(id, fieldsOf(query))
      expect([channelsOf().length, sandbox.workspace.files.length]).toEqual([before, before])
      expect(complete(id)).toMatchObject({ ok: true })
      return error
    })
    expect(shown.match(/(?<=^ {4}).*$/gm)).toMatchInlineSnapshot(`
[
  "invalid_arguments",
  "channels_limit_exceeded",
  "not_in_channel",
  "channel_not_found",
  "invalid_thread_ts",
  "invalid_arguments",
  "file_not_found",
  "internal_error",
  "invalid_blocks",
  "invalid_blocks",
]
`)
  })

  test('without channels keeps the file private; in channels takes users; shows no message', () => {
    expect(complete(stage(), {})).toMatchObject({ ok: true })
    expect(channelsOf()).toEqual([])
    const id = stage()
    const [file] = complete(id, { channels: `${general},U0REVIEWER0,U0NEWCOMER0` }).files
    const { title, size, is_public, shares, channels, groups, ims } = file
    expect(JSON.stringify([title, size, is_public, shares, channels, groups, ims])).toBe(
      '["a.csv",4,false,{},[],[],[]]',
    )
    expect(channelsOf()).toEqual([general, direct, expect.stringMatching(/^D\w+$/)])
    expect(sandbox.workspace.postings().map(({ times }) => times)).toEqual([1, 1, 1])
  })
})

describe('chat.postMessage', () => {
  const say = (form: Form, token?: TokenName) =>
    call('chat.postMessage', { channel: general, text: 'Done', ...form }, token)

  test('posts to one conversation at once, whatever is set for files, and opens one with a user', () => {
    set({ sharing: { milliseconds: 5_000, lookups: 2, channels: [] } })
    const { ts } = say({})
    expect(say({ channel: 'U0REVIEWER0' }, 'user').channel).toMatch(/^D/)
    expect(say({ channel: 'U0REVIEWER0' }).channel).toBe(direct)
    expect(channelsOf()).toHaveLength(3)
    expect(call('chat.getPermalink', { channel: general, message_ts: ts })).toMatchObject({
      ok: true,
    })
    const remove = (token?: TokenName) => call('chat.delete', { channel: general, ts }, token)
    expect([remove('user'), remove(), remove()].map(({ error }) => error)).toEqual([
      'cant_delete_message',
      undefined,
      'message_not_found',
    ])
  })
})

test('files.info shows the messages of a file', () => {
  const file = post('a', [general, releases, 'G0PRIVATE00', direct])
  const record = call('files.info', { file }).file
  const names = 'is_public channels groups ims has_more_shares shares'.split(' ')
  const shown = names.map((name) => `${name}: ${JSON.stringify(record[name])}`).join('\n')
  const messages = sandbox.workspace.messages.map(({ ts }) => ts)
  const numbered = shown.replace(/(?<="ts":")\d{10}\.\d{6}/g, (one) =>
    String(messages.indexOf(one)),
  )
  expect(numbered).toMatchInlineSnapshot(`
"is_public: true
channels: ["C0GENERAL00","C0RELEASES0"]
groups: ["G0PRIVATE00"]
ims: ["D0DIRECT000"]
has_more_shares: false
shares: {"public":{"C0GENERAL00":[{"reply_users":[],"reply_users_count":0,"reply_count":0,"ts":"0","channel_name":"general","team_id":"T0SANDBOX0","share_user_id":"U0APPUSER00","source":"UNKNOWN","is_silent_share":false}],"C0RELEASES0":[{"reply_users":[],"reply_users_count":0,"reply_count":0,"ts":"1","channel_name":"releases","team_id":"T0SANDBOX0","share_user_id":"U0APPUSER00","source":"UNKNOWN","is_silent_share":false}]},"private":{"G0PRIVATE00":[{"reply_users":[],"reply_users_count":0,"reply_count":0,"ts":"2","channel_name":"private","team_id":"T0SANDBOX0","share_user_id":"U0APPUSER00","source":"UNKNOWN","is_silent_share":false}],"D0DIRECT000":[{"reply_users":[],"reply_users_count":0,"reply_count":0,"ts":"3","channel_name":"reviewer","team_id":"T0SANDBOX0","share_user_id":"U0APPUSER00","source":"UNKNOWN","is_silent_share":false}]}}"
`)
})

test('A file is seen and deleted by its owner, and seen by who sees a conversation that it is in', async () => {
  const own = post('own', [direct])
  const shown = post('shown', [general])
  const calls = `
files.info own user
files.delete own user
files.info shown user
files.delete shown user
files.delete shown all
`
  const answer = (line: string) => {
    const [method = '', name, token] = line.split(' ')
    const { error } = call(method, { file: name === 'own' ? own : shown }, token as TokenName)
    return error ?? 'ok'
  }
  expect(await grid(calls, answer)).toMatchInlineSnapshot(`
"files.info own user
    file_not_found
files.delete own user
    file_not_found
files.info shown user
    ok
files.delete shown user
    cant_delete_file
files.delete shown all
    ok"
`)
  expect(channelsOf()).toEqual([direct])
})

describe('Conversations', () => {
  test('conversations.open makes the direct conversation with a user', () => {
    const openWith = (users: string, more: Form = {}, token?: TokenName) =>
      call('conversations.open', { users, ...more }, token)
    const before = sandbox.workspace.conversations.length
    expect(openWith('U0NEWCOMER0', { prevent_creation: 'true' })).toEqual({ ok: true, no_op: true })
    expect(sandbox.workspace.conversations).toHaveLength(before)
    const { channel } = openWith('U0NEWCOMER0')
    expect(complete(stage(), { channel_id: channel.id })).toMatchObject({ ok: true })
    expect(openWith('U0APPUSER00', {}, 'user').channel.id).not.toBe(direct)
  })

  test('chat.getPermalink links to a message that is there, in its thread', () => {
    complete(stage(), { channel_id: general, thread_ts: ts })
    const messageTs = sandbox.workspace.messages[0]?.ts ?? ''
    const path = `archives/${general}/p${messageTs.replace('.', '')}?thread_ts=${ts}&cid=${general}`
    const link = (channel: string) =>
      call('chat.getPermalink', { channel, message_ts: messageTs }, 'uploadOnly')
    expect(link(general).permalink).toBe(`${sandbox.baseUrl}/${path}`)
    expect(link(releases)).toEqual({ ok: false, error: 'message_not_found' })
  })
})
