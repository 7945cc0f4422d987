/**
 * Faults of the service, as data. A rule names the requests that a fault applies to; a plan says
 * how the service then handles one request. Planning is pure, so tests without sockets use the same
 * faults as the server.
 */
import { gzipSync } from 'node:zlib'
import type { JsonObject } from './json.ts'
import { type Body, responseOf, type ServiceResponse } from './responses.ts'
import { type Method, methods } from './settings.ts'

export type { Body } from './responses.ts'

export type Target = Method | 'upload-bytes'

/** `unnamed`: gzip, without a header that says so. */
export type Encoding = 'gzip' | 'unnamed' | 'utf-16le'

/** `effect`: the service carries the request out, although the response does not say so. */
export type Fault =
  /** Sends this response instead of its own. `early`: without reading the body of the request. */
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: Body
      readonly effect?: boolean
      readonly early?: boolean
    }
  /** Responds with status 200 and this error code. */
  | {
      readonly kind: 'error'
      readonly code: string
      readonly more?: JsonObject
      readonly effect?: boolean
    }
  /** Sends the first half of its own response, then closes the connection. */
  | { readonly kind: 'truncated' }
  /** Sends its own response at this speed. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  /** Reads the request and sends no response. */
  | { readonly kind: 'silence'; readonly effect?: boolean }
  /**
   * Resets the connection before it read anything, in the middle of the body, or instead of the
   * response.
   */
  | { readonly kind: 'reset'; readonly when: 'before' | 'middle' }
  | { readonly kind: 'reset'; readonly when: 'after'; readonly effect?: boolean }
  /** Redirects, to a server that is another origin unless `location` says otherwise. */
  | {
      readonly kind: 'redirect'
      readonly status: 301 | 302 | 303 | 304 | 307 | 308
      readonly location?: string
      readonly effect?: boolean
    }
  /** Names only this many files in its own response, and responds with success. */
  | { readonly kind: 'fewer-files'; readonly files: number }
  /** Keeps only this many bytes of the file, and responds with success. */
  | { readonly kind: 'wrong-size'; readonly bytes: number }
  /** Sends its own response in this content coding or character encoding. */
  | { readonly kind: 'encoded'; readonly as: Encoding }
  /** Sends an informational response first, before it reads the request. */
  | { readonly kind: 'informational'; readonly status: 100 | 102 | 103 }
  /** Reads the request at this speed. */
  | { readonly kind: 'slow-reader'; readonly bytesPerSecond: number }

const kinds: readonly Fault['kind'][] = [
  'response',
  'error',
  'truncated',
  'trickle',
  'silence',
  'reset',
  'redirect',
  'fewer-files',
  'wrong-size',
  'encoded',
  'informational',
  'slow-reader',
]

export interface FaultRule {
  readonly on: Target | '*'
  /** Numbers of the requests to that target, from 1. Default: every request. */
  readonly call?: number | readonly number[] | undefined
  /** Milliseconds from the effect to the response. */
  readonly delay?: number
  readonly fault?: Fault
}

/** How the service handles one request. */
export interface Plan {
  /** The kind of fault; `delay` if it is only late; none if all is as usual. */
  readonly fault: Fault['kind'] | 'delay' | undefined
  /** Status of the informational response that precedes the final one. */
  readonly informs: 100 | 102 | 103 | undefined
  /** How much of the request it reads. */
  readonly reads: 'nothing' | 'half' | 'all'
  readonly readBytesPerSecond: number
  readonly effect: boolean
  /** Bytes of the file that it keeps. */
  readonly keeps: number | undefined
  /** Files that its own response names. */
  readonly names: number
  /** Milliseconds. */
  readonly delay: number
  /** Instead of its own. */
  readonly response: ServiceResponse | undefined
  readonly encoding: Encoding | undefined
  readonly writeBytesPerSecond: number
  readonly ending: 'complete' | 'truncated' | 'reset' | 'silence'
}

/** No fault. */
export const usual: Plan = {
  fault: undefined,
  informs: undefined,
  reads: 'all',
  readBytesPerSecond: Number.POSITIVE_INFINITY,
  effect: true,
  keeps: undefined,
  names: Number.POSITIVE_INFINITY,
  delay: 0,
  response: undefined,
  encoding: undefined,
  writeBytesPerSecond: Number.POSITIVE_INFINITY,
  ending: 'complete',
}

/** The first rule that matches applies. `elsewhere` is a URL on another origin. */
export function plan(
  rules: readonly FaultRule[],
  target: Target,
  call: number,
  elsewhere: string,
): Plan {
  const rule = rules.find(
    ({ on, call: calls }) =>
      (on === '*' || on === target) &&
      (calls === undefined || [calls].flat().some((number) => number === call)),
  )
  const { delay = 0, fault } = rule ?? {}
  const kind = fault?.kind ?? (delay > 0 ? 'delay' : undefined)
  return { ...usual, ...(fault && planOf(fault, elsewhere)), fault: kind, delay }
}

