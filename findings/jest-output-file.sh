#!/usr/bin/env bash
# jest: --outputFile into a missing folder fails after all tests passed
#
# Guess:     jest makes the folder, as it does for its coverage and as jest-junit does, or refuses the
#            option before the first test.
# Happens:   it runs all tests, says that they passed, throws ENOENT, and ends with 1. Nothing is
#            written.
# Versions:  jest 30.5.2, jest-junit 17.0.0, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: the first run in a fresh checkout, after it worked on every machine with the folder.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install jest@30.5.2 jest-junit@17.0.0

echo '{}' > jest.config.json
echo "test('passes', () => {})" > a.test.js
run() { # WHAT ARGUMENT…
  local code=0
  npx --no-install jest --config jest.config.json "${@:2}" > out.txt 2>&1 || code=$?
  echo "$1: $(grep -oE '[0-9]+ passed, [0-9]+ total' out.txt | head -1), exit code $code, $(grep -oE 'ENOENT' out.txt || echo none)"
}
play echo "$(run 'jest --outputFile' --json --outputFile=reports/jest.json)"
export JEST_JUNIT_OUTPUT_DIR=others
play echo "$(run jest-junit --reporters=default --reporters=jest-junit)"
play ls others
described <<'END'
jest --outputFile: 1 passed, 1 total, exit code 1, ENOENT
jest-junit: 1 passed, 1 total, exit code 0, none
junit.xml
END
