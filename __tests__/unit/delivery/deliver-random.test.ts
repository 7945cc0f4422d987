import { expect, test } from '@jest/globals'
import { playSeed } from '../../support/random-delivery.ts'
import { playRerunSeed } from '../../support/random-rerun.ts'

// The same every time, so that a change is not blamed for what it did not do: `npm run test:soak` draws new seeds.
test.each([
  ['deliveries', playSeed, 1_000],
  ['runs that are run again', playRerunSeed, 500],
] as const)(
  'random %s keep every promise',
  async (_, play, count) => {
    const broken: string[] = []
    for (let seed = 1; seed <= count; seed += 1) {
      const found = (await play(seed)).broken
      if (found.length > 0) broken.push(`seed ${seed}: ${found.join('; ')}`)
    }
    expect(broken).toEqual([])
  },
  240_000,
)
