// The commands that the README and the first page of CONTRIBUTING show.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const blocksOf = async (page: string) =>
  Array.from(
    (await readFile(join(root, page), 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```$/gm),
    ([, block = '']) => block,
  )
const commandsOf = (blocks: readonly string[]) =>
  blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter(Boolean)
const readme = commandsOf(await blocksOf('README.md'))
const firstPage = commandsOf((await blocksOf('CONTRIBUTING.md')).slice(0, 1))

test('the README installs the packages, and then starts the demo, or the tests', () => {
  expect(readme).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

describe('a script that people type', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  test.each(['build', 'sandbox', 'start', 'test'])('says in one line that Node is too old: %s', async (name) => {
    const [, check] = /^node --require (\S+) /.exec(scripts[name]) ?? []
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.19.0' }); require('${check}')`
    const { code, stdout, stderr } = await runProcess(process.execPath, ['--eval', old], { cwd: root })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^This is Node 20\.19\.0, and Node 24 is needed\. .* Run: npm ci .*\n$/)
  })
})

test('the first page of CONTRIBUTING tests one file and one folder, and plays a fault', () => {
  const ways = [/^npm test -- \S+\.test\.ts$/, /^npm test -- \S+\/\w+$/, /^npm start -- .*--fault /]
  for (const way of ways) expect(firstPage).toContainEqual(expect.stringMatching(way))
  const paths = firstPage.flatMap((command) => command.match(/__tests__\/\S+/g) ?? [])
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
