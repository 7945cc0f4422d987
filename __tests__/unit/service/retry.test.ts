import { describe, expect, test } from '@jest/globals'
import { AbortedError } from '../../../src/deadline.ts'
import { createFailure, describeFailure } from '../../../src/service/errors/failures.ts'
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

/** Replies by their signs in a script. */
const signs: Readonly<Record<string, Reply>> = {
  ok,
  refused: { ok: false, error: 'tea_time' },
  permanent: new NoResponseError('proxy_401', false, 'no'),
  unconnected: notConnected,
  lost,
  500: response(500),
  429: limit(),
  '429,0': limit(0),
  '429,0.001': limit(0.001),
  '429,2': limit(2),
  '429,5': limit(5),
  '429,10': limit(10),
  '503,1': response(503, '', { 'retry-after': '1' }),
  '503,12': response(503, '', { 'retry-after': '12' }),
  silent30: silence(30_000),
  silent200: silence(200_000),
}
const options: Readonly<Record<string, Partial<RetryOptions>>> = {
  unsafe: { safeToRepeat: false },
  'maxFailures 1': { maxFailures: 1 },
  'maxFailures 8': { maxFailures: 8 },
  'maxTime 5 s': { maxTime: 5_000 },
  'maxTime 5.001 s': { maxTime: 5_001 },
  'maxTime 9 s': { maxTime: 9_000 },
}

async function run(
  replies: readonly Reply[],
  options: Partial<RetryOptions> = {},
  milliseconds?: number,
) {
  const service = scriptedService({ [method]: replies }, milliseconds)
  const result = await service.play(
    service.api.call(method, {}, { safeToRepeat: true, ...options }),
  )
  return { ...service, result }
}

/** Calls with the shortest random waits. */
async function runSoon(replies: readonly Reply[]) {
  const service = scriptedService({ [method]: replies })
  const retry = new Retry(service.deadline, service.onEvent, () => 0)
  const attempt = (signal: AbortSignal) => service.api.http.send({ ...apiRequest, signal })
  const result = await service.play(retry.run(call, attempt, readWebApi, { safeToRepeat: true }))
  return { ...service, result }
}

/** The times of the calls in a script, whose last sign repeats; the result; logged waits. */
async function played(row: string): Promise<string> {
  const [script = '', how = ''] = row.split(': ')
  const replies = script.split(' ').map((sign) => signs[sign] ?? ok)
  const [, seconds] = /^ends after ([\d.]+) s$/.exec(how) ?? []
  const { events, requests, result } =
    how === 'soon'
      ? await runSoon(replies)
      : await run(
          replies,
          options[how],
          seconds === undefined ? undefined : Number(seconds) * 1_000,
        )
  const waits = events.flatMap((event) => (event.kind === 'wait' ? [event.milliseconds] : []))
  return [
    row.padEnd(44),
    requests
      .map(({ at }) => at / 1_000)
      .join(' ')
      .padEnd(20),
    result.outcome + (result.outcome === 'succeeded' ? '' : ` ${result.code}`),
    ...(waits.length > 0 ? [`waits ${waits.map((wait) => wait / 1_000).join(' ')}`] : []),
  ].join(' | ')
}

