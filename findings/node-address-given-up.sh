#!/usr/bin/env bash
# Node: an address that is slow to respond is given up for one that cannot be reached
#
# Guess:     with two addresses, a connection races them (RFC 8305, Happy Eyeballs): the slow one
#            wins if the other one fails.
# Happens:   after 250 ms, Node drops the first attempt for good. If the second address refuses, the
#            connection fails, though the first one would have responded a second later. The error is
#            an AggregateError with an empty message and the code of the first address.
# Versions:  Node 24.21.0 (Linux)
# Seen:      2026-11-28
# Who meets it: runners with an IPv6 address that leads nowhere, and a distant or busy server.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
versions

cat > server.cjs <<'JS'
// The queue of connections is short and full: the kernel takes no other until this file appears.
const { existsSync } = require('node:fs')
const server = require('node:net').createServer((socket) => socket.on('error', () => undefined).resume())
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port))
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (let wait = 0; wait < 500 && !existsSync('accept'); wait += 1) Atomics.wait(cell, 0, 0, 10)
})
JS
cat > finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const server = spawn(process.execPath, ['server.cjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
const port = Number(await once(server.stdout, 'data'))
const queue = [1, 2, 3, 4].map(() => net.connect(port, '127.0.0.1').on('error', () => undefined))
await sleep(200)
const attempt = (addresses, options) =>
  new Promise((resolve) => {
    const found = addresses.map((address) => ({ address, family: 4 }))
    const lookup = (_host, _options, callback) => callback(null, found)
    const socket = net.connect({ host: 'service.test', port, lookup, ...options })
    socket.on('connect', () => resolve(`connected to ${socket.remoteAddress}`))
    socket.on('error', ({ code, errors, message, name }) => {
      const reasons = errors?.map((each) => each.message.replace(/:\d+$/, '')).join(', ')
      resolve(`${name}, ${code}, message ${JSON.stringify(message)}, of ${reasons}`)
    })
  })
const both = ['127.0.0.1', '127.0.0.2']
const others = [attempt(both.slice(0, 1)), attempt(both, { autoSelectFamilyAttemptTimeout: 9_000 })]
console.log(`two addresses: ${await attempt(both)}`)
writeFileSync('accept', '')
console.log(`the first one alone: ${await others[0]}`)
console.log(`two addresses, 9 s for an attempt: ${await others[1]}`)
for (const socket of queue) socket.destroy()
server.kill()
process.exit()
JS
play node finding.mjs
described <<'END'
two addresses: AggregateError, ETIMEDOUT, message "", of connect ETIMEDOUT 127.0.0.1, connect ECONNREFUSED 127.0.0.2
the first one alone: connected to 127.0.0.1
two addresses, 9 s for an attempt: connected to 127.0.0.1
END
