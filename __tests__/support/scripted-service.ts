import { Deadline } from '../../src/deadline.ts'
import type { Http, HttpResponse } from '../../src/service/http/http.ts'
import { NoResponseError } from '../../src/service/http/no-response.ts'
import type { HttpRequest } from '../../src/service/http/transfer.ts'
import { Retry } from '../../src/service/retry.ts'
import type { ServiceEvent } from '../../src/service/service.ts'
import { WebApi } from '../../src/service/web-api.ts'
import { text } from '../../src/text/text.ts'
import { foundFile as fileAt } from './report-runs.ts'
import { VirtualClock } from './virtual-clock.ts'

export const host = 'chat.example:8443'
const service = text`chat.example`
export const call = { method: 'files.info', host, origin: `https://${host}`, service }

/** JSON for status 200, a whole response, or a network error, `after` milliseconds. */
export type Reply = (Readonly<Record<string, unknown>> | HttpResponse | NoResponseError) & {
  readonly after?: number
}

interface ScriptedRequest {
  /** The path below `/api/`, or another URL. */
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly authorized: boolean
  readonly body: string
  /** Offset of the end of each chunk of the body. */
  readonly ends: readonly number[]
  readonly form: Readonly<Record<string, string>>
  /** Milliseconds since the start. */
  readonly at: number
  readonly minResponseTime: HttpRequest['minResponseTime']
}

export function response(
  status: number,
  body: string | object = '',
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers, text, isEarly: false }
}

export const foundFile = (name: string, size = 5) => fileAt(`out/${name}`, size)

function throwAborted(): never {
  throw new NoResponseError('ABORTED', false, 'the run ended')
}

/** Replies to the calls of each method in order; the last reply repeats. */
export function scriptedService(
  script: Readonly<Record<string, readonly Reply[]>>,
  milliseconds = 600_000,
) {
  const clock = new VirtualClock()
  const deadline = new Deadline(clock)
  deadline.start(milliseconds)
  const requests: ScriptedRequest[] = []
  const events: ServiceEvent[] = []
  const http: Http = {
    close() {},
    async send({ authorized, body, headers, minResponseTime, signal, url }) {
      if (signal.aborted) throwAborted()
      const method = url.href.replace(`https://${host}/api/`, '')
      const chunks: Uint8Array[] = []
      const ends: number[] = []
      for await (const chunk of body.chunks()) {
        chunks.push(Uint8Array.from(chunk))
        ends.push((ends.at(-1) ?? 0) + chunk.byteLength)
      }
      const sent = Buffer.concat(chunks)
      if (sent.length !== body.length)
        throw new Error(`${sent.length} bytes instead of ${body.length}`)
      const form = Object.fromEntries(new URLSearchParams(sent.toString()))
      requests.push({
        method,
        headers,
        authorized,
        body: sent.toString(),
        ends,
        form,
        at: clock.now(),
        minResponseTime,
      })
      const replies = script[method] ?? []
      const number = requests.filter((request) => request.method === method).length
      const reply = replies[number - 1] ?? replies.at(-1)
      if (reply === undefined) throw new Error(`No reply to ${method}`)
      if (reply.after !== undefined) await clock.sleep(reply.after, signal).catch(throwAborted)
      if (reply instanceof NoResponseError) throw reply
      return 'status' in reply && 'headers' in reply
        ? (reply as HttpResponse)
        : response(200, reply)
    },
  }
  const onEvent = (event: ServiceEvent) => events.push(event)
  const retry = new Retry(deadline, onEvent, () => 1)
  const api = new WebApi(http, retry, new URL(`https://${host}`), service)
  const play = <T>(work: Promise<T>): Promise<T> => clock.play(work)
  return { api, clock, deadline, events, http, onEvent, play, requests, retry }
}
