import {
  type GivenSettings,
  type Sharing,
  Workspace,
  type WorkspaceSettings,
} from '../../sandbox/workspace.ts'
import { Deadline } from '../../src/deadline.ts'
import { type DeliveryResult, deliver, type Plan } from '../../src/delivery/deliver.ts'
import type { FileContent } from '../../src/files/content.ts'
import type { FoundFile } from '../../src/files/files.ts'
import { isError } from '../../src/problem.ts'
import { type CreateServiceOptions, createService } from '../../src/service/create-service.ts'
import type { Http } from '../../src/service/http/http.ts'
import type {
  DeliveredMessage,
  Posting,
  ServiceEvent,
  ServiceOptions,
} from '../../src/service/service.ts'
import { tokenRemover } from '../../src/text/token.ts'
import { channels, formerShared } from './channels.ts'
import { type ModelCall, ModelHttp, type ModelRule, token } from './model-http.ts'
import { foundFile } from './report-runs.ts'
import { VirtualClock } from './virtual-clock.ts'

const app = 'U0APPUSER00'
/** One for all deliveries: V8 compiles its expressions once. */
const removeToken = tokenRemover(token)

const scopesOf = {
  all: [
    'files:write',
    'files:read',
    'channels:read',
    'groups:read',
    'im:read',
    'im:write',
    'mpim:read',
  ],
  'files only': ['files:write', 'files:read'],
  'upload only': ['files:write'],
} as const

/** A delivery to the sandbox's model, in virtual time. */
export interface Scenario {
  readonly method: CreateServiceOptions['method']
  /** Sizes in bytes. */
  readonly files: readonly number[]
  /** Every second file is a photo. */
  readonly photos?: boolean
  readonly channels: readonly string[]
  readonly scopes: keyof typeof scopesOf
  readonly rules: readonly ModelRule[]
  readonly sharing?: Partial<Sharing>
  readonly workspace?: GivenSettings
  readonly ifNotConfirmed?: ServiceOptions['ifNotConfirmed']
  readonly dryRun?: boolean
  /** Default: 10 minutes. */
  readonly timeoutMilliseconds?: number
  /** Milliseconds after the start. */
  readonly cancelledAt?: number
  /** From 0 to 1, repeatable. */
  readonly random: () => number
}

export interface Played {
  readonly report: DeliveryResult
  /** For each message and channel. */
  readonly postings: readonly (Posting & Pick<DeliveredMessage, 'files'>)[]
  readonly workspace: Workspace
  readonly calls: readonly ModelCall[]
  readonly isClosed: boolean
  readonly deniesPosts: boolean
  readonly milliseconds: number
}

export async function playDelivery(scenario: Scenario): Promise<Played> {
  const { channels: requested, files: sizes, photos, random, rules, scopes } = scenario
  const clock = new VirtualClock()
  const workspace = newWorkspace(clock, scopes)
  workspace.set({ ...scenario.workspace, ...(scenario.sharing && { sharing: scenario.sharing }) })
  const http = new ModelHttp(workspace, rules, clock, random)
  const plan = { files: sizes.map(photos ? newFileOrPhoto : newFile), channels: requested }
  const report = await clock.play(deliverTo(http, clock, plan, scenario))
  return {
    report,
    postings: report.messages.flatMap(({ files, postings }) =>
      postings.map((posting) => ({ ...posting, files })),
    ),
    workspace,
    calls: http.calls,
    isClosed: http.isClosed,
    deniesPosts: http.deniesPosts,
    milliseconds: clock.now(),
  }
}

interface DeliverOptions
  extends Pick<
    Scenario,
    'cancelledAt' | 'dryRun' | 'ifNotConfirmed' | 'method' | 'random' | 'timeoutMilliseconds'
  > {
  readonly onEvent?: (event: ServiceEvent) => void
}

/** Delivers a plan through the model's network. */
export async function deliverTo(
  http: Http,
  clock: VirtualClock,
  plan: Pick<Plan, 'channels' | 'files'> & Partial<Plan>,
  {
    cancelledAt,
    dryRun = false,
    ifNotConfirmed = 'error',
    method,
    onEvent = () => {},
    random,
    timeoutMilliseconds = 600_000,
  }: DeliverOptions,
): Promise<DeliveryResult> {
  const deadline = new Deadline(clock)
  deadline.start(timeoutMilliseconds)
  const options = {
    method,
    baseUrl: new URL('https://sandbox.example'),
    token,
    deadline,
    content,
    dryRun,
    ifNotConfirmed,
    onEvent,
    maskSecret: () => {},
    removeToken,
  }
  using connection = createService(options, { http, random })
  if (cancelledAt !== undefined) clock.sleep(cancelledAt).then(() => deadline.cancel())
  const blocks = JSON.stringify([{ type: 'section', text: { type: 'mrkdwn', text: 'Reports' } }])
  const commentFor: Plan['commentFor'] = () => ({ text: 'Reports', blocks })
  try {
    return await deliver({ commentFor, dryRun, ...plan }, connection.service, {
      deadline,
      onEvent,
    })
  } finally {
    deadline[Symbol.dispose]()
  }
}

