import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { quoted } from '../../../src/text/text.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

/** `a.csv b/`, or with content. */
const entriesOf = (names: string | Entries): Entries =>
  typeof names === 'string'
    ? Object.fromEntries(names.split(' ').map((name) => [name, '1']))
    : names

/** The explanations of the lines, none of which finds a file. */
async function explanations(
  entries: string | Entries,
  lines: string,
  options = {},
): Promise<readonly string[]> {
  await using workspace = await tree(entriesOf(entries))
  const { files, unmatched } = await workspace.find(lines, options)
  expect(files).toEqual([])
  return unmatched.map(({ explanation = [] }) => explanation.map(quoted).join('\n'))
}

type Row = readonly [entries: string | Entries, line: string, explanation: string]
const expectExplanation = async (...[entries, line, explanation]: Row) =>
  expect(await explanations(entries, line)).toEqual([explanation])
const expectLastLine = async (...[entries, line, lastLine]: Row) =>
  expect((await explanations(entries, line))[0]?.split('\n').at(-1)).toBe(lastLine)

const reports =
  'README.md .github/ci.yml app/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/Summary.txt reports/.hidden.json reports/.out/c.json'
const unitCsv = '`reports/unit/a.csv`, `reports/unit/b.csv`'
const inReports =
  'Searched `reports`, which holds `Summary.txt`, `unit`, `.hidden.json` and 1 more.'
const workspaceHolds = 'the workspace holds `README.md`, `app`, `reports` and 1 more.'
const howToSendHidden =
  'To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.'
const excludes = 'A line with `!` excludes wherever it stands.'
const notWritten =
  'Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.'
const meant = (pattern: string, found?: string) =>
  `Did you mean \`${pattern}\`?${found === undefined ? '' : ` It finds ${found}.`}`
const deeper = (pattern: string, found?: string) =>
  `Only \`**/\` searches the folders below. ${meant(pattern, found)}`
const caseMatters = (pattern: string, found?: string) =>
  `Upper and lower case matter. ${meant(pattern, found)}`
const onlyFolders = (pattern: string, found: string) =>
  `It matches only folders. ${meant(pattern, found)}`
const onlyPath = (pattern: string, found?: string) =>
  `A line holds only a path or a pattern. ${meant(pattern, found)}`
const diskRoot = (pattern: string, found?: string) =>
  `A leading \`/\` is the root of the runner's disk: was an expression before it empty? ${meant(pattern, found)}`
const similar = (pattern: string, ...found: readonly string[]) =>
  `Similar files: ${found.map((file) => `\`${file}\``).join(', ')}. If that is meant, write \`${pattern}\`.`
const start = (pattern: string, found?: string) =>
  `Patterns start in the workspace, or in \`working-directory\`. ${meant(pattern, found)}`

