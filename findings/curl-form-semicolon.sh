#!/usr/bin/env bash
# curl: -F cuts a text off at the first semicolon
#
# Guess:     in -F 'comment=…', only @ and < at the start of the value are special.
# Happens:   "3 passed; 1 failed" arrives as "3 passed", with the exit code 0. What follows a
#            semicolon is read as type=, filename= or the like, and else dropped, with a warning
#            that -s and -sS suppress. "; type=unit" is an error. In double quotes inside the value,
#            or with --form-string, the text is whole.
# Versions:  curl 7.88.1, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: workflow steps that post a comment, a commit's title or a signed link by curl -F.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
command -v curl > /dev/null || { echo 'There is no curl here.' && exit 2; }
versions "$(curl --version | sed -n '1s/^\(curl [^ ]*\).*/\1/p')"

cat > finding.mjs <<'JS'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

let received
const server = createServer(async (request, response) => {
  const headers = { 'content-type': request.headers['content-type'] }
  const form = await new Response(await buffer(request), { headers }).formData()
  received = JSON.stringify(form.get('comment'))
  response.end()
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${server.address().port}/`

for (const options of [
  ['-F', 'comment=3 passed; 1 failed'],
  ['-sS', '-F', 'comment=3 passed; 1 failed'],
  ['-sS', '-F', 'comment=Unit; Browser; API'],
  ['-sS', '-F', 'comment=3 passed; type=unit'],
  ['-sS', '-F', 'comment="3 passed; 1 failed"'],
  ['-sS', '--form-string', 'comment=3 passed; 1 failed'],
]) {
  received = 'nothing'
  const [code, stderr] = await new Promise((resolve) => {
    execFile('curl', ['-q', '--noproxy', '*', ...options, url], (error, _, text) =>
      resolve([error?.code ?? 0, text]),
    )
  })
  const warning = stderr.match(/^Warning: .*/m)?.[0] ?? 'no warning'
  console.log(`${options.join(' ')}\n  exit code ${code}, ${warning}, received: ${received}`)
}
server.close()
JS
play node finding.mjs
described <<'END'
-F comment=3 passed; 1 failed
  exit code 0, Warning: skip unknown form field: 1 failed, received: "3 passed"
-sS -F comment=3 passed; 1 failed
  exit code 0, no warning, received: "3 passed"
-sS -F comment=Unit; Browser; API
  exit code 0, no warning, received: "Unit"
-sS -F comment=3 passed; type=unit
  exit code 2, no warning, received: nothing
-sS -F comment="3 passed; 1 failed"
  exit code 0, no warning, received: "3 passed; 1 failed"
-sS --form-string comment=3 passed; 1 failed
  exit code 0, no warning, received: "3 passed; 1 failed"
END
