/** `npm run docs -- owner/name`, and after the tag `… owner/name@SHA v1.0.0`, in a copy of the repository. */
import { cpSync, globSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { withRelease } from '../../scripts/repository-name.ts'
import { sharedFolder } from '../support/folder.ts'
import { runNode } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')
const skipped = new Set(['.git', 'node_modules', 'dist', '__tests__', 'src'])
const copy = sharedFolder()

beforeAll(async () => {
  cpSync(root, copy, { recursive: true, filter: (path) => !skipped.has(relative(root, path)) })
  // What the script imports and does not change.
  for (const name of ['node_modules', 'src']) await symlink(join(root, name), join(copy, name))
})

const docs = (...given: readonly string[]) => runNode([join(copy, 'scripts/docs.ts'), ...given])
const lines = (text: RegExp) =>
  globSync(['*.*', '{docs,examples,sandbox,bench,.github}/**/*.{md,yml,json}'], { cwd: copy }).flatMap((path) =>
    readFileSync(join(copy, path), 'utf8')
      .split('\n')
      .filter((line) => text.test(line)),
  )

test('whoever publishes a copy writes its name once', async () => {
  const steps = lines(/uses: OWNER\/channel-file-upload@v1/)
  expect(steps.length).toBeGreaterThan(30)
  // Every other way to name the repository would stay.
  expect(lines(/channel-file-upload@/)).toHaveLength(lines(/(OWNER|your-org)\/channel-file-upload@/).length)
  await docs('octo-org/upload')
  expect(lines(/\bOWNER[/:]|[Nn]o release yet|<!-- before/)).toEqual([])
  expect(lines(/uses: octo-org\/upload@v1$/)).toHaveLength(steps.length)
  expect(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))).toMatchObject({
    repository: 'github:octo-org/upload',
    homepage: 'https://github.com/octo-org/upload#readme',
    bugs: 'https://github.com/octo-org/upload/issues',
  })
})

test('after the tag, every step to copy uses its commit, and so again for the next one', async () => {
  for (const [sha, version] of [
    ['a'.repeat(40), 'v1.0.0'],
    ['b'.repeat(40), 'v1.1.0'],
  ] as const) {
    await docs(`octo-org/upload@${sha}`, version)
    const used = lines(/uses: octo-org\/upload@/)
    expect(used.length).toBeGreaterThan(30)
    expect(used.filter((line) => !line.endsWith(`uses: octo-org/upload@${sha} # ${version}`))).toEqual([])
  }
})

test('the releases of other actions stay', () => {
  const other = `- uses: actions/checkout@${'1'.repeat(40)} # v7.0.1`
  expect(withRelease(other, 'octo-org/upload', 'a'.repeat(40), 'v1.0.0')).toBe(other)
})

test.each([
  [['octo-org']],
  [['octo-org/upload@v1', 'v1.0.0']],
  [['octo-org/upload', 'v1.0.0']],
  [['octo-org/upload@aa', 'v1']],
])('%j is refused', async (given) => {
  await expect(docs(...given)).rejects.toThrow('usage: npm run docs -- owner/name')
})
