import type { JsonObject } from './json.ts'

export interface ServiceResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly json?: JsonObject
  readonly text?: string
}

export type Body =
  | { readonly json: JsonObject }
  | { readonly html: string }
  | { readonly text: string }
  /** That much text. */
  | { readonly megabytes: number }
  | 'none'

export function responseOf(
  status: number,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  if (body === 'none') return { status, headers }
  const as = (type: string) => ({ 'content-type': `${type}; charset=utf-8`, ...headers })
  if ('json' in body) return { status, headers: as('application/json'), json: body.json }
  if ('html' in body) return { status, headers: as('text/html'), text: body.html }
  const text = 'text' in body ? body.text : 'x'.repeat(body.megabytes * 2 ** 20)
  return { status, headers: as('text/plain'), text }
}

export const notFound = responseOf(404, {
  html: '<!doctype html><title>Not found</title><h1>Not found</h1>\n',
})
