import { describe, expect, test } from '@jest/globals'
import { uniqueFileNames, withTitles } from '../../../src/files/file-names.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { grid } from '../../support/grid.ts'
import { foundFile } from '../../support/report-runs.ts'

describe('the name of a file in the channel', () => {
  test('is unlike the others, and shows what tells it apart', async () => {
    // Paths of one run each, and their names below. They have equal names in several folders,
    // extensions, control characters, Unicode twins, GUIDs (which say nothing), and a name like `a
    // (folder)`.
    const guid = '6f1c0000-0000-4000-8000-00000000000'
    const runs = `
reports/a.csv | b.csv
a/x.csv | b/x.csv
x.csv | a/x.csv
/x.csv | /a/x.csv
l/u/x.csv | m/u/x.csv | l/a/x.csv
a/logs.tar.gz | b/logs.tar.gz
a/log | b/log | a/.out | b/.out
a/v1.2 notes | b/v1.2 notes
new⏎line\r\x1b\x7f\x85.csv
a\u202evsc.exe | b\u2028.csv
a⏎.csv | a\t.csv | a_.csv
e\u0301-日本-👩‍🔬.csv
a/\u00e9.csv | b/e\u0301.csv
a/TestResults/${guid}A/c.xml | b/TestResults/${guid}b/c.xml
a/${guid}1/c.xml | a/${guid}2/c.xml
a/x.csv | b/x.csv | c/x (a).csv
`
    const names = (run: string) => uniqueFileNames(run.split(' | ')).join(' | ')
    expect(await grid(runs, names)).toMatchInlineSnapshot(`
"reports/a.csv | b.csv
    a.csv | b.csv
a/x.csv | b/x.csv
    x (a).csv | x (b).csv
x.csv | a/x.csv
    x.csv | x (a).csv
/x.csv | /a/x.csv
    x.csv | x (a).csv
l/u/x.csv | m/u/x.csv | l/a/x.csv
    x (l - u).csv | x (m - u).csv | x (a).csv
a/logs.tar.gz | b/logs.tar.gz
    logs (a).tar.gz | logs (b).tar.gz
a/log | b/log | a/.out | b/.out
    log (a) | log (b) | .out (a) | .out (b)
a/v1.2 notes | b/v1.2 notes
    v1.2 notes (a) | v1.2 notes (b)
new⏎line<d><1b><7f><85>.csv
    new_line____.csv
a<202e>vsc.exe | b<2028>.csv
    a_vsc.exe | b_.csv
a⏎.csv | a<9>.csv | a_.csv
    a_.csv | a_ (2).csv | a_ (3).csv
e<301>-日本-👩<200d>🔬.csv
a/é.csv | b/e<301>.csv
    é (a).csv | e<301> (b).csv
a/TestResults/6f1c0000-0000-4000-8000-00000000000A/c.xml | b/TestResults/6f1c0000-0000-4000-8000-00000000000b/c.xml
    c (a - TestResults).xml | c (b - TestResults).xml
a/6f1c0000-0000-4000-8000-000000000001/c.xml | a/6f1c0000-0000-4000-8000-000000000002/c.xml
    c (a).xml | c (a) (2).xml
a/x.csv | b/x.csv | c/x (a).csv
    x (a).csv | x (b).csv | x (a) (c).csv"
`)
  })

  const long = 'n'.repeat(251)
  test.each<[what: string, paths: readonly string[], first: string, last: string]>([
    [
      'deep',
      Array.from({ length: 50 }, (_, at) => `${at}/${'d/'.repeat(1900)}x.csv`),
      'x.csv',
      'x (50).csv',
    ],
    [
      'many and long',
      Array.from({ length: 5000 }, (_, at) => `${at}/${long}.csv`),
      `${long}.csv`,
      'nnn (5000).csv',
    ],
    [
      'with its folder, exactly 255',
      [`a/${long.slice(4)}.csv`, `b/${long.slice(4)}.csv`],
      `${long.slice(4)} (a).csv`,
      'nnn (b).csv',
    ],
  ])('has at most 255 characters: %s', (_what, paths, first, last) => {
    const names = uniqueFileNames(paths)
    expect([names[0], names.at(-1)?.slice(-last.length)]).toEqual([first, last])
    expect(Math.max(...names.map((name) => [...name].length))).toBeLessThanOrEqual(255)
    expect(new Set(names).size).toBe(paths.length)
  })

  test('is unlike every other, has no control character and no /, and keeps the extension, for any paths', () => {
    const odd = fc.constantFrom('a', 'b', 'a (2)', 'x.csv', '\n', '_')
    const segment = fc
      .oneof(odd, anyString({ minLength: 1 }))
      .map((text) => text.replaceAll('/', '-'))
    const file = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => `${segments.join('/')}.csv`)
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 20 }), (paths) => {
        const names = uniqueFileNames(paths)
        expect(new Set(names.map((name) => name.normalize('NFC'))).size).toBe(paths.length)
        expect(names.filter((name) => /[\p{Cc}/]/u.test(name) || !name.endsWith('.csv'))).toEqual(
          [],
        )
      }),
    )
  })
})

test.each<[template: string, name: string, title: string | undefined]>([
  ['{name}', 'a.csv', undefined],
  ['{name}, again {name}', 'a.csv', 'a.csv, again a.csv'],
  ['Price: {name}', "$&$'.csv", "Price: $&$'.csv"],
  ['a\n{name}', 'a.csv', 'a_a.csv'],
  ['x'.repeat(255), 'a.csv', 'x'.repeat(255)],
  // Shortened in the middle.
  ['x'.repeat(300), 'a.csv', `${'x'.repeat(127)}…${'x'.repeat(127)}`],
])('with the template %j, %s has the title %j', (template, name, title) => {
  const file = foundFile(name)
  expect(withTitles([file], template, '')).toEqual([
    title === undefined ? file : { ...file, title },
  ])
})

test('a title of its own wins, unless it is the name', () => {
  const file = foundFile('a.csv')
  const titled = (title: string) => withTitles([{ ...file, title }], '{name} of the run', '')
  expect(titled('{name}\n!')).toEqual([{ ...file, title: '{name}_!' }])
  expect(titled('a.csv')).toEqual([file])
})
