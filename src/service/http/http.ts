import { isUtf8 } from 'node:buffer'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { isLoopback, mayBePrivate } from '../../hosts.ts'
import { tokenRemover } from '../../text/token.ts'
import { NoResponseError } from './no-response.ts'
import { connectionsAtOnce } from './stall.ts'
import { type HttpRequest, type RawResponse, type TransferContext, transfer } from './transfer.ts'

export interface HttpResponse
  extends Pick<RawResponse, 'status'>,
    Partial<Pick<RawResponse, 'isEarly'>> {
  /** Names in lower case. Of `location` only the origin, or nothing. */
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` if it was too long, broke off or could not be decoded: then it says nothing. */
  readonly text: string | undefined
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

/** Milliseconds, also for the way through a proxy. */
const connectTimeout = 20_000

/** Some firewalls refuse requests without one. The version is that of `package.json`. */
const userAgent = 'channel-file-upload/0.1.0'

/**
 * Leaves out every address to which plain http must not connect. Node connects to no other, and
 * asks again for each connection: a name can change its addresses in between.
 */
const lookupPrivate: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found = []) => {
    const allowed = found.filter(({ address }) => mayBePrivate(address))
    if (allowed.length > 0) return done(null, allowed)
    const message = `${found[0]?.address} is not in a private network, so nothing was sent`
    // Node throws if there is neither an address nor an error.
    done(error ?? new NoResponseError('NOT_PRIVATE', false, message), [])
  })

/**
 * HTTP/1.1 by undici, through the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name.
 *
 * @param connections `own`: each request opens one, because a server can close a kept connection
 *   silently, and lose the next request. The header `Connection: close` would do it too, but many
 *   servers then close in the middle of the request, and the response is lost.
 */
export function createHttp(
  token: Context['token'],
  timeLeft: Context['timeLeft'],
  connections: 'kept' | 'own' = 'kept',
): Http {
  // By default, Node leaves an address after 250 ms if there is another, even if that one cannot be
  // reached: too early for a distant host (findings/node-address-given-up.sh).
  const attempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 3_000 }
  // HTTP/1.1 only: it shows whether the last byte was handed to the connection.
  // undici's own timeouts are off: `transfer` gives up what stands still.
  const options = {
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    // A server can allow ten minutes. A NAT forgets such a connection, and swallows the next request.
    keepAliveMaxTimeout: 4_000,
    connectTimeout,
    connections: connectionsAtOnce,
    ...attempts,
  } as const
  const direct = () => new Agent({ ...options, connect: { lookup: lookupPrivate } })
  const proxied = () =>
    new EnvHttpProxyAgent({
      ...options,
      // The connection to a proxy has options of its own.
      proxyTls: { allowH2: false, ...attempts },
      // A CONNECT without a response would take up one of the connections for five minutes.
      clientFactory: (_, given) => new Agent({ ...given, headersTimeout: connectTimeout }),
    })
  const kept = { direct: direct(), proxied: proxied() }
  const destroy = (dispatcher: Dispatcher) => void dispatcher.destroy().catch(() => undefined)
  const resets = connections === 'own'
  const context = { removeToken: tokenRemover(token.value), resets, timeLeft, token }
  return {
    async send(request) {
      // A proxy would take loopback for its own machine, and over plain http it would get the
      // token. Both look names up in the same way: by https, only `localhost` comes here.
      const isDirect = request.url.protocol === 'http:' || isLoopback(request.url)
      if (connections === 'kept')
        return send(isDirect ? kept.direct : kept.proxied, request, context)
      const own = isDirect ? direct() : proxied()
      return await send(own, request, context).finally(() => destroy(own))
    },
    close: () => Object.values(kept).forEach(destroy),
  }
}

interface Context extends TransferContext {
  readonly token: { readonly value: string; readonly origin: string }
}

async function send(
  dispatcher: Dispatcher,
  request: HttpRequest,
  context: Context,
): Promise<HttpResponse> {
  const { removeToken, token } = context
  if (request.authorized && request.url.origin !== token.origin) {
    throw new Error(
      `The token belongs to ${token.origin} and is not sent to ${request.url.origin}.`,
    )
  }
  const headers = {
    ...request.headers,
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'content-length': String(request.body.length),
    ...(request.authorized && { authorization: `Bearer ${token.value}` }),
  }
  const { bytes, ...response } = await transfer(dispatcher, { ...request, headers }, context)
  // A response can quote the request: the token is removed before anything is read from it.
  const text = bytes && decodeText(bytes)
  return {
    ...response,
    headers: readHeaders(response.headers, removeToken),
    text: text && removeToken(text),
  }
}

/** The first value of each header, without the token. */
function readHeaders(
  headers: RawResponse['headers'],
  removeToken: (text: string) => string,
): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value
    if (text === undefined) continue
    // Path and query of a redirect may grant access, so only its origin is shown.
    first[name] = removeToken(name === 'location' ? (URL.parse(text)?.origin ?? '') : text)
  }
  return first
}

/** The text of a response; `undefined` if it is not UTF-8, such as one that was compressed. */
export function decodeText(bytes: Uint8Array): string | undefined {
  // A token in UTF-16, with a zero after each character, would not be found. JSON, HTML and plain
  // text hold no zeros.
  return isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder().decode(bytes) : undefined
}
