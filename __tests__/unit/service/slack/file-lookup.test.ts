import { describe, expect, test } from '@jest/globals'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import type { LookupResult } from '../../../../src/service/record.ts'
import type { ServiceEvent } from '../../../../src/service/service.ts'
import {
  pollFile,
  pollFiles,
  type Schedule,
  usualTimes,
} from '../../../../src/service/slack/file-lookup.ts'
import { quoted, text } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const method = 'files.info'
const ts = '1760688662.900279'
const channels = ['C1', 'C2'].map((id) => ({ id, requested: `#${id}` }))
const record = (shares = {}, more = {}) => ({
  ok: true,
  file: { id: 'F1', shares: { public: shares }, ...more },
})
const found = record()
const missing = { ok: false, error: 'file_not_found' }
const outage = response(500)
/** Looks after each delay. */
const lookingAfter = (delays: readonly number[]) => {
  const window = delays.reduce((sum, delay) => sum + delay)
  return { delays, window, bytes: 0, reason: text`late` }
}
const quick: Schedule = lookingAfter([0, 1_000, 2_000, 3_000])
const confirm: Schedule = { ...quick, ...usualTimes }
const reconcile: Schedule = { ...confirm, untilAbsent: true }

interface Options extends Partial<Schedule> {
  readonly cancelAt?: number
  readonly threadTs?: string
}

async function poll(replies: readonly Reply[], { cancelAt, threadTs, ...schedule }: Options = {}) {
  const { api, clock, deadline, play, requests } = scriptedService({ [method]: replies })
  if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => deadline.cancel())
  const target = { channels, ...(threadTs !== undefined && { threadTs }) }
  const reported: [at: number, event: ServiceEvent][] = []
  const onEvent = (event: ServiceEvent) => reported.push([clock.now(), event])
  const seen = await play(
    pollFile({ api, deadline, onEvent }, 'F1', target, { ...quick, ...schedule }),
  )
  return { ...seen, times: requests.map(({ at }) => at), requests, reported }
}

const stateOf = ({ isAbsent, records }: Pick<LookupResult, 'isAbsent' | 'records'>) =>
  isAbsent ? 'absent' : records.length > 0 ? 'found' : 'unknown'
const visible = ({ sightings }: LookupResult) => sightings.map(({ channel }) => channel.id)

const both = { C1: [{ ts }], C2: [{ ts }] }
const listed = { channels: ['C1', 'C2'] }
const reply = { ts, thread_ts: '1.5' }
const silence = new NoResponseError('STALLED', true, 'no response')
/** Responses to lookups, by their signs in a script. */
const signs: Readonly<Record<string, Reply>> = {
  // Unknown file, or file in no channel.
  '-': missing,
  '.': found,
  // In one channel, both, both without a ts, or in a list that is cut off.
  1: record({ C1: [{ ts }] }, { size: 1 }),
  '1L': record({}, { channels: ['C1'], size: 2 }),
  '2L': record({}, { channels: ['C2'] }),
  C2: record({ C2: [{ ts: '5' }] }),
  '+': record(both, { mimetype: 'text/csv', filetype: 'csv' }),
  L: record({}, listed),
  more: record({}, { ...listed, has_more_shares: true }),
  // One or both of two messages are replies in the thread 1.5.
  t: record({ C1: [{ ts: '9' }], C2: [reply] }),
  T: record({ C1: [reply], C2: [reply] }),
  // Not, half or fully processed.
  n: record({}, { mimetype: '', filetype: '' }),
  h: record({}, { mimetype: '', filetype: 'csv' }),
  p: record({}, { mimetype: 'text/csv', filetype: 'csv' }),
  // Says nothing about the file.
  500: outage,
  '500-': response(500, missing),
  del: { ok: false, error: 'file_deleted' },
  other: { ok: true, file: { id: 'F2' } },
  auth: { ok: false, error: 'invalid_auth' },
  silent: Object.assign(silence, { after: 50_000 }),
  // Like a dead connection.
  dead: Object.assign(new NoResponseError('STALLED', true, ''), { after: 30_000 }),
  // Late responses.
  '.2.5s': { ...found, after: 2_500 },
  '.2s': { ...found, after: 2_000 },
  '+1s': { ...record(both), after: 1_000 },
  ...Object.fromEntries(
    [429, 503].flatMap((status) =>
      ['10', '11'].map((wait) => [
        `${status},${wait}`,
        response(status, '', { 'retry-after': wait }),
      ]),
    ),
  ),
}
const scheduleOf: Readonly<Record<string, Options>> = {
  confirm,
  reconcile,
  'confirm 300 MB': { ...confirm, bytes: 300e6 },
  'reconcile 300 MB': { ...reconcile, bytes: 300e6 },
  'confirm in a thread': { ...confirm, threadTs: '1.5' },
  'quick in a thread': { threadTs: '1.5' },
  quick: {},
  'each second': lookingAfter(Array.from({ length: 20 }, () => 1_000)),
  'each 10 s': lookingAfter([0, 10_000, 10_000, 10_000]),
  late: lookingAfter([0, 4_000, 1_000]),
  'canceled at 0.5 s': { cancelAt: 500 },
  'canceled at 5 s': { cancelAt: 5_000 },
}
const inSeconds = (milliseconds: number) => milliseconds / 1_000

