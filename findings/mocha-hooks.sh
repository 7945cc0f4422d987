#!/usr/bin/env bash
# mocha, mochawesome: a hook that fails is no failure in the report
#
# Guess:     if before() throws, the run has a failure, and the tests below it are failed or
#            skipped, in each report.
# Happens:   mocha counts a failure, and ends with it. The summary of mochawesome says failures: 0,
#            other: 1, and mochawesome-merge, which counts again, says other: 0 and has the tests
#            that never ran in its total alone. The reporter xunit of mocha says tests="1",
#            failures="0", errors="1" and skipped="-1".
# Versions:  mocha 11.8.0, mochawesome 8.1.1, mochawesome-merge 5.1.1, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: a channel or a dashboard with the number of failures, when the database or the
#            browser did not start.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install mocha@11.8.0 mochawesome@8.1.1 mochawesome-merge@5.1.1

cat > shop.test.cjs <<'JS'
describe('cart', () => {
  before(() => { throw new Error('no database') })
  it('adds', () => {})
  it('removes', () => {})
})
it('starts', () => {})
JS
cat > finding.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

function run(reporter, ...options) {
  const argv = ['shop.test.cjs', '--reporter', reporter, ...options]
  return spawnSync('node_modules/.bin/mocha', argv, { encoding: 'utf8' })
}
const stats = ({ tests, passes, failures, skipped, other }) =>
  JSON.stringify({ tests, passes, failures, skipped, other })

const { status, stdout } = run('json')
console.log(`json: ${stats(JSON.parse(stdout).stats)}, status ${status}`)
run('mochawesome', '--reporter-options', 'html=false,quiet=true,reportFilename=cart')
const path = 'mochawesome-report/cart.json'
console.log('mochawesome:', stats(JSON.parse(readFileSync(path)).stats))
const merged = spawnSync('node_modules/.bin/mochawesome-merge', [path], { encoding: 'utf8' }).stdout
console.log('mochawesome-merge:', stats(JSON.parse(merged).stats))
const totals = run('xunit').stdout.match(/\b(tests|failures|errors|skipped)="[^"]*"/g)
console.log('xunit:', totals.join(' '))
JS
play node finding.mjs
described <<'END'
json: {"tests":1,"passes":1,"failures":1}, status 1
mochawesome: {"tests":1,"passes":1,"failures":0,"skipped":2,"other":1}
mochawesome-merge: {"tests":3,"passes":1,"failures":0,"skipped":0,"other":0}
xunit: tests="1" failures="0" errors="1" skipped="-1"
END
