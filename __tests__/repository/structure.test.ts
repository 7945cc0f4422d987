// How src/ is built: which way imports go, who knows the runner and the network, how long a file gets.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { expect, test } from '@jest/globals'

const root = new URL('../../', import.meta.url).pathname
const sources = new Map(
  globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)

/** From the top to the bottom. A file belongs to the longest name that it begins with; it imports from its own layer and from below. */
const layers = [
  ['src/index.ts'],
  ['src/main.ts'],
  ['src/report/'],
  ['src/delivery/'],
  ['src/service/'],
  ['src/message/'],
  ['src/files/', 'src/event.ts', 'src/event-file.ts', 'src/message/source.ts', 'src/settings.ts'],
  ['src/text/', 'src/loopback.ts', 'src/time.ts', 'src/problem.ts', 'src/v8-flags.ts', 'src/watchdog.ts'],
]

const knowTheRunner = [
  ...['src/index.ts', 'src/main.ts', 'src/report/'],
  ...['src/event.ts', 'src/message/source.ts', 'src/settings.ts'],
]
const knowTheNetwork = ['src/service/']
const tables = ['src/service/errors.ts']

/** What is still to be changed. Remove what is no longer needed; nothing is added. */
const exceptions = {
  upwardImports: ['src/message/comment.ts imports src/service/service.ts'],
  environment: ['src/service/http.ts'],
  long: ['src/service/external-upload.ts', 'src/settings.ts'],
}

test('an import goes down, or to a file of the same layer', () => {
  const upward = [...sources.keys()].flatMap((file) =>
    importsOf(file)
      .filter((other) => other.startsWith('src/') && layerOf(other) < layerOf(file))
      .map((other) => `${file} imports ${other}`),
  )
  expect(upward.filter((line) => !exceptions.upwardImports.includes(line))).toEqual([])
})

test('every file belongs to a layer', () => {
  expect([...sources.keys()].filter((file) => layerOf(file) === -1)).toEqual([])
})

test('nothing is imported by a path inside a package', () => {
  const importers = [...sources].filter(([, text]) => text.includes('node_modules')).map(([file]) => file)
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
  const readers = [...sources].filter(([, text]) => text.includes('process.env')).map(([file]) => file)
  expect(readers.filter((file) => !isOneOf([...knowTheRunner, ...exceptions.environment], file))).toEqual([])
})

test('a file has at most 300 lines, unless it is a table', () => {
  const long = [...sources].filter(([, text]) => text.split('\n').length - 1 > 300).map(([file]) => file)
  expect(long.filter((file) => ![...tables, ...exceptions.long].includes(file))).toEqual([])
})

/** Names of packages, and paths such as `src/problem.ts`. */
function importsOf(file: string): readonly string[] {
  const names = (sources.get(file) ?? '').matchAll(/(?:\bfrom|\bimport\(?)\s*(?:\/\*.*?\*\/\s*)?'([^']+)'/g)
  return Array.from(names, ([, name = '']) => (name.startsWith('.') ? join(file, '..', name) : name))
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
