import { unusableEvent } from '../event-file.ts'
import type { Problem } from '../problem.ts'

/** What a run is for, and where to look at it. */
export interface RunSource {
  readonly origin:
    | { readonly kind: 'release'; readonly tag: string; readonly name?: string; readonly url?: string }
    | { readonly kind: 'pull-request'; readonly number: number }
    | { readonly kind: 'schedule' | 'manual'; readonly ref?: string }
    | { readonly kind: 'tag' | 'branch'; readonly name: string }
    /** The event names nothing of the above. */
    | { readonly kind: 'run' }
  readonly run?: { readonly id: number; readonly url: string }
}

/** What of the runner's context is looked at. Event payloads are text from outside: nothing in them is taken for granted. */
export interface RunContext {
  readonly actor: string
  readonly eventName: string
  /** Such as `refs/heads/main`. */
  readonly ref: string | undefined
  readonly runId: number
  readonly serverUrl: string
  /** `owner/name` */
  readonly repository: string | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

/** The context as `@actions/github` reads it; without the event, and with a notice, where the event file cannot be used. */
export async function readRunContext(): Promise<{
  readonly context: RunContext
  readonly notices: readonly Problem[]
}> {
  const path = process.env['GITHUB_EVENT_PATH']
  const notice = path ? unusableEvent(path) : undefined
  if (!notice) return { context: await importContext(), notices: [] }
  // Without the variable the library reads no event. It is set again, because the file is not to be sent either.
  delete process.env['GITHUB_EVENT_PATH']
  const context = await importContext()
  process.env['GITHUB_EVENT_PATH'] = path
  return { context, notices: [notice] }
}

/** The library reads the event when it is imported, hence not at the top of this file. */
async function importContext(): Promise<RunContext> {
  const { context } = await import(/* webpackMode: "eager" */ '@actions/github')
  return {
    actor: context.actor,
    eventName: context.eventName,
    ref: context.ref,
    runId: context.runId,
    serverUrl: context.serverUrl,
    repository: process.env['GITHUB_REPOSITORY'],
    payload: context.payload,
  }
}

/** What the run is for. */
export function runSource(context: RunContext): RunSource {
  const { repository, runId, serverUrl } = context
  const origin = originOf(context)
  if (!repository || !Number.isSafeInteger(runId)) return { origin }
  return { origin, run: { id: runId, url: `${serverUrl}/${repository}/actions/runs/${runId}` } }
}

function originOf({ eventName, payload, ref }: RunContext): RunSource['origin'] {
  const release = recordIn(payload, 'release')
  const tag = textIn(release, 'tag_name')
  if (tag) {
    const name = textIn(release, 'name')
    const url = urlIn(release, 'html_url')
    return { kind: 'release', tag, ...(name && { name }), ...(url && { url }) }
  }

  const pullRequest = recordIn(payload, 'pull_request')['number']
  if (typeof pullRequest === 'number') return { kind: 'pull-request', number: pullRequest }

  // Such a run stands on the default branch whatever the branch of the run that it follows.
  const followed = textIn(recordIn(payload, 'workflow_run'), 'head_branch')
  if (followed) return { kind: 'branch', name: followed }

  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref ?? '') ?? []
  if (eventName === 'schedule' || eventName === 'workflow_dispatch') {
    return { kind: eventName === 'schedule' ? 'schedule' : 'manual', ...(name && { ref: name }) }
  }
  if (name) return { kind: kind === 'tags' ? 'tag' : 'branch', name }
  return { kind: 'run' }
}

function recordIn(record: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const value = record[key]
  return typeof value === 'object' ? { ...value } : {}
}

/** Characters. A longer name of a release, tag or branch is cut short: it would fill the comment, and memory. */
const maxNameLength = 300
/** Characters. A longer URL is left out, because one that is cut short leads elsewhere. */
const maxUrlLength = 3_000

function textIn(record: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = record[key]
  if (typeof value !== 'string') return undefined
  // A pair of surrogates is not cut in two.
  const start = value.slice(0, maxNameLength - 1).replace(/[\ud800-\udbff]$/, '')
  if (start.trim() === '') return undefined
  return value.length > maxNameLength ? `${start}…` : value
}

function urlIn(record: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = record[key]
  return typeof value === 'string' && value.length <= maxUrlLength ? value : undefined
}
