/** `npm run docs -- owner/name`, and `… owner/name@SHA v1.0.0` after the tag, in a copy. */
import { cpSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { placeholder, repositoryName, withRelease } from '../../scripts/repository-name.ts'
import { sharedFolder } from '../support/folder.ts'

const root = join(import.meta.dirname, '../..')
const skipped = new Set(['.git', 'node_modules', 'dist', 'lib', '__tests__'])
const copy = sharedFolder()

/** The command's code in the copy. */
let writeName: typeof import('../../scripts/repository-name.ts').writeName
beforeAll(async () => {
  cpSync(root, copy, { recursive: true, filter: (path) => !skipped.has(relative(root, path)) })
  ;({ writeName } = await import(join(copy, 'scripts/repository-name.ts')))
})

const lines = (text: RegExp) =>
  globSync(['*.*', '{docs,examples,sandbox,bench,.github}/**/*.{md,yml,json}'], {
    cwd: copy,
  }).flatMap((path) =>
    readFileSync(join(copy, path), 'utf8')
      .split('\n')
      .filter((line) => text.test(line)),
  )

// The copy may already have a name, and its steps a commit.
const before = repositoryName()
const stepsOf = (name: string) => lines(/uses: /).filter((line) => line.includes(`uses: ${name}@`))

test('whoever publishes a copy writes its name once', () => {
  const steps = stepsOf(before)
  expect(steps.length).toBeGreaterThan(30)
  // Other spellings of the name would stay.
  const own = /(OWNER|your-org)\/channel-file-upload@/
  if (before === placeholder) expect(lines(/channel-file-upload@/)).toHaveLength(lines(own).length)
  writeName('octo-org/other', undefined)
  expect(lines(/\bOWNER[/:]|[Nn]o release yet|<!-- before/)).toEqual([])
  expect(lines(/./).filter((line) => line.includes(`${before}@`))).toEqual([])
  expect(stepsOf('octo-org/other')).toHaveLength(steps.length)
  expect(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))).toMatchObject({
    repository: 'github:octo-org/other',
    homepage: 'https://github.com/octo-org/other#readme',
    bugs: 'https://github.com/octo-org/other/issues',
  })
})

test('after the tag, every step to copy uses its commit, and so again for the next one', () => {
  for (const [sha, version] of [
    ['a'.repeat(40), 'v1.0.0'],
    ['b'.repeat(40), 'v1.1.0'],
  ] as const) {
    writeName(`octo-org/other@${sha}`, version)
    const steps = stepsOf('octo-org/other')
    expect(steps.length).toBeGreaterThan(30)
    expect(
      steps.filter((line) => !line.endsWith(`uses: octo-org/other@${sha} # ${version}`)),
    ).toEqual([])
  }
})

test('the releases of other actions stay', () => {
  const other = `- uses: actions/checkout@${'1'.repeat(40)} # v7.0.1`
  expect(withRelease(other, 'octo-org/upload', 'a'.repeat(40), 'v1.0.0')).toBe(other)
})

test.each([
  ['octo-org', undefined],
  ['octo-org/upload@v1', 'v1.0.0'],
  ['octo-org/upload', 'v1.0.0'],
  ['octo-org/upload@aa', 'v1'],
])('%s %s is refused', (uses, version) => {
  expect(() => writeName(uses, version)).toThrow('usage: npm run docs -- owner/name')
})
