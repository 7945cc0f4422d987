import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { FindOptions } from '../../../src/files/search-context.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { grid, groups } from '../../support/grid.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

/**
 * Explanations of lines that find no file.
 *
 * @param options of the search, with `workspace` as a folder of these entries
 */
async function explanations(
  entries: string | Entries,
  lines: string,
  { workspace = '', ...options }: Partial<FindOptions> = {},
): Promise<readonly string[]> {
  await using disk = await tree(entries)
  const given = { ...options, workspace: path.join(disk.root, workspace) }
  const { files, unmatched } = await disk.find(lines, given)
  expect(files).toEqual([])
  return unmatched.map(({ explanation = [] }) => explanation.map(quoted).join('\n'))
}

type Row = readonly [entries: string | Entries, line: string, explanation: string]
const expectExplanation = async (...[entries, line, explanation]: Row) =>
  expect(await explanations(entries, line)).toEqual([explanation])

/** Each explanation, with `…` for the line, and below it the lines that get it. */
const said = (
  entries: string | Entries,
  lines: string,
  part: (explanation: string) => string | undefined,
) =>
  groups(lines, async (line) => {
    const [explanation = ''] = await explanations(entries, line)
    return part(explanation)?.replaceAll(`\`${line}\``, '`…`') ?? 'nothing'
  })
const firstLine = (explanation: string) => explanation.split('\n')[0]
/** Only the advice. */
const offered = (explanation: string) => explanation.match(/^Similar.*$/gm)?.join()
const expectLastLine = async (...[entries, line, lastLine]: Row) =>
  expect((await explanations(entries, line))[0]?.split('\n').at(-1)).toBe(lastLine)

const reports =
  'README.md .github/ci.yml app/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/Summary.txt reports/.hidden.json reports/.out/c.json'
const howToSendHidden =
  'To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.'
const excludes = 'A line with `!` excludes wherever it stands.'
const notWritten =
  'Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.'
const expectOffer = async (...[entries, line, offer]: Row) =>
  expect(offered((await explanations(entries, line))[0] ?? '') ?? '').toBe(offer)
const similar = (files: string) => `Similar: ${files}.`
const meant = (file: string) => similar(`\`${file}\``)

