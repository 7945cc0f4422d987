import {
  isObject,
  type Json,
  listIn,
  objectIn,
  parseJson,
  parseObject,
  parseString,
  textIn,
} from '../json.ts'
import { adviceFor, type CallInfo, type Outcome } from './errors/error-codes.ts'
import { collapseSpaces, createFailure, type Failure } from './errors/failures.ts'
import type { HttpResponse } from './http/http.ts'

export type CallResult = Success | Failure

interface Success extends CallInfo {
  readonly outcome: 'succeeded'
  readonly json: Json
  /** Status 200 without a body. */
  readonly isEmpty?: boolean
}

type Kind = 'call' | 'completion' | 'files.upload' | 'bytes'

/**
 * Slack responds with a JSON object with `ok`, unless there is an outage.
 * https://docs.slack.dev/apis/web-api/
 */
export const readWebApi = readerOf('call')
/** A completion that was carried out before can be refused with `file_not_found`. */
export const readCompletion = readerOf('completion')
/**
 * The response is not specified, so any 2xx counts that does not say otherwise. But a web page
 * comes from a proxy or a portal, and a runtime prints its errors with status 200, too.
 */
export const readFilesUpload = readerOf('files.upload')
/** A success has status 200. Its body, if it can be read, says nothing else, and no other size. */
export const readUpload = readerOf('bytes')

interface Received extends HttpResponse {
  readonly kind: Kind
  readonly call: CallInfo
  /** Never of the upload of bytes. */
  readonly json: Json | undefined
}

function readerOf(kind: Kind) {
  return (response: HttpResponse, call: CallInfo): CallResult => {
    const json = kind === 'bytes' ? undefined : parseObject(jsonOf(response.text))
    const received = { ...response, kind, call, json }
    if (!succeeds(received)) return failureOf(received)
    // Before it had the whole request, ok does not tell what the service did.
    if (response.isEarly) return createFailure(call, 'EARLY_RESPONSE', 'ambiguous')
    const isEmpty = response.status === 200 && response.text === ''
    return { ...call, outcome: 'succeeded', json: json ?? {}, isEmpty }
  }
}

function succeeds(received: Received): boolean {
  const { json, kind, status, text } = received
  if (kind === 'bytes') return status === 200 && !isUnclear(text) && !lacksBytes(received)
  if (kind === 'files.upload') return isSuccess(received) && text !== undefined && !isUnclear(text)
  return isSuccess(received) && json?.['ok'] === true
}

/** The outcome of a response that is no success. The first case that applies decides. */
function outcomeOf(received: Received, code: string): Outcome {
  const { json, kind, status } = received
  const byStatus = adviceFor(`http_${status}`).outcome
  // Without the whole request, no channel got the file.
  const isEarly = kind === 'files.upload' && received.isEarly
  if (isEarly && (status >= 500 || status === 408)) return 'not sent'
  if (isEarly && !isSuccess(received) && status !== 429) return 'refused everywhere'
  // `ok` contradicts the status.
  if (json?.['ok'] === true) return 'ambiguous'
  if (byStatus === 'rate limited') return 'rate limited'
  // Nothing is visible yet, and a new upload URL may work.
  if (kind === 'bytes')
    return isRedirect(received) || status === 413 ? 'refused everywhere' : 'ambiguous'
  // In an outage, the request may have been carried out, whatever the body says.
  if (byStatus === 'ambiguous') return 'ambiguous'
  const outcome = outcomeByCode(received, code, byStatus)
  return isEarly && outcome === 'refused' ? 'refused everywhere' : outcome
}

/** First by the code, else the status, else `refused`. Next, what is ambiguous all the same. */
function outcomeByCode(received: Received, code: string, byStatus: Outcome | undefined): Outcome {
  const { json, kind, status, text } = received
  const advice = adviceFor(code, status)
  const byTable = advice.outcome ?? byStatus ?? 'refused'
  // JSON with 404 comes from the service itself, so the method exists, unless the code denies it.
  const deniesMethod = advice.outcome === 'no such method' && !code.startsWith('http_')
  const refusal = json && byTable === 'no such method' && !deniesMethod ? 'refused' : byTable
  // A refusal with 2xx says `ok: false`, nothing before it, and, except for `files.upload`, a code.
  if (isSuccess(received) && parseObject(text ?? '')?.['ok'] !== false) return 'ambiguous'
  if (isSuccess(received) && kind !== 'files.upload' && code === 'no_error_code') return 'ambiguous'
  // A response that could not be read may hold any code.
  if (text === undefined && refusal !== 'refused everywhere') return 'ambiguous'
  // Not of an unknown method (404 without JSON).
  if (kind === 'completion' && advice.mayBeCompleted && refusal !== 'no such method')
    return 'ambiguous'
  return refusal
}

function failureOf(received: Received): Failure {
  const { call, headers, json, status } = received
  const code = lacksBytes(received) ? 'wrong_size' : errorCodeOf(received)
  return createFailure(call, code, outcomeOf(received, code), {
    status,
    needed: textIn(json, 'needed'),
    messages: listIn(objectIn(json, 'response_metadata'), 'messages').filter(
      (message) => typeof message === 'string',
    ),
    requestId: headers['x-slack-req-id'] || undefined,
    retryAfter: retryAfter(headers),
    detail: detailOf(received, code) || undefined,
  })
}

/** At least one channel certainly got nothing, and a retry would not change that. */
export function isRefusal({ outcome }: Failure): boolean {
  return ['refused', 'refused everywhere', 'no such method'].includes(outcome)
}

