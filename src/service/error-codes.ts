/** What an error code of the service, or an HTTP status as `http_<status>`, means for a retry. */
export type Meaning =
  /** The request may have been carried out. */
  | 'ambiguous'
  /** Not carried out: the same request may be sent again after a wait. */
  | 'rate limit'
  /** Not carried out: the server does not offer this method. */
  | 'not offered'
  /** Not carried out for any channel: the refusal is about the token, a scope, the size or the address. */
  | 'refused for all channels'

const codes: Readonly<Record<Meaning, readonly string[]>> = {
  ambiguous: [
    'internal_error',
    'fatal_error',
    'request_timeout',
    // Documented as "try again": servers were seen to answer them although they had shared the file.
    'file_update_failed',
    'service_unavailable',
    'http_408',
  ],
  'rate limit': ['ratelimited', 'rate_limited', 'http_429'],
  'not offered': ['method_deprecated', 'unknown_method', 'deprecated_endpoint'],
  'refused for all channels': [
    'not_authed',
    'invalid_auth',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
    'missing_scope',
    'http_401',
    'http_413',
  ],
}

const meanings = new Map(
  Object.entries(codes).flatMap(([meaning, list]) => list.map((code) => [code, meaning as Meaning] as const)),
)

interface Refusal {
  readonly code: string
  readonly status?: number
}

/** Unknown codes have no meaning: codes may be added at any time. */
export function meaningOf({ code, status = 0 }: Refusal): Meaning | undefined {
  // An outage may be told in any words.
  if (status >= 500) return 'ambiguous'
  const byStatus = status >= 300 && status < 400 ? 'refused for all channels' : meanings.get(`http_${status}`)
  if (byStatus === 'ambiguous' || byStatus === 'rate limit') return byStatus
  return meanings.get(code) ?? byStatus
}

/**
 * Whether a refusal is certain for every channel of the request. Any other may come after the first of several channels
 * has the files. Without a status, the service never had the whole request.
 */
export function refusesAllChannels(refusal: Refusal): boolean {
  const meaning = meaningOf(refusal)
  return refusal.status === undefined || (meaning !== undefined && meaning !== 'ambiguous')
}

/** Whether a completion that was carried out before, on the way here, may be refused like this when it arrives again. */
export function mayBeCompletedAlready({ code }: Refusal): boolean {
  return code === 'file_not_found' || /^http_(404|409|410)$/.test(code) || code.includes('already')
}

/** Codes of connections that fail in the same way however often they are tried, and of what answers in place of the service. */
const permanent = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|INTERRUPTED|proxy_4|web_page)/

export function isPermanent({ code }: Refusal): boolean {
  return permanent.test(code)
}
