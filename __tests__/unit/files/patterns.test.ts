import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { initialState, stateAt } from '../../../src/files/matcher.ts'
import { patternLines, patternsOf } from '../../../src/files/patterns.ts'
import { grid } from '../../support/grid.ts'
import { asOn, onPosix } from '../../support/systems.ts'

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
  const forms =
    'A JSON list has patterns and objects with a `path`: `["reports/*.csv", {"path": "coverage.csv"}]`.'
  test.each([
    ['[1]', `item 1 is \`1\`. ${forms}`],
    ['["a.csv", ["b.csv"]]', `item 2 is \`["b.csv"]\`. ${forms}`],
    ['{"size": 1}', `item 1 is \`{"size":1}\`. ${forms}`],
    ['[{"path": ""}]', `item 1 is \`{"path":""}\`. ${forms}`],
  ])('%s is refused', (list, message) => {
    expect(() => patternLines(list)).toThrow(message)
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

test.each([
  ['win32', true],
  ['linux', false],
] as const)('on %s, upper and lower case are the same: %j', (platform, ignoreCase) => {
  const root = `${path.sep}Srv`
  const glob = { root, segments: ['Reports', '*.CSV'] }
  const start = asOn(platform, () => initialState(glob, { dot: false }))
  expect(stateAt(start, path.join(root, 'Reports', 'a.CSV')).matches).toBe(true)
  for (const other of ['srv/reports/a.csv', 'Srv/Reports/a.csv', 'Srv/REPORTS/a.CSV']) {
    expect(stateAt(start, path.sep + path.normalize(other)).matches).toBe(ignoreCase)
  }
})

onPosix('elsewhere, \\ separates nothing, and ~ is the home folder at the start only', async () => {
  const lines = `
a[b]/*.csv
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
