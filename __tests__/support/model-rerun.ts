// A run that is run again, by the sandbox's model on virtual time: several attempts, each with faults, and each may end at a request.
import { createHash } from 'node:crypto'
import type { Listing, Sharing, Workspace, WorkspaceSettings } from '../../sandbox/workspace.ts'
import { Deadline } from '../../src/deadline.ts'
import { type DeliveryResult, deliver, type Plan } from '../../src/delivery/deliver.ts'
import { withKeys } from '../../src/delivery/rerun-key.ts'
import type { FoundFile } from '../../src/files/files.ts'
import { withTitles } from '../../src/files/titles.ts'
import { connect } from '../../src/service/connect.ts'
import type { Http, HttpRequest, HttpResponse } from '../../src/service/http.ts'
import { quoted } from '../../src/text/text.ts'
import { content, newFile, newWorkspace, type Scenario } from './model-delivery.ts'
import { type ModelCall, ModelHttp, type ModelRule } from './model-http.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface Attempt {
  /** Rules of the workspace that change before it. */
  readonly workspace?: Partial<WorkspaceSettings>
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
  readonly sharing?: Partial<Sharing>
  readonly listing?: Partial<Listing>
  readonly workspace?: Partial<WorkspaceSettings>
  readonly attempts: readonly Attempt[]
  readonly random: () => number
}

export interface PlayedAttempt {
  /** None if it was killed. */
  readonly report: DeliveryResult | undefined
  readonly calls: readonly ModelCall[]
  /** How often each file is in each channel after it, messages included that appear later. */
  readonly times: ReadonlyMap<string, number>
}

export interface PlayedRun {
  readonly files: readonly FoundFile[]
  readonly attempts: readonly PlayedAttempt[]
  readonly workspace: Workspace
}

/** Milliseconds from the end of an attempt to the start of the next: a runner has to be found. What was on its way has arrived. */
const pause = 60_000
const token = 'xoxb-made-up-for-the-model'

export async function playRun(scenario: RerunScenario): Promise<PlayedRun> {
  const clock = new VirtualClock()
  const workspace = newWorkspace(clock, token, scenario.scopes)
  workspace.set({
    ...scenario.workspace,
    sharing: { ...workspace.settings.sharing, ...scenario.sharing },
    listing: { ...workspace.settings.listing, ...scenario.listing },
  })
  const use = { repository: 'octo-org/octo-repo', runId: 1, job: 'reports', step: '__run', leg: 'null' }
  const signal = new AbortController().signal
  const files = withTitles(await withKeys(scenario.files.map(newFile), use, content, signal), '{name}')
  const attempts: PlayedAttempt[] = []
  for (const [index, attempt] of scenario.attempts.entries()) {
    workspace.set(attempt.workspace ?? {})
    const http = new ModelHttp(workspace, attempt.rules ?? [], clock, token, scenario.random)
    const report = await clock.play(playAttempt(clock, http, files, index + 1, scenario, attempt))
    // A request of a killed process may still be carried out: the copy is of this attempt.
    await clock.play(clock.sleep(pause))
    attempts.push({ report, calls: [...http.calls], times: timesOf(workspace, files) })
  }
  return { files, attempts, workspace }
}

function playAttempt(
  clock: VirtualClock,
  model: ModelHttp,
  files: readonly FoundFile[],
  number: number,
  { channels, random }: RerunScenario,
  { cancelledAt, effect = true, killedAt, timeoutMilliseconds = 600_000 }: Attempt,
): Promise<DeliveryResult | undefined> {
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(clock, timeoutMilliseconds)
    const http = new MortalHttp(model, killedAt, effect, () => resolve(undefined))
    const options = {
      baseUrl: new URL('https://sandbox.example'),
      token,
      deadline,
      dryRun: false,
      refuseExternalChannels: false,
      useProxies: false,
      onEvent: () => {},
      maskSecret: () => {},
    }
    const plan: Plan = {
      files,
      channels,
      commentFor: () => ({ kind: 'text', text: 'Reports' }),
      ifNotConfirmed: 'error',
      dryRun: false,
      rerun: { attempt: number },
    }
    if (cancelledAt !== undefined) clock.sleep(cancelledAt).then(() => deadline.cancel())
    deliver(plan, connect('external', options, { http, content, random }).service, deadline)
      .finally(() => deadline.close())
      .then(resolve, reject)
  })
}

/** Requests of a process that is killed: from then on none is sent, and no response is read. */
class MortalHttp implements Http {
  readonly #model: Http
  readonly #killedAt: number
  readonly #effect: boolean
  readonly #onEnd: () => void
  #sent = 0

  constructor(model: Http, killedAt: number | undefined, effect: boolean, onEnd: () => void) {
    this.#model = model
    this.#killedAt = killedAt ?? Number.POSITIVE_INFINITY
    this.#effect = effect
    this.#onEnd = onEnd
  }

  close(): void {}

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#sent += 1
    const number = this.#sent
    if (number === this.#killedAt) this.#onEnd()
    const isSent = number < this.#killedAt || (number === this.#killedAt && this.#effect)
    const response = isSent ? await this.#model.send(request) : undefined
    if (response === undefined || this.#sent >= this.#killedAt) return new Promise(() => {})
    return response
  }
}

const placeOf = (channel: string, name: string) => `${name} in ${channel}`

/** Damaged copies do not count. */
function timesOf(workspace: Workspace, files: readonly FoundFile[]): ReadonlyMap<string, number> {
  const digests = new Map(files.map((file) => [file.name, digestOf(file)]))
  return new Map(
    workspace
      .postings()
      .filter(({ name, sha256 }) => digests.get(name) === sha256)
      .map(({ channel, name, times }) => [placeOf(channel, name), times]),
  )
}

/** As `content` makes it. */
function digestOf({ name, size }: FoundFile): string {
  return createHash('sha256').update(modelBytes(name, size)).digest('hex')
}

function modelBytes(name: string, size: number): Buffer {
  const chunk = Buffer.alloc(1_000, `${name}\n`)
  return Buffer.concat(Array.from({ length: Math.ceil(size / chunk.length) }, () => chunk)).subarray(0, size)
}

/** What a run that is run again breaks of its promises. */
export function brokenRerunPromises(scenario: RerunScenario, { attempts, files }: PlayedRun): readonly string[] {
  const places = files.flatMap(({ name }) => scenario.channels.map((channel) => placeOf(channel, name)))
  return attempts.flatMap(({ report, times }, index) => {
    // A process that is killed reports nothing.
    if (report === undefined) return []
    const broken: string[] = []
    const before = attempts[index - 1]?.times ?? new Map<string, number>()
    const succeeded = report.status === 'posted' || report.status === 'accepted'
    const warned = report.warnings.map(({ text }) => quoted(text)).join('\n')
    for (const [place, count] of times) {
      if (count <= Math.max(1, before.get(place) ?? 0)) continue
      const [name = ''] = place.split(' in ')
      if (!warned.includes(`\`${name}\``) && !warned.includes(' more in '))
        broken.push(`${place} ${count} times, not warned of`)
    }
    if (succeeded) {
      const missing = places.filter((place) => !times.has(place))
      if (missing.length > 0) broken.push(`${report.status}, but ${missing.join(', ')} is missing`)
    }
    return broken.map((what) => `attempt ${index + 1}: ${what}`)
  })
}
