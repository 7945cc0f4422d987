import { type Problem, ProblemError } from '../problem.ts'
import { type Failure, isPassing } from './answers.ts'

/** What a code means for the user. `{host}`, `{method}` and `{needed}` are filled in from the failure. */
export interface Remedy {
  readonly codes: readonly string[]
  /** Heading of the annotation. */
  readonly title: string
  /** What to do next: one line. */
  readonly remedy: string
  /** Instead, when the request was about a file alone. */
  readonly aboutFile?: string
  /** When it may not pass after all: added where the remedy, to run the step again, is left out. */
  readonly permanent?: string
  /** It is about a channel: with several of them the question is which. */
  readonly aboutChannel?: true
  /** Something on the way keeps the runner from the host. */
  readonly onTheWay?: true
}

/** https://docs.slack.dev/apis/slack-connect/: reported by users, and for some kinds of files only. */
const sharedChannel =
  'If this error comes again in a channel that is shared with another organization (Slack Connect), it is permanent there for this kind of file: send another kind, or choose another channel.'

/**
 * Every code that people meet, and the way out. `docs/troubleshooting.md` is checked against this table.
 *
 * Codes and meanings: https://docs.slack.dev/reference/methods/files.completeUploadExternal/#errors and the pages of the
 * other methods; what helps is from there and from reports of users.
 */
