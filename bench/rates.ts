/** Many files to a service that limits its rates, in real time: the sandbox's rules, without a faster clock. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAction } from '../sandbox/runner.ts'
import { type SandboxOptions, startSandbox } from '../sandbox/sandbox.ts'

export interface Rate {
  readonly title: string
  readonly method: 'external' | 'files.upload'
  readonly files: number
  readonly rules: SandboxOptions
  /** What the rule allows at best. */
  readonly minSeconds: number
  /** Ratio of the wall time to that. */
  readonly goal: number
}

export interface MeasuredRate {
  readonly seconds: number
  readonly requests: number
  /** Of these requests. */
  readonly limited: number
}

/** Far above the goals. */
const timeoutMinutes = 5
const callsPerMinute = 100
const limitedMethods = ['files.getUploadURLExternal', 'files.completeUploadExternal', 'files.info', 'chat.getPermalink']

export const rates: readonly Rate[] = [
  {
    title: '250 files, 100 calls a minute for each method',
    method: 'external',
    files: 250,
    rules: { callsPerMinute: new Map(limitedMethods.map((method) => [method, callsPerMinute])) },
    // The first calls of the last minute that is needed.
    minSeconds: (Math.ceil(250 / callsPerMinute) - 1) * 60,
    goal: 1.05,
  },
  {
    title: '60 files by `files.upload`, a message a second in a channel',
    method: 'files.upload',
    files: 60,
    rules: { secondsPerMessage: 1 },
    minSeconds: 60 - 1,
    goal: 1.1,
  },
]

/** One run: it consists of waiting. */
export async function measureRate({ files, method, rules, title }: Rate): Promise<MeasuredRate> {
  const workspace = await mkdtemp(join(tmpdir(), 'bench-rates-'))
  const sandbox = await startSandbox(rules)
  try {
    for (let index = 0; index < files; index += 1) await writeFile(join(workspace, `report-${index}.csv`), `${index}\n`)
    const { code, milliseconds, stdout } = await runAction({
      workspace,
      inputs: {
        'base-url': sandbox.baseUrl,
        token: sandbox.tokens.all,
        channels: sandbox.channels.general,
        files: '*.csv',
        method,
        'max-files': String(files),
        'timeout-minutes': String(timeoutMinutes),
      },
    })
    const posted = new Set(sandbox.workspace.postings().map(({ name }) => name)).size
    if (code !== 0 || posted !== files) throw new Error(`${title}: ended with ${code} after ${posted} files\n${stdout}`)
    const limited = sandbox.requests.filter(({ status }) => status === 429).length
    return { seconds: milliseconds / 1000, requests: sandbox.requests.length, limited }
  } finally {
    await sandbox.stop()
    await rm(workspace, { recursive: true })
  }
}
