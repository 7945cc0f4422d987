// A client and its server on this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { types } from 'node:util'
import { createHttp } from '../../src/service/http/http.ts'
import type { HttpRequest } from '../../src/service/http/transfer.ts'
import { tokenRemover } from '../../src/text/token.ts'
import { listen } from './servers.ts'

// In jest's realm, the errors of Node's sockets are no instances of `Error`.
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, error: unknown) {
    return this === Error
      ? types.isNativeError(error)
      : Function.prototype[Symbol.hasInstance].call(this as never, error)
  },
})

export const token = 'xoxb-made-up-for-this-test'

interface Received extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly body: string
}

export type Respond = (response: ServerResponse, request: IncomingMessage) => void

/** A server, and a client with its token. */
export async function start(
  respond: Respond,
  {
    connections = 'kept' as 'kept' | 'own',
    readsBody = true,
    timeLeft = () => Number.POSITIVE_INFINITY,
  } = {},
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    if (readsBody) for await (const chunk of request) chunks.push(chunk)
    const { headers, method, url } = request
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    respond(response, request)
  })
  const origin = `http://127.0.0.1:${await listen(server)}`
  const http = createHttp(
    { token, origin, removeToken: tokenRemover(token), timeLeft },
    connections,
  )
  const send = (more: Partial<HttpRequest> = {}) => http.send(request(`${origin}/api/a?b=c`, more))
  const close = async () => {
    http.close()
    server.closeAllConnections()
    server.close()
  }
  return { received, send, http, origin, [Symbol.asyncDispose]: close }
}

/** Each chunk overwrites the one before, as those of a file do. */
export const body = (...chunks: string[]): HttpRequest['body'] => ({
  length: Buffer.byteLength(chunks.join('')),
  async *chunks() {
    const buffer = Buffer.alloc(100)
    for (const chunk of chunks) yield buffer.subarray(0, buffer.write(chunk))
  },
})

export function request(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url: new URL(url),
    headers: { 'content-type': 'text/plain' },
    body: body('one', 'two'),
    authorized: true,
    signal: new AbortController().signal,
    ...more,
  }
}

export const respondWith =
  (
    status: number,
    text: string | Buffer,
    headers: Record<string, string | string[]> = {},
  ): Respond =>
  (response) =>
    response.writeHead(status, headers).end(text)
