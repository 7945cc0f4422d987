import { subscribe } from 'node:diagnostics_channel'
import { getEventListeners, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { Dispatcher } from 'undici'
import { Deadline } from '../../../../src/deadline.ts'
import { createHttp } from '../../../../src/service/http/http.ts'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import { type HttpRequest, transfer } from '../../../../src/service/http/transfer.ts'
import { readWebApi } from '../../../../src/service/responses.ts'
import { Retry } from '../../../../src/service/retry.ts'
import { body, type Respond, request, respondWith, start } from '../../../support/http-client.ts'
import { call } from '../../../support/scripted-service.ts'
import { onLinux } from '../../../support/systems.ts'

async function failureOf(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof NoResponseError)) throw error
  const { code, fullySent, message } = error
  return { code, fullySent, message }
}

test('A request is not sent if the run is over', async () => {
  await using server = await start(respondWith(200, 'done'))
  const message = 'the run ended before it was sent'
  const failure = await failureOf(server.send({ signal: AbortSignal.abort() }))
  expect(failure).toEqual({ code: 'ABORTED', fullySent: false, message })
  expect(server.received).toEqual([])
})
test('A response that breaks off, or is too long, has no text', async () => {
  await using broken = await start((response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy())
  })
  expect(await broken.send()).toMatchObject({ status: 200, text: undefined })
  for (const [bytes, isRead] of [
    [16 * 1024 * 1024, true],
    [16 * 1024 * 1024 + 1, false],
  ] as const) {
    await using server = await start(respondWith(200, 'x'.repeat(bytes)))
    expect((await server.send()).text?.length).toBe(isRead ? bytes : undefined)
  }
})
/** Its first chunk is sent when the second is read. */
const endless = {
  length: 2_000_000,
  async *chunks() {
    for (let count = 0; ; count += 1)
      yield Buffer.alloc(count < 2 ? 10 : await new Promise<number>(() => {}))
  },
}

