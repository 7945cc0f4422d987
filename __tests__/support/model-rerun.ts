// A run that is run again, by the sandbox's model on virtual time: several attempts, each with faults, and each may end at a request.
import { createHash } from 'node:crypto'
import type { GivenSettings, Listing, Sharing, Workspace, WorkspaceSettings } from '../../sandbox/workspace.ts'
import type { DeliveryResult } from '../../src/delivery/deliver.ts'
import { withKeys } from '../../src/delivery/rerun/key.ts'
import { withTitles } from '../../src/files/file-names.ts'
import type { FoundFile } from '../../src/files/files.ts'
import type { Http } from '../../src/service/http/http.ts'
import { quoted } from '../../src/text/text.ts'
import {
  bytesOf,
  content,
  deliverTo,
  isShownInTime,
  newFileOrPhoto,
  newWorkspace,
  type Scenario,
} from './model-delivery.ts'
import { type ModelCall, ModelHttp, type ModelRule } from './model-http.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Attempt {
  /** Rules of the workspace that change before it. */
  readonly workspace?: GivenSettings
  readonly rules?: readonly ModelRule[]
  /** The process is killed when it sends this request, counted over all targets from 1. */
  readonly killedAt?: number
  /** The service still carries that request out. */
  readonly effect?: boolean
  /** Milliseconds after its start. */
  readonly cancelledAt?: number
  readonly timeoutMilliseconds?: number
}

export interface RerunScenario {
  /** Bytes of each. */
  readonly files: readonly number[]
  readonly channels: readonly string[]
  readonly scopes: Scenario['scopes']
  /** A thread of the only channel. */
  readonly threadTs?: string
  readonly organizationWide?: boolean
  readonly sharing?: Partial<Sharing>
  readonly listing?: Partial<Listing>
  readonly workspace?: GivenSettings
  readonly attempts: readonly Attempt[]
  readonly random: () => number
}

export interface PlayedAttempt {
  /** None if it was killed. */
  readonly report: DeliveryResult | undefined
  readonly calls: readonly ModelCall[]
  /** How often each file is in each channel after it, messages included that appear later. */
  readonly times: ReadonlyMap<string, number>
  /** Where a copy is damaged. */
  readonly damaged: ReadonlySet<string>
}

export interface PlayedRun {
  readonly files: readonly FoundFile[]
  readonly attempts: readonly PlayedAttempt[]
  readonly workspace: Workspace
  /** Of the workspace, before the first attempt. */
  readonly settings: WorkspaceSettings
  readonly deniesPosts: boolean
}

/** Milliseconds from the end of an attempt to the start of the next: a runner has to be found. What was on its way has arrived. */
const pause = 60_000

export async function playRun(scenario: RerunScenario): Promise<PlayedRun> {
  const clock = new VirtualClock()
  const workspace = newWorkspace(clock, scenario.scopes, scenario.organizationWide)
  const { listing = {}, sharing = {} } = scenario
  workspace.set({ sharing, listing, ...scenario.workspace })
  const { settings } = workspace
  let deniesPosts = false
  const use = { repository: 'octo-org/octo-repo', runId: 1, job: 'reports', action: '__run', leg: 'null' }
  const signal = new AbortController().signal
  const files = withTitles(await withKeys(scenario.files.map(newFileOrPhoto), use, content, signal), '{name}', '')
  const attempts: PlayedAttempt[] = []
  for (const [index, attempt] of scenario.attempts.entries()) {
    workspace.set(attempt.workspace ?? {})
    const http = new ModelHttp(workspace, attempt.rules ?? [], clock, scenario.random)
    const report = await clock.play(playAttempt(clock, http, files, index + 1, scenario, attempt))
    // A request of a killed process may still be carried out: the copy is of this attempt.
    await clock.play(clock.sleep(pause))
    attempts.push({ report, calls: [...http.calls], ...copiesOf(workspace, files) })
    deniesPosts ||= http.deniesPosts
  }
  return { files, attempts, workspace, settings, deniesPosts }
}

