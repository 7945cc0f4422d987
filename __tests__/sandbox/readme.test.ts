import { describe, expect, test } from '@jest/globals'
import { defaultSettings, methods } from '../../sandbox/settings.ts'
import { runNode } from '../support/processes.ts'
import { blocksOf, read, root } from '../support/repository.ts'

const sections = read('sandbox/README.md').split(/^## /m)
/** Names in the first column of the table below a heading. */
const rowsBelow = (heading: string) => {
  const section = sections.find((text) => text.startsWith(heading)) ?? ''
  const cells = section.split('\n').map((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
}

describe('The README of the sandbox', () => {
  test('lists every method', () => {
    const other = ['POST {upload_url}']
    expect(rowsBelow('What it simulates').sort()).toEqual([...methods, ...other].sort())
  })

  test('lists every rule', () => {
    const other = [
      'now',
      'read',
      'url',
      'uploadUrl',
      'strictIds',
      'offers',
      'tokens',
      'users',
      'conversations',
    ]
    const rules = Object.keys(defaultSettings).filter((name) => !other.includes(name))
    expect(rowsBelow('Rules').sort()).toEqual(rules.sort())
  })

  test('lists every kind of fault', () => {
    const source = read('sandbox/faults.ts')
    const kinds = new Set(Array.from(source.matchAll(/kind: '([\w-]+)'/g), ([, kind]) => kind))
    expect(new Set(rowsBelow('Faults'))).toEqual(kinds)
  })

  test('has an example that works', async () => {
    const [code = ''] = blocksOf('sandbox/README.md', 'ts')
    const check = `console.log(sandbox.workspace.messages.length, sandbox.requests.length)\n$&`
    const script = code.replace(/^await sandbox\.stop/m, check)
    expect(await runNode(['--input-type=module', '--eval', script], { cwd: root })).toBe('0 0\n')
  })
})
