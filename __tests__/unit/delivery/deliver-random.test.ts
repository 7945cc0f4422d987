import { expect, test } from '@jest/globals'
import { playSeed } from '../../support/random-delivery.ts'

const first = 1
const count = 10_000

test(`${count} random deliveries, with the seeds from ${first}, keep every promise`, async () => {
  const broken: string[] = []
  for (let seed = first; seed < first + count; seed += 1) {
    const found = (await playSeed(seed)).broken
    if (found.length > 0) broken.push(`seed ${seed}: ${found.join('; ')}`)
  }
  expect(broken).toEqual([])
}, 240_000)

test('the same seed plays the same delivery', async () => {
  for (let seed = first; seed < first + 50; seed += 1) {
    const [one, other] = [await playSeed(seed), await playSeed(seed)]
    expect(other.played.calls).toEqual(one.played.calls)
    expect(other.played.report).toEqual(one.played.report)
  }
})
