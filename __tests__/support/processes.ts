// Every process that a test starts, apart from the action itself (`step.ts`). It gets the same
// environment on every machine.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/**
 * What the tests and their child processes may see of the environment of whoever starts them.
 * Everything else is removed.
 */
const inherited = [
  ...['PATH', 'HOME', 'TMPDIR'],
  // Windows starts few programs without these.
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
  // Choices of whoever starts the tests: the bundle, the browser, random values, coverage, where
  // npm and Node keep files.
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
  /** Besides the environment of every process of a test. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Its standard input. Without it there is none: a pipe looks like a remote shell to `bash`, which
   * then reads the user's configuration.
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
  /** None when a signal ended it. */
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

/** Runs a script of this project, or a program of a package, and returns what it prints. */
export async function runNode(
  args: readonly string[],
  options: StartOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProcess(process.execPath, args, options)
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Runs a script as the runner does. */
export function runBash(script: string, options: StartOptions = {}): Promise<Ended> {
  return runProcess('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], options)
}

export function hasProgram(name: string): Promise<boolean> {
  return runProcess(name, ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  )
}

/** Creates a named pipe. */
export async function makePipe(path: string): Promise<void> {
  const { code, stderr } = await runProcess('mkfifo', ['--', path])
  if (code !== 0) throw new Error(stderr)
}
