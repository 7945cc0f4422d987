import { describe, expect, test } from '@jest/globals'
import { breaking, breakingPair, faultPairs, targets } from '../../support/fault-matrix.ts'

/** Every fault of `support/faults.ts`, checked against what the sandbox's model counted. */
describe('No blind repeat, no success without the files, always an end, whatever happens to', () => {
  test.each(targets)('%s', async (target) => {
    expect(await breaking(target)).toEqual([])
  })

  // A sample: `npm run test:soak` plays all pairs.
  test.each(faultPairs)('$name', async (pair) => {
    expect(await breakingPair(pair, 24)).toEqual([])
  })
})
