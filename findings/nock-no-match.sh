#!/usr/bin/env bash
# nock: an unexpected request has the response 501, and a text body matches without its line breaks
#
# Guess:     a request without a mock is an error of the connection, as it is with disableNetConnect(),
#            and a body that is given as a text has to be that text.
# Happens:   if the host has any mock, an unexpected request has a response: 501, JSON with the code
#            ERR_NOCK_NO_MATCH. Code that retries 5xx does so, and fetch() does not reject. A body "a\nb"
#            matches "ab". A host without any mock is an error, and a JSON body is compared as it is.
# Versions:  nock 15.0.6, Node 24.21.0
# Seen:      2026-11-29
# Who meets it: tests of clients: one that expects a rejection never sees it, and one for the line breaks
#            of a comment or a CSV file is green without them.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install nock@15.0.6

cat > finding.mjs <<'JS'
import http from 'node:http'
import { once } from 'node:events'
import nock from 'nock'

nock.disableNetConnect()
const url = 'http://127.0.0.1:8080'

async function send(path, body, type = 'text/plain') {
  try {
    const headers = { 'content-type': type }
    const response = await fetch(url + path, { method: 'POST', body, headers })
    return `response ${response.status}`
  } catch (error) {
    return error.cause?.code ?? error.cause?.message ?? error.message
  }
}

async function byHttp(path) {
  const request = http.request(url + path, { method: 'POST' }).end()
  const [response] = await once(request, 'response')
  return `response ${response.statusCode}`
}

console.log('no mock at all:', await send('/unknown', 'text'))
nock(url).post('/known').reply(200).persist()
console.log('a mock of another path, fetch:', await send('/unknown', 'text'))
console.log('a mock of another path, http:', await byHttp('/unknown'))
for (const [expected, body, type] of [
  ['ab', 'a\nb'],
  ['a,b\n1,2\n', 'a,b1,2'],
  ['ab', 'a b'],
  [{ text: 'ab' }, '{"text":"a\\nb"}', 'application/json'],
]) {
  nock.cleanAll()
  nock(url).post('/known', expected).reply(200)
  const result = await send('/known', body, type)
  console.log(`${JSON.stringify(expected)} expected, ${JSON.stringify(body)} sent: ${result}`)
}
JS
play node finding.mjs
described <<'END'
no mock at all: ENETUNREACH
a mock of another path, fetch: response 501
a mock of another path, http: response 501
"ab" expected, "a\nb" sent: response 200
"a,b\n1,2\n" expected, "a,b1,2" sent: response 200
"ab" expected, "a b" sent: response 501
{"text":"ab"} expected, "{\"text\":\"a\\nb\"}" sent: response 501
END
