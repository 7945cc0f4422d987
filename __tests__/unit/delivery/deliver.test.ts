// Whole deliveries to the sandbox's model, in virtual time.
import { describe, expect, test } from '@jest/globals'
import type { Target } from '../../../sandbox/faults.ts'
import { atOnce } from '../../../sandbox/settings.ts'
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

const { archived, notJoined, ...good } = channels
const { direct, general, releases } = good
const getUrl = 'files.getUploadURLExternal'
const completion = 'files.completeUploadExternal'
const lookup = 'files.info'
const post = 'files.upload'

/**
 * By default, one file to one channel by the external upload. A repeated completion posts again, so
 * a blind repeat is found out.
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
    titles: problems.map((problem) => problem.title),
    text: problems.map((problem) => quoted(problem.text)).join('\n'),
    times: played.workspace.postings().map(({ times }) => times),
    urls: count(getUrl),
    uploads: count('upload-bytes'),
    completions: count(completion),
    lookups: count(lookup),
    posts: count(post),
  }
}

const sizes = (count: number) => Array.from({ length: count }, () => 10)

/** Names of calls in the grid. */
const targets: Readonly<Record<string, Target>> = {
  'upload URL': getUrl,
  bytes: 'upload-bytes',
  completion,
  lookup,
  'files.upload': post,
  link: 'chat.getPermalink',
  check: 'conversations.info',
  app: 'auth.test',
}
const delayed = (target: Target, delay: number) => ({
  rules: [{ on: target, call: 1, delay }],
  cancelledAt: 500,
})
const takesChannels = (channels: 'ignored' | 'refused') => ({
  workspace: { completionArguments: { channels, blocks: 'supported' } } as const,
})
/** Other words in the grid. */
const named: Readonly<Record<string, Partial<Scenario>>> = {
  '11 files': { files: sizes(11) },
  '64 files of 40 kB': { files: sizes(64).map(() => 40_000) },
  'seen nowhere': { sharing: { channels: [] } },
  'seen after 10 s': { sharing: { milliseconds: 10_000 } },
  'seen after 75 s': { sharing: { milliseconds: 75_000 } },
  'other chance': { random: seeded(2) },
  'to two channels': { channels: [general, releases] },
  'also to a channel without the app': { channels: [general, notJoined, direct] },
  'also to two wrong channels': { channels: [general, notJoined, archived], scopes: 'all' },
  'to two channels that are checked': { channels: [general, releases], scopes: 'all' },
  'to six channels that are checked': { channels: Object.values(good), scopes: 'all' },
  'checks take 6 s': { rules: [{ on: 'conversations.info', delay: 6_000 }] },
  'a wrong channel fails alone': { workspace: { wrongChannel: 'fails alone' } },
  '10 files': { files: sizes(10) },
  '100 lookups a minute': { workspace: { callsPerMinute: new Map([[lookup, 100]]) } },
  'upload URLs expire after 5 s': { workspace: { ticketMilliseconds: 5_000 } },
  'a record before the completion': { workspace: { recordBeforeCompletion: 'shown' } },
  'several channels are ignored': takesChannels('ignored'),
  'several channels are refused': takesChannels('refused'),
  '429 to the completion that posts': {
    rules: [
      { on: completion, call: 1, fault: { kind: 'response', status: 429, effect: true } },
      rule(completion, 2, 'file_not_found'),
    ],
  },
  'by files.upload': { method: post },
  'ends after 5 s': { timeoutMilliseconds: 5_000 },
  'ends after 20 s': { timeoutMilliseconds: 20_000 },
  'canceled while files.upload takes 1 s': delayed(post, 1_000),
  'canceled while the completion takes 10 s': delayed(completion, 10_000),
  'canceled while the check of a dry run takes 10 s': {
    dryRun: true,
    ...delayed('auth.test', 10_000),
  },
}

/** `…` after a happening applies it to all later calls. */
function rulesIn(part: string): readonly ModelRule[] {
  const [call = '', happenings = ''] = part.split(': ')
  const target = targets[call]
  if (target === undefined) throw new Error(`Nothing is called ${part}`)
  return happenings.split(', ').map((happening, index) => {
    const first = rule(target, index + 1, happening.replace(' …', ''))
    if (!happening.endsWith(' …')) return first
    return { ...first, call: Array.from({ length: 99 }, (_, later) => index + 1 + later) }
  })
}

