// Whole deliveries to the sandbox's model of the service, on virtual time.
import { describe, expect, test } from '@jest/globals'
import type { Target } from '../../../sandbox/faults.ts'
import { atOnce } from '../../../sandbox/settings.ts'
import { titleOf } from '../../../src/problem.ts'
import type { Http, HttpResponse } from '../../../src/service/http/http.ts'
import { quoted } from '../../../src/text/text.ts'
import { channels, formerShared } from '../../support/channels.ts'
import { rule } from '../../support/faults.ts'
import {
  brokenPromises,
  deliverTo,
  newFile,
  newWorkspace,
  playDelivery,
  type Scenario,
} from '../../support/model-delivery.ts'
import { ModelHttp, type ModelRule } from '../../support/model-http.ts'
import { response as reply } from '../../support/scripted-service.ts'
import { seeded } from '../../support/seeded.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const { archived, direct, general, notJoined, releases } = channels
const getUrl = 'files.getUploadURLExternal'
const bytes = 'upload-bytes'
const completion = 'files.completeUploadExternal'
const lookup = 'files.info'
const post = 'files.upload'

/**
 * One file to one channel by the external upload, unless said otherwise. The service shares again
 * when a completion is repeated: whoever repeats blindly is found out.
 */
async function play(given: Partial<Scenario> = {}) {
  const scenario: Scenario = {
    method: 'external',
    files: [2_500],
    channels: [general],
    scopes: 'files only',
    rules: [],
    random: seeded(1),
    ...given,
    workspace: { secondCompletion: 'shares again', ...given.workspace },
  }
  const played = await playDelivery(scenario)
  expect(brokenPromises(scenario, played)).toEqual([])
  const count = (target: Target) => played.calls.filter((call) => call.target === target).length
  const { problems, status } = played.report
  return {
    ...played,
    status,
    states: played.postings.map(({ state }) => state).join(' '),
    levels: problems.map(({ level = 'error' }) => level).join(' '),
    titles: problems.map((problem) => quoted(titleOf(problem))),
    text: problems.map((problem) => quoted(problem.text)).join('\n'),
    times: played.workspace.postings().map(({ times }) => times),
    urls: count(getUrl),
    uploads: count(bytes),
    completions: count(completion),
    lookups: count(lookup),
    posts: count(post),
  }
}

/** `within`: milliseconds. */
type Expected = Partial<Omit<Awaited<ReturnType<typeof play>>, 'text'>> & {
  readonly text?: string
  readonly within?: number
}

type Row = readonly [situation: string, scenario: Partial<Scenario>, expected: Expected]

function situations(rows: readonly Row[]): void {
  test.each(rows)(
    '%s',
    async (_, scenario, { text = '', within = Number.POSITIVE_INFINITY, ...expected }) => {
      const played = await play(scenario)
      expect(played).toMatchObject(expected)
      expect(played.text).toContain(text)
      expect(played.milliseconds).toBeLessThan(within)
    },
  )
}

/** What happens to the first calls of a target. */
const on = (target: Target, ...happenings: readonly string[]) =>
  happenings.map((happening, index) => rule(target, index + 1, happening))
/** What happens to all calls of a target, or to those from one number to another. */
const always = (target: Target, happening: string, from = 1, to = 99): readonly ModelRule[] => [
  {
    ...rule(target, from, happening),
    call: Array.from({ length: to - from + 1 }, (_, index) => from + index),
  },
]
const sizes = (count: number) => Array.from({ length: count }, () => 10)
const byFilesUpload = { method: post } as const

