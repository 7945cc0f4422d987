// A step of a job, with a workspace and a messaging service of its own, and all that came of it.
import { type ActionResult, type ActionRun, bundle, runAction } from '../../sandbox/runner.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { refuseStaleBundle } from '../../sandbox/sources.ts'
import { type Entries, makeFolder } from './folder.ts'

// Once for all tests of a file, instead of in each.
refuseStaleBundle(bundle)

export interface Step extends Partial<Omit<ActionRun, 'inputs' | 'workspace'>> {
  /** Contents by path in the workspace. Without them, there is `a.csv`. */
  readonly files?: Entries
  /** Besides `base-url`, a token with every scope, the channel general, and all the files. */
  readonly inputs?:
    | Readonly<Record<string, string>>
    | ((sandbox: Sandbox) => Readonly<Record<string, string>>)
  readonly service?: SandboxOptions
  /**
   * The service takes the seconds, and changes the records, as recordings show it. Without it,
   * messages appear at once.
   */
  readonly asRecorded?: boolean
  /** Before the step begins. */
  readonly prepare?: (sandbox: Sandbox, folder: string) => void | Promise<void>
}

export interface Done extends ActionResult {
  /** Every request, in order. */
  readonly requests: Sandbox['requests']
  /** What people see. */
  readonly messages: Sandbox['workspace']['messages']
  readonly token: string
}

export async function runStep(step: Step): Promise<Done> {
  const { prepare, ...run } = step
  await using job = await startJob(run)
  await prepare?.(job.sandbox, job.folder)
  return await job.attempt(1, run)
}

export type Job = Awaited<ReturnType<typeof startJob>>

/**
 * A job that can be run again: every attempt has the same workspace and the same messaging service.
 */
export async function startJob({
  asRecorded,
  files = { 'a.csv': 'a,b\n' },
  inputs = {},
  service,
}: Step) {
  const { remove, root: folder } = makeFolder(files)
  // Last: if a file cannot be written, no server keeps jest from ending.
  const sandbox = await startSandbox({ ...(!asRecorded && atOnce), ...service })
  const stop = async () => {
    await sandbox.stop()
    remove()
  }
  const inputsOf = (given: Step['inputs'] = {}) =>
    typeof given === 'function' ? given(sandbox) : given
  return {
    sandbox,
    /** The workspace. */
    folder,
    /** Runs the step. Its `requests` are those of this attempt. */
    async attempt(number: number, { env, inputs: others = {}, ...run }: Step = {}): Promise<Done> {
      const before = sandbox.requests.length
      const token = sandbox.tokens.all
      const result = await runAction({
        ...run,
        // V8 compiles the bundle once for all.
        env: {
          GITHUB_RUN_ATTEMPT: String(number),
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          ...env,
        },
        workspace: folder,
        inputs: {
          'base-url': sandbox.baseUrl,
          token,
          channels: sandbox.channels.general,
          files: Object.keys(files).join('\n'),
          ...inputsOf(inputs),
          ...inputsOf(others),
        },
      })
      return {
        ...result,
        requests: sandbox.requests.slice(before),
        messages: sandbox.workspace.messages,
        token,
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/**
 * The methods that were called, in order. `upload`: the bytes of a file, by the external upload.
 */
export function called({ requests }: Pick<Done, 'requests'>): readonly string[] {
  return requests.map(({ origin, path }) =>
    origin === 'upload' ? 'upload' : (path.split('/').at(-1) ?? ''),
  )
}

/** What the action says goes wrong: the titles and texts of its errors. */
export function errorsIn({
  stdout,
}: Pick<ActionResult, 'stdout'>): readonly { readonly title: string; readonly text: string }[] {
  return [...stdout.matchAll(/^::error title=([^:]*)::(.*)$/gm)].map(
    ([, title = '', text = '']) => ({
      // As `core.error` escapes properties and data.
      title: title.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%'),
      text: text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%'),
    }),
  )
}
