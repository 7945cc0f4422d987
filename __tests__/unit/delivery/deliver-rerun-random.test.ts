import { expect, test } from '@jest/globals'
import { playRerunSeed } from '../../support/random-rerun.ts'

const first = 1
const count = 10_000

test(`${count} random runs that are run again, with the seeds from ${first}, keep every promise`, async () => {
  const broken: string[] = []
  for (let seed = first; seed < first + count; seed += 1) {
    const found = (await playRerunSeed(seed)).broken
    if (found.length > 0) broken.push(`seed ${seed}: ${found.join('; ')}`)
  }
  expect(broken).toEqual([])
}, 600_000)
