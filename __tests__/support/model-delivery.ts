import { type GivenSettings, type Sharing, Workspace, type WorkspaceSettings } from '../../sandbox/workspace.ts'
import { Deadline } from '../../src/deadline.ts'
import { type DeliveryResult, deliver, type Plan } from '../../src/delivery/deliver.ts'
import type { FileContent } from '../../src/files/content.ts'
import type { FoundFile } from '../../src/files/files.ts'
import { isError } from '../../src/problem.ts'
import { type CreateServiceOptions, createService } from '../../src/service/create-service.ts'
import type { Http } from '../../src/service/http/http.ts'
import type { DeliveredMessage, Posting, ServiceEvent, ServiceOptions } from '../../src/service/service.ts'
import { channels } from './channels.ts'
import { type ModelCall, ModelHttp, type ModelRule } from './model-http.ts'
import { foundFile } from './report-runs.ts'
import { VirtualClock } from './virtual-clock.ts'

const app = 'U0APPUSER00'

const scopesOf = {
  all: ['files:write', 'files:read', 'channels:read', 'groups:read', 'im:read', 'im:write', 'mpim:read'],
  'files only': ['files:write', 'files:read'],
  'upload only': ['files:write'],
} as const

/** One delivery to the sandbox's model, on virtual time. */
export interface Scenario {
  readonly method: CreateServiceOptions['method']
  /** Bytes of each. */
  readonly files: readonly number[]
  /** Every second file is a photo. */
  readonly photos?: boolean
  readonly channels: readonly string[]
  readonly scopes: keyof typeof scopesOf
  readonly rules: readonly ModelRule[]
  readonly sharing?: Partial<Sharing>
  readonly workspace?: GivenSettings
  readonly ifNotConfirmed?: ServiceOptions['ifNotConfirmed']
  /** Default 10 minutes. */
  readonly timeoutMilliseconds?: number
  /** Milliseconds after the start. */
  readonly cancelledAt?: number
  /** From 0 to 1, the same course for the same scenario. */
  readonly random: () => number
}

export interface Played {
  readonly report: DeliveryResult
  /** One for each message and channel. */
  readonly postings: readonly (Posting & Pick<DeliveredMessage, 'files'>)[]
  readonly workspace: Workspace
  readonly calls: readonly ModelCall[]
  readonly isClosed: boolean
  readonly deniesPosts: boolean
  readonly waits: readonly ServiceEvent[]
  readonly milliseconds: number
}

export const token = 'xoxb-made-up-for-the-model'

export async function playDelivery(scenario: Scenario): Promise<Played> {
  const { channels: requested, files: sizes, method, photos, random, rules, scopes } = scenario
  const clock = new VirtualClock()
  const workspace = newWorkspace(clock, scopes)
  workspace.set({ ...scenario.workspace, ...(scenario.sharing && { sharing: scenario.sharing }) })
  const http = new ModelHttp(workspace, rules, clock, token, random)
  const waits: ServiceEvent[] = []
  const onEvent = (event: ServiceEvent) => {
    if (event.kind === 'wait') waits.push(event)
  }
  const plan = { files: sizes.map(photos ? newFileOrPhoto : newFile), channels: requested }
  const report = await clock.play(deliverTo(http, clock, plan, { ...scenario, method, onEvent, random }))
  return {
    report,
    postings: report.messages.flatMap(({ files, postings }) => postings.map((posting) => ({ ...posting, files }))),
    workspace,
    calls: http.calls,
    isClosed: http.isClosed,
    deniesPosts: http.deniesPosts,
    waits,
    milliseconds: clock.now(),
  }
}

interface DeliverOptions
  extends Pick<Scenario, 'cancelledAt' | 'ifNotConfirmed' | 'method' | 'random' | 'timeoutMilliseconds'> {
  readonly onEvent?: (event: ServiceEvent) => void
}

/** The delivery of a plan through the model's network. */
export async function deliverTo(
  http: Http,
  clock: VirtualClock,
  plan: Pick<Plan, 'channels' | 'files'> & Partial<Plan>,
  {
    cancelledAt,
    ifNotConfirmed = 'error',
    method,
    onEvent = () => {},
    random,
    timeoutMilliseconds = 600_000,
  }: DeliverOptions,
): Promise<DeliveryResult> {
  const deadline = new Deadline(clock, timeoutMilliseconds)
  const options = {
    method,
    baseUrl: new URL('https://sandbox.example'),
    token,
    deadline,
    content,
    dryRun: false,
    ifNotConfirmed,
    onEvent,
    maskSecret: () => {},
  }
  using connection = createService(options, { http, random })
  if (cancelledAt !== undefined) clock.sleep(cancelledAt).then(() => deadline.cancel())
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Reports' } }]
  const commentFor: Plan['commentFor'] = () => ({ text: 'Reports', blocks })
  try {
    return await deliver({ commentFor, dryRun: false, ...plan }, connection.service, { deadline, onEvent })
  } finally {
    deadline[Symbol.dispose]()
  }
}

