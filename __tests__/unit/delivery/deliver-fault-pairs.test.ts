import { expect, test } from '@jest/globals'
import { breaking } from '../../support/fault-matrix.ts'

test.each([
  ['completion', 'the first look', 'files.completeUploadExternal', 1, 'files.info', 1],
  ['first look', 'the second', 'files.info', 1, 'files.info', 2],
] as const)(
  'whatever happens to the %s, and then to %s, nothing is twice, nothing green without',
  async (_one, _other, first, call, second, nextCall) => {
    expect(
      await breaking('external', [
        [first, call],
        [second, nextCall],
      ]),
    ).toEqual([])
  },
  300_000,
)

test.each([
  ['ticket', 'its repeat', 'files.getUploadURLExternal', 1, 'files.getUploadURLExternal', 2],
  ['ticket', 'the bytes', 'files.getUploadURLExternal', 1, 'upload-bytes', 1],
  ['bytes', 'their repeat', 'upload-bytes', 1, 'upload-bytes', 2],
  ['look', 'the permalink', 'files.info', 1, 'chat.getPermalink', 1],
  ['permalink', 'its repeat', 'chat.getPermalink', 1, 'chat.getPermalink', 2],
] as const)(
  'whatever happens to the %s, and then to %s, harms nothing',
  async (_one, _other, first, call, second, nextCall) => {
    expect(
      await breaking(
        'external',
        [
          [first, call],
          [second, nextCall],
        ],
        ['shown at once'],
      ),
    ).toEqual([])
  },
  300_000,
)

test('whatever happens to files.upload, and then to its next call', async () => {
  expect(
    await breaking(
      'files.upload',
      [
        ['files.upload', 1],
        ['files.upload', 2],
      ],
      ['shown at once'],
    ),
  ).toEqual([])
}, 300_000)
