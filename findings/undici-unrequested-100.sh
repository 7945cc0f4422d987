#!/usr/bin/env bash
# undici: an upload fails if the server sends 100 Continue that nobody requested
#
# Guess:     a client passes over an interim response that it did not ask for, as RFC 9110, section
#            15.2, demands.
# Happens:   undici, and so Node's fetch(), closes the connection with "bad response", although the
#            final response says 200. Node's http and urllib of Python read it.
# Versions:  undici 8.12.4, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: uploads to a server that sends 100 Continue to every POST. The error looks like a
#            broken network, and a repeat can post a message twice.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4

cat > finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { promisify } from 'node:util'
import { request } from 'undici'

const server = net.createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () =>
    socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  )
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${server.address().port}/`
const post = { method: 'POST', body: 'x' }
const python = 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1], data=b"x").status)'
const clients = {
  'request() of undici': async () => (await request(url, post)).statusCode,
  'fetch() of Node': async () => (await fetch(url, post)).status,
  'http of Node': async () => {
    const outgoing = http.request(url, { method: 'POST' }).end('x')
    return (await once(outgoing, 'response'))[0].statusCode
  },
  'urllib of Python': async () =>
    (await promisify(execFile)('python3', ['-c', python, url])).stdout.trim(),
}
for (const [name, send] of Object.entries(clients)) {
  const result = await send().catch((error) => (error.cause ?? error).message)
  console.log(`${name}: ${result}`)
}
server.close()
JS
play node finding.mjs
described <<'END'
request() of undici: bad response
fetch() of Node: bad response
http of Node: 200
urllib of Python: 200
END
