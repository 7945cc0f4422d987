import { describe, expect, test } from '@jest/globals'
import { type FileLookup, pollFile } from '../../../src/service/file-lookup.ts'
import { NoResponseError } from '../../../src/service/no-response.ts'
import { quoted } from '../../../src/text/text.ts'
import { type Reply, response, scriptedService } from '../../support/scripted-service.ts'

const method = 'files.info'
const found = { ok: true, file: { id: 'F1' } }
const missing = { ok: false, error: 'file_not_found' }
const outage = response(500)
const delays = [0, 1_000, 2_000, 3_000]
const never = () => false

interface Options {
  readonly enough?: (lookup: FileLookup, number: number) => boolean
  readonly untilAbsent?: boolean
  readonly cancelAt?: number
}

async function poll(
  replies: readonly Reply[],
  { enough = never, untilAbsent, cancelAt }: Options = {},
  waits = delays,
) {
  const { api, clock, deadline, play, requests } = scriptedService({ [method]: replies })
  if (cancelAt !== undefined) clock.sleep(cancelAt).then(() => deadline.cancel())
  const polling = pollFile(api, deadline, 'F1', waits, enough, ...(untilAbsent === undefined ? [] : [{ untilAbsent }]))
  const result = await play(polling)
  return { ...result, kind: result.best?.kind, times: requests.map(({ at }) => at), requests }
}

describe('One lookup', () => {
  test('asks for the file, once', async () => {
    const { best, requests } = await poll([found], { enough: () => true })
    expect(requests.map(({ form }) => form)).toEqual([{ file: 'F1' }])
    expect(best).toEqual({ kind: 'found', record: { id: 'F1' } })
  })

  test.each<[Reply, FileLookup['kind'], string, true | undefined]>([
    [{ ok: true }, 'not possible', '`files.info` responded without a file', undefined],
    [{ ok: true, file: { id: 'F2' } }, 'no result', '`files.info` responded with another file', undefined],
    [{ ok: true, file: {} }, 'no result', '`files.info` responded with another file', undefined],
    [{ ok: false, error: 'missing_scope' }, 'not possible', '`missing_scope`', true],
    [{ ok: false, error: 'invalid_auth' }, 'not possible', '`invalid_auth`', undefined],
    [{ ok: false, error: 'no_permission' }, 'not possible', '`no_permission`', undefined],
    [{ ok: false, error: 'unknown_method' }, 'not possible', '`unknown_method`', undefined],
    [response(404), 'not possible', '`http_404`', undefined],
    [{ ok: false, error: 'file_deleted' }, 'unclear', '`file_deleted`', undefined],
    [{ ok: false, error: 'tea_time' }, 'unclear', '`tea_time`', undefined],
    [outage, 'no result', '`http_500`', undefined],
    [response(500, missing), 'no result', '`file_not_found`', undefined],
    [response(403), 'no result', '`http_403`', undefined],
    [response(307), 'no result', '`http_307`', undefined],
    [response(200, '<html>'), 'no result', '`web_page`', undefined],
    [new NoResponseError('ECONNRESET', true, 'lost'), 'no result', '`ECONNRESET`', undefined],
  ])('with the response %j', async (reply, kind, reason, lacksScope) => {
    const { best } = await poll([reply])
    expect(best?.kind).toBe(kind)
    expect(best && 'reason' in best && quoted(best.reason)).toBe(reason)
    expect(best && 'lacksScope' in best ? best.lacksScope : undefined).toBe(lacksScope)
  })
})