export const remedies: readonly Remedy[] = [
  {
    codes: ['not_authed'],
    title: 'No token reached the service',
    remedy:
      'Does a proxy or gateway before {host} take the Authorization header away? Is the secret set, and may this workflow read it?',
  },
  {
    codes: ['invalid_auth'],
    title: 'The service does not know the token',
    remedy:
      'Copy the Bot User OAuth Token (xoxb-…) of the app into the secret again. Is {host} where the app lives (GovSlack is another host)? Does the workspace restrict from which IP addresses its apps may call?',
  },
  {
    codes: ['account_inactive', 'token_revoked'],
    title: 'The token was revoked',
    remedy:
      'The app was uninstalled, or its token withdrawn: install the app in the workspace again, and store its new token in the secret.',
  },
  {
    codes: ['token_expired'],
    title: 'The token has expired',
    remedy:
      'A rotated token lives for 12 hours: refresh it before this step, or use an app without token rotation for CI.',
  },
  {
    codes: ['not_allowed_token_type'],
    title: 'This kind of token cannot upload',
    remedy: 'Use the bot token (xoxb-…) or a user token (xoxp-…) of the app: OAuth & Permissions in its settings.',
  },
  {
    codes: ['missing_scope'],
    title: 'The token lacks a scope',
    remedy:
      'Add the scope {needed} to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.',
  },
  {
    codes: [
      'no_permission',
      'access_denied',
      'team_access_not_granted',
      'ekm_access_denied',
      'accesslimited',
      'org_login_required',
      'team_added_to_org',
      'two_factor_setup_required',
    ],
    title: 'The workspace does not allow it',
    remedy: 'Ask an admin of the workspace to allow the app, or the account the token belongs to, to post files.',
  },
  {
    codes: ['not_in_channel'],
    title: 'The app is not in the channel',
    remedy:
      'Invite the app: write /invite @name-of-the-app in the channel. Files need this in public channels too, whatever the scopes.',
    aboutChannel: true,
  },
  {
    codes: ['channel_not_found', 'invalid_channel'],
    title: 'The channel was not found',
    remedy:
      'Write the identifier, such as C0123456789 (at the bottom of the channel details), not the name. If it is right: invite the app when the channel is private, and check that the token is of the same workspace.',
    aboutChannel: true,
  },
  {
    codes: [
      'user_not_found',
      'users_not_found',
      'user_not_visible',
      'user_disabled',
      'cannot_dm_bot',
      'users_list_not_supplied',
    ],
    title: 'There is no direct conversation with this user',
    remedy:
      'Write the member ID, such as U0123456789 (profile, three dots, Copy member ID), of a person who is active in the workspace of the token.',
  },
  {
    codes: ['is_archived'],
    title: 'The channel is archived',
    remedy: 'Unarchive the channel, or take its identifier out of channels.',
    aboutChannel: true,
  },
  {
    codes: ['posting_to_channel_denied', 'posting_to_general_channel_denied', 'restricted_action'],
    title: 'Posting is restricted in the channel',
    remedy: 'Ask an admin of the workspace to let the app post there, or choose another channel.',
    aboutChannel: true,
  },
  {
    codes: ['thread_not_found', 'invalid_thread_ts', 'cannot_reply_to_message'],
    title: 'The thread was not found',
    remedy: 'thread-ts has to be the ts of a message in this very channel, such as 1760688662.900279.',
  },
  {
    codes: ['channels_limit_exceeded'],
    title: 'Too many channels',
    remedy: 'A message goes to at most 100 channels: use two steps.',
  },
  {
    codes: ['invalid_arguments', 'invalid_arg_name', 'invalid_form_data', 'invalid_post_type', 'invalid_charset'],
    title: 'The service did not accept the request',
    remedy: 'Check the inputs channels, thread-ts and comment. If they are right, the service refuses the file.',
    aboutFile:
      'The service refuses this file for its name or its size: give it another name, or send it in another form, such as a zip archive.',
  },
  {
    codes: ['missing_argument'],
    title: 'The service misses something in the request',
    remedy: 'Is the file empty? The service takes no empty files. Otherwise check channels and comment.',
  },
  {
    codes: ['file_upload_size_restricted', 'storage_limit_reached', 'file_too_large'],
    title: 'The file is too large for the service',
    remedy: 'Send less, such as a compressed file, or free storage in the workspace.',
  },
  {
    codes: ['http_413'],
    title: 'The file is too large for the server',
    remedy: 'Does a proxy before {host} limit the size of a request? Otherwise send less, such as a compressed file.',
  },
  {
    codes: [
      'file_uploads_disabled',
      'file_uploads_except_images_disabled',
      'file_type_not_allowed',
      'blocked_file_type',
      'malware_detected',
    ],
    title: 'The workspace forbids this file',
    remedy: 'Send another kind of file, or ask an admin of the workspace to allow this one.',
  },
  {
    codes: ['file_not_found'],
    title: 'The service does not know the uploaded file',
    remedy: 'The upload expired, was completed already, or belongs to another token.',
  },
  {
    codes: ['file_update_failed', 'service_unavailable'],
    title: 'The service could not do it now',
    remedy: 'Repeating the call did not help: run the step again later, and see the status page of the service.',
  },
  {
    codes: ['internal_error'],
    title: 'The service had an internal error',
    remedy: `See the status page of the service, and run the step again later. ${sharedChannel}`,
    permanent: sharedChannel,
  },
  {
    codes: ['fatal_error', 'request_timeout', 'http_408', 'http_500', 'http_502', 'http_503', 'http_504'],
    title: 'The service had an internal error',
    remedy: 'See the status page of the service, and run the step again later.',
  },
  {
    codes: ['invalid_blocks', 'invalid_blocks_format', 'msg_too_long'],
    title: 'The comment could not be rendered',
    remedy: 'Shorten the input comment, or set comment-format: plain.',
  },
  {
    codes: ['ratelimited', 'rate_limited', 'http_429'],
    title: 'The service limits the rate of calls',
    remedy: 'Raise timeout-minutes, so that there is time to wait, or send fewer files.',
  },
  {
    codes: ['method_deprecated', 'unknown_method', 'deprecated_endpoint', 'http_404', 'http_405', 'http_410'],
    title: 'The server does not offer this upload method',
    remedy:
      'Check base-url (the address of the service, without /api) and method: Slack offers external, compatible servers files.upload.',
  },
  {
    codes: ['web_page', 'unreadable'],
    title: 'The answer does not come from the service',
    remedy:
      'A portal, a proxy or another web server answered in its place: check base-url, and HTTPS_PROXY and NO_PROXY of the runner.',
  },
  {
    codes: ['http_301', 'http_302', 'http_303', 'http_307', 'http_308'],
    title: 'The server redirects to another address',
    remedy:
      'Redirects are not followed, so that the token goes nowhere else: set base-url to the address that the service really has.',
  },
  {
    codes: ['http_401', 'http_403'],
    title: 'The server refused the request',
    remedy: 'Check the token, and whether a firewall or proxy before {host} keeps the runner out.',
    onTheWay: true,
  },
  {
    codes: ['proxy_407', 'http_407'],
    title: 'The proxy wants another user or password',
    remedy:
      'Write both into HTTPS_PROXY or HTTP_PROXY, as http://user:password@host:port with special characters percent-encoded (@ as %40), from a secret; or name {host} in NO_PROXY.',
  },
  {
    codes: ['proxy_403', 'proxy_502', 'proxy_503', 'proxy_504', 'UND_ERR_PRX_CONN'],
    title: 'The proxy did not connect to the service',
    remedy:
      'Let the proxy in HTTPS_PROXY or HTTP_PROXY pass connections to {host}, or name {host} in NO_PROXY. Is base-url right?',
    onTheWay: true,
  },
  {
    codes: ['PROXY_UNREACHABLE', 'UND_ERR_PRX_TLS'],
    title: 'The proxy could not be reached',
    remedy: 'Check host and port of the proxy in HTTPS_PROXY or HTTP_PROXY, or name {host} in NO_PROXY.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
    title: 'The name of the host was not found',
    remedy:
      'Is {host} written right in base-url? If it is, the name server of the runner does not know it: does the runner need a proxy (HTTPS_PROXY)?',
    onTheWay: true,
  },
  {
    codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EADDRNOTAVAIL'],
    title: 'The host could not be reached',
    remedy:
      'Is {host} written right in base-url, and running? Does a firewall keep the runner from it, or does it need a proxy (HTTPS_PROXY)?',
    onTheWay: true,
  },
  {
    codes: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    title: 'The certificate comes from an unknown authority',
    remedy:
      'Put the certificate of your company or server authority (PEM) on the runner, and name its file for this step: env: NODE_EXTRA_CA_CERTS: /path/to/ca.pem.',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    title: 'The certificate is not valid',
    remedy:
      'Renew the certificate of {host}, or set base-url to a name that stands in it. Is the clock of the runner right?',
  },
  {
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
    title: 'There is no https at this address',
    remedy: 'Check host and port in base-url: what answers there speaks something else. Does a proxy stand between?',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
    title: 'The connection broke',
    remedy:
      'Run the step again. If it happens again and again, look at the proxy or firewall between the runner and {host}.',
    onTheWay: true,
  },
  {
    codes: ['STALLED'],
    title: 'The service did not answer',
    remedy:
      'Run the step again later. If it happens again and again, look at the proxy or firewall between the runner and {host}.',
    onTheWay: true,
  },
  {
    codes: ['EARLY_ANSWER'],
    title: 'The server answered before it had the file',
    remedy:
      'It said ok to a part of the request: look at the proxy or gateway before {host}, and whether base-url is the service itself.',
  },
  {
    codes: ['INTERRUPTED'],
    title: 'The run ended before the answer came',
    remedy: 'Raise timeout-minutes if there was too little time.',
  },
]