describe('A message is posted', () => {
  test('if a lookup shows it in every channel, with ts and permalink of each', async () => {
    const played = await play({ channels: [general, direct], sharing: { milliseconds: 20_000 } })
    expect(played.status).toBe('posted')
    for (const { channel, permalink, ts } of played.postings) {
      expect(ts).toMatch(/^\d{10}\.\d{6}$/)
      expect(permalink).toBe(
        `https://sandbox.example/archives/${channel.id}/p${ts?.replace('.', '')}`,
      )
    }
  })

  test('one after the other: the second is sent when the first was seen', async () => {
    const played = await play({ files: sizes(25), sharing: { milliseconds: 4_000 } })
    expect(played.status).toBe('posted')
    expect(played.workspace.messages.map(({ files }) => files.length)).toEqual([10, 10, 5])
    const published = played.calls.filter(({ target }) => target === completion)
    expect(published.map(({ at }) => Math.floor(at / 4_000))).toEqual([0, 1, 2])
    // The first link comes from the service, the others are built after its pattern.
    expect(played.calls.filter(({ target }) => target === 'chat.getPermalink')).toHaveLength(1)
    expect(played.postings.map(({ permalink = '' }) => permalink)).toEqual(
      played.workspace.messages.map(
        ({ ts }) => `https://sandbox.example/archives/${general}/p${ts.replace('.', '')}`,
      ),
    )
  })

  test('if its channel has another ID since it was shared, by which the record shows it', async () => {
    const { postings, status } = await play({
      channels: [formerShared],
      workspace: { formerIds: 'found' },
    })
    expect([status, postings]).toMatchObject(['posted', [{ channel: { id: formerShared } }]])
  })
})

describe('A message that the service accepted and that does not appear', () => {
  const sharing = { channels: [] }
  situations([
    [
      'is unknown after 60 s',
      { sharing },
      {
        status: 'unknown',
        states: 'unknown',
        titles: ['`sandbox.example` accepted the files, but the message was not seen'],
        text: 'Within 60 s, no message with `report-1.csv` was seen in `C0GENERAL00`',
        completions: 1,
      },
    ],
    [
      'keeps the next from being sent',
      { sharing, files: sizes(11) },
      { states: 'unknown not-sent' },
    ],
  ])
})

describe('A completion is repeated once, if the file was absent for 30 s:', () => {
  const repeated: Expected = { status: 'posted', times: [1], completions: 2 }
  situations([
    ...['reset after it was read', 'file_update_failed'].map<Row>((happening) => [
      happening,
      { rules: on(completion, happening) },
      { ...repeated, urls: 1, uploads: 1 },
    ]),
    [
      'file_not_found, with a new upload',
      { rules: on(completion, 'file_not_found') },
      { ...repeated, urls: 2 },
    ],
    ...['not_in_channel', 'file_not_found'].map<Row>((happening) => [
      `the first may still take effect when the repeat ends with ${happening}`,
      { rules: on(completion, '500', happening), random: seeded(2) },
      { status: 'unknown', completions: 2 },
    ]),
    [
      'and again if it was not sent',
      { rules: on(completion, '500', 'unreachable') },
      { completions: 3, times: [1] },
    ],
    [
      'unless its files cannot be uploaded again',
      {
        rules: [
          ...on(bytes, 'response after 10 s'),
          ...on(completion, 'file_not_found'),
          ...always(bytes, 'redirect', 2),
        ],
      },
      { status: 'unknown', completions: 1 },
    ],
  ])
})

test('A completion is not repeated if the file is there, and visible nowhere', async () => {
  const rules = on(completion, '500 after the effect')
  const played = await play({ rules, sharing: { milliseconds: 75_000 } })
  expect(played).toMatchObject({ status: 'unknown', completions: 1 })
  expect(played.text).toContain('Check `C0GENERAL00` before you run the step again')
})

