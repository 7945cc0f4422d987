/**
 * A request as the sandbox received it, for tests and for the page. No value of a token is kept.
 */
export interface RecordedRequest {
  /** Requests of one run of a client have the same number, from 1. */
  readonly run: number
  /** When its head arrived: milliseconds since 1970. */
  readonly time: number
  /** `upload`: the origin that takes the bytes, and that a token must never reach. */
  readonly origin: 'api' | 'upload'
  readonly method: string
  /** As sent, without the query. */
  path: string
  /** Names as they were written, in order. */
  headers: readonly (readonly [name: string, value: string])[]
  readonly contentType: string | undefined
  /** Of the token in a header, the URL or the form. */
  token: 'none' | 'right' | 'wrong'
  /** Names and values of the query and the form in order. */
  fields: readonly (readonly [name: string, value: string])[]
  file: RecordedFile | undefined
  /** Bytes of the body that were read. */
  bytes: number
  /** `undefined` if no response was sent. */
  status: number | undefined
  /** The error code in the response, such as `not_in_channel`. */
  error: string | undefined
  /** The body of the response, if its text was kept. */
  responseBody: string | undefined
  /** The kind of fault that the sandbox simulated, such as `reset`. */
  readonly fault: string | undefined
  /** From the request's head to the end of the response. */
  milliseconds: number | undefined
}

/** A file part, or the body of an upload. */
export interface RecordedFile {
  /** The part's name; none if the body is the file. */
  readonly field: string | undefined
  /** The part's `Content-Disposition`, one character for each byte. */
  readonly disposition: string | undefined
  /** The file name in it, read as UTF-8. */
  readonly name: string | undefined
  readonly contentType: string | undefined
  readonly length: number
  readonly sha256: string
}

const secrets = ['authorization', 'cookie', 'proxy-authorization', 'token']

/**
 * Takes out tokens: the sandbox's look like real ones, which somebody may send here by mistake.
 */
export function redact(recorded: RecordedRequest): void {
  const redacted = (text: string) => text.replace(/\b(?:xox[a-z]|xapp)[-.][\w.-]+/g, '***')
  const pairs = (list: RecordedRequest['fields']) =>
    list.map(([name, value]) => {
      const scheme = /^(?:Bearer|Basic) /i.exec(value)?.[0] ?? ''
      return [
        redacted(name),
        secrets.includes(name.toLowerCase()) ? `${scheme}***` : redacted(value),
      ] as const
    })
  recorded.path = redacted(recorded.path)
  recorded.headers = pairs(recorded.headers)
  recorded.fields = pairs(recorded.fields)
  recorded.responseBody &&= redacted(recorded.responseBody)
}
