import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { patternLines, patternsOf } from '../../../src/files/patterns.ts'
import { finds } from '../../support/finds.ts'
import { grid, groups } from '../../support/grid.ts'
import { onPosix } from '../../support/systems.ts'

type System = Parameters<typeof patternsOf>[3]

async function patterns(lines: string, base = '/srv/app', system?: System) {
  const found = await Promise.all(
    patternLines(lines).map((line) => patternsOf(line, base, () => undefined, system)),
  )
  return found.flat()
}

/** For each pattern of a line, where the search begins, and the segments after it. */
async function places(line: string, ...where: readonly [string?, System?]) {
  return (await patterns(line, ...where)).map(({ root, segments }) => [root, ...segments])
}

/** The same, as text. */
const raw = (found: readonly (readonly string[])[]) =>
  found.map((parts) => parts.join(' > ')).join(' | ')

test('a pattern that cannot be used is refused, with what to write', async () => {
  const lines = `
!
${'b'.repeat(4097)}
[{"path": "${'b'.repeat(4097)}"}]
${'['.repeat(101)}
{1..1001}.csv
*/../a.csv
*/[.]./a.csv
`
  const refused = async (line: string) => {
    const error = await patterns(line).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ problems: [{ title: 'A pattern cannot be used' }] })
    return (error as Error).message
  }
  expect(
    (await Promise.all(lines.trim().split('\n').map(refused))).join('\n\n'),
  ).toMatchInlineSnapshot(`
"\`!\` excludes nothing.
Write a pattern after the \`!\`, like \`!reports/old/**\`.

\`bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\` has more than 4,096 characters.
Write one pattern per line.

\`bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\` has more than 4,096 characters.
Write one pattern per line.

\`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\` has more than 100 \`[\`.
Write \`?\` or \`*\` instead of some of them.

\`{1..1001}.csv\` stands for more than 1,000 patterns.
Write \`*\` instead of some of the \`{ }\`.

\`*/../a.csv\` has \`..\` after a wildcard.
Write \`..\` only before the first wildcard.

\`*/[.]./a.csv\` has \`..\` after a wildcard.
Write \`..\` only before the first wildcard."
`)
})

test('a line as long, or with as much in it, as is allowed is not refused', async () => {
  expect(await patterns('b'.repeat(4096))).toHaveLength(1)
  expect(await patterns('['.repeat(100))).toHaveLength(1)
  expect(await patterns('{1..1000}.csv')).toHaveLength(1000)
})

test('lines end in LF or CRLF, and white space and comments do not count', () => {
  const include = (pattern: string) => ({ text: pattern, pattern, exclude: false })
  expect(patternLines(' a b \r\n#c\n  # d\n\n! e \n\\#f\r\r\ng#\r')).toEqual([
    include('a b'),
    { text: '! e', pattern: 'e', exclude: true },
    include('\\#f'),
    include('g#'),
  ])
})

describe('a JSON list', () => {
  test('is refused if an item is neither a pattern nor a path, with what to write', async () => {
    const lists = `
[1]
["a.csv", ["b.csv"]]
{"size": 1}
[{"path": ""}]
[{"path": "a.csv", "name": "x/y.csv"}]
[{"path": "a.csv", "name": ".."}]
[{"path": "a.csv", "name": "${'x'.repeat(256)}"}]
[{"path": "a.csv", "name": 1}]
[{"path": "a.csv", "title": {}}]
[{"file": "a.csv"}]
[{"file": "a.csv", "filename": "b.csv"}]
{"path": "a.csv", "name": "b.csv", "title": "B"}
`
    const refused = async (list: string) => {
      try {
        return JSON.stringify(patternLines(list))
      } catch (error) {
        return (error as Error).message.replace(/ is `.*?`\. /, ': ')
      }
    }
    expect(await groups(lists, refused)).toMatchInlineSnapshot(`
"In \`files\`, item 1: A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.
    [1]
    {"size": 1}
    [{"path": ""}]
In \`files\`, item 2: A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.
    ["a.csv", ["b.csv"]]
In \`files\`, item 1: \`name\` must be 1 to 255 characters, without \`/\`.
    [{"path": "a.csv", "name": "x/y.csv"}]
    [{"path": "a.csv", "name": ".."}]
    [{"path": "a.csv", "name": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}]
    [{"path": "a.csv", "name": 1}]
In \`files\`, item 1: A \`title\` takes a text.
    [{"path": "a.csv", "title": {}}]
In \`files\`, item 1: Rename \`file\` to \`path\`.
    [{"file": "a.csv"}]
In \`files\`, item 1: Rename \`file\` to \`path\`, and \`filename\` to \`name\`.
    [{"file": "a.csv", "filename": "b.csv"}]
[{"text":"a.csv","pattern":"a.csv","exclude":false,"isPath":true,"noClasses":true,"given":{"name":"b.csv","title":"B"}}]
    {"path": "a.csv", "name": "b.csv", "title": "B"}"
`)
  })

  test.each(['[ab].csv', '["a.csv", ]', '{"path": "a.csv"', '["a.csv"]\nb.csv'])(
    'is not %s',
    (lines) => {
      expect(patternLines(lines).map(({ text }) => text)).toEqual(lines.split('\n'))
    },
  )
})

