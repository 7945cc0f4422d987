/** Attacks of the threat model in SECURITY.md on the bundle, as far as no other file tries them. */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generate } from 'selfsigned'
import type { Tls } from '../../sandbox/server.ts'
import { createHttp } from '../../src/service/http.ts'
import { withChange } from '../support/change-file.ts'
import { type Done, errorsIn, runStep } from '../support/step.ts'
import { veryLong, withLinks } from '../support/systems.ts'

let folder = ''
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'threats-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d\n' }
const external = { method: 'external', files: '*.csv' }

const failed = ({ code, messages, outputs }: Done) => {
  expect({ code, status: outputs['status'], messages }).toEqual({ code: 1, status: 'failed', messages: [] })
}

describe('what the step can reach', () => {
  test.each(['external', 'files.upload'])('it connects to the service and nobody else (%s)', async (method) => {
    const connections = join(folder, `connections-${method}`)
    const preload = fileURLToPath(new URL('../support/connections.js', import.meta.url))
    const origins: string[] = []
    const done = await runStep({
      files,
      inputs: { ...external, method },
      env: { CONNECTIONS: connections },
      nodeOptions: ['--import', pathToFileURL(preload).href],
      prepare: ({ origin, uploadOrigin }) => {
        origins.push(origin, ...(method === 'external' ? [uploadOrigin] : []))
      },
    })
    expect(done.outputs).toMatchObject({ status: 'posted' })
    const reached = new Set((await readFile(connections, 'utf8')).trim().split('\n'))
    expect([...reached].sort()).toEqual(origins.map((origin) => new URL(origin).host).sort())
  })

  test('it starts no other program, and loads no native code', async () => {
    const done = await runStep({
      files,
      inputs: external,
      // Under Node's permission model both would throw.
      nodeOptions: ['--permission', '--allow-fs-read=*', '--allow-fs-write=*'],
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })

  test('it leaves nothing behind: no file, no environment, path or state for later steps', async () => {
    const written = Object.fromEntries(['ENV', 'PATH', 'STATE'].map((name) => [`GITHUB_${name}`, join(folder, name)]))
    for (const file of Object.values(written)) await writeFile(file, '')
    let workspace = ''
    let found: readonly string[] = []
    const done = await runStep({
      files,
      inputs: external,
      env: written,
      prepare: async ({ events }, place) => {
        workspace = place
        events.once('message', async () => {
          found = await readdir(workspace)
        })
      },
    })
    expect(done.code).toBe(0)
    expect([...found].sort()).toEqual(['a.csv', 'b.csv'])
    for (const file of Object.values(written)) expect(await readFile(file, 'utf8')).toBe('')
  })
})

describe('a service that redirects gets nothing sent to where it points:', () => {
  const calls = ['files.getUploadURLExternal', 'upload-bytes', 'files.completeUploadExternal'] as const
  const cases = calls.flatMap((on) => ([302, 307, 308] as const).map((status) => ({ on, status })))
  test.each(cases)('$on, $status', async ({ on, status }) => {
    const done = await runStep({
      files,
      inputs: external,
      prepare: ({ faults }) => faults.add({ on, fault: { kind: 'redirect', status } }),
    })
    failed(done)
    expect(done.requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })
})

test('the token is for one origin: asked to send it to another, the client throws', async () => {
  const token = { value: `xoxb-${'0'.repeat(24)}`, origin: 'https://chat.example.com' }
  const http = createHttp(token, { useProxies: false })
  const body = { length: 1, chunks: () => Readable.from([Buffer.from('a')]) }
  const request = { url: new URL('http://127.0.0.1:1/'), headers: {}, body, signal: new AbortController().signal }
  await expect(http.send({ ...request, authorized: true })).rejects.toThrow('is not sent to http://127.0.0.1:1')
  await expect(http.send({ ...request, authorized: false })).rejects.toThrow('ECONNREFUSED')
  http.close()
})

describe('an upload URL that is no place for a file is refused before its bytes are sent:', () => {
  const urls = [
    'http://me:secret@127.0.0.1:1/upload',
    'file:///etc/hostname',
    'ftp://127.0.0.1/upload',
    'javascript:alert(1)',
    'data:text/plain,x',
    '/upload/v1/1',
    'e',
    '',
    'http://files.example/upload/v1/1',
    'http://127.0.0.1.files.example/upload/v1/1',
    'http://localhost.files.example/upload/v1/1',
    'https://files.example',
    `https://files.example/${'x'.repeat(8_000)}`,
  ]
  test.each(urls.map((url) => [url.slice(0, 60), url]))('%j', async (_, url) => {
    const done = await runStep({
      files,
      inputs: external,
      prepare: ({ faults }) =>
        faults.add({
          on: 'files.getUploadURLExternal',
          fault: {
            kind: 'response',
            status: 200,
            body: { json: { ok: true, file_id: 'F0000000001', upload_url: url } },
          },
        }),
    })
    failed(done)
    expect(done.requests.map(({ path }) => path)).not.toContain('/upload/v1/1')
    expect(errorsIn(done).map(({ title }) => title)).toEqual(['The service gave no usable upload URL'])
    // It may carry rights, so nobody is shown it. The mask of a text such as `e` would blank the whole log.
    expect(done.stdout + done.summary).not.toContain('secret')
    expect(done.stdout.match(/^::add-mask::.*$/gm)).toEqual([`::add-mask::${done.token}`])
  })

  test('plain http to another machine, when the service itself is reached by https', async () => {
    const tls = await authority()
    const ca = join(folder, 'ca.pem')
    await writeFile(ca, tls.cert)
    const json = { ok: true, file_id: 'F0000000001', upload_url: 'http://files.example/upload' }
    const step = { files, inputs: external, service: { tls }, env: { NODE_EXTRA_CA_CERTS: ca } }
    const done = await runStep({
      ...step,
      prepare: ({ faults }) =>
        faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'response', status: 200, body: { json } } }),
    })
    failed(done)
    expect(errorsIn(done).map(({ title }) => title)).toEqual(['The service gave no usable upload URL'])
    expect((await runStep(step)).outputs).toMatchObject({ status: 'posted' })
  })
})

