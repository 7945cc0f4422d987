import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import {
  breaking,
  breakingPair,
  breakingWorld,
  faultPairs,
  targets,
} from '../../support/fault-matrix.ts'
import { impossible, worlds } from '../../support/model-worlds.ts'

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

describe('The promises hold, whatever happens to the completion and to lookups, if', () => {
  // Each fault in each world. `npm run test:soak` adds the faults of other calls, and all
  // conditions.
  const play = (world: string) =>
    breakingWorld(world, ['files.completeUploadExternal', 'files.info'], 3)

  test.each(Object.keys(worlds).filter((world) => impossible[world] === undefined))(
    '%s',
    async (world) => {
      expect(await play(world)).toEqual([])
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