const scripts = `
# Half of a wait is fixed, the other half chance; a rate limit without a time may wait for no time
500
500: soon
500: maxFailures 8
429 429 429 429 429 ok: soon
silent30 ok: soon
500 ok: soon
# Repeated is what makes nothing visible, or was certainly not carried out
ok
refused ok
500 ok: unsafe
lost ok: unsafe
lost ok
unconnected ok: unsafe
429,2 ok: unsafe
503,12: unsafe
permanent ok
# A rate limit does not count, nor does an outage that names a time
429,2 429,2 429,2 429,2 429,2 429,2 ok: maxFailures 1
503,12 503,12 503,12 ok: maxFailures 1
503,1 ok: maxFailures 1
429 429 429 ok
429,0 429,0 429,0 ok
429,0.001 429,0.001 429,0.001 ok
500 429,5 500 ok
# Not after the longest wait of the call, nor after the end of the run
429,5: maxTime 5 s
429 ok: maxTime 5 s
429,5 ok: maxTime 5.001 s
429,5 429,5 ok: maxTime 9 s
429,10: ends after 10 s
429,10 ok: ends after 10.001 s
# After no response, only if nearly as much time is left: the third attempt would begin after 2 s
silent200 silent200 ok: ends after 553 s
silent200 silent200 ok: ends after 553.001 s
silent30 silent30 ok: ends after 93 s
silent30 silent30 ok: ends after 93.001 s
`
test('a call is repeated when it can help, and as long as there is time', async () => {
  const rows = scripts.trim().split('\n')
  const shown = rows.map((row) => (row.startsWith('#') ? row : played(row)))
  expect((await Promise.all(shown)).join('\n')).toMatchInlineSnapshot(`
"# Half of a wait is fixed, the other half chance; a rate limit without a time may wait for no time
500                                          | 0 1 3 7 15 31        | ambiguous http_500 | waits 1 2 4 8 16
500: soon                                    | 0 0.5 1.5 3.5 7.5 15.5 | ambiguous http_500 | waits 1 2 4 8
500: maxFailures 8                           | 0 1 3 7 15 31 61 91  | ambiguous http_500 | waits 1 2 4 8 16 30 30
429 429 429 429 429 ok: soon                 | 0 0 0 0 0 0          | succeeded
silent30 ok: soon                            | 0 30.5               | succeeded | waits 0.5
500 ok: soon                                 | 0 0.5                | succeeded
# Repeated is what makes nothing visible, or was certainly not carried out
ok                                           | 0                    | succeeded
refused ok                                   | 0                    | refused tea_time
500 ok: unsafe                               | 0                    | ambiguous http_500
lost ok: unsafe                              | 0                    | ambiguous ECONNRESET
lost ok                                      | 0 1                  | succeeded | waits 1
unconnected ok: unsafe                       | 0 1                  | succeeded | waits 1
429,2 ok: unsafe                             | 0 2                  | succeeded | waits 2
503,12: unsafe                               | 0                    | ambiguous http_503
permanent ok                                 | 0                    | not sent proxy_401
# A rate limit does not count, nor does an outage that names a time
429,2 429,2 429,2 429,2 429,2 429,2 ok: maxFailures 1 | 0 2 4 6 8 10 12      | succeeded | waits 2 2 2 2 2 2
503,12 503,12 503,12 ok: maxFailures 1       | 0 12 24 36           | succeeded | waits 12 12 12
503,1 ok: maxFailures 1                      | 0 1                  | succeeded | waits 1
429 429 429 ok                               | 0 1 3 7              | succeeded | waits 1 2 4
429,0 429,0 429,0 ok                         | 0 1 3 7              | succeeded | waits 1 2 4
429,0.001 429,0.001 429,0.001 ok             | 0 1 3 7              | succeeded | waits 1 2 4
500 429,5 500 ok                             | 0 1 6 8              | succeeded | waits 1 5 2
# Not after the longest wait of the call, nor after the end of the run
429,5: maxTime 5 s                           | 0                    | rate limited http_429
429 ok: maxTime 5 s                          | 0 1                  | succeeded | waits 1
429,5 ok: maxTime 5.001 s                    | 0 5                  | succeeded | waits 5
429,5 429,5 ok: maxTime 9 s                  | 0 5                  | rate limited http_429 | waits 5
429,10: ends after 10 s                      | 0                    | rate limited http_429
429,10 ok: ends after 10.001 s               | 0 10                 | succeeded | waits 10
# After no response, only if nearly as much time is left: the third attempt would begin after 2 s
silent200 silent200 ok: ends after 553 s     | 0 201                | ambiguous STALLED | waits 1
silent200 silent200 ok: ends after 553.001 s | 0 201 403            | succeeded | waits 1 2
silent30 silent30 ok: ends after 93 s        | 0 31                 | ambiguous STALLED | waits 1
silent30 silent30 ok: ends after 93.001 s    | 0 31 63              | succeeded | waits 1 2"
`)
})

test('A call throws what is not of the network', async () => {
  const { deadline, play, retry } = scriptedService({})
  const attempt = async () => {
    throw new TypeError('a fault of the action')
  }
  await expect(play(retry.run(call, attempt, readWebApi, { safeToRepeat: true }))).rejects.toThrow(
    'a fault of the action',
  )
  expect(deadline.problem).toBeUndefined()
})

describe('A rate limit', () => {
  test('that lasts longer than the call may wait is kept by the next calls too', async () => {
    const { api, clock, play, requests } = scriptedService({ [method]: [limit(60), ok] })
    const look = (more = {}) => api.call(method, {}, { safeToRepeat: true, ...more })
    const later = async () => {
      const results = [await look({ maxTime: 5_000 }), await look({ maxTime: 5_000 })]
      await clock.sleep(57_000)
      return [...results, await look({ maxTime: 5_000 })]
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
    const aborted = createFailure(call, 'ABORTED', 'not sent')
    expect(result).toEqual(aborted)
    // Also true of a request that was sent before the wait.
    expect(quoted(describeFailure(aborted))).toBe(
      `the step gave up before \`${host}\` accepted \`${method}\``,
    )
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
      const result = await play(retry.run(call, attempt, readWebApi, options))
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
