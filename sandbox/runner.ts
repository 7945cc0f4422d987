/** Starts the action as the runner does: own process, inputs by environment, outputs by file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { refuseStaleBundle } from './sources.ts'

export interface ActionRun {
  /** As under `with:`. As on the runner, undeclared ones are passed on too. */
  readonly inputs: Readonly<Record<string, string>>
  readonly workspace: string
  /** Added to the runner's; `undefined` removes. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly eventName?: string
  /** The payload of the event. */
  readonly event?: object
  /** Default: the variable `ACTION_BUNDLE`, or `dist/index.js`. */
  readonly entry?: string
  readonly nodeOptions?: readonly string[]
  /** Cancels the step: SIGINT, SIGTERM 7.5 s later, SIGKILL after another 2.5 s. */
  readonly signal?: AbortSignal
  readonly onStart?: (processId: number) => void
  readonly onOutput?: (text: string) => void
}

export interface ActionResult {
  /** `null` after a signal. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly outputs: Readonly<Record<string, string>>
  /** Markdown. */
  readonly summary: string
  /** From the start until the process has ended and its output is read. */
  readonly milliseconds: number
}

export interface DeclaredInput {
  readonly description: string
  readonly default?: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
// To measure coverage, the source is run, since the bundle shows nothing about its lines.
export const bundle = resolve(
  root,
  process.env['ACTION_BUNDLE'] ??
    (process.env['NODE_V8_COVERAGE'] ? 'src/index.ts' : 'dist/index.js'),
)

/** `inputs` of `action.yml`. */
export const declaredInputs: Readonly<Record<string, DeclaredInput>> = parse(
  readFileSync(join(root, 'action.yml'), 'utf8'),
).inputs

/** @throws {Error} before the start, if the bundle was not built from this `src/` */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  if (run.entry === undefined) refuseStaleBundle(bundle)
  const folder = await mkdtemp(join(tmpdir(), 'runner-'))
  try {
    return await start(run, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function start(run: ActionRun, folder: string): Promise<ActionResult> {
  const files = {
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_PATH: join(folder, 'path'),
    GITHUB_STATE: join(folder, 'state'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  }
  const temp = join(folder, 'temp')
  await mkdir(temp)
  for (const file of Object.values(files)) await writeFile(file, '')
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(run.event ?? {}))

  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    // Tests set it, so that they compile the bundle once.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    ...context(run.eventName ?? 'workflow_dispatch'),
    ...files,
    GITHUB_WORKSPACE: run.workspace,
    RUNNER_TEMP: temp,
    ...inputs(run),
    ...run.env,
  }
  const begin = performance.now()
  const child = spawn(process.execPath, [...(run.nodeOptions ?? []), run.entry ?? bundle], {
    cwd: run.workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) run.onStart?.(child.pid)
  const cancelling = cancel(child, run.signal)
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
      run.onOutput?.(text)
    })
  }
  const exit = await new Promise<Pick<ActionResult, 'code' | 'signal'>>((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal }))
  })
  const milliseconds = performance.now() - begin
  cancelling()
  return {
    ...exit,
    stdout: withoutReturns(printed.stdout),
    stderr: withoutReturns(printed.stderr),
    outputs: outputs(withoutReturns(await readFile(files.GITHUB_OUTPUT, 'utf8'))),
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    milliseconds,
  }
}

/** The runner takes CRLF for a line end on Windows. */
function withoutReturns(text: string): string {
  return process.platform === 'win32' ? text.replaceAll('\r\n', '\n') : text
}

/** `INPUT_*` in upper case. As on the runner, spaces become `_` and dashes stay. */
function inputs({ inputs: given }: ActionRun): Record<string, string> {
  const declared = Object.entries(declaredInputs).map(
    ([name, input]) => [name, input.default ?? ''] as const,
  )
  const values: Readonly<Record<string, string>> = { ...Object.fromEntries(declared), ...given }
  const variable = (name: string) => `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variable(name), value]))
}

function context(eventName: string): Record<string, string> {
  const release = eventName === 'release'
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: '__run',
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_EVENT_NAME: eventName,
    GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
    GITHUB_HEAD_REF: '',
    GITHUB_BASE_REF: '',
    GITHUB_JOB: 'reports',
    GITHUB_REF: release ? 'refs/tags/v1.2.0' : 'refs/heads/main',
    GITHUB_REF_NAME: release ? 'v1.2.0' : 'main',
    GITHUB_REF_TYPE: release ? 'tag' : 'branch',
    GITHUB_REPOSITORY: 'octo-org/octo-repo',
    GITHUB_REPOSITORY_OWNER: 'octo-org',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_RUN_NUMBER: '42',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
    GITHUB_TRIGGERING_ACTOR: 'octocat',
    GITHUB_WORKFLOW: 'Reports',
    RUNNER_ARCH: 'X64',
    RUNNER_OS: 'Linux',
  }
}

/** Returns a function that stops listening. */
function cancel(child: ChildProcess, signal: AbortSignal | undefined): () => void {
  const timers: NodeJS.Timeout[] = []
  const begin = () => {
    child.kill('SIGINT')
    timers.push(
      setTimeout(() => child.kill('SIGTERM'), 7_500),
      setTimeout(() => child.kill('SIGKILL'), 10_000),
    )
  }
  if (signal?.aborted) begin()
  else signal?.addEventListener('abort', begin, { once: true })
  return () => {
    signal?.removeEventListener('abort', begin)
    timers.forEach(clearTimeout)
  }
}

/** Reads `name=value`, and `name<<delimiter`, lines, `delimiter`. */
function outputs(file: string): Record<string, string> {
  const found: Record<string, string> = {}
  const lines = file.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, name = '', sign, rest = ''] = /^(.*?)(=|<<)(.*)$/s.exec(line) ?? []
    if (sign === '=') found[name] = rest
    if (sign === '<<') {
      const end = lines.indexOf(rest, at + 1)
      if (end === -1) throw new Error(`Output ${name} does not end`)
      found[name] = lines.slice(at + 1, end).join('\n')
      at = end
    }
  }
  return found
}
