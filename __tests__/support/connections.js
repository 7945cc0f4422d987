// Preloaded into the action: writes down whom it connects to, one host and port a line, to the file CONNECTIONS names.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

subscribe('net.client.socket', ({ socket }) => {
  socket.once('connect', () => {
    appendFileSync(process.env.CONNECTIONS, `${socket.remoteAddress}:${socket.remotePort}\n`)
  })
})
