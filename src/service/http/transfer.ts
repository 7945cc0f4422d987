import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { FoundFile } from '../../files/files.ts'
import type { ServiceOptions } from '../service.ts'
import { type Line, slowestBytesPerMillisecond } from './line.ts'
import { NoResponseError } from './no-response.ts'

/** Milliseconds. A connection is given up if no byte moves for this long, not counting what a slow line needs. */
const stallTime = 30_000
const checkMilliseconds = 1_000
/** A service that stores a large file before it responds gets time for a slow disk. */
const storedBytesPerMillisecond = 1_000
/** Milliseconds. The longest time that a service gets for that. */
export const maxResponseTime = 180_000
/** Bytes that can still be in the buffers of the connection when all were handed to it. */
const bufferedBytes = 4 * 1024 * 1024

/** The bytes of a file or a form. A fresh `chunks()` for every attempt: a generator that was read once would send nothing. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. At least 1. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array>
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
  /** `undefined` if it broke off, or was too long. */
  readonly bytes: Uint8Array | undefined
}

/**
 * A request on its way, as undici reports it. It is given up if no byte moves: undici's own timeouts see neither a body that
 * stalls nor a response that trickles.
 *
 * undici's `request()` would make a stream for each response, for 10 MB and a tenth of the CPU time with 1,000 files.
 */
export class Transfer implements Dispatcher.DispatchHandler {
  fullySent = false
  /** What reading the body threw: not an error of the network. */
  bodyError: unknown
  readonly #body: Uint8Array | Body
  readonly #line: Line
  readonly #minResponseTime: number
  readonly #response = Promise.withResolvers<RawResponse>()
  #head: Omit<RawResponse, 'bytes'> | undefined
  readonly #received: Uint8Array[] = []
  #controller: Dispatcher.DispatchController | undefined
  #givenUp: NoResponseError | undefined
  /** Since when nothing moved, and the milliseconds that it may last. */
  #wait = { start: 0, time: 0, what: '', allowed: 0 }
  #timer: NodeJS.Timeout | undefined

  /** @param minResponseTime milliseconds from the last byte on in which the request is not given up */
  constructor(body: Uint8Array | Body, line: Line, minResponseTime = 0) {
    this.#body = body
    this.#line = line
    this.#minResponseTime = minResponseTime
    this.moved()
    this.#checkSoon()
  }

  /** Rejects as soon as the request is given up, also while there is no connection. */
  send(dispatcher: Dispatcher, options: Omit<Dispatcher.DispatchOptions, 'body'>): Promise<RawResponse> {
    // undici takes any async iterable; its types name only the Readable.
    const body = this.#body instanceof Uint8Array ? this.#body : (this.#chunks(this.#body) as unknown as Readable)
    dispatcher.dispatch({ ...options, body }, this)
    return this.#response.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up before there was a connection: undici could not be told earlier.
    if (this.#givenUp) controller.abort(this.#givenUp)
    else if (this.#body instanceof Uint8Array) this.#lastIsSent()
  }

  onResponseStart(_: unknown, status: number, headers: RawResponse['headers']): void {
    // Such as 103: the response is still to come.
    if (status < 200) return
    this.moved()
    this.#head = { status, headers }
    if (status < 300 && !this.fullySent) {
      this.giveUp('EARLY_RESPONSE', 'the server responded ok before it had the whole request')
    }
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#received.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#head) this.#response.resolve({ ...this.#head, bytes: Buffer.concat(this.#received) })
  }

  onResponseError(_: unknown, error: Error): void {
    // A response that breaks off may lack its most important part.
    if (this.#head) this.#response.resolve({ ...this.#head, bytes: undefined })
    else this.#response.reject(error)
  }

  /** Closes the connection. */
  giveUp(code: 'ABORTED' | 'EARLY_RESPONSE' | 'STALLED', message: string, cause?: unknown): void {
    const error = new NoResponseError(code, this.fullySent || code === 'EARLY_RESPONSE', message, { cause })
    this.#givenUp = error
    this.#response.reject(error)
    this.#controller?.abort(error)
  }

  /** Something moved: the request is given up only if nothing moves from now on. */
  moved(): void {
    this.#giveUpAfter(stallTime, 'no byte moved for')
  }

  /** @param time milliseconds, besides what everything in flight needs on a slow line */
  #giveUpAfter(time: number, what: string): void {
    this.#wait = { start: performance.now(), time, what, allowed: time + this.#line.milliseconds }
  }

  #giveUpIfStalled(): void {
    const wait = this.#wait
    wait.allowed = Math.max(wait.allowed, wait.time + this.#line.milliseconds)
    if (performance.now() < wait.start + wait.allowed) this.#checkSoon()
    else this.giveUp('STALLED', `${wait.what} ${Math.round(wait.allowed / 1_000)} seconds`)
  }

  /** Not one timer for each movement, which thousands of requests would notice. */
  #checkSoon(): void {
    this.#timer = setTimeout(() => this.#giveUpIfStalled(), checkMilliseconds)
  }

  /**
   * The bytes to send. Each chunk is held back until the next is there, so that `fullySent` is set just before the last one.
   * A connection that is lost earlier lost a request that the service cannot have carried out.
   */
  async *#chunks(body: Body): AsyncGenerator<Uint8Array> {
    let held: Uint8Array | undefined
    try {
      for await (const chunk of body.chunks()) {
        if (held !== undefined) yield held
        this.moved()
        held = chunk
      }
    } catch (error) {
      this.bodyError = error
      throw error
    }
    this.#lastIsSent()
    if (held !== undefined) yield held
  }

  #lastIsSent(): void {
    this.fullySent = true
    const { length } = this.#body
    const stored = Math.max(stallTime + length / storedBytesPerMillisecond, this.#minResponseTime)
    const buffered = Math.min(length, bufferedBytes) / slowestBytesPerMillisecond
    this.#giveUpAfter(Math.min(stored, maxResponseTime) + buffered, 'no response to the whole request for')
  }

  /** The request is over, with or without a response. */
  end(): void {
    clearTimeout(this.#timer)
    // Else the bytes of a thousand small files are kept until a full garbage collection: 10 MB.
    this.#controller = undefined
  }
}
