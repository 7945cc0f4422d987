// Measures the action against the floor and, given their entry files, other actions or builds.
// Prints Markdown. A slow result is not an error.
// `rates` are measured only if named: they take two minutes of waiting.
//   npm run bench -- [--only cold,gib,sizes,growth,rerun,rates] [--rounds 3] [--peer name=path/to/dist/index.js] [--plot growth.svg]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatNumber, formatSize } from '../src/text/format.ts'
import { goalsOf, ratiosOf, reachedOf, type Subjects, usageOf } from './figures.ts'
import { measure } from './measure.ts'
import { plotGrowth } from './plot.ts'
import { measureRate, rates } from './rates.ts'
import { measureRerun, rerunFiles } from './rerun.ts'
import { measureSizes } from './sizes.ts'
import { growth, workloads } from './workloads.ts'

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    peer: { type: 'string', multiple: true, default: [] },
    plot: { type: 'string' },
  },
})
const chosen = given.only?.split(',')
const isChosen = (name: string) => chosen === undefined || chosen.includes(name)
const peers = Object.fromEntries(
  given.peer.map((text): [string, string] => {
    const [name = '', path = ''] = text.split('=')
    return [name, resolve(path)]
  }),
)

const folder = await mkdtemp(join(tmpdir(), 'bench-'))
try {
  const options = { folder, peers, ...(given.rounds === undefined ? {} : { rounds: Number(given.rounds) }) }
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`)
  const shown = ['action', ...Object.keys(peers)]
  const chosenWorkloads = workloads.filter(({ name }) => isChosen(name))
  if (chosenWorkloads.length > 0)
    printHead('workload', 'goal', 'reached', ...shown.map((name) => `${name}, to the floor`), 'floor')
  for (const workload of chosenWorkloads) {
    const subjects: Subjects = await measure(workload, options)
    const ratios = shown.map((name) => ratiosOf(name, subjects))
    printRow(workload.title, goalsOf(workload), reachedOf(workload, subjects), ...ratios, usageOf('floor', subjects))
  }
  if (isChosen('growth')) {
    const points = []
    console.log()
    printHead('workload', 'action', 'floor')
    for (const workload of growth) {
      const subjects = await measure(workload, { ...options, peers: {} })
      points.push({ workload, subjects })
      printRow(workload.title, usageOf('action', subjects), usageOf('floor', subjects))
    }
    if (given.plot) await writeFile(given.plot, plotGrowth(points))
  }
  if (isChosen('rerun')) {
    const { requests, seconds } = await measureRerun()
    const [first, second] = seconds.map((value) => `${value.toFixed(1)} s`)
    const counts = Object.entries(requests).map(([name, count]) => `${name} ${count}`)
    console.log()
    printHead('workload', 'attempt 1', 'attempt 2', 'requests of attempt 2')
    printRow(
      `\`on-rerun: missing\`, ${rerunFiles} files that are all there`,
      `${first}`,
      `${second}`,
      counts.join(', '),
    )
  }
  if (chosen?.includes('rates')) {
    console.log()
    printHead('workload', 'goal', 'reached', 'minimum by the rule', 'requests', 'of these rate limited')
    // At once: each of them waits most of the time.
    const rows = await Promise.all(rates.map(async (rate) => ({ ...rate, ...(await measureRate(rate)) })))
    for (const { goal, limited, minSeconds, requests, seconds, title } of rows) {
      const ratio = `${(seconds / minSeconds).toFixed(3)} ×`
      const reached = `${seconds.toFixed(1)} s, ${seconds <= goal * minSeconds ? ratio : `**${ratio}**`}`
      printRow(title, `≤ ${goal} ×`, reached, `${minSeconds} s`, formatNumber(requests), formatNumber(limited))
    }
  }
  // Last, because it builds dist/ again.
  if (isChosen('sizes')) {
    const { files, packages } = measureSizes(folder)
    const total = Object.values(files).reduce((sum, bytes) => sum + bytes, 0)
    console.log(`\ndist: ${formatSize(total)} (${Object.entries(files).map(nameAndSize).join(', ')}); goal 1.1 MB`)
    console.log(`Of that: ${packages.map(nameAndSize).join(', ')}`)
  }
} finally {
  await rm(folder, { recursive: true })
}

function nameAndSize([name, bytes]: readonly [string, number]): string {
  return `${name} ${formatSize(bytes)}`
}

function printHead(...titles: readonly string[]): void {
  printRow(...titles)
  printRow(...titles.map(() => '---'))
}

function printRow(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
