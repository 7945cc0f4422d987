import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { initialState, stateAt } from '../../../src/files/matcher.ts'
import { patternLines, patternsOf } from '../../../src/files/patterns.ts'
import { onPosix } from '../../support/systems.ts'

type System = Parameters<typeof patternsOf>[3]

async function patterns(lines: string, base = '/srv/app', system?: System) {
  const found = await Promise.all(
    patternLines(lines).map((line) => patternsOf(line, base, () => undefined, system)),
  )
  return found.flat()
}

/** Where the search for a line begins, and the segments after it, of each of its patterns. */
async function places(line: string, ...where: readonly [string?, System?]) {
  return (await patterns(line, ...where)).map(({ root, segments }) => [root, ...segments])
}

/** As if only the given paths existed. */
function onWindows(line: string, existing: readonly string[] = []) {
  const exists = async (at: string) => existing.includes(at)
  return places(line, 'D:\\a\\app', { exists, path: path.win32 })
}

const onlyBefore = 'has `..` after a wildcard.\nWrite `..` only before the first wildcard.'
const brackets = `\`${'['.repeat(49)}…${'['.repeat(49)}\` has more than 100 \`[\`.\nWrite \`?\` or \`*\` instead of some of them.`
const tooLong = `\`${'b'.repeat(49)}…${'b'.repeat(49)}\` has more than 4,096 characters.\nWrite one pattern per line.`
const tooMany =
  '`{1..1001}.csv` stands for more than 1,000 patterns.\nWrite `*` instead of some of the `{ }`.'

test.each<[situation: string, lines: string, message: string]>([
  [
    'nothing is excluded',
    '!',
    '`!` excludes nothing.\nWrite a pattern after the `!`, such as `!reports/old/**`.',
  ],
  ['length', 'b'.repeat(4097), tooLong],
  ['length of a path', `[{"path": "${'b'.repeat(4097)}"}]`, tooLong],
  ['brackets', '['.repeat(101), brackets],
  ['alternatives', '{1..1001}.csv', tooMany],
  ['.. after a wildcard', '*/../a.csv', `\`*/../a.csv\` ${onlyBefore}`],
  ['.. in brackets', '*/[.]./a.csv', `\`*/[.]./a.csv\` ${onlyBefore}`],
])('refused, with what to write: %s', async (_situation, lines, message) => {
  const problems = [expect.objectContaining({ title: 'A pattern cannot be used' })]
  await expect(patterns(lines)).rejects.toThrow(expect.objectContaining({ message, problems }))
})

test('a line as long, or with as much in it, as is allowed is not refused', async () => {
  expect(await patterns('b'.repeat(4096))).toHaveLength(1)
  expect(await patterns('['.repeat(100))).toHaveLength(1)
  expect(await patterns('{1..1000}.csv')).toHaveLength(1000)
})

test('lines end in any line break, and white space and comments do not count', () => {
  const include = (pattern: string) => ({ text: pattern, pattern, exclude: false })
  expect(patternLines(' a b \r\n#c\r  # d\n\n! e \n\\#f\rg#')).toEqual([
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

describe('on Windows', () => {
  test.each<[situation: string, line: string, expected: readonly string[]]>([
    ['\\ separates folders', 'reports\\unit\\*.csv', ['D:\\a\\app\\reports\\unit', '*.csv']],
    ['\\ before a wildcard is no escape', 'reports\\[ab].csv', ['D:\\a\\app\\reports', '[ab].csv']],
    ['\\ before braces is no escape', 'reports\\{a}.csv', ['D:\\a\\app\\reports\\{a}.csv']],
    ['a drive letter is absolute', 'C:\\temp\\**\\*.csv', ['C:\\temp', '**', '*.csv']],
    ['a drive letter may be lower case, with /', 'c:/temp/*.csv', ['c:\\temp', '*.csv']],
    ['a leading \\ is the root of the drive', '\\temp\\*.csv', ['D:\\temp', '*.csv']],
    ['a share is absolute', '\\\\server\\share\\out\\*.csv', ['\\\\server\\share\\out', '*.csv']],
    ['.. leads up', '..\\other\\*.csv', ['D:\\a\\other', '*.csv']],
  ])('%s', async (_situation, line, expected) => {
    expect(await onWindows(line)).toMatchObject([expected])
  })

  test('braces with \\ inside are expanded', async () => {
    const expected = ['D:\\a\\app\\reports\\unit\\a.csv', 'D:\\a\\app\\reports\\api.csv']
    expect(await onWindows('reports\\{unit\\a,api}.csv')).toEqual(expected.map((root) => [root]))
  })

  test('what is called like a pattern is meant if it exists, unless it is called *', async () => {
    const existing = ['D:\\a\\app\\build[1]', 'D:\\a\\app\\*.csv']
    expect(await onWindows('build[1]\\*.csv', existing)).toEqual([
      ['D:\\a\\app\\build[1]', '*.csv'],
    ])
    expect(await onWindows('build[1-9]\\*.csv', existing)).toEqual([
      ['D:\\a\\app', 'build[1-9]', '*.csv'],
    ])
    expect(await onWindows('*.csv', existing)).toEqual([['D:\\a\\app', '*.csv']])
    expect(await onWindows('{a,b}', ['D:\\a\\app\\{a,b}'])).toEqual([['D:\\a\\app\\{a,b}']])
  })
})

test.each([true, false])('upper and lower case are the same: %j', (ignoreCase) => {
  const root = `${path.sep}Srv`
  const start = initialState({ root, segments: ['Reports', '*.CSV'] }, { dot: false, ignoreCase })
  expect(stateAt(start, path.join(root, 'Reports', 'a.CSV')).matches).toBe('visible')
  for (const other of ['srv/reports/a.csv', 'Srv/Reports/a.csv', 'Srv/REPORTS/a.CSV']) {
    expect(stateAt(start, path.sep + path.normalize(other)).matches).toBe(
      ignoreCase ? 'visible' : undefined,
    )
  }
})

onPosix.each<[situation: string, line: string, expected: readonly string[]]>([
  ['a class of one character is that character', 'a[b]/*.csv', ['/srv/app/ab', '*.csv']],
  ['~ is the home folder', '~/out/*.csv', [path.join(homedir(), 'out'), '*.csv']],
  ['~ is no folder of the root', '/~/*.csv', ['/~', '*.csv']],
  ['~ elsewhere is a name', 'a/~/*.csv', ['/srv/app/a/~', '*.csv']],
  ['a drive letter is a name', 'C:/temp/*.csv', ['/srv/app/C:/temp', '*.csv']],
])('elsewhere, %s', async (_situation, line, expected) => {
  expect(await places(line)).toEqual([expected])
})
