// Compares the action with the floor and other builds, and prints Markdown. A slow result is no
// error.
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { goalsOf, ratiosOf, reachedOf, type Subjects, usageOf } from './figures.ts'
import { measure } from './measure.ts'
import { workloads } from './workloads.ts'

const usage = 'npm run bench -- [--only cold,gib] [--rounds 3] [--peer name=path/to/dist/index.js]'

function read() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      peer: { type: 'string', multiple: true, default: [] },
    },
  })
  const { help, only, peer, rounds } = values
  const names = workloads.map(({ name }) => name)
  if (help) throw new Error(`${usage}; workloads: ${names.join(', ')}`)
  const chosen = only?.split(',') ?? names
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Error(`no workload ${unknown.join(', ')}; there are ${names.join(', ')}`)
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds))
    throw new Error(`--rounds is a number from 1, not ${rounds}`)
  const peers = peer.map((text): [string, string] => {
    const [, name = '', path = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
    if (path === '') throw new Error(`--peer is name=path/to/dist/index.js, not ${text}`)
    return [name, resolve(path)]
  })
  return {
    chosen,
    peers: Object.fromEntries(peers),
    ...(rounds !== undefined && { rounds: Number(rounds) }),
  }
}

async function main(): Promise<void> {
  const { chosen, ...options } = read()
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`)
    const shown = ['action', ...Object.keys(options.peers)]
    const head = [
      'workload',
      'goal',
      'reached',
      ...shown.map((name) => `${name}, to the floor`),
      'floor',
    ]
    printRow(...head)
    printRow(...head.map(() => '---'))
    for (const workload of workloads.filter(({ name }) => chosen.includes(name))) {
      const subjects: Subjects = await measure(workload, { ...options, folder })
      const ratios = shown.map((name) => ratiosOf(name, subjects))
      printRow(
        workload.title,
        goalsOf(workload),
        reachedOf(workload, subjects),
        ...ratios,
        usageOf('floor', subjects),
      )
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function printRow(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

try {
  await main()
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
