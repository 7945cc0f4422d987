import { type Problem, ProblemError } from '../problem.ts'
import type { Failure } from './answers.ts'

/** What a code means for the user. `{host}`, `{method}`, `{needed}` and `{provided}` are filled in from the failure. */
export interface Remedy {
  readonly codes: readonly string[]
  /** Heading of the annotation. */
  readonly title: string
  /** What to do next: one line. */
  readonly remedy: string
}

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
    remedy: 'Is the secret set, and is it available to this event? Runs for forks and Dependabot get no secrets.',
  },
  {
    codes: ['invalid_auth'],
    title: 'The service does not know the token',
    remedy:
      'Copy the Bot User OAuth Token (xoxb-…) of the app again. Is {host} the right host (commercial or GovSlack)? Does the workspace allow the address of the runner?',
  },
  {
    codes: ['account_inactive', 'token_revoked'],
    title: 'The token was revoked',
    remedy:
      'The app was uninstalled or its token withdrawn: reinstall the app in the workspace, and store the new token in the secret.',
  },
  {
    codes: ['token_expired'],
    title: 'The token has expired',
    remedy:
      'A rotated token lives for 12 hours: refresh it before this step, or switch token rotation off for an app that is used in CI.',
  },
  {
    codes: ['not_allowed_token_type'],
    title: 'This kind of token cannot upload',
    remedy: 'Use a bot token (xoxb-…) or a user token (xoxp-…).',
  },
  {
    codes: ['missing_scope'],
    title: 'The token lacks a scope',
    remedy:
      'Add the scope {needed} to the app (OAuth & Permissions), reinstall the app, and store the new token in the secret.',
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
    remedy: 'An admin of the workspace has to allow the app, or its account, to post files here.',
  },
  {
    codes: ['not_in_channel'],
    title: 'The app is not in the channel',
    remedy: 'Invite it: type /invite @name-of-the-app in the channel. Also public channels need this for files.',
  },
  {
    codes: ['channel_not_found', 'invalid_channel'],
    title: 'The channel was not found',
    remedy:
      'Use the identifier (bottom of the channel details, such as C0123456789), not the name; invite the app if the channel is private; is the token of the right workspace?',
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
    title: 'The user was not found',
    remedy:
      'Use the member ID (profile, three dots, Copy member ID, such as U0123456789) of an active person of this workspace.',
  },
  {
    codes: ['is_archived'],
    title: 'The channel is archived',
    remedy: 'Unarchive it, or choose another channel.',
  },
  {
    codes: ['posting_to_channel_denied', 'posting_to_general_channel_denied', 'restricted_action'],
    title: 'Posting is restricted in the channel',
    remedy: 'Ask an admin of the workspace to let the app post there, or choose another channel.',
  },
  {
    codes: ['thread_not_found', 'invalid_thread_ts', 'cannot_reply_to_message'],
    title: 'The thread was not found',
    remedy: 'thread-ts has to be the ts of a message in this very channel, such as 1760688662.900279.',
  },
  {
    codes: ['channels_limit_exceeded'],
    title: 'Too many channels',
    remedy: 'At most 100 channels get a message: use two steps.',
  },
  {
    codes: ['invalid_arguments', 'invalid_arg_name', 'invalid_form_data', 'invalid_post_type', 'invalid_charset'],
    title: 'The service did not accept the request',
    remedy: 'What it says stands below. Check channels, thread-ts and comment.',
  },
  {
    codes: ['missing_argument'],
    title: 'The service misses something in the request',
    remedy: 'An empty file cannot be uploaded there. If no file is empty, check channels and comment.',
  },
  {
    codes: ['file_upload_size_restricted', 'storage_limit_reached', 'http_413', 'file_too_large'],
    title: 'A file is too large for the service',
    remedy: 'Send a smaller file, such as a compressed one, or free storage in the workspace.',
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
    remedy: 'Send another kind of file, or ask an admin of the workspace to allow it.',
  },
  {
    codes: ['file_not_found'],
    title: 'The service does not know the uploaded file',
    remedy: 'The upload expired, was already completed, or belongs to another token. Run the step again.',
  },
  {
    codes: ['file_update_failed', 'service_unavailable'],
    title: 'The service could not do it now',
    remedy:
      'It asked to repeat the call, and that did not help. Run the step again later; see the status page of the service.',
  },
  {
    codes: ['internal_error', 'fatal_error', 'request_timeout'],
    title: 'The service had an internal error',
    remedy: 'Run the step again later; see the status page of the service.',
  },
  {
    codes: ['invalid_blocks', 'invalid_blocks_format', 'msg_too_long'],
    title: 'The comment could not be rendered',
    remedy: 'Shorten the comment, or set comment-format: plain.',
  },
  {
    codes: ['ratelimited', 'rate_limited', 'http_429'],
    title: 'The service limits the rate of calls',
    remedy: 'Send fewer files or raise timeout-minutes, so that the wait that the service asks for fits in.',
  },
  {
    codes: ['method_deprecated', 'unknown_method', 'deprecated_endpoint', 'http_404', 'http_405', 'http_410'],
    title: 'The server does not offer this upload method',
    remedy:
      'Check base-url (without /api), and method: external is what Slack offers, files.upload what compatible servers do.',
  },
  {
    codes: ['web_page', 'unreadable'],
    title: 'The answer does not come from the service',
    remedy:
      'A proxy, a portal or another web server answered: check base-url, and HTTPS_PROXY and NO_PROXY of the runner.',
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
    remedy: 'Check the token, and whether a firewall or proxy before {host} lets the runner through.',
  },
  {
    codes: ['http_407', 'PROXY_REFUSED'],
    title: 'The proxy refused the connection',
    remedy: 'Check user, password and rules of the proxy in HTTPS_PROXY, or name {host} in NO_PROXY.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
    title: 'The name of the host was not found',
    remedy: 'Check base-url and the name service of the runner. Does the runner need a proxy (HTTPS_PROXY)?',
  },
  {
    codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EADDRNOTAVAIL'],
    title: 'The host could not be reached',
    remedy:
      'Check base-url, and whether the firewall of the runner lets it reach {host}. Does it need a proxy (HTTPS_PROXY)?',
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
      'Set NODE_EXTRA_CA_CERTS for the step (env:) to the PEM file of the authority that your company or server uses.',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    title: 'The certificate is not valid',
    remedy:
      'Renew the certificate of {host}, or set base-url to a name that stands in it. Is the clock of the runner right?',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'],
    title: 'The connection broke',
    remedy:
      'Run the step again. If it happens again and again, look at the proxy or firewall between the runner and {host}.',
  },
  {
    codes: ['STALLED', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    title: 'The service did not answer',
    remedy:
      'Run the step again later. If it happens again and again, look at the proxy or firewall between the runner and {host}.',
  },
  {
    codes: ['INTERRUPTED'],
    title: 'The run ended before the answer came',
    remedy: 'Raise timeout-minutes if there was too little time.',
  },
]

