import { shortestToken } from '../text/token.ts'

/** Finds the bytes of a token in a stream of chunks, also where it lies across their borders. */
export class TokenSearch {
  readonly #token: Buffer
  /** The last bytes that were seen, one less than the token has: a copy, since chunks may be reused buffers. */
  readonly #tail: Buffer
  #tailLength = 0
  #found = false

  /** @param token one of less than 16 characters is never found. */
  constructor(token: string) {
    this.#token = token.length < shortestToken ? Buffer.alloc(0) : Buffer.from(token)
    this.#tail = Buffer.alloc(Math.max(0, this.#token.length - 1))
  }

  /** The next chunk. Returns whether the token was in the bytes so far. */
  push(chunk: Uint8Array): boolean {
    if (this.#found || this.#token.length === 0 || chunk.length === 0) return this.#found
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const border = Buffer.concat([this.#tail.subarray(0, this.#tailLength), bytes.subarray(0, this.#tail.length)])
    this.#found = border.includes(this.#token) || bytes.includes(this.#token)
    const last = bytes.length < this.#tail.length ? border : bytes
    this.#tailLength = last.copy(this.#tail, 0, Math.max(0, last.length - this.#tail.length))
    return this.#found
  }
}
