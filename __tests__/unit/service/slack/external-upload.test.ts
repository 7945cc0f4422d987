import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../../src/problem.ts'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import type { ServiceOptions } from '../../../../src/service/service.ts'
import { externalUpload } from '../../../../src/service/slack/external-upload.ts'
import { quoted } from '../../../../src/text/text.ts'
import { tokenRemover } from '../../../../src/text/token.ts'
import { grid } from '../../../support/grid.ts'
import {
  foundFile,
  host,
  type Reply,
  response,
  scriptedService,
} from '../../../support/scripted-service.ts'

const token = 'xoxb-made-up-for-this-test'
const getUrl = 'files.getUploadURLExternal'
const complete = 'files.completeUploadExternal'
const url = (number: number) => `https://files.example/upload/${number}`
const ticket = (number: number) => ({ ok: true, file_id: `F${number}`, upload_url: url(number) })
const ts = '1760688662.900279'

function start(
  script: Readonly<Record<string, readonly Reply[]>>,
  {
    dryRun = false,
    ifNotConfirmed = 'error',
  }: Partial<Pick<ServiceOptions, 'dryRun' | 'ifNotConfirmed'>> = {},
) {
  const scripted = scriptedService(script)
  const masked: string[] = []
  const read: string[] = []
  const maskSecret = (secret: string) => masked.push(secret)
  const { api, deadline } = scripted
  const upload = externalUpload({
    ifNotConfirmed,
    onEvent: (event) => scripted.events.push(event),
    api,
    deadline,
    removeToken: tokenRemover(token),
    content: {
      async *chunks({ name, size }) {
        read.push(name)
        yield Buffer.from('x')
        yield Buffer.alloc(size - 1, 'y')
      },
    },
    dryRun,
    maskSecret,
  })
  const stage = (name = 'a.csv', size = 5) => upload.stage(foundFile(name, size), deadline.signal)
  const calls = () => scripted.requests.map(({ method }) => method)
  return { ...scripted, upload, stage, masked, read, calls }
}

const linesOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return [String(error.problems[0]?.title), ...quoted(error.problems[0]?.text ?? []).split('\n')]
}

describe('A file is staged', () => {
  test('by an upload URL and its bytes, without the token', async () => {
    const { masked, play, requests, stage } = start({
      [getUrl]: [ticket(1)],
      [url(1)]: [response(200, 'OK')],
    })
    expect(await play(stage())).toEqual({ file: foundFile('a.csv'), id: 'F1' })
    expect(requests).toMatchObject([
      { method: getUrl, authorized: true, form: { filename: 'a.csv', length: '5' } },
      {
        method: url(1),
        authorized: false,
        body: 'xyyyy',
        headers: { 'content-type': 'application/octet-stream' },
      },
    ])
    expect(masked).toEqual([url(1)])
  })

  const bytesGet = (reply: Reply) => ({ [getUrl]: [ticket(1)], [url(1)]: [reply] })
  test.each<[string, Readonly<Record<string, readonly Reply[]>>, string]>([
    [
      'without the path of the upload URL, which grants access',
      bytesGet(response(403, 'no route for /upload/1')),
      'no route for …',
    ],
    [
      'with the name of the file, and its size if that may be the cause',
      { [getUrl]: [{ ok: false, error: 'file_too_large' }] },
      `\n\`out/a.csv\` (5 B) could not be uploaded: \`${host}\` responded \`file_too_large\` to \`${getUrl}\`.\n`,
    ],
    [
      'of a host that the service named, which must be reachable, too',
      bytesGet(response(403)),
      `\n\`${host}\` responds, but wants files uploaded to \`files.example\``,
    ],
    [
      'of a host that was reached, and ends a large upload',
      bytesGet(new NoResponseError('STALLED', false, 'lost')),
      '\nIf it happens repeatedly, check the proxy or firewall between the runner and `files.example`',
    ],
    [
      'if the service never names the number of its bytes',
      bytesGet(response(200, 'OK - 0')),
      'The server did not get the whole file\n`out/a.csv` could not be uploaded: `files.example` responded to the bytes of `out/a.csv`: `OK - 0`.',
    ],
  ])('or the error says why, %s', async (_, script, expected) => {
    const { play, stage } = start(script)
    expect((await linesOf(play(stage()))).join('\n')).toContain(expected)
  })

  test('and the host of the service itself is not called another one', async () => {
    const here = `https://${host}/upload`
    const script = { [getUrl]: [{ ...ticket(1), upload_url: here }], [here]: [response(403)] }
    const { play, stage } = start(script)
    expect((await linesOf(play(stage())))[2]).not.toContain('responds, but')
  })

  test('with the same upload URL after a 429, and with a new one after any other failure', async () => {
    const lost = new NoResponseError('ECONNRESET', true, 'lost')
    const { calls, play, stage } = start({
      [getUrl]: [ticket(1), ticket(2), ticket(3)],
      [url(1)]: [response(429), response(429), response(500)],
      [url(2)]: [response(429), lost],
      [url(3)]: [response(200)],
    })
    expect(await play(stage())).toMatchObject({ id: 'F3' })
    const second = [getUrl, url(2), url(2)]
    expect(calls()).toEqual([getUrl, url(1), url(1), url(1), ...second, getUrl, url(3)])
  })

  test('with a new upload URL if the service names another number of bytes', async () => {
    const script = { [getUrl]: [ticket(1), ticket(2)], [url(1)]: [response(200, 'OK - 4')] }
    const { play, stage } = start({ ...script, [url(2)]: [response(200, 'OK - 5')] })
    expect(await play(stage())).toMatchObject({ id: 'F2' })
  })

  test('in a dry run by no request, and is read all the same', async () => {
    const { play, read, requests, stage } = start({}, { dryRun: true })
    expect(await play(stage())).toEqual({ file: foundFile('a.csv') })
    expect([read, requests]).toEqual([['a.csv'], []])
  })
})

