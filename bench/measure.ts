/** Runs each subject in turn, round by round, so that other work on the machine affects all. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runAction } from '../sandbox/runner.ts'
import { type Sink, startSink } from './sink.ts'
import type { Workload } from './workloads.ts'

const channel = 'C0BENCH0000'

/** Of one process, from the operating system; medians of all rounds. */
export interface Usage {
  readonly wallMilliseconds: number
  readonly cpuMilliseconds: number
  readonly peakBytes: number
}

export interface Measured {
  readonly usage: Usage
  /** First and third quartile of the wall times. */
  readonly wallQuartiles: readonly [number, number]
}

export interface Options {
  /** Holds the files that are sent. */
  readonly folder: string
  /** Instead of the workload's own number. */
  readonly rounds?: number
  /** Other builds of the action: name → entry file. */
  readonly peers: Readonly<Record<string, string>>
}

interface Task {
  readonly workload: Workload
  readonly baseUrl: string
  readonly token: string
}

/** Keys: `floor`, `action`, and the names of the other builds. */
export async function measure(
  workload: Workload,
  options: Options,
): Promise<Readonly<Record<string, Measured>>> {
  const workspace = await prepareFiles(workload, options.folder)
  const sink = await startSink(workload)
  try {
    const task: Task = {
      workload,
      baseUrl: sink.baseUrl,
      token: `xoxb-${randomBytes(16).toString('hex')}`,
    }
    const run = (starting: Starting) => runOnce(starting, task, sink, { ...options, workspace })
    const action: Starting = { inputs: ownInputs(task) }
    // Also warms up the caches of the operating system.
    await run(action)
    const starts: Record<string, Starting> = {
      floor: {
        inputs: { token: task.token },
        entry: join(import.meta.dirname, 'floor.cjs'),
        floor: { ...workload, baseUrl: sink.baseUrl, channel },
      },
      action,
    }
    for (const [name, entry] of Object.entries(options.peers)) starts[name] = { ...action, entry }
    const measured = Object.fromEntries(
      Object.keys(starts).map((name): [string, Usage[]] => [name, []]),
    )
    for (let round = 0; round < (options.rounds ?? workload.rounds); round += 1) {
      for (const [name, starting] of Object.entries(starts))
        measured[name]?.push(await run(starting))
    }
    return Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, summarize(all)]))
  } finally {
    sink.close()
  }
}

interface Starting {
  readonly inputs: Readonly<Record<string, string>>
  readonly entry?: string
  readonly floor?: object
}

async function runOnce(
  starting: Starting,
  { workload }: Task,
  sink: Sink,
  at: { readonly folder: string; readonly workspace: string },
): Promise<Usage> {
  const usageFile = join(at.folder, 'usage.json')
  const floorFile = join(at.folder, 'floor.json')
  if (starting.floor) await writeFile(floorFile, JSON.stringify(starting.floor))
  const { code, milliseconds, stderr, stdout } = await runAction({
    ...starting,
    workspace: at.workspace,
    nodeOptions: ['--require', join(import.meta.dirname, 'usage.cjs')],
    env: { BENCH_USAGE: usageFile, BENCH_FLOOR: floorFile },
  })
  const arrived = await sink.bytes()
  const { bytes, count } = workload.files
  if (code !== 0 || arrived < bytes * count) {
    throw new Error(
      `${workload.title}: ended with ${code} after ${arrived} bytes\n${stdout}${stderr}`,
    )
  }
  const usage: Omit<Usage, 'wallMilliseconds'> = JSON.parse(await readFile(usageFile, 'utf8'))
  return { wallMilliseconds: milliseconds, ...usage }
}

function ownInputs({ baseUrl, token, workload }: Task): Readonly<Record<string, string>> {
  return {
    token,
    channels: channel,
    files: `**/*.csv\n${workload.otherLine ?? ''}`,
    method: workload.method,
    'base-url': baseUrl,
    ...(workload.visibleAfter === undefined && { 'if-not-confirmed': 'ignore' }),
    'max-files': String(workload.files.count),
  }
}

function summarize(all: readonly Usage[]): Measured {
  const at = (share: number, figure: keyof Usage) =>
    quantile(
      all.map((usage) => usage[figure]),
      share,
    )
  return {
    usage: {
      wallMilliseconds: at(0.5, 'wallMilliseconds'),
      cpuMilliseconds: at(0.5, 'cpuMilliseconds'),
      peakBytes: at(0.5, 'peakBytes'),
    },
    wallQuartiles: [at(0.25, 'wallMilliseconds'), at(0.75, 'wallMilliseconds')],
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) * share
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
}

async function prepareFiles(workload: Workload, folder: string): Promise<string> {
  const { bytes, count, folders = 0 } = workload.files
  const workspace = join(folder, `${count}-${bytes}-${folders}`)
  const reports = join(workspace, 'reports')
  if ((await mkdir(reports, { recursive: true })) === undefined) return workspace
  const block = randomBytes(Math.min(bytes, 1024 * 1024))
  for (let index = 0; index < count; index += 1) {
    const file = createWriteStream(join(reports, `${index}.csv`))
    for (let left = bytes; left > 0; left -= block.length) {
      if (!file.write(left < block.length ? block.subarray(0, left) : block))
        await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
  }
  for (let index = 0; index < folders; index += 1) {
    const other = join(workspace, `${index % 50}`, `${index}`)
    mkdirSync(other, { recursive: true })
    // Links, because files of their own can take half a minute.
    const first = join(other, '0.js')
    writeFileSync(first, '')
    for (let file = 1; file < 40; file += 1) linkSync(first, join(other, `${file}.js`))
  }
  return workspace
}
