// The token is masked before anything else happens, and appears only in that one line.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'

/** Every piece of the token that is long enough to be of use to somebody. */
function pieces(token: string): readonly string[] {
  return Array.from({ length: token.length - 7 }, (_, start) => token.slice(start, start + 8))
}

/** What the run shows to people: its log without the lines by which the runner learns what to mask, and all the rest. */
function shown({ outputs, stderr, stdout, summary }: Done): string {
  const log = stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'))
  return [...log, stderr, summary, ...Object.values(outputs)].join('\n')
}

/** JSON in which every character of the token is an escape. */
function escapedJson(value: object, token: string): string {
  const escapes = [...token].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  return JSON.stringify(value).replaceAll('/', '\\/').replaceAll(token, escapes)
}

/** A response with the token in JSON escapes. */
function escaped(value: object, token: string): Fault {
  const headers = { 'content-type': 'application/json' }
  return { kind: 'response', status: 200, headers, body: { text: escapedJson(value, token) } }
}

const situations: readonly (readonly [situation: string, status: string, step: Step])[] = [
  ['files are posted by the external upload', 'posted', { inputs: { method: 'external' } }],
  ['files are posted by files.upload', 'posted', { inputs: { method: 'files.upload' } }],
  ['nothing is sent but everything checked', 'dry-run', { inputs: { method: 'external', 'dry-run': 'true' } }],
  [
    'the service does not know the token',
    'failed',
    { prepare: (sandbox) => sandbox.workspace.set({ tokens: new Map() }) },
  ],
  ['an input is refused', 'failed', { inputs: { method: 'none', channels: '' } }],
  ['no file is found', 'failed', { inputs: { files: 'nothing/*.csv' } }],
  [
    'the service responds with all that it was sent',
    'failed',
    {
      prepare: ({ faults, tokens }) =>
        faults.add({
          on: '*',
          fault: {
            kind: 'response',
            status: 400,
            headers: { 'x-slack-req-id': tokens.all },
            body: { json: { ok: false, error: tokens.all, response_metadata: { messages: [`Bearer ${tokens.all}`] } } },
          },
        }),
    },
  ],
  [
    'a web page responds with all that it was sent',
    'unknown',
    {
      prepare: ({ faults, tokens }) =>
        faults.add({
          on: '*',
          fault: { kind: 'response', status: 200, body: { html: `<title>${tokens.all}</title>` } },
        }),
    },
  ],
  [
    'the service redirects with the token in the address',
    'failed',
    {
      prepare: ({ faults, tokens }) =>
        faults.add({
          on: '*',
          fault: { kind: 'redirect', status: 307, location: `https://chat.example.com/?token=${tokens.all}` },
        }),
    },
  ],
  [
    'the service redirects to a host with the token, percent-encoded or split by a tab',
    'failed',
    {
      inputs: { method: 'external', files: '*.csv' },
      files: { 'a.csv': 'a', 'b.csv': 'b' },
      prepare: ({ faults, tokens }) => {
        const [first = '', ...rest] = tokens.all
        const encoded = `%${first.charCodeAt(0).toString(16)}${rest.join('')}`
        faults.add(
          {
            on: 'files.getUploadURLExternal',
            call: 1,
            fault: { kind: 'redirect', status: 307, location: `https://${encoded}.example/` },
          },
          {
            on: 'files.getUploadURLExternal',
            fault: { kind: 'redirect', status: 307, location: `https://${first}\t${rest.join('')}.example/` },
          },
        )
      },
    },
  ],
  [
    'the service refuses with the token in JSON escapes',
    'failed',
    {
      prepare: ({ faults, tokens: { all: token } }) => {
        const metadata = { response_metadata: { messages: [`Bearer ${token}`, 'x'.repeat(280) + token] } }
        const body = { ok: false, error: `no_${token}`, needed: token, provided: `a,${token}`, ...metadata }
        faults.add({ on: '*', fault: escaped(body, token) })
      },
    },
  ],
  [
    'the service names the user and the workspace with the token in JSON escapes',
    'dry-run',
    {
      inputs: { method: 'external', 'dry-run': 'true' },
      prepare: ({ faults, tokens: { all: token } }) =>
        faults.add(
          { on: 'auth.test', fault: escaped({ ok: true, user: token, team: `/${token}` }, token) },
          { on: 'conversations.info', fault: escaped({ ok: true, channel: { name: token, is_member: true } }, token) },
        ),
    },
  ],
  [
    'the record of the file holds the token in JSON escapes',
    'accepted',
    {
      inputs: { method: 'files.upload' },
      prepare: ({ channels, faults, tokens: { all: token } }) => {
        const shares = { public: { [channels.general]: [{ ts: token }] } }
        const file = { id: token, permalink: `https://chat.example/${token}`, shares }
        faults.add({ on: 'files.upload', fault: { ...escaped({ ok: true, file }, token), effect: true } as Fault })
      },
    },
  ],
  [
    'the token is in JSON that is too deep for the stack',
    'unknown',
    {
      inputs: { method: 'files.upload' },
      prepare: ({ faults, tokens: { all: token } }) => {
        const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
        const text = escapedJson({ ok: false, error: token, deep: 0 }, token).replace('"deep":0', `"deep":${deep}`)
        faults.add({
          on: 'files.upload',
          fault: { kind: 'response', status: 200, headers: { 'content-type': 'application/json' }, body: { text } },
        })
      },
    },
  ],
  [
    'the link to the message holds the token in JSON escapes',
    'posted',
    {
      inputs: { method: 'external' },
      prepare: ({ events, faults, tokens: { all: token } }) => {
        events.once('message', ({ ts }) => {
          const permalink = `https://chat.example/${token}/p${ts.replace('.', '')}`
          faults.add({ on: 'chat.getPermalink', fault: escaped({ ok: true, permalink }, token) })
        })
      },
    },
  ],
  [
    'the host of the upload URL holds the token, split by a tab',
    'failed',
    {
      inputs: { method: 'external', 'timeout-minutes': '0.01' },
      prepare: ({ faults, tokens: { all: token } }) => {
        const url = `https://${token.slice(0, 9)}\t${token.slice(9)}.invalid/upload/1`
        const json = { ok: true, file_id: 'F0000000001', upload_url: url }
        faults.add({ on: 'files.getUploadURLExternal', fault: { kind: 'response', status: 200, body: { json } } })
      },
    },
  ],
  [
    'the service cannot be reached',
    'failed',
    { inputs: { 'base-url': 'http://127.0.0.1:1', 'timeout-minutes': '0.01' } },
  ],
  [
    'a file contains it',
    'failed',
    {
      inputs: { method: 'external', files: 'with-token.txt' },
      prepare: ({ tokens }, folder) => writeFile(join(folder, 'with-token.txt'), `token=${tokens.all}\n`),
    },
  ],
]

