import { describe, expect, test } from '@jest/globals'
import { findEarlierUploads } from '../../../../src/service/slack/earlier-uploads.ts'
import { quoted } from '../../../../src/text/text.ts'
import { foundFile, host, type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const keys = ['0123456789', 'abcdef0123']
const files = keys.map((key, index) => ({ ...foundFile(`${index}.csv`), key }))
const channels = ['C1', 'C2'].map((id) => ({ id, requested: `#${id}` }))
const ts = '1760688662.900279'
const me = { ok: true, user_id: 'U1' }
const listed = (id: string, key = keys[0], user = 'U1') => ({ id, user, title: `0.csv · ${key}` })
const list = (...records: unknown[]) => ({ ok: true, files: records, paging: { pages: 1 } })
const listing = [list(listed('F1'))]
const inChannels = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, [{ ts }]]))
const record = (id: string, ids: readonly string[], more = {}) => ({
  ok: true,
  file: { id, shares: { public: inChannels(...ids) }, ...more },
})

async function find(script: Readonly<Record<string, readonly Reply[]>>, more: { readonly threadTs?: string } = {}) {
  const service = scriptedService({ 'auth.test': [me], ...script })
  const { api, clock, deadline, play, requests } = service
  const events: string[] = []
  const { incomplete, messages } = await play(
    findEarlierUploads({ api, deadline, onEvent: ({ kind }) => events.push(kind) }, files, { channels, ...more }),
  )
  return {
    events,
    messages,
    found: messages.map(({ files: [file], postings }) =>
      [file?.id, ...postings.map(({ channel }) => channel.id)].join(' '),
    ),
    incomplete: incomplete && quoted(incomplete),
    of: (method: string) => requests.filter((request) => request.method === method),
    milliseconds: clock.now(),
  }
}

describe('An upload of an earlier attempt', () => {
  test('is found by its key in the list of our own files, and reported where it is visible', async () => {
    const { incomplete, messages, of } = await find({
      'files.list': listing,
      'files.info': [record('F1', ['C1', 'C2'], { size: 5 })],
    })
    const postings = channels.map((channel) => ({ channel, state: 'posted', earlier: true, ts }))
    expect(messages).toEqual([{ files: [{ file: files[0], id: 'F1', size: 5 }], postings }])
    expect(incomplete).toBeUndefined()
    const [{ form } = { form: {} as Record<string, string> }] = of('files.list')
    expect(form).toMatchObject({ user: 'U1', count: '100', page: '1' })
    const days = (Date.now() / 1_000 - Number(form['ts_from'])) / 86_400
    expect([Math.round(days), of('files.info').length]).toEqual([35, 1])
  })

  test.each([
    ['of someone else', listed('F1', keys[0], 'U2')],
    ['with another key', listed('F1', '9999999999')],
    ['with its key not at the end', listed('F1', `${keys[0]}.csv`)],
    ['with a longer key', listed('F1', `${keys[0]}0`)],
    ['without a key', { id: 'F1', user: 'U1', title: '0.csv' }],
    ['without a title', { id: 'F1', user: 'U1' }],
    ['without an ID', { ...listed('F1'), id: '' }],
    ['that is none', 'F1'],
  ])('is not a file %s', async (_what, one) => {
    expect(await find({ 'files.list': [list(one)] })).toMatchObject({ messages: [], incomplete: undefined })
  })

  test('is waited for until it is visible in every channel, which is reported', async () => {
    const lookups = [record('F1', []), record('F1', ['C1']), record('F1', ['C1', 'C2'])]
    const { events, found, milliseconds, of } = await find({ 'files.list': listing, 'files.info': lookups })
    expect([found, of('files.info').length, milliseconds]).toEqual([['F1 C1 C2'], 3, 6_000])
    expect(events).toEqual(['lookups'])
  })

  test('counts where it was seen, whatever comes later', async () => {
    for (const later of [record('F1', []), { ok: false, error: 'file_not_found' }, response(500)]) {
      const lookups = [record('F1', ['C1']), later]
      const { found, incomplete } = await find({ 'files.list': listing, 'files.info': lookups })
      const outage = 'status' in later ? '`files.info`: `http_500`' : undefined
      expect([found, incomplete]).toEqual([['F1 C1'], outage])
    }
  })

  test('is where the list shows it if lookups have no answer', async () => {
    const lists = [list({ ...listed('F1'), size: 5, channels: ['C1'] })]
    const lookup = async (reply: Reply) => find({ 'files.list': lists, 'files.info': [reply] })
    const tooLong = { ...response(200), text: undefined, isTooLong: true }
    expect((await lookup(tooLong)).messages[0]).toMatchObject({
      files: [{ id: 'F1', size: 5 }],
      postings: [{ channel: channels[0] }],
    })
    expect((await lookup(response(500))).found).toEqual(['F1 C1'])
    expect((await lookup({ ok: false, error: 'file_not_found' })).found).toEqual([])
  })

  test('is reported with the ts that a later lookup shows', async () => {
    const lookups = [record('F1', [], { channels: ['C1'] }), record('F1', ['C1'])]
    const { messages } = await find({ 'files.list': listing, 'files.info': lookups })
    expect(messages[0]?.postings).toMatchObject([{ channel: { id: 'C1' }, ts }])
  })

  test('counts once for each channel, in the order of the files', async () => {
    const { events, found } = await find({
      'files.list': [list(listed('F2', keys[1]), listed('F1'), listed('F3'))],
      'files.info': [record('F1', ['C2']), record('F3', ['C1', 'C2']), record('F2', ['C1', 'C2'])],
    })
    expect([found, events]).toEqual([['F1 C2', 'F3 C1', 'F2 C1 C2'], []])
  })

  test('does not count if it is empty; another size is that of a photo without its metadata', async () => {
    const found = async (size: number) =>
      (await find({ 'files.list': listing, 'files.info': [record('F1', ['C1', 'C2'], { size })] })).found
    expect([await found(0), await found(1)]).toEqual([[], ['F1 C1 C2']])
  })

  test('counts in a thread only if it is a reply there', async () => {
    const reply = (of: string, messageTs = ts) => ({ ts: messageTs, thread_ts: of })
    const shares = { public: { C1: [reply('1.5'), reply('1.5', '9')], C2: [reply('2.5')] } }
    const script = { 'files.list': listing, 'files.info': [{ ok: true, file: { id: 'F1', shares } }] }
    const { found, messages } = await find(script, { threadTs: '1.5' })
    expect(found).toEqual(['F1 C1'])
    expect(messages[0]?.postings[0]?.ts).toBe(ts)
  })

  test('is looked for on every page', async () => {
    const page = (pages: number | undefined, ...records: unknown[]) => ({ ok: true, files: records, paging: { pages } })
    const info = { 'files.info': [record('F1', ['C1', 'C2'])] }
    const two = await find({ 'files.list': [page(2), page(2, listed('F1'))], ...info })
    expect([two.found, two.of('files.list').map(({ form }) => form['page'])]).toEqual([['F1 C1 C2'], ['1', '2']])
    const unknown = await find({ 'files.list': [page(undefined, listed('F1')), page(undefined)], ...info })
    expect([unknown.found, unknown.of('files.list').length]).toEqual([['F1 C1 C2'], 2])
    const full = Array.from({ length: 100 }, () => listed('F9', '9999999999'))
    const cut = await find({ 'files.list': [page(1, ...full), page(1, listed('F1'))], ...info })
    expect([cut.found, cut.incomplete]).toEqual([['F1 C1 C2'], undefined])
    const many = await find({ 'files.list': [page(51)] })
    expect([many.incomplete, many.of('files.list').length]).toEqual([
      'there are more than 5,000 files to look through, or their number changed each time',
      50,
    ])
  })
})