function playLine(line: string) {
  const parts = line.split('; ')
  const rules = parts.flatMap((part) => named[part]?.rules ?? (named[part] ? [] : rulesIn(part)))
  return play(Object.assign({}, ...parts.map((part) => named[part]), { rules }))
}

/** States, how often each file is in each channel, calls, and titles of problems. */
async function outcomeOf(line: string): Promise<string> {
  const { milliseconds, postings, status, times, titles, ...counts } = await playLine(line)
  const calls = (['urls', 'uploads', 'completions', 'lookups', 'posts'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${name} ${counts[name]}`)
  return [
    line,
    `${status}: ${postings.map(({ state }) => state).join(' ')} | times: ${times.join(' ') || 'none'}`,
    [...calls, `${Math.floor(milliseconds / 1_000)} s`].join(', '),
    ...titles,
  ].join('\n    ')
}

/** The outcome below each line, except headings. */
async function outcomes(lines: string): Promise<string> {
  const shown = lines
    .trim()
    .split('\n')
    .map((line) => (line.startsWith('#') ? line : outcomeOf(line)))
  return (await Promise.all(shown)).join('\n')
}

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
    // The first link comes from the service, the others are built from it.
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

const deliveries = `
# Accepted, and does not appear: unknown after 60 s, which keeps the next from being sent
seen nowhere
11 files; seen nowhere
# A completion is repeated once, if the file was absent for 30 s
completion: reset after it was read
completion: file_update_failed
10 files; completion: reset after it was read; 100 lookups a minute
# With a new upload, unless its files cannot be uploaded again
completion: file_not_found
bytes: response after 10 s, redirect …; completion: file_not_found
# The first may still take effect when the repeat ends
completion: 500, not_in_channel; other chance
completion: 500, file_not_found; other chance
# And again if it was not sent
completion: 500, unreachable
# But not if the file is there, and visible nowhere
completion: 500 after the effect; seen after 75 s
# A refusal by the preflight ends the staging, before large files were uploaded
also to two wrong channels; bytes: response after 10 s
# Also a late one
also to two wrong channels; checks take 6 s
# What is not needed to post holds it up for 20 s at most, and 5 s for links or the app's name
to two channels that are checked; check: no response …
to six channels that are checked; check: no response …
to two channels that are checked; link: no response …
also to two wrong channels; app: no response …
# Of one of several channels by a service that posts to the others
also to a channel without the app; a wrong channel fails alone
# Because the files are gone, after a 429 that posted them
429 to the completion that posts
# Because an upload URL expired while others were staged: staged once more
11 files; seen after 10 s; upload URLs expire after 5 s
# That the method is not offered, for a later file: no other method is tried
11 files; by files.upload; files.upload: 200, not offered
# What was certainly not carried out is repeated, and so are bytes, each with a new upload URL
by files.upload; files.upload: unreachable, 429 with Retry-After, 429 without Retry-After, ratelimited with 200
bytes: none of the bytes kept
bytes: 500, 500, 500
# Where nothing is documented. A record that shows no message does not say that there will be none
a record before the completion; completion: reset after the effect
a record before the completion; completion: reset after it was read
to two channels; several channels are ignored
to two channels; several channels are refused
# The deadline passes while files are staged: nothing was posted
bytes: no response …; ends after 20 s
# It names the host that has a file, and not one that waits for others to be sent
64 files of 40 kB; bytes: no response …; ends after 20 s
# While a message is posted, or is confirmed, and between two messages
completion: no response …; ends after 20 s
lookup: no response …; ends after 20 s
11 files; link: response after 10 s; ends after 5 s
# After the runner stopped the step, a request gets 2 s, and nothing is looked up
by files.upload; canceled while files.upload takes 1 s
canceled while the completion takes 10 s
canceled while the check of a dry run takes 10 s
`
test('what becomes of a delivery', async () => {
  expect(await outcomes(deliveries)).toMatchInlineSnapshot(`
"# Accepted, and does not appear: unknown after 60 s, which keeps the next from being sent
seen nowhere
    unknown: unknown | times: none
    urls 1, uploads 1, completions 1, lookups 12, 60 s
    Accepted, but the message was not seen
11 files; seen nowhere
    unknown: unknown not-sent | times: none
    urls 11, uploads 11, completions 1, lookups 12, 60 s
    Accepted, but the message was not seen
# A completion is repeated once, if the file was absent for 30 s
completion: reset after it was read
    posted: posted | times: 1
    urls 1, uploads 1, completions 2, lookups 12, 32 s
completion: file_update_failed
    posted: posted | times: 1
    urls 1, uploads 1, completions 2, lookups 12, 32 s
10 files; completion: reset after it was read; 100 lookups a minute
    posted: posted | times: 1 1 1 1 1 1 1 1 1 1
    urls 10, uploads 10, completions 2, lookups 93, 32 s
# With a new upload, unless its files cannot be uploaded again
completion: file_not_found
    posted: posted | times: 1
    urls 2, uploads 2, completions 2, lookups 12, 32 s
bytes: response after 10 s, redirect …; completion: file_not_found
    unknown: unknown | times: none
    urls 2, uploads 2, completions 1, lookups 9, 40 s
    It is unknown whether the message was posted
    The server redirects to another address
# The first may still take effect when the repeat ends
completion: 500, not_in_channel; other chance
    unknown: unknown | times: none
    urls 1, uploads 1, completions 2, lookups 18, 61 s
    It is unknown whether the message was posted
completion: 500, file_not_found; other chance
    unknown: unknown | times: none
    urls 1, uploads 1, completions 2, lookups 18, 61 s
    It is unknown whether the message was posted
# And again if it was not sent
completion: 500, unreachable
    posted: posted | times: 1
    urls 1, uploads 1, completions 3, lookups 12, 33 s
# But not if the file is there, and visible nowhere
completion: 500 after the effect; seen after 75 s
    unknown: unknown | times: 1
    urls 1, uploads 1, completions 1, lookups 12, 60 s
    It is unknown whether the message was posted
# A refusal by the preflight ends the staging, before large files were uploaded
also to two wrong channels; bytes: response after 10 s
    failed: not-sent not-sent not-sent | times: none
    0 s
    The app is not in the channel
    The channel is archived
# Also a late one
also to two wrong channels; checks take 6 s
    failed: not-sent not-sent not-sent | times: none
    12 s
    The app is not in the channel
    The channel is archived
# What is not needed to post holds it up for 20 s at most, and 5 s for links or the app's name
to two channels that are checked; check: no response …
    posted: posted posted | times: 1 1
    urls 1, uploads 1, completions 1, lookups 3, 21 s
to six channels that are checked; check: no response …
    posted: posted posted posted posted posted posted | times: 1 1 1 1 1 1
    urls 1, uploads 1, completions 1, lookups 3, 21 s
to two channels that are checked; link: no response …
    posted: posted posted | times: 1 1
    urls 1, uploads 1, completions 1, lookups 3, 6 s
also to two wrong channels; app: no response …
    failed: not-sent not-sent not-sent | times: none
    5 s
    The app is not in the channel
    The channel is archived
# Of one of several channels by a service that posts to the others
also to a channel without the app; a wrong channel fails alone
    partial: posted not-sent posted | times: 1 1
    urls 1, uploads 1, completions 1, lookups 12, 60 s
    The app is not in the channel
# Because the files are gone, after a 429 that posted them
429 to the completion that posts
    posted: posted | times: 1
    urls 1, uploads 1, completions 2, lookups 2, 1 s
# Because an upload URL expired while others were staged: staged once more
11 files; seen after 10 s; upload URLs expire after 5 s
    posted: posted posted | times: 1 1 1 1 1 1 1 1 1 1 1
    urls 12, uploads 12, completions 3, lookups 23, 51 s
# That the method is not offered, for a later file: no other method is tried
11 files; by files.upload; files.upload: 200, not offered
    partial: posted not-sent not-sent not-sent not-sent not-sent not-sent not-sent not-sent not-sent not-sent | times: 1
    posts 2, 0 s
    The server does not offer this upload method
# What was certainly not carried out is repeated, and so are bytes, each with a new upload URL
by files.upload; files.upload: unreachable, 429 with Retry-After, 429 without Retry-After, ratelimited with 200
    posted: posted | times: 1
    posts 5, 8 s
bytes: none of the bytes kept
    posted: posted | times: 1
    urls 2, uploads 2, completions 1, lookups 3, 2 s
bytes: 500, 500, 500
    posted: posted | times: 1
    urls 4, uploads 4, completions 1, lookups 3, 6 s
# Where nothing is documented. A record that shows no message does not say that there will be none
a record before the completion; completion: reset after the effect
    posted: posted | times: 1
    urls 1, uploads 1, completions 1, lookups 3, 1 s
a record before the completion; completion: reset after it was read
    unknown: unknown | times: none
    urls 1, uploads 1, completions 1, lookups 24, 180 s
    It is unknown whether the message was posted
to two channels; several channels are ignored
    unknown: unknown unknown | times: none
    urls 1, uploads 1, completions 1, lookups 12, 60 s
    Accepted, but the message was not seen
to two channels; several channels are refused
    failed: not-sent not-sent | times: none
    urls 1, uploads 1, completions 1, lookups 9, 30 s
    The service did not accept the request
# The deadline passes while files are staged: nothing was posted
bytes: no response …; ends after 20 s
    failed: not-sent | times: none
    urls 1, uploads 1, 20 s
    Timed out after timeout-minutes
# It names the host that has a file, and not one that waits for others to be sent
64 files of 40 kB; bytes: no response …; ends after 20 s
    failed: not-sent not-sent not-sent not-sent not-sent not-sent not-sent | times: none
    urls 6, uploads 6, 20 s
    Timed out after timeout-minutes
# While a message is posted, or is confirmed, and between two messages
completion: no response …; ends after 20 s
    unknown: unknown | times: none
    urls 1, uploads 1, completions 1, 20 s
    It is unknown whether the message was posted
    Timed out after timeout-minutes
lookup: no response …; ends after 20 s
    unknown: unknown | times: 1
    urls 1, uploads 1, completions 1, lookups 1, 20 s
    Accepted, but the message was not seen
    Timed out after timeout-minutes
11 files; link: response after 10 s; ends after 5 s
    partial: posted not-sent | times: 1 1 1 1 1 1 1 1 1 1
    urls 11, uploads 11, completions 1, lookups 3, 5 s
    Timed out after timeout-minutes
# After the runner stopped the step, a request gets 2 s, and nothing is looked up
by files.upload; canceled while files.upload takes 1 s
    posted: posted | times: 1
    posts 1, 1 s
canceled while the completion takes 10 s
    unknown: unknown | times: 1
    urls 1, uploads 1, completions 1, 2 s
    It is unknown whether the message was posted
    The runner stopped the step
canceled while the check of a dry run takes 10 s
    failed: not-sent | times: none
    2 s
    The runner stopped the step"
`)
})

test.each([
  ['seen nowhere', 'Within 60 s, no message with `report-1.csv` was seen in `C0GENERAL00`'],
  ['completion: 500 after the effect; seen after 75 s', 'Check `C0GENERAL00` before you run'],
  [
    'also to a channel without the app; a wrong channel fails alone',
    'The files are in `C0GENERAL00`, `D0DIRECT000`, but could not be posted to `C0NOTJOINED`',
  ],
  ['64 files of 40 kB; bytes: no response …; ends after 20 s', '` to `files.sandbox.example`. Can'],
  ['completion: no response …; ends after 20 s', 'Raise `timeout-minutes`'],
])('a problem of a delivery says what to know: %s', async (line, text) => {
  expect((await playLine(line)).text).toContain(text)
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
    // At the end of each minute, six calls are under way.
    expect(urls).toBeLessThanOrEqual(files + minutes * 6)
  },
)

/** Delivers `files` files through a gateway that may respond itself. */
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
  for (const seed of [1, 2, 3]) {
    const { status } = await playGateway(files, seed, (now) =>
      now < 15_000 ? reply(503) : undefined,
    )
    expect(status).toBe('posted')
  }
})

describe('When the run is canceled', () => {
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
      for (let cancelledAt = 0; cancelledAt < 9_000; cancelledAt += 61) {
        const rules = [rule(post, 3, 'response after 10 s')]
        seen.add((await play({ method, ...twoMessages, rules, cancelledAt })).status)
      }
      expect([...seen].sort()).toEqual(statuses)
    },
  )
})