const remedyOf = new Map(remedies.flatMap((remedy) => remedy.codes.map((code) => [code, remedy] as const)))

/** What the caller knows besides the failure. */
export interface Circumstances {
  /** Instead of the remedy in the table. */
  readonly remedy?: string
  /**
   * What is there already, or may be: told before the remedy, and instead of one for a failure that passes, which would
   * only say to run the step again.
   */
  readonly first?: string
  /** The call was about several channels, and the answer does not say which of them it means. */
  readonly severalChannels?: boolean
  /** The host that told to call this other one. */
  readonly toldBy?: string
}

/** @param what what did not work, with its channel or file, such as `The files could not be posted to C0123456789`: no full stop */
export function problemOf(failure: Failure, what: string, around: Circumstances = {}): Problem {
  const known = remedyOf.get(failure.code)
  const unclear = around.severalChannels === true && known?.aboutChannel === true
  return {
    title: known?.title ?? unknownTitle(failure),
    text: [
      `${what}: ${said(failure)}${unclear ? ', and did not say which of them it means' : ''}.`,
      [
        around.first ?? '',
        around.first && isPassing(failure) ? (known?.permanent ?? '') : fill(next(failure, known, around), failure),
      ]
        .filter((part) => part !== '')
        .join(' '),
      ...details(failure, unclear),
    ].join('\n'),
  }
}

