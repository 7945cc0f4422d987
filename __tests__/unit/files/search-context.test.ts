import { expect, jest, test } from '@jest/globals'
import { checkpoints } from '../../../src/files/search-context.ts'
import { finds, outcome } from '../../support/finds.ts'
import { groups } from '../../support/grid.ts'
import { onPosix, withLinks } from '../../support/systems.ts'
import { asOrdinaryUser, tree } from '../../support/tree.ts'

test('patterns start from the working directory, which may be absolute and outside the workspace', async () => {
  const trees = `
packages/app/a.csv report.csv other/b.csv
*.csv
*.csv | {"workingDirectory":"."}
*.csv | {"workingDirectory":"packages/app"}
*.csv | {"workingDirectory":"./packages/../packages/app/"}
*.csv | {"workspace":"packages","workingDirectory":"TREE/other"}
# An expression, unless there is such a folder.
*.csv | {"workingDirectory":"matrix.package"}
*.csv | {"workingDirectory":"\${{ matrix.package }}"}

matrix.package/a.csv \${{␣matrix.package␣}}/a.csv
*.csv | {"workingDirectory":"matrix.package"}
*.csv | {"workingDirectory":"\${{ matrix.package }}"}
`
  expect(await finds(trees)).toMatchInlineSnapshot(`
"packages/app/a.csv report.csv other/b.csv
*.csv
    report.csv
*.csv | {"workingDirectory":"."}
    report.csv
*.csv | {"workingDirectory":"packages/app"}
    packages/app/a.csv
*.csv | {"workingDirectory":"./packages/../packages/app/"}
    packages/app/a.csv
*.csv | {"workspace":"packages","workingDirectory":"TREE/other"}
    TREE/other/b.csv
# An expression, unless there is such a folder.
*.csv | {"workingDirectory":"matrix.package"}
    Invalid input: working-directory: \`working-directory\` is not a GitHub expression. Write \`\${{ matrix.package }}\`.
*.csv | {"workingDirectory":"\${{ matrix.package }}"}
    Invalid input: working-directory: \`working-directory\` is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable.

matrix.package/a.csv \${{␣matrix.package␣}}/a.csv
*.csv | {"workingDirectory":"matrix.package"}
    matrix.package/a.csv
*.csv | {"workingDirectory":"\${{ matrix.package }}"}
    \${{ matrix.package }}/a.csv"
`)
})

withLinks('the folder may be a link, but no loop of links', async () => {
  const links = `
packages/app/a.csv link->packages/app loop->loop out->..
a.csv | {"workingDirectory":"link"}
a.csv | {"workingDirectory":"loop"}
# The workspace has no path of its own in texts.
out
`
  expect(await finds(links)).toMatchInlineSnapshot(`
"packages/app/a.csv link->packages/app loop->loop out->..
a.csv | {"workingDirectory":"link"}
    link/a.csv -> packages/app/a.csv
a.csv | {"workingDirectory":"loop"}
    Invalid input: working-directory: \`working-directory\` is \`loop\`, which is a symlink that leads back to itself. The default is the workspace: write a path that starts there, like \`packages/app\`, without a leading \`/\`.
# The workspace has no path of its own in texts.
out
    A file must not be sent: \`out\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself."
`)
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
async function refused(workingDirectory: string): Promise<string> {
  await using workspace = await tree('packages/app/a.csv report.csv')
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

onPosix('a backslash in it is refused, and a workspace that does not exist', async () => {
  const tree = String.raw`
packages/app/a.csv
*.csv | {"workingDirectory":"packages\\app"}
*.csv | {"workspace":"none"}
`
  expect(await finds(tree)).toMatchInlineSnapshot(`
"packages/app/a.csv
*.csv | {"workingDirectory":"packages\\\\app"}
    Invalid input: working-directory: \`working-directory\` is \`packages\\app\`, which does not exist. The default is the workspace: write a path that starts there, like \`packages/app\`, without a leading \`/\`. It is one folder, with \`/\` between names, and without quotes. It takes no wildcards (they belong in \`files\`), no \`~\` and no variables of a shell.
*.csv | {"workspace":"none"}
    Invalid input: working-directory: \`working-directory\` is \`TREE/none\`, which does not exist. The default is the workspace: write a path that starts there, like \`packages/app\`, without a leading \`/\`. Is there a checkout, or a step that creates it, before this step?"
`)
})

onPosix('a folder below one that may not be opened is refused', async () => {
  await using workspace = await tree('packages/app/a.csv')
  workspace.lock('packages')
  const line = '*.csv | {"workingDirectory":"packages/app"}'
  await asOrdinaryUser(async () => {
    expect(await outcome(workspace, line)).toContain(
      '`packages/app`, which cannot be read (`EACCES: permission denied`).',
    )
  })
})

test('a checkpoint lets timers fire once work has taken 50 ms, and work before that does not wait', async () => {
  using now = jest.spyOn(performance, 'now').mockReturnValue(1000)
  const controller = new AbortController()
  const checkpoint = checkpoints(controller.signal)
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
  controller.abort(new Error('time is up'))
  expect(checkpoint).toThrow('time is up')
})
