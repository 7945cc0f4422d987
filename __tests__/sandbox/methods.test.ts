// What each method of the simulated service responds: as https://docs.slack.dev/reference/methods
// describes it, and by the rules for what no page describes. HTTP is tested in sandbox.test.ts,
// what official clients need in clients.test.ts, and most rules by the deliveries of unit/delivery.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce, type GivenSettings } from '../../sandbox/workspace.ts'

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

/** The ID of an upload that has its bytes. */
function stage(token?: TokenName): string {
  const { upload_url, file_id } = open(token)
  expect(send(upload_url)).toBe(200)
  return file_id
}

const filesOf = (...ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id })))

const complete = (id: string, form: Form = { channel_id: general }) =>
  call('files.completeUploadExternal', { files: filesOf(id), ...form })

/** The ID of a file that is in these channels. */
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

const missing = (needed: string, provided: string) => ({
  ok: false,
  error: 'missing_scope',
  needed,
  provided,
})
const refused = (error: string) => ({ ok: false, error })

test.each<[method: string, form: Form, token: TokenName, response: object]>([
  ['files.uploadV2', {}, 'all', refused('unknown_method')],
  ['auth.test', {}, 'revoked', refused('token_revoked')],
  ['auth.test', {}, 'appLevel', refused('not_allowed_token_type')],
  [
    'auth.test',
    {},
    'noScopes',
    { user_id: 'U0APPUSER00', bot_id: 'B0APPBOT000', is_enterprise_install: false },
  ],
  ['auth.test', {}, 'user', { team: 'Sandbox', team_id: 'T0SANDBOX0', user_id: 'U0PERSON000' }],
  ['files.upload', {}, 'noScopes', missing('files:write:user', '')],
  ['files.info', {}, 'uploadOnly', missing('files:read', 'files:write')],
  [
    'conversations.open',
    {},
    'uploadOnly',
    missing('channels:write,groups:write,mpim:write,im:write', 'files:write'),
  ],
  ['conversations.info', { channel: 'G0NOTJOINED' }, 'all', refused('channel_not_found')],
  ['conversations.info', { channel: 'C0123456789' }, 'all', refused('channel_not_found')],
  [
    'conversations.info',
    { channel: 'C0NOTJOINED' },
    'all',
    { channel: { name: 'not-joined', is_member: false } },
  ],
  [
    'conversations.info',
    { channel: 'G0PRIVATE00' },
    'all',
    { channel: { is_private: true, is_member: true } },
  ],
  [
    'conversations.info',
    { channel: direct },
    'all',
    { channel: { is_im: true, user: 'U0REVIEWER0' } },
  ],
  ['conversations.open', { users: 'U0000000000' }, 'all', refused('user_not_found')],
  [
    'chat.getPermalink',
    { channel: general, message_ts: '1.000000' },
    'uploadOnly',
    refused('message_not_found'),
  ],
  [
    'files.getUploadURLExternal',
    { filename: 'a.csv', length: '0' },
    'all',
    refused('missing_argument'),
  ],
])('%s with %j and the token %s', (method, form, token, response) => {
  expect(call(method, form, token)).toMatchObject(response)
})

describe('A completion', () => {
  test.each<[string, Form, string]>([
    ['channel_id and channels', { channel_id: general, channels: releases }, 'invalid_arguments'],
    ['101 channels', { channels: channelIds(101).join() }, 'channels_limit_exceeded'],
    ['a channel it is not in', { channel_id: 'C0NOTJOINED' }, 'not_in_channel'],
    ['a private channel it is not in', { channel_id: 'G0NOTJOINED' }, 'channel_not_found'],
    [
      'a malformed thread_ts',
      { channel_id: general, thread_ts: '1760688662' },
      'invalid_thread_ts',
    ],
    [
      'thread_ts and two channels',
      { channels: `${general},${releases}`, thread_ts: ts },
      'invalid_arguments',
    ],
    ['an unknown file', { files: filesOf('F0') }, 'file_not_found'],
    ['a markdown block', { blocks: '[{"type":"markdown","text":"a"}]' }, 'internal_error'],
    [
      'a text of 3,001',
      { blocks: section({ type: 'mrkdwn', text: 'x'.repeat(3001) }) },
      'invalid_blocks',
    ],
  ])('with %s posts nothing, and the file can be posted after it', (_, form, error) => {
    const id = stage()
    expect(complete(id, form)).toMatchObject({ ok: false, error })
    expect([channelsOf(), sandbox.workspace.files]).toEqual([[], []])
    expect(complete(id)).toMatchObject({ ok: true })
  })

  test('without channels keeps the file private; in channels takes users; shows no message', () => {
    expect(complete(stage(), {})).toMatchObject({ ok: true })
    expect(channelsOf()).toEqual([])
    const id = stage()
    expect(complete(id, { channels: `${general},U0REVIEWER0,U0NEWCOMER0` })).toMatchObject({
      files: [
        {
          id,
          title: 'a.csv',
          size: 4,
          is_public: false,
          shares: {},
          channels: [],
          groups: [],
          ims: [],
        },
      ],
    })
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

describe('files.info', () => {
  test('shows the messages', () => {
    const file = post('a', [general, releases, 'G0PRIVATE00', direct])
    const everywhere = {
      is_public: true,
      channels: [general, releases],
      groups: ['G0PRIVATE00'],
      ims: [direct],
    }
    const [share] = [
      [{ ts: expect.stringMatching(/^\d{10}\.\d{6}$/), channel_name: expect.any(String) }],
    ]
    expect(call('files.info', { file }).file).toMatchObject({
      ...everywhere,
      has_more_shares: false,
      shares: {
        public: { [general]: share, [releases]: share },
        private: { G0PRIVATE00: share, [direct]: share },
      },
    })
    expect(new Set(sandbox.workspace.messages.map((message) => message.ts)).size).toBe(4)
  })
})

test('A file is seen and deleted by its owner, and seen by who sees a conversation that it is in', () => {
  const own = post('own', [direct])
  const shown = post('shown', [general])
  for (const method of ['files.info', 'files.delete'])
    expect(call(method, { file: own }, 'user')).toMatchObject({ error: 'file_not_found' })
  expect(call('files.info', { file: shown }, 'user')).toMatchObject({ ok: true })
  expect(call('files.delete', { file: shown }, 'user')).toMatchObject({ error: 'cant_delete_file' })
  expect(call('files.delete', { file: shown })).toMatchObject({ ok: true })
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
    expect(link(releases)).toEqual(refused('message_not_found'))
  })
})
