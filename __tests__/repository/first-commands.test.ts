// The first commands of a newcomer.
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { makeFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'
import { read, root } from '../support/repository.ts'
import { withLinks } from '../support/systems.ts'

const files = Object.fromEntries(
  ['scripts/check-install.cjs', 'scripts/no-node-24.txt'].map((path) => [path, read(path)]),
)

const onNode = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
const node20 = onNode('20.19.0')
const testsOnNode26 = `${onNode('26.10.0')}; process.argv[1] = 'jest.js'`
const all = {
  'node_modules/node/bin/node': '#!/nowhere\n',
  'node_modules/typescript/package.json': '{}',
}
test.each([
  [
    'on Node 20',
    {},
    node20,
    /^This is Node 20\.19\.0, and Node 24 is needed\. .* Run: npm ci .*\n$/,
  ],
  [
    'on Node 20 if the installed one does not start',
    all,
    node20,
    /^The Node 24 that npm ci installed does not .*\n$/,
  ],
  [
    'in the tests on Node 26',
    {},
    testsOnNode26,
    /^This is Node 26\.10\.0, and Node 24 is .* Run: npm ci .*\n$/,
  ],
  ['in a build on Node 26', all, onNode('26.10.0'), /^$/],
  [
    'without the development packages',
    {},
    '',
    /^The development packages .* Run: npm ci --include=dev\n$/,
  ],
  ['with all that is needed', all, '', /^$/],
])('a script says in one line what is missing %s', async (_, installed, before, expected) => {
  using folder = makeFolder({ ...files, ...installed })
  const code = `${before}; require('./scripts/check-install.cjs')`
  const ended = await runProcess(process.execPath, ['--eval', code], { cwd: folder.root })
  expect(ended).toEqual({
    code: ended.stderr === '' ? 0 : 1,
    stdout: '',
    stderr: expect.stringMatching(expected),
  })
})

withLinks('a build with a type error ends with the lines of the compiler', async () => {
  const scripts = ['scripts/build.ts', 'scripts/licenses.ts', 'sandbox/sources.ts']
  const configs = ['package.json', 'tsconfig.json', 'tsconfig.build.json']
  using folder = makeFolder({
    ...Object.fromEntries([...scripts, ...configs].map((path) => [path, read(path)])),
    'src/index.ts': "export const count: number = 'one'\n",
    node_modules: `-> ${fileURLToPath(new URL('node_modules', root))}`,
  })
  const build = await runProcess(process.execPath, ['scripts/build.ts'], { cwd: folder.root })
  expect(build).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^src.index\.ts\(1,14\): error TS2322: .*\n$/),
    stderr: '',
  })
})
