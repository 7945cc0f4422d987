// Stryker disable StringLiteral: texts for people. Their form is tested, not each word.
import { isSlack } from '../hosts.ts'
import { code, type Text, text } from '../text/text.ts'

/** What a failed request says about its effect, and so about a retry. */
export type Meaning =
  /** The request may have been carried out. */
  | 'ambiguous'
  /** Not carried out. The same request may be sent again after a wait. */
  | 'rate limit'
  /** Not carried out for any of the channels: the server does not know this method. */
  | 'unknown method'
  /** The same, unless the service itself responded so. */
  | 'no such page'
  /** Not carried out for any of the channels: it is about the token, a scope, the size or the address. */
  | 'refused for all channels'

/** What a remedy can name. */
export interface FailureFacts {
  /** `Slack`, or the host of another service. */
  readonly service: Text
  /** Where the request was sent: host and port. */
  readonly host: string
  /** Web API method, such as `files.info`. */
  readonly method: string
  /** The scope that the token lacks, with `missing_scope`. */
  readonly needed?: string | undefined
  /** The failure is about one of several channels, and does not say which. */
  readonly severalChannels?: boolean
}

/** What one or several error codes mean for the user and for a retry. */
export interface ErrorCode {
  readonly codes: readonly string[]
  /** Further codes of the same family. */
  readonly pattern?: RegExp
  /** Heading of the annotation. */
  readonly title: string
  /** What to do next, in one line. */
  readonly remedy: (facts: FailureFacts) => Text
  /** Absent: the request was refused, for at least one of its channels. */
  readonly meaning?: Meaning
  /** It is about the token or its scopes, so that every call of the method is refused. */
  readonly aboutToken?: true
  /** It is about one channel: with several channels the question is which. */
  readonly aboutChannel?: true
  /** The size of the file helps. */
  readonly aboutSize?: true
  /** Something between the runner and the host is the cause. */
  readonly isNetworkPath?: true
  /** A retry fails in the same way. */
  readonly isPermanent?: true
  /** Whether the same request may well succeed the next time. Default: if it is ambiguous or a rate limit, or got no response. */
  readonly isTransient?: boolean
  /** The error is transient, but may come again: added if the remedy, to run the step again, is left out. */
  readonly mayBePermanent?: Text
  /** A completion that was carried out before can be refused like this when it arrives again. */
  readonly mayBeCompleted?: true
}

/** https://docs.slack.dev/apis/slack-connect/: users report it, for some kinds of files only. */
const permanentInSharedChannels = text`If this error comes again in a channel that is shared with another organization (Slack Connect), it is permanent there for this kind of file: send another kind, or choose another channel.`

/** `method: auto` chooses by the host and stays, so the user decides about the other method. */
function otherMethod({ host, method, service }: FailureFacts): Text {
  const base = text`check ${code('base-url')}: it is the address of the service itself, without ${code('/api')}. For Slack, leave it out.`
  if (isSlack({ hostname: host })) return text`Slack offers ${code('method: external')}. Is there a proxy in between?`
  if (method === 'files.upload') {
    return text`If ${service} offers Slack's external upload, write ${code('method: external')}. Otherwise ${base}`
  }
  if (/^files\.\w+External$/.test(method)) {
    return text`If ${service} offers ${code('files.upload')}, write ${code('method: files.upload')}. Otherwise ${base}`
  }
  return text`Slack offers ${code('method: external')}, compatible servers offer ${code('method: files.upload')}. Also ${base}`
}

function noRedirect(): Text {
  return text`The action follows no redirect, so that the token goes nowhere else. Set ${code('base-url')} to the address of the service itself.`
}

/**
 * Every error code that the action knows: of the service, of HTTP as `http_<status>`, and of the network.
 * `docs/troubleshooting.md` is written from this table.
 *
 * Codes and meanings: https://docs.slack.dev/reference/methods/files.completeUploadExternal/#errors and the pages of the
 * other methods, and reports of users.
 */
