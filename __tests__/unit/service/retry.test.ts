import { describe, expect, test } from '@jest/globals'
import { AbortedError } from '../../../src/deadline.ts'
import { createFailure } from '../../../src/service/errors/failures.ts'
import { NoResponseError } from '../../../src/service/http/no-response.ts'
import { readWebApi } from '../../../src/service/responses.ts'
import { Retry, type RetryOptions } from '../../../src/service/retry.ts'
import { quoted } from '../../../src/text/text.ts'
import {
  call,
  host,
  type Reply,
  response,
  scriptedService,
} from '../../support/scripted-service.ts'

const method = 'files.info'
const ok = { ok: true }
const apiRequest = {
  url: new URL(`https://${host}/api/${method}`),
  headers: {},
  body: { length: 1, chunks: () => [Buffer.from('a')] },
  authorized: true,
}
const limit = (seconds?: number) =>
  response(429, '', seconds === undefined ? {} : { 'retry-after': `${seconds}` })
const notConnected = new NoResponseError('ECONNREFUSED', false, 'no')
const lost = new NoResponseError('ECONNRESET', true, 'lost')
const silence = (after: number) =>
  Object.assign(new NoResponseError('STALLED', true, 'no response'), { after })

async function run(
  replies: readonly Reply[],
  options: Partial<RetryOptions> = {},
  milliseconds?: number,
) {
  const service = scriptedService({ [method]: replies }, milliseconds)
  const result = await service.play(
    service.api.call(method, {}, { safeToRepeat: true, ...options }),
  )
  const waits = service.events.flatMap((event) =>
    event.kind === 'wait' ? [event.milliseconds] : [],
  )
  return {
    ...service,
    result,
    waits,
    times: service.requests.map(({ at }) => at),
    end: service.clock.now(),
  }
}

/** A call of which each wait is as short as chance allows. */
async function runSoon(script: readonly Reply[]) {
  const service = scriptedService({ [method]: script })
  const retry = new Retry(service.deadline, service.onEvent, () => 0)
  const attempt = (signal: AbortSignal) => service.api.http.send({ ...apiRequest, signal })
  await service.play(retry.run(() => call, attempt, readWebApi, { safeToRepeat: true }))
  return service
}

describe('A call that fails', () => {
  test('is repeated after 1, 2, 4, 8 and 16 s at most, six times in all', async () => {
    const { result, times, waits } = await run([response(500)])
    expect(result).toMatchObject({ outcome: 'ambiguous', code: 'http_500' })
    expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000])
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  })

  test.each([
    [
      'a failure waits for half of the time at least',
      response(500),
      [500, 1_000, 2_000, 4_000, 8_000],
    ],
    ['a rate limit without a time may wait for no time', limit(), [0, 0, 0, 0, 0]],
  ])('by chance soon: %s', async (_, reply, expected) => {
    const { clock, requests } = await runSoon([reply, reply, reply, reply, reply, ok])
    const times = requests.map(({ at }) => at)
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(expected)
    expect(clock.now()).toBe(times.at(-1))
  })

  test('is repeated as often as asked, never more than 30 s later', async () => {
    const { times } = await run([response(500)], { maxFailures: 8 })
    expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000])
  })

  test.each([
    ['a success', ok, true, 1],
    ['a refusal', { ok: false, error: 'tea_time' }, true, 1],
    ['an ambiguous response', response(500), false, 1],
    ['a lost response', lost, false, 1],
    ['a lost response that makes nothing visible', lost, true, 2],
    ['no connection', notConnected, false, 2],
    ['a rate limit', limit(1), false, 2],
    ['an error that is permanent', new NoResponseError('proxy_401', false, 'no'), true, 1],
  ])(
    'with %s is called so many times: %s, %s, %i',
    async (_what, reply: Reply, safeToRepeat, attempts) => {
      const { times } = await run([reply, ok], { safeToRepeat })
      expect(times).toHaveLength(attempts)
    },
  )

  test.each([
    // The third attempt would begin after 2 s.
    [200_000, 403_000 + 150_000, 2],
    [200_000, 403_001 + 150_000, 3],
    [30_000, 63_000 + 30_000, 2],
    [30_000, 63_001 + 30_000, 3],
  ])(
    'by no response for %i ms is repeated only if nearly as much time is left: %i ms, %i',
    async (after, time, count) => {
      const { times } = await run([silence(after), silence(after), ok], {}, time)
      expect(times).toHaveLength(count)
    },
  )

  test('throws what is not of the network', async () => {
    const { deadline, play, retry } = scriptedService({})
    const attempt = async () => {
      throw new TypeError('a fault of the action')
    }
    await expect(
      play(retry.run(() => call, attempt, readWebApi, { safeToRepeat: true })),
    ).rejects.toThrow('a fault of the action')
    expect(deadline.problem).toBeUndefined()
  })
})

