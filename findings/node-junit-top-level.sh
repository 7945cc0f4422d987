#!/usr/bin/env bash
# node --test with junitparser or junit-report-merger: a failed run counts as passed
#
# Guess:     what reads the JUnit file of another runner counts the tests in it, failed ones above all.
# Happens:   node writes a test outside describe() directly below <testsuites>, without a suite and
#            without totals (these are XML comments). junitparser reads only suites: its verify ends
#            with 0, and its merge drops the failed test. junit-report-merger keeps the test, and
#            writes failures="0" above it.
# Versions:  Node 24.21.0, junitparser 5.0.3, junit-report-merger 9.0.4, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: a job that decides by the merged report, or posts its numbers.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install junit-report-merger@9.0.4
install_python junitparser==5.0.3

cat > a.test.mjs <<'JS'
import assert from 'node:assert'
import { describe, test } from 'node:test'
test('outside fails', () => assert.fail('no'))
describe('group', () => test('inside passes', () => {}))
JS
node --test --test-reporter=junit --test-reporter-destination=node.xml a.test.mjs || true
totals() { # FILE
  echo "$1: $(grep -o '<testsuites[^>]*>' "$1" | sed 's/ time="[^"]*"//'), with $(grep -c '<failure' "$1") failure"
}

play echo "$(totals node.xml)"
play sh -c 'python/bin/junitparser verify node.xml; echo "verify ends with $?"'
python/bin/junitparser merge node.xml junitparser.xml
play echo "$(totals junitparser.xml)"
node_modules/.bin/jrm merger.xml node.xml > /dev/null
play echo "$(totals merger.xml)"
described <<'END'
node.xml: <testsuites>, with 1 failure
verify ends with 0
junitparser.xml: <testsuites tests="1" failures="0" errors="0" skipped="0">, with 0 failure
merger.xml: <testsuites tests="1" failures="0" errors="0" skipped="0">, with 1 failure
END
