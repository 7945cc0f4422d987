// The direction of imports, access to the runner and the network, and the length of files.
import { globSync } from 'node:fs'
import { join } from 'node:path/posix'
import { expect, test } from '@jest/globals'
import { read, root } from '../support/repository.ts'

const filesIn = (pattern: string) =>
  new Map(
    globSync(pattern, { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .toSorted()
      .map((file) => [file, read(file)]),
  )
const sources = filesIn('src/**/*.ts')
const files = filesIn('{__tests__,bench,sandbox,scripts,src}/**/*.{ts,js}')

/**
 * From top to bottom. A file belongs to the longest prefix, and imports from its own layer or a
 * lower one.
 */
const layers = [
  ['__tests__/'],
  ['bench/'],
  ['scripts/'],
  ['sandbox/'],
  ['src/index.ts'],
  ['src/main.ts'],
  ['src/report/'],
  ['src/delivery/'],
  ['src/service/create-service.ts'],
  ['src/service/slack/'],
  ['src/service/'],
  ['src/comment/'],
  ['src/inputs/', 'src/context.ts'],
  ['src/files/'],
  ['src/node-version.ts', 'src/v8-flags.ts'],
  ['src/text/', 'src/deadline.ts', 'src/hosts.ts', 'src/json.ts', 'src/problem.ts'],
]

const knowTheRunner = [
  'src/index.ts',
  'src/main.ts',
  'src/report/',
  'src/inputs/inputs.ts',
  'src/inputs/proxy.ts',
  'src/context.ts',
]
const knowTheNetwork = ['src/service/']
const tables = ['src/service/errors/error-codes.ts']

test('an import goes down, or to a file of the same layer, and to no file without one', () => {
  const upward = [...files.keys()].flatMap((file) =>
    importsOf(file)
      .filter(
        (other) =>
          layers.flat().some((name) => other.startsWith(name)) && layerOf(other) < layerOf(file),
      )
      .map((other) => `${file} imports ${other}`),
  )
  expect(upward).toEqual([])
})

test('the sandbox imports nothing of src/: it must not repeat its mistakes', () => {
  const imported = [...files.keys()]
    .filter((file) => file.startsWith('sandbox/'))
    .flatMap(importsOf)
  expect(imported.filter((file) => file.startsWith('src/'))).toEqual([])
})

test('nothing is imported by a path inside a package', () => {
  const importers = [...sources.keys()].filter((file) =>
    importsOf(file).some((name) => name.includes('node_modules')),
  )
  expect(importers).toEqual([])
})

test.each([
  ['@actions/core', knowTheRunner],
  ['@actions/github', knowTheRunner],
  ['undici', knowTheNetwork],
])('only those who have to know %s import it', (name, allowed) => {
  const importers = [...sources.keys()].filter((file) => importsOf(file).includes(name))
  expect(importers).not.toEqual([])
  expect(importers.filter((file) => !isOneOf(allowed, file))).toEqual([])
})

test('only those who know the runner read the environment', () => {
  const readers = [...sources]
    .filter(([, text]) => text.includes('process.env'))
    .map(([file]) => file)
  expect(readers.filter((file) => !isOneOf(knowTheRunner, file))).toEqual([])
})

// https://github.com/github/local-action
test('main.ts exports `run`, which GitHub’s local-action calls', () => {
  expect(sources.get('src/main.ts')).toContain('export async function run(): Promise<void> {')
})

test('main.ts has at most 120 lines, any other file 400, unless it is a table', () => {
  const limit = (file: string) => (tables.includes(file) ? 600 : file === 'src/main.ts' ? 120 : 400)
  expect(
    [...sources]
      .filter(([file, text]) => text.split('\n').length - 1 > limit(file))
      .map(([file]) => file),
  ).toEqual([])
})

test('a test in unit/ is named for the file that it tests, alone or with a situation', () => {
  const tests = [...filesIn('__tests__/unit/**/*.test.ts').keys()]
  const stems = [...sources.keys()].map((file) =>
    file.replace(/^src\/(.*)\.ts$/, '__tests__/unit/$1'),
  )
  const lost = tests.filter(
    (test) => !stems.some((stem) => test === `${stem}.test.ts` || test.startsWith(`${stem}-`)),
  )
  expect(tests.length).toBeGreaterThan(20)
  expect(lost).toEqual([])
})

test('tests start processes by the helper that decides their environment', () => {
  const starters = [...files].filter(([, text]) =>
    /^import (?!type ).*'node:child_process'$/m.test(text),
  )
  const inTests = starters.map(([file]) => file).filter((file) => file.startsWith('__tests__/'))
  expect(inTests).toEqual(['__tests__/support/processes.ts'])
})

/** Package names, and paths like `src/problem.ts`. */
function importsOf(file: string): readonly string[] {
  const names = (files.get(file) ?? '').matchAll(
    /(?:\bfrom|\bimport\(?)\s*(?:\/\*.*?\*\/\s*)?'([^']+)'/g,
  )
  return Array.from(names, ([, name = '']) =>
    name.startsWith('.') ? join(file, '..', name) : name,
  )
}

function layerOf(file: string): number {
  const longest = layers
    .flat()
    .filter((name) => file.startsWith(name))
    .toSorted((one, other) => other.length - one.length)[0]
  return layers.findIndex((names) => longest !== undefined && names.includes(longest))
}

function isOneOf(names: readonly string[], file: string): boolean {
  return names.some((name) => file.startsWith(name))
}