export function newWorkspace(clock: VirtualClock, scopes: Scenario['scopes'], organizationWide = false): Workspace {
  const begin = 1_800_000_000_000
  const members = [app]
  return new Workspace({
    now: () => begin + Math.floor(clock.now()),
    read: (stored, bytes) => Buffer.from(stored.slice(0, bytes), 'latin1'),
    tokens: new Map([[token, { user: app, scopes: scopesOf[scopes], organizationWide }]]),
    conversations: [
      { id: channels.general, name: 'general', kind: 'public', members },
      { id: channels.releases, name: 'releases', kind: 'public', members },
      { id: channels.builds, name: 'builds', kind: 'public', members },
      { id: channels.direct, name: 'reviewer', kind: 'direct', members },
      { id: channels.group, name: 'mpdm-app--reviewer--person-1', kind: 'group', members },
      { id: channels.shared, name: 'with-partner', kind: 'public', members, shared: true },
      { id: channels.notJoined, name: 'not-joined', kind: 'public', members: [] },
      { id: channels.archived, name: 'archived', kind: 'public', members, archived: true },
    ],
  })
}

export const newFile = (size: number, index: number) => foundFile(`report-${index + 1}.csv`, size)
/** Every second one is a photo. */
export const newFileOrPhoto = (size: number, index: number) =>
  index % 2 === 0 ? newFile(size, index) : foundFile(`photo-${index + 1}.jpg`, size)

/** Files that consist of their own name. */
export const content: FileContent = {
  async *chunks(file) {
    yield* bytesOf(file)
  },
}

export function* bytesOf(file: FoundFile): Generator<Uint8Array> {
  const chunk = Buffer.alloc(1_000, `${file.name}\n`)
  for (let at = 0; at < file.size; at += chunk.length) yield chunk.subarray(0, Math.min(chunk.length, file.size - at))
}

const green: readonly string[] = ['posted', 'accepted']

const { archived, notJoined, ...good } = channels
export const goodChannels: readonly string[] = Object.values(good)
export const badChannels: readonly string[] = [archived, notJoined]

/** Whether records show a message while it is looked for: for a minute, and up to three until the file is processed. */
export function isShownInTime(
  { groupShares, processing, sharing }: WorkspaceSettings,
  requested: readonly string[],
): boolean {
  const isLate = groupShares === 'late' && requested.includes(channels.group)
  const shownAt = sharing.milliseconds + (isLate ? 40_000 : 0)
  return shownAt < 60_000 || shownAt < Math.min(processing.processed + 10_000, 170_000)
}

/** Nothing goes wrong, and every message shows while it is looked for. */
function isQuiet({ cancelledAt, channels: requested, rules, timeoutMilliseconds }: Scenario, { workspace }: Played) {
  const { callsPerMinute, completionArguments, offers, sharing, ticketMilliseconds } = workspace.settings
  return (
    rules.length === 0 &&
    cancelledAt === undefined &&
    (timeoutMilliseconds ?? 600_000) >= 600_000 &&
    requested.every((channel) => goodChannels.includes(channel)) &&
    sharing.channels === 'all' &&
    isShownInTime(workspace.settings, requested) &&
    Object.values(completionArguments).every((support) => support === 'supported') &&
    callsPerMinute.size === 0 &&
    Object.keys(offers).length === 0 &&
    ticketMilliseconds >= 300_000
  )
}

/** Errors that show that lookups work. */
const isAboutFile = (code: string) => ['file_not_found', 'file_deleted', 'tea_time'].includes(code)

