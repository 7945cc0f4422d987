import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { finds, outcome } from '../../support/finds.ts'
import { addManyFiles } from '../../support/folder.ts'
import { grid, groups } from '../../support/grid.ts'
import { makePipe } from '../../support/processes.ts'
import { onLinux, onPosix, onWindows, withLinks } from '../../support/systems.ts'
import { asOrdinaryUser, tree } from '../../support/tree.ts'

describe('patterns', () => {
  test('find what they name, pass over what is hidden, and are refused above the limit', async () => {
    const lines = `
build[1]/a[1].csv coverage.csv tests.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/linux/deep/ui.csv reports/windows/api.csv with␣space,␣and␣comma.txt
coverage.csv
reports
reports/windows/
# A file is no folder.
coverage.csv/
coverage.csv/unit.csv
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/
*.csv
reports/*
reports/**/*.csv
reports/{linux,windows,macos}/*.csv
build[1]/a[1].csv
build[1]/*.csv
with space, and comma.txt
reports/linux/../windows/*.csv
reports/*/./api.csv
# An exclusion holds wherever it is.
!test*⏎*.csv
! !coverage.csv⏎*.csv⏎!!!tests.csv
reports/**/*.csv⏎!reports/linux
reports/**⏎!reports/{linux,windows}/**⏎!**/*.xml
reports/unit.*⏎!/**/*.xml
# With a slash at its end, it is for folders only.
**/unit.*⏎reports/**/a*⏎!reports/*/
coverage.csv⏎!cov*/⏎!coverage.csv/
reports⏎reports/unit.csv⏎!rep*/
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
tests.csv⏎*.csv
# A string that comes as JSON counts as its lines.
"coverage.csv\\nreports/*.xml\\r\\n"
"*.csv"
# Above its limit, a search is refused with the count.
coverage.csv⏎reports/** | {"maxFiles":3}
coverage.csv⏎reports/** | {"maxFiles":6}

1.csv 10.csv 2.csv v1.10.0 v1.9.10 v1.9.2 a/10.csv a/9.csv B/11.csv
# Numbers in a path count as such.
**

1 01 2 99999999999999999998 99999999999999999999
**

a.js node_modules/b.js web/node_modules/c/d.js
# And with the number of those in packages.
**/*.js | {"maxFiles":2}
a.js⏎node_modules/*.js | {"maxFiles":1}
*.js | {"maxFiles":0}

d/a.csv d/b.xml report.csv report␣final.csv reportfinal.csv {x}/1.csv x/1.csv d,␣e/1.csv d/.hidden/c.xml
d/*.{csv, xml}
{d/a.csv, d/b.xml}
# As written, if something is called so.
report{, final}.csv
{x}/*.csv
{x}/{1,2}.csv
d, e/{1,2}.csv
{d}/*.csv
d/{a}.{csv,txt}
# Beside a hidden folder.
d/**/*.{csv, xml}
d/**/*.{xml}
r*⏎?/*⏎!{d/b.xml, d/a.csv}⏎!{report, final}.csv⏎!{x}/*

report.csv report␣.env
report{.csv, .env}

d/!a.csv d/#a.csv d/+(x).csv d/x.csv d/x-1.csv
# These are no wildcards.
d/!a*
d/#a*
d/*(x).csv
?/+(x).csv
d/x-[[:digit:]].*

#1.csv x1.csv x[1].csv pages/[id]/b.csv pages/a/[id].csv pages/a/i.csv
# In a string of a JSON list, # begins no comment and [ is no wildcard.
["#1.csv", "d#.csv"]
["x[1].csv", "[!x]*.csv"]
["?[1].csv", "pages/**/[id].csv"]
["{x,y}[1].csv"]
["pages/**", "!**/[id]/**"]
["?[1].csv", "pages/*/?.csv", "!x[1].csv"]

d/b.csv a.csv
["a.csv", {"path": "d"}]
. | {"workingDirectory":"d"}

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt
# Hidden files are passed over by wildcards.
**/*.csv
reports
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
reports/.out/*.csv
**/.out/*.csv
**/*.csv | {"includeHiddenFiles":true}
**⏎!**/*.csv | {"includeHiddenFiles":true}

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt a/b/.z.csv .csv .git/b.csv
# Those that a pattern would take are named in order, and a folder that may hold some once.
**/*.csv
*/.x/*.csv⏎reports/d*

.git/config .git/hooks/a
# A wildcard alone never means git, so that it is skipped is not reported.
** | {"includeHiddenFiles":true}
.git/** | {"includeHiddenFiles":true}
.git/config* | {"includeHiddenFiles":true}
`
    expect(await finds(lines)).toMatchInlineSnapshot(`
"build[1]/a[1].csv coverage.csv tests.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/linux/deep/ui.csv reports/windows/api.csv with␣space,␣and␣comma.txt
coverage.csv
reports
    reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/unit.xml | reports/windows/api.csv
reports/windows/
    reports/windows/api.csv
# A file is no folder.
coverage.csv/
    nothing
coverage.csv/unit.csv
    nothing
# Only files are found, so a wildcard for folders finds nothing.
reports/*/⏎*/
    nothing
*.csv
    coverage.csv | tests.csv
reports/*
    reports/unit.csv | reports/unit.xml
reports/**/*.csv
    reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/windows/api.csv
reports/{linux,windows,macos}/*.csv
    reports/linux/api.csv | reports/windows/api.csv
build[1]/a[1].csv
build[1]/*.csv
    build[1]/a[1].csv
with space, and comma.txt
reports/linux/../windows/*.csv
    reports/windows/api.csv
reports/*/./api.csv
    reports/linux/api.csv | reports/windows/api.csv
# An exclusion holds wherever it is.
!test*⏎*.csv
    coverage.csv
! !coverage.csv⏎*.csv⏎!!!tests.csv
    coverage.csv
reports/**/*.csv⏎!reports/linux
    reports/unit.csv | reports/windows/api.csv
reports/**⏎!reports/{linux,windows}/**⏎!**/*.xml
    reports/unit.csv
reports/unit.*⏎!/**/*.xml
    reports/unit.csv
# With a slash at its end, it is for folders only.
**/unit.*⏎reports/**/a*⏎!reports/*/
    reports/unit.csv | reports/unit.xml
coverage.csv⏎!cov*/⏎!coverage.csv/
    coverage.csv | log: \`!cov*/\` excluded nothing | log: \`!coverage.csv/\` excluded nothing
reports⏎reports/unit.csv⏎!rep*/
    nothing
# The order is that of the lines, then by path.
reports/*.csv⏎*.csv
    reports/unit.csv | coverage.csv | tests.csv
tests.csv⏎*.csv
    tests.csv | coverage.csv
# A string that comes as JSON counts as its lines.
"coverage.csv\\nreports/*.xml\\r\\n"
    coverage.csv | reports/unit.xml
"*.csv"
    coverage.csv | tests.csv
# Above its limit, a search is refused with the count.
coverage.csv⏎reports/** | {"maxFiles":3}
    More files than allowed: The patterns match 6 files, but \`max-files\` allows 3.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
coverage.csv⏎reports/** | {"maxFiles":6}
    coverage.csv | reports/linux/api.csv | reports/linux/deep/ui.csv | reports/unit.csv | reports/unit.xml | reports/windows/api.csv

1.csv 10.csv 2.csv v1.10.0 v1.9.10 v1.9.2 a/10.csv a/9.csv B/11.csv
# Numbers in a path count as such.
**
    1.csv | 2.csv | 10.csv | a/9.csv | a/10.csv | B/11.csv | v1.9.2 | v1.9.10 | v1.10.0

1 01 2 99999999999999999998 99999999999999999999
**
    01 | 1 | 2 | 99999999999999999998 | 99999999999999999999

a.js node_modules/b.js web/node_modules/c/d.js
# And with the number of those in packages.
**/*.js | {"maxFiles":2}
    More files than allowed: The patterns match 3 files (2 in \`node_modules\`), but \`max-files\` allows 2.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
a.js⏎node_modules/*.js | {"maxFiles":1}
    More files than allowed: The patterns match 2 files (1 in \`node_modules\`), but \`max-files\` allows 1.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.
*.js | {"maxFiles":0}
    More files than allowed: The patterns match 1 files, but \`max-files\` allows 0.⏎Write a narrower pattern, send them as one ZIP file, or raise \`max-files\` if you mean all of them.

d/a.csv d/b.xml report.csv report␣final.csv reportfinal.csv {x}/1.csv x/1.csv d,␣e/1.csv d/.hidden/c.xml
d/*.{csv, xml}
    d/a.csv | d/b.xml
{d/a.csv, d/b.xml}
    d/a.csv | d/b.xml
# As written, if something is called so.
report{, final}.csv
    report final.csv | report.csv
{x}/*.csv
    {x}/1.csv
{x}/{1,2}.csv
    {x}/1.csv
d, e/{1,2}.csv
    d, e/1.csv
{d}/*.csv
    d/a.csv
d/{a}.{csv,txt}
    d/a.csv
# Beside a hidden folder.
d/**/*.{csv, xml}
    d/a.csv | d/b.xml | d/.hidden/ is a hidden folder (hidden)
d/**/*.{xml}
    d/b.xml | d/.hidden/ is a hidden folder (hidden)
r*⏎?/*⏎!{d/b.xml, d/a.csv}⏎!{report, final}.csv⏎!{x}/*
    report final.csv | reportfinal.csv

report.csv report␣.env
report{.csv, .env}
    report.csv | report .env is an environment file, which usually holds credentials (credentials)

d/!a.csv d/#a.csv d/+(x).csv d/x.csv d/x-1.csv
# These are no wildcards.
d/!a*
    d/!a.csv
d/#a*
    d/#a.csv
d/*(x).csv
    d/+(x).csv
?/+(x).csv
    d/+(x).csv
d/x-[[:digit:]].*
    d/x-1.csv

#1.csv x1.csv x[1].csv pages/[id]/b.csv pages/a/[id].csv pages/a/i.csv
# In a string of a JSON list, # begins no comment and [ is no wildcard.
["#1.csv", "d#.csv"]
    #1.csv
["x[1].csv", "[!x]*.csv"]
    x[1].csv
["?[1].csv", "pages/**/[id].csv"]
    x[1].csv | pages/a/[id].csv
["{x,y}[1].csv"]
    x[1].csv
["pages/**", "!**/[id]/**"]
    pages/a/[id].csv | pages/a/i.csv
["?[1].csv", "pages/*/?.csv", "!x[1].csv"]
    pages/[id]/b.csv | pages/a/i.csv

d/b.csv a.csv
["a.csv", {"path": "d"}]
    A pattern cannot be used: \`d\` is a folder, and an object with a \`path\` names one file.⏎For all files in it, write a string, which starts at \`working-directory\`.
. | {"workingDirectory":"d"}
    d/b.csv

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt
# Hidden files are passed over by wildcards.
**/*.csv
    reports/d.csv | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
reports
    reports/d.csv | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
# A pattern that writes the dot takes what fits and is not hidden below.
.coverage
.cov*
    .coverage
reports/.out/*.csv
    reports/.out/a.csv | reports/.out/.b.csv is a hidden file (hidden)
**/.out/*.csv
    reports/.out/a.csv | reports/.notes/ is a hidden folder (hidden) | reports/.out/.b.csv is a hidden file (hidden)
**/*.csv | {"includeHiddenFiles":true}
    reports/.c.csv | reports/.out/.b.csv | reports/.out/a.csv | reports/d.csv
**⏎!**/*.csv | {"includeHiddenFiles":true}
    .coverage | reports/.notes/readme.txt

.coverage reports/.out/a.csv reports/.out/.b.csv reports/.c.csv reports/d.csv reports/.notes/readme.txt a/b/.z.csv .csv .git/b.csv
# Those that a pattern would take are named in order, and a folder that may hold some once.
**/*.csv
    reports/d.csv | .csv is a hidden file (hidden) | a/b/.z.csv is a hidden file (hidden) | reports/.c.csv is a hidden file (hidden) | reports/.notes/ is a hidden folder (hidden) | reports/.out/ is a hidden folder (hidden)
*/.x/*.csv⏎reports/d*
    reports/d.csv

.git/config .git/hooks/a
# A wildcard alone never means git, so that it is skipped is not reported.
** | {"includeHiddenFiles":true}
    nothing
.git/** | {"includeHiddenFiles":true}
    .git/ is where a tool or the runner keeps credentials (credentials)
.git/config* | {"includeHiddenFiles":true}
    .git/ is where a tool or the runner keeps credentials (credentials)"
`)
  })

  onPosix(
    '\\ takes the meaning from a wildcard and from braces, unless a file has it in its name, and ~ is the home folder',
    async () => {
      const lines = String.raw`
build[1]/a[1].csv x{a,b}.csv xa.csv back\slash.csv
build\[1\]/a\[*
?\{a,b}.csv
back\slash.csv

~/a.csv [!]x.csv x/!/b.csv
# Also beside a folder of this name.
~/a.csv
./~/*.csv⏎x/[!]/b.csv⏎[!]x.csv
`
      expect(await finds(lines)).toMatchInlineSnapshot(`
"build[1]/a[1].csv x{a,b}.csv xa.csv back\\slash.csv
build\\[1\\]/a\\[*
    build[1]/a[1].csv
?\\{a,b}.csv
    x{a,b}.csv
back\\slash.csv

~/a.csv [!]x.csv x/!/b.csv
# Also beside a folder of this name.
~/a.csv
    nothing
./~/*.csv⏎x/[!]/b.csv⏎[!]x.csv
    ~/a.csv | [!]x.csv"
`)
    },
  )

  onWindows('backslashes separate folders, and the case is shown as it is on disk', async () => {
    const lines = String.raw`
coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/windows/api.csv
reports\**\api.csv
REPORTS/Linux/*.CSV
Coverage.CSV
reports/*⏎!REPORTS\*.XML
`
    expect(await finds(lines)).toMatchInlineSnapshot(`
"coverage.csv reports/unit.csv reports/unit.xml reports/linux/api.csv reports/windows/api.csv
reports\\**\\api.csv
    reports/linux/api.csv | reports/windows/api.csv
REPORTS/Linux/*.CSV
    reports/linux/api.csv
Coverage.CSV
    coverage.csv
reports/*⏎!REPORTS\\*.XML
    reports/unit.csv"
`)
  })

  test('the path of a file and its size are those on disk', async () => {
    await using workspace = await tree('a.csv')
    expect((await workspace.find('a.*')).files).toEqual([
      {
        real: path.join(workspace.root, 'a.csv'),
        path: 'a.csv',
        name: 'a.csv',
        size: 5,
        fingerprint: expect.any(String),
        modifiedMilliseconds: expect.any(Number),
      },
    ])
  })

  onPosix(
    'a JSON list finds what its paths name, from the workspace, and what its patterns match',
    async () => {
      const likeJson = ['["x"]', '{"x":1}', '"x"']
      const names = [' a ', 'a\\*', 'a\nb.csv', '{a,b}', '!a', '#a', '~', '.hidden', ...likeJson]
      await using workspace = await tree({
        'coverage.csv': '1',
        'tests.csv': '2',
        ...Object.fromEntries(names.map((name) => [`odd/${name}`, name])),
      })
      const workingDirectory = path.join(workspace.root, 'odd')
      const exact = names.map((name) => ({ path: `odd/${name}`, size: 1 }))
      const absolute = { path: path.join(workspace.root, 'coverage.csv') }
      const list = JSON.stringify([...exact, absolute, '../tests.*', '!../test?.csv'])
      const found = await workspace.find(list, { workingDirectory })
      expect(found.files.map((file) => file.path)).toEqual([
        ...names.map((name) => `odd/${name}`),
        'coverage.csv',
      ])
      for (const name of likeJson)
        expect(await workspace.paths(name, { workingDirectory })).toEqual([`odd/${name}`])
    },
  )

  test('an object of a JSON list can name and title its file, and the name is made unique', async () => {
    await using workspace = await tree('a.csv b/c.csv d.csv')
    const list =
      '[{"path":"a.csv","name":"a\\n.csv","title":"A"},{"path":"b/c.csv","name":"a_.csv","title":null,"size":1},{"path":"d.csv","name":"","title":""}]'
    const { files } = await workspace.find(list)
    expect(files.map((file) => [file.path, file.name, file.title].join())).toEqual([
      'a.csv,a_.csv,A',
      'b/c.csv,a_ (b).csv,',
      'd.csv,d.csv,',
    ])
  })

  test('an object of a JSON list is refused, with what to write', async () => {
    await using workspace = await tree('a.csv')
    const items = `
{"path": "a.csv", "name": "x/y.csv"}
{"path": "a.csv", "name": ".."}
{"path": "a.csv", "name": "${'x'.repeat(256)}"}
{"path": "a.csv", "name": 1}
{"path": "a.csv", "title": {}}
{"file": "a.csv"}
{"file": "a.csv", "filename": "b.csv"}
{"filename": "a.csv"}
`
    const refused = groups(items, (item) => workspace.refusal(`[${item}]`))
    expect(await refused).toMatchInlineSnapshot(`
"In \`files\`, item 1 is \`{"path":"a.csv","name":"x/y.csv"}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": "x/y.csv"}
In \`files\`, item 1 is \`{"path":"a.csv","name":".."}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": ".."}
In \`files\`, item 1 is \`{"path":"a.csv","name":"xxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}
In \`files\`, item 1 is \`{"path":"a.csv","name":1}\`. \`name\` must be 1 to 255 characters, without \`/\`.
    {"path": "a.csv", "name": 1}
In \`files\`, item 1 is \`{"path":"a.csv","title":{}}\`. A \`title\` takes a text.
    {"path": "a.csv", "title": {}}
In \`files\`, item 1 is \`{"file":"a.csv"}\`. Rename \`file\` to \`path\`.
    {"file": "a.csv"}
In \`files\`, item 1 is \`{"file":"a.csv","filename":"b.csv"}\`. Rename \`file\` to \`path\`, and \`filename\` to \`name\`.
    {"file": "a.csv", "filename": "b.csv"}
In \`files\`, item 1 is \`{"filename":"a.csv"}\`. A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.
    {"filename": "a.csv"}"
`)
  })

  test('of a line that finds nothing, it is known what it was, and if it can mean one path only', async () => {
    await using workspace = await tree('a.csv')
    const lines = String.raw`
["pages/[id].csv", "[!x]*.csv", "{x,y}.csv", {"path": "odd/c.csv"}, "a.csv"]
""
"C:\new\report.csv"
"coverage\t.csv"
"coverage.csv
`
    const known = async (line: string) =>
      (await workspace.find(line)).unmatched
        .map(({ literal, pattern }) => `${literal ? 'path' : 'pattern'} ${pattern}`)
        .join(' | ')
    expect(await grid(lines, known)).toMatchInlineSnapshot(`
"["pages/[id].csv", "[!x]*.csv", "{x,y}.csv", {"path": "odd/c.csv"}, "a.csv"]
    path pages/[id].csv | pattern [!x]*.csv | pattern {x,y}.csv | path odd/c.csv
""
    pattern files
"C:\\new\\report.csv"
    path "C:\\new\\report.csv"
"coverage\\t.csv"
    path "coverage\\t.csv"
"coverage.csv
    path "coverage.csv"
`)
  })

  test('a search that finds thousands of files too many ends there, because each takes memory', async () => {
    await using workspace = await tree({})
    addManyFiles(workspace.root, 5_005, (index) => `reports/${index}.csv`)
    expect(await workspace.refusal('reports/*\n!reports/0.csv', { maxFiles: 2 })).toContain(
      'The patterns match 5,004 files',
    )
    expect(await workspace.refusal('reports/*', { maxFiles: 2 })).toBe(
      'More than 5,004 files below `reports` match, but `max-files` allows 2.\nWrite a narrower pattern, send them as one ZIP file, or raise `max-files` if you mean all of them.',
    )
  })
})

