/** Plays the bundle against one server, and compares what the action reports with what it stored. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

const bundle = resolve(import.meta.dirname, '../dist/index.js')
const token = 'made-up-token-of-a-server'
const channels = ['general', 'team/7']
/** Bytes: what each server takes at most. */
const limit = 5_000_000

/** A line that a server prints, and the bytes that it wrote to `uploads/<ts>`. */
interface Upload {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly channels: readonly string[]
  readonly digest: string
}

interface RunningServer {
  readonly port: number
  readonly uploads: readonly Upload[]
  stop(): Promise<void>
}

export interface Program {
  readonly command: readonly [string, ...string[]]
  readonly folder: string
  /** Configuration of a proxy to play in front of it, by its ports. */
  readonly proxy?: ((port: number, serverPort: number) => Promise<ChildProcess>) | undefined
  /** It is code of the page: it has no switches for tests. */
  readonly isReceiver?: boolean
  /** It throws if a comment says so. */
  readonly throws?: boolean | undefined
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Below those that a system gives by itself: another program could get one before the server. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').catch(() => undefined)
    if (!isFree) continue
    await new Promise((done) => server.close(done))
    return port
  }
  throw new Error('No port from 20000 to 29999 is free')
}

async function waitFor(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').catch(() => undefined)
    socket.destroy()
    if (connected) return
    await setTimeout(100)
  }
  throw new Error(`It does not listen on its port (exit code ${child.exitCode})`)
}

/** Ends it and all that it started. */
async function end(child: ChildProcess): Promise<void> {
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  const exit = hasEnded ? undefined : once(child, 'exit')
  try {
    process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')
  } catch {
    // Nothing is left of it.
  }
  await exit
}