describe('a line that matches nothing is explained by the folder searched, what is there, and what was probably meant', () => {
  test.each<Row>([
    [
      reports,
      'reports/unit/*.xml',
      `Searched \`reports/unit\`, which holds \`a.csv\`, \`b.csv\`.\n${notWritten}`,
    ],
    [reports, 'build/out/**', `There is no \`build\`: ${workspaceHolds}\n${notWritten}`],
    [
      reports,
      '{build,out}/*.csv',
      `Searched the workspace, which holds \`README.md\`, \`app\`, \`reports\` and 1 more.\n${notWritten}`,
    ],
    [
      reports,
      'reports/coverage.csv',
      `There is no \`reports/coverage.csv\`: \`reports\` holds \`Summary.txt\`, \`unit\`, \`.hidden.json\` and 1 more.\n${similar('app/coverage.csv', 'app/coverage.csv')}\n${notWritten}`,
    ],
    [reports, 'reports/*.csv', deeper('reports/**/*.csv', unitCsv)],
    [
      reports,
      'reports/**/api/*.csv',
      `${inReports}\nSkipped: \`reports/.out/\` is a hidden folder. ${howToSendHidden}\n${notWritten}`,
    ],
    [
      reports,
      'reports/**/*.json',
      `\`reports/.hidden.json\` is a hidden file; \`reports/.out/\` is a hidden folder. ${howToSendHidden}`,
    ],
    [
      reports,
      'reports/unit/*\n!reports/unit',
      `\`reports/unit\` is excluded by \`!reports/unit\`. ${excludes}`,
    ],
    [
      reports,
      '{README.md,app/*.csv}\n!{app,*}/*\n!*.md',
      `\`README.md\` is excluded by \`!*.md\`; \`app/coverage.csv\` is excluded by \`!{app,*}/*\`. ${excludes}`,
    ],
    [reports, 'README.md/*', '`README.md` is a file, not a folder.'],
    [
      {},
      'reports/*.csv',
      'There is no `reports`: the workspace holds nothing.\nNothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?',
    ],
  ])('%j: %s', expectExplanation)

  const emptyFolders = { 'a.txt': '1', 'r/x/y/': '' }
  test.each<Row>([
    // A file of this name elsewhere is more likely than one of a similar name.
    ['coverages.csv app/coverage.csv', 'coverage.csv', deeper('app/coverage.csv')],
    ['x/a[1].csv y/a1.csv', 'a[[]1].csv', deeper('**/a[[]1].csv', '`x/a[1].csv`')],
    // Any folder can hold a CSV file.
    ['b/1.csv', 'a/*.csv', notWritten],
    // A name can be that of a folder.
    [
      'a.csv b.csv c.csv d.csv',
      '*.csv\n!*.csv',
      `\`a.csv\` is excluded by \`!*.csv\`; \`b.csv\` is excluded by \`!*.csv\`; \`c.csv\` is excluded by \`!*.csv\` and 1 more. ${excludes}`,
    ],
    ['.a/b/1.csv .a/c/2.csv', '**/*.csv', notWritten],
    ['a.csv', 'none/*', notWritten],
    // Hidden files are no hint.
    [reports, 'none/*.json', notWritten],
    ...['r/', 'r/*'].map((line): Row => [emptyFolders, line, notWritten]),
    ['a/b/1.csv', '**.csv', deeper('**/*.csv', '`a/b/1.csv`')],
    ['a/x/1.csv b/1.csv', 'a/*.csv\n!a/x', notWritten],
    ['a.csv', '{,}', 'It matches no path at all.'],
    [
      'node_modules/far.csv node_modules.old/far.csv',
      '*.csv',
      deeper('**/*.csv', '`node_modules.old/far.csv`'),
    ],
    ['reports/a.csv', 'reports/{b..z}.csv', notWritten],
  ])('%.40j: %j', expectLastLine)

  onLinux.each<Row>([
    ['summary.txt', 'Summary.txt', caseMatters('summary.txt')],
    ['app/a.csv', 'App', caseMatters('app', '`app/a.csv`')],
    [reports, 'reports/summary.*', caseMatters('reports/Summary.*', '`reports/Summary.txt`')],
  ])('%s: %s', expectLastLine)

  const brokenLink =
    '`b.csv` is a broken symlink. Does an earlier step create what such a symlink points to?'
  withLinks.each<Row>([
    [
      { '.a.csv': '1', 'b.csv': '-> none' },
      '*.csv',
      `\`.a.csv\` is a hidden file; ${brokenLink.replace('. ', `. ${howToSendHidden} `)}`,
    ],
    [
      { 'a.txt': '1', 'b.csv': '-> a.txt' },
      '*.csv\n!a.txt',
      `\`b.csv\` is excluded by \`!a.txt\`. ${excludes}`,
    ],
    [{ 'b.csv': '-> none' }, 'b.csv', brokenLink],
    [{ 'b.csv': '-> none' }, 'b.csv/*', brokenLink],
  ])('%j: %s', expectExplanation)

  const spelled =
    'reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env'
  const inReportsCsv = '`reports/coverage.csv`, `reports/part-1.csv`'
  test.each<Row>([
    [spelled, 'reports/covrage.csv', meant('reports/coverage.csv')],
    [
      spelled,
      'reports/**/*.cvs',
      meant('reports/**/*.csv', `${inReportsCsv}, \`reports/unit/a.csv\` and 1 more`),
    ],
    [spelled, 'reports/c*.cvs', meant('reports/c*.csv', '`reports/coverage.csv`')],
    [spelled, '**/*.xnl', meant('**/*.xml', '`coverage/app.xml`')],
    [spelled, 'report/*.csv', meant('reports/*.csv', inReportsCsv)],
    [spelled, 'report/coverage.csv', meant('reports/coverage.csv')],
    [spelled, 'reprots/notes.txt', meant('reports/notes.txt')],
    [spelled, 'covrage/*.xls', meant('coverage/**', '`coverage/app.cs`, `coverage/app.xml`')],
    [spelled, '/reports/part*', diskRoot('reports/part*', '`reports/part-1.csv`')],
    [spelled, '/no/r/r/reports/unit/*', start('reports/unit/*', unitCsv)],
    [spelled, '/github/workspace/reports/part-1.csv', start('reports/part-1.csv')],
    [spelled, '~/reports/unit/*', start('reports/unit/*', unitCsv)],
    [spelled, 'reports/coverage.csv:Title', onlyPath('reports/coverage.csv')],
    [spelled, 'reports/coverage.csv => a.csv', onlyPath('reports/coverage.csv')],
  ])('%s: %s', expectExplanation)

  onPosix.each([
    [
      '/none.csv',
      "A leading `/` is the root of the runner's disk: was an expression before it empty?",
    ],
    ['~/none.csv', notWritten],
  ])('%s is missing outside the workspace', async (line, hint) => {
    const [explanation] = await explanations(spelled, line)
    const missing = line.replace('~', homedir())
    expect(explanation).toBe(`There is no \`${missing}\`.\n${hint}`)
  })

  const others =
    'reports/part-2.csv .reports/a.txt reports/note.txt/*.csv reports/xyz.csv reports/*.json reports/not.txt /no-such-folder/*.csv coverage/*.csv coverage/*.yml reports/*.t reports/*.cab unt/*.csv env'
  test.each(others.split(' '))('no guess, if nothing has almost the name: %s', async (line) => {
    expect((await explanations(spelled, line))[0]).not.toContain('Did you mean')
  })
})

