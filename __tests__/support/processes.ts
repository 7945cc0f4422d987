// Starts all processes of tests except the action (`step.ts`), with the same environment on every
// machine.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Variables that tests and their child processes inherit. */
const inherited = [
  ...['PATH', 'HOME', 'TMPDIR'],
  // Few Windows programs start without these.
  ...[
    'APPDATA',
    'COMSPEC',
    'LOCALAPPDATA',
    'PATHEXT',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERPROFILE',
  ],
  // Options for tests: bundle, browser, seed, coverage; and caches of npm and Node.
  ...[
    'ACTION_BUNDLE',
    'CHROMIUM',
    'TEST_SEED',
    'NODE_V8_COVERAGE',
    'npm_config_cache',
    'NODE_COMPILE_CACHE',
  ],
]

export function inheritedEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}

interface StartOptions {
  readonly cwd?: string | URL
  /** Added to the environment of all tests. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Standard input. By default none, because `bash` takes a pipe for a remote shell and reads the
   * user's configuration.
   */
  readonly input?: string
}

export function startProcess(
  program: string,
  args: readonly string[],
  { env, input, ...options }: StartOptions = {},
): ChildProcessByStdio<Writable | null, Readable, Readable> {
  const all = { ...options, env: { ...inheritedEnvironment(), ...env } }
  if (input === undefined)
    return spawn(program, args, { ...all, stdio: ['ignore', 'pipe', 'pipe'] })
  const child = spawn(program, args, { ...all, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  return child
}

interface Ended {
  /** `null` after a signal. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export async function runProcess(
  program: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<Ended> {
  const child = startProcess(program, args, options)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** Runs a script of this project or a package's program, and returns its output. */
export async function runNode(
  args: readonly string[],
  options: StartOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProcess(process.execPath, args, options)
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Runs a script with the runner's options. */
export function runBash(script: string, options: StartOptions = {}): Promise<Ended> {
  return runProcess('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], options)
}

export function hasProgram(name: string): Promise<boolean> {
  return runProcess(name, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
}

export async function makePipe(path: string): Promise<void> {
  const { code, stderr } = await runProcess('mkfifo', ['--', path])
  if (code !== 0) throw new Error(stderr)
}
