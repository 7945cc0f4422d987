import { expect, jest, test } from '@jest/globals'
import { checkpoints } from '../../../src/files/search-context.ts'
import { groups } from '../../support/grid.ts'
import { onPosix, withLinks } from '../../support/systems.ts'
import { asOrdinaryUser, type Entries, tree } from '../../support/tree.ts'

const entries = { 'packages/app/a.csv': '1', 'report.csv': '2' }

test.each([
  ['', 'report.csv'],
  ['.', 'report.csv'],
  ['packages/app', 'packages/app/a.csv'],
  ['./packages/../packages/app/', 'packages/app/a.csv'],
])('patterns start from %j: %s', async (workingDirectory, found) => {
  await using workspace = await tree(entries)
  expect(await workspace.paths('*.csv', { workingDirectory })).toEqual([found])
})

withLinks('the folder may be a link', async () => {
  await using workspace = await tree({ ...entries, link: '-> packages/app' })
  expect(await workspace.paths('a.csv', { workingDirectory: 'link' })).toEqual(['link/a.csv'])
})

test('the folder may be absolute, and outside the workspace', async () => {
  await using workspace = await tree(entries)
  await using other = await tree('b.csv')
  expect(await workspace.paths('*.csv', { workingDirectory: other.root })).toEqual([
    `${other.shownRoot}/b.csv`,
  ])
})

test.each([
  ['A\u0308pfel/app', '\u00c4pfel/app'],
  ['\u00c4pfel/app', 'A\u0308pfel/app'],
])(
  'the folder is found if the disk spells it otherwise: %s as %s',
  async (onDisk, workingDirectory) => {
    await using workspace = await tree({ [`${onDisk}/a.csv`]: '1' })
    const paths = await workspace.paths('a.csv', { workingDirectory })
    expect(paths.map((found) => found.normalize())).toEqual([`${onDisk}/a.csv`.normalize()])
  },
)

const remedy =
  'The default is the workspace: write a path that starts there, like `packages/app`, without a leading `/`.'
const question = 'Is there a checkout, or a step that creates it, before this step?'

/** The error, with `…` for the folder, and without its remedies. */
async function refused(workingDirectory: string, more: Entries = {}): Promise<string> {
  await using workspace = await tree({ ...entries, ...more })
  const searching = workspace.find('*.csv', { workingDirectory })
  await expect(searching).rejects.toMatchObject({
    problems: [{ title: 'Invalid input: working-directory' }],
  })
  const refusal = await workspace.refusal('*.csv', { workingDirectory })
  return refusal
    .replace(`\`${workingDirectory}\``, '`…`')
    .replace(remedy, '(a path)')
    .replace(question, '(a checkout?)')
    .replace('Was an expression in it empty?', '(an expression?)')
    .replace(oneFolder, '(one folder)')
}
const oneFolder =
  'It is one folder, with `/` between names, and without quotes. It takes no wildcards (they belong in `files`), no `~` and no variables of a shell.'

test('a folder that cannot be is refused', async () => {
  const folders = `
packages/web
report.csv
packages/*
packages/we?
**
~/app
$RUNNER_TEMP
%TEMP%
'packages/app'
"packages/app"
packages/app, packages/web
packages/app-
packages//web
null
${'a'.repeat(300)}
`
  expect(await groups(folders, refused)).toMatchInlineSnapshot(`
"\`working-directory\` is \`…\`, which does not exist. (a path) (a checkout?)
    packages/web
\`working-directory\` is \`…\`, which is not a folder. (a path)
    report.csv
\`working-directory\` is \`…\`, which does not exist. (a path) (one folder)
    packages/*
    packages/we?
    **
    ~/app
    $RUNNER_TEMP
    %TEMP%
    'packages/app'
    "packages/app"
    packages/app, packages/web
\`working-directory\` is \`…\`, which does not exist. (a path) (an expression?)
    packages/app-
    packages//web
\`working-directory\` is \`…\`, which does not exist. (a path) (a checkout?) An expression returned this: does what it names exist, and is it text?
    null
\`working-directory\` is \`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\`, which does not exist. (a path) (a checkout?)
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
`)
})

// On Windows, a backslash separates folders.
onPosix('a backslash in it is refused, with `/` in its place', async () => {
  expect(await refused('packages\\app')).toBe(
    '`working-directory` is `…`, which does not exist. (a path) (one folder)',
  )
})

test.each([
  ['matrix.package', 'is not a GitHub expression. Write `${{ matrix.package }}`.'],
  [
    '${{ matrix.package }}',
    'is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable.',
  ],
])('%s is an expression, unless there is such a folder', async (workingDirectory, text) => {
  await using workspace = await tree(entries)
  expect(await workspace.refusal('*.csv', { workingDirectory })).toBe(
    `\`working-directory\` ${text}`,
  )
  await using other = await tree({ [`${workingDirectory}/a.csv`]: '1' })
  expect(await other.paths('*.csv', { workingDirectory })).toEqual([`${workingDirectory}/a.csv`])
})

withLinks('a loop of links is refused', async () => {
  expect(await refused('loop', { loop: '-> loop' })).toBe(
    '`working-directory` is `…`, which is a symlink that leads back to itself. (a path)',
  )
})

onPosix('a folder below one that may not be opened is refused', async () => {
  await using workspace = await tree(entries)
  workspace.lock('packages')
  await asOrdinaryUser(async () => {
    expect(await workspace.refusal('*.csv', { workingDirectory: 'packages/app' })).toBe(
      `\`working-directory\` is \`packages/app\`, which cannot be read (\`EACCES: permission denied\`). ${remedy}`,
    )
  })
})

test('a workspace that does not exist is refused', async () => {
  await using folder = await tree()
  const refusal = await folder.refusal('*.csv', {
    workspace: `${folder.root}/none`,
    workingDirectory: '',
  })
  expect(refusal).toBe(
    `\`working-directory\` is \`${folder.root}/none\`, which does not exist. ${remedy} ${question}`,
  )
})

test('a checkpoint lets timers fire once work has taken 50 ms, and work before that does not wait', async () => {
  using now = jest.spyOn(performance, 'now').mockReturnValue(1000)
  const checkpoint = checkpoints(new AbortController().signal)
  let fired = false
  setImmediate(() => {
    fired = true
  })
  now.mockReturnValue(1049)
  expect(checkpoint()).toBeUndefined()
  now.mockReturnValue(1050)
  const pause = checkpoint()
  expect(fired).toBe(false)
  await pause
  expect(fired).toBe(true)
  expect(checkpoint()).toBeUndefined()
})
