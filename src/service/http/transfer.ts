import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Body, maxWhole } from '../body.ts'
import { keepReading } from './keep-reading.ts'
import { NoResponseError, noResponse } from './no-response.ts'
import { maxStandstill, type Standstill } from './stall.ts'

/** Bytes. `files.info` repeats the text of a file, and again as HTML, ten times as long. */
export const maxResponseBytes = 16 * 1024 * 1024

export interface HttpRequest extends Pick<Standstill, 'minResponseTime'> {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Send the token. Refused for any other origin than its own. */
  readonly authorized: boolean
  /** The `limit` of its reason names what ended. Without it, the run did. */
  readonly signal: AbortSignal
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** It began before the last byte was handed over, or after a write failed. */
  readonly isEarly: boolean
  /** Absent if it broke off or was too long. */
  readonly bytes: Uint8Array | undefined
}

export interface TransferContext {
  readonly removeToken: (text: string) => string
  /** Milliseconds left of the run. */
  readonly timeLeft: () => number
  /**
   * Resets a request without TLS that is given up before a response. Some servers take a closed
   * form for a whole one, and post its comment.
   */
  readonly resets: boolean
}

interface Progress {
  /** Absent until the request begins. */
  socket?: Socket
  /** The last byte was handed to the connection, or is about to be. */
  fullySent: boolean
  /** Not all that was handed over was sent. */
  writeError?: Error
  /** The time of its connection, its last chunk, or the start of its response. */
  movedAt: number
}

/**
 * Sends a request and reads its response, unless its signal aborts, or nothing of it moves for too
 * long.
 *
 * undici's `request()` does not say when it begins to send bytes in memory. As a stream, they would
 * take half as much CPU time again.
 *
 * @throws NoResponseError, or what `body.chunks()` throws
 */
export async function transfer(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { removeToken, resets, timeLeft }: TransferContext,
): Promise<RawResponse> {
  const { body, headers, signal, url } = request
  // One write with the head, so that a server that refuses the head can hardly close in between.
  const whole = body.length > maxWhole ? undefined : await joined(body)
  if (signal.aborted)
    throw new NoResponseError('ABORTED', false, 'the run ended before it was sent')
  const progress: Progress = { fullySent: false, movedAt: performance.now() }
  const response = Promise.withResolvers<RawResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let givenUp: Error | undefined
  const giveUp = (error: Error) => {
    givenUp = error
    response.reject(error)
    // A socket of TLS cannot be reset.
    if (resets && url.protocol === 'http:') progress.socket?.resetAndDestroy()
    controller?.abort(error)
  }
  using _ = giveUpInTime(request, progress, timeLeft, giveUp)
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      // undici takes any async iterable; its types name only the Readable.
      body: whole ?? (handOver(body, progress, giveUp) as unknown as Readable),
    },
    {
      onRequestStart(started) {
        controller = started
        progress.movedAt = performance.now()
        progress.fullySent = whole !== undefined
        // Given up before undici could be told.
        if (givenUp) started.abort(givenUp)
        else keepReading(progress)
      },
      ...receive(progress, response.resolve, (error) =>
        response.reject(
          noResponse(progress.writeError ?? error, url, progress.fullySent, removeToken),
        ),
      ),
    },
  )
  return await response.promise.finally(() => {
    // Otherwise, a thousand small files keep 10 MB until a full garbage collection.
    controller = undefined
  })
}

/** Only the first response or failure counts. */
function receive(
  progress: Progress,
  resolve: (response: RawResponse) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  let head: Omit<RawResponse, 'bytes'> | undefined
  const received: Uint8Array[] = []
  let length = 0
  return {
    onResponseStart(_, status, headers) {
      // Like 103, which comes before the response.
      if (status < 200) return
      head = { status, headers, isEarly: !progress.fullySent || progress.writeError !== undefined }
      progress.movedAt = performance.now()
    },
    onResponseData(controller, chunk) {
      // No movement, because a response that trickles must end, too.
      received.push(chunk)
      length += chunk.byteLength
      if (length > maxResponseBytes) controller.abort(new Error('too long'))
    },
    onResponseEnd() {
      if (head) resolve({ ...head, bytes: Buffer.concat(received) })
    },
    onResponseError(_, error) {
      // Broken off, it may lack the most important part.
      if (head) resolve({ ...head, bytes: undefined })
      else reject(error)
    },
  }
}

/** Until it is disposed of, gives up a request that stalls or is aborted. */
function giveUpInTime(
  { body, minResponseTime, signal }: HttpRequest,
  progress: Progress,
  timeLeft: TransferContext['timeLeft'],
  giveUp: (error: NoResponseError) => void,
): Disposable {
  const fail = (code: string, message: string) =>
    giveUp(new NoResponseError(code, progress.fullySent, message))
  const abort = () =>
    fail('ABORTED', `${signal.reason.limit ?? 'the run'} ended before the response came`)
  const failIfStalled = () => {
    const { fullySent, movedAt } = progress
    const waited = performance.now() - movedAt
    const standstill = { body, fullySent, minResponseTime, timeLeft: waited + timeLeft() }
    if (waited < maxStandstill(standstill)) return
    const what = fullySent ? 'no complete response for' : 'no byte of the request moved for'
    fail('STALLED', `${what} ${Math.round(waited / 1_000)} seconds`)
  }
  // After a pause of the machine, `setImmediate` lets Node read first what arrived.
  const timer = setInterval(() => setImmediate(failIfStalled), 1_000)
  signal.addEventListener('abort', abort, { once: true })
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** A chunk is overwritten when the next is asked for. One that is the whole body needs no copy. */
async function joined({ chunks, length }: Body): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks())
    all.push(chunk.byteLength === length ? chunk : Buffer.from(chunk))
  return all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all)
}

/**
 * Sets `fullySent` just before the last bytes, unless a write before them failed. Until then, the
 * service cannot have the whole file.
 */
async function* handOver(
  body: Body,
  progress: Progress,
  giveUp: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  let unsent = body.length
  try {
    for await (const chunk of body.chunks()) {
      // Read first what arrived. Some systems discard it when a write fails on a connection that
      // the server has closed.
      await nextTurn()
      unsent -= chunk.byteLength
      progress.fullySent = unsent === 0 && !progress.writeError
      yield chunk
      progress.movedAt = performance.now()
    }
  } catch (error) {
    giveUp(error as Error)
    throw error
  }
}