/** A script, whose last sign repeats; `× 12` repeats another. Shows what was seen, and when. */
async function played(row: string): Promise<string> {
  const [name = '', script = ''] = row.split(': ')
  const replies = script.split(' ').flatMap((part) => {
    const [sign = '', times = '1'] = part.split('×')
    return Array<Reply>(Number(times)).fill(signs[sign] ?? missing)
  })
  const seen = await poll(replies, scheduleOf[name])
  const places = seen.sightings.map(
    ({ channel, isInPlace, ts: at }) =>
      channel.id + (at === undefined ? ' no ts' : '') + (isInPlace === false ? ' not there' : ''),
  )
  const waits = seen.reported.flatMap(([at, { kind }]) => (kind === 'lookups' ? inSeconds(at) : []))
  return [
    row.padEnd(32),
    stateOf(seen) + (seen.isConclusive ? '' : ', not reliable') + (seen.aborted ? ', aborted' : ''),
    places.join(', '),
    `at ${seen.times.map(inSeconds).join(' ')} until ${inSeconds(seen.milliseconds)}`,
    waits.length > 0 ? `waits ${waits[0]}…${waits.at(-1)}` : '',
  ]
    .filter(Boolean)
    .join(' | ')
}

const scripts = `
quick: -
quick: .
# Until it is visible in every channel, and its ts are known
quick: - 1 2L C2
# Until a lookup shows that another is of no use
quick: - auth
# What was seen once counts
quick: . - 500
quick: - 500
quick: 500 -
quick: 1 1L
quick: 1L .
quick in a thread: 1 1L
# After a record, lookups without an answer leave open whether the message is there
quick: . 500
quick: - . 500 500
quick: . 500 - 500
quick: . 500 .
# A slow lookup, a request to wait: at most five seconds more
quick: .2.5s -
quick: 429,10 .
quick: 429,11 .
quick: 503,10 .
quick: 503,11 .
# Without a ts, only for so long
each second: L
each second: more
each 10 s: -
late: .2s
canceled at 5 s: .
canceled at 0.5 s: +1s
# A minute, or three if it is not processed; half a minute more after it was processed late
confirm: . . +
confirm: .×7 more
confirm: .
confirm: p
confirm: h
confirm: n
confirm 300 MB: .
confirm 300 MB: n
confirm: n×15 .
confirm: n×15 . . +
confirm: n×25 .
# The ts and the thread, from when it is visible in every channel
confirm: .×9 L L +
confirm in a thread: t t T
confirm in a thread: t
confirm: silent
confirm: dead -
# Absent: unknown for 30 s without a break, a second more for each 10 MB
reconcile: -
reconcile: 500
reconcile: 500 500 -
reconcile: 500- 500- -
reconcile: del del -
reconcile: other other -
reconcile: - - - 500 -
reconcile: - - - del -
reconcile: - - - 500- -
reconcile: - - - other -
reconcile: - - - - - 500 -
reconcile: - - - - - 500- -
reconcile: - - - - - del -
reconcile: - - - - - other -
reconcile: 500×7 - 500 -
reconcile: 500-×7 - 500- -
reconcile: del×7 - del -
reconcile: other×7 - other -
reconcile: . -
# Also if the service responds late, for up to three minutes
reconcile: dead dead -
reconcile 300 MB: -
reconcile 300 MB: -×8 .
`
test('what lookups show, one after the other, says what is known of the message', async () => {
  const rows = await Promise.all(
    scripts
      .trim()
      .split('\n')
      .map((row) => (row.startsWith('#') ? row : played(row))),
  )
  expect(rows.join('\n')).toMatchInlineSnapshot(`
"quick: -                         | unknown | at 0 1 3 6 until 6 | waits 3…3
quick: .                         | found | at 0 1 3 6 until 6 | waits 3…3
# Until it is visible in every channel, and its ts are known
quick: - 1 2L C2                 | found | C1, C2 | at 0 1 3 6 until 6 | waits 3…3
# Until a lookup shows that another is of no use
quick: - auth                    | unknown, not reliable | at 0 1 until 1
# What was seen once counts
quick: . - 500                   | found | at 0 1 3 6 until 6 | waits 3…3
quick: - 500                     | unknown | at 0 1 3 6 until 6 | waits 3…3
quick: 500 -                     | unknown | at 0 1 3 6 until 6 | waits 3…3
quick: 1 1L                      | found | C1 | at 0 1 3 6 until 6 | waits 3…3
quick: 1L .                      | found | C1 no ts | at 0 1 3 6 until 6 | waits 3…3
quick in a thread: 1 1L          | found | C1 not there | at 0 1 3 6 until 6 | waits 3…3
# After a record, lookups without an answer leave open whether the message is there
quick: . 500                     | found, not reliable | at 0 1 3 6 until 6 | waits 3…3
quick: - . 500 500               | found, not reliable | at 0 1 3 6 until 6 | waits 3…3
quick: . 500 - 500               | found | at 0 1 3 6 until 6 | waits 3…3
quick: . 500 .                   | found | at 0 1 3 6 until 6 | waits 3…3
# A slow lookup, a request to wait: at most five seconds more
quick: .2.5s -                   | found | at 0 3.5 5.5 6 until 6 | waits 2.5…5.5
quick: 429,10 .                  | found | at 0 10 until 10
quick: 429,11 .                  | unknown, not reliable | at 0 until 6 | waits 3…3
quick: 503,10 .                  | found | at 0 10 until 10
quick: 503,11 .                  | unknown, not reliable | at 0 until 6 | waits 3…3
# Without a ts, only for so long
each second: L                   | found | C1 no ts, C2 no ts | at 1 2 3 4 5 6 7 8 9 10 11 12 13 until 13 | waits 3…12
each second: more                | found | C1 no ts, C2 no ts | at 1 until 1
each 10 s: -                     | absent | at 0 10 20 30 until 30 | waits 0…20
late: .2s                        | found | at 0 5 until 7 | waits 2…2
canceled at 5 s: .               | found, aborted | at 0 1 3 until 5 | waits 3…3
canceled at 0.5 s: +1s           | found | C1, C2 | at 0 until 1
# A minute, or three if it is not processed; half a minute more after it was processed late
confirm: . . +                   | found | C1, C2 | at 0 1 1.5 until 1.5
confirm: .×7 more                | found | C1 no ts, C2 no ts | at 0 1 1.5 2 3 5 10 20 until 20 | waits 3…10
confirm: .                       | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
confirm: p                       | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
confirm: h                       | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
confirm: n                       | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170 180 until 180 | waits 3…170
confirm 300 MB: .                | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 until 90 | waits 3…80
confirm 300 MB: n                | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170 180 190 200 210 until 210 | waits 3…200
confirm: n×15 .                  | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 121 until 121 | waits 3…120
confirm: n×15 . . +              | found | C1, C2 | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 until 120 | waits 3…110
confirm: n×25 .                  | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170 180 until 180 | waits 3…170
# The ts and the thread, from when it is visible in every channel
confirm: .×9 L L +               | found | C1, C2 | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
confirm in a thread: t t T       | found | C1, C2 | at 0 1 1.5 until 1.5
confirm in a thread: t           | found | C1 not there, C2 | at 0 1 1.5 2 3 5 10 20 until 20 | waits 3…10
confirm: silent                  | unknown, not reliable | at 0 51 until 65 | waits 50…50
confirm: dead -                  | absent | at 0 31 31.5 32 33 35 40 50 60 until 60 | waits 30…50
# Absent: unknown for 30 s without a break, a second more for each 10 MB
reconcile: -                     | absent | at 0 1 1.5 2 3 5 10 20 30 until 30 | waits 3…20
reconcile: 500                   | unknown, not reliable | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170 180 until 180 | waits 3…170
reconcile: 500 500 -             | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: 500- 500- -           | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: del del -             | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: other other -         | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - 500 -           | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - del -           | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - 500- -          | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - other -         | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - - - 500 -       | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - - - 500- -      | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - - - del -       | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: - - - - - other -     | absent | at 0 1 1.5 2 3 5 10 20 30 40 until 40 | waits 3…30
reconcile: 500×7 - 500 -         | absent | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
reconcile: 500-×7 - 500- -       | absent | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
reconcile: del×7 - del -         | absent | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
reconcile: other×7 - other -     | absent | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
reconcile: . -                   | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
# Also if the service responds late, for up to three minutes
reconcile: dead dead -           | absent | at 0 31 61.5 62 63 65 70 80 90 92 until 92 | waits 30…90
reconcile 300 MB: -              | absent | at 0 1 1.5 2 3 5 10 20 30 40 50 60 until 60 | waits 3…50
reconcile 300 MB: -×8 .          | found | at 0 1 1.5 2 3 5 10 20 30 40 50 60 70 80 90 until 90 | waits 3…80"
`)
})

