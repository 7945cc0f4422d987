import { describe, expect, test } from '@jest/globals'
import { errorProblem, ProblemError } from '../../../../src/problem.ts'
import type { Outcome } from '../../../../src/service/errors/error-codes.ts'
import { createFailure } from '../../../../src/service/errors/failures.ts'
import type { CallResult } from '../../../../src/service/responses.ts'
import type { Message, MessagingService } from '../../../../src/service/service.ts'
import { filesToPoll, postFiles } from '../../../../src/service/slack/completion.ts'
import { quoted } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import {
  call,
  foundFile,
  host,
  type Reply,
  response,
  scriptedService,
} from '../../../support/scripted-service.ts'

const complete = 'files.completeUploadExternal'
const ts = '1760688662.900279'
const message = (inChannels = 1, more: Partial<Message> = {}): Message => ({
  channels: ['C1', 'C2'].slice(0, inChannels).map((id) => ({ id, requested: `#${id}` })),
  files: [{ file: foundFile('a.csv'), id: 'F1' }],
  ...more,
})
const record = (shares = {}) => ({ ok: true, file: { id: 'F1', shares: { public: shares } } })

async function post(
  script: Readonly<Record<string, readonly Reply[]>>,
  what: Message = message(),
  confirm = true,
  upload: MessagingService['stage'] = async (file) => ({ file, id: 'F2' }),
) {
  const scripted = scriptedService(script)
  const deps = {
    ...scripted,
    ifNotConfirmed: confirm ? 'error' : 'ignore',
    content: { async *chunks() {} },
    dryRun: false,
    maskSecret: () => {},
    removeToken: String,
  } as const
  const result = await scripted.play(postFiles(deps, upload, what))
  const of = (method: string) => scripted.requests.filter((request) => request.method === method)
  return {
    ...scripted,
    result,
    states: result.postings.map(({ state }) => state),
    lines: result.problems.flatMap((problem) => quoted(problem.text).split('\n')),
    forms: of(complete).map(({ form }) => form),
    lookups: of('files.info').map(({ at }) => at),
  }
}

test.each([
  [1, 'channel_id', 'C1'],
  [2, 'channels', 'C1,C2'],
])('A completion in %i channels names all files, and %s', async (inChannels, name, ids) => {
  const titled = { ...foundFile('a.csv'), title: 'A' }
  const files = [
    { file: titled, id: 'F1' },
    { file: foundFile('b.csv'), id: 'F2' },
  ]
  const more = { files, comment: { text: '', blocks: '[]' }, threadTs: '1.5' }
  const script = { [complete]: [{ ok: true }] }
  const { forms, result } = await post(script, message(inChannels, more), false)
  const named = '[{"id":"F1","title":"A"},{"id":"F2","title":"b.csv"}]'
  expect(result.problems).toEqual([])
  expect(forms).toEqual([{ files: named, [name]: ids, blocks: '[]', thread_ts: '1.5' }])
})

test('large files that show after 45 s are not completed again', async () => {
  const files = [{ file: foundFile('a.zip', 3e8), id: 'F1' }]
  const missed = Array(10).fill({ ok: false, error: 'file_not_found' })
  const script = {
    [complete]: [response(500)],
    'files.info': [...missed, record({ C1: [{ ts }] })],
  }
  const { forms, lookups, states } = await post(script, message(1, { files }))
  expect([states, forms.length, lookups.at(-1)]).toEqual([['posted'], 1, 50_000])
})

test.each([
  [5, 30_000],
  [3e8, 60_000],
])('the response to a completion of %i bytes may take %i ms', async (bytes, minResponseTime) => {
  const files = [{ file: foundFile('a.zip', bytes), id: 'F1' }]
  const { requests } = await post({ [complete]: [{ ok: true }] }, message(1, { files }), false)
  expect(Math.round(requests[0]?.minResponseTime ?? 0)).toBe(minResponseTime)
})

