import { meaningOf } from './error-codes.ts'
import type { HttpAnswer, NoAnswerError } from './http.ts'

/** Why the service did not do what a call asked for, or why that is not known. */
export interface Failure {
  /** Web API method, such as `files.completeUploadExternal`, or `upload` for the bytes of a file. */
  readonly method: string
  /** Where the call was sent: host and port. */
  readonly host: string
  /**
   * The service's error code; for an answer without one `http_<status>`, `web_page` or `unreadable`; for no answer the
   * code of Node or undici, `STALLED` or `INTERRUPTED`.
   */
  readonly code: string
  readonly status?: number
  /** Scopes, with `missing_scope`. */
  readonly needed?: string
  readonly provided?: string
  /** `response_metadata.messages` */
  readonly messages?: readonly string[]
  /** Header `x-slack-req-id`: what the service's support asks for. */
  readonly requestId?: string
  /** Plain text: the network's message, the title of a web page, where a redirect leads. */
  readonly detail?: string
  /** The service asked to wait for so many milliseconds, which is longer than the run may last. */
  readonly askedToWait?: number
}

export type Json = Readonly<Record<string, unknown>>

export type Reply =
  | { readonly kind: 'ok'; readonly json: Json; readonly headers: Readonly<Record<string, string>> }
  /** Certainly not carried out. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly afterRateLimit?: boolean }
  /**
   * Certainly not carried out: the server does not offer this method. `afterRateLimit`: this was the response to a retry,
   * and may be about what was carried out before, if the rate limit was told only after that.
   */
  | { readonly kind: 'not-offered'; readonly failure: Failure; readonly afterRateLimit?: boolean }
  /** It may have been carried out. */
  | { readonly kind: 'ambiguous'; readonly failure: Failure }

/** What one attempt came to: `again` is certainly not carried out, and may be tried once more. */
export type Verdict =
  | Reply
  | {
      readonly kind: 'again'
      readonly failure: Failure
      /** The service limits the rate of this method: everybody who calls it has to wait. */
      readonly limited: boolean
      /** Milliseconds that the service asks to wait. */
      readonly wait?: number
    }

/** A call, as its failures name it. */
export interface Call {
  readonly method: string
  readonly host: string
}

/** What is known when no answer came. */
export function readNoAnswer(error: NoAnswerError, call: Call): Verdict {
  const failure = { ...call, code: error.code, detail: error.message }
  return error.handedOver ? { kind: 'ambiguous', failure } : { kind: 'again', failure, limited: false }
}

/** Whether the same call may well be answered otherwise next time. */
export function isPassing(failure: Failure): boolean {
  const meaning = meaningOf(failure)
  return (
    failure.status === undefined || meaning === 'ambiguous' || meaning === 'rate limit' || failure.code === 'unreadable'
  )
}

/** Reads what Slack's Web API answers: always an envelope, or an outage. https://docs.slack.dev/apis/web-api/ */
export function readEnvelope(answer: HttpAnswer, call: Call): Verdict {
  const json = parseObject(answer.text)
  if (json?.['ok'] === true && isSuccess(answer)) return { kind: 'ok', json, headers: answer.headers }
  const failure = failureOf(answer, call, json)
  // A success that is no envelope does not come from the service.
  const refused = !isSuccess(answer) || (json?.['ok'] === false && failure.code !== 'unreadable')
  return readFailure(answer, json, failure) ?? { kind: refused ? 'refused' : 'ambiguous', failure }
}

/**
 * Reads what a server answers to the specified `files.upload`, whose answers are not specified: any success counts that
 * does not say otherwise, but a web page comes from a proxy or a portal.
 */
export function readFilesUpload(answer: HttpAnswer, call: Call): Verdict {
  const json = parseObject(answer.text)
  const failure = failureOf(answer, call, json)
  const failed = readFailure(answer, json, failure)
  if (failed) return failed
  if (!isSuccess(answer) || json?.['ok'] === false) return { kind: 'refused', failure }
  if (isWebPage(answer)) return { kind: 'ambiguous', failure }
  return { kind: 'ok', json: json ?? {}, headers: answer.headers }
}

