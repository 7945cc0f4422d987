// `method: auto`: the specified files.upload wherever the service is not Slack, and the external upload where the server
// responds that it does not offer that.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d\n' }
const method = (path: string) => path.split('/').at(-1) ?? ''
const calls = ({ requests }: Done) => requests.filter(({ origin }) => origin === 'api').map(({ path }) => method(path))
const count = (done: Done, name: string) => calls(done).filter((one) => one === name).length

function post(step: Step = {}): Promise<Done> {
  return runStep({ files, ...step })
}

/** How a server responds that does not offer files.upload (any more). */
const absent: readonly (readonly [string, Fault])[] = [
  ['method_deprecated', { kind: 'error', code: 'method_deprecated' }],
  ['unknown_method', { kind: 'error', code: 'unknown_method' }],
  ['deprecated_endpoint', { kind: 'error', code: 'deprecated_endpoint' }],
  ['404 with a web page', { kind: 'response', status: 404, body: { html: '<h1>Not found</h1>' } }],
  ['405 with nothing', { kind: 'response', status: 405 }],
  ['410 with text', { kind: 'response', status: 410, body: { text: 'gone' } }],
]

describe('the external upload follows when files.upload gets the response', () => {
  test.each(absent)('%s', async (_, fault) => {
    const done = await post({ prepare: ({ faults }) => faults.add({ on: 'files.upload', fault }) })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '2' } })
    expect(calls(done)[0]).toBe('files.upload')
    expect(count(done, 'files.upload')).toBe(1)
    expect(count(done, 'files.completeUploadExternal')).toBe(1)
    expect(done.messages.flatMap(({ files: posted }) => posted.map(({ title }) => title))).toEqual(['a.csv', 'b.csv'])
  })
})

test('the external upload follows for several channels too', async () => {
  const fault: Fault = { kind: 'response', status: 404, body: { html: '<h1>Not found</h1>' } }
  const done = await post({
    inputs: ({ channels: { general, releases } }) => ({ channels: `${general}, ${releases}` }),
    prepare: ({ faults }) => faults.add({ on: 'files.upload', fault }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '2' } })
})

/** Responses that do not say that the method is absent: no other method may be tried, since the file may be there or is refused. */
const offered: readonly (readonly [string, string, Fault])[] = [
  [
    'a code with 404',
    'failed',
    { kind: 'response', status: 404, body: { json: { ok: false, error: 'team_not_found' } } },
  ],
  ['another code', 'failed', { kind: 'error', code: 'invalid_auth' }],
  ['403', 'failed', { kind: 'response', status: 403 }],
  ['500', 'unknown', { kind: 'response', status: 500 }],
  ['a web page', 'unknown', { kind: 'response', status: 200, body: { html: '<html>Sign in</html>' } }],
  ['a connection that breaks', 'unknown', { kind: 'reset', when: 'after' }],
]

describe('no other method is tried when files.upload gets the response', () => {
  test.each(offered)('%s (%s)', async (_, status, fault) => {
    const done = await post({ prepare: ({ faults }) => faults.add({ on: 'files.upload', fault }) })
    expect(done).toMatchObject({ code: 1, outputs: { status } })
    expect(calls(done)).toEqual(['files.upload'])
  })
})

test('a server that stops offering files.upload after the first file is not sent the others by another method', async () => {
  const done = await post({
    prepare: ({ faults }) =>
      faults.add({ on: 'files.upload', call: 2, fault: { kind: 'error', code: 'method_deprecated' } }),
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'partial', count: '1' } })
  expect(calls(done)).toEqual(['files.upload', 'files.upload'])
})

test('a server that offers neither is reported once, with both addresses and what to check', async () => {
  const done = await post({
    service: { offers: { 'files.upload': 'absent', 'files.getUploadURLExternal': 'absent' }, basePath: '/chat' },
  })
  expect(errorsIn(done).map((error) => ({ ...error, text: error.text.replace(/127\.0\.0\.1:\d+/g, 'HOST') }))).toEqual([
    {
      title: 'The server offers no way to upload files',
      text: 'Neither `http://HOST/chat/api/files.upload` nor `http://HOST/chat/api/files.getUploadURLExternal` exists.\nCheck `base-url`: it is the address of the service itself, without `/api`. For Slack, leave it out.',
    },
  ])
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed', count: '0' } })
})

describe('a method that the user chose is the only one', () => {
  test.each([
    ['files.upload', 'files.upload'],
    ['external', 'files.getUploadURLExternal'],
  ])('%s', async (name, path) => {
    const done = await post({ inputs: { method: name }, service: { offers: { [path]: 'retired' } } })
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed', count: '0' } })
    expect(new Set(calls(done))).toEqual(new Set([path]))
    expect(errorsIn(done)).toHaveLength(1)
  })
})

test('elsewhere than on Slack, IDs are sent unchanged, and files.upload is tried first', async () => {
  const done = await post({
    service: { strictIds: false },
    inputs: { channels: 'general, team/7, 42', comment: '<!channel> & <b>' },
  })
  expect(calls(done)).toEqual(['files.upload', 'files.upload'])
  expect(new Set(done.messages.map(({ channel }) => channel))).toEqual(new Set(['general', 'team/7', '42']))
  expect(done.messages[0]?.text).toBe('<!channel> & <b>')
})