describe('a line that matches nothing is explained by the folder searched, what is there, and what was probably meant', () => {
  test('with each reason on a line of its own', async () => {
    const lines = `
reports/unit/*.xml
build/out/**
{build,out}/*.csv
reports/coverage.csv
reports/*.csv
reports/unit/*.CSV
report/**/*.csv
reports/**/none/*.csv
reports/**/*.json
reports/unit/*⏎!reports/unit
{README.md,app/*.csv}⏎!{app,*}/*⏎!*.md
README.md/*
`
    const explain = async (line: string) =>
      (await explanations(reports, line)).join().replace(notWritten, '(not written?)')
    expect(await grid(lines, explain)).toMatchInlineSnapshot(`
"reports/unit/*.xml
    Searched \`reports/unit\`, which holds \`a.csv\`, \`b.csv\`.⏎(not written?)
build/out/**
    There is no \`build/out\`: the workspace holds \`README.md\`, \`app\`, \`reports\` and 1 more.⏎(not written?)
{build,out}/*.csv
    Searched the workspace, which holds \`README.md\`, \`app\`, \`reports\` and 1 more.⏎(not written?)
reports/coverage.csv
    There is no \`reports/coverage.csv\`: \`reports\` holds \`Summary.txt\`, \`unit\`, \`.hidden.json\` and 1 more.⏎Similar: \`app/coverage.csv\`.⏎(not written?)
reports/*.csv
    Searched \`reports\`, which holds \`Summary.txt\`, \`unit\`, \`.hidden.json\` and 1 more.⏎Similar: \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.⏎(not written?)
reports/unit/*.CSV
    Searched \`reports/unit\`, which holds \`a.csv\`, \`b.csv\`.⏎Similar: \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.
report/**/*.csv
    There is no \`report\`: the workspace holds \`reports\`, \`README.md\`, \`app\` and 1 more.⏎Similar: \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.
reports/**/none/*.csv
    Searched \`reports\`, which holds \`Summary.txt\`, \`unit\`, \`.hidden.json\` and 1 more.⏎(not written?)⏎Not searched: \`reports/.out/\` is a hidden folder. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.
reports/**/*.json
    \`reports/.hidden.json\` is a hidden file. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.
reports/unit/*⏎!reports/unit
    \`reports/unit/\` is excluded by \`!reports/unit\`. A line with \`!\` excludes wherever it stands.
{README.md,app/*.csv}⏎!{app,*}/*⏎!*.md
    \`README.md\` is excluded by \`!*.md\`; \`app/coverage.csv\` is excluded by \`!{app,*}/*\`. A line with \`!\` excludes wherever it stands.
README.md/*
    \`README.md\` is a file, not a folder. Leave out the \`/\` and what follows it."
`)
  })

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
  const outside = 'is outside the workspace: a symlink leads there'
  withLinks.each<Row>([
    // Among the folders that were not searched, hidden ones come last.
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
    [
      '.a.csv x.csv->.a.csv',
      '*x.csv',
      '`x.csv` is a symlink to `.a.csv`, which is hidden. To send what such a symlink points to, set `include-hidden-files: true`, or write the symlink before the first wildcard, like `latest/*.csv`.',
    ],
  ])('%j: %s', expectExplanation)

  const spelled =
    'reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env'
  // Advice leaves out files that the right spelling would not send.
  test('a misspelled line is offered the right files', async () => {
    const lines = `
reports/**/*.cvs
reports/c*.cvs
report/*.csv
cov*/*.xlm
/no/r/r/reports/unit/*
/github/workspace/reports/part-1.csv
~/reports/unit/*
reports/coverage.csv:Title
reports/coverage.csv => a.csv
reports/part-2.csv
.reports/a.txt
reports/note.txt/*.csv
reports/xyz.csv
reports/*.json
reports/not.txt
/no-such-folder/*.csv
coverage/*.csv
coverage/*.yml
reports/*.t
reports/*.cab
env
`
    expect(await said(spelled, lines, offered)).toMatchInlineSnapshot(`
"Similar: \`reports/coverage.csv\`, \`reports/part-1.csv\`, \`reports/unit/a.csv\` and 1 more.
    reports/**/*.cvs
Similar: \`reports/coverage.csv\`.
    reports/c*.cvs
    reports/coverage.csv:Title
    reports/coverage.csv => a.csv
Similar: \`reports/coverage.csv\`, \`reports/part-1.csv\`.
    report/*.csv
Similar: \`coverage/app.xml\`.
    cov*/*.xlm
Similar: \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.
    /no/r/r/reports/unit/*
Similar: \`reports/part-1.csv\`.
    /github/workspace/reports/part-1.csv
nothing
    ~/reports/unit/*
    reports/part-2.csv
    .reports/a.txt
    reports/note.txt/*.csv
    reports/xyz.csv
    reports/*.json
    reports/not.txt
    /no-such-folder/*.csv
    coverage/*.csv
    coverage/*.yml
    reports/*.t
    reports/*.cab
    env"
`)
  })

  onPosix('upper and lower case matter', () =>
    expectOffer('summary.txt', 'Summary.txt', meant('summary.txt')),
  )

  test('which file is meant depends on what else is there', async () => {
    const filesAndLines = `
# Where most folders are as written.
x/app/unti.csv x/app/y/unit.csv unit.csv | x/app/unit.csv
a/index.html b/docs/index.html b/docs/c/index.html | x/docs/index.html
lcov.info b/coverage/lcov.info | coverage/lcov.info
x/a[1].csv y/a1.csv | a[[]1].csv
a/b/1.csv a/2.csv c.txt | **.csv
a/x/1.csv b/1.csv | a/*.csv⏎!a/x
node_modules/far.csv node_modules.old/far.csv | *.csv
reports/unit/a.csv reports/unit/b.csv old/reports/c.csv | reports/*.csv
# Either page can be meant.
a/index.html b/index.html | c/index.html
# A number that only one of them has, like a time.
out-20261128-143012.xml out-unit.xml | out.xml
2026-11-28_out.xml | out.xml
dist/App.zip dist/App-1.4.1.zip | dist/App-1.4.0.zip
# Hidden files are named if nothing else is, and the line names one file.
.vitest/index.html .vitest/ui/index.html | html/index.html
.vitest/index.html app/index.html | html/index.html
.report.json | report.json
.vitest/a.html | html/*.html
b/x[1].csv | x[1].csv
# What must not be sent by its name is not offered.
keys/id_rsa | id_rsa
`
    const offer = async (row: string) => {
      const [entries = '', line] = row.split(' | ')
      return line ? (offered((await explanations(entries, line)).join()) ?? 'nothing') : row
    }
    expect(await grid(filesAndLines, offer)).toMatchInlineSnapshot(`
"# Where most folders are as written.
x/app/unti.csv x/app/y/unit.csv unit.csv | x/app/unit.csv
    Similar: \`x/app/unti.csv\`.
a/index.html b/docs/index.html b/docs/c/index.html | x/docs/index.html
    Similar: \`b/docs/index.html\`.
lcov.info b/coverage/lcov.info | coverage/lcov.info
    Similar: \`b/coverage/lcov.info\`.
x/a[1].csv y/a1.csv | a[[]1].csv
    Similar: \`x/a[1].csv\`.
a/b/1.csv a/2.csv c.txt | **.csv
    Similar: \`a/2.csv\`, \`a/b/1.csv\`.
a/x/1.csv b/1.csv | a/*.csv⏎!a/x
    nothing
node_modules/far.csv node_modules.old/far.csv | *.csv
    Similar: \`node_modules.old/far.csv\`.
reports/unit/a.csv reports/unit/b.csv old/reports/c.csv | reports/*.csv
    Similar: \`old/reports/c.csv\`, \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.
# Either page can be meant.
a/index.html b/index.html | c/index.html
    Similar: \`a/index.html\`, \`b/index.html\`.
# A number that only one of them has, like a time.
out-20261128-143012.xml out-unit.xml | out.xml
    Similar: \`out-20261128-143012.xml\`.
2026-11-28_out.xml | out.xml
    Similar: \`2026-11-28_out.xml\`.
dist/App.zip dist/App-1.4.1.zip | dist/App-1.4.0.zip
    Similar: \`dist/App.zip\`.
# Hidden files are named if nothing else is, and the line names one file.
.vitest/index.html .vitest/ui/index.html | html/index.html
    Similar: \`.vitest/index.html\`.
.vitest/index.html app/index.html | html/index.html
    Similar: \`app/index.html\`.
.report.json | report.json
    Similar: \`.report.json\`.
.vitest/a.html | html/*.html
    nothing
b/x[1].csv | x[1].csv
    Similar: \`b/x[1].csv\`.
# What must not be sent by its name is not offered.
keys/id_rsa | id_rsa
    nothing"
`)
  })

  test('a line with a gap that no file has is asked about an expression, and offered none', async () => {
    const lines = `
dist/app-1.2.0.zip | dist/app-.zip
dist/app-1.2.0-linux.zip | dist/app--linux.zip
dist/report_7.csv | dist/report_.csv
builds-7/a.csv | builds-/a.csv
apps/web-app/a.csv | apps/-app/*.csv
reports/unit/a.csv | reports//a.csv
reports/unit.csv | reports/.csv
packages/a/b.csv | packages/{}/b.csv
README.md | dist/app-.zip
# These are names.
__snapshots__/a.snap | __snapshot__/a.snap
_site/index.html | _site/index.htm
src/__init__.pyi | src/__init__.py
a---b/c.csv | a---b/d/c.csv
dist/block--mod.css | dist/block--mo.css
-/a/b.csv | -/b.csv
`
    const explain = async (line: string) => {
      if (line.startsWith('# ')) return line
      const [entries = '', pattern = ''] = line.split(' | ')
      const [explanation = ''] = await explanations(entries, pattern)
      return explanation.includes('expression') ? explanation : offered(explanation)
    }
    expect(await groups(lines, async (line) => (await explain(line)) ?? '')).toMatchInlineSnapshot(`
"Was an expression in it empty?
    dist/app-1.2.0.zip | dist/app-.zip
    dist/app-1.2.0-linux.zip | dist/app--linux.zip
    dist/report_7.csv | dist/report_.csv
    builds-7/a.csv | builds-/a.csv
    apps/web-app/a.csv | apps/-app/*.csv
    reports/unit/a.csv | reports//a.csv
    reports/unit.csv | reports/.csv
    packages/a/b.csv | packages/{}/b.csv
    README.md | dist/app-.zip
# These are names.
    # These are names.
Similar: \`__snapshots__/a.snap\`.
    __snapshots__/a.snap | __snapshot__/a.snap
Similar: \`_site/index.html\`.
    _site/index.html | _site/index.htm
Similar: \`src/__init__.pyi\`.
    src/__init__.pyi | src/__init__.py
Similar: \`a---b/c.csv\`.
    a---b/c.csv | a---b/d/c.csv
Similar: \`dist/block--mod.css\`.
    dist/block--mod.css | dist/block--mo.css
Similar: \`-/a/b.csv\`.
    -/a/b.csv | -/b.csv"
`)
  })

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
  // No other file is offered.
  test('a line is offered what is there', async () => {
    const lines = `
report*
./packages/*
packages/{}/a.csv
$GITHUB_WORKSPACE/README.md
shot%201.png
packages/a/Outer$Iner.class
out/Test Result.csv
reports/.out/e2e.jsno
shot_1.png
packages/*/covrage/*.csv
*.MD
reports/*.csv # note
- reports/*.csv
“reports/*.csv”,
D:\\a\\r\\r\\reports\\*.csv
reports/unit].csv
reports/unit csv
reports /unit.csv
repots/unti.csv
reports\\unit.csv
/unit.csv
cov: reports/unit.csv
path=@reports/unit.csv
"reports/unit.csv
\`reports/unit.csv\`
reports/unit.csv;
reports/unit.csv -> b.csv
reports/unit.csv as b.csv
reports/unit.csv#Unit
reports/unit.csv:
not reports/unit.csv
-reports/unit.csv
reports/unit.csv or out/api.xml
reports/!(unit).csv
reports/unit.csv.gz
shot 3.png
`
    expect(await said(entries, lines, offered)).toMatchInlineSnapshot(`
"Similar: \`reports/Test Result.csv\`, \`reports/api.xml\`, \`reports/unit.csv\`.
    report*
Similar: \`packages/a/Outer$Inner.class\`.
    ./packages/*
    packages/a/Outer$Iner.class
nothing
    packages/{}/a.csv
    reports/!(unit).csv
    reports/unit.csv.gz
    shot 3.png
Similar: \`README.md\`.
    $GITHUB_WORKSPACE/README.md
    *.MD
Similar: \`shot 1.png\`.
    shot%201.png
    shot_1.png
Similar: \`reports/Test Result.csv\`.
    out/Test Result.csv
Similar: \`reports/.out/e2e.json\`.
    reports/.out/e2e.jsno
Similar: \`packages/a/coverage/a.csv\`.
    packages/*/covrage/*.csv
Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
    reports/*.csv # note
    - reports/*.csv
    “reports/*.csv”,
    D:\\a\\r\\r\\reports\\*.csv
Similar: \`reports/unit.csv\`.
    reports/unit].csv
    reports/unit csv
    reports /unit.csv
    repots/unti.csv
    reports\\unit.csv
    /unit.csv
    cov: reports/unit.csv
    path=@reports/unit.csv
    "reports/unit.csv
    \`reports/unit.csv\`
    reports/unit.csv;
    reports/unit.csv -> b.csv
    reports/unit.csv as b.csv
    reports/unit.csv#Unit
    reports/unit.csv:
    not reports/unit.csv
    -reports/unit.csv
Similar: \`reports/api.xml\`.
    reports/unit.csv or out/api.xml"
`)
  })

  test('a line is told what is no pattern in it', async () => {
    const lines = `
reports/unit.csv or reports/api.xml
reports/unit.csv + README.md
README.md, reports/unit.csv
reports/unit.csv reports/api.xml
a.csv;b.csv,
out/unit.csv out/api.xml
*.txt, *.xml
"reports/unit.csv" "README.md"
README.md 'reports/Test Result.csv'
out/*.csv, README
reports/unit;README.md
reports packages
All tests passed: 12 of 12
F0123,F9876
reports/*.csv # note
- reports/*.csv
-reports/unit.csv
^reports/unit.csv
not reports/unit.csv
[reports/*.csv, logs/*.log]
['reports/*.csv']
{'path': 'README.md'}
[{"path": "reports/*.cvs"}]
["build[1].csv"]
reports/unit.csv\\nREADME.md
out/*.csv,
none\\*.csv
"docs/\\303\\234bersicht.csv"
[\\"README.md\\"]
a.csv%0Ab.csv
logs\test.log
data\results.csv
reports／*.csv
files: reports/*.csv
reports/*.csv > out.zip
[final]*.csv
[a-z]*.[ch]
packages//reports
packages/{}/a.csv
reports/.csv
\${{ inputs.path }}/a.csv
{{ github.workspace }}/reports/unit.csv
github.workspace/reports/*.csv
steps.find.outputs.files
matrix.file
inputs.dir/unit.csv
null
undefined/unit.csv
reports/null
[object Object]
Array
https://example.com/a.csv
report-%Y-%m-%d.csv
none-$(date +%F).csv
$(pwd)/reports/*.csv
\`pwd\`/*.csv
$GITHUB_WORKSPACE/README.md
\${RUNNER_TEMP}/a.csv
$env:USERPROFILE/a.csv
%OUT%/a.csv
build[1].csv
build[1]/*.csv
packages/*/coverage
packages/*/
*/a/
“out/*.csv”
'out/*.csv'
README.md/
empty/*.csv
!*.csv⏎# *
 ⏎# *.csv
[]
out/[ab].csv$
reports/.*\\.csv
reports/.*
.+
[a-z]+.csv
out/\\w+.csv
(.*).csv
`
    expect(await said(entries, lines, firstLine)).toMatchInlineSnapshot(`
"It is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports/unit.csv or reports/api.xml
    reports/unit.csv + README.md
    README.md, reports/unit.csv
    reports/unit.csv reports/api.xml
    a.csv;b.csv,
    out/unit.csv out/api.xml
    *.txt, *.xml
    "reports/unit.csv" "README.md"
    README.md 'reports/Test Result.csv'
\`out/*.csv,\` with what follows is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    out/*.csv, README
\`reports/unit;\` with what follows is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports/unit;README.md
It is not a path. To post text, use \`comment\`. For several patterns, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports packages
    All tests passed: 12 of 12
    F0123,F9876
\`# note\` is taken as part of the name: only a whole line can be a comment.
    reports/*.csv # note
\`-\` has no meaning at the start of a line: remove it, or write \`!\` to exclude.
    - reports/*.csv
    -reports/unit.csv
\`^\` has no meaning at the start of a line: remove it, or write \`!\` to exclude.
    ^reports/unit.csv
\`not\` has no meaning at the start of a line: remove it, or write \`!\` to exclude.
    not reports/unit.csv
\`[\` looks like a list, but is not valid JSON: write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    [reports/*.csv, logs/*.log]
\`['\` looks like a list, but is not valid JSON: write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    ['reports/*.csv']
\`{'\` looks like a list, but is not valid JSON: write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    {'path': 'README.md'}
An object names one file. For all that match, write a string, which starts at \`working-directory\`.
    [{"path": "reports/*.cvs"}]
There is no \`build[1].csv\`: the workspace holds \`README.md\`, \`empty\`, \`packages\` and 2 more.
    ["build[1].csv"]
\`\\n\` is no line break. For one in an expression, write \`fromJSON('"\\n"')\`.
    reports/unit.csv\\nREADME.md
\`,\` is taken as part of the name: remove it.
    out/*.csv,
\`\\\` makes the character after it literal: write \`/\` between folders.
    none\\*.csv
It is a name as git quotes it: set \`core.quotePath\` to \`false\` in the step that lists it.
    "docs/\\303\\234bersicht.csv"
\`[\\"\` looks like a list, but is not valid JSON: write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    [\\"README.md\\"]
\`%0A\` is no line break. For one in an expression, write \`fromJSON('"\\n"')\`.
    a.csv%0Ab.csv
It has a control character: in double quotes, YAML reads \`\\\` and a letter as one. Write \`/\` between folders.
    logs<9>est.log
    data<d>esults.csv
\`／\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports／*.csv
\`files:\` has no meaning at the start of a line: remove it, or write \`!\` to exclude.
    files: reports/*.csv
\`>\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports/*.csv > out.zip
\`[final]\` stands for one character, since no file has this name. For brackets, write \`[[]\` and \`[]]\`.
    [final]*.csv
Searched the workspace, which holds \`README.md\`, \`empty\`, \`packages\` and 2 more.
    [a-z]*.[ch]
Was an expression in it empty?
    packages//reports
    packages/{}/a.csv
    reports/.csv
\`\${{ inputs.path }}\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    \${{ inputs.path }}/a.csv
\`{{ github.workspace }}\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    {{ github.workspace }}/reports/unit.csv
\`github.workspace\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    github.workspace/reports/*.csv
It looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    steps.find.outputs.files
    matrix.file
\`inputs.dir\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    inputs.dir/unit.csv
It is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    null
    [object Object]
    Array
\`undefined\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    undefined/unit.csv
\`null\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    reports/null
\`https:\` begins a URL: write the path of a file, which an earlier step can download.
    https://example.com/a.csv
\`%Y\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    report-%Y-%m-%d.csv
\`$(date +%F)\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    none-$(date +%F).csv
\`$(pwd)\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    $(pwd)/reports/*.csv
\`\`pwd\`\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    \`pwd\`/*.csv
\`$GITHUB_WORKSPACE\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    $GITHUB_WORKSPACE/README.md
\`\${RUNNER_TEMP}\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    \${RUNNER_TEMP}/a.csv
\`$env:USERPROFILE\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    $env:USERPROFILE/a.csv
\`%OUT%\` is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    %OUT%/a.csv
\`[1]\` stands for one character, since no file has this name. For brackets, write \`[[]\` and \`[]]\`.
    build[1].csv
    build[1]/*.csv
It matches only folders. End it with \`/**\` to find the files in them.
    packages/*/coverage
    packages/*/
    */a/
It has quotes, which count as part of the name: remove them.
    “out/*.csv”
    'out/*.csv'
\`README.md\` is a file, not a folder. Leave out the \`/\` and what follows it.
    README.md/
Searched \`empty\`, which holds nothing.
    empty/*.csv
\`files\` has only lines with \`!\`, which exclude files. Add what to send, like \`reports/**/*.csv\`.
    !*.csv⏎# *
\`files\` has no pattern: it is empty, or an expression in it is.
     ⏎# *.csv
    []
\`$\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    out/[ab].csv$
\`.*\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    reports/.*\\.csv
    reports/.*
It looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    .+
\`]+\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    [a-z]+.csv
\`\\w\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    out/\\w+.csv
\`(.*\` looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    (.*).csv"
`)
  })

  test('a line is told what patterns support, and nothing else', async () => {
    const lines = `
reports/!(unit).csv
reports/*.@(csv|xml)
+(unit|api).csv
reports/*.{csv|xml}
a.csv && b.csv
“out/*.csv
{unit,api.csv
reports/[unit.csv
`
    expect(await said(entries, lines, (whole) => whole)).toMatchInlineSnapshot(`
"\`!(\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports/!(unit).csv
\`@(\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports/*.@(csv|xml)
\`+(\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    +(unit|api).csv
\`|\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports/*.{csv|xml}
\`&&\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    a.csv && b.csv
\`“\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    “out/*.csv
It is not closed. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    {unit,api.csv
\`[unit.csv\` is not closed. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports/[unit.csv"
`)
  })

  // Names can contain spaces.
  test('a pattern as it should be is told nothing of the kind', async () => {
    const lines = `
report (1).csv
a@2x.csv
a+b.csv
coverage.*
*.csv.*
matrix.csv
env.txt
runner.log
inputs.zip
docs/github.sha.csv
src/My Reports/Final.csv
My Reports/Final.csv
`
    const last = (explanation: string) => explanation.split('\n').at(-1)
    expect(await said('x/y.txt', lines, last)).toBe(
      [notWritten, ...lines.trim().split('\n')].join('\n    '),
    )
  })
})

