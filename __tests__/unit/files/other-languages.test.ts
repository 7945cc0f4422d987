import { expect, test } from '@jest/globals'
import { otherLanguage } from '../../../src/files/other-languages.ts'
import { patternLines } from '../../../src/files/patterns.ts'
import { quoted } from '../../../src/text/text.ts'
import { visible } from '../../support/grid.ts'

const told = (line: string) => quoted(patternLines(line).map(otherLanguage)[0] ?? [])

/** Each advice, and below it the lines that get it, with the part of a line that is meant. */
function advice(lines: string): string {
  const rows = lines.split('\n').map((line) => {
    const text = told(line)
    const [, part = '', why = text] = /^(?:It|(`+[^`]*`+)) (.*)/.exec(text) ?? []
    return { row: visible(`${line}  ${part}`.trim()), why }
  })
  const alike = Map.groupBy(rows, ({ why }) => why)
  return Array.from(alike, ([why, those]) =>
    [why, ...those.map(({ row }) => row)].join('\n    '),
  ).join('\n')
}

test('a line is told what is no pattern in it', () => {
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
“out/*.csv”
'out/*.csv'
out/[ab].csv$
reports/.*\\.csv
reports/.*
.+
[a-z]+.csv
out/\\w+.csv
(.*).csv
reports/!(unit).csv
reports/*.@(csv|xml)
+(unit|api).csv
reports/*.{csv|xml}
a.csv && b.csv
“out/*.csv
{unit,api.csv
reports/[unit.csv
`
  expect(advice(lines.trim())).toMatchInlineSnapshot(`
"is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports/unit.csv or reports/api.xml
    reports/unit.csv + README.md
    README.md, reports/unit.csv
    reports/unit.csv reports/api.xml
    a.csv;b.csv,
    out/unit.csv out/api.xml
    *.txt, *.xml
    "reports/unit.csv" "README.md"
    README.md 'reports/Test Result.csv'
with what follows is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    out/*.csv, README  \`out/*.csv,\`
    reports/unit;README.md  \`reports/unit;\`
is not a path. To post text, use \`comment\`. For several patterns, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports packages
    All tests passed: 12 of 12
    F0123,F9876
is taken as part of the name: only a whole line can be a comment.
    reports/*.csv # note  \`# note\`
has no meaning at the start of a line: remove it, or write \`!\` to exclude.
    - reports/*.csv  \`-\`
    -reports/unit.csv  \`-\`
    ^reports/unit.csv  \`^\`
    not reports/unit.csv  \`not\`
    files: reports/*.csv  \`files:\`
looks like a list, but is not valid JSON: write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    [reports/*.csv, logs/*.log]  \`[\`
    ['reports/*.csv']  \`['\`
    {'path': 'README.md'}  \`{'\`
    [\\"README.md\\"]  \`[\\"\`
An object names one file. For all that match, write a string, which starts at \`working-directory\`.
    [{"path": "reports/*.cvs"}]
is no line break. For one in an expression, write \`fromJSON('"\\n"')\`.
    reports/unit.csv\\nREADME.md  \`\\n\`
    a.csv%0Ab.csv  \`%0A\`
is taken as part of the name: remove it.
    out/*.csv,  \`,\`
makes the character after it literal: write \`/\` between folders.
    none\\*.csv  \`\\\`
is a name as git quotes it: set \`core.quotePath\` to \`false\` in the step that lists it.
    "docs/\\303\\234bersicht.csv"
has a control character: in double quotes, YAML reads \`\\\` and a letter as one. Write \`/\` between folders.
    logs<9>est.log
    data<d>esults.csv
has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    reports／*.csv  \`／\`
    reports/*.csv > out.zip  \`>\`
    reports/!(unit).csv  \`!(\`
    reports/*.@(csv|xml)  \`@(\`
    +(unit|api).csv  \`+(\`
    reports/*.{csv|xml}  \`|\`
    a.csv && b.csv  \`&&\`
    “out/*.csv  \`“\`
looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    \${{ inputs.path }}/a.csv  \`\${{ inputs.path }}\`
    {{ github.workspace }}/reports/unit.csv  \`{{ github.workspace }}\`
    github.workspace/reports/*.csv  \`github.workspace\`
    steps.find.outputs.files
    matrix.file
    inputs.dir/unit.csv  \`inputs.dir\`
is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    null
    undefined/unit.csv  \`undefined\`
    reports/null  \`null\`
    [object Object]
    Array
begins a URL: write the path of a file, which an earlier step can download.
    https://example.com/a.csv  \`https:\`
is taken literally: no shell reads this text. Write an expression, like \`\${{ github.workspace }}\` or \`\${{ env.NAME }}\`, or \`\${{ steps.ID.outputs.NAME }}\` for what an earlier step finds out.
    report-%Y-%m-%d.csv  \`%Y\`
    none-$(date +%F).csv  \`$(date +%F)\`
    $(pwd)/reports/*.csv  \`$(pwd)\`
    \`pwd\`/*.csv  \`\`pwd\`\`
    $GITHUB_WORKSPACE/README.md  \`$GITHUB_WORKSPACE\`
    \${RUNNER_TEMP}/a.csv  \`\${RUNNER_TEMP}\`
    $env:USERPROFILE/a.csv  \`$env:USERPROFILE\`
    %OUT%/a.csv  \`%OUT%\`
has quotes, which count as part of the name: remove them.
    “out/*.csv”
    'out/*.csv'
looks like a regular expression. In patterns, \`*\` alone stands for any characters.
    out/[ab].csv$  \`$\`
    reports/.*\\.csv  \`.*\`
    reports/.*  \`.*\`
    .+
    [a-z]+.csv  \`]+\`
    out/\\w+.csv  \`\\w\`
    (.*).csv  \`(.*\`
is not closed. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
    {unit,api.csv
    reports/[unit.csv  \`[unit.csv\`"
`)
})

// Names can contain spaces.
test.each(
  `
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
    .trim()
    .split('\n'),
)('a pattern as it should be is told nothing of the kind: %s', (line) => {
  expect(told(line)).toBe('')
})
