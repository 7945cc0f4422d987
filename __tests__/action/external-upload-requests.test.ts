// The external upload on the wire: a URL for each file, its bytes once, and a completion for each
// message.
import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { called, type Done, runStep } from '../support/step.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const fieldsOf = ({ requests }: Done, name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).map(({ fields }) => Object.fromEntries(fields))

test('three files to three channels are three upload URLs, the bytes of each once, and one completion', async () => {
  // Windows forbids `"`.
  const special =
    process.platform === 'win32' ? 'Übersicht & März 📊.csv' : 'Übersicht "März" 📊.csv'
  const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d,e\n', [special]: 'f\n' }
  const done = await runStep({
    files,
    inputs: ({ channels }) => ({
      method: 'external',
      channels: `#General ${channels.private} ${channels.direct}`,
      comment: 'none',
      'if-not-confirmed': 'ignore',
    }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '3' } })
  const checks = ['users.conversations', 'conversations.info']
  expect(called(done).filter((method) => !checks.includes(method))).toHaveLength(3 + 3 + 1)

  const contents = Object.entries(files)
  // Files are sent in parallel.
  const uploadUrls = contents.map(([filename, content]) => ({
    filename,
    length: String(Buffer.byteLength(content)),
  }))
  expect(new Set(fieldsOf(done, 'files.getUploadURLExternal'))).toEqual(new Set(uploadUrls))
  expect(fieldsOf(done, 'files.completeUploadExternal')).toEqual([
    { files: expect.any(String), channels: 'C0GENERAL00,G0PRIVATE00,D0DIRECT000' },
  ])
  for (const request of done.requests.filter(({ origin }) => origin === 'api')) {
    const contentType = 'application/x-www-form-urlencoded'
    expect(request).toMatchObject({ method: 'POST', token: 'right', contentType })
  }
  for (const request of done.requests.filter(({ origin }) => origin === 'upload')) {
    const contentType = 'application/octet-stream'
    expect(request).toMatchObject({ method: 'POST', token: 'none', contentType, status: 200 })
    const headers = request.headers.map(([name]) => name.toLowerCase())
    expect(headers).toContain('content-length')
    expect(headers).not.toContain('transfer-encoding')
  }
  for (const message of done.messages) {
    expect(message.files.map((file) => [file.name, file.title, file.sha256])).toEqual(
      contents.map(([name, content]) => [name, name, sha256(content)]),
    )
  }
  expect(done.messages.map(({ channel }) => channel)).toEqual([
    'C0GENERAL00',
    'G0PRIVATE00',
    'D0DIRECT000',
  ])
})
