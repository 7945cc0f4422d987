#!/usr/bin/env bash
# Node: process.exit() waits for a read that is blocked
#
# Guess:     it ends the process at once, whatever is pending, as its manual says.
# Happens:   while a thread of Node is inside a system call, here the opening of a named pipe, the
#            process stays until the call returns. A DNS lookup is such a call, too.
# Versions:  Node 24.21.0 (Linux)
# Seen:      2026-11-28
# Who meets it: steps with a time limit of their own: the report says that it is over, and the step
#            still runs.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
versions

mkfifo pipe
# The writer comes one second after the call of process.exit().
(
  for _ in $(seq 1000); do [ -e exiting ] && break; sleep 0.01; done
  sleep 1
  touch opened
  timeout 10 sh -c 'echo > pipe' || true
) &
cat > finding.mjs <<'JS'
import { readFile, writeFileSync } from 'node:fs'

process.on('exit', () => console.log('the listeners of exit were called'))
readFile('pipe', () => undefined)
setTimeout(() => {
  writeFileSync('exiting', '')
  process.exit(0)
}, 200)
JS
play node finding.mjs
play sh -c '[ -e opened ] && echo "it ended after the pipe was opened" || echo "it ended at once"'
wait
described <<'END'
the listeners of exit were called
it ended after the pipe was opened
END
