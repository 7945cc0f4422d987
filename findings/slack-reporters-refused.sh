#!/usr/bin/env bash
# slack-ctrf, playwright-slack-report, newman-reporter-slack: exit code 0 if Slack refuses the message
#
# Guess:     a command that exists to post a message fails if it was not posted, and so does the run
#            whose reporter could not.
# Happens:   Slack responds 404 (no_service) for a webhook that was removed. All three print a line
#            about it, and end with 0. slack-ctrf counts characters for its Content-Length, so with ü
#            in the name of the build the JSON has no end. Its commands fail-details and flaky-details
#            print "Coming soon!", send nothing, and end with 0 as well. cypress-slack-reporter ends
#            with 1.
# Versions:  slack-ctrf 0.0.9, playwright-slack-report 1.1.113, @playwright/test 1.65.1, newman 6.2.2,
#            newman-reporter-slack 1.3.0, cypress-slack-reporter 1.5.4, Node 24.21.0
# Seen:      2026-11-29
# Who meets it: a channel that stays silent for weeks after somebody removed the webhook.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install slack-ctrf@0.0.9 playwright-slack-report@1.1.113 @playwright/test@1.65.1 newman@6.2.2 \
  newman-reporter-slack@1.3.0 cypress-slack-reporter@1.5.4

# slack-ctrf knows neither a port nor HTTP.
cat > port.cjs <<'JS'
const http = require('node:http')
require('node:https').request = (options, onResponse) =>
  http.request({ ...options, port: process.env.WEBHOOK_PORT }, onResponse)
JS
cat > playwright.config.mjs <<'JS'
const options = { slackWebHookUrl: process.env.SLACK_WEBHOOK_URL, sendResults: 'always' }
const reporter = [['playwright-slack-report/dist/src/SlackReporter', options]]
export default { testDir: 'tests', reporter }
JS
mkdir tests report
echo "import { test } from '@playwright/test'; test('passes', () => {})" > tests/a.spec.mjs
cat > finding.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import { text } from 'node:stream/consumers'

const ctrf = (buildName) => ({
  results: {
    tool: { name: 'jest' },
    summary: { tests: 1, passed: 0, failed: 1, skipped: 0, pending: 0, other: 0, start: 0, stop: 1 },
    tests: [{ name: 'a', status: 'failed', duration: 1 }],
    environment: { buildName },
  },
})
writeFileSync('ascii.json', JSON.stringify(ctrf('Build')))
writeFileSync('umlaut.json', JSON.stringify(ctrf('Prüfung')))
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
writeFileSync('collection.json', JSON.stringify({ info: { name: 'Shop', schema }, item: [] }))
const stats = { suites: 1, tests: 1, passes: 1, failures: 0, pending: 0, duration: 1 }
writeFileSync('report/mochawesome.json', JSON.stringify({ stats, results: [] }))

let received
const server = http.createServer(async (request, response) => {
  const body = await text(request)
  try {
    JSON.parse(body)
    received = 'a message'
  } catch {
    received = 'a part of a message'
  }
  response.writeHead(404).end('no_service')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address()
const SLACK_WEBHOOK_URL = `http://127.0.0.1:${port}/hook`
const env = { ...process.env, SLACK_WEBHOOK_URL, WEBHOOK_PORT: port, NODE_NO_WARNINGS: '1' }
for (const [program, ...parameters] of [
  ['slack-ctrf', 'results', 'ascii.json'],
  ['slack-ctrf', 'results', 'umlaut.json'],
  ['slack-ctrf', 'fail-details', 'ascii.json'],
  ['playwright', 'test'],
  ['newman', 'run', 'collection.json', '-r', 'slack'],
  ['cypress-slack-reporter', '--ci-provider', 'none', '--vcs-provider', 'none', '--report-dir', 'report'],
]) {
  received = 'nothing'
  const options = program === 'slack-ctrf' ? ['--require', './port.cjs'] : []
  const command = [...options, `node_modules/.bin/${program}`, ...parameters]
  const child = spawn('node', command, { env, stdio: 'ignore' })
  const [code] = await once(child, 'close')
  console.log(`${program} ${parameters.slice(0, 2).join(' ')}: ${received} was sent, exit code ${code}`)
}
server.close()
JS
play node finding.mjs
described <<'END'
slack-ctrf results ascii.json: a message was sent, exit code 0
slack-ctrf results umlaut.json: a part of a message was sent, exit code 0
slack-ctrf fail-details ascii.json: nothing was sent, exit code 0
playwright test: a message was sent, exit code 0
newman run collection.json: a message was sent, exit code 0
cypress-slack-reporter --ci-provider none: a message was sent, exit code 1
END
