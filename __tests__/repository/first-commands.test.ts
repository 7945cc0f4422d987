// The commands that the README and the first page of CONTRIBUTING show.
import { chmodSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { makeFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'
import { blocksOf, read, root } from '../support/repository.ts'
import { onPosix } from '../support/systems.ts'

const commandsOf = (blocks: readonly string[]) =>
  blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter(Boolean)
const readme = commandsOf(blocksOf('README.md', 'sh'))
const firstPage = commandsOf(blocksOf('CONTRIBUTING.md', 'sh').slice(0, 1))

const { scripts } = JSON.parse(read('package.json'))
const files = Object.fromEntries(
  ['scripts/check-install.cjs', 'scripts/no-node-24.txt'].map((path) => [path, read(path)]),
)

test('the README installs the packages, and then starts the demo, or the tests', () => {
  expect(readme).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

test.each(['build', 'sandbox', 'start', 'test'])(
  'npm run %s checks first what is installed',
  (name) => {
    expect(scripts[name]).toMatch(/^node --require \.\/scripts\/check-install\.cjs /)
  },
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

onPosix(
  'npm ci ends with the reason if its Node does not start, and prints nothing otherwise',
  async () => {
    // Without its interpreter, a program fails as a binary for another C library does: some shells
    // go on to the next of the PATH.
    const older = `#!/bin/sh\nexec '${process.execPath}' --require ./node20.cjs "$@"\n`
    using folder = makeFolder({ ...files, ...all, 'older/node': older, 'node20.cjs': node20 })
    for (const name of ['node_modules/node/bin/node', 'older/node'])
      chmodSync(join(folder.root, name), 0o755)
    const endOfCi = (path: string) =>
      runProcess('sh', ['-c', scripts.postinstall], {
        cwd: folder.root,
        env: { PATH: `${path}:/usr/bin:/bin` },
      })
    const text = files['scripts/no-node-24.txt']
    expect(
      await endOfCi(`${folder.root}/node_modules/node/bin:${folder.root}/older`),
    ).toMatchObject({
      code: 1,
      stdout: text,
    })
    expect(await endOfCi(dirname(process.execPath))).toEqual({ code: 0, stdout: '', stderr: '' })
  },
)

test('the first page of CONTRIBUTING tests one file and one folder, and plays a fault', () => {
  const ways = [/^npm test -- \S+\.test\.ts$/, /^npm test -- \S+\/\w+$/, /^npm start -- .*--fault /]
  for (const way of ways) expect(firstPage).toContainEqual(expect.stringMatching(way))
  const paths = firstPage.flatMap((command) => command.match(/__tests__\/\S+/g) ?? [])
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
