// The specified interface on the wire: POST {base_url}/api/files.upload.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { listen } from '../support/servers.ts'
import { type Done, runStep, type Step } from '../support/step.ts'

const csv = 'name,value\nä,1\n'

/** Posts to a compatible server, with opaque IDs. */
function post(step: Step): Promise<Done> {
  return runStep({
    files: { 'report.csv': csv },
    ...step,
    service: { strictIds: false, ...step.service },
  })
}

describe('the request', () => {
  test('carries the token, the comment, the channels and the file, and nothing else is called', async () => {
    const done = await post({
      inputs: ({ channels }) => ({
        channels: `${channels.general}, ${channels.releases}\n${channels.builds} ${channels.direct}, ${channels.general}`,
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
          contentType: 'text/csv',
          length: Buffer.byteLength(csv),
          sha256: createHash('sha256').update(csv).digest('hex'),
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
      'user-agent',
    ])
    expect(done.messages.map(({ channel, text }) => [channel, text])).toEqual(
      ['general', 'team/7', '42', '@reviewer'].map((channel) => [channel, 'Coverage for *main*']),
    )
    const { ts, files = [] } = done.messages[0] ?? {}
    expect(done).toMatchObject({
      code: 0,
      outputs: { status: 'posted', count: '1', ts, 'file-ids': files[0]?.id },
    })
  })

  test('uses no connection of an earlier one, which the server may have closed without saying so', async () => {
    const used = new WeakSet<object>()
    const server = createServer((request, response) => {
      // A connection that is used again is dead.
      if (used.has(request.socket)) return request.socket.destroy()
      used.add(request.socket)
      return request.resume().on('end', () => response.end('{"ok":true}'))
    })
    const files = { 'a.csv': csv, 'b.csv': csv, 'c.csv': csv }
    const baseUrl = `http://127.0.0.1:${await listen(server)}`
    const done = await post({ files, inputs: { 'base-url': baseUrl } })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', count: '3' } })
  })

  test('is one for each file, each with the comment and all the channels', async () => {
    const done = await post({
      files: { 'a.csv': 'a', 'März 📊.csv': 'b', 'c/empty.csv': '' },
      inputs: ({ channels }) => ({
        channels: `${channels.general},${channels.releases}`,
        comment: 'All of {files}',
      }),
    })
    const sent = done.requests.map(({ file, fields }) => [
      file?.name,
      file?.length,
      ...fields.map(([, value]) => value),
    ])
    expect(sent).toEqual([
      ['a.csv', 1, 'All of a.csv, 1 B', 'general,team/7'],
      ['März 📊.csv', 1, 'All of März 📊.csv, 1 B', 'general,team/7'],
      ['empty.csv', 0, 'All of empty.csv, 0 B', 'general,team/7'],
    ])
    expect(done.outputs).toMatchObject({ status: 'posted', count: '3' })
  })
})
