import { describe, expect, test } from '@jest/globals'
import {
  idIn,
  isDamaged,
  isUnprocessed,
  keptOf,
  linkIn,
  omitsFiles,
  recordOf,
  serviceFile,
  sightingsIn,
  sightingsInResponse,
} from '../../../src/service/record.ts'
import { grid } from '../../support/grid.ts'
import { foundFile } from '../../support/scripted-service.ts'

const file = foundFile('a.csv', 1_000)
const [one, two, three] = ['C1', 'C2', 'C3'].map((id) => ({ id, requested: `#${id}` }))
const channels = [one, two, three].flatMap((channel) => channel ?? [])
const ts = '1760688662.900279'

describe('A file with its record', () => {
  test('has what the record says', () => {
    const record = { id: 'F2', permalink: 'https://chat.example/f' }
    expect(serviceFile({ file, id: 'F1' }, record, undefined)).toEqual({ file, ...record })
  })

  test.each([[undefined], [{ id: 'a b', permalink: 'javascript:x' }]])(
    'keeps what was known: %j',
    (record) => {
      const known = { file, id: 'F1', permalink: 'https://chat.example/f' }
      expect(serviceFile(known, record, undefined)).toEqual(known)
      expect(serviceFile({ file }, record, undefined)).toEqual({ file })
    },
  )
})

describe('A message with the file is seen', () => {
  test('in the public and private channels of its shares, by the first ts of each', () => {
    const shares = {
      public: { C2: [{}, { ts, thread_ts: '1' }, { ts: '2' }] },
      private: { C1: [{ ts: '3' }], C9: [{ ts: '4' }] },
    }
    expect(sightingsIn({ shares }, { channels })).toEqual([
      { channel: one, ts: '3', isInPlace: true },
      { channel: two, ts, isInPlace: true },
    ])
  })

  test.each([
    [undefined],
    [{ shares: { public: { C1: { ts } } } }],
    [{ shares: { public: { C1: [null] } } }],
    [{ shares: { public: { C1: [{ ts: 1 }] } } }],
    [{ shares: { other: { C1: [{ ts }] } } }],
    [{ channels: 'C1', other: ['C1'] }],
  ])('not in %j', (record) => {
    expect(sightingsIn(record, { channels })).toEqual([])
  })

  test('in a private channel whose ID began with G before it was shared', () => {
    const old = { id: 'G0PRIVATE00', requested: 'G0PRIVATE00' }
    const shares = { private: { C0PRIVATE00: [{ ts }] } }
    expect(sightingsIn({ shares }, { channels: [old] })).toEqual([
      { channel: old, ts, isInPlace: true },
    ])
    expect(sightingsIn({ channels: ['C0PRIVATE00'] }, { channels: [old] })).toMatchObject([
      { channel: old },
    ])
    expect(
      sightingsIn({ channels: ['C1'] }, { channels: [{ id: 'G1', requested: 'G1' }] }),
    ).toEqual([])
  })

  test('in the channels that the record lists, without a ts', () => {
    const record = {
      shares: { public: { C2: [{ ts }] } },
      channels: ['C2'],
      groups: ['C1'],
      ims: ['C3'],
    }
    expect(sightingsIn(record, { channels })).toMatchObject([
      { channel: one },
      { channel: two, ts },
      { channel: three },
    ])
  })

  test.each<[string, object, object | undefined]>([
    [
      'the reply in the thread',
      { shares: { public: { C1: [{ ts: '2' }, { ts, thread_ts: '1.5' }] } } },
      { ts, isInPlace: true },
    ],
    ['no reply', { shares: { public: { C1: [{ ts }] } } }, { ts, isInPlace: false }],
    [
      'a list that is cut short',
      { has_more_shares: true, shares: { public: { C1: [{ ts }] } } },
      { ts },
    ],
    [
      'the reply in such a list',
      { has_more_shares: true, shares: { public: { C1: [{ ts, thread_ts: '1.5' }] } } },
      { ts, isInPlace: true },
    ],
    ['only the channel', { channels: ['C1'] }, {}],
  ])('in a thread, as far as the record says: %s', (_what, record, share) => {
    expect(sightingsIn({ ...record }, { channels, threadTs: '1.5' })).toEqual([
      { channel: one, ...share },
    ])
  })
})

