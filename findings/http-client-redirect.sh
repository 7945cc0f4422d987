#!/usr/bin/env bash
# @actions/http-client: a redirect after an upload repeats it, or fails
#
# Guess:     after a POST, 303 ("see other") is followed by a GET without a body, and Location may be
#            a path, as RFC 9110, sections 15.4.4 and 10.2.2, say and as fetch() does.
# Happens:   the POST is sent again with its body, to the place of the result, also for 301 and 302.
#            A Location without a host is the error "Invalid URL". A stream is sent again, empty, and
#            the response to that is the result: for 307, a success without a file.
# Versions:  @actions/http-client 4.0.1, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: actions that post to a server which redirects: to its main name, to a page that
#            shows the result, or to storage.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @actions/http-client@4.0.1

cat > finding.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { HttpClient } from '@actions/http-client'

const client = new HttpClient('finding')
const clients = {
  'fetch()': async (url) => (await fetch(url, { method: 'POST', body: 'report' })).status,
  'post()': async (url) => (await client.post(url, 'report')).message.statusCode,
  'sendStream()': async (url) =>
    (await client.sendStream('POST', url, Readable.from(['rep', 'ort']))).message.statusCode,
}
async function play(name, status, relative) {
  const requests = []
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url} '${await text(request)}'`)
    const location = relative ? '/result' : `http://${request.headers.host}/result`
    response.writeHead(requests.length === 1 ? status : 200, { location }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${server.address().port}/upload`
  const result = await clients[name](url).catch((error) => error.message)
  console.log(`${name}, ${status}${relative ? ', a path' : ''}: ${requests.join(', ')} -> ${result}`)
  server.closeAllConnections()
  server.close()
}
for (const status of [301, 302, 303]) for (const name of ['fetch()', 'post()']) await play(name, status)
for (const name of ['fetch()', 'post()']) await play(name, 303, true)
for (const name of ['post()', 'sendStream()']) await play(name, 307)
client.dispose()
JS
play env -u http_proxy -u HTTP_PROXY node finding.mjs
described <<'END'
fetch(), 301: POST /upload 'report', GET /result '' -> 200
post(), 301: POST /upload 'report', POST /result 'report' -> 200
fetch(), 302: POST /upload 'report', GET /result '' -> 200
post(), 302: POST /upload 'report', POST /result 'report' -> 200
fetch(), 303: POST /upload 'report', GET /result '' -> 200
post(), 303: POST /upload 'report', POST /result 'report' -> 200
fetch(), 303, a path: POST /upload 'report', GET /result '' -> 200
post(), 303, a path: POST /upload 'report' -> Invalid URL
post(), 307: POST /upload 'report', POST /result 'report' -> 200
sendStream(), 307: POST /upload 'report', POST /result '' -> 200
END
