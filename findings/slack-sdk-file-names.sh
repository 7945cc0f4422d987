#!/usr/bin/env bash
# @slack/web-api, slack_sdk: report.csv is uploaded as file.txt or as "Uploaded file"
#
# Guess:     an upload whose file is the path report.csv, or that file opened, is named so.
# Happens:   filesUploadV2 of @slack/web-api calls it file.txt, also for a stream, which has its
#            path. slack_sdk takes the name of a path, but an open file, which has its name, is
#            "Uploaded file", without an ending. Only the former logs a warning.
# Versions:  @slack/web-api 8.2.0, slack_sdk 3.48.0, Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: channels with many files of one name.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install @slack/web-api@8.2.0
install_python slack_sdk==3.48.0

printf 'a,b\n' > report.csv
cat > finding.py <<'PY'
import sys
from slack_sdk import WebClient

client = WebClient('token', base_url=sys.argv[1])
client.files_upload_v2(channel='C1', file='report.csv')
with open('report.csv', 'rb') as file:
    client.files_upload_v2(channel='C1', file=file)
PY
cat > finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { LogLevel, WebClient } from '@slack/web-api'

// The three steps of an upload, as Slack documents them. The first one has the name.
const names = []
const server = http.createServer(async (request, response) => {
  const body = await text(request)
  if (request.url.endsWith('files.getUploadURLExternal')) names.push(new URLSearchParams(body).get('filename'))
  const answer = { ok: true, upload_url: `${base}/upload`, file_id: 'F1', files: [{ id: 'F1' }] }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const base = `http://127.0.0.1:${server.address().port}`

const client = new WebClient('token', { slackApiUrl: `${base}/api/`, logLevel: LogLevel.ERROR })
await client.filesUploadV2({ channel_id: 'C1', file: 'report.csv' })
await client.filesUploadV2({ channel_id: 'C1', file: createReadStream('report.csv') })
await promisify(execFile)('python/bin/python', ['finding.py', `${base}/api/`])
const uploads = ['@slack/web-api, a path', '@slack/web-api, a stream', 'slack_sdk, a path', 'slack_sdk, a file']
uploads.forEach((upload, index) => console.log(`${upload}: ${names[index]}`))
server.closeAllConnections()
server.close()
JS
play env -u http_proxy -u HTTP_PROXY -u https_proxy -u HTTPS_PROXY node finding.mjs
described <<'END'
@slack/web-api, a path: file.txt
@slack/web-api, a stream: file.txt
slack_sdk, a path: report.csv
slack_sdk, a file: Uploaded file
END
