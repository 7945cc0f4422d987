import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import type { Conversation } from '../../sandbox/workspace.ts'
import { ApiClient } from '../support/api-client.ts'

let sandbox: Sandbox
let api: ApiClient

beforeEach(async () => {
  sandbox = await startSandbox()
  api = new ApiClient(sandbox)
})

afterEach(() => sandbox.stop())

const complete = (id: string, form: Record<string, string>) =>
  api.call('files.completeUploadExternal', { files: JSON.stringify([{ id }]), ...form })

describe('Where the behavior of the service is unknown, a rule selects it', () => {
  test('files.info finds no upload that is not completed', async () => {
    const file = await api.stage()
    expect(await api.call('files.info', { file })).toEqual({ ok: false, error: 'file_not_found' })
  })

  test('files.info says that an upload that is not completed was deleted', async () => {
    sandbox.workspace.set({ recordBeforeCompletion: 'file_deleted' })
    const file = await api.stage()
    expect(await api.call('files.info', { file })).toEqual({ ok: false, error: 'file_deleted' })
    expect(await api.call('files.info', { file: 'F0' })).toEqual({ ok: false, error: 'file_not_found' })
    await complete(file, { channel_id: sandbox.channels.general })
    expect(await api.call('files.info', { file })).toMatchObject({ file: { channels: [sandbox.channels.general] } })
  })

  test('files.info shows an upload from its bytes on', async () => {
    sandbox.workspace.set({ recordBeforeCompletion: 'shown' })
    const { file_id } = await api.call('files.getUploadURLExternal', { filename: 'a.csv', length: '1' })
    expect(await api.call('files.info', { file: file_id })).toMatchObject({ error: 'file_not_found' })
    const file = await api.stage()
    expect(await api.call('files.info', { file })).toMatchObject({
      file: { id: file, name: 'report.csv', size: 10, channels: [], shares: {} },
    })
    expect(await api.call('files.info', { file }, sandbox.tokens.user)).toMatchObject({ error: 'file_not_found' })
    await complete(file, { channel_id: sandbox.channels.general })
    expect(await api.call('files.info', { file })).toMatchObject({ file: { channels: [sandbox.channels.general] } })
  })

  const blocks = JSON.stringify([{ type: 'divider' }])
  test.each([
    ['supported', { ok: true }, [{ blocks: [{ type: 'divider' }] }, { blocks: [{ type: 'divider' }] }]],
    ['ignored', { ok: true }, []],
    ['refused', { ok: false, error: 'invalid_arguments' }, []],
  ] as const)('a completion with channels, where they are %s', async (channels, response, messages) => {
    sandbox.workspace.set({ completionArguments: { channels, blocks: 'supported' } })
    const { general, releases } = sandbox.channels
    const form = { channels: `${general},${releases}`, blocks }
    expect(await complete(await api.stage(), form)).toMatchObject(response)
    expect(sandbox.workspace.messages).toMatchObject(messages)
  })

  test.each([
    ['supported', [{ blocks: [{ type: 'divider' }] }]],
    ['ignored', [{ blocks: undefined }]],
    ['refused', []],
  ] as const)('a completion with blocks, where they are %s', async (support, messages) => {
    sandbox.workspace.set({ completionArguments: { channels: 'refused', blocks: support } })
    const form = { channel_id: sandbox.channels.general, blocks }
    expect(await complete(await api.stage(), form)).toMatchObject({ ok: messages.length > 0 })
    expect(sandbox.workspace.messages).toMatchObject(messages)
  })

  test.each([
    ['accepted', { ok: true }, 1],
    ['refused', { ok: false, error: 'invalid_arguments' }, 0],
  ] as const)('user IDs in the channels of a completion are %s', async (userIdsInChannels, response, messages) => {
    sandbox.workspace.set({ userIdsInChannels })
    expect(await complete(await api.stage(), { channels: sandbox.users.newcomer })).toMatchObject(response)
    expect(sandbox.workspace.messages).toHaveLength(messages)
    // `channel_id` refuses them in any case.
    expect(await complete(await api.stage(), { channel_id: sandbox.users.newcomer })).toMatchObject({
      error: 'invalid_arguments',
    })
  })

  test('shares in a record are complete, or cut off', async () => {
    const { general, direct, releases } = sandbox.channels
    const file = await api.post('a.csv', [general, releases, direct])
    const info = () => api.call('files.info', { file })
    const everywhere = { channels: [general, releases], ims: [direct] }
    expect(await info()).toMatchObject({
      file: { ...everywhere, has_more_shares: false, shares: { private: { [direct]: [{}] } } },
    })
    sandbox.workspace.set({ maxShares: 1 })
    const { file: cut } = await info()
    expect(cut).toMatchObject({ ...everywhere, has_more_shares: true })
    expect(Object.keys(cut.shares)).toEqual(['public'])
    expect(Object.keys(cut.shares.public)).toEqual([general])
  })

  test.each(['alt_txt', 'alt_text'])('%s is alternative text', async (name) => {
    const channelId = sandbox.channels.general
    await complete(await api.stage('a.png', { [name]: 'A chart' }), { channel_id: channelId })
    expect(sandbox.workspace.messages).toEqual([])
    sandbox.workspace.set({ alternativeText: 'shared' })
    const file = await api.stage('a.png', { [name]: 'A chart' })
    await complete(file, { channel_id: channelId })
    expect(await api.call('files.info', { file })).toMatchObject({ file: { alt_txt: 'A chart' } })
    expect(sandbox.workspace.messages).toHaveLength(1)
  })
})

