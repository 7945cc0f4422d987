import type { JsonObject } from './json.ts'

export interface ServiceResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: JSON, or text. */
  readonly json?: JsonObject
  readonly text?: string
}

export const textResponse = (status: number, text: string): ServiceResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  text,
})

/** The response of a web server that does not know the path. */
export const notFound: ServiceResponse = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: '<!doctype html><title>Not found</title><h1>Not found</h1>\n',
}