/** The upload URL responds `OK - <bytes>`. Another number means that the file did not arrive. */
function lacksBytes({ call: { bytes }, status, text = '' }: Received): boolean {
  const [, stored = bytes] = /^OK - (\d+)\s*$/.exec(text) ?? []
  return status === 200 && bytes !== undefined && Number(stored) !== bytes
}

/** How errors of runtimes, or a line of them, begin. */
const runtimeErrors = [
  // Python, Perl, Python's cgitb; or a script that nothing ran.
  /^(?:<\w+>)?(?:Traceback \(most recent call last\):|Software error:|<!--: spam|<\?php|#!\/)/,
  // PHP before the script, if it could not read or store the form.
  /^(?:<b>)?Warning(?:<\/b>)?: .* in (?:<b>)?Unknown(?:<\/b>)? on line (?:<b>)?0/m,
  // Ruby, Go.
  /^(?:\S+:\d+:in [`']|panic: .*\n+goroutine )/,
  // Node, Java, .NET.
  /^[^\n]+\n(?:[^\n]+\n)?[ \t]+at (?!\d).*(?:\)|:\d+:\d+|:line \d+)(?=\s|$)/,
]
/** PHP ends with its error, a stack trace below it (8.5) or a table (Xdebug). Warnings come before. */
const phpError =
  /(?: on line (?:<b>)?\d+(?:<\/b><br \/>)?|\{main\}|<\/table><\/font>)\s*$(?<=(?:^|\n|<b>|<\/span> )(?:PHP )?(?:\w+ )?(?:fatal|parse) error(?:<\/b>)?: .*)/is

/** It says that the request failed, or may have said so. */
function isUnclear(text = ''): boolean {
  const shown = text.trimStart()
  if (isWebPage(text) || phpError.test(text) || runtimeErrors.some((form) => form.test(shown)))
    return true
  const found = jsonOf(text)
  const json = parseJson(found)
  // Cut off, or one of two, it may have been a refusal.
  if (json === undefined) return /^\s*(?:\[\s*)?\{/.test(found)
  return [json].flat().some((value) => isObject(value) && reportsError(value))
}

/**
 * PHP shows its warnings before a response, JSONP surrounds it, and some servers encode it twice. A
 * text that goes on after the JSON is an echo.
 */
function jsonOf(text = ''): string {
  return (parseString(text) ?? text)
    .replace(/^(?=.*\}[\s);]*$).*?(?=\{\s*["}])/s, '')
    .replace(/(?<=\})[\s);]*$/, '')
}

function reportsError(json: Json): boolean {
  if ('ok' in json) return json['ok'] !== true
  if (json['success'] === false || json['status'] === 'error') return true
  // AWS's gateway passes an error of a function on with status 200.
  return [json['error'], json['errors'], json['errorMessage']].some((value) =>
    typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : value,
  )
}

/** Milliseconds. A shorter one counts as none: 0 would repeat the request without end. */
const minRetryAfter = 1_000

/** Milliseconds, from seconds, or from a date (RFC 9110) if the response has its own `Date`. */
function retryAfter({
  date = '',
  'retry-after': value = '',
}: HttpResponse['headers']): number | undefined {
  const isDate = /^\w{3}, .* GMT$/.test(value)
  const [seconds] = /^\d{1,9}(\.\d+)?$/.exec(value) ?? []
  const wait = isDate ? Date.parse(value) - Date.parse(date) : Number(seconds) * 1_000
  return wait >= minRetryAfter ? wait : undefined
}

function errorCodeOf(response: Received): string {
  const { json } = response
  const error = textIn(json, 'error')
  // Without `ok`, words like `Not Found` are no code.
  if (error && (json?.['ok'] === false || (!isSuccess(response) && /^[a-z_]+$/.test(error))))
    return error
  // Go's usual handler responds so.
  if (response.status === 400 && /too large/i.test(response.text ?? '')) return 'http_413'
  if (!isSuccess(response)) return `http_${response.status}`
  if (isWebPage(response.text)) return 'web_page'
  if (response.text === undefined) return 'broken_off'
  if (parseJson(jsonOf(response.text)) === undefined) return 'unreadable'
  return json?.['ok'] === false ? 'no_error_code' : 'unclear_response'
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

function isRedirect({ status }: HttpResponse): boolean {
  return status >= 300 && status < 400
}

/** PHP, Flask and Django call everything HTML, so the content type does not tell. */
function isWebPage(text = ''): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html|head|body)\b/i.test(text)
}

/** Characters of a body. */
const maxRead = 10_000
const maxShown = 200

/** Where a redirect leads to, the title of a web page, or what is said beside a code. */
function detailOf(response: Received, code: string): string | undefined {
  const { headers, json, text = 'a part of a response, or bytes that are not UTF-8' } = response
  // Only the origin is kept.
  if (isRedirect(response)) return headers['location']
  const body = text.slice(0, maxRead)
  // A start tag ends at the next `<`, for linear time.
  if (isWebPage(body)) {
    const title = /<title[^<>]*>([^<]{1,200})/i.exec(body)?.[1]?.trim()
    // Express calls an error page `Error`; bottle, Django and others use its status.
    if (!/^Error$|\d{3}/.test(title ?? 'Error')) return title
    return /(?<=<pre>)[^<]{1,200}|(?<=<p>)[^<]{1,200}(?=<\/p)/.exec(body)?.[0] ?? title
  }
  if (json?.['ok'] === false)
    return excerptOf(textIn(json, 'message') ?? text.replace(/\{\s*".*/s, ''))
  return code === textIn(json, 'error') ? undefined : excerptOf(body)
}

function excerptOf(text: string): string {
  return collapseSpaces(text.replace(/<\/?\w[^<>]*>/g, '')).slice(0, maxShown)
}
