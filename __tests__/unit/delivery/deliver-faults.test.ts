import { describe, expect, test } from '@jest/globals'
import { breaking, breakingPair, faultPairs } from '../../support/fault-matrix.ts'

/** Every fault of `support/faults.ts`, checked against what the sandbox's model counted. */
describe('No blind repeat, no success without the files, always an end, whatever happens to', () => {
  test.each([
    'files.getUploadURLExternal',
    'upload-bytes',
    'files.completeUploadExternal',
    'files.info',
    'chat.getPermalink',
    'files.upload',
  ] as const)('%s', async (target) => {
    expect(await breaking([[target, 1]])).toEqual([])
  })

  // A sample: `npm run test:soak` plays all pairs.
  test.each(faultPairs)('$name', async (pair) => {
    expect(await breakingPair(pair, 16)).toEqual([])
  })
})