describe('a name with an accent', () => {
  const composed = 'Übersicht.csv'
  const decomposed = composed.normalize('NFD')

  onLinux('is found in both forms', async () => {
    const onDisk = `한국/${decomposed}`.normalize('NFD')
    await using workspace = await tree({ [onDisk]: '1', 'a.csv': '2' })
    for (const line of [
      `한국/${composed}`,
      '한국/*.csv',
      '한?/Ü*',
      `**/${composed}`,
      `${workspace.root}/한국`,
    ]) {
      expect([line, await workspace.paths(line)]).toEqual([line, [onDisk]])
    }
    expect(await workspace.paths(`**\n!한국/${composed}`)).toEqual(['a.csv'])
    expect(await workspace.paths(`none/${composed}`)).toEqual([])
  })

  onLinux('means the exact one if both exist', async () => {
    await using workspace = await tree({ [composed]: '1', [decomposed]: '2' })
    expect(await workspace.paths(composed)).toEqual([composed])
    expect(await workspace.paths(decomposed)).toEqual([decomposed])
  })
})

describe('links', () => {
  withLinks(
    'in the workspace are followed, and their file is sent once; others are skipped or refused',
    async () => {
      const lines = `
data/run-1/a.csv out/latest.csv->../data/run-1/a.csv out/run->../data/run-1
# A file has the name of its link.
out/**⏎data/**
out/run/*

a.csv->b/c.csv b/c.csv z.csv->b/c.csv y->b
# If one line finds both, the file itself counts, wherever it is sorted.
**
?.csv⏎**

work/a.csv secret.csv folder/b.csv work/file.csv->../secret.csv work/folder->../folder work/via.csv->folder/b.csv
# A link that leads out of the workspace is skipped by a wildcard, and refused as a path.
** | {"workspace":"work"}
folder/* | {"workspace":"work"}
file.csv | {"workspace":"work"}
folder | {"workspace":"work"}
folder/b.csv | {"workspace":"work"}

work/a.csv in/b.csv in/c.csv->b.csv in/d.csv->../e.csv e.csv folder->in
# Outside the workspace, a link must not leave the folder of the pattern.
TREE/in/*.csv | {"workspace":"work"}
TREE/in/d.csv | {"workspace":"work"}
# The path may lead through symlinks.
TREE/in/c.csv | {"workspace":"work"}
TREE/folder/b.csv | {"workspace":"work"}

real/a/b.csv real/c.csv->a/b.csv real/d/e.csv->../a/b.csv real/out.csv->../away/secret.csv real/out->../away away/secret.csv work->real other->real
# Links to the workspace are no way out, however a pattern leads into it.
a/*⏎*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/*.csv⏎!a | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/other/d/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
out | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/real/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
TREE/other/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}

a.csv b.txt->nothing c.txt->d.md d.md
# What the pattern does not match is not listed as skipped.
**/*.csv

a.csv e.csv->..
# Folders are never sent.
*.csv

a.csv self.csv->self.csv gone.csv->nowhere.csv sub/up->.. x/to-y->../y y/to-x->../x y/b.csv
**

.secrets.json .runs/7/a.csv .runs/8/b.csv->../7/a.csv reports/x.json->../.secrets.json reports/latest->../.runs/7 reports/y.csv->z/c.csv reports/z/c.csv
# Links to something hidden are skipped by a wildcard, whatever their own name.
reports/*.json⏎reports/*/*.csv
reports/latest/*.csv⏎reports/x.json
# A file counts as hidden only below the folder where the search begins.
.runs/*/*
.runs/8/*
reports/*/a.csv⏎reports/*.json | {"includeHiddenFiles":true}

a/b/c/x.csv link->a/b a/up->../a/b/c z/in->../a y->a/b/c
# A linked folder is searched once for each way that the pattern can go on in it.
**/x.csv
link/**
*/*/x.csv
**/in/b/c/*.csv
# By the first of two links.
**/[uy]*/x.csv
z/*/b/**⏎!a/b/c
# Not by a link that is excluded where it lies.
z/*/up/*.csv⏎!a/up

secret/a.csv b.csv->secret/a.csv sub->secret n/p->../secret
# An exclusion holds for a link and for what it leads to.
**⏎!secret
**⏎!secret/*.csv
**⏎!**/a.csv
# Not for what it leads to.
**⏎!b.csv
**⏎!**/b.csv
?ub/*.csv⏎!secret/*.csv
?ub/*.csv⏎!sub/*.csv
?ub/*.csv⏎!su*/
?ub/*.csv⏎!se*/
?.csv⏎!*.csv/
# Packages of a workspace are linked from node_modules: two stars alone are not for the link.
**⏎!n/**
n/*/*.csv⏎!n/**
`
      expect(await finds(lines)).toMatchInlineSnapshot(`
"data/run-1/a.csv out/latest.csv->../data/run-1/a.csv out/run->../data/run-1
# A file has the name of its link.
out/**⏎data/**
    out/latest.csv -> data/run-1/a.csv
out/run/*
    out/run/a.csv -> data/run-1/a.csv

a.csv->b/c.csv b/c.csv z.csv->b/c.csv y->b
# If one line finds both, the file itself counts, wherever it is sorted.
**
    b/c.csv
?.csv⏎**
    a.csv -> b/c.csv

work/a.csv secret.csv folder/b.csv work/file.csv->../secret.csv work/folder->../folder work/via.csv->folder/b.csv
# A link that leads out of the workspace is skipped by a wildcard, and refused as a path.
** | {"workspace":"work"}
    a.csv | file.csv is outside the workspace: a symlink leads there (link-outside) | folder/ is outside the workspace: a symlink leads there (link-outside) | via.csv is outside the workspace: a symlink leads there (link-outside)
folder/* | {"workspace":"work"}
    folder/ is outside the workspace: a symlink leads there (link-outside)
file.csv | {"workspace":"work"}
    A file must not be sent: \`file.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
folder | {"workspace":"work"}
    A file must not be sent: \`folder\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
folder/b.csv | {"workspace":"work"}
    A file must not be sent: \`folder/b.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.

work/a.csv in/b.csv in/c.csv->b.csv in/d.csv->../e.csv e.csv folder->in
# Outside the workspace, a link must not leave the folder of the pattern.
TREE/in/*.csv | {"workspace":"work"}
    TREE/in/b.csv | TREE/in/d.csv is outside \`TREE/in\`: a symlink leads there (link-outside)
TREE/in/d.csv | {"workspace":"work"}
    A file must not be sent: \`TREE/in/d.csv\` is outside \`TREE/in\`: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
# The path may lead through symlinks.
TREE/in/c.csv | {"workspace":"work"}
    TREE/in/c.csv -> in/b.csv
TREE/folder/b.csv | {"workspace":"work"}
    TREE/folder/b.csv -> in/b.csv

real/a/b.csv real/c.csv->a/b.csv real/d/e.csv->../a/b.csv real/out.csv->../away/secret.csv real/out->../away away/secret.csv work->real other->real
# Links to the workspace are no way out, however a pattern leads into it.
a/*⏎*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    a/b.csv -> real/a/b.csv | out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/real/*.csv⏎!a | {"workspace":"work","workingDirectory":"TREE/work"}
    out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/real/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    c.csv -> real/a/b.csv | out.csv is outside the workspace: a symlink leads there (link-outside)
TREE/other/d/*.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    TREE/other/d/e.csv -> real/a/b.csv
out | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`out\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
TREE/real/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
TREE/other/out.csv | {"workspace":"work","workingDirectory":"TREE/work"}
    A file must not be sent: \`TREE/other/out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.

a.csv b.txt->nothing c.txt->d.md d.md
# What the pattern does not match is not listed as skipped.
**/*.csv
    a.csv

a.csv e.csv->..
# Folders are never sent.
*.csv
    a.csv

a.csv self.csv->self.csv gone.csv->nowhere.csv sub/up->.. x/to-y->../y y/to-x->../x y/b.csv
**
    a.csv | y/b.csv | gone.csv is a broken symlink (link-broken) | self.csv is a symlink that leads back to itself (link-broken) | sub/up/ is a symlink to a folder that contains it (link-upward)

.secrets.json .runs/7/a.csv .runs/8/b.csv->../7/a.csv reports/x.json->../.secrets.json reports/latest->../.runs/7 reports/y.csv->z/c.csv reports/z/c.csv
# Links to something hidden are skipped by a wildcard, whatever their own name.
reports/*.json⏎reports/*/*.csv
    reports/z/c.csv | reports/x.json is a symlink to \`.secrets.json\`, which is hidden (link-hidden) | reports/latest/ is a symlink to \`.runs/7\`, which is hidden (link-hidden)
reports/latest/*.csv⏎reports/x.json
    reports/latest/a.csv -> .runs/7/a.csv | reports/x.json -> .secrets.json
# A file counts as hidden only below the folder where the search begins.
.runs/*/*
    .runs/7/a.csv
.runs/8/*
    .runs/8/b.csv -> .runs/7/a.csv
reports/*/a.csv⏎reports/*.json | {"includeHiddenFiles":true}
    reports/latest/a.csv -> .runs/7/a.csv | reports/x.json -> .secrets.json

a/b/c/x.csv link->a/b a/up->../a/b/c z/in->../a y->a/b/c
# A linked folder is searched once for each way that the pattern can go on in it.
**/x.csv
    a/b/c/x.csv
link/**
    link/c/x.csv -> a/b/c/x.csv
*/*/x.csv
    a/up/x.csv -> a/b/c/x.csv
**/in/b/c/*.csv
    z/in/b/c/x.csv -> a/b/c/x.csv
# By the first of two links.
**/[uy]*/x.csv
    a/up/x.csv -> a/b/c/x.csv
z/*/b/**⏎!a/b/c
    nothing
# Not by a link that is excluded where it lies.
z/*/up/*.csv⏎!a/up
    nothing

secret/a.csv b.csv->secret/a.csv sub->secret n/p->../secret
# An exclusion holds for a link and for what it leads to.
**⏎!secret
    nothing
**⏎!secret/*.csv
    nothing
**⏎!**/a.csv
    nothing
# Not for what it leads to.
**⏎!b.csv
    secret/a.csv
**⏎!**/b.csv
    secret/a.csv
?ub/*.csv⏎!secret/*.csv
    nothing
?ub/*.csv⏎!sub/*.csv
    nothing
?ub/*.csv⏎!su*/
    nothing
?ub/*.csv⏎!se*/
    nothing
?.csv⏎!*.csv/
    b.csv -> secret/a.csv | log: \`!*.csv/\` excluded nothing
# Packages of a workspace are linked from node_modules: two stars alone are not for the link.
**⏎!n/**
    secret/a.csv
n/*/*.csv⏎!n/**
    nothing"
`)
    },
  )
})

