import { isObject, type Json, listIn, objectIn, parseJson, parseObject, textIn } from '../json.ts'
import { adviceFor, type CallInfo, type Outcome } from './errors/error-codes.ts'
import { collapseSpaces, createFailure, type Failure } from './errors/failures.ts'
import type { HttpResponse } from './http/http.ts'
import type { NoResponseError } from './http/no-response.ts'

/** What became of one HTTP call. */
export type CallResult =
  | {
      readonly outcome: 'succeeded'
      readonly call: CallInfo
      readonly json: Json
      /** Status 200, and nothing else. */
      readonly isEmpty?: boolean
    }
  | Failure

/** The result if no response came. */
export function readNoResponse(
  { code, fullySent, message }: NoResponseError,
  call: CallInfo,
): Failure {
  return createFailure(call, code, fullySent ? 'ambiguous' : 'not sent', { detail: message })
}

/** What was requested. */
type Kind = 'call' | 'completion' | 'files.upload' | 'bytes'

/**
 * A response of Slack's Web API. It is a JSON object with `ok`, or there is an outage.
 * https://docs.slack.dev/apis/web-api/
 */
export const readWebApi = readerOf('call')
/** A completion that was carried out before can be refused with `file_not_found`. */
export const readCompletion = readerOf('completion')
/**
 * The response to `files.upload` is not specified: any success counts that does not say otherwise.
 * But a web page comes from a proxy or a portal.
 */
export const readFilesUpload = readerOf('files.upload')
/**
 * The response to the bytes of a file. A success has status 200, is not a web page, and names no
 * other number of bytes.
 */
export const readUpload = readerOf('bytes')

/** A response, and what it responds to. */
interface Received extends HttpResponse {
  readonly kind: Kind
  readonly call: CallInfo
  readonly json: Json | undefined
}

function readerOf(kind: Kind) {
  return (response: HttpResponse, call: CallInfo): CallResult => {
    const json = kind === 'bytes' ? undefined : parseObject(response.text ?? '')
    const received = { ...response, kind, call, json }
    if (!succeeds(received)) return failureOf(received)
    // The service said ok before it had the whole request: what it did is unknown.
    if (response.isEarly) return createFailure(call, 'EARLY_RESPONSE', 'ambiguous')
    const isEmpty = response.status === 200 && response.text === ''
    return { outcome: 'succeeded', call, json: json ?? {}, isEmpty }
  }
}

function succeeds(received: Received): boolean {
  const { json, kind, status, text } = received
  if (kind === 'bytes') return status === 200 && !isWebPage(text) && !lacksBytes(received)
  if (kind === 'files.upload')
    return isSuccess(received) && json?.['ok'] !== false && !isUnclear(received)
  return isSuccess(received) && json?.['ok'] === true
}

/** What became of a request whose response is no success: the first case that applies decides. */
function outcomeOf(received: Received, code: string): Outcome {
  const { json, kind, status } = received
  const byStatus = adviceFor(`http_${status}`, status).outcome
  // The service did not have the whole request, so no channel got the file.
  const isEarly = kind === 'files.upload' && received.isEarly
  if (isEarly && (status >= 500 || status === 408)) return 'not sent'
  if (isEarly && !isSuccess(received) && status !== 429) return 'refused everywhere'
  // `ok` and a status that says otherwise contradict each other.
  if (json?.['ok'] === true) return 'ambiguous'
  if (byStatus === 'rate limited') return 'rate limited'
  // Nothing is visible yet, and a new upload URL may work: everything else may be tried again.
  if (kind === 'bytes')
    return isRedirect(received) || status === 413 ? 'refused everywhere' : 'ambiguous'
  // Whatever the body of an outage says, the request may have been carried out.
  if (byStatus === 'ambiguous') return 'ambiguous'
  const outcome = outcomeByCode(received, code, byStatus)
  return isEarly && outcome === 'refused' ? 'refused everywhere' : outcome
}