// See `conclude.test.ts` for all responses and lookups.
describe('A completion that fails', () => {
  const refused = (error: string) => ({ ok: false, error })
  const missing = refused('file_not_found')

  test.each<[Reply, number, string[]]>([
    [response(500), 1, [`\`${host}\` responded to \`${complete}\` with HTTP status 500`]],
    [refused('not_in_channel'), 2, [`\`${host}\` responded \`not_in_channel\` to \`${complete}\``]],
    // Comes after the end of the run.
    [{ ...response(500), after: 700_000 }, 1, []],
  ])(
    'is looked up, and the log says why, unless the run is over: %j',
    async (reply, inChannels, why) => {
      const none = Array.from({ length: 5 }, () => record())
      const visible = [...none, record({ C1: [{ ts }], C2: [{ ts }] })]
      const script = { [complete]: [reply], 'files.info': visible, 'auth.test': [{ ok: true }] }
      const { events } = await post(script, message(inChannels))
      const shown = events.flatMap((event) =>
        event.kind === 'lookups' ? [quoted(event.reason)] : [],
      )
      expect(shown).toEqual(why)
    },
  )

  test('because of not_in_channel names the app to invite', async () => {
    const identity = { ok: true, bot_id: 'B1', user: 'reporter' }
    const linesFor = async (reply: Reply) => {
      const { lines } = await post({
        [complete]: [refused('not_in_channel')],
        'auth.test': [reply],
        'conversations.info': [refused('missing_scope')],
      })
      return lines.join('\n')
    }
    expect(await linesFor(identity)).toContain('`/invite @reporter`')
    expect(await linesFor(refused('invalid_auth'))).toContain('`/invite @name-of-the-app`')
    expect(await linesFor({ ...identity, after: 6_000 })).toContain('`/invite @name-of-the-app`')
  })

  test('because the upload expired is staged again, and completed with the new files', async () => {
    const script = { [complete]: [missing, { ok: true }], 'files.info': [missing] }
    const { forms, result, states } = await post(script, message(), false)
    expect([states, result.files[0]?.id]).toEqual([['accepted'], 'F2'])
    expect(forms[1]).toMatchObject({ files: '[{"id":"F2","title":"a.csv"}]' })
    const problem = errorProblem('The token was rejected', [])
    const failing = () => Promise.reject(new ProblemError(problem))
    const { result: after, states: unknown } = await post(script, message(), true, failing)
    expect([unknown, after.problems.slice(1)]).toEqual([['unknown'], [problem]])
    const bug = () => Promise.reject(new Error('a bug'))
    await expect(post(script, message(), true, bug)).rejects.toThrow('a bug')
  })

  test('without an expired upload is completed once more, with the same files', async () => {
    const script = { [complete]: [response(500), refused('tea_time')], 'files.info': [missing] }
    const { forms, states } = await post(script, message(), true, () => Promise.reject())
    expect([states, forms[1]]).toEqual([['unknown'], forms[0]])
  })
})

describe('The files to look up', () => {
  const of = (sent: CallResult, { confirm = true, repeated = false, inChannels = 1 } = {}) => {
    const options = { ifNotConfirmed: confirm ? 'warn' : 'ignore', repeated } as const
    return filesToPoll({
      message: { ...message(inChannels), files: listed },
      sent,
      ...options,
    }).map(({ id }) => id)
  }
  const listed = ['F1', 'F2', 'F3'].map((id) => ({ file: foundFile(id), id }))
  const ok = (json: object): CallResult => ({ ...call, outcome: 'succeeded', json: { ...json } })
  const list = (...files: object[]) => ok({ files })
  const [f1, f2, f3] = [{ id: 'F1' }, { id: 'F2' }, { id: 'F3' }]
  const failed = (code: string, outcome: Outcome) => createFailure(call, code, outcome)
  const lists: Readonly<Record<string, CallResult>> = {
    'all listed': list(f1, f2, f3),
    'F1 shown in C1': list({ ...f1, shares: { public: { C1: [{ ts }] } } }, f2, f3),
    'one missing': list(f1, f3),
    'empty list': list(),
    'no list': ok({}),
    'a list without IDs': list(f1, { title: 'b' }),
    'not sent': failed('http_503', 'not sent'),
    refused: failed('tea_time', 'refused'),
    'refused everywhere': failed('invalid_auth', 'refused everywhere'),
    ambiguous: failed('http_500', 'ambiguous'),
  }

  test('are none, the first, or all', async () => {
    const completions = `
all listed
all listed; no check
F1 shown in C1; two channels
F1 shown in C1
one missing
empty list; no check
no list
a list without IDs
no list; no check
not sent
refused
refused; two channels
refused everywhere; two channels
refused; repeated
ambiguous; no check
`
    const shown = await grid(completions, (line) => {
      const [response = '', option] = line.split('; ')
      const files = of(lists[response] ?? ok({}), {
        confirm: option !== 'no check',
        repeated: option === 'repeated',
        inChannels: option === 'two channels' ? 2 : 1,
      })
      return files.join(' ') || 'none'
    })
    expect(shown).toMatchInlineSnapshot(`
"all listed
    F1
all listed; no check
    none
F1 shown in C1; two channels
    F1
F1 shown in C1
    none
one missing
    F1 F2 F3
empty list; no check
    F1 F2 F3
no list
    F1 F2 F3
a list without IDs
    F1 F2 F3
no list; no check
    none
not sent
    none
refused
    none
refused; two channels
    F1 F2 F3
refused everywhere; two channels
    none
refused; repeated
    F1 F2 F3
ambiguous; no check
    F1 F2 F3"
`)
  })
})
