import { describe, expect, test } from '@jest/globals'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import type { LookupResult } from '../../../../src/service/record.ts'
import type { ServiceEvent } from '../../../../src/service/service.ts'
import {
  confirming,
  pollFile,
  pollFiles,
  reconciling,
  type Schedule,
} from '../../../../src/service/slack/file-lookup.ts'
import { quoted, text } from '../../../../src/text/text.ts'
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
/** A lookup after each of the delays. */
const lookingAfter = (delays: readonly number[]) => {
  const window = delays.reduce((sum, delay) => sum + delay)
  return { delays, window, bytes: 0, reason: text`late` }
}
const quick: Schedule = lookingAfter([0, 1_000, 2_000, 3_000])
const confirm: Schedule = { ...confirming, bytes: 0 }
const reconcile = { ...reconciling, bytes: 0 }

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

const visible = ({ sightings }: LookupResult) => sightings.map(({ channel }) => channel.id)

describe('One lookup', () => {
  test.each<[Reply, boolean, string | undefined]>([
    [missing, true, undefined],
    [{ ok: true }, false, '`files.info` responded without a file'],
    [{ ok: true, file: { id: 'F2' } }, false, '`files.info` responded with another file'],
    [{ ok: true, file: {} }, false, '`files.info` responded with another file'],
    [{ ok: false, error: 'missing_scope' }, false, undefined],
    [{ ok: false, error: 'invalid_auth' }, false, '`invalid_auth`'],
    [{ ok: false, error: 'no_permission' }, false, '`no_permission`'],
    [{ ok: false, error: 'unknown_method' }, false, '`unknown_method`'],
    [response(404), false, '`http_404`'],
    [{ ok: false, error: 'file_deleted' }, true, '`file_deleted`'],
    [{ ok: false, error: 'tea_time' }, true, '`tea_time`'],
    [{ ok: false, error: 'already_deleted' }, false, '`already_deleted`'],
    [{ ok: false }, false, '`no_error_code`'],
    [outage, false, '`http_500`'],
    [response(500, missing), false, '`file_not_found`'],
    [response(403), false, '`http_403`'],
    [response(307), false, '`http_307`'],
    [response(200, '<html>'), false, '`web_page`'],
    [new NoResponseError('ECONNRESET', true, 'lost'), false, 'no response (`ECONNRESET`)'],
  ])('with the response %j', async (reply, isReliable, reason) => {
    const seen = await poll([reply])
    expect([seen.result, seen.isReliable, seen.reason && quoted(seen.reason)]).toEqual([
      'unknown',
      isReliable,
      reason,
    ])
  })
})

