import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** The hosts that this process connects to from now on: names that it looks up, and addresses. */
export function watchConnections(): { readonly hosts: Set<string>; stop(): void } {
  const hosts = new Set<string>()
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    socket.on('lookup', (_error, _address, _family, host) => hosts.add(host))
    socket.on('connect', () => hosts.add(socket.remoteAddress ?? ''))
  }
  subscribe('net.client.socket', watch)
  return { hosts, stop: () => unsubscribe('net.client.socket', watch) }
}
