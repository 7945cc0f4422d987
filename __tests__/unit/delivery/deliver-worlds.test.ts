import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { breakingWorld } from '../../support/fault-matrix.ts'
import { impossible, worlds } from '../../support/model-worlds.ts'

describe('The promises hold, whatever happens to the completion and to lookups, if', () => {
  // `npm run test:soak` plays the faults of all calls, under all conditions.
  test.each(Object.keys(worlds).filter((world) => impossible[world] === undefined))(
    '%s',
    async (world) => {
      const on = ['files.completeUploadExternal', 'files.info'] as const
      expect(await breakingWorld(world, on, 9)).toEqual([])
    },
  )

  test('it is none of these worlds, which docs/delivery.md names', async () => {
    const delivery = readFileSync(
      new URL('../../../docs/delivery.md', import.meta.url),
      'utf8',
    ).replace(/\s+/g, ' ')
    expect(Object.keys(impossible)).toEqual([
      'a record shows a group conversation late',
      'a 429 comes after the call was carried out',
    ])
    for (const [world, words] of Object.entries(impossible)) {
      expect(await breakingWorld(world, ['files.completeUploadExternal'], 3)).not.toEqual([])
      expect([world, delivery.includes(words)]).toEqual([world, true])
    }
  })
})
