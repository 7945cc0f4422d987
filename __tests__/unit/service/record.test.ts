import { describe, expect, test } from '@jest/globals'
import type { Json } from '../../../src/json.ts'
import {
  idIn,
  isDamaged,
  isUnprocessed,
  keptOf,
  linkIn,
  omitsFiles,
  recordOf,
  recordsIn,
  type Sighting,
  serviceFile,
  sightingsIn,
  sightingsInResponse,
} from '../../../src/service/record.ts'
import { grid } from '../../support/grid.ts'
import { foundFile } from '../../support/scripted-service.ts'

const file = foundFile('a.csv', 1_000)
const channels = ['C1', 'C2', 'C3', 'G0PRIVATE00', 'G1'].map((id) => ({ id, requested: `#${id}` }))

const shown = (sightings: readonly Sighting[]) =>
  sightings.map(({ channel: { id }, ...seen }) => ({ id, ...seen }))

test('A message with the file is seen where its record says, in a thread as far as it says', async () => {
  const records = `
{"shares":{"public":{"C2":[{},{"ts":"2","thread_ts":"1"},{"ts":"3"}]},"private":{"C1":[{"ts":"4"}],"C9":[{"ts":"5"}]}}}
{}
{"shares":{"public":{"C1":{"ts":"2"}}}}
{"shares":{"public":{"C1":[null]}}}
{"shares":{"public":{"C1":[{"ts":1}]}}}
{"shares":{"other":{"C1":[{"ts":"2"}]}}}
{"channels":"C1","other":["C1"]}
{"shares":{"private":{"C0PRIVATE00":[{"ts":"2"}]}}}
{"channels":["C0PRIVATE00"]}
{"shares":{"public":{"C2":[{"ts":"2"}]}},"channels":["C2"],"groups":["C1"],"ims":["C3"]}
{"shares":{"public":{"C1":[{"ts":"2"},{"ts":"3","thread_ts":"1.5"}]}}} in a thread
{"shares":{"public":{"C1":[{"ts":"2"}]}}} in a thread
{"has_more_shares":true,"shares":{"public":{"C1":[{"ts":"2"}]}}} in a thread
{"has_more_shares":true,"shares":{"public":{"C1":[{"ts":"2","thread_ts":"1.5"}]}}} in a thread
{"channels":["C1"]} in a thread
`
  const seen = (line: string) => {
    const threadTs = line.endsWith(' in a thread') ? '1.5' : undefined
    return shown(sightingsIn(JSON.parse(line.split(' in ')[0] ?? ''), { channels, threadTs }))
  }
  expect(sightingsIn(undefined, { channels })).toEqual([])
  expect(await grid(records, seen)).toMatchInlineSnapshot(`
"{"shares":{"public":{"C2":[{},{"ts":"2","thread_ts":"1"},{"ts":"3"}]},"private":{"C1":[{"ts":"4"}],"C9":[{"ts":"5"}]}}}
    [{"id":"C1","ts":"4","isInPlace":true},{"id":"C2","ts":"2","isInPlace":true}]
{}
    []
{"shares":{"public":{"C1":{"ts":"2"}}}}
    []
{"shares":{"public":{"C1":[null]}}}
    []
{"shares":{"public":{"C1":[{"ts":1}]}}}
    []
{"shares":{"other":{"C1":[{"ts":"2"}]}}}
    []
{"channels":"C1","other":["C1"]}
    []
{"shares":{"private":{"C0PRIVATE00":[{"ts":"2"}]}}}
    [{"id":"G0PRIVATE00","ts":"2","isInPlace":true}]
{"channels":["C0PRIVATE00"]}
    [{"id":"G0PRIVATE00","isInPlace":true}]
{"shares":{"public":{"C2":[{"ts":"2"}]}},"channels":["C2"],"groups":["C1"],"ims":["C3"]}
    [{"id":"C1","isInPlace":true},{"id":"C2","ts":"2","isInPlace":true},{"id":"C3","isInPlace":true}]
{"shares":{"public":{"C1":[{"ts":"2"},{"ts":"3","thread_ts":"1.5"}]}}} in a thread
    [{"id":"C1","ts":"3","isInPlace":true}]
{"shares":{"public":{"C1":[{"ts":"2"}]}}} in a thread
    [{"id":"C1","ts":"2","isInPlace":false}]
{"has_more_shares":true,"shares":{"public":{"C1":[{"ts":"2"}]}}} in a thread
    [{"id":"C1","ts":"2"}]
{"has_more_shares":true,"shares":{"public":{"C1":[{"ts":"2","thread_ts":"1.5"}]}}} in a thread
    [{"id":"C1","ts":"2","isInPlace":true}]
{"channels":["C1"]} in a thread
    [{"id":"C1"}]"
`)
})