test('an upload URL is masked as a whole', async () => {
  const done = await runStep({ files: { 'a.csv': 'a' }, inputs: { method: 'external' } })
  const masks = done.stdout.match(/(?<=^::add-mask::).*$/gm) ?? []
  expect(masks.slice(1)).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/upload\/v1\/[\w-]{8,}$/)])
})

describe('what a service reports of a file becomes an output only if it has the right form:', () => {
  const good = { id: 'F0000000001', permalink: 'https://chat.example/files/F1', ts: '1760688662.900279' }
  const respondedWith = async (file: typeof good): Promise<Done> =>
    runStep({
      files: { 'a.csv': 'a' },
      inputs: { method: 'files.upload' },
      prepare: ({ channels, faults }) => {
        const { id, permalink, ts } = file
        const json = { ok: true, file: { id, permalink, shares: { public: { [channels.general]: [{ ts }] } } } }
        faults.add({ on: 'files.upload', fault: { kind: 'response', status: 200, body: { json }, effect: true } })
      },
    })

  test.each(['1760688662.900279', 'zq8r5x9d1bnm3ycfw6t7pkasoh', '2026-11-21T19:08:04.123+01:00'])(
    'the ts %s',
    async (ts) => {
      const { outputs } = await respondedWith({ ...good, ts })
      expect(outputs).toMatchObject({ status: 'posted', ts, 'file-ids': good.id })
      expect(JSON.parse(outputs['files'] ?? '')).toMatchObject([{ permalink: good.permalink }])
    },
  )

  test.each(['$(id)', '1760688662.900279\n', '1 2', '`id`', '"', 'ü', '1'.repeat(256)])('not the ts %j', async (ts) => {
    const { outputs } = await respondedWith({ ...good, ts })
    expect(outputs).toMatchObject({ status: 'accepted', ts: '' })
    expect(JSON.parse(outputs['messages'] ?? '')[0]).not.toHaveProperty('ts')
  })

  test.each(['F1,F2', 'F1\nF2', '$(id)', 'F'.repeat(256)])('not the file id %j', async (id) => {
    expect((await respondedWith({ ...good, id })).outputs).toMatchObject({ status: 'posted', 'file-ids': '' })
  })

  test.each([
    'javascript:alert(1)',
    'http://chat.example/files/F1',
    'https://me:secret@chat.example/files/F1',
    'files/F1',
    `https://chat.example/${'x'.repeat(2_000)}`,
    `https://chat.example/${'ü'.repeat(1_000)}`,
  ])('not the permalink %.40s', async (permalink) => {
    const { outputs } = await respondedWith({ ...good, permalink })
    expect(JSON.parse(outputs['files'] ?? '')[0]).not.toHaveProperty('permalink')
  })

  test.each([['javascript:alert(1)//p'], ['http://chat.example/p']])(
    'not the link to the message %s',
    async (start) => {
      const done = await runStep({
        files: { 'a.csv': 'a' },
        inputs: { method: 'external' },
        prepare: ({ events, faults }) => {
          events.once('message', ({ ts }) => {
            const json = { ok: true, permalink: start + ts.replace('.', '') }
            faults.add({ on: 'chat.getPermalink', fault: { kind: 'response', status: 200, body: { json } } })
          })
        },
      })
      expect(done.outputs).toMatchObject({ status: 'posted', permalink: '' })
    },
  )
})

