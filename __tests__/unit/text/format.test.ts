import { expect, test } from '@jest/globals'
import { formatCount, formatDuration, formatSize } from '../../../src/text/format.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1234, '1.2 KB'],
  [9500, '9.5 KB'],
  [9950, '10 KB'],
  [12_345, '12 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_200_000, '1.2 MB'],
  [9_960_000, '10 MB'],
  [1_073_741_824, '1.1 GB'],
  [5_000_000_000_000, '5000 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test.each([
  [0, '0 files'],
  [1, '1 file'],
  [999, '999 files'],
  [1000, '1,000 files'],
  [1_234_567, '1,234,567 files'],
])('%d files are counted as %s', (count, text) => {
  expect(formatCount(count, 'file')).toBe(text)
})

test.each([
  [40, '0 s'],
  [440, '0.4 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [185_000, '185 s'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