function planOf(fault: Fault, elsewhere: string): Partial<Plan> {
  const effect = 'effect' in fault && fault.effect === true
  switch (fault.kind) {
    case 'response':
      return {
        reads: fault.early ? 'nothing' : 'all',
        effect,
        response: responseOf(fault.status, fault.body ?? 'none', fault.headers),
      }
    case 'error':
      return {
        effect,
        response: responseOf(200, { json: { ok: false, error: fault.code, ...fault.more } }),
      }
    case 'truncated':
      return { ending: 'truncated' }
    case 'trickle':
      return { writeBytesPerSecond: fault.bytesPerSecond }
    case 'silence':
      return { effect, ending: 'silence' }
    case 'reset':
      return {
        reads: ({ before: 'nothing', middle: 'half', after: 'all' } as const)[fault.when],
        effect,
        ending: 'reset',
      }
    case 'redirect':
      return {
        effect,
        response: responseOf(fault.status, 'none', { location: fault.location ?? elsewhere }),
      }
    case 'fewer-files':
      return { names: fault.files }
    case 'wrong-size':
      return { keeps: fault.bytes }
    case 'encoded':
      return { encoding: fault.as }
    case 'informational':
      return { informs: fault.status }
    case 'slow-reader':
      return { readBytesPerSecond: fault.bytesPerSecond }
  }
}

/** The service's own response, with no more files than the plan lets it name. */
export function cutFiles(own: ServiceResponse, { names }: Plan): ServiceResponse {
  const files = own.json?.['files']
  return Array.isArray(files)
    ? { ...own, json: { ...own.json, files: files.slice(0, names) } }
    : own
}

/** The headers and the body of a response as they are sent. */
export function encode(
  { headers, json, text = '' }: ServiceResponse,
  encoding: Encoding | undefined,
): Pick<ServiceResponse, 'headers'> & { readonly body: Buffer } {
  // Slack writes `<` in JSON as an escape of six bytes.
  const body = json === undefined ? text : JSON.stringify(json).replaceAll('<', '\\u003C')
  if (encoding === undefined) return { headers, body: Buffer.from(body) }
  const own = {
    gzip: { 'content-encoding': 'gzip' },
    unnamed: {},
    'utf-16le': { 'content-type': 'application/json; charset=utf-16le' },
  }[encoding]
  return {
    headers: { ...headers, ...own },
    body: encoding === 'utf-16le' ? Buffer.from(body, encoding) : gzipSync(body),
  }
}

const bodies: Readonly<Record<string, (content: unknown) => boolean>> = {
  json: (content) => typeof content === 'object' && content !== null && !Array.isArray(content),
  html: (content) => typeof content === 'string',
  text: (content) => typeof content === 'string',
  megabytes: (content) => typeof content === 'number' && content >= 0,
}

/**
 * A rule from the command line or from a test.
 *
 * @throws {Error} if no request could be answered by it
 */
export function checkedRule(rule: object): FaultRule {
  const { fault, on } = rule as FaultRule
  const fail = (what: string, given: unknown, forms: string): never => {
    throw new Error(`A fault cannot have ${what} ${JSON.stringify(given) ?? ''}. Write ${forms}.`)
  }
  const targets: readonly string[] = ['*', 'upload-bytes', ...methods]
  if (!targets.includes(on)) fail('"on":', on, `one of: ${targets.join(', ')}`)
  if (fault === undefined) return rule as FaultRule
  if (!kinds.includes(fault.kind)) fail('"kind":', fault.kind, `one of: ${kinds.join(', ')}`)
  if (fault.kind === 'response') {
    const { body = 'none' } = fault
    const [[form, content] = []] = typeof body === 'object' ? Object.entries(body ?? {}) : []
    const isBody = body === 'none' || bodies[form ?? '']?.(content) === true
    if (!isBody)
      fail(
        '"body":',
        body,
        '"none", {"text": "…"}, {"html": "…"}, {"json": {…}} or {"megabytes": 5}',
      )
    if (!(fault.status >= 200 && fault.status <= 599))
      fail('"status":', fault.status, 'a number from 200 to 599')
  }
  return rule as FaultRule
}

/** The rules of one sandbox, and the number of requests to each target. */
export class Faults {
  readonly #rules: FaultRule[] = []
  readonly #calls = new Map<Target, number>()
  readonly #elsewhere: (target: Target) => string

  constructor(elsewhere: (target: Target) => string) {
    this.#elsewhere = elsewhere
  }

  /** @throws {Error} before a request waits for a response that cannot be made */
  add(...rules: readonly FaultRule[]): void {
    this.#rules.push(...rules.map(checkedRule))
  }

  /** Counts a request and plans it. */
  next(target: Target): Plan {
    const call = (this.#calls.get(target) ?? 0) + 1
    this.#calls.set(target, call)
    return plan(this.#rules, target, call, this.#elsewhere(target))
  }
}