describe('identifiers that JavaScript’s objects know', () => {
  test('are channels like any other', async () => {
    const names = ['constructor', '__proto__', 'toString']
    const done = await runStep({
      files: { 'a.csv': 'a' },
      service: { strictIds: false },
      inputs: { method: 'files.upload', channels: names.join() },
      prepare: ({ faults }) =>
        faults.add({
          on: 'files.upload',
          fault: {
            kind: 'response',
            status: 200,
            body: { json: { ok: true, file: { id: 'F1', shares: { public: {}, private: {} } } } },
          },
        }),
    })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'accepted', ts: '', permalink: '' } })
    const messages: readonly { readonly channel: string }[] = JSON.parse(done.outputs['messages'] ?? '')
    expect(messages.map(({ channel }) => channel)).toEqual(names)
  })
})

describe('input that is made to cost', () => {
  test.each([
    ['braces that multiply', { files: `${'{a,b}'.repeat(40)}.csv` }],
    ['stars that multiply', { files: `${'**/*a'.repeat(200)}.csv` }],
    ['thousands of lines', { files: 'x*.csv\n'.repeat(veryLong / 10) }],
    ['a very long comment', { comment: 'x'.repeat(veryLong) }],
    ['braces in a comment', { comment: '{'.repeat(veryLong) }],
  ])('%s: refused', async (_, inputs) => {
    const done = await runStep({ files, inputs: { ...external, ...inputs } })
    failed(done)
    expect(done.requests).toEqual([])
    expect(done.summary.length).toBeLessThan(100_000)
    expect(done.stdout.length).toBeLessThan(100_000)
  })
})

withLinks('a file that becomes a link to another one after it was found is not sent', async () => {
  const done = await runStep({
    files,
    inputs: { ...external, method: 'files.upload' },
    ...withChange({ file: 'b.csv', when: 'opened', time: 2, to: 'a link' }),
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '1' } })
  // Windows cannot refuse to open a link: what it leads to is another file.
  const why = process.platform === 'win32' ? 'it was replaced by another file' : 'cannot be read (`ELOOP'
  expect(errorsIn(done)[0]?.text).toContain(why)
})

async function authority(): Promise<Tls> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }]
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], { extensions })
  return { cert, key }
}
