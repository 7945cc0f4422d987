import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { FoundFile } from '../../files/files.ts'
import type { ServiceOptions } from '../service.ts'
import { NoResponseError } from './no-response.ts'

/** Milliseconds. A request is given up if nothing moves for this long, not counting what a slow line needs. */
export const stallTime = 30_000
const checkMilliseconds = 1_000
/** What is read of a response. `files.info` of a text holds its content, and again as HTML of about ten times the size. */
export const maxResponseMebibytes = 16
/** Bytes of one request that the buffers of its connection can hold. */
const maxBuffered = 4 * 1024 * 1024
/** Bytes per millisecond. The slowest line on which everything arrives has 0.5 Mbit/s; a fifth of that is for the protocols. */
const slowestLine = 50

/** The line to the service, which all requests share. */
export interface Line {
  /** Bytes that were handed to connections and not answered yet: they may still be on their way. */
  outstanding: number
  /** As many of them as the buffers of this machine can hold. A proxy can take all of a request, and pass it on over a slow line. */
  buffered: number
  /** When the last response came, as `performance.now()`: until then, the line may have carried the bytes of that request. */
  respondedAt: number
  /** Milliseconds that are left of the run. */
  readonly timeLeft: () => number
}

/** The bytes of a file or a form. A fresh `chunks()` for every attempt: a generator that was read once would send nothing. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. At least 1. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface HttpRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | Body
  /** Send the token. Refused for any origin but the token's own. */
  readonly authorized: boolean
  readonly signal: AbortSignal
  /**
   * Milliseconds from the last byte on in which the request is not given up. Without it, the request may be repeated, and leaves half
   * of the time for that.
   */
  readonly minResponseTime?: number | undefined
}

/** The bytes of a file. Each chunk is reported once it was sent. */
export async function* sendChunks(
  { content, onEvent }: Pick<ServiceOptions, 'content' | 'onEvent'>,
  file: FoundFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content.chunks(file)) {
    yield chunk
    onEvent({ kind: 'sent', bytes: chunk.byteLength })
  }
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** `undefined` if it broke off, or was too long: a part must not be taken for the whole. */
  readonly bytes: Uint8Array | undefined
  readonly isTooLong: boolean
  /** It began before the last byte of the request was handed to the connection. */
  readonly isEarly: boolean
}

/**
 * A request on its way, as undici reports it. It is given up if nothing moves for 30 s, and for as long as all outstanding bytes
 * need on a slow line: undici's own timeouts know only one request, and see neither a body that stalls nor a response that
 * trickles. What a proxy may have taken gets no more than half of the time that is left: the other half is for a repeat.
 *
 * undici's `request()` does not tell when a request begins, and so not what was certainly not sent; it takes a quarter more CPU time.
 */
export class Transfer implements Dispatcher.DispatchHandler {
  fullySent = false
  /** What reading the body threw: not an error of the network. */
  bodyError: unknown
  readonly #request: HttpRequest
  readonly #line: Line
  readonly #response = Promise.withResolvers<RawResponse>()
  #head: Omit<RawResponse, 'bytes' | 'isTooLong'> | undefined
  readonly #received: Uint8Array[] = []
  #receivedBytes = 0
  #isTooLong = false
  #controller: Dispatcher.DispatchController | undefined
  #givenUp: NoResponseError | undefined
  /** Own bytes among those of the line. */
  #outstanding = 0
  #movedAt = performance.now()
  #checkedAt = performance.now()
  /** Not one for each movement, which thousands of requests would notice. */
  readonly #timer = setInterval(() => this.#giveUpIfStalled(), checkMilliseconds)

  constructor(request: HttpRequest, line: Line) {
    this.#request = request
    this.#line = line
  }