test('one lookup says whether others are of use, and why', async () => {
  const refusal = (error: string) => ({ ok: false, error })
  const codes =
    'missing_scope invalid_auth no_permission unknown_method file_deleted tea_time already_deleted'
  const replies: readonly Reply[] = [
    missing,
    { ok: true },
    { ok: true, file: { id: 'F2' } },
    { ok: true, file: {} },
    { ok: false },
    ...codes.split(' ').map(refusal),
    ...[307, 403, 404, 500].map((status) => response(status)),
    response(500, missing),
    response(200, '<html>'),
    new NoResponseError('ECONNRESET', true, 'lost'),
  ]
  const rows = replies.map(async (reply) => {
    const { reason = [], ...seen } = await poll([reply])
    return `${stateOf(seen)} ${seen.isConclusive ? '+' : '-'} ${quoted(reason)}`
  })
  expect((await Promise.all(rows)).join('\n')).toMatchInlineSnapshot(`
"unknown + 
unknown - \`files.info\` responded without a file
unknown - \`files.info\` responded with another file
unknown - \`files.info\` responded with another file
unknown - \`no_error_code\`
unknown - 
unknown - \`invalid_auth\`
unknown - \`no_permission\`
unknown - \`unknown_method\`
unknown + \`file_deleted\`
unknown + \`tea_time\`
unknown - \`already_deleted\`
unknown - \`http_307\`
unknown - \`http_403\`
unknown - \`http_404\`
unknown - \`http_500\`
unknown - \`file_not_found\`
unknown - \`web_page\`
unknown - no response (\`ECONNRESET\`)"
`)
})

