import { homedir } from 'node:os'
import { describe, expect, test } from '@jest/globals'
import { quoted } from '../../../src/text/text.ts'
import { finds } from '../../support/finds.ts'
import { groups } from '../../support/grid.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { type Entries, tree } from '../../support/tree.ts'

/** Explanations of lines that find no file. */
async function explanations(entries: string | Entries, lines: string): Promise<readonly string[]> {
  await using disk = await tree(entries)
  const { files, unmatched } = await disk.find(lines)
  expect(files).toEqual([])
  return unmatched.map(({ explanation = [] }) => explanation.map(quoted).join('\n'))
}

/**
 * Trees, each above lines that find nothing in it, and below each line its explanation, or the part
 * of it.
 */
const explained = (trees: string, part = (explanation: string) => explanation) =>
  finds(trees, ({ unmatched }) =>
    unmatched
      .map(({ explanation = [] }) => part(explanation.map(quoted).join('\n')))
      .join('⏎⏎')
      .replaceAll(notWritten, '(not written?)')
      .replaceAll(homedir(), 'HOME'),
  )

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
/** Only the advice. */
const offered = (explanation: string) => explanation.match(/^Similar.*$/gm)?.join() ?? 'nothing'
const reports =
  'README.md .github/ci.yml app/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/Summary.txt reports/.hidden.json reports/.out/c.json'
const notWritten =
  'Did the step that writes these files run, and did it run before this one? If another job made them, download its artifact first.'