/** In what the report says something else than the service knows: nothing, if the promises are kept. */
export function brokenPromises(scenario: Scenario, played: Played): readonly string[] {
  const { calls, milliseconds, postings: reported, report, workspace } = played
  const broken: string[] = []
  const { sharing } = workspace.settings
  const postings = workspace.postings()
  const times = (channel: string, name: string) =>
    postings
      .filter((posting) => posting.channel === channel && posting.name === name)
      .reduce((sum, posting) => sum + posting.times, 0)

  for (const { channel, name, times } of postings)
    if (times > 1) broken.push(`${name} stands in ${channel} ${times} times`)
  for (const { channel, files, state, ts } of reported) {
    const { id } = channel
    const shown = workspace.messages.filter(
      (message) => message.channel === id && (ts === undefined || message.ts === ts),
    )
    // The file of another upload, which the service named in its place: the report says that it arrived damaged. It has the
    // name of the other file, which then seems to be there twice.
    const damaged = files.filter(({ size }) => size === 0)
    for (const uploaded of files) {
      const { file } = uploaded
      const there = times(id, file.name)
      const isDamaged = damaged.includes(uploaded)
      if (isDamaged && report.status !== 'partial' && report.status !== 'unknown') {
        broken.push(`${file.name} is damaged, and the run is ${report.status}`)
      }
      if (
        state === 'posted' &&
        !isDamaged &&
        !shown.some((message) => message.files.some(({ name }) => name === file.name))
      ) {
        broken.push(`${file.name} is posted in ${id}, and does not show there`)
      }
      const dropped = sharing.channels !== 'all' && !sharing.channels.includes(id)
      if (state === 'accepted' && there !== 1 && !dropped && damaged.length === 0)
        broken.push(`${file.name} is accepted in ${id}, and not there`)
      if (state === 'not-sent' && there > 0) broken.push(`${file.name} is not sent to ${id}, and stands there`)
    }
  }

  const states = new Set(reported.map(({ state }) => state))
  const there = states.has('posted') || states.has('accepted')
  const { status } = report
  const errors = report.problems.filter(isError)
  if (green.includes(status) !== (errors.length === 0)) broken.push(`${status} with ${errors.length} errors`)
  if (status === 'posted' && [...states].join() !== 'posted') broken.push(`posted with ${[...states]}`)
  if (status === 'accepted' && (states.has('unknown') || states.has('not-sent')))
    broken.push(`accepted with ${[...states]}`)
  if (status === 'failed' && (postings.length > 0 || there || states.has('unknown')))
    broken.push('failed with something there')
  if (status === 'partial' && (!there || states.has('unknown'))) broken.push(`partial with ${[...states]}`)
  if (status === 'unknown' && !states.has('unknown')) broken.push(`unknown with ${[...states]}`)
  const causes = report.checks.filter(({ result }) => result === 'failed').length
  if (status === 'failed' && errors.length > Math.max(1, causes)) broken.push('several problems of one cause')

  const mayLook = scenario.method === 'external' && scenario.scopes !== 'upload only'
  const undisturbed =
    scenario.rules.every(
      ({ fault, on }) => on !== 'files.info' || (fault?.kind === 'error' && isAboutFile(fault.code)),
    ) &&
    workspace.settings.offers['files.info'] === undefined &&
    // After a limit, nothing is known about the message: it is accepted.
    !workspace.settings.callsPerMinute.has('files.info')
  if (isQuiet(scenario, played) && status !== 'posted' && status !== 'accepted')
    broken.push(`${status} without a cause`)
  const unseen = postings.length < scenario.files.length * new Set(scenario.channels).size
  if (green.includes(status) && mayLook && undisturbed && unseen && (scenario.ifNotConfirmed ?? 'error') === 'error') {
    broken.push('green although the service could be seen to have dropped it')
  }
  if (calls.some(({ authorized, target }) => authorized && target === 'upload-bytes'))
    broken.push('the token went to the upload host')
  const busiest = (scenario.files.length + 5) * (30 + milliseconds / 1_000)
  if (calls.length > busiest) broken.push(`${calls.length} calls in ${Math.round(milliseconds)} ms`)
  if (milliseconds > (scenario.timeoutMilliseconds ?? 600_000) + 1_500) broken.push(`took ${milliseconds} ms`)
  if (scenario.cancelledAt !== undefined && milliseconds > scenario.cancelledAt + 3_500)
    broken.push('did not end when cancelled')
  const published = ['files.completeUploadExternal', 'files.upload']
  if (
    calls.some(
      ({ at, target }) => published.includes(target) && at > (scenario.cancelledAt ?? Number.POSITIVE_INFINITY),
    )
  ) {
    broken.push('published after it was cancelled')
  }
  if (!played.isClosed) broken.push('the connections stay open')
  return broken
}