describe('A file is polled', () => {
  test('after each of the delays', async () => {
    const { absent, aborted, kind, milliseconds, times } = await poll([found])
    expect({ absent, aborted, kind, milliseconds, times }).toEqual({
      absent: false,
      aborted: false,
      kind: 'found',
      milliseconds: 6_000,
      times: [0, 1_000, 3_000, 6_000],
    })
  })

  test('until a lookup is enough', async () => {
    const numbers: number[] = []
    const enough = (lookup: FileLookup, number: number) => {
      numbers.push(number)
      return lookup.kind === 'found'
    }
    expect((await poll([missing, outage, found], { enough })).times).toEqual([0, 1_000, 3_000])
    expect(numbers).toEqual([1, 2, 3])
  })

  test('until a lookup shows that another is of no use', async () => {
    expect(await poll([missing, { ok: false, error: 'invalid_auth' }])).toMatchObject({
      times: [0, 1_000],
      kind: 'missing',
    })
  })

  test('for as long as it took, wherever the clock began', async () => {
    const { api, clock, deadline, play } = scriptedService({ [method]: [found] })
    const later = clock.sleep(5_000).then(() => pollFile(api, deadline, 'F1', delays, never))
    expect((await play(later)).milliseconds).toBe(6_000)
  })

  test('once more after slow lookups, if the last of them had no result', async () => {
    const slow = (reply: object) => ({ ...reply, after: 2_000 })
    expect((await poll([slow(outage), slow(found)])).times).toEqual([0, 3_000, 7_000])
    expect((await poll([slow(outage)])).times).toEqual([0, 3_000, 7_000, 12_000])
    expect((await poll([slow(found)], {}, [0, 4_000, 1_000])).times).toEqual([0, 6_000])
  })

  test('if the token may', async () => {
    const { api, deadline, play, requests } = scriptedService({
      [method]: [found],
      'a.b': [response(200, { ok: true }, { 'x-oauth-scopes': 'files:read' })],
    })
    await play(api.call('a.b', {}, { safeToRepeat: true }))
    await play(pollFile(api, deadline, 'F1', [0], never))
    expect(requests).toHaveLength(2)
  })

  test('not at all if the token may not', async () => {
    const { api, deadline, play, requests } = scriptedService({
      'a.b': [response(200, { ok: true }, { 'x-oauth-scopes': 'files:write' })],
    })
    await play(api.call('a.b', {}, { safeToRepeat: true }))
    const { best, ...rest } = await play(pollFile(api, deadline, 'F1', delays, never))
    expect(best).toMatchObject({ kind: 'not possible', lacksScope: true })
    expect(best && 'reason' in best && quoted(best.reason)).toBe('`missing_scope`')
    expect(rest).toEqual({ absent: false, aborted: false, milliseconds: 0 })
    expect(requests).toHaveLength(1)
  })

  test('until the run is canceled', async () => {
    expect(await poll([found], { cancelAt: 2_000 })).toMatchObject({
      times: [0, 1_000],
      aborted: true,
      absent: false,
      kind: 'found',
      milliseconds: 2_000,
    })
  })

  test('and what was found once exists', async () => {
    expect((await poll([found, missing, outage])).kind).toBe('found')
    expect((await poll([missing, outage])).kind).toBe('missing')
    expect((await poll([outage, missing])).kind).toBe('missing')
  })

  test('and the last of two equal results counts', async () => {
    const { best } = await poll([found, { ok: true, file: { id: 'F1', size: 2 } }])
    expect(best).toEqual({ kind: 'found', record: { id: 'F1', size: 2 } })
  })

  test('for at most twice the time if a rate limit holds it up', async () => {
    const limit = (seconds: number) => response(429, '', { 'retry-after': `${seconds}` })
    expect((await poll([limit(11), found])).times).toEqual([0, 11_000])
    expect((await poll([limit(12), found])).times.slice(0, 2)).toEqual([0, 1_000])
  })
})

describe('A file is absent', () => {
  const untilAbsent = true

  test('if the service does not know it for the whole time', async () => {
    expect(await poll([missing], { untilAbsent })).toMatchObject({ absent: true, times: [0, 1_000, 3_000, 6_000] })
  })

  test('also where nobody waits for it', async () => {
    expect(await poll([missing])).toMatchObject({ absent: true })
  })

  test.each<[string, Reply]>([
    ['an outage', outage],
    ['an error about the file', { ok: false, error: 'file_deleted' }],
    ['another file', { ok: true, file: { id: 'F2' } }],
  ])('where the time starts again after %s', async (_what, other) => {
    const first = await poll([other, other, missing], { untilAbsent })
    expect(first).toMatchObject({ absent: true, times: [0, 1_000, 3_000, 6_000, 9_000] })
    const between = await poll([missing, missing, other, missing], { untilAbsent })
    expect(between).toMatchObject({ absent: true, times: [0, 1_000, 3_000, 6_000, 9_000] })
    const last = await poll([missing, missing, missing, other, missing], { untilAbsent })
    expect(last).toMatchObject({ absent: true, times: [0, 1_000, 3_000, 6_000, 9_000, 12_000] })
    const tooLate = await poll([missing, missing, missing, other, other, missing], { untilAbsent })
    expect(tooLate).toMatchObject({ absent: false, milliseconds: 12_000 })
  })

  test('not if it was found once', async () => {
    expect(await poll([found, missing], { untilAbsent })).toMatchObject({ absent: false, kind: 'found' })
  })

  test('not after an outage that lasted too long', async () => {
    expect(await poll([outage, outage, outage, outage, outage, missing], { untilAbsent })).toMatchObject({
      absent: false,
      kind: 'missing',
    })
    expect(await poll([outage], { untilAbsent })).toMatchObject({
      absent: false,
      kind: 'no result',
      milliseconds: 12_000,
    })
  })

  test('not if the last lookup had no result', async () => {
    expect(await poll([missing, missing, missing, outage], { untilAbsent })).toMatchObject({
      times: [0, 1_000, 3_000, 6_000, 9_000, 12_000],
      absent: false,
    })
  })
})
