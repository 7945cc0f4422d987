// npm run test:fuzz -- --minutes N [--seed S]: runs the bundle with generated inputs, files,
// events, patterns and responses. Case i has the seed S + i. A failure prints its seed; `npm run
// test:fuzz -- --seed S`, without minutes, runs that case and shows everything.
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runAction } from '../../sandbox/runner.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { refuseStaleBundle } from '../../sandbox/sources.ts'
import { makePipe } from '../support/processes.ts'
import { caseOf, type Entry, type FuzzCase } from './cases.ts'
import { failuresOf, type Observed } from './check.ts'
import { startHostileServer } from './hostile-server.ts'

/** Cases mostly wait. */
const casesAtOnce = 4
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
refuseStaleBundle(join(dist, 'index.js'))
const bundle = await mkdtemp(join(tmpdir(), 'fuzz-bundle-'))
// A copy, so that a build does not change it during the run.
await cp(dist, bundle, { recursive: true })
const preload = pathToFileURL(fileURLToPath(new URL('preload.js', import.meta.url))).href

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
const first = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed)
try {
  if (values.minutes === undefined) await showCase(first)
  else await fuzz(Number(values.minutes))
} finally {
  await rm(bundle, { recursive: true })
}

async function fuzz(minutes: number): Promise<void> {
  const end = performance.now() + minutes * 60_000
  const statuses = new Map<string, number>()
  let cases = 0
  let failed = 0
  console.log(`${minutes} minutes from seed ${first}`)
  const work = async () => {
    while (performance.now() < end) {
      const seed = first + cases
      cases += 1
      const run = await runCase(caseOf(seed))
      const status = run.outputs['status'] ?? 'none'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const failures = failuresOf(run)
      if (failures.length === 0) continue
      failed += 1
      console.log(`seed ${seed}: ${failures.join('; ')}`)
    }
  }
  await Promise.all(Array.from({ length: casesAtOnce }, work))
  const counts = [...statuses]
    .sort(([, a], [, b]) => b - a)
    .map(([status, times]) => `${times} ${status}`)
  console.log(`${cases} cases, ${failed} failed; ${counts.join(', ')}`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function showCase(seed: number): Promise<void> {
  const fuzzCase = caseOf(seed)
  const run = await runCase(fuzzCase)
  const failures = failuresOf(run)
  console.log(JSON.stringify(fuzzCase, null, 2), run, failures)
  process.exitCode = Math.min(failures.length, 1)
}

async function runCase(fuzzCase: FuzzCase): Promise<Observed> {
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'))
  const workspace = join(folder, 'workspace')
  const service = await startService(fuzzCase)
  try {
    await mkdir(workspace)
    for (const entry of fuzzCase.entries) {
      // Some names are invalid on this disk, or taken.
      await create(join(workspace, ...entry.path), entry, service.token).catch(() => undefined)
    }
    const event = join(folder, 'event.json')
    await writeFile(event, fuzzCase.event)
    const memory = join(folder, 'memory')
    // On Linux, a variable holds up to 128 KiB.
    const fill = (text: string) => text.replaceAll('$TOKEN', service.token).slice(0, 30_000)
    const inputs: Readonly<Record<string, string>> = {
      ...fuzzCase.inputs,
      'base-url': service.baseUrl,
      token: service.token,
      channels: fuzzCase.channels.map((one) => service.channels[Number(one)] ?? one).join(),
      files: patternsOf(fuzzCase),
    }
    const timeout = Math.max(0, Number(inputs['timeout-minutes']) * 60_000)
    const stop = new AbortController()
    const { cancelAfter } = fuzzCase
    // A hung run must not hang the fuzzing; its duration gives it away.
    const timers = [setTimeout(() => stop.abort(), 60_000)]
    const result = await runAction({
      workspace,
      inputs: Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [name, fill(value)]),
      ),
      env: { ...fuzzCase.env, GITHUB_EVENT_PATH: event, FUZZ_MEMORY_FILE: memory },
      eventName: fuzzCase.eventName,
      entry: join(bundle, 'index.js'),
      nodeOptions: ['--import', preload],
      signal: stop.signal,
      onOutput(text) {
        // Until its first line that is no mask, a signal kills the action.
        if (cancelAfter === null || timers.length > 1 || !/^(?!::add-mask::)./m.test(text)) return
        timers.push(setTimeout(() => stop.abort(), cancelAfter))
      },
    })
    timers.forEach(clearTimeout)
    const peakMemory = await readFile(memory, 'utf8').then(Number, () => undefined)
    return {
      ...result,
      token: service.token,
      timeout: timeout || 0,
      peakMemory,
      tokenAt: service.tokenAt,
    }
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startService({ channels, service, token }: FuzzCase) {
  if (service.kind === 'sandbox') {
    const sandbox = await startSandbox(atOnce)
    const ids = [...Object.values(sandbox.channels), ...Object.values(sandbox.users)]
    return {
      ...sandbox,
      channels: ids,
      token: 'kind' in token ? sandbox.tokens[token.kind] : token.text,
      tokenAt: [],
    }
  }
  const ids = channels.map((channel) => `C0${String(channel).padStart(8, '0')}`)
  const server = await startHostileServer(service.reactions, ids)
  return {
    ...server,
    baseUrl: server.baseUrl.replace('127.0.0.1', service.host),
    channels: ids,
    token: 'kind' in token ? `xoxb-${'0123456789'.repeat(4)}` : token.text,
  }
}

function patternsOf({ entries, patterns }: FuzzCase): string {
  const lines = patterns.map(({ after, before, entry }) => {
    const path =
      entry === null ? '' : (entries[entry % Math.max(1, entries.length)]?.path.join('/') ?? '')
    return before + path.replaceAll('\0', '') + after
  })
  return lines.join('\n')
}

async function create(
  path: string,
  { bytes, holds, kind, target }: Entry,
  token: string,
): Promise<void> {
  // As root, an earlier entry's link could lead this write anywhere.
  if (await leadsThroughLink(dirname(path))) return
  await mkdir(dirname(path), { recursive: true })
  if (kind === 'folder') await mkdir(path)
  else if (kind === 'link') await symlink(target, path)
  else if (kind === 'pipe') await makePipe(path)
  else if (kind === 'bytes in the name')
    await writeFile(Buffer.concat([Buffer.from(path), Buffer.from([0xff, 0xfe])]), 'a,b\n')
  else {
    await writeFile(path, { text: 'a,b\n', zeros: '', 'the token': `${token}\n` }[holds], {
      flag: 'wx',
    })
    // The rest is a hole, without disk space.
    await truncate(path, bytes)
  }
}

async function leadsThroughLink(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => undefined)
  return real === undefined ? leadsThroughLink(dirname(folder)) : real !== folder
}
