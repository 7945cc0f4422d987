import { isUtf8 } from 'node:buffer'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { isLoopback, mayBePrivate } from '../../hosts.ts'
import { NoResponseError } from './no-response.ts'
import { connectionsAtOnce } from './stall.ts'
import { type HttpRequest, type RawResponse, type TransferContext, transfer } from './transfer.ts'

export interface HttpResponse extends Pick<RawResponse, 'status' | 'isEarly'> {
  /** Names in lower case. Of `location` only the origin, or nothing. */
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` if it was too long, broke off or could not be decoded. */
  readonly text: string | undefined
}

export interface Http {
  /**
   * Follows no redirect.
   *
   * @throws NoResponseError, or what `body.chunks()` throws
   */
  send(request: HttpRequest): Promise<HttpResponse>
  /** Does not wait, because a connection that hangs would hold back the report. */
  close(): void
}

/** Milliseconds, also through a proxy. */
const connectTimeout = 20_000

/** Some firewalls require one. The version is that of `package.json`. */
const userAgent = 'channel-file-upload/0.1.0'

/**
 * The addresses that plain http may connect to. Each connection asks again, because a name can
 * change its addresses.
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
 * HTTP/1.1 through the proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
 *
 * @param connections `own`: one per request, because a server can close a kept one silently, and
 * lose the next request. With `Connection: close`, many close in the middle of the request.
 */
export function createHttp(access: Omit<Context, 'resets'>, connections: 'kept' | 'own'): Http {
  // By default, Node gives up an address after 250 ms if there is another, even an unreachable one.
  // That is too early for a distant host (findings/node-address-given-up.sh).
  const attempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 3_000 }
  // Only HTTP/1.1 shows that the last byte was handed over. `transfer` has its own timeouts.
  const options = {
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    // A server can allow ten minutes, but a NAT forgets the connection sooner, and swallows a
    // request.
    keepAliveMaxTimeout: 4_000,
    connectTimeout,
    connections: connectionsAtOnce,
    ...attempts,
  } as const
  const direct = () => new Agent({ ...options, connect: { lookup: lookupPrivate } })
  const proxied = () =>
    new EnvHttpProxyAgent({
      ...options,
      // The connection to a proxy has its own options.
      proxyTls: { allowH2: false, ...attempts },
      // Otherwise, a CONNECT without a response holds a connection for five minutes.
      clientFactory: (_, given) => new Agent({ ...given, headersTimeout: connectTimeout }),
    })
  const kept = { direct: direct(), proxied: proxied() }
  const destroy = (dispatcher: Dispatcher) => void dispatcher.destroy().catch(() => undefined)
  const context = { ...access, resets: connections === 'own' }
  return {
    async send(request) {
      // A proxy would take loopback for its own machine, and see the token of plain http. Of https,
      // only `localhost` is looked up here, which `lookupPrivate` allows.
      const isDirect = request.url.protocol === 'http:' || isLoopback(request.url.hostname)
      if (connections === 'kept')
        return send(isDirect ? kept.direct : kept.proxied, request, context)
      const own = isDirect ? direct() : proxied()
      return await send(own, request, context).finally(() => destroy(own))
    },
    close: () => Object.values(kept).forEach(destroy),
  }
}

interface Context extends TransferContext {
  /** Sent only to `origin`. */
  readonly token: string
  readonly origin: string
}

async function send(
  dispatcher: Dispatcher,
  request: HttpRequest,
  context: Context,
): Promise<HttpResponse> {
  const { origin, removeToken, token } = context
  if (request.authorized && request.url.origin !== origin) {
    throw new Error(`The token belongs to ${origin} and is not sent to ${request.url.origin}.`)
  }
  const headers = {
    ...request.headers,
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'content-length': String(request.body.length),
    ...(request.authorized && { authorization: `Bearer ${token}` }),
  }
  const { bytes, ...response } = await transfer(dispatcher, { ...request, headers }, context)
  // A response can quote the request with its token.
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
    const [text] = [value].flat()
    if (text === undefined) continue
    // Path and query of a redirect may grant access.
    first[name] = removeToken(name === 'location' ? (URL.parse(text)?.origin ?? '') : text)
  }
  return first
}

/** `undefined` if it is not UTF-8, for example compressed. */
export function decodeText(bytes: Uint8Array): string | undefined {
  // A token in UTF-16 would not be found. JSON, HTML and plain text hold no zeros.
  return isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder().decode(bytes) : undefined
}
