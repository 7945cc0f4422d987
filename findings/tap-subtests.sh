#!/usr/bin/env bash
# tap-junit, tap-xunit: of the TAP output of node --test, only the outermost names are tests
#
# Guess:     each it() is a <testcase>, with its own failure, and those that are skipped are marked.
# Happens:   a describe() with four tests is one test of the file. Its failure is "1 subtest
#            failed": the name and the message of the one that failed are nowhere, and none is
#            skipped. node counts five tests, the files two. tap-junit ends with 0, tap-xunit with
#            1.
# Versions:  Node 24.21.0, tap-junit 5.0.4, tap-xunit 2.4.1
# Seen:      2026-11-28
# Who meets it: jobs that keep the TAP output, and post what the JUnit file says.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install tap-junit@5.0.4 tap-xunit@2.4.1

cat > upload.test.mjs <<'JS'
import { describe, it, test } from 'node:test'

describe('upload', () => {
  it('small', () => {})
  it('large', () => { throw new Error('413') })
  it('of a folder', () => {})
  it.skip('later', () => {})
})
test('alone', () => {})
JS
node --test --test-reporter=tap upload.test.mjs > output.tap && echo 'It did not fail.' && exit 2
play grep -E '^# (tests|pass|fail|skipped) ' output.tap
cat > finding.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

for (const name of ['tap-junit', 'tap-xunit']) {
  const options = { input: readFileSync('output.tap'), encoding: 'utf8' }
  const { status, stdout } = spawnSync(`node_modules/.bin/${name}`, [], options)
  const names = [...stdout.matchAll(/<testcase name="([^"]*)/g)].map((match) => match[1])
  const found = ['large', '413', 'skipped/', '1 subtest failed'].filter((text) => stdout.includes(text))
  console.log(`${name}: tests: ${names.join(', ')}; found: ${found.join(', ')}; status ${status}`)
}
JS
play node finding.mjs
described <<'END'
# tests 5
# pass 3
# fail 1
# skipped 1
tap-junit: tests: upload, alone; found: 1 subtest failed; status 0
tap-xunit: tests: #1 upload, #2 alone; found: 1 subtest failed; status 1
END
