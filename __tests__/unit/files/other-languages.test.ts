import { expect, test } from '@jest/globals'
import { otherLanguage } from '../../../src/files/other-languages.ts'
import { patternLines } from '../../../src/files/patterns.ts'
import { quoted } from '../../../src/text/text.ts'
import { groups } from '../../support/grid.ts'

test('a line is told what is no pattern in it, and a pattern as it should be nothing', async () => {
  const lines = `
reports/unit.csv or reports/api.xml
reports/unit.csv + README.md
reports/unit.csv & README.md
reports/unit.csv and README.md
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
env.REPORTS/a.csv
runner.temp/a.csv
secrets.REPORTS
vars.REPORTS
needs.find.outputs.files
inputs.dir/unit.csv
null
undefined/unit.csv
reports/null
[object Object]
Array
Object
true
false
https://example.com/a.csv
reports:
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
report (1).csv
a@2x.csv
a+b.csv
coverage.*
*.csv.*
matrix.csv
env.txt
runner.log
inputs.zip
inputs.html
inputs.json
inputs.yaml
github.com/a.csv
{"path": "a.csv"}
docs/github.sha.csv
src/My Reports/Final.csv
My Reports/Final.csv
`
  const told = async (line: string) => quoted(patternLines(line).map(otherLanguage)[0] ?? [])
  expect(await groups(lines, told)).toMatchInlineSnapshot(`
"It is one pattern. If several are meant, write one pattern per line below \`files: |\` (\`files: >\` joins the lines), or a JSON list like \`["a.csv", {"path": "b.csv"}]\`.
    reports/unit.csv or reports/api.xml
    reports/unit.csv + README.md
    reports/unit.csv & README.md
    reports/unit.csv and README.md
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
\`\${{ inputs.path }}\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    \${{ inputs.path }}/a.csv
\`{{ github.workspace }}\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    {{ github.workspace }}/reports/unit.csv
\`github.workspace\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    github.workspace/reports/*.csv
It looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    steps.find.outputs.files
    matrix.file
    secrets.REPORTS
    vars.REPORTS
    needs.find.outputs.files
\`env.REPORTS\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    env.REPORTS/a.csv
\`runner.temp\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    runner.temp/a.csv
\`inputs.dir\` looks like an expression, which GitHub evaluates only in a workflow file, written as \`\${{ … }}\`.
    inputs.dir/unit.csv
It is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    null
    [object Object]
    Array
    Object
    true
    false
\`undefined\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    undefined/unit.csv
\`null\` is what an expression returned. Does what it names exist, and is it text? For a list, write \`\${{ toJSON(…) }}\`.
    reports/null
\`https:\` begins a URL: write the path of a file, which an earlier step can download.
    https://example.com/a.csv
It begins a URL: write the path of a file, which an earlier step can download.
    reports:
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
It has quotes, which count as part of the name: remove them.
    “out/*.csv”
    'out/*.csv'
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
    (.*).csv
\`!(\` has no special meaning here. A line is one pattern, and patterns support \`*\`, \`**\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`\\\` to take the next character literally (not on Windows), and \`!\` at the start of a line to exclude.
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
    reports/[unit.csv

    report (1).csv
    a@2x.csv
    a+b.csv
    coverage.*
    *.csv.*
    matrix.csv
    env.txt
    runner.log
    inputs.zip
    inputs.html
    inputs.json
    inputs.yaml
    github.com/a.csv
    {"path": "a.csv"}
    docs/github.sha.csv
    src/My Reports/Final.csv
    My Reports/Final.csv"
`)
})
