// V8 only warns of unknown flags, so a flag could stop working after an update of Node.
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { runNode } from '../support/processes.ts'

test('V8 knows every flag that is set, and has the defaults that were measured', async () => {
  const source = readFileSync(new URL('../../src/v8-flags.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/setFlagsFromString\('--(?:no-)?([\w-]+)/g)].map(
    ([, name]) => name,
  )
  const options = await runNode(['--v8-options'])
  const defaults = names.map(
    (name) =>
      new RegExp(`^ +--${name} \\(.*\\n +type: \\w+ +default: (.*)$`, 'm').exec(options)?.[1],
  )
  expect(defaults).toEqual(['--wasm-dynamic-tiering', '--wasm-tier-up'])
})
