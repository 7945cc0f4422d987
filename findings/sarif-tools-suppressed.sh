#!/usr/bin/env bash
# sarif-tools: what ESLint passes with a comment fails the check, and so does what is fixed
#
# Guess:     a result that is suppressed in the source, or absent since the last run, does not
#            count.
# Happens:   ESLint ends with 0, and its SARIF file holds the suppressed result, marked as such,
#            with the level error. sarif --check error counts it, and ends with 1. A result whose
#            baselineState is absent, which is one that is gone, counts as well.
# Versions:  eslint 10.15.0, @microsoft/eslint-formatter-sarif 3.1.0, sarif-tools 3.0.5,
#            Python 3.11.7, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: a job that lints in one step, and posts the numbers or decides in the next one.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install eslint@10.15.0 @microsoft/eslint-formatter-sarif@3.1.0
PIP_NO_COMPILE=1 install_python sarif-tools==3.0.5

echo 'export default [{ rules: { "no-debugger": "error" } }]' > eslint.config.mjs
printf '// eslint-disable-next-line no-debugger -- needed\ndebugger\n' > index.mjs
cat > finding.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

function check(path) {
  const { status, stdout } = spawnSync('python/bin/sarif', ['--check', 'error', 'summary', path])
  console.log(`sarif: ${/error: \d+/.exec(stdout)?.[0]}, status ${status}`)
}

const options = ['-f', '@microsoft/eslint-formatter-sarif', '-o', 'eslint.sarif', 'index.mjs']
console.log('eslint: status', spawnSync('node_modules/.bin/eslint', options).status)
const report = JSON.parse(readFileSync('eslint.sarif', 'utf8'))
const [result] = report.runs[0].results
console.log('suppressed', result.suppressions[0].kind)
check('eslint.sarif')

delete result.suppressions
result.baselineState = 'absent'
writeFileSync('absent.sarif', JSON.stringify(report))
console.log('absent')
check('absent.sarif')
JS
play node finding.mjs
described <<'END'
eslint: status 0
suppressed inSource
sarif: error: 1, status 1
absent
sarif: error: 1, status 1
END
