import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { meansLoopback } from '../loopback.ts'
import { tokenRemover } from '../text/token.ts'
import { decodeText, maxBodyBytes } from './decode.ts'

/** The bytes of a request. A fresh `chunks()` for every attempt: a generator that was read once would send nothing. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. At least 1. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface HttpRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Send the token. Refused for any origin but the token's own. */
  readonly authorized: boolean
  readonly signal: AbortSignal
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 4 MiB; `undefined` if it was longer, broke off or could not be decoded: then it says nothing. */
  readonly text: string | undefined
}

/** No answer came. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /**
   * Whether the last byte of the request was handed to the connection. If not, the service certainly did not take the
   * request: it never had the whole of it.
   */
  readonly handedOver: boolean
  /**
   * Of Node or undici, such as `ECONNREFUSED`, `DEPTH_ZERO_SELF_SIGNED_CERT`; `proxy_<status>` for what a proxy answered,
   * `PROXY_UNREACHABLE` when there was no way to it; `STALLED` when nothing moved for too long.
   */
  readonly code: string

  constructor(code: string, handedOver: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.handedOver = handedOver
  }
}

export interface Http {
  /**
   * Follows no redirect.
   *
   * @throws NoAnswerError, or what `body.chunks()` threw.
   */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Lets go of every connection. Nobody waits for it: one that hangs would keep back the report. */
  close(): void
}

/** A connection on which nothing moves for so long is given up. */
const stallMilliseconds = 30_000
/** Bytes that were handed over get time to go out, also on a slow line that many uploads share. */
const slowestBytesPerMillisecond = 50
/** Bytes that can still be in the buffers of the connection when all are handed over. */
const bufferedBytes = 4 * 1024 * 1024
/** A service that has to store a large file before it answers gets time for it: as for a slow disk. */
const storedBytesPerMillisecond = 10_000

/** HTTP/1.1 by undici, through the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name. */
export function createHttp(token: { readonly value: string; readonly origin: string }): Http {
  // HTTP/1.1 only: whether the last byte was handed over is known there, and uploads gain nothing from HTTP/2.
  // undici's own time-outs are off: the stall timer below covers them, and tells more.
  const options = {
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 20_000 },
    maxResponseSize: maxBodyBytes,
  } as const
  const direct = new Agent(options)
  const proxied = usesProxy(process.env) ? new EnvHttpProxyAgent(options) : direct
  const removeToken = tokenRemover(token.value)
  return {
    // A proxy would take loopback for its own machine, and by plain HTTP it would get the token.
    send: (request) => send(meansLoopback(request.url) ? direct : proxied, token, removeToken, request),
    close() {
      for (const dispatcher of new Set<Dispatcher>([direct, proxied])) dispatcher.destroy().catch(() => undefined)
    },
  }
}

function usesProxy(environment: NodeJS.ProcessEnv): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => Boolean(environment[name]))
}

async function send(
  dispatcher: Dispatcher,
  token: { readonly value: string; readonly origin: string },
  removeToken: (text: string) => string,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const { url, body, signal } = request
  if (request.authorized && url.origin !== token.origin) {
    throw new Error(`The token belongs to ${token.origin} and is not sent to ${url.origin}.`)
  }
  if (signal.aborted) throw new NoAnswerError('INTERRUPTED', false, 'the run ended before it was sent')
  const watch = new StallWatch()
  const interrupt = () => watch.stop(signal.reason)
  signal.addEventListener('abort', interrupt, { once: true })
  const sending: Sending = { handedOver: false }
  try {
    const answering = dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...request.headers,
        'accept-encoding': 'identity',
        'content-length': String(body.length),
        ...(request.authorized ? { authorization: `Bearer ${token.value}` } : {}),
      },
      // undici takes any async iterable; its types name only the Readable.
      body: handOver(body, sending, watch) as unknown as Readable,
      signal: watch.signal,
    })
    const answer = await Promise.race([answering, watch.stopped])
    watch.moved()
    if (answer.statusCode < 300 && !sending.handedOver) {
      answer.body.on('error', () => undefined).destroy()
      throw new NoAnswerError('EARLY_ANSWER', true, 'the server said ok before it had the whole request')
    }
    const bytes = await answer.body.bytes().catch(() => undefined)
    watch.signal.throwIfAborted()
    const headers = firstOfEach(answer.headers)
    const text = bytes === undefined ? undefined : decodeText(bytes, headers)
    return withoutToken({ status: answer.statusCode, headers, text }, removeToken)
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    throw sending.error ?? noAnswer(error, url, sending.handedOver, watch.signal, removeToken)
  } finally {
    watch.end()
    signal.removeEventListener('abort', interrupt)
  }
}

