// docs/release.md, played in a copy of the repository with another name and version: every command
// of the page, in its order. The remote is a bare repository beside the copy. What GitHub does is
// left out: CI, the draft, the Marketplace, the approval, publishing.
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
/** Above every version that the repository may have. */
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
// Such as the cache of the linter: nothing may be left.
const own = { HOME: folder, GIT_CONFIG_NOSYSTEM: '1', npm_config_update_notifier: 'false' }
const run = (script: string, cwd = copy) => runBash(script, { cwd, env: own })

async function succeed(script: string, cwd = copy): Promise<string> {
  const { code, stderr, stdout } = await run(script, cwd)
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

beforeAll(async () => {
  // Without the history, and what earlier builds and tests left.
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
    // Step 3 asks a person for it.
    const changelog = readCopy('CHANGELOG.md').replace(
      '## ',
      `## ${version}\n\nA rehearsal.\n\n## `,
    )
    if (block.startsWith('npm version')) writeFileSync(join(copy, 'CHANGELOG.md'), changelog)
    await succeed(block)
  })
  if (!block.includes('git push origin main')) return
  // What starts the action was tested without another name.
  test('what is pushed is complete, and passes the tests of the repository', async () => {
    expect(await succeed('git status --porcelain')).toBe('')
    await succeed(
      'npm run test:fast -- --ci __tests__/repository --testPathIgnorePatterns regular-expressions',
    )
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
  // Not `toContain`, which would print the whole bundle.
  expect(inTag('dist/index.js').includes(`'channel-file-upload/${version}'`)).toBe(true)
  expect(await run('npm run check:release', join(folder, 'tag'))).toEqual(
    await run('npm run check:release'),
  )
})