const remedyOf = new Map(remedies.flatMap((remedy) => remedy.codes.map((code) => [code, remedy] as const)))

/**
 * @param what what did not work, with its channel or file, such as `The files could not be posted to C0123456789`: no full stop
 */
export function problemOf(failure: Failure, what: string): Problem {
  const known = remedyOf.get(failure.code)
  const remedy = failure.askedToWait
    ? `The service asks to wait for ${Math.ceil(failure.askedToWait / 1000)} s, longer than this run may last: raise timeout-minutes, or send fewer files.`
    : fill(known?.remedy ?? 'This code is not known here: look it up in the documentation of the service.', failure)
  return {
    title: known?.title ?? `The service answered ${failure.code}`,
    text: [`${what}: ${said(failure)}.`, remedy, ...details(failure)].join('\n'),
  }
}

/** Codes that are about one of the channels of a message. */
const aboutChannel = new Set(
  remedies
    .filter(({ codes }) =>
      ['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action'].some((code) => codes.includes(code)),
    )
    .flatMap(({ codes }) => codes),
)

export function isAboutChannel({ code }: Failure): boolean {
  return aboutChannel.has(code)
}

/** @throws ProblemError always */
export function fail(failure: Failure, what: string): never {
  throw new ProblemError(problemOf(failure, what))
}

function said({ code, host, method, status, detail }: Failure): string {
  const answered = status === undefined ? `${code} at ${host}` : `${host} answered ${code} to ${method}`
  return detail === undefined ? answered : `${answered} (${detail})`
}

function fill(remedy: string, failure: Failure): string {
  return remedy.replaceAll('{host}', failure.host).replaceAll('{needed}', failure.needed ?? 'that is missing')
}

function details({ needed, provided, messages, requestId }: Failure): string[] {
  const parts = [
    needed === undefined ? '' : `needed: ${needed}`,
    provided === undefined ? '' : `the token has: ${provided}`,
    messages === undefined ? '' : messages.join('; '),
    requestId === undefined ? '' : `request ${requestId}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? [] : [`(${parts.join('. ')})`]
}