describe('A file is polled', () => {
  test('until it is visible in every channel, and its ts are known', async () => {
    const replies = [
      missing,
      record({ C1: [{ ts }] }),
      record({}, { channels: ['C2'] }),
      record({ C2: [{ ts: '5' }] }),
    ]
    const { sightings, times } = await poll(replies)
    expect(times).toHaveLength(4)
    expect(sightings).toMatchObject([
      { channel: channels[0], ts },
      { channel: channels[1], ts: '5' },
    ])
  })

  test('without a ts only for so long, and not at all if the list of shares is cut short', async () => {
    const listed = { channels: ['C1', 'C2'] }
    const waits = Array.from({ length: 20 }, () => 1_000)
    expect((await poll([record({}, listed)], lookingAfter(waits))).times).toHaveLength(13)
    expect(
      (await poll([record({}, { ...listed, has_more_shares: true })], lookingAfter(waits))).times,
    ).toHaveLength(1)
  })

  test('until a lookup shows that another is of no use', async () => {
    const { times, isReliable } = await poll([missing, { ok: false, error: 'invalid_auth' }])
    expect([isReliable, times]).toEqual([false, [0, 1_000]])
  })

  test('for as long as it took, wherever the clock began', async () => {
    const { api, clock, deadline, onEvent, play } = scriptedService({ [method]: [found] })
    const later = clock
      .sleep(5_000)
      .then(() => pollFile({ api, deadline, onEvent }, 'F1', { channels }, quick))
    expect((await play(later)).milliseconds).toBe(6_000)
  })

  test('once more when the time is over, if lookups are slow', async () => {
    const slow = { ...found, after: 2_000 }
    expect((await poll([slow], lookingAfter([0, 4_000, 1_000]))).times).toEqual([0, 5_000])
  })

  test.each([
    ['files:read', 2],
    ['files:write', 1],
  ])('only if the token may: %s', async (scope, count) => {
    const scopes = response(200, { ok: true }, { 'x-oauth-scopes': scope })
    const { api, deadline, onEvent, play, requests } = scriptedService({
      [method]: [found],
      'a.b': [scopes],
    })
    await play(api.call('a.b', {}, { safeToRepeat: true }))
    const schedule = lookingAfter([0])
    const seen = await play(pollFile({ api, deadline, onEvent }, 'F1', { channels }, schedule))
    expect(requests).toHaveLength(count)
    expect(seen).toMatchObject(
      count === 2 ? { result: 'found' } : { isReliable: false, lacksScope: true },
    )
  })

  test('until the run is canceled', async () => {
    const { milliseconds, ...seen } = await poll([found], { cancelAt: 5_000 })
    expect(seen).toMatchObject({
      aborted: true,
      result: 'found',
      times: [0, 1_000, 3_000],
      reported: [[3_000, {}]],
    })
    expect(milliseconds).toBe(5_000)
  })

  test('and a lookup that is under way when the run is canceled still counts', async () => {
    const late = { ...record({ C1: [{ ts }], C2: [{ ts }] }), after: 1_000 }
    expect(visible(await poll([late], { cancelAt: 500 }))).toEqual(['C1', 'C2'])
  })

  test.each<[string, Schedule, readonly Reply[], readonly number[]]>([
    [
      'not if it is visible soon',
      confirm,
      [found, found, record({ C1: [{ ts }], C2: [{ ts }] })],
      [],
    ],
    [
      'from the first wait that ends late',
      confirm,
      [
        ...Array.from({ length: 7 }, () => found),
        record({}, { channels: ['C1', 'C2'], has_more_shares: true }),
      ],
      [3_000, 4_000],
    ],
    ['not after the last lookup', quick, [found], [3_000]],
    ['after a slow lookup', quick, [{ ...found, after: 2_500 }, missing], [2_500, 3_500, 5_500]],
  ])('and reports that it waits: %s', async (_what, schedule, replies, at) => {
    const event = { kind: 'lookups', milliseconds: schedule.window, reason: schedule.reason }
    expect((await poll(replies, schedule)).reported).toEqual(at.map((time) => [time, event]))
  })

  test('and what was seen once counts', async () => {
    expect((await poll([found, missing, outage])).result).toBe('found')
    expect(await poll([missing, outage])).toMatchObject({ result: 'unknown', isReliable: true })
    expect(await poll([outage, missing])).toMatchObject({ result: 'unknown', isReliable: true })
    const seen = await poll([
      record({ C1: [{ ts }] }, { size: 1 }),
      record({}, { channels: ['C1'], size: 2 }),
    ])
    expect([seen.sightings, seen.records]).toMatchObject([[{ ts }], [{ size: 2 }]])
    const listed = record({}, { channels: ['C1'] })
    expect(visible(await poll([listed, found]))).toEqual(['C1'])
    expect(
      (await poll([record({ C1: [{ ts }] }), listed], { threadTs: '1.5' })).sightings,
    ).toMatchObject([{ ts }])
  })

  test('and after a record, lookups without an answer leave open whether the message is there', async () => {
    expect((await poll([found, outage])).isReliable).toBe(false)
    expect((await poll([missing, found, outage, outage])).isReliable).toBe(false)
    expect((await poll([found, outage, missing, outage])).isReliable).toBe(true)
    expect((await poll([found, outage, found])).isReliable).toBe(true)
  })

  const fresh = (shares = {}) => record(shares, { mimetype: '', filetype: '' })
  const shown = record({ C1: [{ ts }], C2: [{ ts }] }, { mimetype: 'text/csv', filetype: 'csv' })

  test.each<[string, Reply, number]>([
    ['a minute if it is processed', record({}, { mimetype: 'text/csv', filetype: 'csv' }), 60],
    ['a minute if one of both members is there', record({}, { mimetype: '', filetype: 'csv' }), 60],
    ['a minute on a server without both members', found, 60],
    ['three minutes if it is not processed', fresh(), 180],
  ])('for %s', async (_what, reply, seconds) => {
    expect((await poll([reply], confirm)).milliseconds).toBe(seconds * 1_000)
    const large = { ...confirm, bytes: 300e6 }
    expect((await poll([reply], large)).milliseconds).toBe(seconds * 1_000 + 30_000)
  })

  test('for half a minute more after it was processed late, and not for more than three minutes', async () => {
    // At 70 s, the last one.
    const late = Array.from({ length: 15 }, () => fresh())
    expect((await poll([...late, found], confirm)).milliseconds).toBe(101_000)
    expect((await poll([...late, found, found, shown], confirm)).sightings).toHaveLength(2)
    const later = Array.from({ length: 25 }, () => fresh())
    expect((await poll([...later, found], confirm)).milliseconds).toBe(180_000)
  })

  test('for its ts and its thread from when it is visible in every channel', async () => {
    const listed = record({}, { channels: ['C1', 'C2'] })
    const late = await poll(
      [...Array.from({ length: 9 }, () => found), listed, listed, shown],
      confirm,
    )
    expect(late.sightings).toMatchObject([{ ts }, { ts }])
    const reply = { ts, thread_ts: '1.5' }
    const elsewhere = record({ C1: [{ ts: '9' }], C2: [reply] })
    const inThread = await poll([elsewhere, elsewhere, record({ C1: [reply], C2: [reply] })], {
      ...confirm,
      threadTs: '1.5',
    })
    expect(inThread.sightings).toMatchObject([{ ts, isInPlace: true }, { isInPlace: true }])
    const never = await poll([elsewhere], { ...confirm, threadTs: '1.5' })
    expect([never.milliseconds, never.sightings[0]?.isInPlace]).toEqual([12_000, false])
  })

  test.each([429, 503])(
    'for at most five seconds more if the service asks to wait, with %i',
    async (status) => {
      const limit = (seconds: number) => response(status, '', { 'retry-after': `${seconds}` })
      expect((await poll([limit(10), found])).times).toEqual([0, 10_000])
      expect((await poll([limit(11), found])).times).toEqual([0])
    },
  )

  test('for at most five seconds more if lookups get no response', async () => {
    const silence = new NoResponseError('STALLED', true, 'no response')
    const silent = Object.assign(silence, { after: 50_000 })
    expect(await poll([silent], confirm)).toMatchObject({ isReliable: false, milliseconds: 65_000 })
  })
})

