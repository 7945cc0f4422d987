/**
 * docs/release.md, played in a copy of the repository with another name and version: every command of the page, in its order. The remote is
 * a bare repository beside the copy. What GitHub does is left out: CI, the draft, the Marketplace, the approval, publishing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { lackingForRelease, releaseFiles } from '../../scripts/check-release.ts'
import { sharedFolder } from '../support/folder.ts'
import { runBash } from '../support/processes.ts'

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
const maxMilliseconds = 300_000

async function run(script: string, cwd = copy) {
  const settings = {
    npm_config_update_notifier: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_NAME`, 'A maintainer'])),
    ...Object.fromEntries(['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_EMAIL`, 'maintainer@example.org'])),
  }
  const { code, stderr, stdout } = await runBash(script, { cwd, env: settings })
  return { code, printed: `${stdout}${stderr}` }
}

async function succeed(script: string, cwd = copy): Promise<string> {
  const { code, printed } = await run(script, cwd)
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${printed}`)
  return printed
}

beforeAll(async () => {
  // Without the history, and what earlier builds and tests left.
  await succeed(
    `mkdir copy && tar --exclude ./.git --exclude ./lib --exclude .cache -C '${root}' -c . | tar -C copy -x`,
    folder,
  )
  await succeed("git init -q -b main && git add --all && git commit -q -m 'The copy'")
  await succeed('git init -q --bare ../remote.git && git remote add origin ../remote.git')
}, maxMilliseconds)

describe.each(blocks)('%s', (block) => {
  const last = block === blocks.at(-1)

  if (block === 'npm run check:release') {
    test('only the live run is missing, unless it was made', async () => {
      const expected = lackingForRelease(releaseFiles()).filter((line) => line.startsWith('docs/verified.md'))
      const { code, printed } = await run(block)
      const missing = printed.match(/(?<=^- ).*$/gm) ?? []
      expect([code, ...missing]).toEqual([Math.min(expected.length, 1), ...expected])
    })
  } else {
    test(
      'succeeds',
      async () => {
        // Step 3 asks a person for it.
        const changelog = join(copy, 'CHANGELOG.md')
        const section = `## ${version}\n\nA rehearsal.\n\n## `
        if (block.startsWith('npm version')) writeFileSync(changelog, read('CHANGELOG.md').replace('## ', section))
        await succeed(block)
      },
      maxMilliseconds,
    )
  }

  if (!block.includes('git push origin main')) return
  test(
    'what is pushed is complete, and passes the tests of the repository',
    async () => {
      expect(await succeed('git status --porcelain')).toBe('')
      await succeed('npm test -- --ci __tests__/repository')
    },
    maxMilliseconds,
  )
  if (last) test('and lint', () => succeed('npm run lint'), maxMilliseconds)
})

test('the tag has the name, the version in each place, and its section of the change log', async () => {
  const ofTag = (path: string) => succeed(`git show 'v${version}:${path}'`, join(folder, 'remote.git'))
  expect(JSON.parse(await ofTag('package.json'))).toMatchObject({ version, repository: `github:${name}` })
  expect(await ofTag('CHANGELOG.md')).toContain(`## ${version}`)
  // Not `toContain`, which would print the whole bundle.
  expect((await ofTag('dist/index.js')).includes(`'channel-file-upload/${version}'`)).toBe(true)
})

test('the job that drafts sees the same missing, without any package', async () => {
  await succeed(`git clone -q -c advice.detachedHead=false --branch 'v${version}' remote.git drafted`, folder)
  const [inCopy, inJob] = await Promise.all(
    [copy, join(folder, 'drafted')].map((at) => run('npm run check:release', at)),
  )
  expect(inJob).toEqual(inCopy)
})
