import { isLoopback, isSlack } from '../../hosts.ts'
import type { Text } from '../../text/text.ts'

/** The outcome of a request that failed. */
export type Outcome =
  /** Not carried out for at least one of its channels. */
  | 'refused'
  /** Not carried out for any channel, because of the token, a scope, the size or the address. */
  | 'refused everywhere'
  /** Not carried out, because the server does not know this method. */
  | 'no such method'
  /** Not carried out. It may be sent again after a wait. */
  | 'rate limited'
  /** Not carried out, because the service never had the whole request. */
  | 'not sent'
  /** It may have been carried out. */
  | 'ambiguous'

/** A request, as its failures name it. */
export interface CallInfo {
  /** `chat.postMessage`, or `upload` for the bytes of a file. */
  readonly method: string
  /** With `upload`: the path of the file. */
  readonly file?: string
  readonly bytes?: number
  /** With the port. */
  readonly host: string
  /** Of `base-url`. */
  readonly origin: string
  /** `Slack`, or the host of another service. */
  readonly service: Text
  /** The name of the app, once the service has said it. */
  readonly app?: string | undefined
}

/** Facts that a remedy can name. */
export interface FailureFacts extends CallInfo {
  /** With `missing_scope`: the scope that the token lacks. */
  readonly needed?: string | undefined
  readonly channels?: readonly string[]
}

export interface Advice {
  readonly codes: readonly string[]
  readonly title: string
  /** The next step in one line, as a template for `remedyOf`. */
  readonly remedy: Remedy
  /** Further codes of the same family. */
  readonly pattern?: RegExp
  /** Absent: `refused`, unless the status says more. */
  readonly outcome?: Outcome
  /** `token`: every call of the method is refused. `channel`: of several, it is unclear which. */
  readonly about?: 'token' | 'channel' | 'size'
  /** Absent: the page about errors. */
  readonly page?: 'token' | 'scopes' | 'channels'
  /** A firewall or proxy may block the request. */
  readonly isNetworkPath?: true
  /** A retry fails in the same way. */
  readonly isPermanent?: true
  /** A completion that arrives twice can get this code although it was carried out. */
  readonly mayBeCompleted?: true
}

/**
 * Braces mark values: a fact (`{host}`, `{method}`, `{needed}`, `{service}`), or what to type. A
 * remedy never says to run the step again, because the message may be there.
 */
type Remedy = string | ((facts: FailureFacts) => string)

type Entry = readonly [
  title: string,
  remedy: Remedy,
  facts?: Omit<Advice, 'codes' | 'title' | 'remedy'>,
]

/** The action never switches the method by itself. */
function otherMethod({ host }: FailureFacts): string {
  if (isSlack(host)) return 'Slack offers {method: external}. Is there a proxy in between?'
  return /mattermost|rocket\.chat|zulip|discord/.test(host)
    ? '{host} offers none of the methods of this action: use an action for this product.'
    : 'Check {base-url}: it is the address of the service itself, without {/api}. For Slack, leave it out. If it is right, write the method that {service} offers: {method: external} like Slack, or {method: files.upload}.'
}

function inviteApp({ app = 'name-of-the-app', method }: FailureFacts): string {
  if (method === 'files.upload') {
    return 'The account that the token belongs to must be a member of the channel: add it.'
  }
  const always = ' Files need this in public channels too, whatever the scopes.'
  return `Invite the app: type {/invite @${app}} in the channel.${method === 'chat.postMessage' ? '' : always}`
}

const noRedirect =
  'The action follows no redirect, so that the token goes nowhere else. If {base-url} is set, set it to the address of the service itself. Otherwise a gateway between the runner and {host} sent the redirect: let the runner reach {host} past it.'
const checkPath =
  'Check {base-url}, and whether a proxy or gateway in front of {host} responds in its place.'
const seeStatusPage = 'See the status page of {service} for when to try again.'
/** Plain http goes through no proxy. */
function needsProxy({ origin }: FailureFacts): string {
  return origin.startsWith('http:')
    ? ''
    : ' If the runner needs a proxy, set {https_proxy}, and leave {host} out of {no_proxy}.'
}
const aboutToken = { outcome: 'refused everywhere', about: 'token', page: 'token' } as const

/**
 * Codes of the service, of HTTP (`http_<status>`) and of the network. `npm run docs` writes this
 * table into `docs/errors.md`. Sources are reports of users, and the pages of the methods:
 * https://docs.slack.dev/reference/methods/files.completeUploadExternal/#errors
 */
