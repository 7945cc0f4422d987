#!/usr/bin/env bash
# jest: an error of Node is no Error in a test
#
# Guess:     the error of readFileSync() is an Error, in a test as in the program.
# Happens:   jest gives each test file globals of its own. The errors of Node's modules and of
#            fetch(), and what structuredClone() returns, come from those of the process:
#            instanceof Error is false, and toThrow(Error) fails. Code that asks for instanceof
#            takes another branch under test than in production. Error.isError() tells the truth.
# Versions:  jest 30.5.2, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: every catch block with "error instanceof Error ? error.message : …".
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install jest@30.5.2

npm pkg set type=module
cat > finding.test.js <<'JS'
import { readFileSync, writeSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const passes = (assertion) => {
  try {
    assertion()
    return 'passes'
  } catch {
    return 'fails'
  }
}
const read = () => readFileSync('missing')
const parse = () => JSON.parse('{')
test('realms', async () => {
  const lines = Object.entries({ readFileSync: read, 'JSON.parse': parse }).map(([name, fail]) => {
    let error
    try {
      fail()
    } catch (thrown) {
      error = thrown
    }
    const thrown = passes(() => expect(fail).toThrow(Error))
    return `${name}: instanceof ${error instanceof Error}, isError ${Error.isError(error)}, toThrow(Error) ${thrown}`
  })
  const failed = await fetch('http://127.0.0.1:1/').catch((error) => error)
  lines.push(`fetch: instanceof ${failed instanceof TypeError}, isError ${Error.isError(failed)}`)
  lines.push(`structuredClone([]): instanceof ${structuredClone([]) instanceof Array}`)
  writeSync(1, `${lines.join('\n')}\n`)
})
JS
play sh -c 'node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --silent 2> /dev/null'
described <<'END'
readFileSync: instanceof false, isError true, toThrow(Error) fails
JSON.parse: instanceof true, isError true, toThrow(Error) passes
fetch: instanceof false, isError true
structuredClone([]): instanceof false
END