test('ten lines are explained, first those that name a file', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `missing/${index}/*.csv`)
  const names = Array.from({ length: 4 }, (_, index) => `missing/${index}.csv`)
  const all = await explanations({}, [...lines, ...names].join('\n'))
  expect(all.map((explanation) => explanation !== '')).toEqual(
    [...lines, ...names].map((_, index) => index < 6 || index >= 20),
  )
})

const notices = async (entries: string | Entries, lines: string) => {
  await using workspace = await tree(entries)
  const { problems } = await workspace.find(lines)
  return problems.map((problem) => `${problem.level}: ${quoted(problem.text)}`)
}

test('beside a line with files, no folder is listed for a hint, unless a named file is missing', async () => {
  await using workspace = await tree(
    'README.md Reports/unit.csv Reports/unit.xml a/.out/api.json b/c/d.xml',
  )
  const said = async (line: string) => {
    const { unmatched } = await workspace.find(`README.md\nReports/*.csv\n${line}`)
    return unmatched.flatMap(({ explanation = [] }) => explanation.map(quoted)).join('⏎')
  }
  const lines = `
report/*.xlm
Report/*.csv
Reports/*.cvs
c/*.xml
**/*.json
b/c/e.xml
`
  const shortened = async (line: string) => (await said(line)).replace(notWritten, '(not written?)')
  expect(await grid(lines, shortened)).toMatchInlineSnapshot(`
"report/*.xlm
    There is no \`report\`: the workspace holds \`Reports\`, \`README.md\`, \`a\` and 1 more.⏎(not written?)
Report/*.csv
    There is no \`Report\`: the workspace holds \`Reports\`, \`README.md\`, \`a\` and 1 more.⏎Similar: \`Reports/unit.csv\`.
Reports/*.cvs
    Searched \`Reports\`, which holds \`unit.csv\`, \`unit.xml\`.⏎Similar: \`Reports/unit.csv\`.
c/*.xml
    There is no \`c\`: the workspace holds \`README.md\`, \`Reports\`, \`a\` and 1 more.⏎(not written?)
**/*.json
    Searched the workspace, which holds \`README.md\`, \`Reports\`, \`a\` and 1 more.⏎(not written?)⏎Not searched: \`a/.out/\` is a hidden folder. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.
b/c/e.xml
    There is no \`b/c/e.xml\`: \`b/c\` holds \`d.xml\`.⏎(not written?)"
`)
})

