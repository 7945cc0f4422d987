#!/usr/bin/env bash
# slack_sdk, @slack/web-api: a message whose response is lost is posted a second time
#
# Guess:     a POST is not repeated once it was sent, since the server may have done it: the lost
#            response is an error.
# Happens:   the server takes the message, and closes the connection without a response. Both SDKs,
#            as they come, send it again, and report the one success. urllib, which slack_sdk is
#            built on, gives an error. retry_handlers=[] and retryConfig: { retries: 0 } end it.
# Versions:  slack_sdk 3.48.0, @slack/web-api 8.2.0, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: channels with the same message twice, when a proxy or a network is restarted.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @slack/web-api@8.2.0
install_python slack_sdk==3.48.0

cat > server.mjs <<'JS'
// Counts the messages. Its first response is lost.
import { once } from 'node:events'
import http from 'node:http'

export async function serve() {
  const posted = { count: 0 }
  const server = http.createServer(async (request, response) => {
    request.resume()
    await once(request, 'end')
    if (++posted.count === 1) return request.socket.end()
    response.setHeader('Content-Type', 'application/json').end('{"ok":true}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { posted, server, url: `http://127.0.0.1:${server.address().port}/api/` }
}
JS
cat > finding.py <<'PY'
import sys
from urllib.request import urlopen
from slack_sdk import WebClient

how, url = sys.argv[1:]
message = {'channel': 'C1', 'text': 'Passed'}
try:
    if how == 'urllib':
        print(urlopen(url, b'Passed').read().decode())
    else:
        handlers = {'retry_handlers': []} if how == 'none' else {}
        print(WebClient('token', base_url=url, **handlers).chat_postMessage(**message).data)
except Exception as error:
    print(type(error).__name__)
PY
cat > finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LogLevel, WebClient } from '@slack/web-api'
import { serve } from './server.mjs'

async function python(how, url) {
  const { stdout } = await promisify(execFile)('python/bin/python', ['finding.py', how, url])
  return stdout.trim()
}
async function node(options, slackApiUrl) {
  const client = new WebClient('token', { slackApiUrl, logLevel: LogLevel.ERROR, ...options })
  return client.chat.postMessage({ channel: 'C1', text: 'Passed' }).then(({ ok }) => ok, ({ code }) => code)
}
const clients = {
  'slack_sdk': (url) => python('default', url),
  'slack_sdk without handlers': (url) => python('none', url),
  urllib: (url) => python('urllib', url),
  '@slack/web-api': (url) => node({}, url),
  '@slack/web-api with retries: 0': (url) => node({ retryConfig: { retries: 0 } }, url),
}
for (const [name, post] of Object.entries(clients)) {
  const { posted, server, url } = await serve()
  console.log(`${name}: ${await post(url)}, ${posted.count} posted`)
  server.closeAllConnections()
  server.close()
}
JS
play env -u http_proxy -u HTTP_PROXY -u https_proxy -u HTTPS_PROXY node finding.mjs
described <<'END'
slack_sdk: {'ok': True}, 2 posted
slack_sdk without handlers: RemoteDisconnected, 1 posted
urllib: RemoteDisconnected, 1 posted
@slack/web-api: true, 2 posted
@slack/web-api with retries: 0: slack_webapi_request_error, 1 posted
END
