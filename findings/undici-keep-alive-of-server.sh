#!/usr/bin/env bash
# undici: the server decides how long an idle connection is kept, up to ten minutes
#
# Guess:     keepAliveTimeout is the limit, a server can only shorten it, and max=1 ends it.
# Happens:   "Keep-Alive: timeout=30" keeps a connection for 30 s, although the option says 0.1 s
#            (its limit is another option, keepAliveMaxTimeout, of ten minutes). max=1 is ignored.
# Versions:  undici 8.12.4, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: a step that waits between two requests behind a NAT or a load balancer that forgets
#            idle connections sooner: the next request is sent, and no response ever comes.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4

cat > finding.mjs <<'JS'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

for (const line of ['', 'Keep-Alive: max=1\r\n', 'Keep-Alive: timeout=30, max=1\r\n']) {
  let connections = 0
  const server = net.createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${line}Content-Length: 0\r\n\r\n`))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const dispatcher = new Agent({ keepAliveTimeout: 100 })
  for (const pause of [3_000, 0]) {
    const { body } = await request(`http://127.0.0.1:${server.address().port}/`, { dispatcher })
    await body.dump()
    await sleep(pause)
  }
  console.log(`${JSON.stringify(line)}: ${connections} for two requests with a pause of 3 s`)
  await dispatcher.destroy()
  server.close()
}
JS
play node finding.mjs
described <<'END'
"": 2 for two requests with a pause of 3 s
"Keep-Alive: max=1\r\n": 2 for two requests with a pause of 3 s
"Keep-Alive: timeout=30, max=1\r\n": 1 for two requests with a pause of 3 s
END
