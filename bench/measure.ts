/** Runs a workload with each subject in turn, round by round, so that whatever else the machine does affects all of them. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { runAction } from '../sandbox/runner.ts'
import { peers, type Task } from './peers.ts'
import { type Sink, type SinkCounts, startSink } from './sink.ts'
import type { Workload } from './workloads.ts'

/** What one process used, according to the operating system; with several rounds the median of each. */
export interface Usage {
  readonly wallMilliseconds: number
  readonly cpuMilliseconds: number
  readonly peakBytes: number
}

/** One run. */
interface Round {
  readonly usage: Usage
  readonly counts: SinkCounts
}

export interface Measured extends Round {
  /** Wall times: a quarter of the rounds took less than the first, a quarter more than the second. */
  readonly wallQuartiles: readonly [number, number]
}

export interface Options {
  /** Scratch space: the files that are sent live here. */
  readonly folder: string
  /** Instead of the workload's own number. */
  readonly rounds?: number
  /** name → entry file */
  readonly peers: Readonly<Record<string, string>>
}

/** Keys: `floor`, `action`, and the names of the peers that can do the workload. */
export async function measure(workload: Workload, options: Options): Promise<Readonly<Record<string, Measured>>> {
  const workspace = await prepareFiles(workload, options.folder)
  const tls = workload.tls && (await authority(options.folder))
  const sink = await startSink({
    delay: workload.delay ?? 0,
    sharesAfter: workload.confirm?.sharesAfter ?? 0,
    ...(tls ? { tls: tls.server } : {}),
  })
  try {
    const task: Task = {
      workload,
      baseUrl: sink.baseUrl,
      token: `xoxb-${randomBytes(16).toString('hex')}`,
      channels: Array.from(
        { length: workload.channels ?? 1 },
        (_, index) => `C0BENCH${String(index).padStart(4, '0')}`,
      ),
      files: '*.csv',
      fileNames: fileNames(workload),
    }
    const run = (starting: Starting) => runOnce(starting, task, sink, { ...options, workspace, caFile: tls?.caFile })
    const action: Starting = { inputs: ownInputs(task) }
    // Also warms up what the operating system caches.
    const { counts } = await run(action)
    const starts: Record<string, Starting> = {
      floor: {
        inputs: { token: task.token },
        entry: join(import.meta.dirname, 'floor.cjs'),
        floor: floorOf(task, counts, workspace),
      },
      action,
    }
    for (const [name, entry] of Object.entries(options.peers)) {
      // Under any other name it is another build of this action.
      const inputs = (peers[name] ?? ownInputs)(task)
      if (inputs) starts[name] = { inputs, entry }
    }
    const measured = Object.fromEntries(Object.keys(starts).map((name): [string, Round[]] => [name, []]))
    for (let round = 0; round < (options.rounds ?? workload.rounds); round += 1) {
      for (const [name, starting] of Object.entries(starts)) measured[name]?.push(await run(starting))
    }
    return Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, summarize(all)]))
  } finally {
    sink.close()
  }
}

interface Starting {
  readonly inputs: Readonly<Record<string, string>>
  readonly entry?: string
  /** What floor.cjs reads. */
  readonly floor?: object
}

async function runOnce(
  starting: Starting,
  { workload }: Task,
  sink: Sink,
  at: { readonly folder: string; readonly workspace: string; readonly caFile: string | undefined },
): Promise<Round> {
  const usageFile = join(at.folder, 'usage.json')
  const floorFile = join(at.folder, 'floor.json')
  if (starting.floor) await writeFile(floorFile, JSON.stringify(starting.floor))
  const { code, milliseconds, stderr, stdout } = await runAction({
    ...starting,
    workspace: at.workspace,
    nodeOptions: ['--require', join(import.meta.dirname, 'usage.cjs')],
    env: { BENCH_USAGE: usageFile, BENCH_FLOOR: floorFile, NODE_EXTRA_CA_CERTS: at.caFile },
  })
  const counts = await sink.counts()
  const { bytes, count } = workload.files
  if (code !== 0 || counts.bytes < bytes * count) {
    throw new Error(`${workload.title}: ended with ${code} after ${counts.bytes} bytes\n${stdout}${stderr}`)
  }
  const usage: Omit<Usage, 'wallMilliseconds'> = JSON.parse(await readFile(usageFile, 'utf8'))
  return { usage: { wallMilliseconds: milliseconds, ...usage }, counts }
}

function ownInputs({ baseUrl, channels, files, token, workload }: Task): Readonly<Record<string, string>> {
  return {
    token,
    channels: channels.join(','),
    files,
    method: workload.method,
    'base-url': baseUrl,
    ...(workload.confirm ? {} : { 'if-not-confirmed': 'ignore' }),
    ...(workload.files.count > 50 ? { 'max-files': String(workload.files.count) } : {}),
  }
}

/** The same requests as the action makes: those that it adds to the upload are taken from a run of it. */
function floorOf(
  { baseUrl, channels, fileNames: names, workload }: Task,
  { requests }: SinkCounts,
  workspace: string,
): object {
  const times = (name: string) => Array.from({ length: requests[name] ?? 0 }, () => name)
  return {
    baseUrl,
    channels,
    method: workload.method,
    files: names.map((name) => join(workspace, name)),
    atOnce: workload.atOnce ?? 1,
    sharesAfter: workload.confirm?.sharesAfter ?? 0,
    beside: times('conversations.info'),
    after: [...times('files.info'), ...times('chat.getPermalink')],
  }
}

function summarize(all: readonly Round[]): Measured {
  const at = (share: number, figure: keyof Usage) =>
    quantile(
      all.map(({ usage }) => usage[figure]),
      share,
    )
  const counts = all.at(-1)?.counts
  if (!counts) throw new Error('at least one round')
  return {
    usage: {
      wallMilliseconds: at(0.5, 'wallMilliseconds'),
      cpuMilliseconds: at(0.5, 'cpuMilliseconds'),
      peakBytes: at(0.5, 'peakBytes'),
    },
    wallQuartiles: [at(0.25, 'wallMilliseconds'), at(0.75, 'wallMilliseconds')],
    counts,
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) * share
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
}

function fileNames({ files }: Workload): readonly string[] {
  return Array.from({ length: files.count }, (_, index) => `report-${index}.csv`)
}

async function prepareFiles(workload: Workload, folder: string): Promise<string> {
  const { bytes, count } = workload.files
  const workspace = join(folder, `${count}-${bytes}`)
  if ((await mkdir(workspace, { recursive: true })) === undefined) return workspace
  const block = randomBytes(Math.min(bytes, 1024 * 1024))
  for (const name of fileNames(workload)) {
    const file = createWriteStream(join(workspace, name))
    for (let left = bytes; left > 0; left -= block.length) {
      if (!file.write(left < block.length ? block.subarray(0, left) : block)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
  }
  return workspace
}

/** A certificate authority of this run alone, and a server's certificate by it. */
async function authority(folder: string) {
  const caFile = join(folder, 'ca.pem')
  const ca = await generate([{ name: 'commonName', value: 'Bench CA' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const server = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    ca: { key: ca.private, cert: ca.cert },
  })
  await writeFile(caFile, ca.cert)
  return { caFile, server: { key: server.private, cert: server.cert } }
}