export function newWorkspace(
  clock: VirtualClock,
  scopes: Scenario['scopes'],
  organizationWide = false,
): Workspace {
  const begin = 1_800_000_000_000
  const members = [app]
  return new Workspace({
    now: () => begin + Math.floor(clock.now()),
    read: (stored, bytes) => Buffer.from(stored.slice(0, bytes), 'latin1'),
    // Lookups return it also as HTML, and nobody reads it.
    maxContent: 100,
    tokens: new Map([[token, { user: app, scopes: scopesOf[scopes], organizationWide }]]),
    conversations: [
      { id: channels.general, name: 'general', kind: 'public', members },
      { id: channels.releases, name: 'releases', kind: 'public', members },
      { id: channels.builds, name: 'builds', kind: 'public', members },
      { id: channels.direct, name: 'reviewer', kind: 'direct', members },
      { id: channels.group, name: 'mpdm-app--reviewer--person-1', kind: 'group', members },
      {
        id: channels.shared,
        name: 'with-partner',
        kind: 'public',
        members,
        shared: true,
        formerId: formerShared,
      },
      { id: channels.notJoined, name: 'not-joined', kind: 'public', members: [] },
      { id: channels.archived, name: 'archived', kind: 'public', members, archived: true },
    ],
  })
}

export const newFile = (size: number, index: number) => foundFile(`report-${index + 1}.csv`, size)
/** Every second file is a photo. */
export const newFileOrPhoto = (size: number, index: number) =>
  index % 2 === 0 ? newFile(size, index) : foundFile(`photo-${index + 1}.jpg`, size)

/** Files begin with their name. Lookups return text also as HTML, ten times as long. */
export const content: FileContent = {
  async *chunks(file) {
    yield* bytesOf(file)
  },
}

export function* bytesOf(file: FoundFile): Generator<Uint8Array> {
  const chunk = Buffer.from(file.name.padEnd(1_000))
  for (let at = 0; at < file.size; at += chunk.length)
    yield chunk.subarray(0, Math.min(chunk.length, file.size - at))
}

const green: readonly string[] = ['posted', 'accepted']

const { archived, notJoined, ...good } = channels
export const goodChannels: readonly string[] = Object.values(good)
export const badChannels: readonly string[] = [archived, notJoined]

/**
 * Do records show a message while the action looks for it? That is a minute, or up to three until
 * the file is processed.
 */
export function isShownInTime(
  { groupShares, processing, sharing }: WorkspaceSettings,
  requested: readonly string[],
): boolean {
  const isLate = groupShares === 'late' && requested.includes(channels.group)
  const shownAt = sharing.milliseconds + (isLate ? 40_000 : 0)
  return shownAt < 60_000 || shownAt < Math.min(processing.processed + 10_000, 170_000)
}

