// The specified interface, as it goes over the wire: POST {base_url}/api/files.upload.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { onPosix } from '../support/systems.ts'

const csv = 'name,value\nä,1\n'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A step on a compatible server, whose identifiers are opaque. */
function post(step: Step): Promise<Done> {
  return runStep({
    ...step,
    files: step.files ?? { 'report.csv': csv },
    service: { strictIds: false, ...step.service },
  })
}

const fieldsOf = ({ requests }: Done) => requests.map(({ fields }) => Object.fromEntries(fields))

describe('the request', () => {
  test('carries the token, the comment, the channels and the file, and nothing else is called', async () => {
    const done = await post({
      inputs: ({ channels }) => ({
        channels: `${channels.general}, ${channels.releases}\n${channels.builds} ${channels.direct}`,
        comment: 'Coverage for *main*',
      }),
    })
    expect(done.requests).toMatchObject([
      {
        origin: 'api',
        method: 'POST',
        path: '/api/files.upload',
        token: 'right',
        contentType: expect.stringMatching(/^multipart\/form-data; boundary=/),
        fields: [
          ['initial_comment', 'Coverage for *main*'],
          ['channels', 'general,team/7,42,@reviewer'],
        ],
        file: {
          field: 'file',
          name: 'report.csv',
          disposition: 'form-data; name="file"; filename="report.csv"',
          contentType: 'application/octet-stream',
          length: Buffer.byteLength(csv),
          sha256: sha256(csv),
        },
        status: 200,
      },
    ])
    expect(done.requests[0]?.headers.map(([name]) => name.toLowerCase()).sort()).toEqual([
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
    ])
    expect(done.messages.map(({ channel, text }) => [channel, text])).toEqual(
      ['general', 'team/7', '42', '@reviewer'].map((channel) => [channel, 'Coverage for *main*']),
    )
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  })

  test('is one for each file, each with the comment and all the channels', async () => {
    const done = await post({
      files: { 'a.csv': 'a', 'b.csv': 'b', 'c/empty.csv': '' },
      inputs: ({ channels }) => ({ channels: `${channels.general},${channels.releases}`, comment: 'All of {files}' }),
    })
    expect(done.requests.map(({ file }) => [file?.name, file?.length])).toEqual([
      ['a.csv', 1],
      ['b.csv', 1],
      ['empty.csv', 0],
    ])
    expect(fieldsOf(done).map(({ channels }) => channels)).toEqual([
      'general,team/7',
      'general,team/7',
      'general,team/7',
    ])
    expect(fieldsOf(done).map(({ initial_comment }) => initial_comment)).toEqual([
      'All of a.csv, 1 B',
      'All of b.csv, 1 B',
      'All of empty.csv, 0 B',
    ])
    expect(done.outputs).toMatchObject({ status: 'posted', count: '3' })
  })

  test('has no initial_comment when the comment is empty, and thread_ts only when it is asked for', async () => {
    const plain = await post({ inputs: { comment: '' } })
    expect(plain.requests[0]?.fields).toEqual([['channels', 'general']])
    const reply = await post({ inputs: { comment: '', 'thread-ts': '1760688662.900279' } })
    expect(reply.requests[0]?.fields).toEqual([
      ['channels', 'general'],
      ['thread_ts', '1760688662.900279'],
    ])
    expect(reply.messages).toMatchObject([{ threadTs: '1760688662.900279' }])
  })

  test('carries the comment as it was typed, byte by byte, but with line breaks that are LF', async () => {
    const comment = '  "quotes" \'single\' `code`\n\n$(id) 100 %\r\n<b> & {other}\r🎉\t\n'
    const done = await post({ inputs: { comment } })
    expect(done.requests[0]?.fields[0]).toEqual(['initial_comment', comment.replace('\r\n', '\n')])
  })

  test('goes to a channel once, however often it is named', async () => {
    const done = await post({ inputs: { channels: 'general, team/7, general' } })
    expect(fieldsOf(done)[0]?.['channels']).toBe('general,team/7')
  })

  test('keeps the path of a base-url', async () => {
    const service = { basePath: '/chat/v1' }
    const done = await post({ service, inputs: ({ baseUrl }) => ({ 'base-url': `${baseUrl}/` }) })
    expect(done.requests).toMatchObject([{ path: '/chat/v1/api/files.upload', status: 200 }])
  })
})

