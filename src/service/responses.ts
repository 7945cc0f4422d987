import { isObject, type Json, listIn, objectIn, parseJson, parseObject, textIn } from '../json.ts'
import type { CallInfo } from './errors/error-codes.ts'
import { createFailure, type Failure } from './errors/failures.ts'
import type { HttpResponse } from './http/http.ts'
import type { NoResponseError } from './http/no-response.ts'

/** What became of one HTTP call. */
export type CallResult = Succeeded | Failure

export interface Succeeded {
  readonly outcome: 'succeeded'
  readonly call: CallInfo
  readonly json: Json
}

/** The result if no response came. */
export function readNoResponse({ code, fullySent, message }: NoResponseError, call: CallInfo): Failure {
  return { ...createFailure(call, code, { detail: message }), outcome: fullySent ? 'ambiguous' : 'not sent' }
}

/** Reads a response of Slack's Web API: always a JSON object with `ok`, or an outage. https://docs.slack.dev/apis/web-api/ */
export function readWebApi(response: HttpResponse, call: CallInfo): CallResult {
  const json = parseObject(response.text ?? '')
  if (json?.['ok'] === true && isSuccess(response)) return { outcome: 'succeeded', call, json }
  const failure = readFailure(response, call, json)
  // A success that is no such object does not come from the service.
  const isForeign = isSuccess(response) && (json?.['ok'] !== false || failure.code === 'no_error_code')
  return isForeign ? { ...failure, outcome: 'ambiguous' } : failure
}

/** Reads a response to a completion. If it was carried out before, it can be refused as if the files were gone. */
export function readCompletion(response: HttpResponse, call: CallInfo): CallResult {
  const result = readWebApi(response, call)
  if (result.outcome !== 'refused' || result.meaning === 'unknown method') return result
  return result.row.mayBeCompleted ? { ...result, outcome: 'ambiguous' } : result
}

/**
 * Reads a response to the specified `files.upload`. Its form is not specified, so any success counts that does not say
 * otherwise; but a web page comes from a proxy or a portal.
 */
export function readFilesUpload(response: HttpResponse, call: CallInfo): CallResult {
  return response.isEarly ? readEarly(response, readPosted(response, call)) : readPosted(response, call)
}

function readPosted(response: HttpResponse, call: CallInfo): CallResult {
  const json = parseObject(response.text ?? '')
  if (!isSuccess(response) || json?.['ok'] === false) return readFailure(response, call, json)
  if (isUnclear(response)) return { ...readFailure(response, call, json), outcome: 'ambiguous' }
  return { outcome: 'succeeded', call, json: json ?? {} }
}

/** Whether a success leaves open what was done. */
function isUnclear({ text }: HttpResponse): boolean {
  if (text === undefined || isWebPage(text)) return true
  const json = parseJson(text)
  // It was cut off: it may have been a refusal.
  if (json === undefined) return /^\s*\[?\s*\{/.test(text)
  return [json].flat().some((value) => isObject(value) && reportsError(value))
}

function reportsError(json: Json): boolean {
  if ('ok' in json) return json['ok'] !== true
  if (json['success'] === false || json['status'] === 'error') return true
  return [json['error'], json['errors']].some((value) =>
    typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : value,
  )
}

/** What a response means that came before the whole request was sent: the service cannot have carried it out. */
function readEarly(response: HttpResponse, result: CallResult): CallResult {
  if (result.outcome === 'succeeded') return { ...createFailure(result.call, 'EARLY_RESPONSE'), outcome: 'ambiguous' }
  if (isRedirect(response)) return { ...result, outcome: 'refused', meaning: 'refused for all channels' }
  return response.status >= 500 || response.status === 408 ? { ...result, outcome: 'not sent' } : result
}

/** Reads the response of the upload URL to the bytes of a file: only status 200 counts, without a proxy's page. */
export function readUpload(response: HttpResponse, call: CallInfo): CallResult {
  if (response.status === 200 && !isWebPage(response.text)) {
    const result = { outcome: 'succeeded', call, json: {} } as const
    return response.isEarly ? readEarly(response, result) : result
  }
  const failure = readFailure(response, call)
  if (failure.meaning === 'rate limit') return failure
  // Nothing is visible yet, and a new upload URL may work: everything else may be tried again.
  return { ...failure, outcome: isRedirect(response) || response.status === 413 ? 'refused' : 'ambiguous' }
}

/**
 * Milliseconds. Seconds, also with decimals, or a date, RFC 9110 section 10.2.3. Anything else counts as absent, and so do
 * more than 30 years. A date is compared with the server's own clock, if it sends the time.
 */
function retryAfter({ date, 'retry-after': value }: HttpResponse['headers']): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(value.trim())) return Number(value) * 1_000
  // `Date.parse` reads many numbers as years. A date contains the name of its month.
  const until = Date.parse(/[a-z]/i.test(value) ? value : '')
  const now = Date.parse(date ?? '')
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now))
}

/** What a response says that is no success. */
function readFailure(response: HttpResponse, call: CallInfo, json?: Json): Failure {
  const code = codeOf(response, json)
  const failure = createFailure(call, code, {
    status: response.status,
    needed: textIn(json, 'needed'),
    provided: textIn(json, 'provided'),
    messages: listIn(objectIn(json, 'response_metadata'), 'messages').filter((message) => typeof message === 'string'),
    requestId: response.headers['x-slack-req-id'] || undefined,
    retryAfter: retryAfter(response.headers),
    detail: detailOf(response, code) || undefined,
  })
  // Without the method there is no JSON object: it would come from the service itself.
  const meaning = failure.meaning === 'no such page' && json ? undefined : failure.meaning
  // `ok` and a status that says otherwise contradict each other. A text that is unknown may hold any code.
  const isContradictory = json?.['ok'] === true && !isSuccess(response)
  const isUnknown = response.text === undefined && (meaning === undefined || meaning === 'no such page')
  if (isContradictory || isUnknown) return { ...failure, outcome: 'ambiguous' }
  return { ...failure, meaning: meaning === 'no such page' ? 'unknown method' : meaning }
}

function codeOf(response: HttpResponse, json: Json | undefined): string {
  const error = textIn(json, 'error')
  // Without `ok`, words such as `Not Found` are no code.
  if (error && (json?.['ok'] === false || (!isSuccess(response) && /^[a-z_]+$/.test(error)))) return error
  if (!isSuccess(response)) return `http_${response.status}`
  if (isWebPage(response.text)) return 'web_page'
  if (parseJson(response.text ?? '') === undefined) return 'unreadable'
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
  return /^\s*<(!doctype|html|head|body)\b/i.test(text)
}

/** Characters of a web page in which its title is searched, and of an unclear response that are shown. */
const titleWithin = 10_000
const maxShown = 200

/** Where a redirect leads, the title of a web page, or what the service says in place of an error code. */
function detailOf(response: HttpResponse, code: string): string | undefined {
  const { headers, text = '' } = response
  if (isRedirect(response)) return headers['location']
  if (code === 'unclear_response') return text.slice(0, maxShown)
  // A start tag ends at the next `<`, so that every text takes linear time.
  return isWebPage(text) ? /<title[^<>]*>([^<]{1,200})/i.exec(text.slice(0, titleWithin))?.[1]?.trim() : undefined
}
