import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { maxWhole } from '../../files/content.ts'
import type { Body } from '../body.ts'
import { keepReading } from './keep-reading.ts'
import { NoResponseError, noResponse } from './no-response.ts'
import { maxStandstill, type Standstill } from './stall.ts'

/** Bytes. `files.info` repeats the text of a file, and again as HTML, ten times as long. */
export const maxResponseBytes = 16 * 1024 * 1024

export interface HttpRequest extends Pick<Standstill, 'minResponseTime'> {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Send the token. Refused for any origin but the token's own. */
  readonly authorized: boolean
  /** The run ended, unless its reason has a `limit`, which names what ended. */
  readonly signal: AbortSignal
}

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** It began before the last byte was handed to the connection, or after a write failed. */
  readonly isEarly: boolean
  /** Absent if it broke off, or was too long: a part must not be taken for the whole. */
  readonly bytes: Uint8Array | undefined
}

/** What all requests have in common. */
export interface TransferContext {
  readonly removeToken: (text: string) => string
  /** Milliseconds that are left of the run. */
  readonly timeLeft: () => number
  /**
   * A request without TLS that is given up before a response ends with a reset. Some servers take a
   * form whose client closed the connection for a whole one, and post its comment.
   */
  readonly resets: boolean
}

/** How far a request has come. */
interface Progress {
  /** Absent until the request begins. */
  socket?: Socket
  /** The last byte was handed to the connection. */
  fullySent: boolean
  /** Of a write that failed: not all that was handed to the connection was sent. */
  writeError?: Error
  /** The response has begun. */
  responds: boolean
  /** When it got its connection, another chunk was taken, or the response began. */
  movedAt: number
}

/**
 * Sends a request and reads its response. It is given up when its signal aborts, or if nothing of
 * it moves for too long.
 *
 * undici's `request()` does not say when a request with its bytes in memory begins, and so not
 * whether it was sent. As a stream, each would take half as much CPU time again.
 *
 * @throws NoResponseError, or what `body.chunks()` throws
 */
export async function transfer(
  dispatcher: Dispatcher,
  request: HttpRequest,
  { removeToken, resets, timeLeft }: TransferContext,
): Promise<RawResponse> {
  const { body, headers, signal, url } = request
  // Together with the head, it is one write: a server that refuses the head can close the
  // connection in between only if the system does not take all of it at once.
  const whole = body.length > maxWhole ? undefined : await joined(body)
  if (signal.aborted)
    throw new NoResponseError('ABORTED', false, 'the run ended before it was sent')
  const progress: Progress = { fullySent: false, responds: false, movedAt: performance.now() }
  const response = Promise.withResolvers<RawResponse>()
  let controller: Dispatcher.DispatchController | undefined
  let givenUp: Error | undefined
  const giveUp = (error: Error) => {
    givenUp = error
    response.reject(error)
    // A socket of TLS cannot be reset.
    if (resets && url.protocol === 'http:' && !progress.responds) progress.socket?.resetAndDestroy()
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
        // Given up before there was a connection: undici could not be told earlier.
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
    // Else the bytes of a thousand small files are kept until a full garbage collection: 10 MB.
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
      // Such as 103: the response is still to come.
      if (status < 200) return
      head = { status, headers, isEarly: !progress.fullySent || progress.writeError !== undefined }
      progress.responds = true
      progress.movedAt = performance.now()
    },
    onResponseData(controller, chunk) {
      // Does not count as movement: a response that trickles must end, too.
      received.push(chunk)
      length += chunk.byteLength
      if (length > maxResponseBytes) controller.abort(new Error('too long'))
    },
    onResponseEnd() {
      if (head) resolve({ ...head, bytes: Buffer.concat(received) })
    },
    onResponseError(_, error) {
      // If it broke off, what came of it may lack the most important part.
      if (head) resolve({ ...head, bytes: undefined })
      else reject(error)
    },
  }
}

/** Until it is disposed of. */
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
    const { fullySent, movedAt, responds } = progress
    const waited = performance.now() - movedAt
    const standstill = { body, fullySent, minResponseTime, timeLeft: waited + timeLeft() }
    if (waited < maxStandstill(standstill)) return
    const silence = fullySent ? 'no response to the whole request for' : 'no byte moved for'
    const what = responds ? 'the response was not complete after' : silence
    fail('STALLED', `${what} ${Math.round(waited / 1_000)} seconds`)
  }
  // After a pause of the machine, `setImmediate` reads first what arrived meanwhile.
  const timer = setInterval(() => setImmediate(failIfStalled), 1_000)
  signal.addEventListener('abort', abort, { once: true })
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

async function joined({ chunks }: Body): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks()) all.push(chunk)
  const [first, ...others] = all
  // A copy of each file would cost time and memory.
  return first && others.length === 0 ? first : Buffer.concat(all)
}

/**
 * The bytes, once there is a connection. `fullySent` is set just before the last ones, unless a
 * write before them failed: until then, the service cannot have the whole file.
 */
async function* handOver(
  body: Body,
  progress: Progress,
  giveUp: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  let unsent = body.length
  try {
    for await (const chunk of body.chunks()) {
      // What arrived is read first, if that is possible: if the server has closed the connection,
      // some systems discard it when a write fails.
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
