import { describe, expect, test } from '@jest/globals'
import { uniqueFileNames, withTitles } from '../../../src/files/file-names.ts'
import fc, { anyString } from '../../support/fast-check.ts'
import { foundFile } from '../../support/report-runs.ts'

describe('the name of a file in the channel', () => {
  test.each<Readonly<Record<string, string>>>([
    { 'reports/a.csv': 'a.csv', 'b.csv': 'b.csv' },
    // The folder is added if another is equal, but not in the workspace itself.
    { 'a/x.csv': 'x (a).csv', 'b/x.csv': 'x (b).csv' },
    { 'x.csv': 'x.csv', 'a/x.csv': 'x (a).csv' },
    { '/x.csv': 'x.csv', '/a/x.csv': 'x (a).csv' },
    { 'l/u/x.csv': 'x (l - u).csv', 'm/u/x.csv': 'x (m - u).csv', 'l/a/x.csv': 'x (a).csv' },
    // An extension may be double, may be missing, and has no space.
    { 'a/logs.tar.gz': 'logs (a).tar.gz', 'b/logs.tar.gz': 'logs (b).tar.gz' },
    { 'a/log': 'log (a)', 'b/log': 'log (b)', 'a/.out': '.out (a)', 'b/.out': '.out (b)' },
    { 'a/v1.2 notes': 'v1.2 notes (a)', 'b/v1.2 notes': 'v1.2 notes (b)' },
    // Control characters, and what turns text around.
    { 'new\nline\r\x1b\x7f\x85.csv': 'new_line____.csv' },
    { 'a\u202evsc.exe': 'a_vsc.exe', 'b\u2028.csv': 'b_.csv' },
    { 'a\n.csv': 'a_.csv', 'a\t.csv': 'a_ (2).csv', 'a_.csv': 'a_ (3).csv' },
    // Unicode as it is on disk, and twins that look the same.
    { 'e\u0301-日本-👩‍🔬.csv': 'e\u0301-日本-👩‍🔬.csv' },
    { 'a/\u00e9.csv': '\u00e9 (a).csv', 'b/e\u0301.csv': 'e\u0301 (b).csv' },
    // A GUID says nothing. If only GUIDs tell files apart, a number does.
    {
      'a/TestResults/6f1c0000-0000-4000-8000-00000000000A/c.xml': 'c (a - TestResults).xml',
      'b/TestResults/6f1c0000-0000-4000-8000-00000000000b/c.xml': 'c (b - TestResults).xml',
    },
    {
      'a/6f1c0000-0000-4000-8000-000000000001/c.xml': 'c (a).xml',
      'a/6f1c0000-0000-4000-8000-000000000002/c.xml': 'c (a) (2).xml',
    },
    // A name on disk can look like one with a folder.
    { 'a/x.csv': 'x (a).csv', 'b/x.csv': 'x (b).csv', 'c/x (a).csv': 'x (a) (c).csv' },
  ])('is unlike the others, and shows what tells it apart: %j', (names) => {
    expect(uniqueFileNames(Object.keys(names))).toEqual(Object.values(names))
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
  // The middle of a longer one is left out.
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
