// Servers of a test's own, on this machine.
import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Returns the port. No run of tests waits for the server. */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(port, host).unref(), 'listening')
  return portOf(server)
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Passes a request on to another origin, and its response back. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, origin: string): void {
  const { headers, method, url = '' } = incoming
  const target = new URL(url, origin)
  const options = { method, headers: { ...headers, host: target.host } }
  const outgoing = request(target, options, (passed) => {
    response.writeHead(passed.statusCode ?? 502, passed.headers)
    passed.pipe(response)
  })
  incoming.pipe(outgoing)
}
