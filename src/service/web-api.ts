import type { Json } from '../json.ts'
import type { Text } from '../text/text.ts'
import type { CallInfo } from './errors/error-codes.ts'
import type { Http } from './http/http.ts'
import type { HttpRequest } from './http/transfer.ts'
import { idIn } from './record.ts'
import { type CallResult, readWebApi } from './responses.ts'
import type { Read, Retry, RetryOptions } from './retry.ts'
import type { ServiceOptions } from './service.ts'

export interface ServiceDependencies extends ServiceOptions {
  readonly api: WebApi
}

type CallOptions = RetryOptions & Pick<HttpRequest, 'minResponseTime'>

/** `POST {base_url}/api/{method}` with the token and a form. The response is a JSON object. */
export class WebApi {
  readonly http: Http
  readonly retry: Retry
  readonly #baseUrl: URL
  readonly #service: Text
  #scopes: ReadonlySet<string> | undefined
  /** The name to invite, once `auth.test` has said it. */
  #app: string | undefined
  #naming: Promise<unknown> | undefined

  constructor(http: Http, retry: Retry, baseUrl: URL, service: Text) {
    this.http = http
    this.retry = retry
    this.#baseUrl = baseUrl
    this.#service = service
  }

  /** Of the token, once a response has named them. */
  get scopes(): ReadonlySet<string> | undefined {
    return this.#scopes
  }

  callOf(method: string): CallInfo {
    const { host, origin } = this.#baseUrl
    return { method, host, origin, service: this.#service, app: this.#app }
  }

  /** @param form fields without a value are left out */
  call(
    method: string,
    form: Readonly<Record<string, string | undefined>>,
    options: CallOptions,
    read = readWebApi,
  ): Promise<CallResult> {
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(form))
      if (value !== undefined) fields.set(name, value)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const bytes = Buffer.from(fields.toString())
    const body = { length: bytes.length, chunks: () => [bytes] }
    return this.post(method, { ...options, headers, body }, read)
  }

  post(
    method: string,
    request: CallOptions & Pick<HttpRequest, 'body' | 'headers'>,
    read: Read,
  ): Promise<CallResult> {
    const url = apiUrl(this.#baseUrl, method)
    const attempt = async (signal: AbortSignal) => {
      const response = await this.http.send({ ...request, url, authorized: true, signal })
      // A refusal has this header, too.
      // https://docs.slack.dev/authentication/installing-with-oauth
      const scopes = response.headers['x-oauth-scopes']
      if (scopes !== undefined) this.#scopes = readScopes(scopes)
      return response
    }
    return this.retry.run(this.callOf(method), attempt, read, request)
  }

  /** False if the scopes are unknown. */
  lacks(scope: string): boolean {
    return this.#scopes?.has(scope) === false
  }

  /**
   * Returns the owner of the token, and remembers the name of the app, if it has one.
   * https://docs.slack.dev/reference/methods/auth.test
   */
  async identify(limits: Partial<RetryOptions> = {}): Promise<CallResult> {
    const result = await this.call('auth.test', {}, { safeToRepeat: true, ...limits })
    if (result.outcome === 'succeeded' && idIn(result.json, 'bot_id'))
      this.#app = idIn(result.json, 'user')
    return result
  }

  /** Asks once for the name of the app to invite. Needs no scope. */
  async nameApp(): Promise<string | undefined> {
    if (this.#app !== undefined) return this.#app
    this.#naming ??= this.identify({ maxFailures: 1, maxTime: maxNamingTime })
    await this.#naming
    return this.#app
  }

  /** Adds the name of the app to a failure if the app has to be invited. */
  async withApp(result: CallResult): Promise<CallResult> {
    const isInvitation = result.outcome !== 'succeeded' && result.advice.page === 'channels'
    return isInvitation ? { ...result, app: await this.nameApp() } : result
  }
}

/** Milliseconds. The name is not worth a longer wait. */
const maxNamingTime = 5_000

/** Scopes of classic apps, whose tokens may do more than the scopes say. */
const classicScopes = new Set(['bot:basic', 'files:write:user', 'client', 'read', 'post'])

function readScopes(header: string): ReadonlySet<string> | undefined {
  const scopes = new Set(header.split(/[\s,]+/).filter((scope) => scope !== ''))
  return scopes.isDisjointFrom(classicScopes) ? scopes : undefined
}

/** A path in the base URL is kept. */
export function apiUrl(baseUrl: URL, method: string): URL {
  const url = new URL(baseUrl)
  // The lookbehind tries a run of slashes only once, for linear time.
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/api/${method}`
  return url
}

/**
 * The `team_id` that lists need with an organization-wide token.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function teamOf(identity: Json): string | undefined {
  return identity['is_enterprise_install'] === true ? idIn(identity, 'team_id') : undefined
}