onPosix('the root of the disk is not searched, under no name', async () => {
  const lines = `
work/a.csv all->/ in/ b.csv
TREE/all/*.csv | {"workspace":"work"}
TREE/all | {"workspace":"work"}
TREE/{in,all}/** | {"workspace":"work"}
TREE/allTREE/*.csv | {"workspace":"work"}

a.csv
**/a.csv | {"workingDirectory":"${'../'.repeat(20)}"}
*.csv | {"workingDirectory":"${'../'.repeat(20)}"}
/
${'../'.repeat(20)}*.csv
{/,reports/}*.csv
/*.csv
/**/unit.csv
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"work/a.csv all->/ in/ b.csv
TREE/all/*.csv | {"workspace":"work"}
    A pattern cannot be used: \`TREE/all/*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/all | {"workspace":"work"}
    A pattern cannot be used: \`TREE/all\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/{in,all}/** | {"workspace":"work"}
    A pattern cannot be used: \`TREE/{in,all}/**\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
TREE/allTREE/*.csv | {"workspace":"work"}
    TREE/allTREE/b.csv -> b.csv

a.csv
**/a.csv | {"workingDirectory":"../../../../../../../../../../../../../../../../../../../../"}
    A pattern cannot be used: \`**/a.csv\` searches the root of the disk.⏎\`working-directory\` points outside the workspace. To search another folder, write its name before the first wildcard.
*.csv | {"workingDirectory":"../../../../../../../../../../../../../../../../../../../../"}
    A pattern cannot be used: \`*.csv\` searches the root of the disk.⏎\`working-directory\` points outside the workspace. To search another folder, write its name before the first wildcard.
/
    A pattern cannot be used: \`/\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
../../../../../../../../../../../../../../../../../../../../*.csv
    A pattern cannot be used: \`../../../../../../../../../../../../../../../../../../../../*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
{/,reports/}*.csv
    A pattern cannot be used: \`{/,reports/}*.csv\` searches the root of the disk.⏎Was an expression in it empty? To search another folder, write its name before the first wildcard.
/*.csv
    A pattern cannot be used: \`/*.csv\` searches the root of the disk.⏎Was an expression in it empty? For files of the workspace, write \`*.csv\`. To search another folder, write its name before the first wildcard.
/**/unit.csv
    A pattern cannot be used: \`/**/unit.csv\` searches the root of the disk.⏎Was an expression in it empty? For files of the workspace, write \`**/unit.csv\`. To search another folder, write its name before the first wildcard."
`)
})

