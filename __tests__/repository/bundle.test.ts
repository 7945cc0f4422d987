// dist/ has to be built from the sources that are here: otherwise tests of the bundle would pass whatever was changed.
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hashFileOf, hashSources, refuseStaleBundle } from '../../scripts/sources.ts'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
let copy = ''
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'sources-'))
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** What the hash is while a file of the copy has other content. */
function hashWith(path: string, change: (text: string) => string): string {
  const file = join(copy, path)
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, change(before))
  try {
    return hashSources(copy)
  } finally {
    writeFileSync(file, before)
  }
}

test('dist/ was built from the sources that are here', () => {
  expect(() => refuseStaleBundle(join(root, 'dist/index.js'))).not.toThrow()
})

test.each([
  ['a source', 'src/text/format.ts', "'B'", "'bytes'"],
  ['a module that replaces one of a package', 'scripts/trim/actions-github.js', '\n', '\n\n'],
  ['the build', 'scripts/build.ts', '\n', '\n\n'],
  ['the version of a package', 'package.json', '"undici": "', '"undici": "1'],
])('the hash is another one after a change of %s', (_, path, before, after) => {
  expect(hashWith(path, (text) => text.replace(before, after))).not.toBe(hashSources())
})

test('the hash is another one after a file got another name', () => {
  renameSync(join(copy, 'src/problem.ts'), join(copy, 'src/problems.ts'))
  expect(hashSources(copy)).not.toBe(hashSources())
  renameSync(join(copy, 'src/problems.ts'), join(copy, 'src/problem.ts'))
})

test('the hash is the same in another folder, with CRLF, and after a change of what is not bundled', () => {
  expect(hashSources(copy)).toBe(hashSources())
  expect(hashWith('src/main.ts', (text) => text.replaceAll('\n', '\r\n'))).toBe(hashSources())
  expect(hashWith('scripts/docs.ts', (text) => `${text}\n`)).toBe(hashSources())
})

test('a bundle of other sources is not started: one line says why', async () => {
  const bundle = join(copy, 'dist-other', 'index.js')
  cpSync(join(root, 'dist'), join(copy, 'dist-other'), { recursive: true })
  writeFileSync(hashFileOf(bundle), `${'0'.repeat(64)}\n`)
  const { code, stderr } = await runProcess(process.execPath, ['sandbox/demo.ts'], {
    cwd: root,
    env: { ACTION_BUNDLE: bundle },
  })
  expect(stderr).toMatch(
    /dist-other\/index\.js was built from other sources than those in src\/\. Run: npm run build$/m,
  )
  expect(code).toBe(1)
})
