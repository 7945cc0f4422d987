import { describe, expect, test } from '@jest/globals'
import { breaking } from '../../support/fault-matrix.ts'

/** Every fault of `support/faults.ts`, on every call, checked against what the sandbox's model counted. */
describe('No blind repeat, no success without the files, always an end', () => {
  test.each([
    'files.getUploadURLExternal',
    'upload-bytes',
    'files.completeUploadExternal',
    'files.info',
    'chat.getPermalink',
  ] as const)('by the external upload, whatever happens to %s', async (target) => {
    expect(await breaking('external', [[target, 1]])).toEqual([])
  })

  test('by files.upload, whatever happens to it', async () => {
    expect(await breaking('files.upload', [['files.upload', 1]])).toEqual([])
    expect(await breaking('files.upload', [['files.upload', 2]], ['shown at once'])).toEqual([])
  })

  test.each([
    ['completion', 'its repeat', 'files.completeUploadExternal', 1, 'files.completeUploadExternal', 2],
    ['bytes', 'the completion', 'upload-bytes', 1, 'files.completeUploadExternal', 1],
  ] as const)(
    'whatever happens to the %s, and then to %s',
    async (_one, _other, first, call, second, nextCall) => {
      const calls = [
        [first, call],
        [second, nextCall],
      ] as const
      expect(await breaking('external', calls)).toEqual([])
    },
    300_000,
  )
})
