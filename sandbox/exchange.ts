/** Reads a request, carries it out and responds as far as the plan says. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { type Bytes, bytesOf, cut, type ReadBody, type Stored } from './body.ts'
import { cutFiles, encode, type Plan } from './faults.ts'
import { Line } from './line.ts'
import type { RecordedRequest } from './requests.ts'
import type { ServiceResponse } from './workspace.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Filled in as the exchange goes on. */
  readonly recorded: RecordedRequest
  readonly plan: Plan
  /** Shared by all requests. */
  readonly line: Line
  readonly read: (bytes: Bytes) => Promise<ReadBody>
  /** `kept` differs from `sent` if a fault loses bytes. */
  readonly act: (kept: ReadBody, sent: ReadBody) => ServiceResponse
  /** The service acts although its response denies it. */
  readonly carriesOut: (response: ServiceResponse) => boolean
  /** Keeps the bytes on disk, or removes them. */
  readonly retain: (file: Stored) => Promise<void>
  /** Ends all waits. */
  readonly signal: AbortSignal
}

export async function exchange(given: Exchange): Promise<void> {
  const { request, response, recorded, plan, signal } = given
  const begin = performance.now()
  try {
    if (plan.informs === 100) response.writeContinue()
    if (plan.informs === 102) response.writeProcessing()
    if (plan.informs === 103)
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
    const own = await carryOut(given)
    const result = plan.response ?? (own && cutFiles(own, plan))
    if (plan.delay > 0) await setTimeout(plan.delay, undefined, { signal })
    if (plan.ending === 'silence') return
    if (plan.ending === 'reset' || result === undefined) return reset(response.socket)
    recorded.status = result.status
    recorded.responseBody = bodyOf(result).slice(0, maxKeptBody)
    recorded.error = typeof result.json?.['error'] === 'string' ? result.json['error'] : undefined
    await send(response, result, plan, signal)
  } catch (error) {
    // The client disconnected, or the sandbox stops.
    if (!request.complete || signal.aborted || response.headersSent) response.destroy()
    else {
      recorded.status = 400
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error))
    }
  } finally {
    recorded.milliseconds = performance.now() - begin
  }
}

/** Returns the service's own response, if it has one. */
async function carryOut({
  request,
  recorded,
  plan,
  line,
  signal,
  read,
  act,
  carriesOut,
  retain,
}: Exchange) {
  // Node would read and drop an untouched body after the response.
  if (plan.reads === 'nothing') request.read(0)
  if (plan.reads === 'part') await readPart(request, recorded)
  if (plan.reads !== 'all') return undefined
  const lines = [line, new Line(plan.readBytesPerSecond * 8)]
  const bytes = bytesOf(request, lines, signal, (count) => {
    recorded.bytes += count
  })
  const body = await read(bytes)
  recorded.fields = body.fields
  if (body.file) {
    const { stored: _, ...file } = body.file
    recorded.file = file
  }
  const own =
    plan.effect || (plan.response && carriesOut(plan.response))
      ? act(await kept(body, plan.keeps), body)
      : undefined
  if (body.file) await retain(body.file)
  return own
}

const maxKeptBody = 10_000

const bodyOf = ({ json, text = '' }: ServiceResponse): string =>
  json === undefined ? text : JSON.stringify(json)

async function kept(body: ReadBody, bytes: number | undefined): Promise<ReadBody> {
  if (bytes === undefined || body.file === undefined) return body
  return { ...body, file: { ...body.file, ...(await cut(body.file.stored, bytes)) } }
}

/**
 * At most half, and so little that the system's buffer stays small: in a large one, all of the
 * request could be there.
 */
async function readPart(request: IncomingMessage, recorded: RecordedRequest): Promise<void> {
  const part = Math.min(Number(request.headers['content-length'] ?? 1) / 2, 65_536)
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (chunk instanceof Uint8Array) recorded.bytes += chunk.length
    if (recorded.bytes >= part) return
  }
}

function reset(socket: Socket | null): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket?.resetAndDestroy()
}

async function send(
  response: ServerResponse,
  result: ServiceResponse,
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  const { body, headers } = encode(result, plan.encoding)
  const bodiless = result.status === 204 || result.status === 304
  response.writeHead(result.status, {
    ...headers,
    ...(!bodiless && { 'content-length': body.length }),
  })
  if (plan.ending === 'truncated') {
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
    return
  }
  if (plan.writeBytesPerSecond < Number.POSITIVE_INFINITY) {
    const step = Math.ceil(plan.writeBytesPerSecond / 100)
    for (let at = 0; at < body.length && !response.destroyed; at += step) {
      response.write(body.subarray(at, at + step))
      await setTimeout((step / plan.writeBytesPerSecond) * 1000, undefined, { signal })
    }
    response.end()
    return
  }
  response.end(body)
}
