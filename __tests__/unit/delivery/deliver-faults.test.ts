import { describe, expect, test } from '@jest/globals'
import { breaking, breakingPair, faultPairs, targets } from '../../support/fault-matrix.ts'

/** Every fault of `support/faults.ts`, checked against the counts of the sandbox's model. */
describe('No blind repeat, no success without the files, always an end, whatever happens to', () => {
  test.each(targets)('%s', async (target) => {
    expect(await breaking(target)).toEqual([])
  })

  // A fixed sample with each fault. `npm run test:soak` plays all pairs.
  test.each(faultPairs)('$name', async (pair) => {
    expect(await breakingPair(pair, 72)).toEqual([])
  })
})