describe('a line that matches nothing is explained by the folder searched, what is there, and what was probably meant', () => {
  test('as far as it can be told from what is there, with each reason on a line of its own', async () => {
    const rows = `
${reports}
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

nothing
b/*.csv

b/1.csv
# Any folder can hold a CSV file.
a/*.csv

a.csv b.csv c.csv d.csv
*.csv⏎!*.csv

${reports}
# Hidden files are no hint.
none/*.json

a.csv
{,}

reports/a.csv
reports/{b..z}.csv

.github/a.csv .git-x/a.csv node_modules/.bin/a.csv b.txt
**/*.csv

coverage/a/b.xml out/a/b.xml .x/out/a.xml .x/b.xml
# Beside a similar file, hidden folders are named only if something in them fits.
**/coverage/*.xml
**/out/*.xml

reports/unit/a.csv reports/b.txt
# What is missing in the working directory is named from the workspace on.
coverage.csv | {"workingDirectory":"reports"}

app/out/c.csv
# An object starts at the workspace.
{"path": "out/c.csv"} | {"workingDirectory":"app"}

other/secrets.txt workspace/a
# Outside the workspace, nothing is named.
TREE/no-such-folder/*.log | {"workspace":"workspace"}
../no-such-folder/*.log | {"workspace":"workspace"}
../reports/*.csv | {"workspace":"workspace"}
../secret.txt | {"workspace":"workspace"}
../other/*.csv | {"workspace":"workspace"}
../othr/*.txt | {"workspace":"workspace"}
`
    expect(await explained(rows)).toMatchInlineSnapshot(`
"README.md .github/ci.yml app/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/Summary.txt reports/.hidden.json reports/.out/c.json
reports/unit/*.xml
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
    \`README.md\` is a file, not a folder. Leave out the \`/\` and what follows it.

nothing
b/*.csv
    There is no \`b\`: the workspace holds nothing.⏎Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?

b/1.csv
# Any folder can hold a CSV file.
a/*.csv
    There is no \`a\`: the workspace holds \`b\`.⏎(not written?)

a.csv b.csv c.csv d.csv
*.csv⏎!*.csv
    \`a.csv\` is excluded by \`!*.csv\`; \`b.csv\` is excluded by \`!*.csv\`; \`c.csv\` is excluded by \`!*.csv\` and 1 more. A line with \`!\` excludes wherever it stands.

README.md .github/ci.yml app/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/Summary.txt reports/.hidden.json reports/.out/c.json
# Hidden files are no hint.
none/*.json
    There is no \`none\`: the workspace holds \`README.md\`, \`app\`, \`reports\` and 1 more.⏎(not written?)

a.csv
{,}
    It matches no path at all.

reports/a.csv
reports/{b..z}.csv
    Searched \`reports\`, which holds \`a.csv\`.⏎(not written?)

.github/a.csv .git-x/a.csv node_modules/.bin/a.csv b.txt
**/*.csv
    Searched the workspace, which holds \`b.txt\`, \`node_modules\`, \`.git-x\` and 1 more.⏎(not written?)

coverage/a/b.xml out/a/b.xml .x/out/a.xml .x/b.xml
# Beside a similar file, hidden folders are named only if something in them fits.
**/coverage/*.xml
    Searched the workspace, which holds \`coverage\`, \`out\`, \`.x\`.⏎Similar: \`coverage/a/b.xml\`.
**/out/*.xml
    Searched the workspace, which holds \`coverage\`, \`out\`, \`.x\`.⏎Similar: \`out/a/b.xml\`.⏎Not searched: \`.x/\` is a hidden folder. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.

reports/unit/a.csv reports/b.txt
# What is missing in the working directory is named from the workspace on.
coverage.csv | {"workingDirectory":"reports"}
    There is no \`reports/coverage.csv\`: \`reports\` holds \`b.txt\`, \`unit\`.⏎(not written?)

app/out/c.csv
# An object starts at the workspace.
{"path": "out/c.csv"} | {"workingDirectory":"app"}
    There is no \`out/c.csv\`: the workspace holds \`app\`.⏎Similar: \`app/out/c.csv\`.⏎(not written?)

other/secrets.txt workspace/a
# Outside the workspace, nothing is named.
TREE/no-such-folder/*.log | {"workspace":"workspace"}
    There is no \`TREE/no-such-folder\`.⏎(not written?)
../no-such-folder/*.log | {"workspace":"workspace"}
    There is no \`TREE/no-such-folder\`.⏎(not written?)
../reports/*.csv | {"workspace":"workspace"}
    There is no \`TREE/reports\`.⏎(not written?)
../secret.txt | {"workspace":"workspace"}
    There is no \`TREE/secret.txt\`.⏎(not written?)
../other/*.csv | {"workspace":"workspace"}
    Searched \`TREE/other\`.⏎(not written?)
../othr/*.txt | {"workspace":"workspace"}
    There is no \`TREE/othr\`.⏎(not written?)"
`)
  })

  withLinks('as far as it can be told, also of links', async () => {
    const rows = `
.x/a.csv .y/ z/a.txt bazel-bin->/ out/b.csv
# Among the folders that were not searched, hidden ones come last.
**/*.csv⏎!out

.a.csv b.csv->none
*.csv

a.txt b.csv->a.txt
*.csv⏎!a.txt

b.csv->none
b.csv

.a.csv x.csv->.a.csv
*x.csv

r/a.csv l/a.csv->../r/a.csv
# A link to a file is not offered beside it.
x/a.csv

other/secrets.txt workspace/a workspace/link->../other
link/*.csv | {"workspace":"workspace"}
`
    expect(await explained(rows)).toMatchInlineSnapshot(`
".x/a.csv .y/ z/a.txt bazel-bin->/ out/b.csv
# Among the folders that were not searched, hidden ones come last.
**/*.csv⏎!out
    Searched the workspace, which holds \`bazel-bin\`, \`out\`, \`z\` and 2 more.⏎(not written?)⏎Not searched: \`bazel-bin/\` is outside the workspace: a symlink leads there; \`out/\` is excluded by \`!out\`; \`.x/\` is a hidden folder and 1 more. Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.

.a.csv b.csv->none
*.csv
    \`.a.csv\` is a hidden file; \`b.csv\` is a broken symlink. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`. Does an earlier step create what such a symlink points to?

a.txt b.csv->a.txt
*.csv⏎!a.txt
    \`b.csv\` is excluded by \`!a.txt\`. A line with \`!\` excludes wherever it stands.

b.csv->none
b.csv
    \`b.csv\` is a broken symlink. Does an earlier step create what such a symlink points to?

.a.csv x.csv->.a.csv
*x.csv
    \`x.csv\` is a symlink to \`.a.csv\`, which is hidden. To send what such a symlink points to, set \`include-hidden-files: true\`, or write the symlink before the first wildcard, like \`latest/*.csv\`.

r/a.csv l/a.csv->../r/a.csv
# A link to a file is not offered beside it.
x/a.csv
    There is no \`x/a.csv\`: the workspace holds \`l\`, \`r\`.⏎Similar: \`r/a.csv\`.⏎(not written?)

other/secrets.txt workspace/a workspace/link->../other
link/*.csv | {"workspace":"workspace"}
    \`link/\` is outside the workspace: a symlink leads there. Copy what such a symlink points to into the workspace in an earlier step, or write that path itself."
`)
  })

  onPosix('as far as it can be told, also outside the workspace', async () => {
    const rows = `
a.csv
/none.csv
~/none.csv
/no-such-folder/*.log

summary.txt
# Upper and lower case matter.
Summary.txt
`
    expect(await explained(rows)).toMatchInlineSnapshot(`
"a.csv
/none.csv
    There is no \`/none.csv\`.⏎A leading \`/\` is the root of the runner's disk: was an expression before it empty?
~/none.csv
    There is no \`HOME/none.csv\`.⏎(not written?)
/no-such-folder/*.log
    There is no \`/no-such-folder\`.⏎A leading \`/\` is the root of the runner's disk: was an expression before it empty?

summary.txt
# Upper and lower case matter.
Summary.txt
    There is no \`Summary.txt\`: the workspace holds \`summary.txt\`.⏎Similar: \`summary.txt\`."
`)
  })

  onLinux('of another folder, whose name differs in case, nothing is named', async () => {
    const tree = 'other/secrets.txt workspace/a\n../Other/*.txt | {"workspace":"workspace"}'
    expect(await explained(tree)).toContain('  There is no `TREE/Other`.⏎(not written?)')
  })

  test('a line with a gap that no file has is asked about an expression, and offered none', async () => {
    const lines = `
reports/unit/a.csv
reports//a.csv

README.md
dist/app-.zip

__snapshots__/a.snap
# These are names.
__snapshot__/a.snap
`
    const asked = (explanation: string) =>
      explanation.includes('expression') ? explanation : offered(explanation)
    expect(await explained(lines, asked)).toMatchInlineSnapshot(`
"reports/unit/a.csv
reports//a.csv
    Was an expression in it empty?

README.md
dist/app-.zip
    Was an expression in it empty?

__snapshots__/a.snap
# These are names.
__snapshot__/a.snap
    Similar: \`__snapshots__/a.snap\`."
`)
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
  test('a line is told what is no pattern in it', async () => {
    const lines = `
["build[1].csv"]
[final]*.csv
[a-z]*.[ch]
packages//reports
build[1].csv
build[1]/*.csv
packages/*/coverage
packages/*/
*/a/
README.md/
empty/*.csv
!*.csv⏎# *
 ⏎# *.csv
[]
reports/!(unit).csv
reports/*.@(csv|xml)
[{"path": "reports/*.cvs"}]
reports\\*.cvs
`
    const told = (whole: string) =>
      whole.replace(/ A line is one pattern.*/, '').replace(notWritten, '(not written?)')
    expect(await said(entries, lines, told)).toMatchInlineSnapshot(`
"There is no \`build[1].csv\`: the workspace holds \`README.md\`, \`empty\`, \`packages\` and 2 more.
(not written?)
    ["build[1].csv"]
\`[final]\` stands for one character, since no file has this name. For brackets, write \`[[]\` and \`[]]\`.
Similar: \`packages/a/coverage/a.csv\`.
    [final]*.csv
Searched the workspace, which holds \`README.md\`, \`empty\`, \`packages\` and 2 more.
(not written?)
    [a-z]*.[ch]
Was an expression in it empty?
    packages//reports
\`[1]\` stands for one character, since no file has this name. For brackets, write \`[[]\` and \`[]]\`.
    build[1].csv
    build[1]/*.csv
It matches only folders. End it with \`/**\` to find the files in them.
Similar: \`packages/a/coverage/a.csv\`.
    packages/*/coverage
It matches only folders. End it with \`/**\` to find the files in them.
Similar: \`packages/a/Outer$Inner.class\`.
    packages/*/
    */a/
\`README.md\` is a file, not a folder. Leave out the \`/\` and what follows it.
    README.md/
Searched \`empty\`, which holds nothing.
(not written?)
    empty/*.csv
\`files\` has only lines with \`!\`, which exclude files. Add what to send, like \`reports/**/*.csv\`.
    !*.csv⏎# *
\`files\` has no pattern: it is empty, or an expression in it is.
     ⏎# *.csv
    []
\`!(\` has no special meaning here.
    reports/!(unit).csv
\`@(\` has no special meaning here.
Similar: \`reports/Test Result.csv\`, \`reports/api.xml\`, \`reports/unit.csv\`.
    reports/*.@(csv|xml)
An object names one file. For all that match, write a string, which starts at \`working-directory\`.
Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
    [{"path": "reports/*.cvs"}]
\`\\\` makes the character after it literal: write \`/\` between folders.
Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
    reports\\*.cvs"
`)
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

test('beside a line with files, no folder is listed for a hint, unless a named file is missing', async () => {
  const lines = `
README.md Reports/unit.csv Reports/unit.xml a/.out/api.json b/c/d.xml
README.md⏎Reports/*.csv⏎report/*.xlm
README.md⏎Reports/*.csv⏎Report/*.csv
README.md⏎Reports/*.csv⏎Reports/*.cvs
README.md⏎Reports/*.csv⏎c/*.xml
README.md⏎Reports/*.csv⏎**/*.json
README.md⏎Reports/*.csv⏎b/c/e.xml
`
  expect(await explained(lines)).toMatchInlineSnapshot(`
"README.md Reports/unit.csv Reports/unit.xml a/.out/api.json b/c/d.xml
README.md⏎Reports/*.csv⏎report/*.xlm
    There is no \`report\`: the workspace holds \`Reports\`, \`README.md\`, \`a\` and 1 more.⏎(not written?)
README.md⏎Reports/*.csv⏎Report/*.csv
    There is no \`Report\`: the workspace holds \`Reports\`, \`README.md\`, \`a\` and 1 more.⏎Similar: \`Reports/unit.csv\`.
README.md⏎Reports/*.csv⏎Reports/*.cvs
    Searched \`Reports\`, which holds \`unit.csv\`, \`unit.xml\`.⏎Similar: \`Reports/unit.csv\`.
README.md⏎Reports/*.csv⏎c/*.xml
    There is no \`c\`: the workspace holds \`README.md\`, \`Reports\`, \`a\` and 1 more.⏎(not written?)
README.md⏎Reports/*.csv⏎**/*.json
    Searched the workspace, which holds \`README.md\`, \`Reports\`, \`a\` and 1 more.⏎(not written?)⏎Not searched: \`a/.out/\` is a hidden folder. To send hidden files, write the dot in the pattern or set \`include-hidden-files: true\`.
README.md⏎Reports/*.csv⏎b/c/e.xml
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

describe('a line with ! that excludes nothing', () => {
  test('stops the step if it almost excludes a file, and is else only logged', async () => {
    const trees = `
r/unit.csv r/api.csv d/tmp/a.csv
r/*⏎!./unit.csv⏎!r/api.csv
r/*⏎!/unit.*⏎!r/api.csv
r/*⏎!"r/unit.csv"⏎!r/api.csv
r/*⏎!“r/unit.csv”⏎!r/api.csv
r/*⏎!'unit.csv' # note⏎!r/api.csv
r/*⏎!'r/**'⏎!r/api.csv
r/*⏎!R/**/*⏎!r/api.csv
r/*⏎!r/u* # not this⏎!r/api.csv
r/*⏎!r/untt.csv⏎!r/api.csv
r/*⏎!r/tmp/**
r/*⏎!/x

app/.cache/a.csv app/unit/b.csv
# Its names are compared with hidden files, absolute paths and a working directory.
**⏎!cache/** | {"workingDirectory":"app","includeHiddenFiles":true}
**⏎!TREE/app/untt/** | {"workingDirectory":"app","includeHiddenFiles":true}
**⏎!app/unit/** | {"workingDirectory":"app","includeHiddenFiles":true}
**⏎!unit/** | {"workingDirectory":"app","includeHiddenFiles":true}

r/_b.csv c.csv
# It is kept by a sign if it has no letter.
**⏎!_*

r/a/b.csv
["r/**","!r/aa/"]

r/unit.csv
# It stops the step after any number of others that are right.
**⏎!tmp0/**⏎!tmp1/**⏎!tmp2/**⏎!tmp3/**⏎!tmp4/**⏎!tmp5/**⏎!tmp6/**⏎!tmp7/**⏎!tmp8/**⏎!tmp9/**⏎!unit.csv

r/unit/b.csv
# It is kept in a JSON list by other brackets.
["r/**","!r/units/**"]

r/unit/b.csv r/units/c.csv
["r/**","!r/{u}nits/**"]
r/**⏎!r/[u]nits/**

{a}/unit.csv
["**","!{a}/untt.csv"]

app/logs/a.log b.csv
**⏎!**/log/**⏎!**/logs/**

r/unit.csv r/tmp.csv
# Of two that exclude the same file, none is idle.
r/*⏎!r/tmp.*⏎!**/tmp.csv

r/a.csv r/b/c.csv
# The log says of ** in a part of a name that it searches no folders below.
r/**.csv⏎**/*.csv⏎**/r/**.xml
`
    expect(await finds(trees)).toMatchInlineSnapshot(`
"r/unit.csv r/api.csv d/tmp/a.csv
r/*⏎!./unit.csv⏎!r/api.csv
    r/unit.csv | error: \`!./unit.csv\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!./[u]nit.csv\` if it is right. | log: \`!./unit.csv\` excluded nothing
r/*⏎!/unit.*⏎!r/api.csv
    r/unit.csv | error: \`!/unit.*\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!/[u]nit.*\` if it is right. | log: \`!/unit.*\` excluded nothing
r/*⏎!"r/unit.csv"⏎!r/api.csv
    r/unit.csv | error: \`!"r/unit.csv"\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!"r/[u]nit.csv"\` if it is right. | log: \`!"r/unit.csv"\` excluded nothing
r/*⏎!“r/unit.csv”⏎!r/api.csv
    r/unit.csv | error: \`!“r/unit.csv”\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!“r/[u]nit.csv”\` if it is right. | log: \`!“r/unit.csv”\` excluded nothing
r/*⏎!'unit.csv' # note⏎!r/api.csv
    r/unit.csv | error: \`!'unit.csv' # note\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!'[u]nit.csv' # note\` if it is right. | log: \`!'unit.csv' # note\` excluded nothing
r/*⏎!'r/**'⏎!r/api.csv
    r/unit.csv | error: \`!'r/**'\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!'[r]/**'\` if it is right. | log: \`!'r/**'\` excluded nothing
r/*⏎!R/**/*⏎!r/api.csv
    r/unit.csv | error: \`!R/**/*\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`![R]/**/*\` if it is right. | log: \`!R/**/*\` excluded nothing
r/*⏎!r/u* # not this⏎!r/api.csv
    r/unit.csv | error: \`!r/u* # not this\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!r/[u]* # not this\` if it is right. | log: \`!r/u* # not this\` excluded nothing
r/*⏎!r/untt.csv⏎!r/api.csv
    r/unit.csv | error: \`!r/untt.csv\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!r/[u]ntt.csv\` if it is right. | log: \`!r/untt.csv\` excluded nothing
r/*⏎!r/tmp/**
    r/api.csv | r/unit.csv | log: \`!r/tmp/**\` excluded nothing
r/*⏎!/x
    r/api.csv | r/unit.csv | log: \`!/x\` excluded nothing

app/.cache/a.csv app/unit/b.csv
# Its names are compared with hidden files, absolute paths and a working directory.
**⏎!cache/** | {"workingDirectory":"app","includeHiddenFiles":true}
    app/.cache/a.csv | app/unit/b.csv | error: \`!cache/**\` excludes nothing. Similar: \`.cache/a.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`![c]ache/**\` if it is right. | log: \`!cache/**\` excluded nothing
**⏎!TREE/app/untt/** | {"workingDirectory":"app","includeHiddenFiles":true}
    app/.cache/a.csv | app/unit/b.csv | error: \`!TREE/app/untt/**\` excludes nothing. Similar: \`unit/b.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!TREE/app/[u]ntt/**\` if it is right. | log: \`!TREE/app/untt/**\` excluded nothing
**⏎!app/unit/** | {"workingDirectory":"app","includeHiddenFiles":true}
    app/.cache/a.csv | app/unit/b.csv | error: \`!app/unit/**\` excludes nothing. Similar: \`unit/b.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!app/[u]nit/**\` if it is right. | log: \`!app/unit/**\` excluded nothing
**⏎!unit/** | {"workingDirectory":"app","includeHiddenFiles":true}
    app/.cache/a.csv

r/_b.csv c.csv
# It is kept by a sign if it has no letter.
**⏎!_*
    c.csv | r/_b.csv | error: \`!_*\` excludes nothing. Similar: \`r/_b.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`![_]*\` if it is right. | log: \`!_*\` excluded nothing

r/a/b.csv
["r/**","!r/aa/"]
    r/a/b.csv | log: \`!r/aa/\` excluded nothing

r/unit.csv
# It stops the step after any number of others that are right.
**⏎!tmp0/**⏎!tmp1/**⏎!tmp2/**⏎!tmp3/**⏎!tmp4/**⏎!tmp5/**⏎!tmp6/**⏎!tmp7/**⏎!tmp8/**⏎!tmp9/**⏎!unit.csv
    r/unit.csv | error: \`!unit.csv\` excludes nothing. Similar: \`r/unit.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`![u]nit.csv\` if it is right. | log: \`!tmp0/**\` excluded nothing | log: \`!tmp1/**\` excluded nothing | log: \`!tmp2/**\` excluded nothing | log: \`!tmp3/**\` excluded nothing | log: \`!tmp4/**\` excluded nothing | log: \`!tmp5/**\` excluded nothing | log: \`!tmp6/**\` excluded nothing | log: \`!tmp7/**\` excluded nothing | log: \`!tmp8/**\` excluded nothing | log: \`!tmp9/**\` excluded nothing | log: \`!unit.csv\` excluded nothing

r/unit/b.csv
# It is kept in a JSON list by other brackets.
["r/**","!r/units/**"]
    r/unit/b.csv | error: \`!r/units/**\` excludes nothing. Similar: \`r/unit/b.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!r/{u}nits/**\` if it is right. | log: \`!r/units/**\` excluded nothing

r/unit/b.csv r/units/c.csv
["r/**","!r/{u}nits/**"]
    r/unit/b.csv
r/**⏎!r/[u]nits/**
    r/unit/b.csv

{a}/unit.csv
["**","!{a}/untt.csv"]
    {a}/unit.csv | log: \`!{a}/untt.csv\` excluded nothing

app/logs/a.log b.csv
**⏎!**/log/**⏎!**/logs/**
    b.csv | log: \`!**/log/**\` excluded nothing

r/unit.csv r/tmp.csv
# Of two that exclude the same file, none is idle.
r/*⏎!r/tmp.*⏎!**/tmp.csv
    r/unit.csv

r/a.csv r/b/c.csv
# The log says of ** in a part of a name that it searches no folders below.
r/**.csv⏎**/*.csv⏎**/r/**.xml
    r/a.csv | r/b/c.csv | log: \`r/**.csv\` searches no folders below: \`**\` does that only between slashes"
`)
  })

  onLinux('stops the step if only case or `\\` differs', async () => {
    const tree = String.raw`
reports/private/salaries.csv
**⏎!reports/Private/**
**⏎!reports\private\*
`
    expect(await finds(tree)).toMatchInlineSnapshot(`
"reports/private/salaries.csv
**⏎!reports/Private/**
    reports/private/salaries.csv | error: \`!reports/Private/**\` excludes nothing. Similar: \`reports/private/salaries.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!reports/[P]rivate/**\` if it is right. | log: \`!reports/Private/**\` excluded nothing
**⏎!reports\\private\\*
    reports/private/salaries.csv | error: \`!reports\\private\\*\` excludes nothing. Similar: \`reports/private/salaries.csv\`.⏎Correct it (\`!**/\` excludes in all folders), or write \`!reports\\[p]rivate\\*\` if it is right. | log: \`!reports\\private\\*\` excluded nothing"
`)
  })
})

onWindows('a drive that is missing is named', async () => {
  expect(await explained('a.csv\nQ:\\reports\\*.xml')).toContain('  There is no `Q:/reports`')
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

test.each(['-r/**', '- r/*.csv', '^r/**', 'not r/**', 'exclude: r/**'])(
  '%s counts as a missing file, since it may be an exclusion',
  async (line) => {
    await using workspace = await tree('r/unit.csv')
    expect(await workspace.find(`**\n${line}`)).toMatchObject({ unmatched: [{ literal: true }] })
  },
)
