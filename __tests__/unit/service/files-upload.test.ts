import { describe, expect, test } from '@jest/globals'
import type { FileContent } from '../../../src/files/content.ts'
import { errorProblem, ProblemError } from '../../../src/problem.ts'
import { filesUpload } from '../../../src/service/files-upload.ts'
import { NoResponseError } from '../../../src/service/http/no-response.ts'
import type { Message, PostResult } from '../../../src/service/service.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { groups } from '../../support/grid.ts'
import { foundFile, type Reply, response, scriptedService } from '../../support/scripted-service.ts'

const method = 'files.upload'
const file = foundFile('a.csv')
const channels = ['C1', 'C2'].map((id) => ({ id, requested: id }))
const message = (inChannels = 1, more: Partial<Message> = {}): Message => ({
  channels: channels.slice(0, inChannels),
  files: [{ file }],
  ...more,
})

async function* twoChunks() {
  yield Buffer.from('a,')
  yield Buffer.from('b\r\n')
}

function start(
  replies: readonly Reply[],
  chunks: FileContent['chunks'] = twoChunks,
  dryRun = false,
) {
  const scripted = scriptedService({ [method]: replies })
  const { api, deadline } = scripted
  const upload = filesUpload({
    api,
    deadline,
    dryRun,
    ifNotConfirmed: 'error',
    onEvent: () => undefined,
    maskSecret: () => undefined,
    removeToken: String,
    content: { chunks },
  })
  return { ...scripted, upload }
}

async function post(replies: readonly Reply[], what: Message = message()) {
  const { play, requests, upload } = start(replies)
  const result = await play(upload.post(what))
  return { result, requests, states: result.postings.map(({ state }) => state) }
}

describe('A message by files.upload', () => {
  // See `action/files-upload-requests.test.ts` for the whole request.
  test('has the fields before the file, so that a server that streams knows where it goes', async () => {
    const fieldsOf = async (more: Partial<Message>) => {
      const { requests } = await post([{ ok: true }], message(2, more))
      const form = /; name="(\w+)"(?:; filename="(.*)"\r\n.*)?\r\n\r\n(.*)\r\n/g
      return requests.flatMap(({ body }) =>
        [...body.matchAll(form)].map(([, name, filename, value]) => [name, filename ?? value]),
      )
    }
    expect(await fieldsOf({})).toEqual([
      ['channels', 'C1,C2'],
      ['file', 'a.csv'],
    ])
    const titled = { ...foundFile('März\\"📊".csv'), title: 'v1 ($&)' }
    const comment = { text: 'one' }
    expect(await fieldsOf({ files: [{ file: titled }], comment, threadTs: '1.5' })).toEqual([
      ['initial_comment', 'one'],
      ['channels', 'C1,C2'],
      ['thread_ts', '1.5'],
      ['title', 'v1 ($&)'],
      ['file', 'März\\%22📊%22.csv'],
    ])
  })

  test('gives the type of the file by its name', async () => {
    const names = `
unit.csv
junit.XML
diff.png
build.log
report.html
site.zip
v1.2.tar.gz
main.ts
index.d.MTS
lib.rs
graph.dot
top.GBR
site.tgz
events.jsonl
tests.trx
sizes.xlsx
csv
.csv
report.
`
    const typesOf = async (name: string) => {
      const what = message(1, { files: [{ file: foundFile(name) }] })
      const { requests } = await post([{ ok: true }], what)
      const [, ...types] = (requests[0]?.body ?? '').split('Content-Type: ')
      return types.map((rest) => rest.split('\r\n\r\n')[0]).join()
    }
    expect(await groups(names, typesOf)).toMatchInlineSnapshot(`
"text/csv
    unit.csv
application/xml
    junit.XML
image/png
    diff.png
text/plain
    build.log
text/html
    report.html
application/zip
    site.zip
application/gzip
    v1.2.tar.gz
application/octet-stream
    main.ts
    index.d.MTS
    lib.rs
    graph.dot
    top.GBR
    site.tgz
    events.jsonl
    tests.trx
    sizes.xlsx
    csv
    .csv
    report."
`)
  })

  // Otherwise a server that reads 64 KiB at a time could stop at its limit of 1 MiB, and take the
  // cut file for complete.
  test.each([
    ['a,b\r\n', twoChunks],
    ['', async function* () {}],
  ] as const)('has no chunk that ends where the file begins: %j', async (content, chunks) => {
    const { play, requests, upload } = start([{ ok: true }], chunks)
    const size = content.length
    await play(upload.post(message(1, { files: [{ file: foundFile('a.csv', size) }] })))
    const { body = '', ends = [] } = requests[0] ?? {}
    const begin = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4
    expect(body.slice(begin, begin + size)).toBe(content)
    expect(ends).not.toContain(begin)
  })

  test.each([
    ['empty, with a notice', response(200), ['The response was empty']],
    ['empty by its status', response(204), []],
    ['a word', response(200, 'done'), []],
  ])('is accepted if the response is %s', async (_, reply, titles) => {
    const { requests, result, states } = await post([reply])
    expect([states, requests[0]?.minResponseTime]).toEqual([['accepted'], 180_000])
    expect(result.problems).toMatchObject(titles.map((title) => ({ title, level: 'notice' })))
  })

  test.each<[string, unknown, string]>([
    ['unknown', null, 'It is unknown whether the message was posted'],
    ['accepted', 'a.csv', ''],
    ['accepted', { id: 'F1' }, ''],
  ])('is %s if the response says that its file is %j', async (state, named, title) => {
    const { result, states } = await post([{ ok: true, file: named }])
    expect([states, result.files[0]?.id]).toEqual([[state], Object(named).id])
    expect(result.problems).toMatchObject(title ? [{ title, level: 'error' }] : [])
  })

  test('whose file cannot be read was not sent', async () => {
    const problem = errorProblem('A file cannot be read', text`no`)
    const { play, upload } = start([{ ok: true }], () => {
      throw new ProblemError(problem)
    })
    const comment = { text: 'Reports' }
    expect(await play(upload.post(message(2, { comment })))).toEqual({
      postings: channels.map((channel) => ({ channel, state: 'not-sent' })),
      files: [{ file }],
      problems: [problem],
    })
  })

  test('has as many files as its limit, and no other number', async () => {
    const { filesPerMessage } = start([]).upload.limits
    const send = (count: number) =>
      post([{ ok: true }], message(1, { files: Array(count).fill({ file }) }))
    expect((await send(filesPerMessage)).states).toEqual(['accepted'])
    for (const count of [0, filesPerMessage + 1])
      await expect(send(count)).rejects.toThrow('one file in a message')
  })
})

