/** Attacks of the threat model in SECURITY.md on the bundle, as far as no other file tries them. */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createHttp } from '../../src/service/http.ts'
import { newAuthority } from '../support/authority.ts'
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
  const cases = [
    { on: 'files.getUploadURLExternal', status: 302 },
    { on: 'upload-bytes', status: 307 },
    { on: 'files.completeUploadExternal', status: 308 },
  ] as const
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
  // `unit/service/upload-url.test.ts` has all of them.
  test.each(['http://me:secret@127.0.0.1:1/upload', 'e'])('%j', async (url) => {
    const json = { ok: true, file_id: 'F0000000001', upload_url: url }
    const done = await runStep({
      files,
      inputs: external,
      prepare: ({ faults }) =>
        faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'response', status: 200, body: { json } } }),
    })
    failed(done)
    expect(errorsIn(done).map(({ title }) => title)).toEqual(['The service gave no usable upload URL'])
    // It may carry rights, so nobody is shown it. The mask of a text such as `e` would blank the whole log.
    expect(done.stdout + done.summary).not.toContain('secret')
    expect(done.stdout.match(/^::add-mask::.*$/gm)).toEqual([`::add-mask::${done.token}`])
  })

  test('plain http to another machine, when the service itself is reached by https', async () => {
    const authority = await newAuthority()
    const tls = await authority.certify('127.0.0.1')
    const ca = join(folder, 'ca.pem')
    await writeFile(ca, authority.certificate)
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

describe('what a service reports of a file becomes an output only if it has the right form', () => {
  // `unit/service/web-api.test.ts` has the forms.
  test.each([
    ['F0000000001', 'https://chat.example/files/F1', 'zq8r5x9d1bnm3ycfw6t7pkasoh', true],
    ['F1\nF2', 'javascript:alert(1)', '$(id)', false],
  ])('file ID %j, permalink %s, ts %s: %s', async (id, permalink, ts, isGood) => {
    const { outputs } = await runStep({
      files: { 'a.csv': 'a' },
      inputs: { method: 'files.upload' },
      prepare: ({ channels, faults }) => {
        const json = { ok: true, file: { id, permalink, shares: { public: { [channels.general]: [{ ts }] } } } }
        faults.add({ on: 'files.upload', fault: { kind: 'response', status: 200, body: { json }, effect: true } })
      },
    })
    const known = { status: isGood ? 'posted' : 'accepted', ts: isGood ? ts : '', 'file-ids': isGood ? id : '' }
    expect(outputs).toMatchObject(known)
    expect(JSON.parse(outputs['files'] ?? '')[0].permalink).toBe(isGood ? permalink : undefined)
  })
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
    ['thousands of lines', { files: 'x*.csv\n'.repeat(veryLong / 50) }],
    ['a very long comment', { comment: 'x'.repeat(veryLong) }],
    ['braces in a comment', { comment: '{'.repeat(veryLong) }],
  ])('%s: refused', async (_, inputs) => {
    const done = await runStep({ files, inputs: { ...external, ...inputs } })
    failed(done)
    expect(done.requests).toEqual([])
    expect(done.summary.length).toBeLessThan(200_000)
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
