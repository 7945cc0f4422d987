import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { meansLoopback } from '../hosts.ts'
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

export interface HttpResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** At most 4 MiB; `undefined` if it was longer, broke off or could not be decoded: then it says nothing. */
  readonly text: string | undefined
}

/** No response came. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  /**
   * Whether the last byte of the request was handed to the connection. If not, the request was certainly not carried out:
   * the service never had the whole of it.
   */
  readonly fullySent: boolean
  /**
   * Of Node or undici, such as `ECONNREFUSED`, `DEPTH_ZERO_SELF_SIGNED_CERT`; `proxy_<status>` for a response of a proxy,
   * `PROXY_UNREACHABLE` if it could not be reached; `STALLED` if no byte moved for too long; `EARLY_RESPONSE`; `ABORTED`.
   */
  readonly code: string

  constructor(code: string, fullySent: boolean, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.fullySent = fullySent
  }
}

export interface Http {
  /**
   * Follows no redirect.
   *
   * @throws NoResponseError, or what `body.chunks()` throws
   */
  send(request: HttpRequest): Promise<HttpResponse>
  /** Closes every connection, without waiting: one that hangs would hold back the report. */
  close(): void
}

/** A connection is given up if no byte moves for this long. */
const stallMilliseconds = 30_000
/** Bytes in the buffers get time to leave, also on a slow line that many uploads share. */
const slowestBytesPerMillisecond = 50
/** Bytes that can still be in the buffers of the connection when all were handed to it. */
const bufferedBytes = 4 * 1024 * 1024
/** A service that stores a large file before it responds gets time for a slow disk. */
const storedBytesPerMillisecond = 10_000

/**
 * HTTP/1.1 by undici.
 *
 * @param useProxies use the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name
 */
export function createHttp(
  token: { readonly value: string; readonly origin: string },
  { useProxies }: { readonly useProxies: boolean },
): Http {
  // HTTP/1.1 only: it shows whether the last byte was handed to the connection, and uploads gain nothing from HTTP/2.
  // undici's own timeouts are off: the stall timer below covers them, and knows more.
  const options = {
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 20_000 },
    maxResponseSize: maxBodyBytes,
  } as const
  const direct = new Agent(options)
  const proxied = useProxies ? new EnvHttpProxyAgent(options) : direct
  const removeToken = tokenRemover(token.value)
  return {
    // A proxy would take loopback for its own machine, and over plain HTTP it would get the token.
    send: (request) => send(meansLoopback(request.url) ? direct : proxied, token, removeToken, request),
    close() {
      for (const dispatcher of new Set<Dispatcher>([direct, proxied])) dispatcher.destroy().catch(() => undefined)
    },
  }
}