test('An upload URL is neither used nor masked if something is wrong with it, or with the ID', async () => {
  const given = `
F1 https://files.example/u
F1 http://127.0.0.1:8080/u
F1
F1 /upload/v1/1
F<1 https://files.example/u
F1 http://files.example/u
F1 http://${host}/u
F1 https://files.example/u?t=${token}
`
  const shown = await grid(given, async (line) => {
    const [id, address = ''] = line.split(' ')
    const ticket = { ok: true, file_id: id, upload_url: address }
    const script = { [getUrl]: [ticket], [address]: [response(200)] }
    const { calls, masked, play, stage } = start(script)
    const result = await play(linesOf(stage()).catch(() => 'used'))
    const used = result === 'used' ? [address] : []
    expect([calls(), masked]).toEqual([[getUrl, ...used], used])
    return typeof result === 'string' ? result : result.slice(0, 2).join('⏎')
  })
  expect(shown).toMatchInlineSnapshot(`
"F1 https://files.example/u
    used
F1 http://127.0.0.1:8080/u
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with an upload URL that is not https: plain http is only for a \`base-url\` that uses it.
F1
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with no usable \`file_id\` or \`upload_url\`.
F1 /upload/v1/1
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with no usable \`file_id\` or \`upload_url\`.
F<1 https://files.example/u
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with no usable \`file_id\` or \`upload_url\`.
F1 http://files.example/u
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with an upload URL that is not https: plain http is only for a \`base-url\` that uses it.
F1 http://chat.example:8443/u
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with an upload URL that is not https: plain http is only for a \`base-url\` that uses it.
F1 https://files.example/u?t=xoxb-made-up-for-this-test
    The service gave no usable upload URL⏎\`out/a.csv\` could not be uploaded: the service responded with an upload URL that contains the token."
`)
})

test.each([
  [2_000, 'F1'],
  [2_001, undefined],
])('An upload URL of %s characters leads to %s', async (length, id) => {
  const long = url(1).padEnd(length, 'x')
  const { play, stage } = start({
    [getUrl]: [{ ...ticket(1), upload_url: long }],
    [long]: [response(200)],
  })
  const staged = await play(stage().catch(() => ({ id: undefined })))
  expect(staged.id).toBe(id)
})

const channels = ['C1', 'C2'].map((id) => ({ id, requested: `#${id}` }))

test.each([
  [1, 'error', [complete, 'chat.getPermalink']],
  [1, 'ignore', [complete]],
  [0, 'ignore', ['chat.postMessage']],
] as const)(
  'A message of %i files with if-not-confirmed: %s is posted by %j',
  async (count, ifNotConfirmed, expected) => {
    const files = [{ file: foundFile('a.csv'), id: 'F1' }].slice(0, count)
    const shown = { ok: true, files: [{ id: 'F1', shares: { public: { C1: [{ ts }] } } }] }
    const script = {
      [complete]: [shown],
      'chat.postMessage': [{ ok: true, ts }],
      'chat.getPermalink': [{ ok: true }],
    }
    const { calls, play, upload } = start(script, { ifNotConfirmed })
    const { postings } = await play(upload.post({ channels: channels.slice(0, 1), files }))
    expect(postings).toMatchObject([{ state: 'posted', ts }])
    expect(calls()).toEqual(expected)
  },
)

describe('Before anything is posted', () => {
  test.each([
    [false, 1, []],
    [false, 2, ['conversations.info', 'conversations.info']],
    [true, 1, ['auth.test', 'conversations.info']],
  ])(
    'the checks of a dry run: %s, with %i channels, are %j',
    async (dryRun, inChannels, expected) => {
      const script = { 'auth.test': [{ ok: true }], 'conversations.info': [{ ok: true }] }
      const { calls, play, upload } = start(script, { dryRun })
      const checks = await play(upload.preflight(channels.slice(0, inChannels), 'files'))
      expect(calls()).toEqual(expected)
      expect(checks).toHaveLength(dryRun ? inChannels + 2 : expected.length)
    },
  )

  test('a token that is refused makes the other checks needless', async () => {
    const { calls, play, upload } = start(
      { 'auth.test': [{ ok: false, error: 'invalid_auth' }] },
      { dryRun: true },
    )
    expect(await play(upload.preflight(channels, 'files'))).toHaveLength(1)
    expect(calls()).toEqual(['auth.test'])
  })

  test('a direct conversation is opened, in a dry run only if it exists', async () => {
    const script = { 'conversations.open': [{ ok: true, channel: { id: 'D1' } }] }
    for (const dryRun of [true, false]) {
      const { play, requests, upload } = start(script, { dryRun })
      expect(await play(upload.resolve(['U0123ABCD']))).toEqual([
        { id: 'D1', requested: 'U0123ABCD' },
      ])
      expect(requests[0]?.form).toEqual({
        users: 'U0123ABCD',
        ...(dryRun && { prevent_creation: 'true' }),
      })
    }
  })
})