async function start({ command, folder, proxy }: Program): Promise<RunningServer> {
  const [port, ownPort] = [await freePort(), await freePort()]
  const uploads: Upload[] = []
  const [file, ...args] = command
  mkdirSync(join(folder, 'uploads'), { recursive: true })
  for (const path of [folder, join(folder, 'uploads')]) chmodSync(path, 0o777)
  rmSync(join(folder, 'busy'), { force: true })
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...process.env, PORT: String(ownPort), TOKEN: token },
    stdio: ['ignore', 'pipe', process.env['SHOW_LOGS'] ? 'inherit' : 'ignore'],
    detached: true,
  })
  createInterface(child.stdout).on('line', (line) => {
    if (!line.startsWith('{"')) return
    const { ts, ...upload } = JSON.parse(line)
    uploads.push({ ...upload, digest: digestOf(readFileSync(join(folder, 'uploads', ts))) })
  })
  const children = [child]
  const stop = async () => void (await Promise.all(children.map(end)))
  try {
    await waitFor(ownPort, child)
    if (!proxy) return { port: ownPort, uploads, stop }
    const inBetween = await proxy(port, ownPort)
    children.push(inBetween as typeof child)
    await waitFor(port, inBetween)
    return { port, uploads, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Sent {
  readonly path: string
  readonly name: string
  readonly bytes: Buffer
}

interface Step {
  readonly files: readonly Sent[]
  readonly comment?: string
  readonly inputs?: Readonly<Record<string, string>>
}

interface Result {
  readonly status: string
  readonly log: string
  /** For each file, the state in each channel. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Starts the action as the runner does. */
async function post({ port }: RunningServer, { files, comment, inputs }: Step): Promise<Result> {
  const folder = mkdtempSync(join(process.env['SERVERS_TEMP'] ?? '', 'step-'))
  for (const { path, bytes } of files) writeFileSync(join(folder, path), bytes)
  const outputFile = join(folder, '.output')
  writeFileSync(outputFile, '')
  const given = {
    'base-url': `http://127.0.0.1:${port}`,
    token,
    channels: channels.join(', '),
    comment: comment ?? 'none',
    files: JSON.stringify(files.map(({ path, name }) => ({ path, name }))),
    ...inputs,
  }
  const child = spawn(process.execPath, [bundle], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      GITHUB_WORKSPACE: folder,
      GITHUB_OUTPUT: outputFile,
      RUNNER_TEMP: folder,
      // A line for each request.
      RUNNER_DEBUG: '1',
      ...Object.fromEntries(
        Object.entries(given).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]),
      ),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  child.stdout.on('data', (data) => {
    log += data
  })
  await once(child, 'close')
  const outputs = new Map<string, string>()
  for (const [, name = '', , value = ''] of readFileSync(outputFile, 'utf8').matchAll(
    /^([\w-]+)<<(\S+)\n([\s\S]*?)\n?\2$/gm,
  ))
    outputs.set(name, value)
  const states = new Map(files.map(({ path }) => [path, new Map<string, string>()]))
  for (const { channel, paths, state } of JSON.parse(outputs.get('messages') || '[]'))
    for (const path of paths) states.get(path)?.set(channel, state)
  // What the server printed before it responded is read.
  await setTimeout(200)
  return { status: outputs.get('status') ?? '', log, states }
}

export interface Played {
  /** What the action reported, and is not so. */
  readonly lies: readonly string[]
  /** What differs from what was sent, or from the usual result. */
  readonly changes: readonly string[]
}

const japanese = `${'報告'.repeat(75)}.csv`
const names = ['a;b.csv', 'a"b.csv', '100%.csv', "it's.csv", 'dir\\unit.csv', japanese]
const comment = 'Größe: 1 % & "2"\n'.repeat(200).slice(0, 2_990)

function content(bytes: number, text: string): Buffer {
  return Buffer.alloc(bytes, `${text},1\r\n`)
}

const many: readonly Sent[] = [
  ...names.map((name, index) => ({ path: `${index}.csv`, name, bytes: content(99, name) })),
  { path: 'large.csv', name: 'large.csv', bytes: content(3_000_000, 'large') },
  // The last, because a run ends at the first result that is unknown.
  { path: 'empty.csv', name: 'empty.csv', bytes: Buffer.alloc(0) },
]
const large = many.slice(-2, -1)
const tooLarge = [{ path: 'more.csv', name: 'more.csv', bytes: content(limit + 3_000_000, 'more') }]
const one = many.slice(0, 1)

interface Case {
  readonly title: string
  readonly step: Step
  readonly expected: string
  /** The comment tells the program what to do. */
  readonly isSwitch?: boolean
}

const cases: readonly Case[] = [
  { title: 'many', step: { files: many, comment }, expected: '' },
  {
    title: 'wrong token',
    step: { files: large, inputs: { token: 'another-token-than-that' } },
    expected: 'failed',
  },
  {
    title: 'wrong path',
    step: { files: large, inputs: {} },
    expected: 'failed',
  },
  { title: 'too large', step: { files: tooLarge }, expected: 'failed' },
  {
    title: '429 once',
    step: { files: one, comment: 'busy' },
    expected: 'accepted',
    isSwitch: true,
  },
  { title: 'throw', step: { files: one, comment: 'throw' }, expected: 'unknown' },
  {
    title: 'no response',
    step: { files: one, comment: 'exit' },
    expected: 'unknown',
    isSwitch: true,
  },
]

export async function play(program: Program): Promise<Played> {
  const lies: string[] = []
  const changes: string[] = []
  const server = await start(program)
  try {
    if (await cutOff(server)) changes.push('a form that is cut off is stored')
    for (const { title, step, expected, isSwitch } of cases) {
      if (isSwitch && program.isReceiver) continue
      if (title === 'throw' && !program.throws) continue
      const before = server.uploads.length
      const origin = `http://127.0.0.1:${server.port}`
      const inputs = title === 'wrong path' ? { 'base-url': `${origin}/chat` } : step.inputs
      const result = await post(server, { ...step, ...(inputs && { inputs }) })
      const stored = server.uploads.slice(before)
      for (const lie of findLies(step, result, stored)) lies.push(`${title}: ${lie}\n${result.log}`)
      if (title === 'many') changes.push(...findChanges(result, stored))
      const usual = program.isReceiver ? expected.replace('accepted', 'posted') : expected
      if (title !== 'many' && result.status !== usual)
        changes.push(`${title}: ${result.status} ${statusIn(result.log)}`.trim())
    }
  } finally {
    await server.stop()
  }
  return { lies, changes }
}

const statusIn = (log = '') => /(?<=HTTP status )\d+|Warning(?=: )/.exec(log)?.[0] ?? ''
/** A success that cannot be read, with a warning, or that came too early. */
const contradiction =
  /that is not JSON|with a web page|Warning: |responded ok .* before it had all of it/

/** Whether the response leaves it open if the server posted. */
function isOpen({ bytes }: Sent, log: string): boolean {
  // A run ends at the first result that is unknown, so the last request is the one.
  const [, status = ''] = [...log.matchAll(/files\.upload: (no response|\d{3}), /g)].at(-1) ?? []
  // A file of less than 1 MB is one piece, and the log does not say when it is sent.
  const isWhole = bytes.length < 1_000_000 || /Sent (\S+ \S+) of \1,/.test(log)
  if (status.startsWith('5')) return isWhole
  if (status.startsWith('4')) return channels.length > 1
  return status === 'no response' || contradiction.test(log)
}

function findLies({ files }: Step, { log, states }: Result, stored: readonly Upload[]) {
  const lies: string[] = []
  const known = files.map(({ bytes }) => digestOf(bytes))
  if (stored.some(({ digest }) => !known.includes(digest))) lies.push('other bytes were stored')
  for (const [index, file] of files.entries()) {
    const { name, path } = file
    const copies = stored.filter(({ digest }) => digest === known[index])
    const isInChannels = copies.every((copy) => String(copy.channels) === String(channels))
    const reported = states.get(path) ?? new Map<string, string>()
    const isForChannels = reported.size === 0 || String([...reported.keys()]) === String(channels)
    const [state = 'not-sent', ...others] = new Set(reported.values())
    const isTrue = {
      posted: copies.length === 1,
      accepted: copies.length === 1,
      'not-sent': copies.length === 0,
      unknown: copies.length <= 1 && isOpen(file, log),
    }[state]
    if (!isTrue || !isInChannels || !isForChannels || others.length > 0) {
      const where = copies.map((copy) => copy.channels.join(' and ')).join('; ')
      const told = [...reported].map((entry) => entry.join(': ')).join(', ') || state
      lies.push(`${name} is ${told}, stored ${copies.length} times ${where}`.trim())
    }
  }
  return lies
}

function findChanges({ log, states }: Result, stored: readonly Upload[]): readonly string[] {
  return many.flatMap(({ bytes, name, path }) => {
    const upload = stored.find(({ digest }) => digest === digestOf(bytes))
    const shown = name === japanese ? '150 letters' : name
    if (!upload) {
      const reason = log.split('\n').find((line) => line.includes(path) && /status \d/.test(line))
      const [state = 'not-sent'] = states.get(path)?.values() ?? []
      return [`${shown}: ${state} ${statusIn(reason)}`.trim()]
    }
    return [
      ...(upload.name === name ? [] : [`${shown} → ${upload.name.slice(0, 20)}`]),
      ...(upload.comment === comment ? [] : [`${shown}: another comment`]),
      ...(upload.type === 'text/csv' ? [] : [`${shown}: the type is ${upload.type}`]),
    ]
  })
}

/** Sends half of a form, and closes. Returns whether the server stored something. */
async function cutOff({ port, uploads }: RunningServer): Promise<boolean> {
  const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`
  const form = `${field('channels')}\r\n\r\ngeneral\r\n${field('file')}; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`
  const before = uploads.length
  const socket = connect(port, '127.0.0.1').resume()
  socket.on('error', () => undefined)
  socket.end(
    `POST /api/files.upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length + 9_000}\r\n\r\n${form}${'a,1\r\n'.repeat(400)}`,
  )
  await Promise.race([once(socket, 'close'), setTimeout(3_000)])
  socket.destroy()
  await setTimeout(200)
  return uploads.length > before
}
