import { expect, test } from '@jest/globals'
import { sortNaturally } from '../../../src/text/natural-order.ts'

test.each([
  'part-1 part-2 part-10',
  'v1.9.2 v1.9.10 v1.10.0',
  'A/11.csv a/9.csv a/10.csv',
  '1 99999999999999999998 99999999999999999999',
  '001 01 1 02',
  'a100 a0101 aa b',
  'a a10 z ä',
])('%s', (inOrder) => {
  const sorted = inOrder.split(' ')
  const [first = '', ...others] = sorted
  for (const items of [sorted.toReversed(), [...others, first]]) {
    expect(sortNaturally(items, (item) => item)).toEqual(sorted)
  }
})
