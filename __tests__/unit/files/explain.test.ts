import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { FindOptions } from '../../../src/files/search-context.ts'
import { quoted } from '../../../src/text/text.ts'
import { onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'
import { rows } from '../../support/with-inputs.ts'

/** `a.csv b/`, or with content. */
const entriesOf = (names: string | Entries): Entries =>
  typeof names === 'string'
    ? Object.fromEntries(names.split(' ').map((name) => [name, '1']))
    : names

/** A member for each line. */
const eachIs = (...given: Parameters<typeof rows>) => Object.fromEntries(rows(...given))

/**
 * The explanations of the lines, none of which finds a file.
 *
 * @param options of the search, with `workspace` as a folder of these entries
 */
async function explanations(
  entries: string | Entries,
  lines: string,
  { workspace = '', ...options }: Partial<FindOptions> = {},
): Promise<readonly string[]> {
  await using disk = await tree(entriesOf(entries))
  const given = { ...options, workspace: path.join(disk.root, workspace) }
  const { files, unmatched } = await disk.find(lines, given)
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
/** What a line is told to write, whatever else is said. */
const expectOffer = async (...[entries, line, offer]: Row) => {
  const [explanation = ''] = await explanations(entries, line)
  const offers = explanation.split('\n').filter((said) => said.startsWith('Similar'))
  expect(offers.join('\n')).toBe(offer)
}
const similar = (files: string) => `Similar: ${files}.`
const meant = (file: string) => similar(`\`${file}\``)

describe('a line that matches nothing is explained by the folder searched, what is there, and what was probably meant', () => {
  test.each(
    Object.entries({
      'reports/unit/*.xml': `Searched \`reports/unit\`, which holds \`a.csv\`, \`b.csv\`.\n${notWritten}`,
      'build/out/**': `There is no \`build/out\`: ${workspaceHolds}\n${notWritten}`,
      '{build,out}/*.csv': `Searched the workspace, which holds \`README.md\`, \`app\`, \`reports\` and 1 more.\n${notWritten}`,
      'reports/coverage.csv': `There is no \`reports/coverage.csv\`: \`reports\` holds \`Summary.txt\`, \`unit\`, \`.hidden.json\` and 1 more.\n${meant('app/coverage.csv')}\n${notWritten}`,
      'reports/*.csv': `${inReports}\n${similar(unitCsv)}\n${notWritten}`,
      'reports/**/none/*.csv': `${inReports}\n${notWritten}\nNot searched: \`reports/.out/\` is a hidden folder. ${howToSendHidden}`,
      'reports/**/*.json': `\`reports/.hidden.json\` is a hidden file. ${howToSendHidden}`,
      'reports/unit/*\n!reports/unit': `\`reports/unit/\` is excluded by \`!reports/unit\`. ${excludes}`,
      '{README.md,app/*.csv}\n!{app,*}/*\n!*.md': `\`README.md\` is excluded by \`!*.md\`; \`app/coverage.csv\` is excluded by \`!{app,*}/*\`. ${excludes}`,
      'README.md/*': '`README.md` is a file, not a folder. Leave out the `/` and what follows it.',
    }),
  )('%j: %s', (line, explanation) => expectExplanation(reports, line, explanation))

  test('in an empty workspace, something was not put into it', () =>
    expectExplanation(
      {},
      'reports/*.csv',
      'There is no `reports`: the workspace holds nothing.\nNothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?',
    ))

  test.each<Row>([
    // Any folder can hold a CSV file.
    ['b/1.csv', 'a/*.csv', notWritten],
    [
      'a.csv b.csv c.csv d.csv',
      '*.csv\n!*.csv',
      `\`a.csv\` is excluded by \`!*.csv\`; \`b.csv\` is excluded by \`!*.csv\`; \`c.csv\` is excluded by \`!*.csv\` and 1 more. ${excludes}`,
    ],
    // Hidden files are no hint.
    [reports, 'none/*.json', notWritten],
    ['a.csv', '{,}', 'It matches no path at all.'],
    ['reports/a.csv', 'reports/{b..z}.csv', notWritten],
  ])('%.40j: %j', expectLastLine)

  const unreachable = 'Not searched: '
  const outside = 'is a symlink that points outside the workspace'
  withLinks.each<Row>([
    // A folder explains nothing, because nobody looked into it: hidden ones come last.
    [
      { '.x/a.csv': '1', '.y/': '', 'z/a.txt': '2', 'bazel-bin': '-> /', 'out/b.csv': '3' },
      '**/*.csv\n!out',
      `${unreachable}\`bazel-bin/\` ${outside}; \`out/\` is excluded by \`!out\`; \`.x/\` is a hidden folder and 1 more. Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.`,
    ],
    ['.github/a.csv .git-x/a.csv node_modules/.bin/a.csv b.txt', '**/*.csv', notWritten],
  ])('%.40j: %j', expectLastLine)

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
  ])('%j: %s', expectExplanation)

  const spelled =
    'reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env'
  const inReportsCsv = '`reports/coverage.csv`, `reports/part-1.csv`'
  test.each(
    Object.entries({
      'reports/**/*.cvs': similar(`${inReportsCsv}, \`reports/unit/a.csv\` and 1 more`),
      'reports/c*.cvs': meant('reports/coverage.csv'),
      // Not those below, which the line would not send if it was spelled right.
      'report/*.csv': similar(inReportsCsv),
      'cov*/*.xlm': meant('coverage/app.xml'),
      '/no/r/r/reports/unit/*': similar(unitCsv),
      '/github/workspace/reports/part-1.csv': meant('reports/part-1.csv'),
      '~/reports/unit/*': '',
      'reports/coverage.csv:Title': meant('reports/coverage.csv'),
      'reports/coverage.csv => a.csv': meant('reports/coverage.csv'),
    }),
  )('%s is offered what is spelled so: %s', (line, offer) => expectOffer(spelled, line, offer))

  test.each<Row>([
    // Upper and lower case matter, except on Windows.
    ...(process.platform === 'win32'
      ? []
      : ([['summary.txt', 'Summary.txt', meant('summary.txt')]] as const)),
    // Where most folders are as written.
    ['x/app/unti.csv x/app/y/unit.csv unit.csv', 'x/app/unit.csv', meant('x/app/unti.csv')],
    [
      'a/index.html b/docs/index.html b/docs/c/index.html',
      'x/docs/index.html',
      meant('b/docs/index.html'),
    ],
    ['lcov.info b/coverage/lcov.info', 'coverage/lcov.info', meant('b/coverage/lcov.info')],
    ['x/a[1].csv y/a1.csv', 'a[[]1].csv', meant('x/a[1].csv')],
    ['a/b/1.csv a/2.csv c.txt', '**.csv', similar('`a/2.csv`, `a/b/1.csv`')],
    ['a/x/1.csv b/1.csv', 'a/*.csv\n!a/x', ''],
    ['node_modules/far.csv node_modules.old/far.csv', '*.csv', meant('node_modules.old/far.csv')],
    [
      'reports/unit/a.csv reports/unit/b.csv old/reports/c.csv',
      'reports/*.csv',
      similar(`\`old/reports/c.csv\`, ${unitCsv}`),
    ],
    // Nobody knows which page is meant.
    ['a/index.html b/index.html', 'c/index.html', similar('`a/index.html`, `b/index.html`')],
    // A number that only one of them has, such as a time.
    ['out-20261128-143012.xml out-unit.xml', 'out.xml', meant('out-20261128-143012.xml')],
    ['2026-11-28_out.xml', 'out.xml', meant('2026-11-28_out.xml')],
    ['dist/App.zip dist/App-1.4.1.zip', 'dist/App-1.4.0.zip', meant('dist/App.zip')],
    // Hidden files are named if nothing else is, and the line names one file.
    ['.vitest/index.html .vitest/ui/index.html', 'html/index.html', meant('.vitest/index.html')],
    ['.vitest/index.html app/index.html', 'html/index.html', meant('app/index.html')],
    ['.report.json', 'report.json', meant('.report.json')],
    ['.vitest/a.html', 'html/*.html', ''],
    ['b/x[1].csv', 'x[1].csv', meant('b/x[1].csv')],
  ])('%.40j is offered: %s', expectOffer)

  withLinks('a link to a file is not offered beside it', () =>
    expectOffer({ 'r/a.csv': '1', 'l/a.csv': '-> ../r/a.csv' }, 'x/a.csv', meant('r/a.csv')),
  )

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
    'reports/part-2.csv .reports/a.txt reports/note.txt/*.csv reports/xyz.csv reports/*.json reports/not.txt /no-such-folder/*.csv coverage/*.csv coverage/*.yml reports/*.t reports/*.cab env'
  test.each(others.split(' '))('no guess, if nothing has almost the name: %s', (line) =>
    expectOffer(spelled, line, ''),
  )
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
    'reports/.out/e2e.json': '8',
    'empty/': '',
  }
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
  const twoFiles = '`reports/Test Result.csv`, `reports/unit.csv`'
  test.each(
    Object.entries({
      'report*': similar('`reports/Test Result.csv`, `reports/api.xml`, `reports/unit.csv`'),
      './packages/*': meant('packages/a/Outer$Inner.class'),
      'packages/{}/a.csv': meant('packages/a/coverage/a.csv'),
      '$GITHUB_WORKSPACE/README.md': meant('README.md'),
      'shot%201.png': meant('shot 1.png'),
      'packages/a/Outer$Iner.class': meant('packages/a/Outer$Inner.class'),
      'out/Test Result.csv': meant('reports/Test Result.csv'),
      'reports/.out/e2e.jsno': meant('reports/.out/e2e.json'),
      'shot_1.png': meant('shot 1.png'),
      'packages/*/covrage/*.csv': meant('packages/a/coverage/a.csv'),
      '*.MD': meant('README.md'),
      ...eachIs(
        [
          'reports/*.csv # note',
          '- reports/*.csv',
          '“reports/*.csv”,',
          'D:\\a\\r\\r\\reports\\*.csv',
        ],
        similar(twoFiles),
      ),
      ...eachIs(
        [
          'reports/unit].csv',
          'reports/unit csv',
          'reports /unit.csv',
          'repots/unti.csv',
          'reports\\unit.csv',
          '/unit.csv',
          'cov: reports/unit.csv',
          'path=@reports/unit.csv',
          '"reports/unit.csv',
          '`reports/unit.csv`',
          'reports/unit.csv;',
          'reports/unit.csv -> b.csv',
          'reports/unit.csv as b.csv',
          'reports/unit.csv#Unit',
          'reports/unit.csv:',
        ],
        meant('reports/unit.csv'),
      ),
      ...eachIs(['not reports/unit.csv', '-reports/unit.csv'], meant('reports/unit.csv')),
      'reports/unit.csv or out/api.xml': meant('reports/api.xml'),
      // Another file is not offered.
      ...eachIs(['reports/!(unit).csv', 'reports/unit.csv.gz', 'shot 3.png'], ''),
    }),
  )('%s is offered what is there: %s', (line, offer) => expectOffer(entries, line, offer))

  test.each(
    Object.entries({
      ...eachIs(severalPatterns, onePattern),
      ...eachIs(['reports packages', 'All tests passed: 12 of 12', 'F0123,F9876'], noPath),
      'reports/*.csv # note':
        '`# note` is taken as part of the name: only a whole line can be a comment.',
      '- reports/*.csv': atStart,
      '-reports/unit.csv': atStart,
      '^reports/unit.csv': atStart.replace('-', '^'),
      'not reports/unit.csv': atStart.replace('-', 'not'),
      '[reports/*.csv, logs/*.log]': `\`[\` ${noList}`,
      "['reports/*.csv']": `\`['\` ${noList}`,
      "{'path': 'README.md'}": `\`{'\` ${noList}`,
      'reports/unit.csv\\nREADME.md':
        '`\\n` is two characters in an expression. For a line break, write `fromJSON(\'"\\n"\')`.',
      'out/*.csv,': '`,` is taken as part of the name: remove it.',
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
      ...eachIs(
        ['null', 'undefined/unit.csv', 'reports/null', '[object Object]', 'Array'],
        (line) =>
          `\`${line.replace(/\/unit.csv|reports\//, '')}\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.`,
      ),
      'https://example.com/a.csv':
        '`https:` begins a URL: write the path of a file, which an earlier step can download.',
      'report-%Y-%m-%d.csv': `\`%Y\` ${literally}`,
      'build[1].csv': '`[1]` stands for one character, since no file has this name.',
      'build[1]/*.csv': '`[1]` stands for one character, since no file has this name.',
      'packages/*/coverage': 'It matches only folders. A wildcard finds files.',
      'packages/*/': 'It matches only folders. A wildcard finds files.',
      '*/a/': 'It matches only folders. A wildcard finds files.',
      '[{"path": "reports/*.cvs"}]':
        'An object names one file. For all that match, write the string `"reports/*.cvs"`.',
      '["build[1].csv"]': `There is no \`build[1].csv\`: the workspace holds \`README.md\`, \`empty\`, \`packages\` and 2 more.`,
      'none-$(date +%F).csv': `\`$(date +%F)\` ${literally}`,
      '$(pwd)/reports/*.csv': `\`$(pwd)\` ${literally}`,
      '`pwd`/*.csv': `\`\`pwd\`\` ${literally}`,
      '$GITHUB_WORKSPACE/README.md': `\`$GITHUB_WORKSPACE\` ${literally}`,
      '${RUNNER_TEMP}/a.csv': `\`\${RUNNER_TEMP}\` ${literally}`,
      '$env:USERPROFILE/a.csv': `\`$env:USERPROFILE\` ${literally}`,
      '%OUT%/a.csv': `\`%OUT%\` ${literally}`,
      '“out/*.csv”': '`“out/*.csv”` has quotes, which count as part of the name: remove them.',
      "'out/*.csv'": "`'out/*.csv'` has quotes, which count as part of the name: remove them.",
      'README.md/': '`README.md` is a file, not a folder. Leave out the `/` and what follows it.',
      'empty/*.csv': 'Searched `empty`, which holds nothing.',
      '!*.csv\n# *':
        '`files` has only lines with `!`, which exclude files. Add what to send, such as `reports/**/*.csv`.',
      ' \n# *.csv': '`files` has no pattern. Does it come from an expression that is empty?',
      '[]': '`files` has no pattern. Does it come from an expression that is empty?',
    }),
  )('%s is told what is no pattern in it', async (line, language) => {
    expect((await explanations(entries, line))[0]?.split('\n')[0]).toBe(language)
  })

  test.each([
    ['reports/!(unit).csv', '!('],
    ['reports/*.@(csv|xml)', '@('],
    ['+(unit|api).csv', '+('],
    ['reports/*.{csv|xml}', '|'],
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
    ['reports/.*', '.*'],
    ['.+', '.+'],
    ['[a-z]+.csv', ']+'],
    ['out/\\w+.csv', '\\w'],
    ['(.*).csv', '(.*'],
  ])('%s is told that it looks like a regular expression', async (line, what) => {
    const [explanation = ''] = await explanations(entries, line)
    expect(explanation.split('\n')[0]).toBe(
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
  ])('%s is a pattern as it should be', (line) =>
    expectLastLine({ 'x/y.txt': '1' }, line, notWritten),
  )
})

