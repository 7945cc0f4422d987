// npm run test:soak -- --count N --seed S: every pair of faults, every fault in every world, then
// random deliveries in random worlds, on the sandbox's model in virtual time. Number i has the seed
// S + i. `npm test` plays a fixed sample.
import { parseArgs } from 'node:util'
import { breakingPair, breakingWorld, faultPairs, targets } from '../../support/fault-matrix.ts'
import { impossible, worlds } from '../../support/model-worlds.ts'
import { playSeed } from '../../support/random-delivery.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string' } },
})
const count = Number(values.count)
const first = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed)
const begin = performance.now()
let failures = 0

function fail(what: string): void {
  failures += 1
  console.log(what)
}

console.log(
  `every pair of faults, every fault in ${Object.keys(worlds).length} worlds, then ${count} deliveries from seed ${first}`,
)
for (const pair of faultPairs)
  for (const broken of await breakingPair(pair)) fail(`${pair.name}: ${broken}`)
for (const world of Object.keys(worlds)) {
  const broken = await breakingWorld(world, targets)
  if (impossible[world] === undefined) broken.forEach(fail)
}

const statuses = new Map<string, number>()
for (let seed = first; seed < first + count; seed += 1) {
  try {
    const { broken, played } = await playSeed(seed)
    const { status } = played.report
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (broken.length > 0) fail(`delivery of seed ${seed}: ${broken.join('; ')}`)
  } catch (error) {
    fail(`delivery of seed ${seed}: ${error}`)
  }
}
const counts = [...statuses]
  .sort(([, a], [, b]) => b - a)
  .map(([status, times]) => `${times} ${status}`)
console.log(
  `${counts.join(', ')}; ${failures} broke a promise; ${Math.round((performance.now() - begin) / 1000)} s`,
)
process.exitCode = failures > 0 ? 1 : 0
