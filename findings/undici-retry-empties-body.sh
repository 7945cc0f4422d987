#!/usr/bin/env bash
# undici: a retry sends a streamed body a second time, empty, and reports success
#
# Guess:     a generator can be read once, so the retry is refused, or the body was kept.
# Happens:   RetryAgent repeats a PUT with no byte in it. The server takes the empty file, and its
#            200 is the result. Only a Content-Length turns that into an error.
# Versions:  undici 8.12.4, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: uploads of streams to object storage that responds 503 now and then.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4

cat > finding.mjs <<'JS'
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { Agent, request, RetryAgent } from 'undici'

async function* report() {
  yield 'first half, '
  yield 'second half'
}
for (const headers of [{}, { 'content-length': '23' }]) {
  const received = []
  const server = http.createServer(async (incoming, response) => {
    received.push(await text(incoming))
    response.statusCode = received.length === 1 ? 503 : 200
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const dispatcher = new RetryAgent(new Agent(), { minTimeout: 10 })
  const result = await request(`http://127.0.0.1:${server.address().port}/`, {
    method: 'PUT',
    headers,
    body: report(),
    dispatcher,
  }).then(
    ({ statusCode }) => `status ${statusCode}`,
    ({ code }) => code,
  )
  console.log(`${JSON.stringify(headers)}: the client sees ${result}, the server ${JSON.stringify(received)}`)
  await dispatcher.destroy()
  server.close()
}
JS
play node finding.mjs
described <<'END'
{}: the client sees status 200, the server ["first half, second half",""]
{"content-length":"23"}: the client sees UND_ERR_REQ_CONTENT_LENGTH_MISMATCH, the server ["first half, second half"]
END