test('ten lines are explained, first those that name a file', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `missing/${index}/*.csv`)
  const names = Array.from({ length: 4 }, (_, index) => `missing/${index}.csv`)
  const all = await explanations({}, [...lines, ...names].join('\n'))
  expect(all.map((explanation) => explanation !== '')).toEqual(
    [...lines, ...names].map((_, index) => index < 6 || index >= 20),
  )
})

const noFoldersBelow = 'searches no folders below: `**` does that only between slashes.'
const notices = async (entries: string | Entries, lines: string) => {
  await using workspace = await tree(entriesOf(entries))
  const { problems } = await workspace.find(lines)
  return problems.map((problem) => `${problem.level}: ${quoted(problem.text)}`)
}

test('** in a part of a name gets a notice if there are files in the folders below', async () => {
  const entries = { 'r/a.csv': '1', 'r/b/c.csv': '2', 'r/b/d.csv': '3', 's/a.csv': '4' }
  expect(await notices(entries, 'r/**.csv\ns/**.csv\n!**/d.csv')).toEqual([
    `notice: \`r/**.csv\` ${noFoldersBelow} ${meant('r/b/c.csv')}`,
  ])
  expect(await notices(entries, 'r/**.csv')).toEqual([
    `notice: \`r/**.csv\` ${noFoldersBelow} ${similar('`r/b/c.csv`, `r/b/d.csv`')}`,
  ])
})

