import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const dist = new URL('../../dist/', import.meta.url)
const licenses = readFileSync(new URL('licenses.txt', dist), 'utf8')

test('dist/licenses.txt holds the licence of every package whose code is in the bundle', () => {
  const code = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, dist), 'utf8'))
  // The bundle is not minified: a comment names the file that each module comes from.
  const paths = code.flatMap((text) => text.match(/node_modules\/(?:@[\w.-]+\/)?[\w.-]+(?=\/)/g) ?? [])
  const packages = [...new Set(paths.map((path) => path.replace('node_modules/', '')))]
  expect(packages).toContain('minimatch')
  for (const name of packages) expect(licenses).toMatch(new RegExp(`^${name} \\S+ \\([A-Z]\\S+\\)$`, 'm'))
  // Its modules are older, and come without such a comment.
  expect(licenses).toMatch(/^undici \S+ \(MIT\)$/m)
  expect(licenses).toMatch(/^llhttp, in undici \(MIT\)$/m)
})

test('each of them comes with its text', () => {
  for (const section of licenses.split(`\n${'-'.repeat(80)}\n\n`)) {
    expect(section).toMatch(/^\S.* \([\w.-]+\)\n\n[\s\S]{400,}\n$/)
  }
})