describe('No response comes', () => {
  test('if the run ends before there is a connection', async () => {
    await using server = await start(respondWith(200, 'done'))
    const stop = new AbortController()
    const sending = server.send({ body: body('a=b'), signal: stop.signal })
    // After the request was queued.
    await new Promise(process.nextTick)
    stop.abort()
    expect(await failureOf(sending)).toMatchObject({ code: 'ABORTED', fullySent: false })
    for (const chunks of [['c=', 'd'], ['e']]) await server.send({ body: body(...chunks) })
    expect(server.received).toMatchObject([{ body: 'c=d' }, { body: 'e' }])
  })

  test('if the run ends while its body is read, and no rejection is left unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    await using server = await start(respondWith(200, 'done'))
    const stop = new AbortController()
    async function* chunks() {
      stop.abort()
      await new Promise(setImmediate)
      yield Buffer.from('a=b')
    }
    const sending = server.send({ body: { length: 3, chunks }, signal: stop.signal })
    expect(await failureOf(sending)).toMatchObject({ code: 'ABORTED', fullySent: false })
    expect(server.received).toEqual([])
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  test.each(['no byte', 'a part'])('until the run ends, with %s of it', async (part) => {
    const stop = new AbortController()
    await using server = await start((response) => {
      if (part === 'a part') response.writeHead(200).write('half')
      stop.abort()
    })
    expect(await failureOf(server.send({ signal: stop.signal }))).toEqual({
      code: 'ABORTED',
      fullySent: true,
      message: 'the run ended before the response came',
    })
  })
})

test('A request that reached the time limit of its call says so, and not that the run ended', async () => {
  const received = Promise.withResolvers<void>()
  const endless = new Promise<never>(() => {})
  const sleep = (time: number) => (time === 5_000 ? received.promise : endless)
  const retry = new Retry(
    new Deadline({ now: () => 0, sleep }),
    () => {},
    () => 0,
  )
  await using server = await start(() => received.resolve())
  const attempt = (signal: AbortSignal) => server.send({ signal })
  const limit = { safeToRepeat: true, maxTime: 5_000 }
  expect(await retry.run(call, attempt, readWebApi, limit)).toMatchObject({
    code: 'ABORTED',
    detail: 'the time limit of the request ended before the response came',
  })
})

test('An informational response is none: after it, the connection can be lost', async () => {
  await using server = await start((response) =>
    response.writeEarlyHints({ link: '</a>' }, () => response.destroy()),
  )
  expect(await failureOf(server.send())).toMatchObject({ code: 'UND_ERR_SOCKET', fullySent: true })
})

test.each([
  ['own', 'ECONNRESET'],
  ['kept', 'the end'],
] as const)(
  'A request given up on %s connections is ended by %s',
  async (connections, expected) => {
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const respond: Respond = (_, { socket }) => {
      socket.once('end', () => resolve('the end')).once('error', ({ message }) => resolve(message))
      stop.abort()
    }
    await using server = await start(respond, { connections })
    await expect(server.send({ signal: stop.signal })).rejects.toThrow('the run ended')
    expect(await promise).toContain(expected)
  },
)

describe('A request is given up', () => {
  /** Leaves the timers of sockets real. */
  function fakeTimers(): Disposable {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'Date', 'hrtime'],
    })
    return { [Symbol.dispose]: () => void jest.useRealTimers() }
  }

  interface Situation {
    readonly readsBody?: boolean
    /** As many requests keep all connections busy for 20 s. */
    readonly others?: number
    /** Time limit of the run, in seconds. */
    readonly limit?: number
  }

  /** Seconds of silence until the request is given up. */
  async function silence(more: Partial<HttpRequest>, situation: Situation = {}) {
    const { readsBody = true, others = 0, limit = Number.POSITIVE_INFINITY } = situation
    using _ = fakeTimers()
    const endsAt = performance.now() + limit * 1_000
    const responses: ServerResponse[] = []
    const respond: Respond = (response) => responses.push(response)
    await using server = await start(respond, {
      readsBody,
      timeLeft: () => endsAt - performance.now(),
    })
    const before = Array.from({ length: others }, () => server.send())
    while (responses.length < others) await new Promise(setImmediate)
    const failure = failureOf(server.send(more))
    let over = false
    failure.then(() => {
      over = true
    })
    while (responses.length < Math.max(1, others)) await new Promise(setImmediate)
    let seconds = 0
    for (; !over && seconds < 1_000; seconds += 1) {
      if (others > 0 && seconds === 20) {
        for (const response of responses) response.end()
        await Promise.all(before)
        while (responses.length === others) await new Promise(setImmediate)
      }
      jest.advanceTimersByTime(1_000)
      await new Promise(setImmediate)
    }
    const { code, fullySent, message } = await failure
    expect(message).toMatch(/^(no byte of the request moved|no complete response) for \d+ seconds$/)
    return { code, fullySent, seconds }
  }

  const megabytes = (count: number) => ({
    length: count * 1e6,
    async *chunks() {
      for (let index = 0; index < count; index += 1) yield Buffer.alloc(1e6)
    },
  })

  // See `stall.test.ts` for the durations of all requests.
  test.each<[string, Partial<HttpRequest>, Situation, number]>([
    ['when no byte moved', { body: endless }, { readsBody: false }, 30 + 120],
    ['30 s after its last byte', { body: body('a') }, {}, 30],
    ['30 s after it got its connection', { body: body('a') }, { others: 6 }, 20 + 30],
    [
      'when half of the time is over, so that it can be repeated',
      { body: megabytes(10) },
      { limit: 240 },
      120,
    ],
    [
      'three minutes later if it must not be repeated',
      { minResponseTime: 180_000 },
      { limit: 200 },
      180,
    ],
  ])('%s', async (_, more, situation, seconds) => {
    const given = await silence(more, situation)
    expect(given).toMatchObject({ code: 'STALLED', fullySent: situation.readsBody !== false })
    expect(Math.abs(given.seconds - seconds)).toBeLessThanOrEqual(1)
  })

  test('not while it flows: 1 GiB at 10 Mbit/s, which takes 15 of 20 minutes', async () => {
    using _ = fakeTimers()
    const mebibyte = Buffer.alloc(1024 * 1024)
    async function* chunks() {
      for (let count = 0; count < 1024; count += 1) yield mebibyte
    }
    const endsAt = performance.now() + 20 * 60_000
    const large = request('http://chat.example', {
      body: { length: 1024 * mebibyte.length, chunks },
    })
    const dispatcher = {
      async dispatch(
        { body }: { body: AsyncIterable<Uint8Array> },
        handler: Required<Dispatcher.DispatchHandler>,
      ) {
        handler.onRequestStart({ abort: () => {} } as never, {})
        for await (const { length } of body) {
          jest.advanceTimersByTime((length * 8) / 10_000)
          await new Promise(setImmediate)
        }
        handler.onResponseStart({} as never, 200, {})
        handler.onResponseEnd({} as never, {})
      },
    } as never
    const timeLeft = () => endsAt - performance.now()
    const sent = await transfer(dispatcher, large, { removeToken: String, resets: false, timeLeft })
    expect(sent).toMatchObject({ status: 200, isEarly: false })
  })

  /** A request whose body the server has read, and its response. */
  async function startReceived(minResponseTime = 0) {
    const { promise, resolve } = Promise.withResolvers<ServerResponse>()
    const server = await start(resolve)
    const sending = server.send({ minResponseTime })
    sending.catch(() => undefined)
    const response = await promise
    return { sending, response, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  }

  test.each([
    [0, 29, 'complete'],
    [0, 31, 'STALLED: no complete response for 31 seconds'],
    [180_000, 179, 'complete'],
    [180_000, 181, 'STALLED: no complete response for 181 seconds'],
  ])(
    'with %i ms for its response, %i s after that began: %s',
    async (minResponseTime, seconds, expected) => {
      using _ = fakeTimers()
      await using request = await startReceived(minResponseTime)
      jest.advanceTimersByTime(29_000)
      const head = new Promise((resolve) => subscribe('undici:request:headers', resolve))
      request.response.writeHead(200).write('com')
      await head
      jest.advanceTimersByTime(seconds * 1_000)
      request.response.end('plete')
      const result = await request.sending.catch((error: NoResponseError) => ({
        text: `${error.code}: ${error.message}`,
      }))
      expect(result.text).toBe(expected)
    },
  )

  test('not after the machine was paused, if the response is there', async () => {
    using _ = fakeTimers()
    await using request = await startReceived()
    // In Node, timers run before I/O. After `setImmediate`, so does the fake timer.
    await new Promise(setImmediate)
    request.response.end('done')
    const later = performance.now() + 45_000
    using _now = jest.spyOn(performance, 'now').mockReturnValue(later)
    jest.advanceTimersByTime(1_000)
    expect(await request.sending).toMatchObject({ text: 'done' })
  })
})