test('of a line with files, each alternative that matches nothing is named', async () => {
  await using workspace = await tree({ 'a/1.csv': '1', 'b/1.csv': '', 'c/1.csv': '2' })
  const lines = '{a,b,c,d}/*.csv\n!c\n{e,f}/*.csv'
  const { unmatched } = await workspace.find(lines, { skipEmptyFiles: true })
  expect(unmatched.map(({ pattern, literal }) => [pattern, literal])).toEqual([
    ['{e,f}/*.csv', false],
    ['d/*.csv', undefined],
  ])
})

test('the log says of ** in a part of a name that it searches no folders below', async () => {
  await using workspace = await tree('r/a.csv r/b/c.csv')
  const { files, remarks = [] } = await workspace.find('r/**.csv\n**/*.csv\n**/r/**.xml')
  expect([files.map(({ path }) => path), remarks.map(quoted)]).toEqual([
    ['r/a.csv', 'r/b/c.csv'],
    ['`r/**.csv` searches no folders below: `**` does that only between slashes'],
  ])
})

describe('a line with ! that excludes nothing', () => {
  const kept = (line: string) =>
    `Correct it (\`!**/\` excludes in all folders), or write \`${line}\` if it is right.`

  test.each([
    ['!./unit.csv', '!./[u]nit.csv'],
    ['!/unit.*', '!/[u]nit.*'],
    ['!"r/unit.csv"', '!"r/[u]nit.csv"'],
    ['!“r/unit.csv”', '!“r/[u]nit.csv”'],
    ["!'unit.csv' # note", "!'[u]nit.csv' # note"],
    ['!r/u* # not this', '!r/[u]* # not this'],
    ['!r/untt.csv', '!r/[u]ntt.csv'],
  ])('%s stops the step if it almost excludes a file', async (line, right) => {
    const entries = { 'r/unit.csv': '1', 'r/api.csv': '2', 'd/tmp/a.csv': '3' }
    expect(await notices(entries, `r/*\n${line}\n!r/api.csv`)).toEqual([
      `error: \`${line}\` excludes nothing. ${meant('r/unit.csv')}\n${kept(right)}`,
    ])
  })

  test('stops the step only if each of its names is in the path of a file', async () => {
    // As they stand in public workflows, each with a tree in which it finds nothing.
    const lines = `
!**/node_modules/** ← dist/index.html build/app.tar.gz
!**/.venv/** ← dist/app-1.2.0.whl build/lib/app/venv.py
!target/release/*.d ← target/release/app target/release/app.dll
!target/release/*.pdb ← target/release/app.exe target/release/app.pdf
!target/coverage/tarpaulin-report.json ← target/coverage/lcov.info target/coverage/tarpaulin-report.html
!target/*-sources.jar ← target/app-1.2.0.jar target/app-1.2.0-javadoc.jar
!**/target/*-sources.jar ← api/target/api-1.2.0.jar
!build/**/*.o ← build/bin/app build/lib/libapp.so
!build/**/*.obj ← build/bin/app.exe build/lib/app.lib
!build/**/tmp/ ← build/bin/app build/tmp.log
!build/node_modules/ ← build/index.html build/static/js/main.js
!build/binaries/**/app/** ← build/binaries/main/deb/app_1.2.0_amd64.deb
!build/binaries/**/runtime/** ← build/binaries/main/dmg/App-1.2.0.dmg
!dist/**/*.map ← dist/index.js dist/assets/index.css dist/assets/index.mjs
!dist/**/*.md ← dist/index.js dist/docs.mdx
!dist/**/*md ← dist/index.js dist/amd.js
!dist/**/*.test.js ← dist/index.js dist/test.js
!release/**/mac-*/** ← release/App-1.2.0.dmg release/latest-mac.yml
!release/*.blockmap ← release/App-1.2.0.dmg release/App-1.2.0.exe
!packages/*/dist/**/*.map ← packages/api/dist/index.js packages/web/dist/main.css
!packages/*/node_modules/ ← packages/api/dist/index.js
!packages/playground ← packages/api/dist/index.js packages/web/dist/index.js
!packages/legacy/lcov.info ← packages/web/lcov.info packages/api/lcov.info
!**/bin/**/ref/** ← src/App/bin/Release/net10.0/App.dll
!**/*.pdb ← src/App/bin/Release/App.dll src/App/bin/Release/manual.pdf
!app/build/**/unsigned* ← app/build/outputs/apk/release/app-release.apk
!test-results/**/runtime-state.json ← test-results/server-mode/junit.xml
!test-results/**/*.md ← README.md docs/setup.md
!docs/reference/** ← docs/index.md docs/guide/setup.md
!docs/llms*.txt ← docs/index.md docs/robots.txt
!docs/wiki/**/* ← docs/setup.md README.md
!docs/screenshots/** ← docs/index.html
!coverage/tmp/** ← coverage/lcov.info coverage/lcov-report/index.html
!path/**/*.tmp ← path/output/bin/app path/output/test.txt
!**/*.test.ts ← src/app.ts src/test.ts
!**/test/** ← src/main/app.log src/latest/app.log
!**/tests/** ← app/test/unit.log
!**/*.jpg ← screens/a.png screens/b.jpeg
!*.lock ← package.json app/Cargo.toml
!logs/debug-*.log ← logs/test-1.log logs/debug/1.txt
!apps/web2/** ← apps/web/a.csv
!apps/web/** ← apps/web2/a.csv
!reports/2025/** ← reports/2026/a.csv
!cov*/ ← r/coverage.csv
!*/*/* ← r/a.csv
!**/log/**⏎!**/logs/** ← app/logs/a.log b.csv
!reports/[p]rivat/** ← reports/private/a.csv
!r/{ü}ber.csv ← über.csv
!reports/privat/** ← reports/private/salaries.csv
!reports/privat/ ← reports/private/salaries.csv
!reports/pirvate/** ← reports/private/salaries.csv
!report/private ← reports/private/salaries.csv
!private/** ← reports/private/salaries.csv
!/reports/secret.csv ← app/reports/secret.csv
!app/app/secret.csv ← app/secret.csv
!*.tmp ← r/d/a.tmp
!**/*.cvs ← r/a.csv
!test_results/secret.xml ← test-results/a/secret.xml
!**/salarie.csv ← reports/private/salaries.csv
`
    const outcome = async (row: string) => {
      const [line = '', entries = ''] = row.split(' ← ')
      const said = await notices(entries, `**\n${line}`)
      return said.length > 0 ? 'stops' : 'silent'
    }
    expect(await groups(lines, outcome)).toMatchInlineSnapshot(`
"silent
    !**/node_modules/** ← dist/index.html build/app.tar.gz
    !**/.venv/** ← dist/app-1.2.0.whl build/lib/app/venv.py
    !target/release/*.d ← target/release/app target/release/app.dll
    !target/release/*.pdb ← target/release/app.exe target/release/app.pdf
    !target/coverage/tarpaulin-report.json ← target/coverage/lcov.info target/coverage/tarpaulin-report.html
    !target/*-sources.jar ← target/app-1.2.0.jar target/app-1.2.0-javadoc.jar
    !**/target/*-sources.jar ← api/target/api-1.2.0.jar
    !build/**/*.o ← build/bin/app build/lib/libapp.so
    !build/**/*.obj ← build/bin/app.exe build/lib/app.lib
    !build/**/tmp/ ← build/bin/app build/tmp.log
    !build/node_modules/ ← build/index.html build/static/js/main.js
    !build/binaries/**/app/** ← build/binaries/main/deb/app_1.2.0_amd64.deb
    !build/binaries/**/runtime/** ← build/binaries/main/dmg/App-1.2.0.dmg
    !dist/**/*.map ← dist/index.js dist/assets/index.css dist/assets/index.mjs
    !dist/**/*.md ← dist/index.js dist/docs.mdx
    !dist/**/*md ← dist/index.js dist/amd.js
    !dist/**/*.test.js ← dist/index.js dist/test.js
    !release/**/mac-*/** ← release/App-1.2.0.dmg release/latest-mac.yml
    !release/*.blockmap ← release/App-1.2.0.dmg release/App-1.2.0.exe
    !packages/*/dist/**/*.map ← packages/api/dist/index.js packages/web/dist/main.css
    !packages/*/node_modules/ ← packages/api/dist/index.js
    !packages/playground ← packages/api/dist/index.js packages/web/dist/index.js
    !packages/legacy/lcov.info ← packages/web/lcov.info packages/api/lcov.info
    !**/bin/**/ref/** ← src/App/bin/Release/net10.0/App.dll
    !**/*.pdb ← src/App/bin/Release/App.dll src/App/bin/Release/manual.pdf
    !app/build/**/unsigned* ← app/build/outputs/apk/release/app-release.apk
    !test-results/**/runtime-state.json ← test-results/server-mode/junit.xml
    !test-results/**/*.md ← README.md docs/setup.md
    !docs/reference/** ← docs/index.md docs/guide/setup.md
    !docs/llms*.txt ← docs/index.md docs/robots.txt
    !docs/wiki/**/* ← docs/setup.md README.md
    !docs/screenshots/** ← docs/index.html
    !coverage/tmp/** ← coverage/lcov.info coverage/lcov-report/index.html
    !path/**/*.tmp ← path/output/bin/app path/output/test.txt
    !**/*.test.ts ← src/app.ts src/test.ts
    !**/test/** ← src/main/app.log src/latest/app.log
    !**/*.jpg ← screens/a.png screens/b.jpeg
    !*.lock ← package.json app/Cargo.toml
    !logs/debug-*.log ← logs/test-1.log logs/debug/1.txt
    !apps/web2/** ← apps/web/a.csv
    !apps/web/** ← apps/web2/a.csv
    !reports/2025/** ← reports/2026/a.csv
    !cov*/ ← r/coverage.csv
    !*/*/* ← r/a.csv
    !**/log/**⏎!**/logs/** ← app/logs/a.log b.csv
    !reports/[p]rivat/** ← reports/private/a.csv
    !r/{ü}ber.csv ← über.csv
stops
    !**/tests/** ← app/test/unit.log
    !reports/privat/** ← reports/private/salaries.csv
    !reports/privat/ ← reports/private/salaries.csv
    !reports/pirvate/** ← reports/private/salaries.csv
    !report/private ← reports/private/salaries.csv
    !private/** ← reports/private/salaries.csv
    !/reports/secret.csv ← app/reports/secret.csv
    !app/app/secret.csv ← app/secret.csv
    !*.tmp ← r/d/a.tmp
    !**/*.cvs ← r/a.csv
    !test_results/secret.xml ← test-results/a/secret.xml
    !**/salarie.csv ← reports/private/salaries.csv"
`)
  })

  onLinux.each(['reports/Private/**', String.raw`reports\private\*`])(
    'stops the step if only case or `\\` differs: !%s',
    async (line) => {
      const said = await notices('reports/private/salaries.csv', `**\n!${line}`)
      expect(said.join()).toContain(meant('reports/private/salaries.csv'))
    },
  )

  test('compares its names with hidden files, absolute paths and a working directory', async () => {
    await using workspace = await tree('app/.cache/a.csv app/unit/b.csv')
    const stops = async (line: string) =>
      (await workspace.find(`**\n${line}`, { workingDirectory: 'app', includeHiddenFiles: true }))
        .problems.length
    expect(await stops('!cache/**')).toBe(1)
    expect(await stops(`!${workspace.root}/app/untt/**`)).toBe(1)
    expect(await stops('!app/unit/**')).toBe(1)
    expect(await stops('!unit/**')).toBe(0)
  })

  test('is kept in a JSON list by other brackets', async () => {
    const list = (line: string) => JSON.stringify(['r/**', line])
    expect(await notices('r/a/b.csv', list('!r/aa/'))).toEqual([])
    expect(await notices('r/unit/b.csv', list('!r/units/**'))).toEqual([
      `error: \`!r/units/**\` excludes nothing. ${meant('r/unit/b.csv')}\n${kept('!r/{u}nits/**')}`,
    ])
    await using workspace = await tree('r/unit/b.csv r/units/c.csv')
    expect(await workspace.paths(list('!r/{u}nits/**'))).toEqual(['r/unit/b.csv'])
    expect(await workspace.paths('r/**\n!r/[u]nits/**')).toEqual(['r/unit/b.csv'])
  })

  test.each(['!r/tmp/**', '!/x'])('%s is only logged if it is like no file', async (line) => {
    await using workspace = await tree('r/unit.csv d/tmp/a.csv')
    expect(await workspace.find(`r/*\n${line}`)).toMatchObject({
      remarks: [text`${line} excluded nothing`],
      problems: [],
    })
  })
})