async function send(
  dispatcher: Dispatcher,
  token: { readonly value: string; readonly origin: string },
  removeToken: (text: string) => string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const { url, body, signal } = request
  if (request.authorized && url.origin !== token.origin) {
    throw new Error(`The token belongs to ${token.origin} and is not sent to ${url.origin}.`)
  }
  if (signal.aborted) throw new NoResponseError('ABORTED', false, 'the run ended before it was sent')
  const watch = new StallWatch()
  const abort = () => watch.stop(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const sending: Sending = { fullySent: false }
  try {
    const responding = dispatcher.request({
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
      body: sendBody(body, sending, watch) as unknown as Readable,
      signal: watch.signal,
    })
    const response = await Promise.race([responding, watch.stopped])
    watch.moved()
    if (response.statusCode < 300 && !sending.fullySent) {
      response.body.on('error', () => undefined).destroy()
      throw new NoResponseError('EARLY_RESPONSE', true, 'the server responded ok before it had the whole request')
    }
    const bytes = await response.body.bytes().catch(() => undefined)
    watch.signal.throwIfAborted()
    const headers = firstOfEach(response.headers)
    const text = bytes === undefined ? undefined : decodeText(bytes, headers)
    return withoutToken({ status: response.statusCode, headers, text }, removeToken)
  } catch (error) {
    if (error instanceof NoResponseError) throw error
    throw sending.error ?? noResponse(error, url, sending.fullySent, watch.signal, removeToken)
  } finally {
    watch.end()
    signal.removeEventListener('abort', abort)
  }
}

interface Sending {
  fullySent: boolean
  /** What reading the body threw: not an error of the network. */
  error?: unknown
}

/**
 * Passes the body on, and holds each chunk back until the next is there, so that `fullySent` is set just before the last
 * one. A connection that is lost earlier lost a request that the service cannot have carried out.
 */
async function* sendBody(body: Body, sending: Sending, watch: StallWatch): AsyncGenerator<Uint8Array> {
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
  sending.fullySent = true
  const buffered = Math.min(body.length, bufferedBytes)
  watch.moved(buffered / slowestBytesPerMillisecond + body.length / storedBytesPerMillisecond)
  if (held !== undefined) yield held
}

/** Gives a request up if no byte moves: undici's own timeouts see neither a body that stalls nor a response that trickles. */
class StallWatch {
  static readonly stalled = Symbol('stalled')
  readonly #stop = new AbortController()
  /** Rejects when the signal aborts: undici notices that only after the request has a connection. */
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
    // The body of a failed request may still be read for a moment.
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

/** A response can quote the request: the token is removed before anything is read from it. */
function withoutToken({ headers, status, text }: HttpResponse, removeToken: (text: string) => string): HttpResponse {
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, removeToken(value)])),
    text: text === undefined ? undefined : withoutTokenInJson(text, removeToken),
  }
}

/** JSON can write any character as an escape: the token is in the values, not in the text. */
function withoutTokenInJson(text: string, removeToken: (text: string) => string): string | undefined {
  // Most responses have neither an escape nor the token, and what is no JSON is costly to parse: it makes an error each time.
  if (!text.includes('\\') && removeToken(text) === text) return text
  try {
    return JSON.stringify(JSON.parse(text, (_, value) => (typeof value === 'string' ? removeToken(value) : value)))
  } catch (error) {
    // Nothing is known about JSON that is too deep for the stack. Everything else is not JSON.
    return error instanceof SyntaxError ? removeToken(text) : undefined
  }
}

function firstOfEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const one = Array.isArray(value) ? value[0] : value
    if (one !== undefined) first[name] = one
  }
  // Only the origin: the rest of such a URL may grant access. It is parsed, because a tab in it, or another spelling of a
  // host, can hide the token.
  if (first['location'] !== undefined) first['location'] = URL.parse(first['location'])?.origin ?? ''
  return first
}

function noResponse(
  error: unknown,
  url: URL,
  fullySent: boolean,
  signal: AbortSignal,
  removeToken: (text: string) => string,
): NoResponseError {
  if (signal.aborted && signal.reason === StallWatch.stalled) {
    return new NoResponseError('STALLED', fullySent, `no byte moved for ${stallMilliseconds / 1000} seconds`)
  }
  if (signal.aborted) {
    return new NoResponseError('ABORTED', fullySent, 'the run ended before the response came', {
      cause: signal.reason,
    })
  }
  const root = rootCause(error)
  // `Proxy response (403) !== 200 when HTTP Tunneling`, `Proxy Authentication Required (407)`
  const status = /^Proxy [^(]*\((\d{3})\)/.exec(root.message)?.[1]
  const [code, message] =
    status === undefined
      ? [isElsewhere(root, url) ? 'PROXY_UNREACHABLE' : codeOf(root), removeToken(root.message)]
      : [`proxy_${status}`, `the proxy responded ${status}`]
  return new NoResponseError(code, fullySent, message, { cause: error })
}

/** undici and Node wrap errors: several addresses of one name in an AggregateError, the failure of a proxy in a cause. */
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