describe('what people write by mistake', () => {
  const entries: Entries = {
    'README.md': '1',
    'reports/unit.csv': '2',
    'reports/api.xml': '3',
    'reports/Test Result.csv': '4',
    'packages/a/coverage/a.csv': '5',
    'packages/a/Outer$Inner.class': '6',
    'shot 1.png': '7',
    'empty/': '',
  }
  const holds = 'the workspace holds `README.md`, `empty`, `packages` and 2 more'
  const onePerLine =
    'write one pattern per line below `files: |` (`files: >` joins the lines), or a JSON list such as `["a.csv", {"path": "b.csv"}]`.'
  const onePattern = (line: string) =>
    `\`${line}\` is one pattern. If several are meant, ${onePerLine}`
  const oneWithMore = (part: string) =>
    `\`${part}\` with what follows is one pattern. If several are meant, ${onePerLine}`
  const noPath = (line: string) =>
    `\`${line}\` is not a path. To post text, use \`comment\`. For several patterns, ${onePerLine}`
  const noList = `looks like a list, but is not valid JSON: ${onePerLine}`
  const writeSlashes = '`\\` makes the character after it literal: write `/` between folders.'
  const withSlashes = (pattern: string) =>
    `\`\\\` makes the character after it literal. ${meant(pattern, '`reports/Test Result.csv`, `reports/unit.csv`')}`
  const emptyExpression = 'suggests that an expression in this path was empty.'
  const literally =
    'is taken literally: no shell reads this text. Write an expression, such as `${{ github.workspace }}` or `${{ env.NAME }}`, or `${{ steps.ID.outputs.NAME }}` for what an earlier step finds out.'
  const notReplaced = (expression: string) =>
    `\`${expression}\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.`
  const atStart = '`-` has no meaning at the start of a line: remove it, or write `!` to exclude.'
  const severalPatterns = [
    'reports/unit.csv or reports/api.xml',
    'reports/unit.csv + README.md',
    'README.md, reports/unit.csv',
    'reports/unit.csv reports/api.xml',
    'a.csv;b.csv,',
    'out/unit.csv out/api.xml',
    '*.txt, *.xml',
    '"reports/unit.csv" "README.md"',
    "README.md 'reports/Test Result.csv'",
  ]
  const noPaths = ['reports packages', 'All tests passed: 12 of 12', 'F0123,F9876']
  const inReportsFolder = '`reports/Test Result.csv`, `reports/api.xml`, `reports/unit.csv`'
  const inPackage = '`packages/a/coverage/a.csv`'
  test.each(
    Object.entries({
      ...Object.fromEntries(severalPatterns.map((line) => [line, onePattern(line)])),
      ...Object.fromEntries(noPaths.map((line) => [line, noPath(line)])),
      'reports/*.csv # note':
        '`# note` is taken as part of the name: only a whole line can be a comment.',
      'report*': onlyFolders('report*/**', inReportsFolder),
      './packages/*': onlyFolders('packages/**', `\`packages/a/Outer$Inner.class\`, ${inPackage}`),
      'packages/*/coverage': onlyFolders('packages/*/coverage/**', inPackage),
      'packages/*/': onlyFolders('packages/*/**', `\`packages/a/Outer$Inner.class\`, ${inPackage}`),
      '- reports/*.csv': atStart,
      '-reports/unit.csv': atStart,
      '^reports/unit.csv': atStart.replace('-', '^'),
      'not reports/unit.csv': atStart.replace('-', 'not'),
      '[reports/*.csv, logs/*.log]': `\`[\` ${noList}`,
      "['reports/*.csv']": `\`['\` ${noList}`,
      "{'path': 'README.md'}": `\`{'\` ${noList}`,
      'reports/unit.csv\\nREADME.md':
        '`\\n` is two characters in an expression. For a line break, write `fromJSON(\'"\\n"\')`.',
      'reports/unit.csv\\nreports/api.xml':
        '`\\n` is two characters in an expression. For a line break, write `fromJSON(\'"\\n"\')`.',
      'D:\\a\\r\\r\\reports\\*.csv': withSlashes('reports/*.csv'),
      'reports\\*.csv': withSlashes('reports/*.csv'),
      'out/*.csv, README': oneWithMore('out/*.csv,'),
      'reports/unit;README.md': oneWithMore('reports/unit;'),
      'none\\*.csv': writeSlashes,
      'packages//reports': `\`//\` ${emptyExpression}`,
      'packages/{}/a.csv': `\`{}\` ${emptyExpression}`,
      'reports/.csv': `\`.csv\` ${emptyExpression}`,
      '${{ inputs.path }}/a.csv': notReplaced('${{ inputs.path }}'),
      '{{ github.workspace }}/reports/unit.csv': notReplaced('{{ github.workspace }}'),
      'github.workspace/reports/*.csv': notReplaced('github.workspace'),
      'steps.find.outputs.files': notReplaced('steps.find.outputs.files'),
      'matrix.file': notReplaced('matrix.file'),
      'inputs.dir/unit.csv': notReplaced('inputs.dir'),
      'github.sha.csv': notReplaced('github.sha'),
      'github.event.inputs.file': notReplaced('github.event.inputs.file'),
      ...Object.fromEntries(
        ['null', 'undefined/unit.csv', 'reports/null', '[object Object]', 'Array'].map((line) => [
          line,
          `\`${line.replace(/\/unit.csv|reports\//, '')}\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.`,
        ]),
      ),
      'https://example.com/a.csv':
        '`https:` begins a URL: write the path of a file, which an earlier step can download.',
      'none-$(date +%F).csv': `\`$(date +%F)\` ${literally}`,
      '$(pwd)/reports/*.csv': `\`$(pwd)\` ${literally}`,
      '`pwd`/*.csv': `\`\`pwd\`\` ${literally}`,
      '$GITHUB_WORKSPACE/README.md': `\`$GITHUB_WORKSPACE\` ${literally}`,
      '${RUNNER_TEMP}/a.csv': `\`\${RUNNER_TEMP}\` ${literally}`,
      '$env:USERPROFILE/a.csv': `\`$env:USERPROFILE\` ${literally}`,
      '%OUT%/a.csv': `\`%OUT%\` ${literally}`,
      '“out/*.csv”': '`“out/*.csv”` has quotes, which count as part of the name: remove them.',
      "'out/*.csv'": "`'out/*.csv'` has quotes, which count as part of the name: remove them.",
      'README.md/': '`README.md` is a file, not a folder.',
      'shot%201.png': meant('shot 1.png'),
      // What is on the disk comes before what a name contains.
      'reports/Test Results.csv': meant('reports/Test Result.csv'),
      'packages/a/Outer$Iner.class': meant('packages/a/Outer$Inner.class'),
      ...Object.fromEntries(
        ['packages/a/Outer$Inner.class', 'reports/Test Result.csv'].map((file) => {
          const line = `out/${path.basename(file)}`
          return [line, `There is no \`out\`: ${holds}.\n${similar(file, file)}\n${notWritten}`]
        }),
      ),
      'empty/*.csv': `Searched \`empty\`, which holds nothing.\n${notWritten}`,
      '!*.csv\n# *':
        '`files` has only lines with `!`, which exclude files. Add what to send, such as `reports/**/*.csv`.',
      ' \n# *.csv': '`files` has no pattern. Does it come from an expression that is empty?',
      '[]': '`files` has no pattern. Does it come from an expression that is empty?',
    }),
  )('%s', (line, explanation) => expectExplanation(entries, line, explanation))

  test.each([
    ['reports/!(unit).csv', '!('],
    ['reports/*.@(csv|xml)', '@('],
    ['+(unit|api).csv', '+('],
    ['reports/*.{csv|xml}', '|'],
    ['*.(csv|xml)', '|'],
    ['a.csv && b.csv', '&&'],
    ['“out/*.csv', '“'],
    ['{unit,api.csv', '{unit,api.csv', 'is not closed'],
    ['reports/[unit.csv', '[unit.csv', 'is not closed'],
  ])(
    '%s is told what patterns support',
    async (line, what, why = 'has no special meaning here') => {
      const [explanation = ''] = await explanations(entries, line)
      const language =
        'A line is one pattern, and patterns support `*`, `**`, `?`, `[a-z]`, `{a,b}`, `\\` to take the next character literally (not on Windows), and `!` at the start of a line to exclude.'
      expect(explanation).toBe(`\`${what}\` ${why}. ${language}`)
    },
  )

  test.each([
    ['out/[ab].csv$', '$'],
    ['reports/.*\\.csv', '.*'],
    ['^reports/.*csv', '.*'],
    ['reports/.*', '.*'],
    ['.+', '.+'],
    ['[a-z]+.csv', ']+'],
    ['out/\\w+.csv', '\\w'],
    ['(.*).csv', '(.*'],
  ])('%s is told that it looks like a regular expression', async (line, what) => {
    const [explanation] = await explanations(entries, line)
    expect(explanation).toBe(
      `\`${what}\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.`,
    )
  })

  test.each([
    'report (1).csv',
    'a@2x.csv',
    'a+b.csv',
    'coverage.*',
    '*.csv.*',
    'matrix.csv',
    'env.txt',
    'runner.log',
    'inputs.zip',
    // A name can contain spaces.
    'src/My Reports/Final.csv',
    'My Reports/Final.csv',
  ])('%s is a pattern as it should be', async (line) => {
    const [explanation] = await explanations({ 'x/y.txt': '1' }, line)
    expect(explanation?.split('\n').at(-1)).toBe(notWritten)
  })
})