test('of two lines with ! that exclude the same file, none is idle', async () => {
  await using workspace = await tree('r/unit.csv r/tmp.csv')
  expect(await workspace.find('r/*\n!r/tmp.*\n!**/tmp.csv')).toMatchObject({ remarks: [] })
})

test('an object starts at the workspace, also in a working-directory', async () => {
  const explain = async (line: string) =>
    (await explanations('app/out/c.csv', line, { workingDirectory: 'app' }))[0]
  expect(await explain('{"path": "out/c.csv"}')).toMatch(
    /^There is no `out\/c.csv`: .*\nSimilar: `app\/out\/c.csv`/,
  )
})

describe('of what lies outside the workspace, nothing is named', () => {
  const missing = 'no-such-folder/*.log'
  test.each([`/${missing}`, `${tmpdir()}/${missing}`, `../${missing}`])('%s', async (line) => {
    const [found] = await explanations('a.csv', line)
    expect(found).toMatch(/^There is no `[^`]*no-such-folder`\.\n/)
    expect(found).not.toMatch(/holds|Similar/)
  })

  /** The explanation names nothing beside the workspace. */
  async function expectNothingNamed(line: string, more: Entries = {}): Promise<void> {
    const entries = { 'other/secrets.txt': '1', 'workspace/a': '1', ...more }
    const [found] = await explanations(entries, line, { workspace: 'workspace' })
    expect(found).toMatch(/^(?!.*(?:secrets|holds|Similar))/s)
  }

  // On other systems, this line finds the file.
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
  await using workspace = await tree(files)
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

test('a file is offered as it must be typed in the working directory', async () => {
  const lines = `
reports/unit.csv
reports/*.csv
out/*.cvs
app/out/b.csv
../report/unit.csv
["unit.csv"]
[{"path": "unit.csv"}]
`
  const entries = 'reports/unit.csv app/src/a.ts app/out/b.csv'
  const offer = async (line: string) =>
    offered((await explanations(entries, line, { workingDirectory: 'app' })).join())
  expect(await grid(lines, offer)).toMatchInlineSnapshot(`
"reports/unit.csv
    Similar: \`../reports/unit.csv\`.
reports/*.csv
    Similar: \`../reports/unit.csv\`.
out/*.cvs
    Similar: \`out/b.csv\`.
app/out/b.csv
    Similar: \`out/b.csv\`.
../report/unit.csv
    Similar: \`../reports/unit.csv\`.
["unit.csv"]
    Similar: \`../reports/unit.csv\`.
[{"path": "unit.csv"}]
    Similar: \`reports/unit.csv\`."
`)
})

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
      ...(last ? [last] : []),
    ])
  },
)