/** Nothing goes wrong, and messages appear in time. */
function isQuiet(
  { cancelledAt, channels: requested, rules, timeoutMilliseconds }: Scenario,
  { workspace }: Played,
) {
  const { callsPerMinute, completionArguments, offers, sharing, ticketMilliseconds } =
    workspace.settings
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

/** Errors of lookups that work. */
const isAboutFile = (code: string) => ['file_not_found', 'file_deleted', 'tea_time'].includes(code)

/** Differences between the report and the service's state. None, if all promises are kept. */
export function brokenPromises(scenario: Scenario, played: Played): readonly string[] {
  const {
    cancelledAt = Number.POSITIVE_INFINITY,
    files,
    ifNotConfirmed = 'error',
    rules,
  } = scenario
  const { calls, milliseconds, postings: reported, report, workspace } = played
  const { status } = report
  const { settings } = workspace
  const postings = workspace.postings()
  const states = [...new Set(reported.map(({ state }) => state))]
  const isSome = (...some: readonly Posting['state'][]) =>
    states.some((state) => some.includes(state))
  const isGreen = green.includes(status)
  const errors = report.problems.filter(isError).length
  const causes = report.checks.filter(({ result }) => result === 'failed').length
  const isThere = isSome('posted', 'accepted')
  const mayLook = scenario.method === 'external' && scenario.scopes !== 'upload only'
  const isUndisturbed =
    rules.every(
      ({ fault, on }) =>
        on !== 'files.info' || (fault?.kind === 'error' && isAboutFile(fault.code)),
    ) &&
    settings.offers['files.info'] === undefined &&
    // After a rate limit, the message is unconfirmed, so `accepted`.
    !settings.callsPerMinute.has('files.info')
  const isUnseen = postings.length < files.length * new Set(scenario.channels).size
  const busiest = (files.length + 5) * (30 + milliseconds / 1_000)
  const published = calls.filter(({ target }) =>
    ['files.completeUploadExternal', 'files.upload'].includes(target),
  )
  const ofTheRun = broken([
    [`${status} with ${errors} errors`, isGreen !== (errors === 0)],
    [`posted with ${states}`, status === 'posted' && states.join() !== 'posted'],
    [`accepted with ${states}`, status === 'accepted' && isSome('unknown', 'not-sent')],
    [
      'failed with something there',
      status === 'failed' && (postings.length > 0 || isThere || isSome('unknown')),
    ],
    [`partial with ${states}`, status === 'partial' && (!isThere || isSome('unknown'))],
    [`unknown with ${states}`, status === 'unknown' && !isSome('unknown')],
    ['several problems of one cause', status === 'failed' && errors > Math.max(1, causes)],
    [
      `${status} without a cause`,
      isQuiet(scenario, played) && status !== 'posted' && status !== 'accepted',
    ],
    [
      'green although the service could be seen to have dropped it',
      isGreen && mayLook && isUndisturbed && isUnseen && ifNotConfirmed === 'error',
    ],
    [
      'the token went to the upload host',
      calls.some(({ authorized, target }) => authorized && target === 'upload-bytes'),
    ],
    [`${calls.length} calls in ${Math.round(milliseconds)} ms`, calls.length > busiest],
    [`took ${milliseconds} ms`, milliseconds > (scenario.timeoutMilliseconds ?? 600_000) + 1_500],
    ['did not end when cancelled', milliseconds > cancelledAt + 3_500],
    ['published after it was cancelled', published.some(({ at }) => at > cancelledAt)],
    ['the connections stay open', !played.isClosed],
  ])
  return [...brokenPostings(played), ...ofTheRun]
}

const broken = (
  claims: readonly (readonly [what: string, isBroken: boolean])[],
): readonly string[] => claims.filter(([, isBroken]) => isBroken).map(([what]) => what)

/** Files that are elsewhere, or more often, than reported. */
function brokenPostings({
  postings: reported,
  report: { problems, status },
  workspace,
}: Played): readonly string[] {
  const postings = workspace.postings()
  const repeated = postings.filter(({ times }) => times > 1)
  const { channels: appearing } = workspace.settings.sharing
  const misreported = reported.flatMap(({ channel, files, state, ts }) => {
    const id = channel.id === formerShared ? channels.shared : channel.id
    const messages = workspace.messages.filter((message) => message.channel === id)
    const shown = messages
      .filter((message) => ts === undefined || message.ts === ts)
      .flatMap((message) => message.files)
    const isDropped = appearing !== 'all' && !appearing.includes(id)
    return files.flatMap(({ file: { name, path } }) => {
      const there = postings.filter((posting) => posting.channel === id && posting.name === name)
      const times = there.reduce((sum, posting) => sum + posting.times, 0)
      const isDamaged = problems.some(
        ({ text, title }) => title === 'A file arrived damaged' && text[0]?.text === path,
      )
      const isShown = shown.some((file) => file.name === name)
      return broken([
        [
          `${name} is damaged, and the run is ${status}`,
          isDamaged && status !== 'partial' && status !== 'unknown',
        ],
        [
          `${name} is posted in ${id}, and does not show there`,
          state === 'posted' && !isDamaged && !isShown,
        ],
        [
          `${name} is accepted in ${id}, and not there`,
          state === 'accepted' && times !== 1 && !isDropped,
        ],
        [`${name} is not sent to ${id}, and stands there`, state === 'not-sent' && times > 0],
      ])
    })
  })
  return [
    ...repeated.map(({ channel, name, times }) => `${name} stands in ${channel} ${times} times`),
    ...misreported,
  ]
}