test('ten lines are explained, first those that name a file', async () => {
  await using workspace = await tree({})
  const lines = Array.from({ length: 300 }, (_, index) => `missing/${index}/*.csv`)
  const names = Array.from({ length: 4 }, (_, index) => `missing/${index}.csv`)
  const { unmatched } = await workspace.find([...lines, ...names].join('\n'))
  const explained = unmatched.filter(({ explanation }) => explanation).map(({ pattern }) => pattern)
  expect(explained).toEqual([...lines.slice(0, 6), ...names])
  expect(unmatched.map(({ literal, pattern }) => (literal ? '' : pattern))).toEqual([
    ...lines,
    ...names.map(() => ''),
  ])
})

test('** in a part of a name gets a notice if there are files in the folders below', async () => {
  await using workspace = await tree({
    'r/a.csv': '1',
    'r/b/c.csv': '2',
    'r/b/d.csv': '3',
    's/a.csv': '4',
  })
  const { files, problems } = await workspace.find('r/**.csv\ns/**.csv\n!**/d.csv')
  expect(files.map((file) => file.path)).toEqual(['r/a.csv', 's/a.csv'])
  expect(problems.map((problem) => [problem.level, quoted(problem.text)])).toEqual([
    [
      'notice',
      '`r/**.csv` leaves out `r/b/c.csv`: `**` searches folders only between slashes. To search them too, write `r/**/*.csv`.',
    ],
  ])
})