describe('The response to a message', () => {
  const files = ['F1', 'F2'].map((id) => ({ file, id }))
  const message = { channels: channels.slice(0, 2), files }

  test('shows it where its first file has a ts, and a comment alone in every channel', () => {
    const shares = { public: { C2: [{ ts }] } }
    const first = { id: 'F1', channels: ['C1'], shares }
    const json = { files: [{ id: 'F2', channels: ['C3'] }, first] }
    expect(sightingsInResponse(message, json)).toEqual([{ channel: two, ts, isInPlace: true }])
    const shown = (response: object) =>
      sightingsInResponse({ ...message, files: [] }, { ...response })
    expect(shown({ ts })).toEqual(message.channels.map((channel) => ({ channel, ts })))
    expect(shown({})).toEqual([])
  })

  test('omits files if its list lacks one', () => {
    const [a, b] = [{ id: 'F1' }, { id: 'F2' }]
    const lists = [undefined, [], [a], [b, a], [null, a, b]]
    expect(lists.map((list) => omitsFiles(message, { files: list }))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })
})

describe('The record of a file', () => {
  test('is the last with its ID, or the first if it has none', () => {
    const records = [{ id: 'F2' }, { id: 'F1' }, { id: 'F1', size: 5 }, { id: 'F3' }]
    expect(recordOf({ file, id: 'F1' }, records)).toBe(records[2])
    expect(recordOf({ file }, records)).toBe(records[0])
  })

  test('says whether it is processed, or damaged', () => {
    const types = [['', ''], ['', 'csv'], ['text/csv', ''], []]
    const unprocessed = types.map(([mimetype, filetype]) => isUnprocessed({ mimetype, filetype }))
    expect([...unprocessed, isUnprocessed(undefined)]).toEqual([true, false, false, false, false])
    const damaged = [1, 0].map((size) => isDamaged({ file: foundFile('a', size) }, { size: 0 }))
    expect([...damaged, isDamaged({ file }, { size: 1 })]).toEqual([true, false, false])
  })

  test('is kept without what can be large', () => {
    const record = { id: 'F1', size: 5, has_more_shares: true }
    expect(keptOf({ ...record, mimetype: ['x'], content: 'x' })).toEqual(record)
  })
})

describe('A member of a response', () => {
  test('is an ID, or is none', async () => {
    const ids = `
F0
1760688662.900279
a:b+c=d_e-f
a b
a,b
⏎a
a⏎
<a
a>
\u00e4
`
    expect(await grid(ids, (id) => idIn({ id }, 'id'))).toMatchInlineSnapshot(`
"F0
1760688662.900279
a:b+c=d_e-f
a b
    nothing
a,b
    nothing
⏎a
    nothing
a⏎
    nothing
<a
    nothing
a>
    nothing
ä
    nothing"
`)
    for (const id of ['', 'x'.repeat(256), 42, null, ['a']])
      expect(idIn({ id }, 'id')).toBeUndefined()
    expect(idIn({ id: 'x'.repeat(255) }, 'id')).toHaveLength(255)
  })

  test('is a link, or is none', async () => {
    const links = `
https://a.example/b?c
http://localhost:80/a
http://a.example/
https://user@a.example/
https://:secret@a.example/
javascript:alert(1)
/a
http://chat:8065/f/1
http://chat/f/1
http://user@chat:8065/f/1
`
    // Origin of `base-url`.
    const origin = 'http://chat:8065'
    expect(await grid(links, (link) => linkIn({ link }, 'link', origin))).toMatchInlineSnapshot(`
"https://a.example/b?c
http://localhost:80/a
    http://localhost/a
http://a.example/
    nothing
https://user@a.example/
    nothing
https://:secret@a.example/
    nothing
javascript:alert(1)
    nothing
/a
    nothing
http://chat:8065/f/1
http://chat/f/1
    nothing
http://user@chat:8065/f/1
    nothing"
`)
    expect(linkIn({}, 'link', origin)).toBeUndefined()
    const long = 'https://a.example/'.padEnd(2_000, 'x')
    expect(linkIn({ long }, 'long', origin)).toBe(long)
    expect(linkIn({ long: `${long}x` }, 'long', origin)).toBeUndefined()
  })
})
