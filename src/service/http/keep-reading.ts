import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

type Done = (error?: Error | null) => void

interface Progress {
  socket?: Socket
  writeError?: Error
}

/** Of the request that starts now. undici names its socket next. */
let starting: Progress | undefined

/**
 * A server can respond and close the connection before it has read the request. The next write
 * fails, and Node destroys the socket while the system still holds the response
 * (findings/node-response-lost.sh). So a failure to write is kept from the stream, and Node reads
 * on, to the response or the end.
 */
export function keepReading(progress: Progress): void {
  starting = progress
}

// One for each request would cost CPU time.
subscribe('undici:client:sendHeaders', (message) => {
  const progress = starting
  // The request to a proxy has none.
  if (progress === undefined) return
  starting = undefined
  const { socket } = message as { socket: Socket }
  progress.socket = socket
  const noting =
    (done: Done): Done =>
    (error) => {
      // After an error of a read, Node only cancels the write.
      if (error && !socket.destroyed) progress.writeError = error
      else done(error)
    }
  // Each calls its own, because in Bun one of them calls the other.
  socket._writev = (chunks, done) => Socket.prototype._writev?.call(socket, chunks, noting(done))
  socket._write = (chunk, encoding, done) =>
    Socket.prototype._write.call(socket, chunk, encoding, noting(done))
})
