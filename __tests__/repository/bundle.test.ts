// dist/ has to be built from the sources that are here: otherwise tests of the bundle would pass
// whatever was changed.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { hashFileOf, refuseStaleBundle } from '../../sandbox/sources.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'
import { onPosix, withLinks } from '../support/systems.ts'

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

const buildIn = (folder: string) => runProcess(process.execPath, [join(folder, 'scripts/build.ts')])

onPosix.each(['C#', 'a*b', 'what?', 'now!'])(
  'a build below a folder called %s is refused in one line',
  async (name) => {
    const folder = join(copy, name, 'upload')
    for (const name of ['scripts', 'sandbox'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    const { code, stdout, stderr } = await buildIn(folder)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `The build cannot work below a folder with ${/[^\w]/.exec(name)?.[0]} in its name: move ${folder}\n`,
    )
    expect(readdirSync(folder).toSorted()).toEqual(['sandbox', 'scripts'])
  },
)

withLinks('a build that fails at its end leaves the last bundle as it was', async () => {
  const folder = join(copy, 'lockfile-without-hashes')
  for (const name of ['sandbox', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  // One package is enough.
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/index.ts'), "import 'minimatch'")
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package-lock.json'), '{"packages":{}}')
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/index.js'), 'the last one')
  const { code, stderr } = await buildIn(folder)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('package-lock.json has no SHA-512 of'),
  })
  expect(readdirSync(join(folder, 'dist'))).toEqual(['index.js'])
})
