// dist/ has to be built from the sources that are here: otherwise tests of the bundle would pass whatever was changed.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { hashFileOf, refuseStaleBundle } from '../../scripts/sources.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const copy = sharedFolder()

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
