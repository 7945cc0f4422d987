import { isLoopback } from '../loopback.ts'
import type { Json, Reply } from './answers.ts'
import { isObject, readEnvelope } from './answers.ts'
import type { Attempts, CallOptions } from './attempts.ts'
import type { Body, Http, HttpAnswer } from './http.ts'

/** The methods of the service's Web API: `POST {base_url}/api/{method}` with the token and a form, answered by an envelope. */
export class WebApi {
  readonly #http: Http
  readonly #attempts: Attempts
  readonly #baseUrl: URL
  /** Scopes of the token, as soon as an answer has told them. */
  scopes: ReadonlySet<string> | undefined

  constructor(http: Http, attempts: Attempts, baseUrl: URL) {
    this.#http = http
    this.#attempts = attempts
    this.#baseUrl = baseUrl
  }

  async call(method: string, form: Readonly<Record<string, string>>, options: CallOptions): Promise<Reply> {
    const url = apiUrl(this.#baseUrl, method)
    const body = bodyOf(Buffer.from(new URLSearchParams(form).toString()))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#attempts.run(
      { method, host: url.host },
      async (signal) => {
        const answer = await this.#http.send({ url, headers, body, authorized: true, signal })
        this.#learnScopes(answer)
        return answer
      },
      readEnvelope,
      options,
    )
  }

  /** https://docs.slack.dev/authentication/installing-with-oauth: the scopes of the token that made the call, also with a refusal. */
  #learnScopes({ headers }: HttpAnswer): void {
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

function bodyOf(bytes: Uint8Array): Body {
  return {
    length: bytes.byteLength,
    async *chunks() {
      yield bytes
    },
  }
}

/** The member `name` of a JSON object, if it is an object. */
export function objectIn(json: Json, name: string): Json | undefined {
  const value = json[name]
  return isObject(value) ? value : undefined
}

/** The member `name` of a JSON object, if it is text and not empty. */
export function textIn(json: Json | undefined, name: string): string | undefined {
  const value = json?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * The member `name` of a JSON object, if it can be an identifier: of a file, a channel or, as a ts, of a message. It
 * becomes an output, which people put into scripts and lists: 1 to 255 letters, digits and `.` `:` `+` `=` `_` `-`. Not only
 * the ts of Slack's shape: other servers have others, and a message that was seen must not count as missing for it.
 */
export function idIn(json: Json | undefined, name: string): string | undefined {
  const text = textIn(json, name)
  return text !== undefined && /^[\w.:+=-]{1,255}$/.test(text) ? text : undefined
}

const maxLinkLength = 2_000

/** The member `name` of a JSON object, if it is a link that people may be given. */
export function linkIn(json: Json | undefined, name: string): string | undefined {
  const url = URL.parse(textIn(json, name) ?? '')
  const usable = url !== null && isProtected(url) && !hasCredentials(url) && url.href.length <= maxLinkLength
  return usable ? url.href : undefined
}

/** Whether nobody on the way can read what is sent to the URL. */
export function isProtected(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

export function hasCredentials({ password, username }: URL): boolean {
  return username !== '' || password !== ''
}

/** The member `name` of a JSON object, if it is a number. */
export function numberIn(json: Json | undefined, name: string): number | undefined {
  const value = json?.[name]
  return typeof value === 'number' ? value : undefined
}