export const errorCodes: readonly ErrorCode[] = [
  {
    codes: ['not_authed'],
    title: 'No token reached the service',
    remedy: ({ host }) =>
      text`Does a proxy or gateway in front of ${host} remove the ${code('Authorization')} header? Is the secret set, and may this workflow read it?`,
    meaning: 'refused for all channels',
    aboutToken: true,
  },
  {
    codes: ['invalid_auth'],
    title: 'The service does not know the token',
    remedy: ({ host, method }) =>
      method === 'files.upload'
        ? text`Store an access token of ${host} in the secret again, and write ${code('${{ secrets.NAME }}')} with the name of your secret.`
        : text`Copy the Bot User OAuth Token (${code('xoxb-…')}) of the app into the secret again. Is ${host} the host of the app's workspace (GovSlack has another one)? Does the workspace restrict the IP addresses that its apps may call from?`,
    meaning: 'refused for all channels',
    aboutToken: true,
  },
  {
    codes: ['account_inactive', 'token_revoked'],
    title: 'The token was revoked',
    remedy: () =>
      text`The app was uninstalled, or its token was revoked. Install the app in the workspace again, and store its new token in the secret.`,
    meaning: 'refused for all channels',
    aboutToken: true,
  },
  {
    codes: ['token_expired'],
    title: 'The token has expired',
    remedy: () =>
      text`A rotated token lives for 12 hours. Refresh it before this step, or use an app without token rotation for CI.`,
    meaning: 'refused for all channels',
    aboutToken: true,
  },
  {
    codes: ['not_allowed_token_type'],
    title: 'This kind of token cannot upload files',
    remedy: () =>
      text`Use the bot token (${code('xoxb-…')}) or a user token (${code('xoxp-…')}) of the app, from OAuth & Permissions in its settings.`,
    meaning: 'refused for all channels',
    aboutToken: true,
  },
  {
    codes: ['missing_scope'],
    title: 'The token lacks a scope',
    remedy: ({ needed }) =>
      text`Add the scope ${needed ?? text`that is missing`} to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.`,
    meaning: 'refused for all channels',
    aboutToken: true,
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
    remedy: () =>
      text`Ask an admin of the workspace to allow the app, or the account that the token belongs to, to post files.`,
    aboutToken: true,
  },
  {
    codes: ['not_in_channel'],
    title: 'The app is not in the channel',
    remedy: ({ method }) =>
      method === 'files.upload'
        ? text`The account that the token belongs to must be a member of the channel: add it.`
        : text`Invite the app: type ${code('/invite @name-of-the-app')} in the channel. Files need this in public channels too, whatever the scopes.`,
    aboutChannel: true,
  },
  {
    codes: ['channel_not_found', 'invalid_channel'],
    title: 'The channel was not found',
    remedy: ({ host, method, severalChannels }) => {
      if (method === 'files.upload') {
        return text`Write the channel ID as ${host} defines it: the action sends this text unchanged. Can the account that the token belongs to see this channel?`
      }
      const cause = severalChannels
        ? text`One of these IDs does not exist, or belongs to a private channel without the app.`
        : text`No channel with this ID is visible to the app.`
      return text`${cause} If the channel is private, invite the app: type ${code('/invite @name-of-the-app')} in it. Otherwise check the ID (at the bottom of the channel's details), and that the app is installed in the workspace of this channel.`
    },
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
    remedy: () =>
      text`Write the member ID, such as ${code('U0123456789')} (profile, three dots, Copy member ID), of a person who is active in the workspace where the app is installed.`,
  },
  {
    codes: ['is_archived'],
    title: 'The channel is archived',
    remedy: () => text`Unarchive the channel, or remove its ID from ${code('channels')}.`,
    aboutChannel: true,
  },
  {
    codes: ['posting_to_channel_denied', 'posting_to_general_channel_denied', 'restricted_action'],
    title: 'Posting is restricted in the channel',
    remedy: () => text`Ask an admin of the workspace to let the app post there, or choose another channel.`,
    aboutChannel: true,
  },
  {
    codes: ['thread_not_found', 'invalid_thread_ts', 'cannot_reply_to_message'],
    title: 'The thread was not found',
    remedy: () =>
      text`${code('thread-ts')} must be the ts of a message in this channel, such as ${code('1760688662.900279')}.`,
  },
  {
    codes: ['channels_limit_exceeded'],
    title: 'Too many channels',
    remedy: () => text`A message can go to at most 100 channels. Use several steps.`,
  },
  {
    codes: ['invalid_arguments', 'invalid_arg_name', 'invalid_form_data', 'invalid_post_type', 'invalid_charset'],
    title: 'The service did not accept the request',
    remedy: ({ method }) =>
      method === 'files.getUploadURLExternal'
        ? text`The service refuses this file because of its name or its size. Rename it, or send it in another form, such as a zip archive.`
        : text`Check the inputs ${code('channels')}, ${code('thread-ts')} and ${code('comment')}. If they are right, the service refuses the file.`,
  },
  {
    codes: ['missing_argument'],
    title: 'A required argument is missing',
    remedy: () =>
      text`Is the file empty? Empty files are not accepted. Otherwise check ${code('channels')} and ${code('comment')}.`,
  },
  {
    codes: ['file_upload_size_restricted', 'file_too_large'],
    title: 'The file is too large for the service',
    remedy: () => text`Send less, such as a compressed file.`,
    aboutSize: true,
  },
  {
    codes: ['storage_limit_reached'],
    title: 'The storage of the workspace is full',
    remedy: () => text`Ask an admin of the workspace to free storage, or send less.`,
    aboutSize: true,
  },
  {
    codes: ['http_413'],
    title: 'The file is too large for the server',
    remedy: ({ host }) =>
      text`Does a proxy in front of ${host} limit the size of a request? Otherwise send less, such as a compressed file.`,
    aboutSize: true,
    meaning: 'refused for all channels',
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
    remedy: () => text`Send another kind of file, or ask an admin of the workspace to allow this one.`,
  },
  {
    codes: ['file_not_found'],
    title: 'The service does not know the uploaded file',
    remedy: () => text`The upload expired, was completed already, or belongs to another token.`,
    mayBeCompleted: true,
  },
  {
    codes: ['file_update_failed', 'service_unavailable'],
    title: 'The service could not do it now',
    remedy: ({ service }) => text`Check the status page of ${service}, and run the step again later.`,
    meaning: 'ambiguous',
  },
  {
    codes: ['internal_error'],
    title: 'The service had an internal error',
    remedy: ({ service }) =>
      text`Check the status page of ${service}, and run the step again later. ${permanentInSharedChannels}`,
    meaning: 'ambiguous',
    mayBePermanent: permanentInSharedChannels,
  },
  {
    codes: ['fatal_error', 'request_timeout', 'http_408', 'http_500', 'http_502', 'http_503', 'http_504'],
    pattern: /^http_5\d\d$/,
    title: 'The service had an internal error',
    remedy: ({ service }) => text`Check the status page of ${service}, and run the step again later.`,
    meaning: 'ambiguous',
  },
  {
    codes: ['invalid_blocks', 'invalid_blocks_format', 'msg_too_long'],
    title: 'The comment could not be rendered',
    remedy: () => text`Shorten the input ${code('comment')}, or set ${code('comment-format: plain')}.`,
  },
  {
    codes: ['ratelimited', 'rate_limited', 'http_429'],
    title: 'The service limits the rate of requests',
    remedy: () => text`Raise ${code('timeout-minutes')}, so that there is time to wait, or send fewer files.`,
    meaning: 'rate limit',
  },
  {
    codes: ['method_deprecated', 'unknown_method', 'deprecated_endpoint'],
    title: 'The server does not offer this upload method',
    remedy: otherMethod,
    meaning: 'unknown method',
  },
  {
    codes: ['http_404', 'http_405', 'http_410'],
    title: 'The server does not offer this upload method',
    remedy: otherMethod,
    meaning: 'no such page',
    mayBeCompleted: true,
  },
  {
    // A gateway may have sent the request twice, and passed on the response to the second.
    codes: ['http_409'],
    title: 'The server reports a conflict',
    remedy: ({ host }) => text`Check whether a proxy or gateway in front of ${host} repeats requests.`,
    meaning: 'ambiguous',
    isTransient: false,
  },
  {
    codes: ['web_page'],
    title: 'The response does not come from the service',
    remedy: () =>
      text`A portal, a proxy or another web server responded in its place. Check ${code('base-url')}, and ${code('HTTPS_PROXY')} and ${code('NO_PROXY')} of the runner.`,
    isPermanent: true,
  },
  {
    codes: ['unreadable'],
    title: 'The response cannot be read',
    remedy: () =>
      text`A portal, a proxy or another web server may have responded in place of the service. Check ${code('base-url')}, and ${code('HTTPS_PROXY')} and ${code('NO_PROXY')} of the runner.`,
    isTransient: true,
  },
  {
    // They ask to send the request elsewhere.
    codes: ['http_301', 'http_307', 'http_308'],
    pattern: /^http_3\d\d$/,
    title: 'The server redirects to another address',
    remedy: noRedirect,
    meaning: 'refused for all channels',
  },
  {
    // They can follow a request that was carried out, and ask to get its result elsewhere.
    codes: ['http_302', 'http_303', 'http_304'],
    title: 'The server redirects to another address',
    remedy: noRedirect,
    meaning: 'ambiguous',
    isTransient: false,
    isPermanent: true,
  },
  {
    codes: ['http_401'],
    title: 'The server does not accept the token',
    remedy: ({ host }) =>
      text`Check the token, and whether a firewall or proxy in front of ${host} asks for another login.`,
    meaning: 'refused for all channels',
    isNetworkPath: true,
    aboutToken: true,
  },
  {
    codes: ['http_403'],
    title: 'The server refused the request',
    remedy: ({ host }) => text`Check the token, and whether a firewall or proxy in front of ${host} blocks the runner.`,
    isNetworkPath: true,
  },
  {
    codes: ['proxy_407', 'http_407'],
    title: 'The proxy does not accept user and password',
    remedy: ({ host }) =>
      text`Write both into ${code('HTTPS_PROXY')} or ${code('HTTP_PROXY')}, as ${code('http://user:password@host:port')} with special characters percent-encoded (${code('@')} as ${code('%40')}), from a secret. Or name ${host} in ${code('NO_PROXY')}.`,
    isPermanent: true,
  },
  {
    codes: ['proxy_403'],
    pattern: /^proxy_4\d\d$/,
    title: 'The proxy does not allow the connection',
    remedy: ({ host }) =>
      text`Let the proxy in ${code('HTTPS_PROXY')} or ${code('HTTP_PROXY')} allow connections to ${host}, or name ${host} in ${code('NO_PROXY')}. Is ${code('base-url')} right?`,
    isPermanent: true,
    isNetworkPath: true,
  },
  {
    codes: ['proxy_502', 'proxy_503', 'proxy_504', 'UND_ERR_PRX_CONN'],
    title: 'The proxy did not connect to the service',
    remedy: ({ host }) =>
      text`Let the proxy in ${code('HTTPS_PROXY')} or ${code('HTTP_PROXY')} allow connections to ${host}, or name ${host} in ${code('NO_PROXY')}. Is ${code('base-url')} right?`,
    isNetworkPath: true,
  },
  {
    codes: ['PROXY_UNREACHABLE', 'UND_ERR_PRX_TLS'],
    title: 'The proxy could not be reached',
    remedy: ({ host }) =>
      text`Check host and port of the proxy in ${code('HTTPS_PROXY')} or ${code('HTTP_PROXY')}, or name ${host} in ${code('NO_PROXY')}.`,
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'],
    title: 'DNS lookup failed',
    remedy: ({ host }) =>
      text`Is ${host} spelled correctly in ${code('base-url')}? If it is, the DNS server of the runner does not know it: does the runner need a proxy (${code('HTTPS_PROXY')})?`,
    isNetworkPath: true,
  },
  {
    codes: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EADDRNOTAVAIL'],
    title: 'The host could not be reached',
    remedy: ({ host }) =>
      text`Is ${host} spelled correctly in ${code('base-url')}, and running? Does a firewall block the runner, or does it need a proxy (${code('HTTPS_PROXY')})?`,
    isNetworkPath: true,
  },
  {
    codes: ['EPERM', 'EACCES'],
    title: 'This machine does not allow the connection',
    remedy: ({ host }) =>
      text`A security rule of the machine that the step runs on (its own firewall, its container, SELinux) forbids it. Let the rule allow connections to ${host}.`,
    isPermanent: true,
    isNetworkPath: true,
  },
  {
    codes: ['EMFILE', 'ENFILE', 'ENOSPC', 'ENOBUFS', 'ENOMEM'],
    title: 'This machine cannot open another connection',
    remedy: () =>
      text`The machine that the step runs on has too few file descriptors, or too little memory or space. Raise its limits (${code('ulimit -n')}), end what else uses them, or choose another runner.`,
  },
  {
    codes: ['ERR_WEBASSEMBLY_NOT_SUPPORTED'],
    title: 'Node runs without WebAssembly',
    remedy: () =>
      text`Responses cannot be read without it. Remove the option that turns it off, such as ${code('--jitless')}, from ${code('NODE_OPTIONS')}.`,
    isPermanent: true,
  },
  {
    codes: [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    pattern: /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    title: 'The certificate comes from an unknown authority',
    remedy: () =>
      text`Put the certificate of your certificate authority (PEM) on the runner, and name its file for this step: ${code('env: NODE_EXTRA_CA_CERTS: /path/to/ca.pem')}.`,
    isPermanent: true,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    pattern: /^CERT_/,
    title: 'The certificate is not valid',
    remedy: ({ host }) =>
      text`Renew the certificate of ${host}, or set ${code('base-url')} to a name that the certificate contains. Is the clock of the runner right?`,
    isPermanent: true,
  },
  {
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
    pattern: /^(ERR_TLS|ERR_SSL)/,
    title: 'The server does not speak TLS',
    remedy: () =>
      text`Check host and port in ${code('base-url')}: the server there does not respond with TLS. Is there a proxy in between?`,
    isPermanent: true,
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
    title: 'The connection was lost',
    remedy: ({ host }) =>
      text`Run the step again. If it happens repeatedly, check the proxy or firewall between the runner and ${host}.`,
    isNetworkPath: true,
  },
  {
    codes: ['STALLED'],
    title: 'The service did not respond',
    remedy: ({ host }) =>
      text`Run the step again later. If it happens repeatedly, check the proxy or firewall between the runner and ${host}.`,
    isNetworkPath: true,
  },
  {
    codes: ['EARLY_RESPONSE'],
    title: 'The server responded before it had the file',
    remedy: ({ host }) =>
      text`Check the proxy or gateway in front of ${host}, and whether ${code('base-url')} is the service itself.`,
  },
  {
    codes: ['ABORTED'],
    title: 'The run ended before the response came',
    remedy: () => text`Raise ${code('timeout-minutes')} if there was too little time.`,
    isPermanent: true,
  },
]

const byCode = new Map(errorCodes.flatMap((entry) => entry.codes.map((known) => [known, entry] as const)))

/** The row of a code; one without codes for an unknown code, because services may add codes at any time. */
export function rowOf(errorCode: string, status?: number): ErrorCode {
  const known = byCode.get(errorCode) ?? errorCodes.find(({ pattern }) => pattern?.test(errorCode))
  return known ?? unknownCode(errorCode, status)
}

const noResponse: ErrorCode = {
  codes: [],
  title: 'The service did not respond',
  remedy: ({ host }) =>
    text`Check ${code('base-url')}, and what is between the runner and ${host}: a firewall, a gateway or a proxy (${code('HTTPS_PROXY')}).`,
}
const unknownStatus = (status: number): ErrorCode => ({
  codes: [],
  title: `The server responded with HTTP status ${status}`,
  remedy: ({ host }) =>
    text`Check ${code('base-url')}, and whether a proxy or gateway in front of ${host} responds in its place.`,
})
const refused: ErrorCode = {
  codes: [],
  title: 'The service refused the request',
  remedy: ({ method }) =>
    text`This action does not know the error code. See ${method} in the documentation of the service.`,
}

function unknownCode(errorCode: string, status: number | undefined): ErrorCode {
  if (status === undefined) return noResponse
  if (errorCode.startsWith('http_')) return unknownStatus(status)
  // A gateway may have sent the request twice, and passed on the response to the second.
  return errorCode.includes('already')
    ? { ...refused, meaning: 'ambiguous', isTransient: false, isPermanent: true }
    : refused
}