describe('the token is masked first, and appears nowhere else, when', () => {
  test.each(situations)('%s (%s)', async (_, status, step) => {
    const done = await runStep({ files: { 'report.csv': 'a,b\n' }, env: { RUNNER_DEBUG: '1' }, ...step })
    expect(done.stdout.split('\n')[0]).toBe(`::add-mask::${done.token}`)
    expect(done.stdout.split(done.token)).toHaveLength(2)
    const text = shown(done)
    // The host of a URL has lower case.
    expect(pieces(done.token).filter((piece) => text.toLowerCase().includes(piece.toLowerCase()))).toEqual([])
    expect(done.outputs).toMatchObject({ status })
    expect(done.messages).toHaveLength(status === 'posted' || status === 'accepted' ? 1 : 0)
  })
})

test.each(['external', 'files.upload'])('a release that names the token is posted without it: %s', async (method) => {
  let event = ''
  const done = await runStep({
    files: { 'a.csv': 'a' },
    inputs: { method, comment: '{source}' },
    eventName: 'release',
    env: {
      RUNNER_DEBUG: '1',
      get GITHUB_EVENT_PATH() {
        return event
      },
    },
    prepare: async ({ tokens: { all: token } }, folder) => {
      event = join(folder, 'event.json')
      const release = { tag_name: 'v1', name: `Spring ${token}`, html_url: `https://github.com/${token}` }
      await writeFile(event, JSON.stringify({ action: token, release }))
    },
  })
  const text = shown(done) + JSON.stringify(done.messages)
  expect(pieces(done.token).filter((piece) => text.includes(piece))).toEqual([])
  expect(JSON.stringify(done.messages)).toContain(
    'octo-org/octo-repo Spring *** (v1)'.replaceAll('*', method === 'external' ? '∗' : '*'),
  )
})

