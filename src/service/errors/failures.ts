import { errorProblem, type Problem } from '../../problem.ts'
import { formatSize } from '../../text/format.ts'
import { join, list, type Text, text, words } from '../../text/text.ts'
import {
  type Advice,
  adviceFor,
  type CallInfo,
  type FailureFacts,
  type Outcome,
} from './error-codes.ts'

export interface FailedResponse extends Pick<FailureFacts, 'needed'> {
  /** Absent if no response came. */
  readonly status?: number
  /** `response_metadata.messages` */
  readonly messages?: readonly string[]
  /** `x-slack-req-id`, for the support of the service. */
  readonly requestId?: string | undefined
  /** Milliseconds that the service asks to wait, at least a second. */
  readonly retryAfter?: number | undefined
  /** From the network or the body, or the origin that a redirect leads to. */
  readonly detail?: string | undefined
}

/** A call that failed, or whose outcome is unknown. */
export interface Failure extends CallInfo, FailedResponse {
  readonly outcome: Outcome
  /** Of the service, of `responses.ts` (`http_500`) or of `NoResponseError` (`ECONNRESET`). */
  readonly code: string
  readonly advice: Advice
}

export function createFailure(
  call: CallInfo,
  code: string,
  outcome: Outcome,
  facts: FailedResponse = {},
): Failure {
  return { ...call, ...facts, outcome, code, advice: adviceFor(code, facts.status) }
}

export interface ErrorContext extends Pick<FailureFacts, 'channels'> {
  /** The response does not say which channel it means. */
  readonly severalChannels?: boolean
  /** Replaces the title of the table, if something matters more than the cause. */
  readonly title?: string
  /** Replaces the remedy of the table. */
  readonly remedy?: Text
  /** Comes before the remedy, because something may be posted already. */
  readonly first?: Text
}

/** @param what `a.csv could not be posted to C0123456789`: no full stop */
export function problemOf(failure: Failure, what: Text, context: ErrorContext = {}): Problem {
  const { advice } = failure
  const unclear = context.severalChannels === true && advice.about === 'channel'
  const nextSteps = join([context.first ?? text``, remedyFor(failure, context)], ' ')
  const which = unclear ? text`, and did not say which of them it means` : text``
  return errorProblem(
    context.title ?? advice.title,
    join(
      [
        text`${what}: ${describeFailure(failure)}${which}.`,
        nextSteps,
        describeDetails(failure, unclear),
      ],
      '\n',
    ),
    context.title ? 'unknown' : (advice.page ?? 'errors'),
  )
}

function remedyFor(failure: Failure, context: ErrorContext): Text {
  const { outcome, retryAfter } = failure
  // Shorter waits are waited out.
  if (outcome === 'rate limited' && retryAfter) {
    return text`The service asks to wait ${Math.ceil(retryAfter / 1000)} s, longer than this run may last. Raise \`timeout-minutes\`, or send fewer files.`
  }
  return context.remedy ?? remedyOf(failure.advice, { ...failure, ...context })
}

export function remedyOf({ remedy }: Advice, facts: FailureFacts): Text {
  const { host, method, service } = facts
  // A response can name an old scope, or a list of alternatives.
  const [posts] = /^(chat|files)(?=\.)/.exec(method) ?? []
  const needed = posts ? `${posts}:write` : (facts.needed ?? words('that is missing'))
  const values = new Map(Object.entries({ host, method, needed, service }))
  const template = typeof remedy === 'string' ? remedy : remedy(facts)
  return template
    .split(/\{(\$\{\{[^{}]*\}\}|[^{}]+)\}/)
    .flatMap((part, index) => (index % 2 === 0 ? words(part) : text`${values.get(part) ?? part}`))
}

export function preflightProblem(code: string, what: Text, facts: FailureFacts): Problem {
  const advice = adviceFor(code)
  const explanation = text`${what}.\n${remedyOf(advice, facts)}`
  return errorProblem(advice.title, explanation, advice.page ?? 'errors')
}

/** `files.info` to `slack.com` */
export function describeCall(call: CallInfo): Text {
  return text`${describeRequest(call)} to ${call.host}`
}

function describeRequest({ file, method }: CallInfo): Text {
  return file === undefined ? text`${method}` : text`the bytes of ${file}`
}

/** `a.csv (12 MB)`, if the size helps to understand the failure. */
export function withSize(subject: Text, bytes: number, { advice }: Failure): Text {
  return advice.about === 'size' ? text`${subject} (${words(formatSize(bytes))})` : subject
}

/** No full stop. */
export function describeFailure(failure: Failure): Text {
  const { code, detail, host, outcome, status } = failure
  const call = describeRequest(failure)
  if (code === 'ABORTED' && outcome === 'not sent')
    return text`the step gave up before ${host} accepted ${call}`
  if (code === 'EARLY_RESPONSE')
    return text`${host} responded ok to ${call} before it had all of it (${code})`
  if (status === undefined)
    return text`no response from ${host} to ${call} (${describeNetworkError(code, detail)})`
  const said = collapseSpaces(detail ?? '')
  const about = status >= 300 && status < 400 ? text`, a redirect to ${said}` : text` (${said})`
  const more = said === '' ? text`` : about
  if (code === 'web_page') return text`${host} responded to ${call} with a web page${more}`
  if (/^(unclear_response|wrong_size|broken_off)$/.test(code))
    return text`${host} responded to ${call}: ${said}`
  if (code === 'no_error_code') return text`${host} refused ${call} without an error code${more}`
  if (code === 'unreadable')
    return text`${host} responded to ${call} with something that is not JSON${more}`
  if (code === `http_${status}` || code === 'http_413')
    return text`${host} responded to ${call} with HTTP status ${status}${more}`
  return text`${host} responded ${collapseSpaces(code)} to ${call}${more}`
}

/** Their details are our own words. */
const ownCode = /^(ABORTED|STALLED|NOT_PRIVATE|UNREQUESTED_100|proxy_\d+)$/

function describeNetworkError(code: string, detail: string | undefined): Text {
  // OpenSSL's own messages help only its developers.
  if (detail === undefined || code.startsWith('ERR_SSL_')) return text`${code}`
  if (ownCode.test(code)) return text`${code}: ${words(detail)}`
  const message = collapseSpaces(detail.replace(/; if the root CA is installed locally.*$/, ''))
  return message.includes(code) ? text`${message}` : text`${code}: ${message}`
}

function describeDetails({ messages = [], requestId }: Failure, unclearChannel: boolean): Text {
  return join(
    [
      unclearChannel ? text`To find out which channel: try one at a time.` : text``,
      messages.length === 0
        ? text``
        : text`Message of the service: ${list(messages.map(collapseSpaces), { max: 10, separator: '; ' })}`,
      requestId === undefined ? text`` : text`Request ID: ${requestId}`,
    ],
    ' ',
  )
}

export function collapseSpaces(from: string): string {
  return from.replace(/\s+/g, ' ').trim()
}