test('on Windows, a line becomes patterns', async () => {
  const lines = `
reports\\unit\\*.csv
reports\\[ab].csv
reports\\{a}.csv
reports\\{unit\\a,api}.csv
C:\\temp\\**\\*.csv
c:/temp/*.csv
\\temp\\*.csv
\\\\server\\share\\out\\*.csv
..\\other\\*.csv
build[1]\\*.csv
build[1-9]\\*.csv
*.csv
{a,b}
`
  const existing = ['build[1]', '*.csv', '{a,b}'].map((name) => `D:\\a\\app\\${name}`)
  const exists = async (at: string) => existing.includes(at)
  const system = { exists, path: path.win32 }
  expect(
    await grid(lines, async (line) => raw(await places(line, 'D:\\a\\app', system))),
  ).toMatchInlineSnapshot(`
"reports\\unit\\*.csv
    D:\\a\\app\\reports\\unit > *.csv
reports\\[ab].csv
    D:\\a\\app\\reports > [ab].csv
reports\\{a}.csv
    D:\\a\\app\\reports\\{a}.csv
reports\\{unit\\a,api}.csv
    D:\\a\\app\\reports\\unit\\a.csv | D:\\a\\app\\reports\\api.csv
C:\\temp\\**\\*.csv
    C:\\temp > ** > *.csv
c:/temp/*.csv
    c:\\temp > *.csv
\\temp\\*.csv
    D:\\temp > *.csv
\\\\server\\share\\out\\*.csv
    \\\\server\\share\\out > *.csv
..\\other\\*.csv
    D:\\a\\other > *.csv
build[1]\\*.csv
    D:\\a\\app\\build[1] > *.csv
build[1-9]\\*.csv
    D:\\a\\app > build[1-9] > *.csv
*.csv
    D:\\a\\app > *.csv
{a,b}
    D:\\a\\app\\{a,b}"
`)
})

onPosix('elsewhere, \\ separates nothing, and ~ is the home folder at the start only', async () => {
  const lines = `
a[b]/*.csv
a[b]/c/*.csv
~
~/out/*.csv
/~/*.csv
a/~/*.csv
C:/temp/*.csv
`
  expect(
    await grid(lines, async (line) => raw(await places(line)).replace(homedir(), 'HOME')),
  ).toMatchInlineSnapshot(`
"a[b]/*.csv
    /srv/app/ab > *.csv
a[b]/c/*.csv
    /srv/app/ab/c > *.csv
~
    HOME
~/out/*.csv
    HOME/out > *.csv
/~/*.csv
    /~ > *.csv
a/~/*.csv
    /srv/app/a/~ > *.csv
C:/temp/*.csv
    /srv/app/C:/temp > *.csv"
`)
})

test('braces and lists find what they name', async () => {
  const lines = `
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
`
  expect(await finds(lines)).toMatchInlineSnapshot(`
"d/a.csv d/b.xml report.csv report␣final.csv reportfinal.csv {x}/1.csv x/1.csv d,␣e/1.csv d/.hidden/c.xml
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
    pages/[id]/b.csv | pages/a/i.csv"
`)
})