describe('A form that broke off', () => {
  const commented = message(1, { comment: { text: 'Reports' } })
  const warnings = ({ problems }: PostResult) =>
    problems.filter(({ level }) => level === 'warning').map(({ title }) => title)
  const expected = ['The comment may have been posted without the file']

  test('because its file cannot be read may have posted its comment', async () => {
    const { play, upload } = start([{ ok: true }], async function* () {
      yield Buffer.from('a,')
      throw new ProblemError(errorProblem('A file cannot be read', text`no`))
    })
    expect(warnings(await play(upload.post(commented)))).toEqual(expected)
    expect(warnings(await play(upload.post(message())))).toEqual([])
  })

  test('is none if it arrived, was refused or was fully sent', async () => {
    const lost = new NoResponseError('ECONNRESET', true, 'lost')
    for (const reply of [{ ok: true }, response(500), lost])
      expect(warnings((await post([reply], commented)).result)).toEqual([])
  })

  test('is remembered after another attempt that was refused early, and one that succeeded', async () => {
    let attempts = 0
    const early = { ...response(503), isEarly: true }
    const { play, upload } = start([early, { ok: true }], async function* () {
      yield Buffer.from('a,')
      attempts += 1
      if (attempts === 1) throw new NoResponseError('ECONNRESET', false, 'reset')
      yield Buffer.from('b\r\n')
    })
    const result = await play(upload.post(commented))
    expect([attempts, result.postings[0]?.state, warnings(result)]).toEqual([
      3,
      'accepted',
      expected,
    ])
  })
})

describe('Before anything is posted', () => {
  test('the file is read', async () => {
    const read: unknown[] = []
    const { upload } = start([], (...what) => {
      read.push(what)
      return twoChunks()
    })
    expect(await upload.stage(file, new AbortController().signal)).toEqual({ file })
    expect(read).toEqual([[file]])
    await expect(upload.stage(file, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    )
  })

  test('there is no check of the channels, which are kept as they were written', async () => {
    const { upload } = start([], twoChunks, true)
    const given = ['C1', 'U1', '#general', '#General']
    expect(await upload.resolve(given)).toEqual(given.map((id) => ({ id, requested: id })))
    expect(await start([]).upload.preflight(channels, 'files')).toEqual([])
    const checks = await upload.preflight(channels, 'files')
    expect(
      checks.map(({ note, result, subject }) => [subject, result, quoted(note ?? [])]),
    ).toEqual(
      ['C1', 'C2'].map((id) => [id, 'unknown', '`files.upload` offers no check before it posts']),
    )
  })
})
