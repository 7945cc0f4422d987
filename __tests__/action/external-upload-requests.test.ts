// The external upload, as it goes over the wire: an upload URL for each file, its bytes once, one completion for each message.
import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { type Done, runStep } from '../support/step.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const method = (path: string) => path.split('/').at(-1) ?? ''
const called = ({ requests }: Done, name: string) => requests.filter(({ path }) => method(path) === name)
const fieldsOf = (done: Done, name: string) => called(done, name).map(({ fields }) => Object.fromEntries(fields))
const bytesSent = ({ requests }: Done) => requests.filter(({ origin }) => origin === 'upload')

describe('three files to three channels', () => {
  // Windows forbids `"`.
  const special = process.platform === 'win32' ? 'Übersicht & März 📊.csv' : 'Übersicht "März" 📊.csv'
  const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d,e\n', [special]: 'f\n' }

  test('are three upload URLs, the bytes of each once, and one completion that names all channels', async () => {
    const done = await runStep({
      files,
      inputs: ({ channels }) => ({
        method: 'external',
        channels: `${channels.general} ${channels.private} ${channels.direct}`,
        comment: '',
        'if-not-confirmed': 'ignore',
      }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '3' } })
    const looks = called(done, 'conversations.info')
    expect(done.requests.length - looks.length).toBe(3 + 3 + 1)

    const contents = Object.entries(files)
    expect(fieldsOf(done, 'files.getUploadURLExternal')).toEqual(
      contents.map(([filename, content]) => ({ filename, length: String(Buffer.byteLength(content)) })),
    )
    expect(
      bytesSent(done)
        .map(({ file }) => file?.sha256)
        .sort(),
    ).toEqual(contents.map(([, content]) => sha256(content)).sort())
    expect(fieldsOf(done, 'files.completeUploadExternal')).toEqual([
      { files: expect.any(String), channels: 'C0GENERAL00,G0PRIVATE00,D0DIRECT000' },
    ])
    for (const request of done.requests.filter(({ origin }) => origin === 'api')) {
      expect(request).toMatchObject({
        method: 'POST',
        token: 'right',
        contentType: 'application/x-www-form-urlencoded',
      })
    }
    for (const request of bytesSent(done)) {
      expect(request).toMatchObject({
        method: 'POST',
        token: 'none',
        contentType: 'application/octet-stream',
        headers: expect.arrayContaining([['content-length', expect.any(String)]]),
        status: 200,
      })
      expect(request.headers.map(([name]) => name.toLowerCase())).not.toContain('transfer-encoding')
    }
  })

  test('are in each channel once, in one message, in order, with the bytes that they have on disk', async () => {
    const done = await runStep({
      files,
      inputs: ({ channels }) => ({ channels: Object.values(channels).slice(0, 3).join(','), method: 'external' }),
    })
    expect(done.outputs).toMatchObject({ status: 'posted', count: '3' })
    expect(done.messages.map(({ channel }) => channel)).toEqual(['C0GENERAL00', 'C0RELEASES0', 'C0BUILDS000'])
    for (const message of done.messages) {
      expect(message.files.map((file) => [file.name, file.title, file.sha256])).toEqual(
        Object.entries(files).map(([name, content]) => [name, name, sha256(content)]),
      )
    }
  })
})

test('one channel goes as channel_id, with the thread only when it is asked for', async () => {
  const inputs = { method: 'external', comment: '', 'if-not-confirmed': 'ignore' }
  const plain = await runStep({ files: { 'a.csv': 'a' }, inputs })
  expect(fieldsOf(plain, 'files.completeUploadExternal')).toEqual([
    { files: expect.any(String), channel_id: 'C0GENERAL00' },
  ])
  const reply = await runStep({ files: { 'a.csv': 'a' }, inputs: { ...inputs, 'thread-ts': '1760688662.900279' } })
  expect(fieldsOf(reply, 'files.completeUploadExternal')).toEqual([
    { files: expect.any(String), channel_id: 'C0GENERAL00', thread_ts: '1760688662.900279' },
  ])
})

test('25 files are three messages in order: the first has the comment, the others say what they belong to', async () => {
  const paths = Array.from({ length: 25 }, (_, at) => `report-${String(at + 1).padStart(2, '0')}.csv`)
  const done = await runStep({
    files: Object.fromEntries(paths.map((path) => [path, path])),
    inputs: ({ channels }) => ({
      method: 'external',
      files: '*.csv',
      channels: `${channels.general} ${channels.releases}`,
      comment: 'All of {files}',
    }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '25' } })
  expect(called(done, 'files.completeUploadExternal')).toHaveLength(3)
  expect(bytesSent(done)).toHaveLength(25)
  for (const channel of ['C0GENERAL00', 'C0RELEASES0']) {
    const messages = done.messages.filter((message) => message.channel === channel)
    expect(messages.map(({ files }) => files.map(({ title }) => title))).toEqual([
      paths.slice(0, 10),
      paths.slice(10, 20),
      paths.slice(20),
    ])
    expect(messages.map(({ blocks }) => /All of 25 files|\d of \d/.exec(JSON.stringify(blocks))?.[0])).toEqual([
      'All of 25 files',
      '2 of 3',
      '3 of 3',
    ])
  }
})

test('files with the same name are distinguished in their titles by the folder', async () => {
  const done = await runStep({
    files: { 'unit/junit.xml': '<unit/>', 'e2e/junit.xml': '<e2e/>', 'lint.txt': 'fine' },
    inputs: { method: 'external', files: '**/*.xml\nlint.txt' },
  })
  expect(done.messages.flatMap(({ files }) => files.map(({ title, sha256: sum }) => [title, sum]))).toEqual([
    ['junit (e2e).xml', sha256('<e2e/>')],
    ['junit (unit).xml', sha256('<unit/>')],
    ['lint.txt', sha256('fine')],
  ])
})

test('an empty file is skipped and reported, since the service accepts none; the others are posted', async () => {
  const done = await runStep({
    files: { 'a.csv': 'a', 'empty.csv': '' },
    inputs: { method: 'external', files: '*.csv' },
  })
  expect(done.outputs).toMatchObject({ status: 'posted', count: '1' })
  expect(done.stdout).toMatch(/::warning title=Empty files are skipped::.*`empty\.csv`/)
})