test('what was seen last of a ts and of a record counts, and what is kept is small', async () => {
  const seen = await poll([signs[1] ?? missing, signs['1L'] ?? missing])
  expect([seen.sightings, seen.records]).toMatchObject([[{ ts }], [{ size: 2 }]])
  const large = { content: 'x', channels: [[]], mimetype: [[]] }
  const { records } = await poll([{ ok: true, file: { ...found.file, ...large } }])
  expect(records).toEqual([{ id: 'F1' }])
})

test('a wait is reported with its length and its reason', async () => {
  const event = { kind: 'lookups', milliseconds: quick.window, reason: quick.reason }
  expect((await poll([found])).reported).toEqual([[3_000, event]])
})

test('a file is polled for as long as it took, wherever the clock began', async () => {
  const { api, clock, deadline, onEvent, play } = scriptedService({ [method]: [found] })
  const later = clock
    .sleep(5_000)
    .then(() => pollFile({ api, deadline, onEvent }, 'F1', { channels }, quick))
  expect((await play(later)).milliseconds).toBe(6_000)
})

test.each([
  ['files:read', 2, { records: [{ id: 'F1' }] }],
  ['files:write', 1, { isConclusive: false, lacksScope: true }],
])('a file is polled only if the token may: %s', async (scope, count, expected) => {
  const scopes = response(200, { ok: true }, { 'x-oauth-scopes': scope })
  const script = { [method]: [found], 'a.b': [scopes] }
  const { api, deadline, onEvent, play, requests } = scriptedService(script)
  await play(api.call('a.b', {}, { safeToRepeat: true }))
  const schedule = lookingAfter([0])
  const seen = await play(pollFile({ api, deadline, onEvent }, 'F1', { channels }, schedule))
  expect(requests).toHaveLength(count)
  expect(seen).toMatchObject(expected)
})