test.each([
  ['**/surefire-reports/**.xml', 'app/surefire-reports/a.xml'],
  ['reports/detekt/**/**.xml', 'reports/detekt/a.xml reports/detekt/main/b.xml'],
  ['**/target/**.jar', 'a/target/a.jar b/target/b.jar b/libs/c.jar'],
])('** in a part of a name gets no notice if nothing is left out: %s', async (line, entries) => {
  await using workspace = await tree(entriesOf(entries))
  expect(await workspace.find(line)).toMatchObject({ unmatched: [], problems: [] })
})

test('** in a part of a name gets no notice about a file that was skipped', async () => {
  await using workspace = await tree({ 'r/a.csv': '1', 'r/empty.csv': '' })
  const { problems, skipped } = await workspace.find('r/**.csv', { method: 'external' })
  expect(skipped.map((file) => file.path)).toEqual(['r/empty.csv'])
  expect(problems).toEqual([])
})

test('the notice about ** keeps the folders before the last name', async () => {
  await using workspace = await tree(entriesOf('a/target/a.jar a/target/libs/b.jar'))
  const { problems } = await workspace.find('**/target/**.jar')
  expect(problems.map((problem) => quoted(problem.text))).toEqual([
    '`**/target/**.jar` leaves out `a/target/libs/b.jar`: `**` searches folders only between slashes. To search them too, write `**/target/**/*.jar`.',
  ])
})