test('a path of the host is refused in a job with `container:`, with what to write instead', async () => {
  const lines = `
/__w/app.js/app.js/r/**⏎!/home/runner/work/app.js/app.js/r/private/**
! "/home/runner/work/app.js/app.js/r/private"
/mnt/work/app.js/app.js/r/a.csv
/srv/my runner/ci/app.js/app.js/**/*.csv
/home/runner/work/app.js/app.js
{/opt/ci/app.js/app.js/a,/opt/ci/app.js/app.js/b}.csv
{r, /opt/ci/app.js/app.js/s}/*.csv
["/__w/app.js/app.js/r", "!/ci/app.js/app.js/r/private"]
[{"path": "/ci/app.js/app.js/a.csv"}]
/opt/ci/app.js/app.js/../other/*.csv
/mnt/work/_temp/out.csv
!/mnt/work/_temp
# The work folder of a hosted runner
!/home/runner/work/app.js/build/private/**
!/home/runner/_work/other/other/**
# A path of the container, or of the user
/__w/app.js/app.js/app.js/app.js/a.csv
/__w/_temp/out.csv
//app.js/app.js/*.csv
/srv/work/other/*.csv
/srv/work/appxjs/appxjs/*.csv
/mnt/work/app.js/app.js-old/*.csv
/mnt/work/_temporary/*.csv
home/runner/work/app.js/app.js/*.csv
r/_temp/*.csv
# With a working directory, a path of the container is what to write.
!/home/runner/work/app.js/app.js/r/*.csv | /__w/app.js/app.js | packages
# Without \`container:\`
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /home/runner/work/app/app
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /mnt/__w/app/app
`
  await using folder = await tree()
  // The workspace of the container is not on this disk: other lines end with that.
  const instead = async (row: string) => {
    if (row.startsWith('# ')) return row
    const [line = '', workspace = '/__w/app.js/app.js', workingDirectory = ''] = row.split(' | ')
    const refusal = await folder.refusal(line, { workspace, workingDirectory })
    return refusal.startsWith('`working-directory` is') ? 'searched' : refusal.split('\n').at(-1)
  }
  expect(await grid(lines, instead)).toMatchInlineSnapshot(`
"/__w/app.js/app.js/r/**⏎!/home/runner/work/app.js/app.js/r/private/**
    Write \`!r/private/**\`.
! "/home/runner/work/app.js/app.js/r/private"
    Write \`! "r/private"\`.
/mnt/work/app.js/app.js/r/a.csv
    Write \`r/a.csv\`.
/srv/my runner/ci/app.js/app.js/**/*.csv
    Write \`**/*.csv\`.
/home/runner/work/app.js/app.js
    Write \`/__w/app.js/app.js\`.
{/opt/ci/app.js/app.js/a,/opt/ci/app.js/app.js/b}.csv
    Write \`{a,b}.csv\`.
{r, /opt/ci/app.js/app.js/s}/*.csv
    Write \`{r, s}/*.csv\`.
["/__w/app.js/app.js/r", "!/ci/app.js/app.js/r/private"]
    Write \`!r/private\`.
[{"path": "/ci/app.js/app.js/a.csv"}]
    Write \`a.csv\`.
/opt/ci/app.js/app.js/../other/*.csv
    Write \`../other/*.csv\`.
/mnt/work/_temp/out.csv
    Write \`/__w/_temp/out.csv\`.
!/mnt/work/_temp
    Write \`!/__w/_temp\`.
# The work folder of a hosted runner
!/home/runner/work/app.js/build/private/**
    Write \`!/__w/app.js/build/private/**\`.
!/home/runner/_work/other/other/**
    Write \`!/__w/other/other/**\`.
# A path of the container, or of the user
/__w/app.js/app.js/app.js/app.js/a.csv
    searched
/__w/_temp/out.csv
    searched
//app.js/app.js/*.csv
    searched
/srv/work/other/*.csv
    searched
/srv/work/appxjs/appxjs/*.csv
    searched
/mnt/work/app.js/app.js-old/*.csv
    searched
/mnt/work/_temporary/*.csv
    searched
home/runner/work/app.js/app.js/*.csv
    searched
r/_temp/*.csv
    searched
# With a working directory, a path of the container is what to write.
!/home/runner/work/app.js/app.js/r/*.csv | /__w/app.js/app.js | packages
    Write \`!/__w/app.js/app.js/r/*.csv\`.
# Without \`container:\`
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /home/runner/work/app/app
    searched
!/mnt/work/app/app/r/**⏎r/**⏎/mnt/work/_temp/a.csv | /mnt/__w/app/app
    searched"
`)
  const workspace = '/__w/a/a'
  expect(await folder.refusal('r\n!/mnt/work/a/a/r/b', { workspace })).toBe(
    "`!/mnt/work/a/a/r/b` has a path of the runner's host. In a job with `container:`, the runner translates it only at the start of an input.\nWrite `!r/b`.",
  )
})

