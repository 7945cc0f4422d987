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

  const section = { type: 'section', text: { type: 'mrkdwn', text: 'Reports' } }
  const blocks = JSON.stringify([section])
  test.each([
    ['supported', { ok: true }, [{ blocks: [section] }, { blocks: [section] }]],
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
    ['supported', [{ blocks: [section] }]],
    ['ignored', [{ blocks: undefined }]],
    ['refused', []],
  ] as const)('a completion with blocks, where they are %s', async (support, messages) => {
    sandbox.workspace.set({ completionArguments: { channels: 'refused', blocks: support } })
    const form = { channel_id: sandbox.channels.general, blocks }
    expect(await complete(await api.stage(), form)).toMatchObject({ ok: messages.length > 0 })
    expect(sandbox.workspace.messages).toMatchObject(messages)
  })

  test('user IDs are accepted in the channels of a completion, not in its channel_id', async () => {
    expect(await complete(await api.stage(), { channels: sandbox.users.newcomer })).toMatchObject({ ok: true })
    expect(sandbox.workspace.messages).toHaveLength(1)
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
})

describe('Conversations', () => {
  test.each<[Conversation['shared'], object]>([
    [undefined, { is_shared: false, is_ext_shared: false, is_pending_ext_shared: false }],
    ['external', { is_shared: true, is_ext_shared: true, is_pending_ext_shared: false }],
    ['external pending', { is_shared: false, is_ext_shared: false, is_pending_ext_shared: true }],
    ['organization', { is_shared: true, is_ext_shared: false, is_pending_ext_shared: false }],
  ])('conversations.info shows with whom a channel is shared: %s', async (shared, expected) => {
    const members = [sandbox.users.app]
    const channel = { id: 'C0SHARED000', name: 'shared', kind: 'public', members, ...(shared && { shared }) } as const
    sandbox.workspace.addConversation(channel)
    expect(await api.call('conversations.info', { channel: channel.id })).toMatchObject({ channel: expected })
  })

  test.each([
    [{ types: 'channels' }, 'invalid_types'],
    [{ limit: '0' }, 'invalid_limit'],
    [{ limit: '1000' }, 'invalid_limit'],
    [{ cursor: 'page 2' }, 'invalid_cursor'],
  ])('users.conversations refuses %p', async (form, error) => {
    expect(await api.call('users.conversations', form as Record<string, string>)).toMatchObject({ ok: false, error })
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
