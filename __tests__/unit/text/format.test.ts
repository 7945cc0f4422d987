import { expect, test } from '@jest/globals'
import { formatCount, formatDuration, formatList, formatSize } from '../../../src/text/format.ts'

test('bytes, files and milliseconds are shown with their unit', async () => {
  const bytes = '0 999 1000 1234 9500 9950 12345 999499 999500 1200000 9960000 1073741824 5e12'
  const counts = '0 1 999 1000 1234567'
  const milliseconds = '40 440 9949 9950 185000'
  const shown = [
    [bytes, formatSize],
    [counts, (count: number) => formatCount(count, 'file')],
    [milliseconds, formatDuration],
  ] as const
  const row = ([numbers, format]: (typeof shown)[number]) =>
    numbers.split(' ').map((number) => format(Number(number)))
  expect(shown.map((what) => row(what).join(' | ')).join('\n')).toMatchInlineSnapshot(`
"0 B | 999 B | 1 KB | 1.2 KB | 9.5 KB | 10 KB | 12 KB | 999 KB | 1 MB | 1.2 MB | 10 MB | 1.1 GB | 5000 GB
0 files | 1 file | 999 files | 1,000 files | 1,234,567 files
0 s | 0.4 s | 9.9 s | 10 s | 185 s"
`)
})

test('a list says how many more there are', () => {
  const shown = [1, 2, 3].map((max) => formatList(['a', 'b', 'c'], max))
  expect(shown).toEqual(['a and 2 more', 'a, b and 1 more', 'a, b, c'])
})