function next(failure: Failure, known: Remedy | undefined, { remedy, toldBy }: Circumstances): string {
  if (failure.askedToWait) {
    return `The service asks to wait for ${Math.ceil(failure.askedToWait / 1000)} s, longer than this run may last: raise timeout-minutes, or send fewer files.`
  }
  if (known?.onTheWay && toldBy !== undefined && toldBy !== failure.host) {
    return `${toldBy} answers, and has the bytes of files sent to {host}: let the runner reach both (firewall, proxy).`
  }
  if (known?.aboutFile !== undefined && failure.method === 'files.getUploadURLExternal') return known.aboutFile
  return remedy ?? known?.remedy ?? unknownRemedy(failure)
}

function unknownTitle({ code, status }: Failure): string {
  if (status === undefined) return 'The service did not respond'
  return `The service answered ${short(code).replace('http_', 'HTTP status ')}`
}

function unknownRemedy({ code, status }: Failure): string {
  if (status === undefined) {
    return 'Check base-url, and what is between the runner and {host}: a firewall, a gateway or a proxy (HTTPS_PROXY).'
  }
  return code.startsWith('http_')
    ? 'Check base-url, and whether a proxy or gateway before {host} answers in its place.'
    : 'This code is not known here: see {method} in the documentation of the service.'
}

/** A problem that a look has found out. `what` as for `problemOf`. */
export function foundProblem(code: FoundCode, what: string, needed = ''): Problem {
  const { title, remedy } = remedyOf.get(code) as Remedy
  return { title, text: `${what}.\n${remedy.replaceAll('{needed}', needed)}` }
}

export type FoundCode = 'channel_not_found' | 'is_archived' | 'missing_scope' | 'not_in_channel'

export function isAboutChannel({ code }: Failure): boolean {
  return remedyOf.get(code)?.aboutChannel ?? false
}

/** @throws ProblemError always */
export function fail(failure: Failure, what: string, around?: Circumstances): never {
  throw new ProblemError(problemOf(failure, what, around))
}

/** What the service said, or that it said nothing: no full stop. */
export function said({ code, detail, host, method, status }: Failure): string {
  const more = detail === undefined ? '' : ` (${short(detail)})`
  if (status === undefined) return `no answer from ${host} (${why(code, detail)})`
  const call = method === 'upload' ? 'the bytes of the file' : method
  if (code === 'web_page') return `${host} answered ${call} with a web page${more}`
  if (code === 'unreadable') return `${host} answered ${call} with something that is not JSON`
  if (code === `http_${status}`) return `${host} answered ${call} with HTTP status ${status}${more}`
  return `${host} answered ${short(code)} to ${call}`
}

function why(code: string, detail: string | undefined): string {
  // OpenSSL's own words are for those who write it; Node's advice does not fit where one cannot choose how Node starts.
  if (detail === undefined || code.startsWith('ERR_SSL_')) return code
  const message = short(detail.replace(/; if the root CA is installed locally.*/, ''))
  return message.includes(code) ? message : `${code}: ${message}`
}

const whichChannel =
  'To see which: try one channel at a time, or dry-run: true with a token that has channels:read and groups:read.'

function fill(remedy: string, { host, method, needed }: Failure): string {
  return remedy
    .replaceAll('{host}', () => host)
    .replaceAll('{method}', () => method)
    .replaceAll('{needed}', () => (needed === undefined ? 'that is missing' : short(needed)))
}

function details({ provided, messages, requestId }: Failure, unclearChannel: boolean): string[] {
  const parts = [
    unclearChannel ? whichChannel : '',
    provided === undefined ? '' : `The token has: ${short(provided.replaceAll(',', ', '))}.`,
    messages === undefined ? '' : `The service says: ${short(messages.join('; '))}`,
    requestId === undefined ? '' : `Request id: ${short(requestId)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? [] : [parts.join(' ')]
}

/** What the service says, on one line: no answer makes more of an error than its lines. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}
