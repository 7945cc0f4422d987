export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  /** The last byte was handed to the connection. If not, the request was not carried out. */
  readonly fullySent: boolean
  /**
   * Of Node or undici (`ECONNREFUSED`), or our own: `proxy_<status>` for a response of a proxy,
   * `PROXY_UNREACHABLE`, `NOT_PRIVATE`, `UNREQUESTED_100`, `NO_WEBASSEMBLY`, `STALLED`, `ABORTED`.
   */
  readonly code: string

  constructor(code: string, fullySent: boolean, message: string) {
    super(message)
    this.code = code
    this.fullySent = fullySent
  }
}

/** @param error of undici */
export function noResponse(
  error: unknown,
  url: URL,
  fullySent: boolean,
  removeToken: (text: string) => string,
): NoResponseError {
  const root = rootCause(error)
  const fail = (code: string, message: string) => new NoResponseError(code, fullySent, message)
  // undici refuses every 100 Continue, and has no option for one that nobody requested
  // (findings/undici-unrequested-100.sh).
  if (root.message === 'bad response')
    return fail('UNREQUESTED_100', 'the server sent 100 Continue')
  // Only the message has the status: `Proxy response (403) !== 200 when HTTP Tunneling` or `Proxy
  // Authentication Required (407)` (findings/undici-proxy-status.sh).
  const status = /^Proxy [^(]*\((\d{3})\)/.exec(root.message)?.[1]
  if (status !== undefined) return fail(`proxy_${status}`, `the proxy responded ${status}`)
  return fail(
    isElsewhere(root, url) ? 'PROXY_UNREACHABLE' : codeOf(root),
    removeToken(root.message),
  )
}

/** Node wraps the errors of several addresses in an AggregateError, undici a proxy's in a cause. */
function rootCause(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error))
  for (;;) {
    const inner = root instanceof AggregateError ? root.errors[0] : root.cause
    // The causes of an error about the proxy do not mention the proxy.
    if (!(inner instanceof Error) || codeOf(root).startsWith('UND_ERR_PRX_')) return root
    root = inner
  }
}

/** The address that failed is not the URL's, so it is the proxy's. */
function isElsewhere(
  { hostname, port, syscall }: Error & { hostname?: unknown; port?: unknown; syscall?: unknown },
  url: URL,
): boolean {
  if (syscall === 'getaddrinfo') return hostname !== url.hostname
  // A connection to port 0 names no port.
  return (
    syscall === 'connect' &&
    port !== undefined &&
    String(port) !== (url.port || (url.protocol === 'https:' ? '443' : '80'))
  )
}

function codeOf(error: Error): string {
  // Lost after it was made, so the host is there.
  if (/^(read|write) (ETIMEDOUT|E\w+UNREACH)/.test(error.message)) return 'ECONNRESET'
  // The memory that undici's parser needs is refused as a RangeError.
  if (error.message.includes('WebAssembly')) return 'NO_WEBASSEMBLY'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
