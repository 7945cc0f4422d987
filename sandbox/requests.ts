/** A request as received, without the value of a token. */
export interface RecordedRequest {
  /** Number of the client's run, from 1. */
  readonly run: number
  /** Of its head: milliseconds since 1970. */
  readonly time: number
  /** `upload` takes the bytes, and must never get a token. */
  readonly origin: 'api' | 'upload'
  readonly method: string
  /** As sent, without the query. */
  path: string
  /** In order, with the names as written. */
  headers: readonly (readonly [name: string, value: string])[]
  readonly contentType: string | undefined
  /** Of the token in a header, the URL or the form. */
  token: 'none' | 'right' | 'wrong'
  /** Of the query and the form, in order. */
  fields: readonly (readonly [name: string, value: string])[]
  file: RecordedFile | undefined
  /** Read from the body. */
  bytes: number
  /** `undefined` if no response was sent. */
  status: number | undefined
  /** The error code, like `not_in_channel`. */
  error: string | undefined
  /** Absent if the text was not kept. */
  responseBody: string | undefined
  /** The kind of the simulated fault, like `reset`. */
  readonly fault: string | undefined
  /** From the request's head to the end of the response. */
  milliseconds: number | undefined
}

/** A part of a form, or the body of an upload. */
export interface RecordedFile {
  /** The part's name. */
  readonly field: string | undefined
  /** The part's `Content-Disposition`, one character per byte. */
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
