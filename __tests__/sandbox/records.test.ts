// Files and messages as in recordings of the real service, and rules for what no recording shows.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import type { GivenSettings } from '../../sandbox/settings.ts'
import { ApiClient } from '../support/api-client.ts'

let sandbox: Sandbox
let api: ApiClient
let now: number

async function start(settings: GivenSettings = {}): Promise<void> {
  await sandbox?.stop()
  now = 1_800_000_000_000
  sandbox = await startSandbox({ now: () => now, ...settings })
  api = new ApiClient(sandbox)
}

beforeEach(() => start())
afterEach(() => sandbox.stop())

/** Returns the ID of a file in these channels. */
async function post(name: string, content: string, channels?: readonly string[]): Promise<string> {
  const id = await api.stage(name, content)
  await complete(id, channels)
  return id
}

const complete = (id: string, channels: readonly string[] = [sandbox.channels.general]) =>
  api.call('files.completeUploadExternal', {
    files: JSON.stringify([{ id }]),
    channels: channels.join(),
  })

const info = (file: string) => api.call('files.info', { file })

describe('A file of the external upload', () => {
  test('is unknown at first, then has no type, then all but its message, and then that', async () => {
    const file = await post('photo.jpg', 'not really a photo')
    const names =
      'mode file_access media_display_type mimetype filetype pretty_type size image_exif_rotation original_w is_public shares'
    const shown = await Array.fromAsync([0, 300, 900, 300], async (milliseconds) => {
      now += milliseconds
      const { error, file: record } = await info(file)
      const values = names.split(' ').map((name) => record?.[name])
      return JSON.stringify([sandbox.workspace.messages.length, error ?? values])
    })
    const { ts = '' } = sandbox.workspace.messages[0] ?? {}
    expect(shown.join('\n').replace(ts, 'TS')).toMatchInlineSnapshot(`
"[0,"file_not_found"]
[0,["hosted","visible","unknown","","","",18,null,null,false,{}]]
[0,["hosted","visible","unknown","image/jpeg","jpg","JPEG",615,1,800,false,{}]]
[1,["hosted","visible","unknown","image/jpeg","jpg","JPEG",615,1,800,true,{"public":{"C0GENERAL00":[{"reply_users":[],"reply_users_count":0,"reply_count":0,"ts":"TS","channel_name":"general","team_id":"T0SANDBOX0","share_user_id":"U0APPUSER00","source":"UNKNOWN","is_silent_share":false}]}}]]"
`)
  })

  test('is a snippet with its content twice if it is a text, and only its name if it is neither text nor image', async () => {
    const content = `[${'{"name": "main", "lines": 91},\n'.repeat(3_000)}`
    const [text, archive] = [await post('report.json', content), await post('report.zip', content)]
    now += 2_000
    const headers = { authorization: `Bearer ${sandbox.tokens.all}` }
    const raw = await (
      await fetch(`${sandbox.baseUrl}/api/files.info?file=${text}`, { headers })
    ).text()
    const { file, content: shown, content_highlight_html: markup, is_truncated } = JSON.parse(raw)
    expect(file).toMatchObject({
      mode: 'snippet',
      editable: true,
      size: content.length,
      lines: 3_001,
      lines_more: 2_996,
    })
    expect([file.preview.split('\n').length, shown === content, is_truncated]).toEqual([
      5,
      true,
      false,
    ])
    expect(markup).toContain('<span class="cm-word">')
    expect(raw).not.toContain('<')
    expect(raw.length / content.length).toBeGreaterThan(7)
    const { file: record, ...others } = await info(archive)
    expect(record).toMatchObject({ mode: 'hosted', filetype: 'zip', size: content.length })
    expect([Object.keys(others), 'preview' in record]).toEqual([
      ['ok', 'comments', 'response_metadata'],
      false,
    ])
    sandbox.workspace.set({ maxContent: 100 })
    expect(await info(text)).toMatchObject({ content: content.slice(0, 100), is_truncated: true })
  })
})

describe('If a setting says so', () => {
  test('a second completion fails, is ok again, or posts again', async () => {
    const posts = async (settings: GivenSettings) => {
      await start({ sharing: 0, ...settings })
      const { error, ok } = await complete(await post('a.csv', 'a;b'))
      return [error ?? ok, sandbox.workspace.messages.length]
    }
    expect(await posts({})).toEqual(['file_not_found', 1])
    expect(await posts({ secondCompletion: 'ok' })).toEqual([true, 1])
    expect(await posts({ secondCompletion: 'shares again' })).toEqual([true, 2])
  })

  test('a group conversation is in the record with a ts, without, or late', async () => {
    const { group } = sandbox.channels
    const file = await post('a.csv', 'a;b', [group])
    now += 2_000
    const shownBy = async (groupShares: 'with ts' | 'listed' | 'late') => {
      sandbox.workspace.set({ groupShares })
      const { groups, shares } = (await info(file)).file
      return [groups.length, Object.keys(shares)]
    }
    expect([await shownBy('with ts'), await shownBy('listed')]).toEqual([
      [1, ['private']],
      [1, []],
    ])
    expect(await shownBy('late')).toEqual([0, []])
    now += 40_000
    expect(await shownBy('late')).toEqual([1, ['private']])
  })

  test('a channel is found by the ID that it had before it was shared, or not, and records have the new one', async () => {
    await start({ sharing: 0, processing: 0 })
    const { shared } = sandbox.channels
    const former = shared.replace('C', 'G')
    const file = await api.stage('a.csv')
    expect(await complete(file, [former])).toMatchObject({ error: 'channel_not_found' })
    sandbox.workspace.set({ formerIds: 'found' })
    expect(await complete(file, [former])).toMatchObject({ ok: true })
    expect(await info(file)).toMatchObject({ file: { channels: [shared] } })
  })

  test('a call may be carried out although it is answered with 429, by a limit or by a fault', async () => {
    await start({
      sharing: 0,
      rateLimited: 'carried out',
      callsPerMinute: new Map([['chat.postMessage', 0]]),
    })
    sandbox.faults.add({
      on: 'files.completeUploadExternal',
      fault: { kind: 'response', status: 429 },
    })
    await expect(post('a.csv', 'a;b')).rejects.toThrow('JSON')
    const text = { channel: sandbox.channels.general, text: 'Done' }
    expect(await api.call('chat.postMessage', text)).toEqual({ ok: false, error: 'ratelimited' })
    expect(sandbox.workspace.messages.map(({ text }) => text).sort()).toStrictEqual([
      'Done',
      undefined,
    ])
  })
})

test('A fault that cannot be played is an error when it is added', () => {
  const respond = (fault: object) => () =>
    sandbox.faults.add({ on: '*', fault: { kind: 'response', status: 200, ...fault } })
  expect(respond({ body: 'hello' })).toThrow(
    'A fault cannot have "body": "hello". Write "none", {"text": "…"}, {"html": "…"}, {"json": {…}}',
  )
  expect(respond({ status: 42 })).toThrow(
    'A fault cannot have "status": 42. Write a number from 200 to 599',
  )
  const misspelled = { kind: 'error', error: 'not_in_channel' } as object as Fault
  expect(() => sandbox.faults.add({ on: '*', fault: misspelled })).toThrow(
    'A fault of the kind error needs "code".',
  )
})
