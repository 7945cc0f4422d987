import { expect, jest, test } from '@jest/globals'
import { memoize } from '../../../src/files/memoize.ts'

test.each([
  ['equal strings', 'a', 'a'],
  ['items with the same JSON', { path: 'a' }, { path: 'a' }],
])('a function is called once for %s, whatever it returns', (_, one, equal) => {
  for (const result of [undefined, null, 0, 'a']) {
    const look = jest.fn(() => result)
    const known = memoize(look)
    expect([known(one), known(equal)]).toEqual([result, result])
    expect(look).toHaveBeenCalledTimes(1)
  }
})
