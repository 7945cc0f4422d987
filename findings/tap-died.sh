#!/usr/bin/env bash
# tap-junit, tap-xunit: a run that died half-way has only passed tests in its JUnit file
#
# Guess:     a plan of 1..5 with three results is a failure, and "Bail out!" is one: the file has a
#            failed test for it, and the exit code is 1. A test that is still TODO may fail.
# Happens:   tap-xunit writes three passed tests, no failure, and ends with 0. tap-junit writes
#            three passed tests below failures="1", and ends with 0. After "Bail out!", neither
#            knows of a failure. A TODO that fails is a failure for tap-junit. tap.py and tap-parser
#            do what one guesses.
# Versions:  tap-junit 5.0.4, tap-xunit 2.4.1, tap-parser 18.3.4, tap.py 3.2.1, Node 24.21.0,
#            Python 3.11.7
# Seen:      2026-11-28
# Who meets it: jobs whose tests are killed, or run out of memory: the report of the broken run is
#            the green one.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install tap-junit@5.0.4 tap-xunit@2.4.1 tap-parser@18.3.4
install_python tap.py==3.2.1

lines() { printf '%s\n' 'TAP version 13' "$@"; }
lines 1..3 'ok 1 - a' 'ok 2 - b' 'not ok 3 - c' > complete.tap
lines 1..5 'ok 1 - a' 'ok 2 - b' 'ok 3 - c' > died.tap
lines 1..5 'ok 1 - a' 'ok 2 - b' 'Bail out! The database is gone.' > gave-up.tap
lines 1..2 'ok 1 - a' 'not ok 2 - b # TODO later' > todo.tap

cat > finding.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const run = (path, argv, input) => spawnSync(path, argv, { input, encoding: 'utf8' })
const count = (text, pattern) => [...text.matchAll(pattern)].length

for (const name of ['complete', 'died', 'gave-up', 'todo']) {
  console.log(name)
  const text = readFileSync(`${name}.tap`)
  for (const tool of ['tap-junit', 'tap-xunit']) {
    const { status, stdout } = run(`node_modules/.bin/${tool}`, [], text)
    const total = /<testsuite [^>]*failures="(\d+)"/.exec(stdout)[1]
    const tests = `${count(stdout, /<testcase/g)} tests, ${count(stdout, /<failure/g)} <failure>`
    console.log(`  ${tool}: ${tests}, failures="${total}", status ${status}`)
  }
  const parser = run('node_modules/.bin/tap-parser', [], text).status
  const tappy = run('python/bin/tappy', [`${name}.tap`]).status
  console.log(`  tap-parser: status ${parser}, tap.py: status ${tappy}`)
}
JS
play node finding.mjs
described <<'END'
complete
  tap-junit: 3 tests, 1 <failure>, failures="1", status 0
  tap-xunit: 3 tests, 1 <failure>, failures="1", status 1
  tap-parser: status 1, tap.py: status 1
died
  tap-junit: 3 tests, 0 <failure>, failures="1", status 0
  tap-xunit: 3 tests, 0 <failure>, failures="0", status 0
  tap-parser: status 1, tap.py: status 1
gave-up
  tap-junit: 2 tests, 0 <failure>, failures="0", status 0
  tap-xunit: 2 tests, 0 <failure>, failures="0", status 0
  tap-parser: status 1, tap.py: status 1
todo
  tap-junit: 2 tests, 1 <failure>, failures="1", status 0
  tap-xunit: 2 tests, 0 <failure>, failures="0", status 0
  tap-parser: status 0, tap.py: status 0
END