describe('The files of one message', () => {
  const byFile = async (replies: Readonly<Record<string, Reply>>, ...more: readonly number[]) => {
    const { api, deadline, http, onEvent, play } = scriptedService({})
    const ids = Object.keys(replies)
    http.send = async ({ body }) => {
      let form = ''
      for await (const chunk of body.chunks()) form += Buffer.from(chunk).toString()
      const id = new URLSearchParams(form).get('file') ?? ''
      const reply = replies[id] as { readonly status?: number }
      return reply.status === undefined ? response(200, reply) : response(reply.status)
    }
    return play(
      pollFiles(
        { api, deadline, onEvent },
        ids,
        { channels },
        lookingAfter([0, 1, ...more].map((second) => second * 1_000)),
      ),
    )
  }
  const inChannels = (id: string, ...ids: string[]) => ({
    ok: true,
    file: {
      id,
      shares: {
        public: Object.fromEntries(ids.map((channel) => [channel, [{ ts: `${id.slice(1)}.5` }]])),
      },
    },
  })

  test('are seen where all of them are, with the ts of the first', async () => {
    const seen = await byFile({ F1: inChannels('F1', 'C1', 'C2'), F2: inChannels('F2', 'C2') })
    expect(seen).toMatchObject({
      isAbsent: false,
      sightings: [{ channel: { id: 'C2' }, ts: '1.5' }],
    })
    expect(seen.records.map(({ id }) => id)).toEqual(['F1', 'F2'])
    expect(visible(await byFile({ F1: inChannels('F1', 'C1'), F2: missing }))).toEqual([])
  })

  test('have the result of those that are not visible, or of the first', async () => {
    const replies: Readonly<Record<string, (id: string) => Reply>> = {
      gone: () => missing,
      nowhere: (id) => inChannels(id),
      everywhere: (id) => inChannels(id, 'C1', 'C2'),
      500: () => outage,
    }
    const lines = `
gone, gone, for 31 s
gone, everywhere, for 31 s
nowhere, gone, for 31 s
500, gone
everywhere, 500
everywhere, everywhere
`
    const shown = await grid(lines, async (line) => {
      const [first = '', second = '', isLong] = line.split(', ')
      const [f1 = missing, f2 = missing] = [replies[first]?.('F1'), replies[second]?.('F2')]
      const seen = await byFile({ F1: f1, F2: f2 }, ...(isLong ? [10, 10, 10] : []))
      return (seen.isAbsent ? 'absent' : 'not absent') + (seen.isConclusive ? '' : ', not reliable')
    })
    expect(shown).toMatchInlineSnapshot(`
"gone, gone, for 31 s
    absent
gone, everywhere, for 31 s
    not absent
nowhere, gone, for 31 s
    not absent
500, gone
    not absent
everywhere, 500
    not absent, not reliable
everywhere, everywhere
    not absent"
`)
  })
})
