// dist/ has to be built from the sources that are here: otherwise tests of the bundle would pass whatever was changed.
import { cpSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hashFileOf, refuseStaleBundle } from '../../scripts/sources.ts'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
let copy = ''
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'sources-'))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

test('dist/ was built from the sources that are here', () => {
  expect(() => refuseStaleBundle(join(root, 'dist/index.js'))).not.toThrow()
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