onLinux('the root of the disk is not searched by a link of the kernel', async () => {
  expect(await finds('a.csv\n/proc/self/root/*.csv')).toContain('searches the root of the disk.')
})

describe('what must not leave', () => {
  onPosix(
    'is skipped by a wildcard, and an error with what to do where a pattern names it',
    async () => {
      const names =
        'a.csv b.csv closed/c.csv open/closed/d.csv .closed/e.csv .env .ssh/config .git/config'
      await using workspace = await tree(`${names} out.csv->..`)
      await workspace.add({ 'server.key': ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ') })
      await makePipe(path.join(workspace.root, 'pipe.csv'))
      await using server = createServer()
      await new Promise<void>((resolve) =>
        server.listen(path.join(workspace.root, 'socket.csv'), resolve),
      )
      workspace.lock('b.csv', 'closed', 'open/closed', '.closed')
      const lines = `
*⏎open/**⏎**/*.csv
pipe.csv
socket.csv
/dev/null
.env
.ssh
.git
.git/config
server.key
out.csv
a.csv⏎b.csv
a.csv⏎closed
a.csv⏎closed/c.csv
a.csv⏎closed/*/*.csv
a.csv⏎open/closed/**
{a,b}.csv
closed/*.csv
`
      await asOrdinaryUser(async () => {
        expect(await grid(lines, (line) => outcome(workspace, line))).toMatchInlineSnapshot(`
"*⏎open/**⏎**/*.csv
    a.csv | .env is an environment file, which usually holds credentials (credentials) | pipe.csv is not a regular file (not-a-file) | socket.csv is not a regular file (not-a-file) | b.csv cannot be read (\`EACCES: permission denied\`) (unreadable) | server.key contains a private key (credentials) | open/closed/ cannot be read (\`EACCES: permission denied\`) (unreadable) | .closed/ is a hidden folder (hidden) | .ssh/ is a hidden folder (hidden) | closed/ cannot be read (\`EACCES: permission denied\`) (unreadable) | out.csv/ is outside the workspace: a symlink leads there (link-outside)
pipe.csv
    A file must not be sent: \`pipe.csv\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
socket.csv
    A file must not be sent: \`socket.csv\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
/dev/null
    A file must not be sent: \`/dev/null\` is not a regular file.⏎Remove this line from \`files\`, or write a file that can be sent.
.env
    A file must not be sent: \`.env\` is an environment file, which usually holds credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.ssh
    A file must not be sent: \`.ssh\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.git
    A file must not be sent: \`.git\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
.git/config
    A file must not be sent: \`.git/config\` is where a tool or the runner keeps credentials.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
server.key
    A file must not be sent: \`server.key\` contains a private key.⏎To send a credential file anyway, put it into an archive with another name, like \`files.zip\`: archives are not opened.
out.csv
    A file must not be sent: \`out.csv\` is outside the workspace: a symlink leads there.⏎Copy what such a symlink points to into the workspace in an earlier step, or write that path itself.
a.csv⏎b.csv
    A file cannot be read: \`b.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed/c.csv
    A file cannot be read: \`closed/c.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎closed/*/*.csv
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
a.csv⏎open/closed/**
    A file cannot be read: \`open/closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
{a,b}.csv
    A file cannot be read: \`b.csv\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it.
closed/*.csv
    A file cannot be read: \`closed\` cannot be read (\`EACCES: permission denied\`).⏎Close the program that uses such a file, or give the user that runs the step the right to read it."
`)
      })
    },
  )

  onLinux(
    'a name that is no UTF-8 is skipped with the reason, one with the replacement character is not',
    async () => {
      await using workspace = await tree({ 'a\ufffd.csv': '1' })
      const undecodable = (name: string) =>
        Buffer.concat([
          Buffer.from(`${workspace.root}/${name}`),
          Buffer.from([0xff]),
          Buffer.from('.csv'),
        ])
      await writeFile(undecodable('b'), '2')
      await symlink('a\ufffd.csv', undecodable('c'))
      await mkdir(undecodable('d'))
      const found = await grid('**', (line) => outcome(workspace, line))
      expect(found).toMatchInlineSnapshot(`
"**
    a�.csv | d�.csv/ was removed while files were searched, or its name is not valid UTF-8 (unreadable) | b�.csv was removed while files were searched, or its name is not valid UTF-8 (unreadable) | c�.csv was removed while files were searched, or its name is not valid UTF-8 (unreadable)"
`)
    },
  )
})
