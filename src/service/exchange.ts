import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { NoResponseError } from './no-response.ts'

/** A connection is given up if no byte moves for this long. */
const stallMilliseconds = 30_000
/** Bytes in the buffers get time to leave, also on a slow line that many uploads share. */
const slowestBytesPerMillisecond = 50
/** Bytes that can still be in the buffers of the connection when all were handed to it. */
const bufferedBytes = 4 * 1024 * 1024
/** A service that stores a large file before it responds gets time for a slow disk. */
const storedBytesPerMillisecond = 10_000

/** The bytes of a file or a form. A fresh `chunks()` for every attempt: a generator that was read once would send nothing. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. At least 1. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** `undefined` if it broke off, or was too long. */
  readonly bytes: Uint8Array | undefined
}

/**
 * One request and its response, as undici reports them. It is given up if no byte moves: undici's own timeouts see neither a
 * body that stalls nor a response that trickles.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** What undici sends. */
  readonly body: Uint8Array | Readable
  readonly response: Promise<RawResponse>
  fullySent = false
  /** What reading the body threw: not an error of the network. */
  bodyError: unknown
  readonly #length: number
  readonly #settle: PromiseWithResolvers<RawResponse>
  #started: Omit<RawResponse, 'bytes'> | undefined
  readonly #received: Uint8Array[] = []
  #controller: Dispatcher.DispatchController | undefined
  #stopped: NoResponseError | undefined
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(body: Uint8Array | Body) {
    // undici takes any async iterable; its types name only the Readable.
    this.body = body instanceof Uint8Array ? body : (this.#send(body) as unknown as Readable)
    this.#length = body.length
    this.#settle = Promise.withResolvers()
    this.response = this.#settle.promise
    this.#moved()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up before there was a connection: undici could not be told earlier.
    if (this.#stopped) controller.abort(this.#stopped)
    else if (this.body instanceof Uint8Array) this.#lastIsSent()
  }

  onResponseStart(_: unknown, status: number, headers: RawResponse['headers']): void {
    // Such as 103: the response is still to come.
    if (status < 200) return
    this.#moved()
    this.#started = { status, headers }
    if (status < 300 && !this.fullySent) {
      this.#fail(new NoResponseError('EARLY_RESPONSE', true, 'the server responded ok before it had the whole request'))
    }
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#received.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#started) this.#settle.resolve({ ...this.#started, bytes: Buffer.concat(this.#received) })
  }

  onResponseError(_: unknown, error: Error): void {
    // A response that breaks off may lack its most important part.
    if (this.#started) this.#settle.resolve({ ...this.#started, bytes: undefined })
    else this.#settle.reject(error)
  }

  stop(code: 'ABORTED' | 'STALLED', message: string, cause?: unknown): void {
    this.#fail(new NoResponseError(code, this.fullySent, message, { cause }))
  }

  end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }

  #fail(error: NoResponseError): void {
    this.#stopped = error
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  #moved(extraMilliseconds = 0): void {
    clearTimeout(this.#timer)
    // The body of a failed request may still be read for a moment.
    if (this.#over) return
    const stalled = () => this.stop('STALLED', `no byte moved for ${stallMilliseconds / 1000} seconds`)
    this.#timer = setTimeout(stalled, stallMilliseconds + extraMilliseconds)
  }

  /**
   * Passes the body on, and holds each chunk back until the next is there, so that `fullySent` is set just before the last
   * one. A connection that is lost earlier lost a request that the service cannot have carried out.
   */
  async *#send(body: Body): AsyncGenerator<Uint8Array> {
    let held: Uint8Array | undefined
    try {
      for await (const chunk of body.chunks()) {
        if (held !== undefined) yield held
        this.#moved(chunk.byteLength / slowestBytesPerMillisecond)
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
    const buffered = Math.min(this.#length, bufferedBytes)
    this.#moved(buffered / slowestBytesPerMillisecond + this.#length / storedBytesPerMillisecond)
  }
}