describe('the file name', () => {
  const long = `${'ü'.repeat(123)}.csv`
  const postNamed = async (...names: readonly string[]) => {
    const files = Object.fromEntries(names.map((name) => [name, csv]))
    const done = await post({ files, inputs: { files: '*.csv', comment: '' } })
    expect(done.requests.map(({ file }) => file?.name).sort()).toEqual([...names].sort())
    return done
  }

  test('arrives as it is on disk', async () => {
    await postNamed('Übersicht März.csv', '報告 📊.csv', long, "it's 100 %; a=b, c.csv")
    expect(Buffer.byteLength(long)).toBe(250)
  })

  onPosix('has what a header cannot hold escaped as forms do', async () => {
    const done = await postNamed('two "quotes".csv', 'a\\b.csv')
    expect(done.requests.map(({ file }) => file?.disposition)).toContain(
      'form-data; name="file"; filename="two %22quotes%22.csv"',
    )
  })

  onPosix('has no line break: it becomes _', async () => {
    const done = await post({ files: { 'a\nb\r\n::warning::c.csv': csv }, inputs: { files: '*.csv', comment: '' } })
    expect(done.requests).toMatchObject([{ file: { name: 'a_b__::warning::c.csv' } }])
    expect(done.outputs).toMatchObject({ status: 'posted' })
  })
})

describe('the response', () => {
  const acceptedResponses: readonly (readonly [response: string, fault: Fault])[] = [
    ['nothing, with 200', { kind: 'response', status: 200, effect: true }],
    ['204', { kind: 'response', status: 204, effect: true }],
    ['201 and plain text', { kind: 'response', status: 201, body: { text: 'created' }, effect: true }],
    ['an empty object', { kind: 'response', status: 200, body: { json: {} }, effect: true }],
    ['ok and nothing more', { kind: 'response', status: 200, body: { json: { ok: true } }, effect: true }],
    [
      'a file that is no object',
      { kind: 'response', status: 200, body: { json: { ok: true, file: [1] } }, effect: true },
    ],
    ['a list', { kind: 'response', status: 200, body: { text: '[]' }, effect: true }],
  ]

  describe('counts as accepted', () => {
    let done: Done
    beforeAll(async () => {
      done = await post({
        files: Object.fromEntries(acceptedResponses.map((_, at) => [`${at}.csv`, csv])),
        prepare: ({ faults }) =>
          faults.add(
            ...acceptedResponses.map(([, fault], at) => ({ on: 'files.upload' as const, call: at + 1, fault })),
          ),
      })
    })

    test.each(acceptedResponses.map(([response], at) => [response, at] as const))('when it is %s', (_, at) => {
      const messages: readonly unknown[] = JSON.parse(done.outputs['messages'] ?? '')
      expect(messages[at]).toMatchObject({ channel: 'general', state: 'accepted', paths: [`${at}.csv`] })
      expect(done.requests[at]).toMatchObject({ file: { name: `${at}.csv` } })
    })

    test('and nothing is sent a second time', () => {
      expect(done.requests).toHaveLength(acceptedResponses.length)
      expect(done.outputs).toMatchObject({ status: 'accepted', count: '7', ts: '', permalink: '', 'file-ids': '' })
      expect(done.code).toBe(0)
    })
  })

  test('gives ts and IDs where it has them', async () => {
    const done = await post({})
    const [message] = done.messages
    expect(done.outputs).toMatchObject({ status: 'posted', ts: message?.ts, 'file-ids': message?.files[0]?.id })
  })

  test('ok false fails the step, with the code, and nothing more is sent', async () => {
    const done = await post({ files: { 'a.csv': 'a', 'b.csv': 'b' }, inputs: { channels: 'nowhere' } })
    expect(done.outputs).toMatchObject({ status: 'failed', count: '0' })
    expect(done.stdout).toContain('channel_not_found')
    expect(done.requests).toHaveLength(1)
    expect(done.messages).toEqual([])
    expect(done.code).toBe(1)
  })
})