test.each([
  [{ alt_txt: 'x'.repeat(1001) }, 'alt_txt_too_large'],
  [{ snippet_type: 'not a type' }, 'unknown_snippet_type'],
  [{ snippet_type: 'csv', length: String(2 ** 20 + 1) }, 'snippet_too_large'],
])('no upload URL for %p', async (more, error) => {
  const form: Record<string, string> = { filename: 'a.csv', length: '1', ...more }
  expect(await api.call('files.getUploadURLExternal', form)).toEqual({ ok: false, error })
})

describe('Conversations', () => {
  test.each<[Conversation['shared'], object]>([
    [undefined, { is_shared: false, is_ext_shared: false, is_pending_ext_shared: false, is_org_shared: false }],
    ['external', { is_shared: true, is_ext_shared: true, is_pending_ext_shared: false, is_org_shared: false }],
    ['external pending', { is_shared: false, is_ext_shared: false, is_pending_ext_shared: true }],
    ['organization', { is_shared: true, is_ext_shared: false, is_pending_ext_shared: false, is_org_shared: true }],
  ])('conversations.info shows with whom a channel is shared: %s', async (shared, expected) => {
    const members = [sandbox.users.app]
    const channel = { id: 'C0SHARED000', name: 'shared', kind: 'public', members, ...(shared && { shared }) } as const
    sandbox.workspace.addConversation(channel)
    expect(await api.call('conversations.info', { channel: channel.id })).toMatchObject({ channel: expected })
  })

  test('conversations.list shows what the user sees, by type', async () => {
    const { channels } = sandbox
    const ids = async (form: Record<string, string>) => {
      const { channels: listed } = await api.call('conversations.list', form)
      return listed.map(({ id }: { readonly id: string }) => id)
    }
    expect(await ids({})).toContain(channels.archived)
    expect(await ids({ exclude_archived: 'true' })).not.toContain(channels.archived)
    expect(await ids({ types: 'private_channel, im' })).toEqual([channels.private, channels.direct])
  })

  test.each([
    [{ types: 'channels' }, 'invalid_types'],
    [{ types: 'mpim' }, 'missing_scope'],
    [{ limit: '0' }, 'invalid_limit'],
    [{ limit: '1000' }, 'invalid_limit'],
    [{ cursor: 'page 2' }, 'invalid_cursor'],
  ])('conversations.list refuses %p', async (form, error) => {
    expect(await api.call('conversations.list', form as Record<string, string>)).toMatchObject({ ok: false, error })
  })
})

test('auth.test names the team, the user, and the bot if the token is a bot', async () => {
  const { tokens, users } = sandbox
  expect(await api.call('auth.test')).toMatchObject({
    team: 'Sandbox',
    team_id: expect.stringMatching(/^T/),
    user_id: users.app,
    bot_id: expect.stringMatching(/^B/),
  })
  const person = await api.call('auth.test', {}, tokens.user)
  expect(person).toMatchObject({ user_id: users.person })
  expect(person).not.toHaveProperty('bot_id')
})
