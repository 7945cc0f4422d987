#!/usr/bin/env bash
# undici: why a proxy refused is in a message only, and fetch() loses it
#
# Guess:     the error of a tunnel that was refused has the status of the proxy in a member, and
#            fetch() has that error as its cause.
# Happens:   request() rejects with an AbortError and UND_ERR_ABORTED, the code for a request that
#            the caller ended. The status stands in its text alone. The cause of fetch() is "Request
#            was cancelled." with the code 0: nothing tells that there is a proxy.
# Versions:  undici 8.12.4, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: whoever must tell a wrong password of the proxy from a host that is not allowed.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4

cat > finding.mjs <<'JS'
import { once } from 'node:events'
import http from 'node:http'
import { fetch, ProxyAgent, request } from 'undici'

const proxy = http.createServer()
proxy.on('connect', (_, socket) =>
  socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
)
await once(proxy.listen(0, '127.0.0.1'), 'listening')
const dispatcher = new ProxyAgent(`http://127.0.0.1:${proxy.address().port}`)
for (const [name, send] of Object.entries({ request, fetch })) {
  const error = await send('https://service.test/', { dispatcher }).catch((thrown) => thrown)
  const shown = (each) => each && [each.name, each.code, each.status, each.statusCode, each.message]
  console.log(`${name}: ${JSON.stringify(shown(error))}, cause ${JSON.stringify(shown(error.cause))}`)
}
await dispatcher.destroy()
proxy.close()
JS
play node finding.mjs
described <<'END'
request: ["AbortError","UND_ERR_ABORTED",null,null,"Proxy response (407) !== 200 when HTTP Tunneling"], cause undefined
fetch: ["TypeError",null,null,null,"fetch failed"], cause ["Error",0,null,null,"Request was cancelled."]
END