describe('A refusal', () => {
  situations([
    [
      'by the preflight ends the staging, before large files were uploaded',
      {
        channels: [general, notJoined, archived],
        scopes: 'all',
        rules: on(bytes, 'response after 10 s'),
      },
      {
        status: 'failed',
        titles: ['The app is not in the channel', 'The channel is archived'],
        within: 1_000,
      },
    ],
    [
      'of one of several channels by a service that posts to the others: partial, both named',
      { channels: [general, notJoined, direct], workspace: { wrongChannel: 'fails alone' } },
      {
        status: 'partial',
        states: 'posted not-sent posted',
        text: 'The files are in `C0GENERAL00`, `D0DIRECT000`, but could not be posted to `C0NOTJOINED`',
      },
    ],
    [
      'because the files are gone, after a 429 that posted them',
      {
        rules: [
          { on: completion, call: 1, fault: { kind: 'response', status: 429, effect: true } },
          rule(completion, 2, 'file_not_found'),
        ],
      },
      { status: 'posted', times: [1], urls: 1 },
    ],
    [
      'because an upload URL expired while others were staged: staged once more, and posted',
      {
        files: sizes(11),
        sharing: { milliseconds: 10_000 },
        workspace: { ticketMilliseconds: 5_000 },
      },
      { status: 'posted', uploads: 12 },
    ],
    [
      'that the method is not offered, for a later file, is partial, and no other method is tried',
      { ...byFilesUpload, files: [10, 20, 30], rules: [rule(post, 2, 'not offered')] },
      { status: 'partial', states: 'posted not-sent not-sent' },
    ],
  ])
})

test('files.upload is repeated if it was certainly not carried out', async () => {
  const happenings = ['unreachable', '429 with Retry-After', '429 without Retry-After']
  const rules = on(post, ...happenings, 'ratelimited with 200')
  expect(await play({ ...byFilesUpload, rules })).toMatchObject({ posts: 5, times: [1] })
})

test('A file that arrives empty is uploaded again', async () => {
  const rules = on(bytes, 'none of the bytes kept')
  expect(await play({ rules })).toMatchObject({ status: 'posted', times: [1] })
})

/** Where the behavior of the service is unknown, a rule of the sandbox selects it. */
describe('Whatever the service does where nothing is documented:', () => {
  const recorded = { workspace: { recordBeforeCompletion: 'shown' } } as const
  const both = { channels: [general, releases] }
  const ignored = { completionArguments: { channels: 'ignored', blocks: 'supported' } } as const
  const refused = { completionArguments: { channels: 'refused', blocks: 'supported' } } as const
  const posted: Expected = { status: 'posted', times: [1], completions: 1 }
  const unknown: Expected = { status: 'unknown', completions: 1 }
  situations([
    [
      'posted, a record before',
      { ...recorded, rules: on(completion, 'reset after the effect') },
      posted,
    ],
    // A record that shows no message does not say that there will be none.
    [
      'not posted, a record before',
      { ...recorded, rules: on(completion, 'reset after it was read') },
      unknown,
    ],
    [
      'several channels are ignored',
      { ...both, workspace: ignored },
      { status: 'unknown', times: [] },
    ],
    [
      'several channels are refused',
      { ...both, workspace: refused },
      { status: 'failed', times: [] },
    ],
  ])
})

test.each([
  [300, 2],
  [450, 4],
])(
  '%i files with 100 calls a minute take little longer than the limit allows: %i minutes',
  async (files, minutes) => {
    const limited = {
      ...atOnce,
      callsPerMinute: new Map([getUrl, completion, lookup].map((method) => [method, 100])),
    }
    const { milliseconds, status, urls, workspace } = await play({
      files: sizes(files),
      workspace: limited,
    })
    expect([status, workspace.files.length]).toEqual(['posted', files])
    expect(milliseconds).toBeGreaterThan(minutes * 60_000)
    expect(milliseconds).toBeLessThan(1.1 * minutes * 60_000)
    // When a minute is used up, six calls are under way.
    expect(urls).toBeLessThanOrEqual(files + minutes * 6)
  },
)

/** The delivery of so many files through a gateway, which may answer in place of the service. */
async function playGateway(
  files: number,
  seed: number,
  answer: (now: number) => HttpResponse | undefined,
) {
  const clock = new VirtualClock()
  const random = seeded(seed)
  const model = new ModelHttp(newWorkspace(clock, 'files only'), [], clock, random)
  const send: Http['send'] = async (request) => {
    const instead = answer(clock.now())
    if (instead === undefined) return model.send(request)
    await clock.sleep(20)
    return instead
  }
  const plan = { files: sizes(files).map(newFile), channels: [general] }
  const options = { method: 'external', random, timeoutMilliseconds: 3_600_000 } as const
  const { status } = await clock.play(deliverTo({ send, close: () => {} }, clock, plan, options))
  return { status, milliseconds: clock.now() }
}