test.each([
  ['**/surefire-reports/**.xml', 'app/surefire-reports/a.xml'],
  ['reports/detekt/**/**.xml', 'reports/detekt/a.xml reports/detekt/main/b.xml'],
  ['**/target/**.jar', 'a/target/a.jar b/target/b.jar b/libs/c.jar'],
])('** in a part of a name gets no notice if nothing is left out: %s', async (line, entries) => {
  expect(await notices(entries, line)).toEqual([])
})

test('of a line with files, each alternative that matches nothing is named', async () => {
  await using workspace = await tree({ 'a/1.csv': '1', 'b/1.csv': '', 'c/1.csv': '2' })
  const lines = '{a,b,c,d}/*.csv\n!c\n{e,f}/*.csv'
  const { unmatched } = await workspace.find(lines, { method: 'external' })
  expect(unmatched.map(({ pattern, literal }) => [pattern, literal])).toEqual([
    ['{e,f}/*.csv', false],
    ['d/*.csv', false],
  ])
})

test('a line without a file gets an explanation, and no notice besides', async () => {
  expect(await notices('r/b/c.xml .github/a.yml', '**/r/**.xml')).toEqual([])
})

describe('a line that finds nothing beside others', () => {
  const entries = { 'README.md': '1', 'Reports/unit.csv': '2', 'a/reports/api.xml': '3' }
  const found = meant('Reports/unit.csv')
  test.each([
    ['report/*.csv', found],
    ['Reports/*.cvs', found],
    ['Reports/*.csv,', found],
    ['"Reports/*.csv"', found],
    ['- Reports/*.csv', found],
    ['Reports/*.csv # all', found],
    // A file of this name in another folder is that of a test, or is not meant.
    ['reports/*.xml'],
    ['*.csv'],
    // Files that another line sends are no slip.
    ['Report/*.csv\nReports/*.csv'],
    // It is an error.
    ['Reports/unti.csv'],
  ])('%s gets a notice only for a slip', async (line, ...offers) => {
    const [first = ''] = line.split('\n')
    expect(await notices(entries, `README.md\n${line}`)).toEqual(
      offers.map((offer) => `notice: \`${first}\` finds nothing. ${offer}`),
    )
  })
})

