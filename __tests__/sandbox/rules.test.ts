// No delivery notices a rule that does nothing, because promises hold anyway. So each must change a
// response, or what people see.
import { beforeAll, expect, test } from '@jest/globals'
import { startSandbox } from '../../sandbox/sandbox.ts'
import type { GivenSettings } from '../../sandbox/settings.ts'
import { ApiClient } from '../support/api-client.ts'

type NoRules = 'now' | 'read' | 'url' | 'uploadUrl' | 'tokens' | 'users' | 'conversations'

/** Another value for each rule. */
const others: Required<Omit<GivenSettings, NoRules>> = {
  strictIds: false,
  offers: { 'files.info': 'absent' },
  processing: { processed: 5_000 },
  sharing: 5_000,
  maxContent: 5,
  completionArguments: { channels: 'ignored', blocks: 'supported' },
  recordBeforeCompletion: 'shown',
  secondCompletion: 'ok',
  completionWithoutBytes: 'empty file',
  wrongChannel: 'fails alone',
  groupShares: 'listed',
  rateLimited: 'carried out',
  jpegSize: 'as sent',
  textSize: 'changed',
  completionShares: 'shown',
  emptyLists: '{}',
  scopeNames: 'classic',
  formerIds: 'found',
  maxShares: 1,
  ticketMilliseconds: 5,
  uploadMilliseconds: 0,
  callsPerMinute: new Map(),
}

/** Responses to clients, and what people see, after the same calls. */
async function storyOf(settings: GivenSettings = {}): Promise<string> {
  let now = 1_800_000_000_000
  const callsPerMinute = new Map([['chat.postMessage', 1]])
  await using sandbox = await startSandbox({
    now: () => now,
    sharing: 0,
    callsPerMinute,
    ...settings,
  })
  const { baseUrl, channels, tokens, workspace } = sandbox
  const { general, group, notJoined, shared } = channels
  const api = new ApiClient(sandbox)
  const told: unknown[] = []
  const call = async (method: string, form: Record<string, string>) =>
    told.push(await api.call(method, form).catch(() => 'no JSON'))
  const complete = (id: string, ...channels: readonly string[]) =>
    call('files.completeUploadExternal', {
      files: JSON.stringify([{ id }]),
      channels: channels.join(),
    })
  const headers = { authorization: `Bearer ${tokens.files}` }
  const { headers: answered } = await fetch(`${baseUrl}/api/auth.test`, { method: 'POST', headers })
  told.push(answered.get('x-oauth-scopes'))
  for (const text of ['one', 'two']) await call('chat.postMessage', { channel: general, text })
  for (const name of ['photo.jpg', 'a text.txt']) {
    const file = await api.stage(name)
    await call('files.info', { file })
    await complete(file, general, notJoined)
    await complete(file, shared.replace('C', 'G'))
    await complete(file, 'a name')
    for (let times = 0; times < 2; times += 1) await complete(file, general, group)
    for (let times = 0; times < 2; times += 1) {
      now += 3_000
      await call('files.info', { file })
    }
  }
  const form = { filename: 'late.csv', length: '4' }
  const { file_id, upload_url } = await api.call('files.getUploadURLExternal', form)
  await complete(file_id, general)
  now += 1_000
  told.push((await fetch(upload_url, { method: 'POST', body: 'late' })).status)
  const seen = workspace.messages.map(({ channel, files, text }) => [channel, text, files.length])
  return JSON.stringify([told, seen], null, 1)
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\bF0[0-9A-Z]{9}\b/g, 'FILE')
}

test('Without another rule, the story is the same', async () => {
  expect(await storyOf()).toBe(await storyOf())
})

let usual = ''
beforeAll(async () => {
  usual = await storyOf()
})

test.each(Object.entries(others))('The rule %s does something', async (rule, value) => {
  expect(await storyOf({ [rule]: value })).not.toBe(usual)
})