const aboutOf = (known: object, record: Json) => ({
  ...serviceFile({ file, ...known }, record, undefined),
  file: undefined,
})

test('A record, or a response with records, says what it says', async () => {
  const files = ['F1', 'F2'].map((id) => ({ file, id }))
  const message = { channels: channels.slice(0, 2), files }
  const says: Readonly<Record<string, (json: Json) => unknown>> = {
    'is damaged': (record) => isDamaged({ file: foundFile('a.csv', 1) }, record),
    'is damaged if it was empty': (record) => isDamaged({ file: foundFile('a.csv', 0) }, record),
    'is unprocessed': isUnprocessed,
    keeps: keptOf,
    'of a known file': (record) =>
      aboutOf({ id: 'F1', permalink: 'https://chat.example/1' }, record),
    'of a new file': (record) => aboutOf({}, record),
    'omits files': (json) => omitsFiles(message, json),
    'shows files': (json) => shown(sightingsInResponse(message, json)),
    'shows a comment': (json) => shown(sightingsInResponse({ ...message, files: [] }, json)),
    'is of F1': (json) => recordOf({ file, id: 'F1' }, recordsIn(json)),
    'is of a file without ID': (json) => recordOf({ file }, recordsIn(json)),
  }
  const rows = `
{"id":"F2","permalink":"https://chat.example/2"} of a known file
{"id":"a,b","permalink":"javascript:x"} of a known file
{"id":"a,b"} of a new file
{"size":0} is damaged
{"size":1} is damaged
{"size":0} is damaged if it was empty
{"mimetype":"","filetype":""} is unprocessed
{"mimetype":"","filetype":"csv"} is unprocessed
{"mimetype":"text/csv","filetype":""} is unprocessed
{} is unprocessed
{"id":"F1","size":5,"has_more_shares":true,"mimetype":["x"],"content":"x"} keeps
{} omits files
{"files":[]} omits files
{"files":[{"id":"F1"}]} omits files
{"files":[null,{"id":"F2"},{"id":"F1"}]} omits files
{"files":[{"id":"F2","channels":["C2"]},{"id":"F1","channels":["C1"],"shares":{"public":{"C2":[{"ts":"2"}]}}}]} shows files
{"ts":"2"} shows a comment
{} shows a comment
{"files":[{"id":"F2"},{"id":"F1"},{"id":"F1","size":5},{"id":"F3"}]} is of F1
{"files":[{"id":"F2"},{"id":"F1"}]} is of a file without ID
`
  const say = (line: string) => {
    const [json = '', what = ''] = line.split(/ (.*)/)
    return says[what]?.(JSON.parse(json))
  }
  expect(await grid(rows, say)).toMatchInlineSnapshot(`
"{"id":"F2","permalink":"https://chat.example/2"} of a known file
    {"id":"F2","permalink":"https://chat.example/2"}
{"id":"a,b","permalink":"javascript:x"} of a known file
    {"id":"F1","permalink":"https://chat.example/1"}
{"id":"a,b"} of a new file
    {}
{"size":0} is damaged
    true
{"size":1} is damaged
    false
{"size":0} is damaged if it was empty
    false
{"mimetype":"","filetype":""} is unprocessed
    true
{"mimetype":"","filetype":"csv"} is unprocessed
    false
{"mimetype":"text/csv","filetype":""} is unprocessed
    false
{} is unprocessed
    false
{"id":"F1","size":5,"has_more_shares":true,"mimetype":["x"],"content":"x"} keeps
    {"id":"F1","size":5,"has_more_shares":true}
{} omits files
    false
{"files":[]} omits files
    true
{"files":[{"id":"F1"}]} omits files
    true
{"files":[null,{"id":"F2"},{"id":"F1"}]} omits files
    false
{"files":[{"id":"F2","channels":["C2"]},{"id":"F1","channels":["C1"],"shares":{"public":{"C2":[{"ts":"2"}]}}}]} shows files
    [{"id":"C2","ts":"2","isInPlace":true}]
{"ts":"2"} shows a comment
    [{"id":"C1","ts":"2"},{"id":"C2","ts":"2"}]
{} shows a comment
    []
{"files":[{"id":"F2"},{"id":"F1"},{"id":"F1","size":5},{"id":"F3"}]} is of F1
    {"id":"F1","size":5}
{"files":[{"id":"F2"},{"id":"F1"}]} is of a file without ID
    {"id":"F2"}"
`)
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