describe('a line with ! that excludes nothing', () => {
  test.each([
    ...['!unit.csv', '!./unit.csv', '!/unit.*', '!"r/unit.csv"', '!“r/unit.csv”'],
    ...["!'unit.csv' # note", '!r/u* # not this', '!r/untt.csv'],
  ])('%s gets a notice if it almost excludes a file', async (line) => {
    const entries = { 'r/unit.csv': '1', 'r/api.csv': '2', 'd/tmp/a.csv': '3' }
    expect(await notices(entries, `r/*\n${line}\n!r/api.csv`)).toEqual([
      `notice: \`${line}\` excludes nothing. ${meant('r/unit.csv')}`,
    ])
  })

  test.each(['!r/tmp/**', '!/x'])('%s gets none if it excludes no such file', async (line) => {
    await using workspace = await tree({ 'r/unit.csv': '1', 'd/tmp/a.csv': '3' })
    expect(await workspace.find(`r/*\n${line}`)).toMatchObject({ idle: [line], problems: [] })
  })
})

test('of two lines with ! that exclude the same file, none is idle', async () => {
  await using workspace = await tree({ 'r/unit.csv': '1', 'r/tmp.csv': '2' })
  expect(await workspace.find('r/*\n!r/tmp.*\n!**/tmp.csv')).toMatchObject({ idle: [] })
})

