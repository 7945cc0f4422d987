import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Body, chunksOf } from '../body.ts'
import { NoResponseError } from './no-response.ts'
import { maxStandstill, type Standstill } from './stall.ts'

/** Bytes. `files.info` responds with the text of a file, and as HTML with ten times as much. */
export const maxResponseBytes = 16 * 1024 * 1024

export interface HttpRequest extends Pick<Standstill, 'minResponseTime'> {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Send the token. Refused for any origin but the token's own. */
  readonly authorized: boolean
  readonly signal: AbortSignal
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** It began before the last byte of the request was handed to the connection. */
  readonly isEarly: boolean
  /** Absent if it broke off, or was too long: a part must not be taken for the whole. */
  readonly bytes?: Uint8Array
}

/**
 * A request on its way, as undici reports it. It is given up if nothing of it moves for too long.
 *
 * undici's `request()` does not say when a request begins, and so not whether anything was sent.
 */
export class Transfer implements Dispatcher.DispatchHandler {
  fullySent = false
  /** What reading the body threw: not an error of the network. */
  bodyError: unknown
  readonly #request: HttpRequest
  readonly #timeLeft: () => number
  readonly #response = Promise.withResolvers<RawResponse>()
  #head: RawResponse | undefined
  readonly #received: Uint8Array[] = []
  #receivedBytes = 0
  #controller: Dispatcher.DispatchController | undefined
  #givenUp: NoResponseError | undefined
  #movedAt = performance.now()
  /** After a pause of the machine, `setImmediate` reads first what arrived meanwhile. */
  readonly #timer = setInterval(() => setImmediate(() => this.#giveUpIfStalled()), 1_000)

  /** @param timeLeft milliseconds that are left of the run */
  constructor(request: HttpRequest, timeLeft: () => number) {
    this.#request = request
    this.#timeLeft = timeLeft
  }

  /** Rejects as soon as the request is given up, also while there is no connection. */
  send(dispatcher: Dispatcher, headers: HttpRequest['headers']): Promise<RawResponse> {
    const { body, url } = this.#request
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        // undici takes any async iterable; its types name only the Readable.
        body: this.#chunks(body) as unknown as Readable,
      },
      this,
    )
    return this.#response.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#movedAt = performance.now()
    // Given up before there was a connection: undici could not be told earlier.
    if (this.#givenUp) controller.abort(this.#givenUp)
  }

  onResponseStart(_: unknown, status: number, headers: RawResponse['headers']): void {
    // Such as 103: the response is still to come.
    if (status < 200) return
    this.#movedAt = performance.now()
    this.#head = { status, headers, isEarly: !this.fullySent }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // Does not count as movement: a response that trickles must end, too.
    this.#received.push(chunk)
    this.#receivedBytes += chunk.byteLength
    if (this.#receivedBytes > maxResponseBytes) controller.abort(new Error('too long'))
  }

  onResponseEnd(): void {
    this.#respond({ bytes: Buffer.concat(this.#received) })
  }

  onResponseError(_: unknown, error: Error): void {
    // The response broke off. What came of it may lack the most important part.
    this.#respond({})
    this.#response.reject(error)
  }

  /** Only the first response or failure counts. */
  #respond(content: Partial<RawResponse>): void {
    if (this.#head) this.#response.resolve({ ...this.#head, ...content })
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
    // Else the bytes of a thousand small files are kept until a full garbage collection: 10 MB.
    this.#controller = undefined
  }

  /**
   * The bytes to send. Each chunk is held back until the next is there, so that `fullySent` is set
   * just before the last one. Before it is sent, the service cannot have carried out the request.
   *
   * Before each chunk, what arrived is read: if the server responded and closed the connection,
   * writing would fail, and the response would be lost.
   */
  async *#chunks(body: Body): AsyncGenerator<Uint8Array> {
    let held: Uint8Array | undefined
    try {
      for await (const chunk of chunksOf(body)) {
        await nextTurn()
        if (held !== undefined) yield held
        this.#movedAt = performance.now()
        held = chunk
      }
    } catch (error) {
      this.bodyError = error
      throw error
    }
    await nextTurn()
    this.fullySent = true
    if (held !== undefined) yield held
  }

  #giveUpIfStalled(): void {
    const { fullySent } = this
    const waited = performance.now() - this.#movedAt
    const timeLeft = waited + this.#timeLeft()
    if (waited < maxStandstill({ ...this.#request, fullySent, timeLeft })) return
    const noResponse = fullySent ? 'no response to the whole request for' : 'no byte moved for'
    const what = this.#head ? 'the response was not complete after' : noResponse
    this.giveUp('STALLED', `${what} ${Math.round(waited / 1_000)} seconds`)
  }
}