/** What became of the request, if its status alone does not say it. */
function outcomeByCode(received: Received, code: string, byStatus: Outcome | undefined): Outcome {
  const { json, kind, status, text } = received
  const advice = adviceFor(code, status)
  const byTable = advice.outcome ?? byStatus ?? 'refused'
  // JSON with 404 comes from the service itself, so the method exists, unless the code denies it.
  const deniesMethod = advice.outcome === 'no such method' && !code.startsWith('http_')
  const outcome = json && byTable === 'no such method' && !deniesMethod ? 'refused' : byTable
  // 2xx without `ok: false` and a code is not a refusal by the service.
  if (isSuccess(received) && json?.['ok'] !== false) return 'ambiguous'
  if (isSuccess(received) && kind !== 'files.upload' && code === 'no_error_code') return 'ambiguous'
  // A response that could not be read may hold any code.
  if (text === undefined && outcome !== 'refused everywhere') return 'ambiguous'
  if (kind === 'completion' && advice.mayBeCompleted && outcome !== 'no such method')
    return 'ambiguous'
  return outcome
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

/** Whether at least one channel certainly got nothing, and a retry would not change that. */
export function isRefusal(result: CallResult): result is Failure {
  return ['refused', 'refused everywhere', 'no such method'].includes(result.outcome)
}

/** The upload URL responds `OK - <bytes>`. Another number means that the file did not arrive. */
function lacksBytes({ call: { bytes }, status, text = '' }: Received): boolean {
  const [, stored = bytes] = /^OK - (\d+)\s*$/.exec(text) ?? []
  return status === 200 && bytes !== undefined && Number(stored) !== bytes
}

/** Whether a response with status 2xx does not say that the request was carried out. */
function isUnclear({ text }: HttpResponse): boolean {
  if (text === undefined || isWebPage(text)) return true
  const json = parseJson(text)
  // It was cut off: it may have been a refusal.
  if (json === undefined) return /^\s*(?:\[\s*)?\{/.test(text)
  return [json].flat().some((value) => isObject(value) && reportsError(value))
}

function reportsError(json: Json): boolean {
  if ('ok' in json) return json['ok'] !== true
  if (json['success'] === false || json['status'] === 'error') return true
  return [json['error'], json['errors']].some((value) =>
    typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : value,
  )
}

/** Milliseconds, from seconds such as `30`. Slack sends no other form of this header. */
function retryAfter({ 'retry-after': value = '' }: HttpResponse['headers']): number | undefined {
  return /^\d{1,9}(\.\d+)?$/.test(value) ? Number(value) * 1_000 : undefined
}

function errorCodeOf(response: Received): string {
  const { json } = response
  const error = textIn(json, 'error')
  // Without `ok`, words such as `Not Found` are no code.
  if (error && (json?.['ok'] === false || (!isSuccess(response) && /^[a-z_]+$/.test(error))))
    return error
  // Of Go's usual handler, for one.
  if (response.status === 400 && /too large/i.test(response.text ?? '')) return 'http_413'
  if (!isSuccess(response)) return `http_${response.status}`
  if (isWebPage(response.text)) return 'web_page'
  if (response.text === undefined) return 'broken_off'
  if (parseJson(response.text) === undefined) return 'unreadable'
  return json?.['ok'] === false ? 'no_error_code' : 'unclear_response'
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

function isRedirect({ status }: HttpResponse): boolean {
  return status >= 300 && status < 400
}

/** The content type says nothing: servers of PHP, Flask and Django call everything HTML. */
function isWebPage(text = ''): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html|head|body)\b/i.test(text)
}

/** Characters of a body that are looked at, and that are shown. */
const maxRead = 10_000
const maxShown = 200

/** Where a redirect leads, the title of a web page, or what the body says about a refusal. */
function detailOf(response: Received, code: string): string | undefined {
  const { headers, json, text = 'a part of a response, or bytes that are not UTF-8' } = response
  if (isRedirect(response)) return headers['location']
  const body = text.slice(0, maxRead)
  // A start tag ends at the next `<`, so that every text takes linear time.
  if (isWebPage(body)) {
    const title = /<title[^<>]*>([^<]{1,200})/i.exec(body)?.[1]?.trim()
    // Express calls an error page `Error`; bottle, Django and others call it after its status.
    if (!/^Error$|\d{3}/.test(title ?? 'Error')) return title
    return /(?<=<pre>)[^<]{1,200}|(?<=<p>)[^<]{1,200}(?=<\/p)/.exec(body)?.[0] ?? title
  }
  if (json?.['ok'] === false) return excerptOf(textIn(json, 'message') ?? '')
  return code === textIn(json, 'error') ? undefined : excerptOf(body)
}

function excerptOf(text: string): string {
  return collapseSpaces(text).slice(0, maxShown)
}
