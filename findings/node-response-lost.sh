#!/usr/bin/env bash
# Node: a response that has already arrived is lost if the next write fails
#
# Guess:     the kernel holds the response, so 'response' comes before the error of the write.
# Happens:   a server that refuses an upload early closes with bytes unread, which resets the
#            connection. The write fails, and Node destroys the socket without a look at what the
#            kernel has for it: ECONNRESET in place of the 413. A turn of the event loop before the
#            write lets Node read first.
# Versions:  Node 24.21.0 (Linux)
# Seen:      2026-11-28
# Who meets it: uploads above a server's limit. The reason for the refusal is gone, and the error
#            asks for a retry.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
versions

cat > server.cjs <<'JS'
// Responds when the client says so, then closes with everything unread.
const { existsSync, rmSync, writeFileSync } = require('node:fs')
const server = require('node:net').createServer({ pauseOnConnect: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.on('close', () => writeFileSync('closed', ''))
  const timer = setInterval(() => {
    if (!existsSync('go')) return
    clearInterval(timer)
    rmSync('go')
    socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
  }, 5)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
JS
cat > finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const server = spawn(process.execPath, ['server.cjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
const port = Number(await once(server.stdout, 'data'))
const cell = new Int32Array(new SharedArrayBuffer(4))
for (const turn of [true, false]) {
  const headers = { 'content-length': 20 }
  const request = http.request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
  const result = new Promise((resolve) => {
    request.on('response', (response) => resolve(`response ${response.resume().statusCode}`))
    request.on('error', ({ code, syscall }) => resolve(`${syscall} ${code}`))
  })
  const closed = new Promise((resolve) => request.on('close', resolve))
  await new Promise((resolve) => request.write('first half', resolve))
  // Busy, as while it reads a file. Meanwhile the response arrives.
  writeFileSync('go', '')
  for (let wait = 0; wait < 1_000 && !existsSync('closed'); wait += 1) Atomics.wait(cell, 0, 0, 10)
  rmSync('closed')
  if (turn) await sleep(20)
  request.end('other half')
  console.log(`${turn ? 'after a turn' : 'at once'}: ${await result}`)
  await closed
}
server.kill()
JS
play node finding.mjs
described <<'END'
after a turn: response 413
at once: write ECONNRESET
END