/** What a response means that is no success and no plain refusal. `undefined` for those two. */
function readFailure(answer: HttpAnswer, json: Json | undefined, failure: Failure): Verdict | undefined {
  const contradictory = json?.['ok'] === true && !isSuccess(answer)
  const meaning = contradictory ? 'ambiguous' : meaningOf(failure)
  switch (meaning) {
    case 'ambiguous':
      return { kind: 'ambiguous', failure }
    case 'rate limit':
      return rateLimited(answer, failure)
    case 'not offered':
      return { kind: 'not-offered', failure }
    case 'refused for all channels':
      return { kind: 'refused', failure }
    default:
  }
  // It may hold any code.
  if (answer.text === undefined) return { kind: 'ambiguous', failure }
  // A JSON object comes from the service itself: then the method is there.
  return isMissing(answer) && json === undefined ? { kind: 'not-offered', failure } : undefined
}

/** Reads what the upload URL answers to the bytes: status 200, and nothing else counts. */
export function readBytesTaken(answer: HttpAnswer, call: Call): Verdict {
  const failure = failureOf(answer, call, undefined)
  if (meaningOf(failure) === 'rate limit') return rateLimited(answer, failure)
  if (answer.status === 200) return { kind: 'ok', json: {}, headers: answer.headers }
  const redirected = answer.status >= 300 && answer.status < 400
  // Nothing is visible yet, and a new ticket cures what an old one may have: all the rest may be tried again.
  return redirected || answer.status === 413 ? { kind: 'refused', failure } : { kind: 'ambiguous', failure }
}

function rateLimited(answer: HttpAnswer, failure: Failure): Verdict {
  const wait = retryAfter(answer.headers)
  return { kind: 'again', failure, limited: true, ...(wait === undefined ? {} : { wait }) }
}

/**
 * Milliseconds. Seconds or a date, RFC 9110 section 10.2.3; anything else counts as absent. A date is compared with the
 * server's own clock, where it tells the time.
 */
function retryAfter({ date, 'retry-after': value }: HttpAnswer['headers']): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000
  const until = Date.parse(value)
  const now = Date.parse(date ?? '')
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now))
}

function failureOf(answer: HttpAnswer, call: Call, json: Json | undefined): Failure {
  const metadata = json?.['response_metadata']
  const messages = isObject(metadata) && Array.isArray(metadata['messages']) ? metadata['messages'].filter(isText) : []
  const text = (name: string, value: unknown) => (isText(value) && value !== '' ? { [name]: value } : {})
  return {
    ...call,
    code: codeOf(answer, json),
    status: answer.status,
    ...text('needed', json?.['needed']),
    ...text('provided', json?.['provided']),
    ...(messages.length > 0 ? { messages } : {}),
    ...text('requestId', answer.headers['x-slack-req-id']),
    ...text('detail', whereTo(answer) ?? titleOf(answer)),
  }
}

function codeOf(answer: HttpAnswer, json: Json | undefined): string {
  const error = json?.['error']
  // Without `ok`, words such as `Not Found` are no code.
  if (isText(error) && error !== '' && (json?.['ok'] === false || (!isSuccess(answer) && /^[a-z_]+$/.test(error)))) {
    return error
  }
  if (!isSuccess(answer)) return `http_${answer.status}`
  return isWebPage(answer) ? 'web_page' : 'unreadable'
}

function parseObject(text: string | undefined): Json | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300
}

function isMissing({ status }: HttpAnswer): boolean {
  return status === 404 || status === 405 || status === 410
}

function isWebPage({ headers, text }: HttpAnswer): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html)/i.test(text ?? '')
}

/** Only the origin: the rest of such a URL may carry rights. */
function whereTo({ headers, status }: HttpAnswer): string | undefined {
  const url = status >= 300 && status < 400 ? URL.parse(headers['location'] ?? '') : null
  return url ? `to ${url.origin}` : undefined
}

/** Characters of a web page in which its title is searched for. */
const titleWithin = 10_000

function titleOf(answer: HttpAnswer): string | undefined {
  if (!isWebPage(answer)) return undefined
  // A start tag ends at the next `<`: then no text makes this take more than linear time.
  return /<title[^<>]*>([^<]{1,200})/i.exec(answer.text?.slice(0, titleWithin) ?? '')?.[1]?.trim()
}
