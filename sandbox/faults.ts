/**
 * Faults as data. A rule names the requests that a fault applies to; a plan says how one request is
 * handled. Planning is pure, so that tests without sockets have the same faults.
 */
import { gzipSync } from 'node:zlib'
import type { JsonObject } from './json.ts'
import { type Body, responseOf, type ServiceResponse } from './responses.ts'
import { type Method, methods } from './settings.ts'

export type { Body } from './responses.ts'

export type Target = Method | 'upload-bytes'

/** `unnamed`: gzip without its header. */
export type Encoding = 'gzip' | 'unnamed' | 'utf-16le'

/** `effect`: the request is carried out, although the response does not say so. */
export type Fault =
  /** This response. `early`: before the body of the request is read. */
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: Body
      readonly effect?: boolean
      readonly early?: boolean
    }
  /** Status 200 and this error code. */
  | {
      readonly kind: 'error'
      readonly code: string
      readonly more?: JsonObject
      readonly effect?: boolean
    }
  /** Half of its own response, then the connection is closed. */
  | { readonly kind: 'truncated' }
  /** Its own response at this speed. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number }
  /** Reads the request, and never responds. */
  | { readonly kind: 'silence'; readonly effect?: boolean }
  /** Resets the connection before it reads, in the body, or instead of a response. */
  | { readonly kind: 'reset'; readonly when: 'before' | 'middle' }
  | { readonly kind: 'reset'; readonly when: 'after'; readonly effect?: boolean }
  /** Redirects to another origin, unless `location` says otherwise. */
  | {
      readonly kind: 'redirect'
      readonly status: 301 | 302 | 303 | 304 | 307 | 308
      readonly location?: string
      readonly effect?: boolean
    }
  /** Success, but the response names only this many files. */
  | { readonly kind: 'fewer-files'; readonly files: number }
  /** Success, but only this many bytes of the file are kept. */
  | { readonly kind: 'wrong-size'; readonly bytes: number }
  /** Its own response in this content coding or character encoding. */
  | { readonly kind: 'encoded'; readonly as: Encoding }
  /** First an informational response, before it reads. */
  | { readonly kind: 'informational'; readonly status: 100 | 102 | 103 }
  /** Reads the request at this speed. */
  | { readonly kind: 'slow-reader'; readonly bytesPerSecond: number }

/** The members that each kind needs. */
const needed: Readonly<Record<Fault['kind'], readonly string[]>> = {
  response: ['status'],
  error: ['code'],
  truncated: [],
  trickle: ['bytesPerSecond'],
  silence: [],
  reset: ['when'],
  redirect: ['status'],
  'fewer-files': ['files'],
  'wrong-size': ['bytes'],
  encoded: ['as'],
  informational: ['status'],
  'slow-reader': ['bytesPerSecond'],
}

export interface FaultRule {
  readonly on: Target | '*'
  /** Numbers of requests to the target, from 1. Default: every request. */
  readonly call?: number | readonly number[] | undefined
  /** Milliseconds from the effect to the response. */
  readonly delay?: number
  readonly fault?: Fault
}

export interface Plan {
  /** `delay` if the response is only late. */
  readonly fault: Fault['kind'] | 'delay' | undefined
  /** Status of an informational response. */
  readonly informs: 100 | 102 | 103 | undefined
  /** Of the request. */
  readonly reads: 'nothing' | 'part' | 'all'
  readonly readBytesPerSecond: number
  readonly effect: boolean
  /** Bytes of the file. */
  readonly keeps: number | undefined
  /** Number of files in its own response. */
  readonly names: number
  /** Milliseconds. */
  readonly delay: number
  /** In place of its own. */
  readonly response: ServiceResponse | undefined
  readonly encoding: Encoding | undefined
  readonly writeBytesPerSecond: number
  readonly ending: 'complete' | 'truncated' | 'reset' | 'silence'
}

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

/**
 * The first matching rule applies.
 *
 * @param elsewhere a URL on another origin
 */
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
        reads: ({ before: 'nothing', middle: 'part', after: 'all' } as const)[fault.when],
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

/** The own response, without files that the plan hides. */
export function cutFiles(own: ServiceResponse, { names }: Plan): ServiceResponse {
  const files = own.json?.['files']
  return Array.isArray(files)
    ? { ...own, json: { ...own.json, files: files.slice(0, names) } }
    : own
}

export function encode(
  { headers, json, text = '' }: ServiceResponse,
  encoding: Encoding | undefined,
): Pick<ServiceResponse, 'headers'> & { readonly body: Buffer } {
  // Slack escapes `<` in JSON by six bytes.
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

/** @throws {Error} if no request can match the rule, or no response fit it */
export function checkedRule(rule: object): FaultRule {
  const { fault, on } = rule as FaultRule
  const fail = (what: string, given: unknown, forms: string): never => {
    throw new Error(`A fault cannot have ${what} ${JSON.stringify(given) ?? ''}. Write ${forms}.`)
  }
  const targets: readonly string[] = ['*', 'upload-bytes', ...methods]
  if (!targets.includes(on)) fail('"on":', on, `one of: ${targets.join(', ')}`)
  if (fault === undefined) return rule as FaultRule
  const { kind } = fault
  const names = needed[kind] ?? fail('"kind":', kind, `one of: ${Object.keys(needed).join(', ')}`)
  for (const name of names)
    if (!(name in fault)) throw new Error(`A fault of the kind ${kind} needs "${name}".`)
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

/** Rules, and the number of requests to each target. */
export class Faults {
  readonly #rules: FaultRule[] = []
  readonly #calls = new Map<Target, number>()
  readonly #elsewhere: (target: Target) => string

  constructor(elsewhere: (target: Target) => string) {
    this.#elsewhere = elsewhere
  }

  /** @throws {Error} see `checkedRule` */
  add(...rules: readonly FaultRule[]): void {
    this.#rules.push(...rules.map(checkedRule))
  }

  /** Counts and plans a request. */
  next(target: Target): Plan {
    const call = (this.#calls.get(target) ?? 0) + 1
    this.#calls.set(target, call)
    return plan(this.#rules, target, call, this.#elsewhere(target))
  }
}