test('An outage that names a time is waited out as a rate limit is', async () => {
  const outage = response(503, '', { 'retry-after': '12' })
  const { result, times } = await run([outage, outage, outage, ok], { maxFailures: 1 })
  expect([result.outcome, times]).toEqual(['succeeded', [0, 12_000, 24_000, 36_000]])
  expect((await run([outage], { safeToRepeat: false })).times).toEqual([0])
})

describe('A rate limit', () => {
  test('is waited out for as long as the service asks, and does not count as an attempt', async () => {
    const { result, times } = await run([...Array.from({ length: 6 }, () => limit(2)), ok], {
      maxFailures: 1,
    })
    expect(result.outcome).toBe('succeeded')
    expect(times).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000])
  })

  test.each([[limit()], [limit(0)], [limit(0.001)]])(
    'without a usable time backs off: %j',
    async (reply) => {
      expect((await run([reply, reply, reply, ok])).times).toEqual([0, 1_000, 3_000, 7_000])
    },
  )

  test('and failures back off each for itself', async () => {
    expect((await run([response(500), limit(5), response(500), ok])).times).toEqual([
      0, 1_000, 6_000, 8_000,
    ])
  })

  test('that lasts longer than the call may wait ends it', async () => {
    const { result, times } = await run([limit(5)], { noWaitAfter: 5_000 })
    expect(result).toMatchObject({ outcome: 'rate limited', code: 'http_429' })
    expect(times).toEqual([0])
    expect((await run([limit(5), ok], { noWaitAfter: 5_001 })).times).toEqual([0, 5_000])
    expect((await run([limit(5), limit(5), ok], { noWaitAfter: 9_000 })).times).toEqual([0, 5_000])
  })

  test('that lasts longer than the call may wait is kept by the next calls too', async () => {
    const { api, clock, play, requests } = scriptedService({ [method]: [limit(60), ok] })
    const look = (more = {}) => api.call(method, {}, { safeToRepeat: true, ...more })
    const later = async () => {
      const results = [await look({ noWaitAfter: 5_000 }), await look({ noWaitAfter: 5_000 })]
      await clock.sleep(57_000)
      return [...results, await look({ noWaitAfter: 5_000 })]
    }
    const results = await play(later())
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'rate limited',
      'rate limited',
      'succeeded',
    ])
    expect(results[1]).toMatchObject({ code: 'http_429', retryAfter: 60_000 })
    expect(requests.map(({ at }) => at)).toEqual([0, 60_000])
  })

  test('that lasts longer than the run ends the call', async () => {
    expect((await run([limit(10)], {}, 10_000)).result).toMatchObject({
      code: 'http_429',
      retryAfter: 10_000,
    })
    expect((await run([limit(10), ok], {}, 10_001)).result.outcome).toBe('succeeded')
  })

  test('holds for every call of the method, is reported once, and leaves other methods alone', async () => {
    const service = scriptedService({ [method]: [limit(3), limit(3), ok], 'a.b': [ok] })
    const calls = [method, method, 'a.b'].map((name) =>
      service.api.call(name, {}, { safeToRepeat: true }),
    )
    const late = service.clock
      .sleep(1_000)
      .then(() => service.api.call(method, {}, { safeToRepeat: true }))
    await service.play(Promise.all([...calls, late]))
    expect(service.requests.map((request) => [request.method, request.at])).toEqual([
      [method, 0],
      [method, 0],
      ['a.b', 0],
      [method, 3_000],
      [method, 3_000],
      [method, 3_000],
    ])
    expect(service.events.filter(({ kind }) => kind === 'wait')).toHaveLength(1)
  })

  test('without a time makes only the call wait that was limited', async () => {
    const service = scriptedService({ [method]: [limit(), ok] })
    await service.play(
      Promise.all([1, 2].map(() => service.api.call(method, {}, { safeToRepeat: true }))),
    )
    const late = service.api.call(method, {}, { safeToRepeat: true })
    await service.play(late)
    expect(service.requests.map(({ at }) => at)).toEqual([0, 0, 1_000, 1_000])
  })

  test.each<[string, Reply, Reply, number]>([
    ['without a time', limit(3), limit(), 3_000],
    ['with a shorter time', limit(3), limit(2), 3_000],
    ['with a longer time', limit(3), limit(5), 5_000],
  ])(
    'of a request that was sent at the same time makes it longer only if its time is longer: %s',
    async (_, first, late, end) => {
      const service = scriptedService({ [method]: [first, late, ok] })
      await service.play(
        Promise.all([1, 2].map(() => service.api.call(method, {}, { safeToRepeat: true }))),
      )
      expect(service.requests.map(({ at }) => at)).toEqual([0, 0, end, end])
    },
  )
})