interface Sending {
  handedOver: boolean
  /** What reading the body threw: no matter of the network. */
  error?: unknown
}

/**
 * Passes the body on, holding each chunk back until the next is there, so that `handedOver` is set just before the last
 * one: whatever breaks earlier broke a request that the service cannot have taken.
 */
async function* handOver(body: Body, sending: Sending, watch: StallWatch): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined
  try {
    for await (const chunk of body.chunks()) {
      if (held !== undefined) yield held
      watch.moved(chunk.byteLength / slowestBytesPerMillisecond)
      held = chunk
    }
  } catch (error) {
    sending.error = error
    throw error
  }
  sending.handedOver = true
  const onTheWay = Math.min(body.length, bufferedBytes)
  watch.moved(onTheWay / slowestBytesPerMillisecond + body.length / storedBytesPerMillisecond)
  if (held !== undefined) yield held
}

/** Gives a request up when nothing moves: undici's own time-outs do not see a body that stalls, nor an answer that trickles. */
class StallWatch {
  static readonly stalled = Symbol('stalled')
  readonly #stop = new AbortController()
  /** Rejects when the signal aborts: undici itself notices that only once the request has a connection. */
  readonly stopped: Promise<never>
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor() {
    this.stopped = new Promise((_, reject) => this.signal.addEventListener('abort', () => reject(this.signal.reason)))
    this.moved()
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  moved(extraMilliseconds = 0): void {
    clearTimeout(this.#timer)
    // The body of a request that broke off may still be read for a moment.
    if (this.#over) return
    this.#timer = setTimeout(() => this.#stop.abort(StallWatch.stalled), stallMilliseconds + extraMilliseconds)
  }

  stop(reason: unknown): void {
    this.#stop.abort(reason)
  }

  end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}

/** An answer can quote the request: what is read of it can then not hold the token. */
function withoutToken({ headers, status, text }: HttpAnswer, removeToken: (text: string) => string): HttpAnswer {
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, removeToken(value)])),
    text: text === undefined ? undefined : withoutTokenInJson(text, removeToken),
  }
}

/** JSON can write any character as an escape: the token is in the values, not in the text. */
function withoutTokenInJson(text: string, removeToken: (text: string) => string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text, (_, value) => (typeof value === 'string' ? removeToken(value) : value)))
  } catch (error) {
    // Of JSON that is too deep for the stack nothing is known. All else is no JSON.
    return error instanceof SyntaxError ? removeToken(text) : undefined
  }
}

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const one = Array.isArray(value) ? value[0] : value
    if (one !== undefined) first[name] = one
  }
  // Only the origin: the rest of such a URL may carry rights. As a URL, because a tab in it, or another way of writing a
  // host, can hide the token.
  if (first['location'] !== undefined) first['location'] = URL.parse(first['location'])?.origin ?? ''
  return first
}

function noAnswer(
  error: unknown,
  url: URL,
  handedOver: boolean,
  signal: AbortSignal,
  removeToken: (text: string) => string,
): NoAnswerError {
  if (signal.aborted && signal.reason === StallWatch.stalled) {
    return new NoAnswerError('STALLED', handedOver, `nothing moved for ${stallMilliseconds / 1000} seconds`)
  }
  if (signal.aborted) {
    return new NoAnswerError('INTERRUPTED', handedOver, 'the run ended before the answer came', {
      cause: signal.reason,
    })
  }
  const root = rootCause(error)
  // `Proxy response (403) !== 200 when HTTP Tunneling`, `Proxy Authentication Required (407)`
  const status = /^Proxy [^(]*\((\d{3})\)/.exec(root.message)?.[1]
  const [code, message] =
    status === undefined
      ? [isElsewhere(root, url) ? 'PROXY_UNREACHABLE' : codeOf(root), removeToken(root.message)]
      : [`proxy_${status}`, `the proxy answered ${status}`]
  return new NoAnswerError(code, handedOver, message, { cause: error })
}

/** undici and Node wrap: several addresses of one name in an AggregateError, a proxy's failure in a cause. */
function rootCause(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  for (;;) {
    const inner = root instanceof AggregateError ? root.errors[0] : root.cause
    // Below that, a proxy that hangs up looks like a server that does.
    if (!(inner instanceof Error) || codeOf(root).startsWith('UND_ERR_PRX_')) return root
    root = inner
  }
}

/** The address that could not be reached is not that of the URL: then it is the proxy's. */
function isElsewhere(error: Error, url: URL): boolean {
  const { hostname, port, syscall }: Error & { hostname?: unknown; port?: unknown; syscall?: unknown } = error
  if (syscall === 'getaddrinfo') return hostname !== url.hostname
  return syscall === 'connect' && String(port) !== (url.port || (url.protocol === 'https:' ? '443' : '80'))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