test('What is kept of a record is small', async () => {
  const { records } = await poll([{ ok: true, file: { ...found.file, content: 'x' } }])
  expect(records.map((kept) => Object.keys(kept))).toEqual([['id', 'shares']])
})

describe('A file is absent', () => {
  const seconds = (...times: number[]) => times.map((second) => second * 1_000)

  test('if the service does not know it for 30 s', async () => {
    const { result, times } = await poll([missing], reconcile)
    expect([result, times]).toEqual(['absent', seconds(1, 2, 4, 7, 12, 20, 30)])
  })

  test.each<[string, Reply, ...late: unknown[]]>([
    ['an outage', outage, 'absent', 80_000],
    ['an outage that quotes the code', response(500, missing), 'absent', 80_000],
    ['an error about the file', { ok: false, error: 'file_deleted' }, 'unknown', 60_000],
    ['another file', { ok: true, file: { id: 'F2' } }, 'absent', 80_000],
  ])('where the time starts again after %s', async (_what, other, ...expected) => {
    const first = await poll([other, other, missing], reconcile)
    expect([first.result, first.times]).toEqual(['absent', seconds(1, 2, 4, 7, 12, 20, 30, 40)])
    const between = await poll([missing, missing, missing, other, missing], reconcile)
    expect([between.result, between.times.at(-1)]).toEqual(['absent', 40_000])
    const late = await poll(
      [missing, missing, missing, missing, missing, other, missing],
      reconcile,
    )
    expect([late.result, late.times.at(-1)]).toEqual(['absent', 50_000])
    const later = await poll(
      [...Array.from({ length: 7 }, () => other), missing, other, missing],
      reconcile,
    )
    expect([later.result, later.times.at(-1)]).toEqual(expected)
  })

  test('only after a second more for each 10 MB', async () => {
    const large = { ...reconcile, bytes: 300e6 }
    const { result, times } = await poll([missing], large)
    expect([result, times.at(-1)]).toEqual(['absent', 60_000])
    const missed = Array.from({ length: 8 }, () => missing)
    expect((await poll([...missed, found], large)).result).toBe('found')
  })

  test('not if it was found once', async () => {
    const { result, times } = await poll([found, missing], reconcile)
    expect([result, times.at(-1)]).toEqual(['found', 60_000])
  })

  // The first lookup takes its 30 s on a dead connection.
  test('also if the service responds late, for up to three minutes', async () => {
    const silent = Object.assign(new NoResponseError('STALLED', true, ''), { after: 30_000 })
    const { result, times } = await poll([silent, silent, missing], reconcile)
    expect([result, times.at(-1)]).toEqual(['absent', 93_000])
    expect(await poll([outage], reconcile)).toMatchObject({
      result: 'unknown',
      isReliable: false,
      milliseconds: 180_000,
    })
    // Whoever only confirms a message does not wait longer.
    expect((await poll([silent, missing], confirm)).milliseconds).toBe(60_000)
  })

  test('also where nobody waits for it', async () => {
    expect(await poll([missing], lookingAfter(seconds(0, 10, 10, 10)))).toMatchObject({
      result: 'absent',
    })
  })
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
      result: 'found',
      sightings: [{ channel: { id: 'C2' }, ts: '1.5' }],
    })
    expect(seen.records.map(({ id }) => id)).toEqual(['F1', 'F2'])
    expect(visible(await byFile({ F1: inChannels('F1', 'C1'), F2: missing }))).toEqual([])
  })

  test.each<[LookupResult['result'], Reply, Reply]>([
    ['absent', missing, missing],
    ['unknown', missing, inChannels('F2', 'C1', 'C2')],
    ['found', inChannels('F1'), missing],
  ])('are %s if some of them are gone', async (result, first, second) => {
    expect((await byFile({ F1: first, F2: second }, 10, 10, 10)).result).toBe(result)
  })

  test.each<[string, Reply, Reply, Partial<LookupResult>]>([
    [
      'an answer about one that is not visible',
      outage,
      missing,
      { result: 'unknown', isReliable: true },
    ],
    [
      'the one that is not visible',
      inChannels('F1', 'C1', 'C2'),
      outage,
      { result: 'unknown', isReliable: false },
    ],
    [
      'the first if all are visible',
      inChannels('F1', 'C1', 'C2'),
      inChannels('F2', 'C1', 'C2'),
      { result: 'found' },
    ],
  ])('have the result of %s', async (_what, first, second, expected) => {
    expect(await byFile({ F1: first, F2: second })).toMatchObject(expected)
  })
})

test('Lookups of a message that should be visible say what they wait for', () => {
  expect(quoted(confirming.reason)).toBe('it is not visible in every channel yet')
})
