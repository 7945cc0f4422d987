/** A request as the sandbox received it, for tests and for the page. */
export interface RecordedRequest {
  /** `upload`: the origin that takes the bytes, and that a token must never reach. */
  readonly origin: 'api' | 'upload'
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** As they were written, in order. */
  readonly headerNames: readonly string[]
  readonly contentType: string | undefined
  readonly token: 'none' | 'right' | 'wrong'
  /** Names and values of the form's fields in order; never a token's value. */
  fields: readonly (readonly [name: string, value: string])[]
  file: RecordedFile | undefined
  /** Bytes of the body that were read. */
  bytes: number
  /** `undefined` if no response was sent. */
  status: number | undefined
  /** The error code in the response, such as `not_in_channel`. */
  error: string | undefined
  /** From the request's head to the end of the response. */
  milliseconds: number | undefined
}

/** A file part, or the body of an upload. */
export interface RecordedFile {
  /** The part's name; none for the body of an upload. */
  readonly field: string | undefined
  /** The part's `Content-Disposition`, one character for each byte. */
  readonly disposition: string | undefined
  /** The file name in it, read as UTF-8. */
  readonly name: string | undefined
  readonly contentType: string | undefined
  readonly length: number
  readonly sha256: string
}
