/** Attempt 2 of a run, with `on-rerun: missing`, whose files are all there: which requests it makes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAction } from '../sandbox/runner.ts'
import { startSandbox } from '../sandbox/sandbox.ts'

export interface MeasuredRerun {
  /** Of the first attempt, and of the second. */
  readonly seconds: readonly [number, number]
  /** Requests of the second attempt by method; `upload` for the bytes of a file. */
  readonly requests: Readonly<Record<string, number>>
}

export const rerunFiles = 50

/** @throws Error if the second attempt uploads or posts anything */
export async function measureRerun(): Promise<MeasuredRerun> {
  const workspace = await mkdtemp(join(tmpdir(), 'bench-rerun-'))
  const sandbox = await startSandbox()
  try {
    for (let index = 0; index < rerunFiles; index += 1)
      await writeFile(join(workspace, `report-${index}.csv`), `${index}\n`)
    const attempt = async (number: number) => {
      const before = sandbox.requests.length
      const { code, milliseconds, stdout } = await runAction({
        workspace,
        env: { GITHUB_RUN_ATTEMPT: String(number) },
        inputs: {
          'base-url': sandbox.baseUrl,
          token: sandbox.tokens.all,
          channels: sandbox.channels.general,
          files: '*.csv',
          method: 'external',
          'on-rerun': 'missing',
        },
      })
      if (code !== 0) throw new Error(`Attempt ${number} ended with ${code}\n${stdout}`)
      return { seconds: milliseconds / 1000, requests: sandbox.requests.slice(before) }
    }
    const first = await attempt(1)
    const second = await attempt(2)
    const posted = sandbox.workspace.postings().length
    if (posted !== rerunFiles) throw new Error(`${posted} files were posted, not ${rerunFiles}`)
    const names = second.requests.map(({ origin, path }) =>
      origin === 'upload' ? 'upload' : path.replace('/api/', ''),
    )
    const requests = Object.fromEntries(
      Array.from(
        Map.groupBy(names, (name) => name),
        ([name, all]) => [name, all.length],
      ),
    )
    if (requests['upload']) throw new Error('Attempt 2 uploaded what was there')
    return { seconds: [first.seconds, second.seconds], requests }
  } finally {
    await sandbox.stop()
    await rm(workspace, { recursive: true })
  }
}
