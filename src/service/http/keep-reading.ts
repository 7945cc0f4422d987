import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

/**
 * A server can respond and close the connection before it has read the request. The next write
 * fails, and Node destroys the socket while the system still holds the response
 * (findings/node-response-lost.sh). So a failure to write is noted and kept from the stream, and
 * Node reads on, to the response or to the end of the connection.
 *
 * @param progress of the request that starts now: undici names its socket next
 */
export function keepReading(progress: { socket?: Socket; writeError?: Error }): void {
  subscribe('undici:client:sendHeaders', function keep(message, channel) {
    unsubscribe(channel, keep)
    const { socket } = message as { socket: Socket }
    progress.socket = socket
    socket._writev = (chunks, done) =>
      Socket.prototype._writev?.call(socket, chunks, (error) => {
        if (error && socket.readable) progress.writeError = error
        else done(error)
      })
    socket._write = (chunk, encoding, done) => socket._writev?.([{ chunk, encoding }], done)
  })
}
