import { describe, expect, test } from '@jest/globals'
import { breaking, breakingPair, faultPairs, targets } from '../../support/fault-matrix.ts'

/** Every fault of `support/faults.ts`, checked against the counts of the sandbox's model. */
describe('No blind repeat, no success without the files, always an end, whatever happens to', () => {
  test.each(targets)('%s', async (target) => {
    // When a message appears, and the scopes, matter most from the completion on.
    const every = /complete|info/.test(target) ? 1 : 3
    expect(await breaking(target, {}, every)).toEqual([])
  })

  // A fixed sample with each fault. `npm run test:soak` plays all pairs.
  test.each(faultPairs)('$name', async (pair) => {
    expect(await breakingPair(pair, 72)).toEqual([])
  })
})
