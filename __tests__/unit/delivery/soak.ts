// npm run soak -- --count N --seed S: random deliveries by the sandbox's model, on virtual time. Delivery i has the seed S + i.
import { parseArgs } from 'node:util'
import { playSeed } from '../../support/random-delivery.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' }, seed: { type: 'string' } } })
const count = Number(values.count)
const first = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed)
console.log(`${count} deliveries from seed ${first}`)

const statuses = new Map<string, number>()
let failures = 0
const begin = performance.now()
for (let seed = first; seed < first + count; seed += 1) {
  const { broken, played } = await playSeed(seed)
  const { status } = played.report
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (broken.length === 0) continue
  failures += 1
  console.log(`seed ${seed}: ${broken.join('; ')}`)
}
const counts = [...statuses].sort(([, a], [, b]) => b - a).map(([status, times]) => `${times} ${status}`)
console.log(`${counts.join(', ')}; ${failures} broke a promise; ${Math.round((performance.now() - begin) / 1000)} s`)
process.exitCode = failures > 0 ? 1 : 0