describe('A list whose total changes between two pages', () => {
  const page = (total: number, ...records: unknown[]) => ({ ok: true, files: records, paging: { pages: 2, total } })

  test('is looked through again', async () => {
    const lists = [page(3), page(2), page(2, listed('F1')), page(2)]
    const { found, incomplete, of } = await find({ 'files.list': lists, 'files.info': [record('F1', ['C1', 'C2'])] })
    expect([found, incomplete]).toEqual([['F1 C1 C2'], undefined])
    expect(of('files.list').map(({ form }) => form['page'])).toEqual(['1', '2', '1', '2'])
  })

  test('and is incomplete if it changes every time', async () => {
    const lists = Array.from({ length: 50 }, (_, total) => page(total))
    expect((await find({ 'files.list': lists })).incomplete).toContain('their number changed each time')
  })
})

describe('The lookup is incomplete, and says why', () => {
  const lacksScope = 'the token lacks `files:read`. Add this scope to the app, reinstall the app, and use the new token'

  test.each<[Record<string, Reply[]>, string]>([
    [{ 'auth.test': [{ ok: false, error: 'tea_time' }] }, `\`${host}\` responded \`tea_time\` to \`auth.test\``],
    [{ 'auth.test': [{ ok: true }] }, '`auth.test` responded without a `user_id`'],
    [{ 'auth.test': [response(200, me, { 'x-oauth-scopes': 'files:write' })] }, lacksScope],
    [{ 'files.list': [{ ok: false, error: 'missing_scope' }] }, lacksScope],
    [{ 'files.list': [{ ok: false, error: 'tea_time' }] }, `\`${host}\` responded \`tea_time\` to \`files.list\``],
    [{ 'files.list': [{ ok: true }] }, '`files.list` responded without a list'],
    [{ 'files.list': listing, 'files.info': [{ ok: false, error: 'tea_time' }] }, '`files.info`: `tea_time`'],
  ])('%#', async (script, incomplete) => {
    expect(await find(script)).toMatchObject({ messages: [], incomplete })
  })

  test('not if the file is gone', async () => {
    const script = { 'files.list': listing, 'files.info': [{ ok: false, error: 'file_not_found' }] }
    expect(await find(script)).toMatchObject({ messages: [], incomplete: undefined })
  })

  test('if lookups have no answer after they showed the file, unless another upload of it is in every channel', async () => {
    const notVisible = { 'files.list': listing, 'files.info': [record('F1', []), record('F1', []), response(500)] }
    expect(await find(notVisible)).toMatchObject({ messages: [], incomplete: '`files.info`: `http_500`' })
    const both = await find({
      'files.list': [list(listed('F1'), listed('F3'))],
      'files.info': [record('F1', []), record('F3', []), response(500), record('F3', ['C1', 'C2']), response(500)],
    })
    expect(both).toMatchObject({ found: ['F3 C1 C2'], incomplete: undefined })
  })

  test('if a call would have to wait for longer than the run may last', async () => {
    const limit = (seconds: number) => [response(429, '', { 'retry-after': `${seconds}` }), list()]
    expect((await find({ 'files.list': limit(599) })).incomplete).toBeUndefined()
    expect((await find({ 'files.list': limit(600) })).incomplete).toContain('429')
  })
})