describe('What happens is reported', () => {
  test('each request, with its outcome', async () => {
    const slow = { ...response(500, 'internal error', { 'x-slack-req-id': 'abc' }), after: 700 }
    const { events } = await run([slow, notConnected, ok])
    expect(events.filter(({ kind }) => kind === 'request')).toEqual([
      {
        kind: 'request',
        method,
        outcome: 'http_500',
        milliseconds: 700,
        status: 500,
        requestId: 'abc',
        detail: 'internal error',
      },
      { kind: 'request', method, outcome: 'ECONNREFUSED', milliseconds: 0, detail: 'no' },
      { kind: 'request', method, outcome: 'ok', milliseconds: 0, status: 200 },
    ])
  })

  test('each wait that ends a second or more after its request was sent, with the reason', async () => {
    const { events } = await run([response(500), ok])
    const wait = events.find(({ kind }) => kind === 'wait')
    expect(wait?.kind === 'wait' && quoted(wait.reason)).toContain(
      'responded to `files.info` with HTTP status 500',
    )

    expect((await run([limit(), ok], { noWaitAfter: 5_000 })).waits).toEqual([1_000])
    // Half a second, after half a minute of silence.
    for (const [reply, waits] of [
      [silence(30_000), [{ milliseconds: 500 }]],
      [response(500), []],
    ] as const) {
      const { events: soon } = await runSoon([reply, ok])
      expect(soon.filter(({ kind }) => kind === 'wait')).toMatchObject(waits)
    }
  })
})

describe('A call ends', () => {
  test.each<[string, Reply, 'caller' | 'run', number]>([
    ['when it is given up while a rate limit lasts', limit(60), 'caller', 2_000],
    ['when it is given up during a backoff', notConnected, 'caller', 500],
    ['when the run is canceled while it waits', limit(60), 'run', 2_000],
    ['before it begins if the run is over', ok, 'run', 0],
  ])('%s', async (_, reply, by, at) => {
    const stop = new AbortController()
    const service = scriptedService({ [method]: [reply] })
    const end = () => (by === 'run' ? service.deadline.cancel() : stop.abort())
    if (at === 0) end()
    else service.clock.sleep(at).then(end)
    const options = { safeToRepeat: true, ...(by === 'caller' && { signal: stop.signal }) }
    const result = await service.play(service.api.call(method, {}, options))
    expect(result).toEqual(createFailure(call, 'ABORTED', 'not sent'))
    expect([service.clock.now(), service.requests.length]).toEqual([at, at === 0 ? 0 : 1])
  })

  test.each(['the deadline', 'a signal of the caller'])(
    'a second after the time is over if the attempt hangs, with %s',
    async (stop) => {
      const { clock, deadline, play, retry } = scriptedService({}, 10_000)
      const signal = stop === 'the deadline' ? undefined : AbortSignal.any([deadline.signal])
      const signals: AbortSignal[] = []
      const attempt = (requestSignal: AbortSignal) => {
        signals.push(requestSignal)
        return new Promise<never>(() => {})
      }
      const options = { safeToRepeat: true, ...(signal && { signal }) }
      const result = await play(retry.run(() => call, attempt, readWebApi, options))
      expect(result).toMatchObject({
        outcome: 'ambiguous',
        code: 'ABORTED',
        detail: 'the run ended',
      })
      expect(clock.now()).toBe(11_000)
      expect(signals[0]?.reason).toBeInstanceOf(AbortedError)
    },
  )
})
