import { type Json, listIn, objectIn, parseObject, textIn } from '../../json.ts'
import type { CallInfo } from '../error-codes.ts'
import { createFailure, type Failure } from '../failures.ts'
import type { HttpResponse } from './http.ts'
import type { NoResponseError } from './no-response.ts'

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
  const isForeign = isSuccess(response) && (json?.['ok'] !== false || failure.code === 'unreadable')
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
  const json = parseObject(response.text ?? '')
  if (!isSuccess(response) || json?.['ok'] === false) return readFailure(response, call, json)
  // A text that begins like an object and is none was cut off: it may have been a refusal.
  const isCutOff = response.text === undefined || (json === undefined && /^\s*\{/.test(response.text))
  if (!isWebPage(response) && !isCutOff) return { outcome: 'succeeded', call, json: json ?? {} }
  return { ...readFailure(response, call, json), outcome: 'ambiguous' }
}

/** Reads the response of the upload URL to the bytes of a file: only status 200 counts. */
export function readUpload(response: HttpResponse, call: CallInfo): CallResult {
  if (response.status === 200) return { outcome: 'succeeded', call, json: {} }
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
  const failure = createFailure(call, codeOf(response, json), {
    status: response.status,
    needed: textIn(json, 'needed'),
    provided: textIn(json, 'provided'),
    messages: listIn(objectIn(json, 'response_metadata'), 'messages').filter((message) => typeof message === 'string'),
    requestId: response.headers['x-slack-req-id'] || undefined,
    retryAfter: retryAfter(response.headers),
    detail: (isRedirect(response) ? response.headers['location'] : pageTitle(response)) || undefined,
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
  return isWebPage(response) ? 'web_page' : 'unreadable'
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

function isRedirect({ status }: HttpResponse): boolean {
  return status >= 300 && status < 400
}

function isWebPage({ headers, text }: HttpResponse): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text ?? '')
}

/** Characters of a web page in which its title is searched. */
const titleWithin = 10_000

function pageTitle(response: HttpResponse): string | undefined {
  if (!isWebPage(response)) return undefined
  // A start tag ends at the next `<`, so that every text takes linear time.
  return /<title[^<>]*>([^<]{1,200})/i.exec(response.text?.slice(0, titleWithin) ?? '')?.[1]?.trim()
}
