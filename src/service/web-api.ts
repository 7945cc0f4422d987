import { isLoopback } from '../hosts.ts'
import { type Json, textIn } from '../json.ts'
import type { Text } from '../text/text.ts'
import type { Call } from './failures.ts'
import type { Http, HttpResponse } from './http.ts'
import { type CallResult, readWebApi } from './responses.ts'
import type { Retry, RetryOptions } from './retry.ts'

/** Calls of the service's Web API: `POST {base_url}/api/{method}` with the token and a form. The response is a JSON object. */
export class WebApi {
  readonly #http: Http
  readonly #retry: Retry
  readonly #baseUrl: URL
  readonly #service: Text
  /** Scopes of the token, once a response has named them. */
  scopes: ReadonlySet<string> | undefined

  /** @param service `Slack`, or the host of another service */
  constructor(http: Http, retry: Retry, baseUrl: URL, service: Text) {
    this.#http = http
    this.#retry = retry
    this.#baseUrl = baseUrl
    this.#service = service
  }

  /** How the failures of a call name it. */
  callOf(method: string): Call {
    return { method, host: this.#baseUrl.host, service: this.#service }
  }

  async call(
    method: string,
    form: Readonly<Record<string, string>>,
    options: RetryOptions,
    read = readWebApi,
  ): Promise<CallResult> {
    const url = apiUrl(this.#baseUrl, method)
    const body = Buffer.from(new URLSearchParams(form).toString())
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#retry.run(
      this.callOf(method),
      async (signal) => {
        const response = await this.#http.send({ url, headers, body, authorized: true, signal })
        this.#readScopes(response)
        return response
      },
      read,
      options,
    )
  }

  /** https://docs.slack.dev/authentication/installing-with-oauth: the scopes of the token, also with a refusal. */
  #readScopes({ headers }: HttpResponse): void {
    const scopes = headers['x-oauth-scopes']
    if (scopes !== undefined) this.scopes = new Set(scopes.split(/[\s,]+/).filter((scope) => scope !== ''))
  }

  /** Whether the token certainly lacks a scope. */
  lacks(scope: string): boolean {
    return this.scopes !== undefined && !this.scopes.has(scope)
  }
}

/** `{base_url}/api/{method}`; a path in the base URL is kept. */
export function apiUrl(baseUrl: URL, method: string): URL {
  const url = new URL(baseUrl)
  // The lookbehind keeps the time linear: a run of slashes is tried from its first one only.
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/api/${method}`
  return url
}

/**
 * The member `name` of a JSON object, if it can be the ID of a file or a channel, or the ts of a message. It becomes
 * an output, which people use in scripts and lists: 1 to 255 letters, digits and `.` `:` `+` `=` `_` `-`. A ts
 * need not have Slack's shape: other servers have others, and a message that was seen must not count as missing.
 */
export function idIn(json: Json | undefined, name: string): string | undefined {
  const text = textIn(json, name)
  return text !== undefined && /^[\w.:+=-]{1,255}$/.test(text) ? text : undefined
}

/**
 * What the lists of an organization-wide token need, from the response of `auth.test`.
 * https://docs.slack.dev/reference/methods/files.list
 */
export function teamOf(identity: Json): { readonly team_id?: string } {
  const team = idIn(identity, 'team_id')
  return identity['is_enterprise_install'] === true && team !== undefined ? { team_id: team } : {}
}

const maxLinkLength = 2_000

/** The member `name` of a JSON object, if it is a link to show to people. */
export function linkIn(json: Json | undefined, name: string): string | undefined {
  const url = URL.parse(textIn(json, name) ?? '')
  const usable = url !== null && isProtected(url) && !hasCredentials(url) && url.href.length <= maxLinkLength
  return usable ? url.href : undefined
}

/** Whether nobody between can read what is sent to the URL. */
export function isProtected(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

export function hasCredentials({ password, username }: URL): boolean {
  return username !== '' || password !== ''
}