const table: Readonly<Record<string, Entry>> = {
  not_authed: [
    'No token reached the service',
    'Does a proxy or gateway in front of {host} remove the {Authorization} header? Is the secret set, and may this workflow read it?',
    aboutToken,
  ],
  invalid_auth: [
    'The token was rejected',
    ({ method }) =>
      method === 'files.upload'
        ? 'Store an access token of {host} in the secret again, and write {${{ secrets.NAME }}} with the name of your secret. Behind Apache, a script gets it only with {CGIPassAuth On} (mod_wsgi: {WSGIPassAuthorization On}).'
        : "Copy the Bot User OAuth Token ({xoxb-…}) of the app into the secret again. Is {host} the host of the app's workspace (GovSlack has its own)? Does the workspace restrict the IP addresses that its apps may call from?",
    aboutToken,
  ],
  'account_inactive token_revoked': [
    'The token was revoked',
    'The app was uninstalled, or its token was revoked. Install the app in the workspace again, and store its new token in the secret.',
    aboutToken,
  ],
  token_expired: [
    'The token has expired',
    'A rotated token is valid for 12 hours. Refresh it before this step, or use an app without token rotation for CI.',
    aboutToken,
  ],
  not_allowed_token_type: [
    'This kind of token cannot upload files',
    'Use the bot token ({xoxb-…}) or a user token ({xoxp-…}) of the app, from OAuth & Permissions in its settings.',
    aboutToken,
  ],
  'missing_scope invalid_types': [
    'The token lacks a scope',
    ({ method }) =>
      method === 'files.upload'
        ? 'Give the token the scope {needed} on {host}, or store one that has it in the secret.'
        : 'Add the scope {needed} to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.',
    { ...aboutToken, page: 'scopes' },
  ],
  'access_denied app_access_restricted team_access_not_granted ekm_access_denied accesslimited enterprise_is_restricted two_factor_setup_required org_login_required team_added_to_org':
    [
      'The workspace does not allow the app to post',
      'Ask an admin of the workspace to allow the app, or the account that the token belongs to, to post files. While Slack is moving the workspace into an organization, nobody can.',
      { about: 'token' },
    ],
  not_in_channel: [
    'The app is not in the channel',
    inviteApp,
    { about: 'channel', page: 'channels' },
  ],
  // From `files.info`, it means that no lookup works.
  no_permission: ['The app is not in the channel', inviteApp, { about: 'token', page: 'channels' }],
  'channel_not_found invalid_channel': [
    'The channel was not found',
    ({ app = 'name-of-the-app', channels = [], method }) => {
      if (method === 'files.upload') {
        return 'Write the channel ID as {host} defines it: the action sends this text unchanged. Can the account that the token belongs to see this channel?'
      }
      if (channels.length > 0 && channels.every((id) => id.startsWith('D'))) {
        return 'The app can use only its own direct conversations. Write the member ID of the person, like {U0123456789}: that needs the scope {im:write}.'
      }
      return `No such channel is visible to the app. If the channel is private, invite the app: type {/invite @${app}} in it. Otherwise check the ID (at the bottom of the channel's details), and that the app is installed in the workspace of this channel.`
    },
    { about: 'channel', page: 'channels' },
  ],
  'user_not_found users_not_found user_not_visible user_disabled cannot_dm_bot users_list_not_supplied invalid_user_combination':
    [
      'Cannot message this user',
      'Write the member ID, like {U0123456789} (profile, three dots, Copy member ID), of a person who is active in the workspace where the app is installed. If this person belongs to another organization, share a channel with them first.',
    ],
  team_not_found: [
    'The workspace of the channel was not found',
    'A token for a whole organization cannot look up a channel by its name. Write the ID of the channel, like {C0123456789}.',
  ],
  is_archived: [
    'The channel is archived',
    'Unarchive the channel, or remove its ID from {channels}.',
    { about: 'channel' },
  ],
  'restricted_action posting_to_channel_denied posting_to_general_channel_denied restricted_action_read_only_channel restricted_action_thread_only_channel channel_is_limited_access method_not_supported_for_channel_type':
    [
      'Posting is restricted in the channel',
      'Ask an admin of the workspace to let the app post there, or choose another channel. If {comment} has {<!channel>} or {<!here>}, only mentions of everybody may be restricted: leave them out.',
      { about: 'channel' },
    ],
  message_limit_exceeded: [
    'The workspace reached its message limit',
    'Wait until Slack allows new messages, or upgrade the plan of the workspace.',
  ],
  messages_tab_disabled: [
    'The app does not accept direct messages',
    'Turn on the Messages Tab in the settings of the app (App Home).',
  ],
  'thread_not_found invalid_thread_ts cannot_reply_to_message restricted_action_thread_locked restricted_action_non_threadable_channel':
    [
      'Cannot reply in this thread',
      '{thread-ts} must be the ts of a message in this channel, like {1760688662.900279}, whose thread is not locked. In a channel without threads, leave it out.',
    ],
  'invalid_arguments invalid_arg_name invalid_form_data invalid_post_type invalid_charset': [
    'The service did not accept the request',
    ({ method }) =>
      method === 'files.getUploadURLExternal'
        ? 'The service refuses this file because of its name or its size. Rename it, or send it in another form, like a zip archive.'
        : 'Check the inputs {channels}, {thread-ts} and {comment}. If they are right, the service refuses the file.',
  ],
  missing_argument: [
    'A required argument is missing',
    'Is the file empty? Empty files are not accepted. Otherwise check {channels} and {comment}.',
  ],
  'file_upload_size_restricted file_too_large': [
    'The file is too large for the service',
    'Send a smaller file, like a ZIP archive.',
    { about: 'size' },
  ],
  storage_limit_reached: [
    'The storage of the workspace is full',
    'Ask an admin of the workspace to free storage, or send less.',
    { about: 'size' },
  ],
  'http_400 http_422': [
    'The server did not accept the request',
    ({ method }) =>
      method === 'files.upload'
        ? 'If its response does not say why, see the log of {host}: which fields does it require? With {comment: none}, there is no {initial_comment}. Otherwise check {base-url}, and any proxy in front of {host}.'
        : checkPath,
  ],
  http_413: [
    'The request is too large for the server',
    'Does a proxy in front of {host} limit the size of a request? Otherwise send a smaller file, like a ZIP archive. If the file is small, shorten its name and {comment}: some servers limit these, too.',
    { outcome: 'refused everywhere', about: 'size' },
  ],
  'slack_connect_file_upload_sharing_blocked slack_connect_blocked_file_type slack_connect_clip_sharing_blocked':
    [
      'This file is not allowed in a shared channel',
      'The channel is shared with another organization (Slack Connect), and one of the organizations forbids this kind of file there. Ask an admin, or choose another channel.',
      { about: 'channel' },
    ],
  'file_uploads_disabled file_uploads_except_images_disabled file_type_not_allowed blocked_file_type malware_detected':
    [
      'The workspace does not allow this file',
      'Only an admin of the workspace can change that. Unless it allows no files at all, send another kind of file.',
    ],
  file_not_found: [
    'The uploaded file was not found',
    'The upload expired, was completed already, or belongs to another token.',
    { mayBeCompleted: true },
  ],
  internal_error: [
    'The service had an internal error',
    // https://docs.slack.dev/apis/slack-connect/: users report it, for some kinds of files only.
    'See the status page of {service} for when to try again. If this error comes again in a channel that is shared with another organization (Slack Connect), it is permanent there for this kind of file: send another kind, or choose another channel.',
    { outcome: 'ambiguous' },
  ],
  'fatal_error request_timeout file_update_failed service_unavailable http_500 http_502 http_503 http_504 http_408 http_499':
    [
      'The service had an internal error',
      ({ host, method }) => {
        if (!/upload$/.test(method)) return seeStatusPage
        return isSlack(host)
          ? 'Slack may end an upload that takes longer than about 30 s: use a faster line, or send a smaller file. If small files fail too, see the status page.'
          : `${seeStatusPage} If it happens to large files only, {host}, or a proxy in front of it, limits their size or their time.`
      },
      { pattern: /^http_5\d\d$/, outcome: 'ambiguous' },
    ],
  'invalid_blocks invalid_blocks_format msg_too_long msg_blocks_too_long': [
    'The comment could not be rendered',
    'Shorten the input {comment} to 3,000 characters, or set {comment-format: plain}.',
  ],
  'ratelimited rate_limited http_429': [
    'Rate limited',
    'Raise {timeout-minutes}, so that there is time to wait, or send fewer files.',
    { outcome: 'rate limited' },
  ],
  'method_deprecated unknown_method deprecated_endpoint http_404 http_405 http_410': [
    'The server does not offer this upload method',
    otherMethod,
    { outcome: 'no such method', mayBeCompleted: true },
  ],
  // A gateway may have sent it twice, and passed on the second response.
  http_409: [
    'The server reports a conflict',
    'Check whether a proxy or gateway in front of {host} repeats requests.',
    { outcome: 'ambiguous' },
  ],
  web_page: [
    'The response does not come from the service',
    'A portal, a proxy or another web server responded in its place. Check {base-url}, and {https_proxy} and {no_proxy} of the runner.',
    { isPermanent: true },
  ],
  'unreadable broken_off': [
    'The response cannot be read',
    'If the response shows an error of a program, see the log of {service}. Otherwise, a portal, a proxy or another web server may have responded in its place, or cut the response off: check {base-url}, and {https_proxy} and {no_proxy} of the runner.',
  ],
  unclear_response: [
    'The response does not confirm the request',
    'See the log of {service}, or what its documentation says about this response. Is {base-url} the address of the service itself?',
  ],
  no_error_code: [
    'The service refused the request',
    'It gave no reason: see the log of {service}, or its documentation of {method}.',
  ],
  // They ask to send it elsewhere, so nothing was carried out.
  'http_301 http_307 http_308': [
    'The server redirects to another address',
    noRedirect,
    { pattern: /^http_3\d\d$/, outcome: 'refused everywhere' },
  ],
  // They can follow a request that was carried out, and name its result.
  'http_302 http_303 http_304': [
    'The server redirects to another address',
    noRedirect,
    { outcome: 'ambiguous', isPermanent: true },
  ],
  http_401: [
    'The token was rejected',
    'Check the token, and whether a firewall or proxy in front of {host} asks for another login.',
    { ...aboutToken, isNetworkPath: true },
  ],
  http_403: [
    'The server refused the request',
    ({ host }) =>
      `Check the token, and whether a firewall or proxy in front of {host} blocks the runner${isSlack(host) ? '' : ', or words in the name of the file or in {comment}'}.`,
    { isNetworkPath: true },
  ],
  'proxy_401 proxy_407 http_407': [
    'The proxy rejected the user name and password',
    'Write both into {https_proxy} or {http_proxy}, as {http://user:password@host:port} with special characters percent-encoded ({@} as {%40}), from a secret. Or name {host} in {no_proxy}.',
    { isPermanent: true },
  ],
  'proxy_403 proxy_500 proxy_502 proxy_503 proxy_504 UND_ERR_PRX_CONN UND_ERR_HEADERS_TIMEOUT': [
    'The proxy did not connect to the service',
    'Let the proxy in {https_proxy} or {http_proxy} allow connections to {host}, and enough of them, or name {host} in {no_proxy}. Is {base-url} right?',
    { pattern: /^proxy_4\d\d$/, isNetworkPath: true },
  ],
  'PROXY_UNREACHABLE UND_ERR_PRX_TLS': [
    'The proxy could not be reached',
    'Check host and port of the proxy in {https_proxy} or {http_proxy}, or name {host} in {no_proxy}.',
  ],
  'ENOTFOUND EAI_AGAIN EAI_NODATA': [
    'DNS lookup failed',
    (facts) =>
      'Does the DNS server of the runner respond, and know this name? Does a firewall block it? Is {base-url} right?' +
      (/^[a-z\d-]+(:|$)/.test(facts.host)
        ? ' A service has a name only in a job with {container:}. In any other job, write {localhost}, and give the service {ports:}.'
        : needsProxy(facts)),
    { isNetworkPath: true },
  ],
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH ETIMEDOUT UND_ERR_CONNECT_TIMEOUT EADDRNOTAVAIL': [
    'The host could not be reached',
    (facts) =>
      isLoopback(facts.host.replace(/:\w+$/, ''))
        ? 'Is the server running on {host}? In a job with {container:}, this is the container itself: write the name of the service in place of it. In any other job, give the service {ports:}.'
        : `Is {host} spelled correctly in {base-url}, and running? Does a firewall block the runner?${needsProxy(facts)}`,
    { isNetworkPath: true },
  ],
  NOT_PRIVATE: [
    'Plain http is only for a private network',
    'Write {https://} in {base-url}: without TLS, token and files go only to a private, shared or loopback address.',
    { isPermanent: true },
  ],
  'EPERM EACCES': [
    'The runner does not allow the connection',
    'A security rule of the runner (its own firewall, its container, SELinux) blocks it. Allow connections to {host}.',
    { isNetworkPath: true, isPermanent: true },
  ],
  'EMFILE ENFILE ENOSPC ENOBUFS ENOMEM': [
    'The runner cannot open another connection',
    'The runner has too few file descriptors, or too little memory or disk space. Raise its limits ({ulimit -n}), stop other processes, or choose another runner.',
  ],
  'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    [
      'The certificate comes from an unknown authority',
      'Put the certificate of your certificate authority (PEM) on the runner, and name its file for this step: {env: NODE_EXTRA_CA_CERTS: /path/to/ca.pem}. If the step sets it already, the file is missing, is not PEM, or does not contain this authority.',
      { pattern: /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/, isPermanent: true },
    ],
  'CERT_HAS_EXPIRED CERT_NOT_YET_VALID ERR_TLS_CERT_ALTNAME_INVALID': [
    'The certificate is not valid',
    'Renew the certificate of {host}, or set {base-url} to a name that the certificate contains. Is the clock of the runner right?',
    { pattern: /^CERT_/, isPermanent: true },
  ],
  UNSPECIFIED: [
    'The certificate is too weak',
    'Give {host} a certificate with an RSA key of 2,048 bits or more, or an elliptic curve, and a signature by SHA-256.',
    { isPermanent: true },
  ],
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_NO_SUITABLE_KEY_SHARE ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE':
    [
      'The server offers no usable version of TLS',
      'Configure {host}, or the proxy in front of it, to offer TLS 1.2 or 1.3 with common ciphers.',
      { isPermanent: true },
    ],
  'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG EPROTO': [
    'The server does not speak TLS',
    'Check host and port in {base-url}: the server there does not respond with TLS. Is there a proxy in between?',
    { pattern: /^(ERR_TLS|ERR_SSL)/, isPermanent: true },
  ],
  'ECONNRESET EPIPE UND_ERR_SOCKET ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC': [
    'The connection was lost',
    'If it happens repeatedly, check the proxy or firewall between the runner and {host}. If it happens to large files only, it may limit their size.',
    { about: 'size' },
  ],
  STALLED: [
    'The service did not respond',
    'If it happens repeatedly, check the proxy or firewall between the runner and {host}. For a large file on a slow line, raise {timeout-minutes}.',
  ],
  NO_WEBASSEMBLY: [
    'Node cannot run WebAssembly',
    'Remove `--jitless` from `NODE_OPTIONS`, or raise the virtual memory of the runner (`ulimit -v`).',
    { isPermanent: true },
  ],
  UNREQUESTED_100: [
    'The server sent 100 Continue, which nobody requested',
    'The HTTP client of this action (undici) cannot read past it. Switch it off in {host}, or in the proxy in front of it.',
    { isPermanent: true },
  ],
  'EARLY_RESPONSE wrong_size': [
    'The server did not get the whole file',
    'Check the proxy or gateway in front of {host}, and whether {base-url} is the service itself.',
  ],
  ABORTED: [
    'The run ended before the request was over',
    'Another error of this step says why.',
    { isPermanent: true },
  ],
}