test.each([
  { files: 50, headers: {}, seconds: 60, seed: 1 },
  { files: 50, headers: {}, seconds: 60, seed: 2 },
  { files: 50, headers: {}, seconds: 60, seed: 3 },
  { files: 100, headers: { 'retry-after': '10' }, seconds: 450, seed: 1 },
])(
  '$files files pass a gateway that takes 5 requests a second: $headers',
  async ({ files, headers, seconds, seed }) => {
    const passed: number[] = []
    const { milliseconds, status } = await playGateway(files, seed, (now) => {
      if (passed.filter((at) => at > now - 1_000).length >= 5)
        return reply(429, 'Too many requests', headers)
      passed.push(now)
      return undefined
    })
    expect(status).toBe('posted')
    expect(milliseconds).toBeLessThan(1_000 * seconds)
  },
)

test.each([1, 30, 200])('%i files outlast an outage of 15 s', async (files) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { status } = await playGateway(files, seed, (now) =>
      now < 15_000 ? reply(503) : undefined,
    )
    expect(status).toBe('posted')
  }
})

test('A transient failure is retried: the bytes get a new upload URL for each attempt', async () => {
  expect(await play({ rules: on(bytes, '500', '500', '500') })).toMatchObject({
    status: 'posted',
    urls: 4,
  })
})

describe('When the deadline passes', () => {
  const raise = 'Raise `timeout-minutes`'
  const at = (target: Target) => ({
    rules: always(target, 'no response'),
    timeoutMilliseconds: 20_000,
  })
  situations([
    [
      'while files are staged, nothing was posted',
      at(bytes),
      { status: 'failed', within: 20_100, text: raise },
    ],
    [
      'while files wait for others to be sent, it names the host that has one of those',
      { ...at(bytes), files: sizes(64).map(() => 40_000) },
      { status: 'failed', text: '` to `files.sandbox.example`. Can' },
    ],
    [
      'while a message is posted, it is unknown',
      at(completion),
      { status: 'unknown', within: 20_100, text: raise },
    ],
    [
      'while it is confirmed, it is unknown',
      at(lookup),
      { status: 'unknown', within: 20_100, text: raise },
    ],
    [
      'between two messages, the first is posted and the second is not sent',
      {
        files: sizes(11),
        rules: on('chat.getPermalink', 'response after 10 s'),
        timeoutMilliseconds: 5_000,
      },
      { states: 'posted not-sent', titles: ['Timed out after timeout-minutes'] },
    ],
  ])
})

describe('When the run is cancelled', () => {
  const delayed = (target: Target, delay: number) => ({
    rules: [{ on: target, call: 1, delay }],
    cancelledAt: 500,
  })
  situations([
    [
      'a request gets 2 s for its response',
      { ...byFilesUpload, ...delayed(post, 1_000) },
      { status: 'posted' },
    ],
    [
      'nothing is looked up',
      delayed(completion, 10_000),
      { status: 'unknown', lookups: 0, within: 3_000 },
    ],
    [
      'a check that is given up has no other reason',
      { dryRun: true, ...delayed('auth.test', 10_000) },
      { status: 'failed', titles: ['The runner stopped the step'] },
    ],
  ])

  const twoMessages = {
    files: [20, 30, ...sizes(10)],
    channels: [general, direct],
    sharing: { milliseconds: 3_000 },
  }
  test.each([
    ['external', ['failed', 'partial', 'posted', 'unknown']],
    ['files.upload', ['partial', 'unknown']],
  ] as const)(
    'at any moment, by %s, nothing is posted after that, and the report is exact',
    async (method, statuses) => {
      const seen = new Set<string>()
      for (let cancelledAt = 0; cancelledAt < 9_000; cancelledAt += 37) {
        const rules = [rule(post, 3, 'response after 10 s')]
        seen.add((await play({ method, ...twoMessages, rules, cancelledAt })).status)
      }
      expect([...seen].sort()).toEqual(statuses)
    },
  )
})