function playAttempt(
  clock: VirtualClock,
  model: ModelHttp,
  files: readonly FoundFile[],
  number: number,
  { channels, random, threadTs }: RerunScenario,
  attempt: Attempt,
): Promise<DeliveryResult | undefined> {
  return new Promise((resolve, reject) => {
    const http = mortalHttp(model, attempt, () => resolve(undefined))
    const plan = { files, channels, attempt: number, ...(threadTs !== undefined && { threadTs }) }
    deliverTo(http, clock, plan, { ...attempt, method: 'external', random }).then(resolve, reject)
  })
}

/** Requests of a process that is killed: from then on none is sent, and no response is read. */
function mortalHttp(
  model: Http,
  { effect = true, killedAt = Number.POSITIVE_INFINITY }: Attempt,
  onEnd: () => void,
): Http {
  let sent = 0
  return {
    close() {},
    async send(request) {
      sent += 1
      const number = sent
      if (number === killedAt) onEnd()
      const isSent = number < killedAt || (number === killedAt && effect)
      const response = isSent ? await model.send(request) : undefined
      if (response === undefined || sent >= killedAt) return new Promise(() => {})
      return response
    },
  }
}

const placeOf = (channel: string, name: string) => `${name} in ${channel}`

/** Damaged copies do not count. */
function copiesOf(workspace: Workspace, files: readonly FoundFile[]): Pick<PlayedAttempt, 'damaged' | 'times'> {
  const digests = new Map(files.map((file) => [file.name, digestOf(file)]))
  const isIntact = ({ name, sha256 }: { name: string; sha256: string }) => digests.get(name) === sha256
  const copies = Map.groupBy(workspace.postings(), isIntact)
  return {
    times: new Map(copies.get(true)?.map(({ channel, name, times }) => [placeOf(channel, name), times])),
    damaged: new Set(copies.get(false)?.map(({ channel, name }) => placeOf(channel, name))),
  }
}

function digestOf(file: FoundFile): string {
  const hash = createHash('sha256')
  for (const chunk of bytesOf(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** What a run that is run again breaks of its promises. */
export function brokenRerunPromises(scenario: RerunScenario, played: PlayedRun): readonly string[] {
  const { attempts, files, settings } = played
  const places = files.flatMap(({ name }) => scenario.channels.map((channel) => placeOf(channel, name)))
  // What files.list does not show yet cannot be known.
  const { calls, direct, files: listed, milliseconds } = settings.listing
  // Nor what is shown later than the minute in which an attempt looks.
  const isShown = isShownInTime(settings, scenario.channels)
  const listsAll = isShown && calls === 0 && direct === 'listed' && listed === 'all' && milliseconds === 0
  return attempts.flatMap(({ damaged, report, times }, index) => {
    // A process that is killed reports nothing.
    if (report === undefined) return []
    const broken: string[] = []
    const before = attempts[index - 1]?.times ?? new Map<string, number>()
    const succeeded = report.status === 'posted' || report.status === 'accepted'
    const warned = report.problems.flatMap(({ level, text }) => (level === 'warning' ? quoted(text) : [])).join('\n')
    // The files that the service calls empty: it may keep other bytes than it says.
    const empty = new Set(
      report.messages.flatMap((message) =>
        message.files.flatMap(({ file, size }) =>
          size !== 0 ? [] : message.postings.map(({ channel }) => placeOf(channel.id, file.name)),
        ),
      ),
    )
    for (const [place, count] of times) {
      if (count <= Math.max(1, before.get(place) ?? 0)) continue
      const [name = ''] = place.split(' in ')
      if (!warned.includes(`\`${name}\``) && !warned.includes(' more in '))
        broken.push(`${place} ${count} times, not warned of`)
    }
    for (const { files: sent, postings } of listsAll ? report.messages : []) {
      for (const { channel, state } of postings) {
        const there = sent.map(({ file }) => placeOf(channel.id, file.name)).filter((place) => times.has(place))
        if (state === 'not-sent' && there.length > 0) broken.push(`${there.join(', ')} is not sent, and stands there`)
      }
    }
    if (listsAll && report.status === 'failed' && times.size > 0) broken.push('failed with something there')
    if (succeeded) {
      const isSeen = (place: string) => times.has(place) || (damaged.has(place) && !empty.has(place))
      const missing = places.filter((place) => !isSeen(place))
      if (missing.length > 0) broken.push(`${report.status}, but ${missing.join(', ')} is missing`)
    }
    return broken.map((what) => `attempt ${index + 1}: ${what}`)
  })
}