test('a line without a file is explained once, although something was skipped', async () => {
  await using workspace = await tree(entriesOf('r/b/c.xml .github/a.yml'))
  const { problems, unmatched } = await workspace.find('**/r/**.xml')
  expect(unmatched).toHaveLength(1)
  expect(problems).toEqual([])
})

describe('a line with ! that excludes nothing', () => {
  const instead = (line: string, found: string, meant: string) =>
    `\`${line}\` excludes nothing. To exclude \`${found}\`, write \`${meant}\`.`
  test.each([
    ['!unit.csv', instead('!unit.csv', 'r/unit.csv', '!**/unit.csv')],
    ['!./unit.csv', instead('!./unit.csv', 'r/unit.csv', '!**/unit.csv')],
    ['!/unit.*', instead('!/unit.*', 'r/unit.csv', '!**/unit.*')],
    ['!"r/unit.csv"', instead('!"r/unit.csv"', 'r/unit.csv', '!**/r/unit.csv')],
    ['!“r/unit.csv”', instead('!“r/unit.csv”', 'r/unit.csv', '!**/r/unit.csv')],
    ["!'unit.csv' # note", instead("!'unit.csv' # note", 'r/unit.csv', '!**/unit.csv')],
    ['!r/u* # not this', instead('!r/u* # not this', 'r/unit.csv', '!**/r/u*')],
    ['!r/untt.csv'],
    ['!r/tmp/**'],
    ['!/x'],
  ])('%s', async (line, ...notices) => {
    await using workspace = await tree({ 'r/unit.csv': '1', 'r/api.csv': '2', 'd/tmp/a.csv': '3' })
    const found = await workspace.find(`r/*\n${line}\n!r/api.csv`)
    expect(found.files.map((file) => file.path)).toEqual(['r/unit.csv'])
    expect(found.idle).toEqual([line])
    expect(found.problems.map((problem) => [problem.level, quoted(problem.text)])).toEqual(
      notices.map((text) => ['notice', text]),
    )
  })
})