describe('of what lies outside the workspace, nothing is named', () => {
  const missing = 'no-such-folder/*.log'
  test.each([`/${missing}`, `${tmpdir()}/${missing}`, `../${missing}`])('%s', async (line) => {
    const [found] = await explanations('a.csv', line)
    expect(found).toMatch(/^There is no `[^`]*no-such-folder`\.\n/)
    expect(found).not.toMatch(/holds|Similar/)
  })

  /** Expects that the explanation of a line in a workspace names nothing of its neighbor. */
  async function expectNothingNamed(line: string, more: Entries = {}): Promise<void> {
    const entries = { 'other/secrets.txt': '1', 'workspace/a': '1', ...more }
    const [found] = await explanations(entries, line, { workspace: 'workspace' })
    expect(found).toMatch(/^(?!.*(?:secrets|holds|Similar))/s)
  }

  // Where case does not matter, it is found.
  const otherCase = process.platform === 'linux' ? ['../Other/*.txt'] : []
  test.each(['../reports/*.csv', '../secret.txt', '../other/*.csv', '../othr/*.txt', ...otherCase])(
    '%s',
    (line) => expectNothingNamed(line),
  )

  withLinks('a link that leads out of it', () =>
    expectNothingNamed('link/*.csv', { 'workspace/link': '-> ../other' }),
  )
})

test('what is missing in the working directory is named from the workspace on', async () => {
  const [missing] = await explanations(reports, 'coverage.csv', { workingDirectory: 'reports' })
  expect(missing).toContain('There is no `reports/coverage.csv`')
})

onWindows('a drive that is missing is named', async () => {
  const found = await explanations(reports, 'Q:\\reports\\*.xml')
  expect(found).toEqual([expect.stringMatching(/^There is no `Q:\/reports`/)])
})

test('many lines are explained by one search of the workspace, and each lets timers fire', async () => {
  const files = Array.from({ length: 300 }, (_, index) => `data/${index}/report.csv`).join(' ')
  await using workspace = await tree(entriesOf(files))
  const checkpointsFor = async (count: number) => {
    let seen = 0
    const signal = { ...new AbortController().signal, throwIfAborted: () => void seen++ }
    const lines = Array.from({ length: count }, (_, index) => `none/x${index}/tables.xls`)
    await workspace.find(lines.join('\n'), { signal })
    return seen
  }
  const forEach = ((await checkpointsFor(10)) - (await checkpointsFor(1))) / 9
  expect(forEach).toBeGreaterThanOrEqual(300)
  expect(forEach).toBeLessThan(600)
})

test.each([
  ['reports/unit.csv', '../reports/unit.csv'],
  ['reports/*.csv', '../reports/unit.csv'],
  ['out/*.cvs', 'out/b.csv'],
  ['app/out/b.csv', 'out/b.csv'],
  ['../report/unit.csv', '../reports/unit.csv'],
  ['["unit.csv"]', '../reports/unit.csv'],
  ['[{"path": "unit.csv"}]', 'reports/unit.csv'],
])('%s is offered as it must be typed in the working directory: %s', async (line, typed) => {
  const entries = 'reports/unit.csv app/src/a.ts app/out/b.csv'
  const [explanation] = await explanations(entries, line, { workingDirectory: 'app' })
  expect(explanation).toContain(meant(typed))
})

test('what must not be sent by its name is not offered', () =>
  expectOffer('keys/id_rsa', 'id_rsa', ''))

test.each([
  ['**/coverage/*.xml', ''],
  ['**/out/*.xml', `Not searched: \`.x/\` is a hidden folder. ${howToSendHidden}`],
])(
  'beside a similar file, hidden folders are named only if something in them fits: %s',
  async (line, last) => {
    const entries = 'coverage/a/b.xml out/a/b.xml .x/out/a.xml .x/b.xml'
    const [found = ''] = await explanations(entries, line)
    expect(found.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^Similar: /),
      notWritten,
      ...(last ? [last] : []),
    ])
  },
)
