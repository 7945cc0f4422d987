import { expect, test } from '@jest/globals'
import { sortNaturally } from '../../../src/text/natural-order.ts'

test.each([
  [
    ['part-10', 'part-2', 'part-1'],
    ['part-1', 'part-2', 'part-10'],
  ],
  [
    ['v1.10.0', 'v1.9.2', 'v1.9.10'],
    ['v1.9.2', 'v1.9.10', 'v1.10.0'],
  ],
  [
    ['a/10.csv', 'a/9.csv', 'A/11.csv'],
    ['A/11.csv', 'a/9.csv', 'a/10.csv'],
  ],
  [
    ['99999999999999999999', '99999999999999999998', '1'],
    ['1', '99999999999999999998', '99999999999999999999'],
  ],
  [
    ['1', '01', '001', '02'],
    ['001', '01', '1', '02'],
  ],
  [
    ['aa', 'b', 'a0101', 'a100'],
    ['a100', 'a0101', 'aa', 'b'],
  ],
  [
    ['ä', 'z', 'a10', 'a'],
    ['a', 'a10', 'z', 'ä'],
  ],
])('%j', (items, sorted) => {
  expect(sortNaturally(items, (item) => item)).toEqual(sorted)
  expect(sortNaturally(items.toReversed(), (item) => item)).toEqual(sorted)
})