describe('of what lies outside the workspace, nothing is named', () => {
  test.each(['/no-such-folder/*.log', `${tmpdir()}/no-such-folder/*.log`])('%s', async (line) => {
    const [found] = await explanations('a.csv', line)
    expect(found).toMatch(/^There is no `[^`]*no-such-folder`\.\n/)
    expect(found).not.toMatch(/holds|There is `|Did you mean/)
  })

  /** The explanation of a line in a workspace that has a neighbor. */
  async function explanationBeside(entries: Entries, line: string): Promise<string> {
    await using outside = await tree(entries)
    const workspace = path.join(outside.root, 'workspace')
    const { files, unmatched } = await outside.find(line, {
      workspace,
      workingDirectory: workspace,
    })
    expect([files.length, unmatched.length]).toEqual([0, 1])
    return (unmatched[0]?.explanation ?? []).map(quoted).join('\n')
  }
  const beside = { 'other/secrets.txt': '1', 'workspace/a': '1' }
  const nothingNamed = /^(?!.*(?:secrets|holds|There is `|Did you mean))/s

  // Where case does not matter, it is found.
  const otherCase = process.platform === 'linux' ? ['../Other/*.txt'] : []
  test.each(['../reports/*.csv', '../secret.txt', '../other/*.csv', '../othr/*.txt', ...otherCase])(
    '%s',
    async (line) => {
      expect(await explanationBeside(beside, line)).toMatch(nothingNamed)
    },
  )

  withLinks('a link that leads out of it', async () => {
    const entries = { ...beside, 'workspace/link': '-> ../other' }
    expect(await explanationBeside(entries, 'link/*.csv')).toMatch(nothingNamed)
  })

  test('but what lies in it', async () => {
    const found = await explanationBeside({ 'workspace/reports/a.csv': '1' }, '../reports/*.csv')
    expect(found).toBe(start('reports/*.csv', '`reports/a.csv`'))
  })
})

test('what is missing in the working directory is named from the workspace on', async () => {
  await using workspace = await tree(entriesOf(reports))
  const workingDirectory = path.join(workspace.root, 'reports')
  const [missing] = (await workspace.find('coverage.csv', { workingDirectory })).unmatched
  expect(missing?.explanation?.map(quoted)[0]).toContain('There is no `reports/coverage.csv`')
  const [outside] = (await workspace.find('../../no-such-folder/*', { workingDirectory })).unmatched
  expect(outside?.explanation?.map(quoted)[0]).toMatch(/^There is no `[^`]*no-such-folder`\.$/)
})

onWindows('a drive that is missing is named', async () => {
  const found = await explanations(reports, 'Q:\\reports\\*.xml')
  expect(found).toEqual([expect.stringMatching(/^There is no `Q:\/reports`/)])
})

test('many lines are explained by one search of the workspace', async () => {
  const files = Array.from({ length: 300 }, (_, index) => `data/${index}/report.csv`).join(' ')
  await using workspace = await tree(entriesOf(files))
  const entriesSeen = async (count: number) => {
    let seen = 0
    const signal = { ...new AbortController().signal, throwIfAborted: () => void seen++ }
    const lines = Array.from({ length: count }, (_, index) => `none/x${index}/reprot.cvs`)
    await workspace.find(lines.join('\n'), { signal })
    return seen
  }
  expect((await entriesSeen(10)) - (await entriesSeen(1))).toBeLessThan(300)
})

test('a file of the workspace is found from a working directory', async () => {
  await using workspace = await tree(entriesOf('reports/unit.csv app/src/a.ts app/out/b.csv'))
  const workingDirectory = path.join(workspace.root, 'app')
  const explanation = async (line: string) => {
    const { unmatched } = await workspace.find(line, { workingDirectory })
    return unmatched[0]?.explanation?.map(quoted).join('\n')
  }
  const startsIn = 'Patterns start in `working-directory`.'
  expect(await explanation('reports/unit.csv')).toBe(
    `${startsIn} ${meant('../reports/unit.csv', '`reports/unit.csv`')}`,
  )
  expect(await explanation('reports/*.csv')).toBe(
    `${startsIn} ${meant('../reports/*.csv', '`reports/unit.csv`')}`,
  )
  expect(await explanation('out/*.cvs')).toBe(meant('out/*.csv', '`app/out/b.csv`'))
  expect(await explanation('app/out/b.csv')).toBe(
    `${startsIn} ${meant('out/b.csv', '`app/out/b.csv`')}`,
  )
  expect(await explanation('../report/unit.csv')).toBe(
    meant('../reports/unit.csv', '`reports/unit.csv`'),
  )
})

describe('what an object of a JSON list names', () => {
  test.each([
    ['unit.csv', `Only \`**/\` searches the folders below. ${meant('reports/unit.csv')}`],
    [
      'reports/*.csv',
      `A \`path\` takes no wildcards. ${meant('"reports/*.csv"', '`reports/unit.csv`')}`,
    ],
    ['reports/unti.csv', meant('reports/unit.csv')],
  ])('%s is found as a file, or as a pattern in quotes', async (file, explanation) => {
    const line = JSON.stringify([{ path: file }])
    expect(await explanations('reports/unit.csv README.md', line)).toEqual([explanation])
  })
})

describe('a name is found', () => {
  const files: Entries = {
    'reports/unit.csv': '1',
    'reports/.out/e2e.json': '1',
    'packages/app/reports/p.csv': '1',
    'logs/app.log': '1',
    'shot 1.png': '1',
    'shot 2.png': '1',
  }
  test.each([
    ['reports/unit].csv', meant('reports/unit.csv')],
    ['reports/unit csv', meant('reports/unit.csv')],
    ['reports/unit-.csv', meant('reports/unit.csv')],
    ['reports /unit.csv', meant('reports/unit.csv')],
    ['reports/.out/e2e.jsno', meant('reports/.out/e2e.json')],
    ['shot_1.png', meant('shot 1.png')],
    ['repots/unti.csv', meant('reports/unit.csv')],
    ['packages/*/report/*.csv', meant('packages/*/reports/*.csv', '`packages/app/reports/p.csv`')],
    ['*.LOG', meant('**/*.log', '`logs/app.log`')],
    [
      'reports\\unit.csv',
      `\`\\\` makes the character after it literal. ${meant('reports/unit.csv')}`,
    ],
    ['/unit.csv', diskRoot('reports/unit.csv')],
    ['logs/**/', `It matches only folders. ${meant('logs/**', '`logs/app.log`')}`],
    ...[
      'cov: reports/unit.csv',
      'path=@reports/unit.csv',
      '"reports/unit.csv',
      '`reports/unit.csv`',
      'reports/unit.csv;',
    ]
      .concat([
        'reports/unit.csv -> b.csv',
        'reports/unit.csv as b.csv',
        'reports/unit.csv#Unit',
        'reports/unit.csv:',
      ])
      .map((line) => [line, onlyPath('reports/unit.csv')] as const),
  ])('%s', async (line, explanation) => {
    expect(await explanations(files, line)).toEqual([explanation])
  })

  // What is excluded, or another file, is not offered.
  test.each([
    'not reports/unit.csv',
    '-reports/unit.csv',
    'reports/!(unit).csv',
    'reports/unit.csv.gz',
    'reports/unit.csv or logs/api.log',
    'shot 3.png',
  ])('but not for %s', async (line) => {
    expect((await explanations(files, line))[0]).not.toMatch(/Did you mean|is meant/)
  })

  test('but not if it cannot be sent', async () => {
    await using workspace = await tree({ 'out/empty.csv': '', 'keys/id_rsa': '1' })
    const { unmatched } = await workspace.find('empty.csv\nid_rsa', { method: 'external' })
    expect(unmatched.map(({ explanation }) => explanation?.map(quoted)[1])).toEqual([
      notWritten,
      notWritten,
    ])
  })
})

test('what is there comes before a file that may be another one', async () => {
  const files = 'dist/app.js test/fixtures/report.csv src/reports/a.csv'
  expect(await explanations(files, 'dist/report.csv')).toEqual([
    `There is no \`dist/report.csv\`: \`dist\` holds \`app.js\`.\n${similar('test/fixtures/report.csv', 'test/fixtures/report.csv')}\n${notWritten}`,
  ])
  expect(await explanations(files, 'dist/reports/*.csv')).toEqual([
    `There is no \`dist/reports\`: \`dist\` holds \`app.js\`.\n${similar('**/reports/*.csv', 'src/reports/a.csv')}\n${notWritten}`,
  ])
})
