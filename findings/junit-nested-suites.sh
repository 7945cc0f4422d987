#!/usr/bin/env bash
# Allure, test-results-parser: a failed test in a suite of a suite does not count
#
# Guess:     a reader of JUnit files finds each <testcase>, however deep it is, or takes the totals
#            of the outer suite: the run failed.
# Happens:   node writes a describe() in a describe() as a suite in a suite. Both read the outer
#            suites alone. Of four tests, two of which failed, they know one, which passed: PASS,
#            and the quality gate of Allure lets it through. junit-report-merger copies all four,
#            and writes tests="2" above them. junit-to-ctrf counts all.
# Versions:  Node 24.21.0, allure 3.18.0, test-results-parser 0.4.6, junit-report-merger 9.0.4,
#            junit-to-ctrf 0.0.14
# Seen:      2026-11-28
# Who meets it: messages with the result of a run, and jobs that decide by it: a describe() around
#            others takes their tests out.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install allure@3.18.0 test-results-parser@0.4.6 junit-report-merger@9.0.4 junit-to-ctrf@0.0.14

cat > shop.test.mjs <<'JS'
import { describe, it } from 'node:test'

describe('shop', () => {
  describe('cart', () => {
    it('adds', () => {})
    it('removes', () => { throw new Error('404') })
    it('empties', () => { throw new Error('413') })
  })
})
describe('api', () => {
  it('responds', () => {})
})
JS
mkdir results
node --test --test-reporter=junit shop.test.mjs > results/junit.xml && echo 'It did not fail.' && exit 2
cat > finding.cjs <<'JS'
const { spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { parse } = require('test-results-parser')

const file = 'results/junit.xml'
const start = (path, ...argv) => spawnSync(path, argv, { encoding: 'utf8' })
const run = (...argv) => start(...argv).stdout

const allure = 'node_modules/.bin/allure'
const total = /Total tests: (\d+)/.exec(run(allure, 'log', 'results'))[1]
const gate = start(allure, 'quality-gate', 'results', '--max-failures=0').status
console.log(`allure: ${total} tests, quality gate with --max-failures=0: status ${gate}`)
const parsed = parse({ type: 'junit', files: [file] })
console.log(`test-results-parser: ${parsed.total} tests, ${parsed.failed} failed, ${parsed.status}`)
run('node_modules/.bin/junit-report-merger', 'merged.xml', file)
console.log('junit-report-merger:', /<testsuites (.*?) errors/.exec(readFileSync('merged.xml'))[1])
run('node_modules/.bin/junit-to-ctrf', file, '-o', 'ctrf.json')
const { tests, failed } = JSON.parse(readFileSync('ctrf.json')).results.summary
console.log(`junit-to-ctrf: ${tests} tests, ${failed} failed`)
JS
play node finding.cjs
described <<'END'
allure: 1 tests, quality gate with --max-failures=0: status 0
test-results-parser: 1 tests, 0 failed, PASS
junit-report-merger: tests="2" failures="1"
junit-to-ctrf: 4 tests, 2 failed
END
