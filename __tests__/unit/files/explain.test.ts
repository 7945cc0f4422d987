import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { quoted } from '../../../src/text/text.ts'
import { onLinux, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

/** `a.csv b/`, or with content. */
const entriesOf = (names: string | Entries): Entries =>
  typeof names === 'string' ? Object.fromEntries(names.split(' ').map((name) => [name, '1'])) : names

/** The explanations of the lines, none of which finds a file. */
async function explanations(entries: string | Entries, lines: string, options = {}): Promise<readonly string[]> {
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
const inReports = 'Searched `reports`, which holds 4 entries: `Summary.txt`, `unit`, `.hidden.json` and 1 more.'
const workspaceHolds = 'the workspace holds 4 entries: `README.md`, `app`, `reports` and 1 more.'
const howToSendHidden = 'To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.'
const excludes = 'A line with `!` excludes wherever it stands.'
const didStepRun = 'Did the step that writes the files run, and before this one?'
const stays = (pattern: string, found: string) =>
  `\`*\` stays in its folder. To search those below too, write \`${pattern}\`: there is ${found}.`
const otherJob = (missing: string) =>
  `Was \`${missing}\` made in another job? Then download its artifact first. Otherwise look at the step that should write it: did it fail, was it skipped, does it come later?`

describe('a line that matches nothing is explained by the folder searched, what is there, and what was probably meant', () => {
  test.each<Row>([
    [
      reports,
      'reports/unit/*.xml',
      `Searched \`reports/unit\`, which holds 2 entries: \`a.csv\`, \`b.csv\`.\n${didStepRun}`,
    ],
    [reports, 'build/out/**', `There is no \`build\`: ${workspaceHolds}\n${otherJob('build/out')}`],
    [
      reports,
      'reports/coverage.csv',
      `There is no \`reports/coverage.csv\`: ${inReports.replace('Searched ', '').replace(', which', '')}\nElsewhere there is \`app/coverage.csv\`.`,
    ],
    [reports, 'reports/*.csv', `${inReports}\n${stays('reports/**/*.csv', unitCsv)}`],
    [
      reports,
      'reports/**/api/*.csv',
      `${inReports}\nSkipped: \`reports/.out/\` is a hidden folder. ${howToSendHidden}\nElsewhere there is ${unitCsv}.`,
    ],
    [
      reports,
      'reports/**/*.json',
      `\`reports/.hidden.json\` is a hidden file; \`reports/.out/\` is a hidden folder. ${howToSendHidden}`,
    ],
    [reports, 'reports/unit/*\n!reports/unit', `\`reports/unit\` is excluded by \`!reports/unit\`. ${excludes}`],
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
    ['coverages.csv app/coverage.csv', 'coverage.csv', 'Elsewhere there is `app/coverage.csv`.'],
    ['x/a[1].csv y/a1.csv', 'a[[]1].csv', 'Elsewhere there is `x/a[1].csv`.'],
    [`b/${[...'abcdefghijk'].join('.csv b/')}.csv`, 'a/*.csv', otherJob('a')],
    // A name can be that of a folder.
    ['b/reports/x.csv', 'reports', 'Elsewhere there is `b/reports`.'],
    [
      'a.csv b.csv c.csv d.csv',
      '*.csv\n!*.csv',
      `\`a.csv\` is excluded by \`!*.csv\`; \`b.csv\` is excluded by \`!*.csv\`; \`c.csv\` is excluded by \`!*.csv\` and 1 more. ${excludes}`,
    ],
    ['.a/b/1.csv .a/c/2.csv', '**/*.csv', didStepRun],
    ['a.csv', 'none/*', otherJob('none')],
    // Hidden files are no hint.
    [reports, 'none/*.json', otherJob('none')],
    ...['r/', 'r/*'].map((line): Row => [emptyFolders, line, didStepRun]),
    ['a/b/1.csv', '**.csv', stays('**/*.csv', '`a/b/1.csv`')],
    ['a/1.csv', 'a/*/1.csv', stays('a/**/1.csv', '`a/1.csv`')],
    ['a/x/1.csv b/1.csv', 'a/*.csv\n!a/x', 'Elsewhere there is `b/1.csv`.'],
    ['a.csv', '{,}', 'It matches no path at all.'],
    // The files of node_modules are not searched.
    ['node_modules/far.csv node_modules.old/far.csv', '*.csv', stays('**/*.csv', '`node_modules.old/far.csv`')],
  ])('%.40j: %j', expectLastLine)

  onLinux.each<Row>([
    ['summary.txt Sumary.txt', 'Summary.txt', 'Upper and lower case matter: there is `summary.txt`.'],
    ['app/a.csv', 'App', 'Upper and lower case matter: there is `app`.'],
    [reports, 'reports/summary.*', 'Upper and lower case matter: there is `reports/Summary.txt`.'],
  ])('%s: %s', expectLastLine)

  const brokenLink =
    '`b.csv` is a link to something that does not exist. Does an earlier step create what such a link leads to?'
  withLinks.each<Row>([
    [
      { '.a.csv': '1', 'b.csv': '-> none' },
      '*.csv',
      `\`.a.csv\` is a hidden file; ${brokenLink.replace('. ', `. ${howToSendHidden} `)}`,
    ],
    [{ 'a.txt': '1', 'b.csv': '-> a.txt' }, '*.csv\n!a.txt', `\`b.csv\` is excluded by \`!a.txt\`. ${excludes}`],
    [{ 'b.csv': '-> none' }, 'b.csv', brokenLink],
    [{ 'b.csv': '-> none' }, 'b.csv/*', brokenLink],
  ])('%j: %s', expectExplanation)

  const spelled =
    'reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env'
  const slash = "A leading `/` is the root of the runner's disk: did an expression before it come out empty?"
  const almost = (typed: string, found: string, meant: string) =>
    `There are no \`${typed}\` files, but there is ${found}. Did you mean \`${meant}\`?`
  test.each<Row>([
    [spelled, 'reports/covrage.csv', 'There is no `reports/covrage.csv`. Did you mean `reports/coverage.csv`?'],
    [
      spelled,
      'reports/**/*.cvs',
      almost('.cvs', '`reports/coverage.csv`, `reports/part-1.csv`, `reports/unit/a.csv` and 1 more', '*.csv'),
    ],
    [spelled, 'reports/c*.cvs', almost('.cvs', '`reports/coverage.csv`', 'c*.csv')],
    [spelled, '**/*.xnl', almost('.xnl', '`coverage/app.xml`', '*.xml')],
    [spelled, 'report/*.csv', 'There is no folder `report`. Did you mean `reports`?'],
    [spelled, 'report/coverage.csv', 'There is no folder `report`. Did you mean `reports`?'],
    [spelled, 'reprots', 'There is no `reprots`. Did you mean `reports`?'],
    [spelled, '/reports/part*', `${slash} In the workspace there is \`reports/part-1.csv\`.`],
    [spelled, '/reports/**/covrage.csv', `${slash} For files of the workspace, write \`reports/**/covrage.csv\`.`],
    [spelled, '~/none.csv', `There is no \`${homedir()}/none.csv\`.\n${otherJob(`${homedir()}/none.csv`)}`],
    [spelled, '/no/r/r/reports/unit/*', `${slash} In the workspace there is ${unitCsv}.`],
  ])('%s: %s', expectExplanation)

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
    'empty/': '',
  }
  const severalPatterns =
    'If these are several patterns, write one per line below `files: |` (`files: >` joins the lines), or a JSON list such as `["a.csv", {"path": "b.csv"}]`.'
  const noList =
    'looks like a list, but is not valid JSON: write one pattern per line, or a JSON list such as `["a.csv", {"path": "b.csv"}]`.'
  const escapes = '`\\` makes the character after it literal.'
  const writeSlashes = 'Write `/` between folders.'
  const literally =
    'is taken literally: no shell reads this text. Write an expression, such as `${{ github.workspace }}` or `${{ env.NAME }}`, or `${{ steps.ID.outputs.NAME }}` for what an earlier step finds out.'
  const fromWorkspace =
    'is taken literally. Remove it with the slash: patterns start in the workspace, or in `working-directory`.'
  const notReplaced = (expression: string) =>
    `\`${expression}\` is not replaced by GitHub: write it in the workflow file itself, in \`\${{ }}\`.`
  const atStart = '`-` has no meaning at the start of a line: remove it, or write `!` to exclude.'
  const inReportsCsv = '`reports/Test Result.csv`, `reports/unit.csv`'
  const onlyFolders = (folder: string, instead: string) =>
    `It matches only folders: \`${folder}\`. For the files in them write \`${instead}\`.`
  test.each(
    Object.entries({
      'reports/*.csv # note': '`# note` is taken as part of the name: only a whole line can be a comment.',
      'report*': onlyFolders('reports', 'report*/**'),
      './packages/*': onlyFolders('packages/a', './packages/**'),
      'packages/*/coverage': onlyFolders('packages/a/coverage', 'packages/*/coverage/**'),
      '- reports/*.csv': atStart,
      '-reports/unit.csv': atStart,
      'README.md, reports/unit.csv': severalPatterns,
      'reports/unit.csv reports/api.xml': severalPatterns,
      'reports packages': severalPatterns,
      'a.csv;b.csv,': severalPatterns,
      'out/unit.csv out/api.xml': severalPatterns,
      '*.txt, *.xml': severalPatterns,
      '"reports/unit.csv" "README.md"': severalPatterns,
      "README.md 'reports/Test Result.csv'": severalPatterns,
      '[reports/*.csv, logs/*.log]': `\`[\` ${noList}`,
      "['reports/*.csv']": `\`['\` ${noList}`,
      '{"path": "README.md"}': `\`{"\` ${noList}`,
      'reports/unit.csv\\nREADME.md':
        '`\\n` is two characters in an expression: a line break is `fromJSON(\'"\\n"\')`.',
      'reports/unit.csv\\nreports/api.xml':
        '`\\n` is two characters in an expression: a line break is `fromJSON(\'"\\n"\')`.',
      'D:\\a\\r\\r\\reports\\*.csv': `${escapes} ${writeSlashes} In the workspace there is ${inReportsCsv}.`,
      'reports\\*.csv': `${escapes} ${writeSlashes} In the workspace there is ${inReportsCsv}.`,
      'none\\*.csv': `${escapes} ${writeSlashes}`,
      '${{ inputs.path }}/a.csv': notReplaced('${{ inputs.path }}'),
      '{{ github.workspace }}/reports/unit.csv': notReplaced('{{ github.workspace }}'),
      'github.workspace/reports/*.csv': notReplaced('github.workspace'),
      'steps.find.outputs.files': notReplaced('steps.find.outputs.files'),
      null: '`null` is what an expression came out as. Write `${{ toJSON(…) }}`.',
      'https://example.com/a.csv':
        '`https:` begins an address: download the file in an earlier step, and write its path.',
      'none-$(date +%F).csv': `\`$(date +%F)\` ${literally}`,
      '$(pwd)/reports/*.csv': `\`$(pwd)\` ${fromWorkspace}`,
      '`pwd`/*.csv': `\`\`pwd\`\` ${fromWorkspace}`,
      '$GITHUB_WORKSPACE/README.md': `\`$GITHUB_WORKSPACE\` ${fromWorkspace}`,
      '${RUNNER_TEMP}/a.csv': `\`\${RUNNER_TEMP}\` ${literally}`,
      '$env:USERPROFILE/a.csv': `\`$env:USERPROFILE\` ${literally}`,
      '%OUT%/a.csv': `\`%OUT%\` ${literally}`,
      '“reports/*.csv”': '`“reports/*.csv”` is taken with its quotes as part of the name: remove them.',
      "'reports/*.csv'": "`'reports/*.csv'` is taken with its quotes as part of the name: remove them.",
      'reports/*/': 'It matches only folders. For the files in them write `reports/*/**`.',
      'README.md/': '`README.md` is a file, not a folder.',
      // What is on the disk comes before what a name contains.
      'reports/Test Results.csv': 'There is no `reports/Test Results.csv`. Did you mean `reports/Test Result.csv`?',
      'packages/a/Outer$Iner.class':
        'There is no `packages/a/Outer$Iner.class`. Did you mean `packages/a/Outer$Inner.class`?',
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
    ['^reports/unit.csv', '^'],
    ['out/[ab].csv$', '$'],
    ['reports/.*\\.csv', '.*'],
    ['“reports/*.csv', '“'],
    ['{unit,api.csv', '{unit,api.csv', 'is not closed'],
    ['reports/[unit.csv', '[unit.csv', 'is not closed'],
  ])('%s is told what patterns support', async (line, what, why = 'has no special meaning here') => {
    const [explanation = ''] = await explanations(entries, line)
    const language =
      'A line is one pattern, and patterns support `*`, `**`, `?`, `[a-z]`, `{a,b}`, `\\` before a character that is meant literally (not on Windows), and `!` at the start of a line, which excludes.'
    expect(explanation).toBe(`\`${what}\` ${why}. ${language}`)
  })

  test.each(['report (1).csv', 'a@2x.csv', 'a+b.csv', 'coverage.*', '*.csv.*', 'matrix.csv', 'env.txt', 'runner.log'])(
    '%s is a pattern as it should be',
    async (line) => {
      const [explanation] = await explanations({ 'x/y.txt': '1' }, line)
      expect(explanation).not.toMatch(/special meaning|replaced/)
    },
  )

  test.each([
    ['All tests passed: 12 of 12', '`files` takes paths, and a text goes into `comment`.'],
    ['F0123,F9876', '`files` takes paths, and a text goes into `comment`.'],
    ['a/Test Result.csv', 'Elsewhere there is `reports/Test Result.csv`.'],
    ['out/Outer$Inner.class', 'Elsewhere there is `packages/a/Outer$Inner.class`.'],
    ['empty/*.csv', didStepRun],
    // A name can contain spaces.
    ['src/My Reports/Final.csv', otherJob('src/My Reports/Final.csv')],
    ['My Reports/Final.csv', otherJob('My Reports/Final.csv')],
  ])('%s', (line, lastLine) => expectLastLine(entries, line, lastLine))
})

test('an alternative in braces that finds nothing is logged', async () => {
  await using workspace = await tree({ 'reports/unit.csv': '1', 'reports/api.xml': '2' })
  const { files, unmatched } = await workspace.find('{reports,results}/unit.csv\n{x,reports,y}/api.xml')
  expect(files.map((file) => file.path)).toEqual(['reports/unit.csv', 'reports/api.xml'])
  const butNone = 'finds other files, but none for this alternative.'
  expect(
    unmatched.map(({ explanation = [], literal, pattern }) => [pattern, literal, ...explanation.map(quoted)]),
  ).toEqual([
    ['results/unit.csv', false, `\`{reports,results}/unit.csv\` ${butNone}`],
    ['x/api.xml', false, `\`{x,reports,y}/api.xml\` ${butNone}`],
  ])
})

test('ten lines are explained, first those that name a file', async () => {
  await using workspace = await tree({})
  const lines = Array.from({ length: 300 }, (_, index) => `missing/${index}/*.csv`)
  const names = Array.from({ length: 4 }, (_, index) => `missing/${index}.csv`)
  const { unmatched } = await workspace.find([...lines, ...names].join('\n'))
  const explained = unmatched.filter(({ explanation }) => explanation).map(({ pattern }) => pattern)
  expect(explained).toEqual([...lines.slice(0, 6), ...names])
  expect(unmatched.map(({ literal, pattern }) => (literal ? '' : pattern))).toEqual([...lines, ...names.map(() => '')])
})

test('** in a part of a name gets a notice if there are files in the folders below', async () => {
  await using workspace = await tree({ 'r/a.csv': '1', 'r/b/c.csv': '2', 'r/b/d.csv': '3', 's/a.csv': '4' })
  const { files, problems } = await workspace.find('r/**.csv\ns/**.csv\n!**/d.csv')
  expect(files.map((file) => file.path)).toEqual(['r/a.csv', 's/a.csv'])
  expect(problems.map((problem) => [problem.level, quoted(problem.text)])).toEqual([
    [
      'notice',
      '`r/**.csv` leaves out `r/b/c.csv`: `**` searches folders only between slashes. To search them too, write `r/**/*.csv`.',
    ],
  ])
})

describe('a line with ! that excludes nothing', () => {
  const instead = (line: string, found: string, meant: string) =>
    `\`${line}\` excludes nothing. To exclude \`${found}\`, write \`${meant}\`.`
  test.each([
    ['!unit.csv', instead('!unit.csv', 'r/unit.csv', '!**/unit.csv')],
    ['!./unit.csv', instead('!./unit.csv', 'r/unit.csv', '!**/unit.csv')],
    ['!/unit.*', instead('!/unit.*', 'r/unit.csv', '!**/unit.*')],
    ['!"r/unit.csv"', instead('!"r/unit.csv"', 'r/unit.csv', '!r/unit.csv')],
    ['!“r/unit.csv”', instead('!“r/unit.csv”', 'r/unit.csv', '!r/unit.csv')],
    ["!'unit.csv' # note", instead("!'unit.csv' # note", 'r/unit.csv', '!**/unit.csv')],
    ['!r/u* # not this', instead('!r/u* # not this', 'r/unit.csv', '!r/u*')],
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
  test.each([
    ['/no-such-folder/*.log', 'did an expression before it come out empty?'],
    [`${tmpdir()}/no-such-folder/*.log`, `Was \`${tmpdir()}/no-such-folder\` made in another job?`],
  ])('%s', async (line, explanation) => {
    const [found] = await explanations('a.csv', line)
    expect(found).toContain(explanation)
    expect(found).not.toMatch(/holds|stays in its folder|Elsewhere/)
  })

  /** The explanation of a line in a workspace that has a neighbor. */
  async function explanationBeside(entries: Entries, line: string): Promise<string> {
    await using outside = await tree(entries)
    const workspace = path.join(outside.root, 'workspace')
    const { files, unmatched } = await outside.find(line, { workspace, workingDirectory: workspace })
    expect([files.length, unmatched.length]).toEqual([0, 1])
    return (unmatched[0]?.explanation ?? []).map(quoted).join('\n')
  }
  const beside = { 'other/secrets.txt': '1', 'workspace/a': '1' }
  const nothingNamed = /^(?!.*(?:secrets|holds|stays in its folder|Elsewhere|Did you mean))/s

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
    expect(await explanationBeside({ 'workspace/reports/a.csv': '1' }, '../reports/*.csv')).toMatch(
      /^There is no `[^`]*\/reports`\.\nElsewhere there is `reports\/a\.csv`\.$/,
    )
  })
})

test('a file is found outside the working directory', async () => {
  await using workspace = await tree(entriesOf(reports))
  const workingDirectory = path.join(workspace.root, 'reports')
  const [missing] = (await workspace.find('coverage.csv', { workingDirectory })).unmatched
  const [place, hint] = (missing?.explanation ?? []).map(quoted)
  expect(place).toContain('There is no `reports/coverage.csv`')
  expect(hint).toBe('Elsewhere there is `app/coverage.csv`.')
  const [outside] = (await workspace.find('../../no-such-folder/*', { workingDirectory })).unmatched
  expect(outside?.explanation?.map(quoted)[0]).toMatch(/^There is no `.*no-such-folder`\.$/)
})

onWindows('a drive that is missing is named', async () => {
  const found = await explanations(reports, 'Q:\\reports\\*.xml\nQ:\\reports\\coverage.csv')
  expect(found.map((explanation) => explanation.split('\n'))).toEqual([
    ['There is no `Q:/reports`.', expect.stringMatching(/^Was `Q:\/reports` made in another job\?/)],
    ['There is no `Q:/reports`.', 'Elsewhere there is `app/coverage.csv`.'],
  ])
})

test('not more than some thousand entries are searched for a hint', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `a/${index}.txt`).join(' ')
  expect((await explanations('b/far.csv', '*.csv'))[0]).toContain('b/far.csv')
  expect((await explanations(`b/far.csv ${many}`, '*.csv'))[0]).not.toContain('b/far.csv')
  expect((await explanations(many, 'a/*.csv'))[0]).toContain(
    'Searched `a`, which holds 5,000 entries: `0.txt`, `1.txt`, `10.txt` and 4,997 more.',
  )
})