export const errorCodes: readonly Advice[] = Object.entries(table).map(
  ([codes, [title, remedy, facts]]) => ({
    codes: codes.split(' '),
    title,
    remedy,
    ...facts,
  }),
)

const byCode = new Map(errorCodes.flatMap((advice) => advice.codes.map((code) => [code, advice])))

/** Services may add codes. The advice for an unknown one has no `codes`. */
export function adviceFor(errorCode: string, status?: number): Advice {
  return (
    byCode.get(errorCode) ??
    errorCodes.find(({ pattern }) => pattern?.test(errorCode)) ?? {
      codes: [],
      ...unknownCode(errorCode, status),
    }
  )
}

function unknownCode(errorCode: string, status: number | undefined): Omit<Advice, 'codes'> {
  if (status === undefined) {
    const remedy =
      'Check {base-url}, and what is between the runner and {host}: a firewall, a gateway or a proxy ({https_proxy}).'
    return { title: 'The service did not respond', remedy }
  }
  if (errorCode.startsWith('http_')) {
    return { title: `The server responded with HTTP status ${status}`, remedy: checkPath }
  }
  return {
    title: 'The service refused the request',
    remedy:
      'This action does not know the error code. See {method} in the documentation of the service.',
    ...(/already|duplicate/.test(errorCode) && { outcome: 'ambiguous', isPermanent: true }),
  }
}
