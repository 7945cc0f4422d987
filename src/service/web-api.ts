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

/** The member `name` of a JSON object, if it is a number. */
export function numberIn(json: Json | undefined, name: string): number | undefined {
  const value = json?.[name]
  return typeof value === 'number' ? value : undefined
}
