// Runs every command of docs/release.md, in order, in a copy of the repository with another name
// and version. The remote is a bare repository. GitHub's part is left out: CI, draft, Marketplace,
// approval, publishing.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, jest, test } from '@jest/globals'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'
import { sharedFolder } from '../support/folder.ts'
import { runBash } from '../support/processes.ts'

jest.setTimeout(600_000)
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const name = 'octo-org/upload'
/** Above every version of the repository. */
const version = '99.0.0'
const blocks = Array.from(
  read('docs/release.md').matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm),
  ([, indent, block = '']) =>
    block
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replaceAll('owner/name', name)
      .replaceAll('1.2.3', version)
      .trimEnd(),
)

const folder = sharedFolder()
const copy = join(folder, 'copy')
const readCopy = (path: string) => readFileSync(join(copy, path), 'utf8')
// With another home, nothing stays behind, like the linter's cache.
const own = { HOME: folder, GIT_CONFIG_NOSYSTEM: '1', npm_config_update_notifier: 'false' }
const run = (script: string, cwd = copy) => runBash(script, { cwd, env: own })

async function succeed(script: string, cwd = copy): Promise<string> {
  const { code, stderr, stdout } = await run(script, cwd)
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

beforeAll(async () => {
  // Without history and leftovers of builds and tests.
  await succeed(
    `mkdir copy && tar --exclude ./.git --exclude ./lib --exclude .cache -C '${root}' -c . | tar -C copy -x`,
    folder,
  )
  await succeed(
    'git init -q -b main && git config user.name a && git config user.email a@example.org',
  )
  await succeed(
    'git add --all && git commit -q -m Copy && git init -q --bare ../remote.git && git remote add origin ../remote.git',
  )
})

describe.each(blocks)('%s', (block) => {
  if (block === 'npm run check:release') {
    test('only the live run is missing, unless it was made', async () => {
      const expected = lackingForRelease(releaseFiles()).filter((line) =>
        line.startsWith('docs/evidence.md'),
      )
      const { code, stdout } = await run(block)
      expect([code, ...(stdout.match(/(?<=^- ).*$/gm) ?? [])]).toEqual([
        Math.min(expected.length, 1),
        ...expected,
      ])
    })
    test('a README with a part that holds only before the first release is refused', async () => {
      const readme = readCopy('README.md')
      writeFileSync(join(copy, 'README.md'), `${readme}\n<!-- before the first release -->\n`)
      const { code, stdout } = await run(block)
      writeFileSync(join(copy, 'README.md'), readme)
      expect([code, stdout]).toEqual([1, expect.stringContaining('- README.md: a part holds')])
    })
    return
  }
  test('succeeds', async () => {
    // In step 3, a person writes it.
    const changelog = readCopy('CHANGELOG.md').replace(
      '## ',
      `## ${version}\n\nA rehearsal.\n\n## `,
    )
    if (block.startsWith('npm version')) writeFileSync(join(copy, 'CHANGELOG.md'), changelog)
    await succeed(block)
  })
  if (!block.includes('git push origin main')) return
  // Tests that start the action ran under the real name.
  test('what is pushed is complete, and passes the tests of the repository', async () => {
    expect(await succeed('git status --porcelain')).toBe('')
    await succeed('npm run test:fast -- --ci __tests__/repository')
  })
  if (block === blocks.at(-1)) test('and lint', () => succeed('npm run lint'))
})

test('the tag is complete, and the job that drafts it sees the same missing, without any package', async () => {
  await succeed(
    `git clone -q -c advice.detachedHead=false --branch 'v${version}' remote.git tag`,
    folder,
  )
  const inTag = (path: string) => readFileSync(join(folder, 'tag', path), 'utf8')
  expect(JSON.parse(inTag('package.json'))).toMatchObject({ version, repository: `github:${name}` })
  // `toContain` would print the whole bundle.
  expect(inTag('dist/index.js').includes(`'channel-file-upload/${version}'`)).toBe(true)
  expect(await run('npm run check:release', join(folder, 'tag'))).toEqual(
    await run('npm run check:release'),
  )
})
