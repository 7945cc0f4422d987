// Runs a step with a workspace and a messaging service of its own, and returns all results.
import { type ActionResult, type ActionRun, bundle, runAction } from '../../sandbox/runner.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { refuseStaleBundle } from '../../sandbox/sources.ts'
import { type Entries, makeFolder } from './folder.ts'

// Once for each test file.
refuseStaleBundle(bundle)

export interface Step extends Partial<Omit<ActionRun, 'inputs' | 'workspace'>> {
  /** Contents by path in the workspace. Default: `a.csv`. */
  readonly files?: Entries
  /** Added to `base-url`, a token with all scopes, the channel general, and all files. */
  readonly inputs?:
    | Readonly<Record<string, string>>
    | ((sandbox: Sandbox) => Readonly<Record<string, string>>)
  readonly service?: SandboxOptions
  /** The service takes the times of recordings. By default, messages appear at once. */
  readonly asRecorded?: boolean
  /** Runs before the step. */
  readonly prepare?: (sandbox: Sandbox, folder: string) => void | Promise<void>
}

export interface Done extends ActionResult {
  /** In order. */
  readonly requests: Sandbox['requests']
  /** As people see them. */
  readonly messages: Sandbox['workspace']['messages']
  readonly token: string
}

export async function runStep(step: Step): Promise<Done> {
  const { prepare, ...run } = step
  await using job = await startJob(run)
  await prepare?.(job.sandbox, job.folder)
  return await job.attempt(run)
}

export type Job = Awaited<ReturnType<typeof startJob>>

/** A job for several attempts, with the same workspace and messaging service. */
export async function startJob({
  asRecorded,
  files = { 'a.csv': 'a,b\n' },
  inputs = {},
  service,
}: Step) {
  const { remove, root: folder } = makeFolder(files)
  // Started last, so that no server stays if a file cannot be written.
  const sandbox = await startSandbox({ ...(!asRecorded && atOnce), ...service })
  const stop = async () => {
    await sandbox.stop()
    remove()
  }
  const inputsOf = (given: Step['inputs'] = {}) =>
    typeof given === 'function' ? given(sandbox) : given
  return {
    sandbox,
    folder,
    /** Returns only requests of this attempt. */
    async attempt({ inputs: others = {}, ...run }: Step = {}): Promise<Done> {
      const before = sandbox.requests.length
      const token = sandbox.tokens.all
      const result = await runAction({
        ...run,
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

/** The called methods, in order. `upload` is the bytes of an external upload. */
export function called({ requests }: Pick<Done, 'requests'>): readonly string[] {
  return requests.map(({ origin, path }) =>
    origin === 'upload' ? 'upload' : (path.split('/').at(-1) ?? ''),
  )
}

/** Titles and texts of the action's errors. */
export function errorsIn({
  stdout,
}: Pick<ActionResult, 'stdout'>): readonly { readonly title: string; readonly text: string }[] {
  return [...stdout.matchAll(/^::error title=([^:]*)::(.*)$/gm)].map(
    ([, title = '', text = '']) => ({
      // `core.error` escapes properties and data.
      title: title.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%'),
      text: text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%'),
    }),
  )
}