describe('an input that holds the token is refused without it:', () => {
  // `unit/inputs/rules.test.ts` has the other inputs.
  const inputs: readonly (readonly [name: string, value: (token: string, baseUrl: string) => string])[] = [
    ['base-url', (token, baseUrl) => `${baseUrl}/${token}/api`],
    ['base-url', (token) => `http://chat.example/${encodeURIComponent(token).replace('x', '%78')}`],
    ['channels', (token) => `C0GENERAL00, ${'x'.repeat(90)}${token}`],
  ]
  test.each(inputs)('%s', async (name, value) => {
    const done = await runStep({
      files: { 'a.csv': 'a' },
      inputs: ({ baseUrl, tokens }) => ({ [name]: value(tokens.all, baseUrl) }),
    })
    const text = shown(done)
    expect(pieces(done.token).filter((piece) => text.includes(piece))).toEqual([])
    expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' }, requests: [] })
    expect(errorsIn(done).map((error) => error.text)).toEqual([
      expect.stringMatching(`^\`${name}\` contains the token`),
    ])
  })
})

test('a token with white space around it is used, and masked, without', async () => {
  const done = await runStep({ files: { 'a.csv': 'a' }, inputs: ({ tokens }) => ({ token: `\n ${tokens.all} \n` }) })
  expect(done.outputs).toMatchObject({ status: 'posted' })
  expect(done.stdout.split('\n')[0]).toBe(`::add-mask::${done.token}`)
})

test('an empty token masks nothing', async () => {
  const done = await runStep({ files: { 'a.csv': 'a' }, inputs: { token: ' \n' } })
  expect(done.stdout).not.toContain('::add-mask::')
  expect(done).toMatchObject({ code: 1, outputs: { status: 'failed' } })
  expect(done.requests).toEqual([])
})

test('the token is sent to the origin of the base URL only, by the external upload too', async () => {
  const done = await runStep({ files: { 'a.csv': 'a', 'b.csv': 'b' }, inputs: { method: 'external' } })
  expect(done.requests.filter(({ origin }) => origin === 'upload').map(({ token }) => token)).toEqual(['none', 'none'])
  expect(new Set(done.requests.filter(({ origin }) => origin === 'api').map(({ token }) => token))).toEqual(
    new Set(['right']),
  )
})

test('user and password of a proxy are masked before it is used', async () => {
  const password = `${randomBytes(9).toString('hex')}%40`
  const proxy = `http://me:${password}@127.0.0.1:1`
  const done = await runStep({
    files: { 'a.csv': 'a' },
    inputs: { 'base-url': 'https://chat.example', 'timeout-minutes': '0.01' },
    env: { HTTPS_PROXY: proxy, RUNNER_DEBUG: '1' },
  })
  const masks = done.stdout.split('\n').filter((line) => line.startsWith('::add-mask::'))
  const basic = Buffer.from(`me:${decodeURIComponent(password)}`).toString('base64')
  expect(masks).toEqual(
    [done.token, password.replace('%', '%25'), decodeURIComponent(password), basic].map((one) => `::add-mask::${one}`),
  )
  expect(shown(done)).not.toContain(password.slice(0, 8))
  expect(done.code).toBe(1)
})