  /** Rejects as soon as the request is given up, also while there is no connection. */
  send(dispatcher: Dispatcher, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
    const { body, url } = this.#request
    const { origin, pathname, search } = url
    // undici takes any async iterable; its types name only the Readable.
    const bytes = body instanceof Uint8Array ? body : (this.#chunks(body) as unknown as Readable)
    dispatcher.dispatch({ origin, path: pathname + search, method: 'POST', headers, body: bytes }, this)
    return this.#response.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up before there was a connection: undici could not be told earlier.
    if (this.#givenUp) controller.abort(this.#givenUp)
    else if (this.#request.body instanceof Uint8Array) this.#markFullySent()
  }

  onResponseStart(_: unknown, status: number, headers: RawResponse['headers']): void {
    // Such as 103: the response is still to come.
    if (status < 200) return
    this.#movedAt = performance.now()
    this.#head = { status, headers, isEarly: !this.fullySent }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#received.push(chunk)
    this.#receivedBytes += chunk.byteLength
    this.#isTooLong = this.#receivedBytes > maxResponseMebibytes * 1024 * 1024
    if (this.#isTooLong) controller.abort(new Error('the response is too long'))
  }

  onResponseEnd(): void {
    if (this.#head) this.#response.resolve({ ...this.#head, bytes: Buffer.concat(this.#received), isTooLong: false })
    this.#received.length = 0
  }

  onResponseError(_: unknown, error: Error): void {
    // A response that breaks off may lack its most important part.
    this.#received.length = 0
    if (this.#head) this.#response.resolve({ ...this.#head, bytes: undefined, isTooLong: this.#isTooLong })
    else this.#response.reject(error)
  }

  /** Closes the connection. */
  giveUp(code: 'ABORTED' | 'STALLED', message: string): void {
    const error = new NoResponseError(code, this.fullySent, message)
    this.#givenUp = error
    this.#response.reject(error)
    this.#controller?.abort(error)
  }

  /** The request is over, with or without a response. */
  end(): void {
    clearInterval(this.#timer)
    this.#setOutstanding(0)
    if (this.#head) this.#line.respondedAt = performance.now()
    // Else the bytes of a thousand small files are kept until a full garbage collection: 10 MB.
    this.#controller = undefined
  }

  /**
   * The bytes to send. Each chunk is held back until the next is there, so that `fullySent` is set just before the last one.
   * A connection that is lost earlier lost a request that the service cannot have carried out.
   */
  async *#chunks(body: Body): AsyncGenerator<Uint8Array> {
    let held: Uint8Array | undefined
    try {
      for await (const chunk of body.chunks()) {
        if (held !== undefined) {
          this.#setOutstanding(Math.min(this.#outstanding + held.byteLength, maxBuffered))
          yield held
        }
        this.#movedAt = performance.now()
        held = chunk
      }
    } catch (error) {
      this.bodyError = error
      throw error
    }
    if (held === undefined) return
    this.#markFullySent()
    yield held
  }

  #setOutstanding(bytes: number): void {
    this.#line.outstanding += bytes - this.#outstanding
    this.#line.buffered += Math.min(bytes, maxBuffered) - Math.min(this.#outstanding, maxBuffered)
    this.#outstanding = bytes
  }

  #markFullySent(): void {
    this.#setOutstanding(this.#request.body.length)
    this.fullySent = true
    this.#movedAt = performance.now()
  }

  #giveUpIfStalled(): void {
    const now = performance.now()
    // After a pause of the machine, what came meanwhile is read before the next check.
    const wasPaused = now > this.#checkedAt + 5 * checkMilliseconds
    this.#checkedAt = now
    const waited = now - this.#movedAt
    const { buffered, outstanding, respondedAt, timeLeft } = this.#line
    const { minResponseTime } = this.#request
    // Milliseconds for which nothing may move, besides what a slow line needs.
    const maxWait = Math.max(stallTime, this.fullySent ? (minResponseTime ?? 0) : 0)
    const isHalfOver = minResponseTime === undefined && waited >= timeLeft()
    const bytes = isHalfOver ? buffered : outstanding
    const isStalled = now - Math.max(this.#movedAt, respondedAt) >= maxWait + bytes / slowestLine
    if (isStalled && !wasPaused) this.giveUp('STALLED', `${this.#waitsFor} ${Math.round(waited / 1_000)} seconds`)
  }

  get #waitsFor(): string {
    if (this.#head) return 'the response was not complete after'
    return this.fullySent ? 'no response to the whole request for' : 'no byte moved for'
  }
}
