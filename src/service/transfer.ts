import { EventEmitter } from 'node:events'
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

/**
 * A request on its way. It is given up if no byte moves: undici's own timeouts see neither a body that stalls nor a response
 * that trickles.
 */
export class Transfer extends EventEmitter<{ abort: [] }> {
  fullySent = false
  /** What reading the body threw: not an error of the network. */
  bodyError: unknown
  /** Why the request was given up. */
  reason: NoResponseError | undefined
  readonly #body: Uint8Array | Body
  readonly #response = Promise.withResolvers<Dispatcher.ResponseData>()
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(body: Uint8Array | Body) {
    super()
    this.#body = body
    this.moved()
  }

  /** Rejects with `reason` as soon as the request is given up, also while there is no connection. */
  send(dispatcher: Dispatcher, options: Pick<Dispatcher.RequestOptions, 'headers' | 'method' | 'origin' | 'path'>) {
    const { reject, resolve } = this.#response
    // undici takes any async iterable, and any emitter of `abort`; its types name only the Readable.
    const body = this.#chunks() as unknown as Readable
    dispatcher.request({ ...options, body, signal: this }, (error, response) =>
      error ? reject(error) : resolve(response),
    )
    return this.#response.promise
  }

  /** Closes the connection. */
  giveUp(code: 'ABORTED' | 'EARLY_RESPONSE' | 'STALLED', message: string, cause?: unknown): void {
    this.reason ??= new NoResponseError(code, this.fullySent || code === 'EARLY_RESPONSE', message, { cause })
    this.#response.reject(this.reason)
    this.emit('abort')
  }

  /** Something moved, so the connection is not given up for some time. */
  moved(extraMilliseconds = 0): void {
    clearTimeout(this.#timer)
    // The body of a failed request may still be read for a moment.
    if (this.#over) return
    const stalled = () => this.giveUp('STALLED', `no byte moved for ${stallMilliseconds / 1000} seconds`)
    this.#timer = setTimeout(stalled, stallMilliseconds + extraMilliseconds)
  }

  /**
   * The bytes to send. Each chunk is held back until the next is there, so that `fullySent` is set just before the last one.
   * A connection that is lost earlier lost a request that the service cannot have carried out.
   */
  async *#chunks(): AsyncGenerator<Uint8Array> {
    let held: Uint8Array | undefined
    try {
      for await (const chunk of this.#body instanceof Uint8Array ? [this.#body] : this.#body.chunks()) {
        if (held !== undefined) yield held
        this.moved(chunk.byteLength / slowestBytesPerMillisecond)
        held = chunk
      }
    } catch (error) {
      this.bodyError = error
      throw error
    }
    this.fullySent = true
    const { length } = this.#body
    const buffered = Math.min(length, bufferedBytes)
    this.moved(buffered / slowestBytesPerMillisecond + length / storedBytesPerMillisecond)
    if (held !== undefined) yield held
  }

  end(): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}