test('Nothing of a request is left behind', async () => {
  const { signal } = new AbortController()
  await using server = await start(respondWith(200, 'done'))
  await server.send({ signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

// The server responds to the head of a request, leaves the body unread, and closes the connection.
/** The path selects the response: `/{status}/{form}/{connection}`. */
const program = `
  const bodies = { json: '{"ok":false}', text: 'no', page: '<!doctype html><title>No</title>' }
  require('node:http').createServer(({ url }, response) => {
    const [, status, form, connection] = url.split('/')
    response.writeHead(status, connection ? { connection } : {}).end(bodies[form])
  }).listen(0, '127.0.0.1', function () {
    require('node:worker_threads').parentPort.postMessage(this.address().port)
  })`
const paths = [400, 401, 403, 404, 413, 500, 503].flatMap((status) =>
  ['json', 'text', 'page'].flatMap((form) =>
    ['', 'close'].map((connection) => `/${status}/${form}/${connection}`),
  ),
)
/** In another thread, it can close the connection while the request is written. */
const server = new Worker(program, { eval: true })
let origin = ''

beforeAll(async () => {
  const [port] = await once(server, 'message')
  origin = `http://127.0.0.1:${port}`
})

afterAll(() => server.terminate())

async function* chunks(sizes: readonly number[]) {
  for (const size of sizes) yield await nextTurn(Buffer.alloc(size))
}

const isRead = async (
  _: string,
  connections: 'kept' | 'own',
  sizes: readonly number[],
  times: number,
) => {
  const http = createHttp(
    { token: '', origin, removeToken: String, timeLeft: () => 60_000 },
    connections,
  )
  const body = { length: sizes.reduce((sum, size) => sum + size, 0), chunks: () => chunks(sizes) }
  const { signal } = new AbortController()
  const request = { headers: {}, body, authorized: true, signal }
  const lost: string[] = []
  for (const path of paths.flatMap((each) => Array<string>(times).fill(each))) {
    const sending = http.send({ ...request, url: new URL(path, origin) })
    await sending.catch(({ message }) => lost.push(`${path}: ${message}`))
  }
  http.close()
  expect(lost).toEqual([])
}
const title = 'The response to %s, with %s connections and a body of %j, is read'

test.each<Parameters<typeof isRead>>([
  ['files.upload', 'own', [90, 2, 40], 3],
  ['files.upload', 'own', [90, 300_000, 40], 3],
  ['the bytes of an upload URL', 'kept', [300_000], 3],
  ['a completion', 'kept', [700], 3],
])(title, isRead)

// Other systems may discard the response when the server closes the connection before the next
// write.
onLinux.each<Parameters<typeof isRead>>([
  ['files.upload', 'own', [90, 1e6, 1e6, 1e6, 40], 1],
  ['the bytes of an upload URL', 'kept', [1e6, 1e6, 1e6], 1],
])(title, isRead)
