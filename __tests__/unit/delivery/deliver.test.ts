import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../../sandbox/faults.ts'
import { Deadline } from '../../../src/deadline.ts'
import { type DeliveryResult, deliver } from '../../../src/delivery/deliver.ts'
import { titleOf } from '../../../src/problem.ts'
import type { MessagingService } from '../../../src/service/service.ts'
import { quoted } from '../../../src/text/text.ts'
import { channels } from '../../support/channels.ts'
import { rule } from '../../support/faults.ts'
import { brokenPromises, type Played, playDelivery, type Scenario } from '../../support/model-delivery.ts'
import { seeded } from '../../support/seeded.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'

const { archived, builds, direct, general, notJoined } = channels

/** One file to one channel by the external upload, unless said otherwise. */
async function play(scenario: Partial<Scenario> = {}): Promise<Played> {
  const whole: Scenario = {
    method: 'external',
    files: [2_500],
    channels: [general],
    scopes: 'files only',
    rules: [],
    random: seeded(1),
    ...scenario,
  }
  const played = await playDelivery(whole)
  expect(brokenPromises(whole, played)).toEqual([])
  return played
}

const calls = ({ calls }: Played, target: string) => calls.filter((call) => call.target === target).length
const completions = (played: Played) => calls(played, 'files.completeUploadExternal')
const states = ({ postings }: Played) => Object.fromEntries(postings.map(({ channel, state }) => [channel.id, state]))
const posted = ({ workspace }: Played) => workspace.postings().map(({ channel, times }) => [channel, times])
const titles = ({ report }: Pick<Played, 'report'>) => report.problems.map((problem) => quoted(titleOf(problem)))
const text = ({ report }: Pick<Played, 'report'>) => report.problems.map((problem) => quoted(problem.text)).join('\n')

describe('A message is shown to be posted', () => {
  test('when every channel shows it, with ts and permalink of each', async () => {
    const played = await play({ channels: [general, direct], sharing: { milliseconds: 20_000 } })
    expect(played.report.status).toBe('posted')
    for (const { channel, permalink, ts } of played.postings) {
      expect(ts).toMatch(/^\d{10}\.\d{6}$/)
      expect(permalink).toBe(`https://sandbox.example/archives/${channel.id}/p${ts?.replace('.', '')}`)
    }
  })

  test('one after the other: the second is published when the first is shown', async () => {
    const played = await play({ files: Array.from({ length: 25 }, () => 10), sharing: { milliseconds: 4_000 } })
    expect(played.report.status).toBe('posted')
    expect(played.workspace.messages.map(({ files }) => files.length)).toEqual([10, 10, 5])
    const published = played.calls.filter(({ target }) => target === 'files.completeUploadExternal')
    expect(published.map(({ at }) => Math.floor(at / 4_000))).toEqual([0, 1, 2])
    // The first link comes from the service, the others are built after its pattern.
    expect(calls(played, 'chat.getPermalink')).toBe(1)
    const links = played.postings.map(({ permalink = '' }) => permalink)
    expect(new Set(links).size).toBe(3)
    expect(links).toEqual(
      played.workspace.messages.map(({ ts }) => `https://sandbox.example/archives/${general}/p${ts.replace('.', '')}`),
    )
  })

  test('by files.upload, where the answer says so', async () => {
    const played = await play({ method: 'files.upload', files: [40, 50], channels: [general, builds] })
    expect(played.report.status).toBe('posted')
    expect(played.calls.map(({ target }) => target)).toEqual(['files.upload', 'files.upload'])
  })
})

describe('A message that the service took and that does not show', () => {
  const dropped = { sharing: { channels: [] } }

  test('is red and unknown after a minute', async () => {
    const played = await play(dropped)
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'unknown' })
    expect(titles(played)).toEqual(['`sandbox.example` accepted the files, but the message has not appeared'])
    expect(text(played)).toContain('After 60 s, no message with `report-1.csv` is visible in `C0GENERAL00`')
    expect(completions(played)).toBe(1)
  })

  test('is a warning where that was asked for', async () => {
    const { report } = await play({ ...dropped, ifNotConfirmed: 'warn' })
    expect(report).toMatchObject({ status: 'accepted', problems: [{ level: 'warning' }] })
  })

  test('is not looked for where that was asked for', async () => {
    const played = await play({ ...dropped, ifNotConfirmed: 'ignore' })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [] })
    expect(calls(played, 'files.info')).toBe(0)
  })

  test('in one of the channels is unknown there and posted in the other', async () => {
    const played = await play({ channels: [general, direct], sharing: { channels: [direct] } })
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'unknown', [direct]: 'posted' })
  })

  test('is unknown also if the service says that the file was deleted', async () => {
    const { call: _, ...deleted } = rule('files.info', 1, 'file_deleted')
    expect((await play({ ...dropped, rules: [deleted] })).report.status).toBe('unknown')
    const { report } = await play({ ...dropped, rules: [deleted], ifNotConfirmed: 'warn' })
    expect(report).toMatchObject({ status: 'accepted', problems: [{ level: 'warning' }] })
  })

  test('keeps the next message from being published', async () => {
    const played = await play({ ...dropped, files: Array.from({ length: 11 }, () => 10) })
    expect(played.postings.map(({ state }) => state)).toEqual(['unknown', 'not-sent'])
  })
})

describe('A look that gives no verdict makes no message red', () => {
  test('because the token may not look: accepted, with one notice', async () => {
    const played = await play({ scopes: 'upload only', files: Array.from({ length: 11 }, () => 10) })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
    expect(text(played)).toContain('files:read')
    // The scopes of the token came with an answer, so that no look is wasted.
    expect(calls(played, 'files.info')).toBe(0)
  })

  test.each(['500', 'never answered', 'answer broken off', '429 with Retry-After: a day', 'not offered'])(
    'because every look ends with: %s',
    async (happening) => {
      const { call: _, ...always } = rule('files.info', 1, happening)
      const played = await play({ rules: [always] })
      expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
      expect(played.milliseconds).toBeLessThan(130_000)
    },
  )

  test('because it would have to wait for longer than a proof may take', async () => {
    const limited: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '200' } }
    const played = await play({ rules: [{ on: 'files.info', fault: limited }] })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
    expect(played.milliseconds).toBeLessThan(65_000)
  })

  test('but one that gave a verdict counts, whatever comes after it', async () => {
    const rules = Array.from({ length: 12 }, (_, index) => rule('files.info', index + 2, '500'))
    const played = await play({ rules, sharing: { channels: [] } })
    expect(played.report.status).toBe('unknown')
  })
})

describe('What became of a completion that was not answered is looked up', () => {
  test.each([
    'reset after the effect',
    '500 after the effect',
    'never answered, after the effect',
    'answer broken off',
  ])('it had happened: posted, once (%s)', async (happening) => {
    for (const secondCompletion of ['shares again', 'file_not_found'] as const) {
      const played = await play({
        rules: [rule('files.completeUploadExternal', 1, happening)],
        channels: [general, direct],
        sharing: { milliseconds: 12_000 },
        workspace: { secondCompletion },
      })
      expect(played.report.status).toBe('posted')
      expect(completions(played)).toBe(1)
    }
  })

  test.each(['reset after it was read', '500', 'never answered', 'internal_error'])(
    'it had not: repeated once, with the same files (%s)',
    async (happening) => {
      const played = await play({ rules: [rule('files.completeUploadExternal', 1, happening)] })
      expect(played.report.status).toBe('posted')
      expect(completions(played)).toBe(2)
      expect(calls(played, 'upload-bytes')).toBe(1)
    },
  )

  test.each(['500', 'not_in_channel', 'unreachable', '429 with Retry-After: a day', 'not offered'])(
    'it had not, and the repeat ends with %s: unknown, since the first may still take effect',
    async (happening) => {
      const rules = [rule('files.completeUploadExternal', 1, '500'), rule('files.completeUploadExternal', 2, happening)]
      const played = await play({ rules, random: seeded(2) })
      expect(played.report.status).toBe(happening === 'unreachable' ? 'posted' : 'unknown')
      expect(completions(played)).toBe(happening === 'unreachable' ? 3 : 2)
    },
  )

  test('it had not, and the files cannot be staged again: unknown', async () => {
    const { call: _, ...refused } = rule('upload-bytes', 0, 'redirect')
    const played = await play({
      rules: [
        rule('upload-bytes', 1, 'answered after 10 s'),
        rule('files.completeUploadExternal', 1, 'file_not_found'),
        refused,
      ],
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
  })

  test('the file is there and shows nowhere: unknown, not repeated', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, '500 after the effect')],
      sharing: { milliseconds: 45_000 },
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
    expect(text(played)).toContain('Check `C0GENERAL00` before you run the step again')
  })

  test('the token may not look: unknown, not repeated, with the scope to add', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, 'reset after it was read')],
      scopes: 'upload only',
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
    expect(text(played)).toContain('files:read')
  })

  test('it shows in one of two channels only: posted there, unknown in the other, also without proof', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, '500 after the effect')],
      channels: [general, direct],
      sharing: { channels: [general] },
      ifNotConfirmed: 'ignore',
    })
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'posted', [direct]: 'unknown' })
  })

  test('a file that was seen once is not taken for missing by a later look', async () => {
    const played = await play({
      rules: [
        rule('files.completeUploadExternal', 1, '500 after the effect'),
        ...[2, 3, 4, 5, 6, 7].map((call) => rule('files.info', call, 'file_not_found')),
      ],
      sharing: { milliseconds: 45_000 },
      workspace: { secondCompletion: 'shares again' },
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
  })

  test.each(['500', 'not offered'])(
    'a file that was missing at first is not taken for missing when later looks end with: %s',
    async (happening) => {
      const played = await play({
        rules: [
          rule('files.completeUploadExternal', 1, 'reset after the effect'),
          rule('files.info', 1, 'file_not_found'),
          { ...rule('files.info', 2, happening), call: Array.from({ length: 20 }, (_, index) => index + 2) },
        ],
        workspace: { secondCompletion: 'shares again' },
      })
      expect(played.report.status).toBe('unknown')
      expect(completions(played)).toBe(1)
    },
  )

  test('a file that is missing only at the end of an outage is not taken for missing', async () => {
    const played = await play({
      rules: [
        rule('files.completeUploadExternal', 1, 'reset after the effect'),
        { ...rule('files.info', 1, '500'), call: [1, 2, 3, 4, 5, 6] },
        { ...rule('files.info', 7, 'file_not_found'), call: [7, 8] },
      ],
      workspace: { secondCompletion: 'shares again' },
    })
    expect(played.report.status).toBe('posted')
    expect(completions(played)).toBe(1)
  })

  test.each(['500', 'file_deleted', 'the record of another file'])(
    'a file that is missing before and after something else (%s) is not taken for missing',
    async (happening) => {
      const rules = [
        rule('files.info', 1, 'file_not_found'),
        { ...rule('files.info', 2, happening), call: [2, 3, 4, 5, 6] },
        rule('files.info', 7, 'file_not_found'),
      ]
      const lost = await play({
        rules: [rule('files.completeUploadExternal', 1, '504 as text, after the effect'), ...rules],
        workspace: { secondCompletion: 'shares again' },
      })
      expect([lost.report.status, completions(lost)]).toEqual(['posted', 1])
      const refused = await play({ channels: [general, notJoined], rules, workspace: { wrongChannel: 'fails alone' } })
      expect(refused.report.status).toBe('partial')
    },
  )

  test('a lookup that says that the file was deleted is not the last one', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, 'reset after the effect'), rule('files.info', 1, 'file_deleted')],
    })
    expect(played.report.status).toBe('posted')
  })

  test('a repeat that the service itself asks for comes only after a lookup', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, 'file_update_failed after the effect')],
      workspace: { secondCompletion: 'shares again' },
    })
    expect(played.report.status).toBe('posted')
    expect(posted(played)).toEqual([[general, 1]])
  })
})

describe('A response that does not list all files', () => {
  const files = [10, 20, 30]

  test.each(['no files in the response', 'one file in the response'])('has them looked up: %s', async (happening) => {
    for (const ifNotConfirmed of ['error', 'ignore'] as const) {
      const rules = [rule('files.completeUploadExternal', 1, happening)]
      const played = await play({ files, rules, ifNotConfirmed })
      expect(played.report.status).toBe('posted')
      expect(calls(played, 'files.info')).toBeGreaterThanOrEqual(3)
      const hidden = { ...rule('files.info', 1, 'file_not_found'), call: Array.from({ length: 99 }, (_, i) => i + 1) }
      expect((await play({ files, rules: [...rules, hidden], ifNotConfirmed })).report.status).toBe('unknown')
      const blind = await play({ files, rules, ifNotConfirmed, scopes: 'upload only' })
      expect(blind.report.status).toBe('unknown')
      expect(text(blind)).toContain('files:read')
    }
  })
})

describe('A redirect or a conflict after the files were posted', () => {
  test.each([
    '302 after the effect',
    '303 after the effect',
    '304 after the effect',
    '409 after the effect',
    'already_posted after the effect',
  ])('is ambiguous: %s', async (happening) => {
    const external = await play({
      rules: [rule('files.completeUploadExternal', 1, happening)],
      workspace: { secondCompletion: 'shares again' },
    })
    expect([external.report.status, completions(external)]).toEqual(['posted', 1])
    const other = await play({ method: 'files.upload', rules: [rule('files.upload', 1, happening)] })
    expect([other.report.status, calls(other, 'files.upload')]).toEqual(['unknown', 1])
  })
})

describe('A refusal', () => {
  test('of the only channel is certain', async () => {
    const played = await play({ channels: [notJoined] })
    expect(played.report.status).toBe('failed')
    expect(calls(played, 'files.info')).toBe(0)
  })

  test('that is known beforehand ends the staging: nobody waits for large files that go nowhere', async () => {
    const played = await play({
      channels: [general, notJoined, archived],
      scopes: 'all',
      rules: [rule('upload-bytes', 1, 'answered after 10 s')],
    })
    expect(played.report.status).toBe('failed')
    expect(titles(played)).toEqual(['The app is not in the channel', 'The channel is archived'])
    expect(played.milliseconds).toBeLessThan(1_000)
  })

  test('of one of several channels by a service that then posts to none: nothing was posted', async () => {
    const played = await play({ channels: [general, notJoined] })
    expect(played.report.status).toBe('failed')
  })

  test('of one of several channels by a service that posts to the others: partial, both named', async () => {
    const played = await play({ channels: [general, notJoined, direct], workspace: { wrongChannel: 'fails alone' } })
    expect(played.report.status).toBe('partial')
    expect(states(played)).toEqual({ [general]: 'posted', [notJoined]: 'not-sent', [direct]: 'posted' })
    expect(text(played)).toContain(
      'The files are in `C0GENERAL00`, `D0DIRECT000`, but could not be posted to `C0NOTJOINED`',
    )
  })

  test('of more than one leaves open which: unknown where it does not show', async () => {
    const played = await play({
      channels: [general, notJoined, archived],
      workspace: { wrongChannel: 'fails alone' },
    })
    expect(states(played)).toEqual({ [general]: 'posted', [notJoined]: 'unknown', [archived]: 'unknown' })
  })

  test('of one of several channels by files.upload, where no look can be taken, is unknown', async () => {
    for (const wrongChannel of ['fails alone', 'fails all'] as const) {
      const played = await play({ method: 'files.upload', channels: [general, notJoined], workspace: { wrongChannel } })
      expect(played.report.status).toBe('unknown')
      expect(text(played)).toContain('did not say which of them it means')
    }
  })

  test('because a ticket expired while others were staged: staged once more, and posted', async () => {
    const files = Array.from({ length: 11 }, () => 10)
    const played = await play({
      files,
      sharing: { milliseconds: 10_000 },
      workspace: { ticketMilliseconds: 5_000 },
    })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'upload-bytes')).toBe(12)
  })

  test('that says "not offered" of a later file is partial, and another method is not tried', async () => {
    const played = await play({
      method: 'files.upload',
      files: [10, 20, 30],
      rules: [rule('files.upload', 2, 'not offered')],
    })
    expect(played.report.status).toBe('partial')
    expect(played.postings.map(({ state }) => state)).toEqual(['posted', 'not-sent', 'not-sent'])
  })
})

describe('files.upload', () => {
  test.each(['unreachable', '429 with Retry-After', '429 without Retry-After', 'ratelimited with 200'])(
    'is repeated when the service certainly did not take the request: %s',
    async (happening) => {
      const played = await play({ method: 'files.upload', rules: [rule('files.upload', 1, happening)] })
      expect(played.report.status).toBe('posted')
      expect(calls(played, 'files.upload')).toBe(2)
    },
  )

  test.each(['reset after the effect', '500', '408 after the effect', 'never answered', 'a web page with 200'])(
    'is not repeated when its outcome is unknown: %s',
    async (happening) => {
      const played = await play({ method: 'files.upload', rules: [rule('files.upload', 1, happening)] })
      expect(played.report.status).toBe('unknown')
      expect(calls(played, 'files.upload')).toBe(1)
      expect(text(played)).toContain('Check `C0GENERAL00` before you run the step again')
    },
  )
})

describe('A file that arrives with another size', () => {
  test.each(['external', 'files.upload'] as const)('is red, by %s, and told once', async (method) => {
    const on = method === 'external' ? 'upload-bytes' : 'files.upload'
    const played = await play({ method, rules: [rule(on, 1, 'part of the bytes kept')] })
    expect(played.report.status).toBe('partial')
    expect(titles(played)).toEqual(['A file arrived damaged'])
  })
})

describe('What the service asks to wait', () => {
  test('is waited', async () => {
    const played = await play({ rules: [rule('files.getUploadURLExternal', 1, '429 with Retry-After')] })
    expect(played.report.status).toBe('posted')
    expect(played.calls[1]?.at).toBeGreaterThanOrEqual(3_000)
    expect(played.waits).toMatchObject([{ milliseconds: 3_000 }])
  })

  test('as a date is compared with the clock of the service', async () => {
    const played = await play({ rules: [rule('files.getUploadURLExternal', 1, '429 with a date')] })
    expect(played.calls[1]?.at).toBeGreaterThanOrEqual(20_000)
    expect(played.calls[1]?.at).toBeLessThan(21_000)
  })

  test.each(['external', 'files.upload'] as const)(
    'and does not fit into the time that is left fails at once and says so, by %s',
    async (method) => {
      const on = method === 'external' ? 'files.completeUploadExternal' : 'files.upload'
      const played = await play({ method, rules: [rule(on, 1, '429 with Retry-After: a day')] })
      expect(played.report.status).toBe('failed')
      expect(played.milliseconds).toBeLessThan(1_000)
      expect(text(played)).toContain('asks to wait 86,400 s')
    },
  )

  test.each([
    ['a message is confirmed', [], 125_000],
    ['a completion is reconciled', [rule('files.completeUploadExternal', 1, 'never answered')], 100_000],
  ] as const)('does not extend the lookups without end while %s', async (_, rules, milliseconds) => {
    const fault = { kind: 'response', status: 429, headers: { 'retry-after': '20' } } as const
    const played = await play({ rules: [...rules, { on: 'files.info', fault }] })
    expect(played.milliseconds).toBeLessThan(milliseconds)
  })

  test('for no time at all is no invitation to ask as fast as it answers', async () => {
    const { call: _, ...always } = rule('files.getUploadURLExternal', 1, '429 with Retry-After: 0')
    const played = await play({ rules: [always] })
    expect(played.report.status).toBe('failed')
    expect(played.calls.length).toBeLessThan(100)
  })

  test('holds for all calls of that method, and is told once', async () => {
    const files = Array.from({ length: 60 }, () => 10)
    const rules = Array.from({ length: 60 }, (_, index) =>
      rule('files.getUploadURLExternal', index + 1, '429 with Retry-After'),
    )
    const played = await play({ files, rules })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'files.getUploadURLExternal')).toBe(120)
    expect(played.waits).toHaveLength(1)
  })

  test('300 files where 100 calls a minute are allowed take hardly longer than that allows', async () => {
    const files = Array.from({ length: 300 }, () => 10)
    const callsPerMinute = new Map(
      ['files.getUploadURLExternal', 'files.completeUploadExternal', 'files.info'].map((method) => [method, 100]),
    )
    const played = await play({ files, workspace: { callsPerMinute } })
    expect(played.report.status).toBe('posted')
    expect(played.workspace.files).toHaveLength(300)
    expect(played.milliseconds).toBeLessThan(1.1 * 120_000)
    // Two windows close, with 64 calls under way each.
    expect(calls(played, 'files.getUploadURLExternal')).toBeLessThanOrEqual(300 + 2 * 64)
  })
})

describe('A failure that passes', () => {
  test('is waited out: a ticket and its bytes are repeated, the bytes with a new ticket', async () => {
    const played = await play({ rules: [1, 2, 3].map((call) => rule('upload-bytes', call, '500')) })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'files.getUploadURLExternal')).toBe(4)
  })

  test('and does not pass ends the run long before its time, with nothing posted', async () => {
    const { call: _, ...always } = rule('files.getUploadURLExternal', 1, '500')
    const played = await play({ rules: [always], files: Array.from({ length: 50 }, () => 10) })
    expect(played.report.status).toBe('failed')
    expect(played.milliseconds).toBeLessThan(60_000)
    expect(completions(played)).toBe(0)
    expect(played.waits.length).toBeLessThan(10)
  })
})

describe('When the time is over', () => {
  test.each([
    ['while files are staged', 'upload-bytes', 'failed'],
    ['while a message is published', 'files.completeUploadExternal', 'unknown'],
    ['while it is proved', 'files.info', 'unknown'],
  ] as const)('%s, the report says what is known', async (_when, target, status) => {
    const played = await play({ rules: [rule(target, 1, 'never answered')], timeoutMilliseconds: 20_000 })
    expect(played.report.status).toBe(status)
    expect(played.milliseconds).toBeLessThan(20_100)
    expect(text(played)).toContain('Raise `timeout-minutes`')
  })

  test('between two messages, the first stands and the second is not sent', async () => {
    const played = await play({
      files: Array.from({ length: 11 }, () => 10),
      rules: [rule('chat.getPermalink', 1, 'answered after 10 s')],
      timeoutMilliseconds: 5_000,
    })
    expect(played.postings.map(({ state }) => state)).toEqual(['posted', 'not-sent'])
    expect(titles(played)).toEqual(['Timed out after timeout-minutes'])
  })
})

describe('When the run is cancelled', () => {
  test.each([
    ['external', ['failed', 'partial', 'posted', 'unknown']],
    ['files.upload', ['partial', 'unknown']],
  ] as const)(
    'at any moment, by %s, nothing is published after that and the report is exact: %j',
    async (method, statuses) => {
      const seen = new Set<string>()
      for (let cancelledAt = 0; cancelledAt < 9_000; cancelledAt += 37) {
        const played = await play({
          method,
          files: [20, 30, ...Array.from({ length: 10 }, () => 10)],
          channels: [general, direct],
          sharing: { milliseconds: 3_000 },
          rules: [rule('files.upload', 3, 'answered after 10 s')],
          cancelledAt,
        })
        seen.add(played.report.status)
      }
      expect([...seen].sort()).toEqual(statuses)
    },
  )

  test('what is under way may still be answered for a moment', async () => {
    const played = await play({
      method: 'files.upload',
      rules: [{ on: 'files.upload', call: 1, delay: 1_000 }],
      cancelledAt: 500,
    })
    expect(played.report.status).toBe('posted')
  })

  test('an unknown outcome is not settled any more', async () => {
    const played = await play({
      rules: [{ on: 'files.completeUploadExternal', call: 1, delay: 10_000 }],
      cancelledAt: 500,
    })
    expect(played.report.status).toBe('unknown')
    expect(calls(played, 'files.info')).toBe(0)
    expect(played.milliseconds).toBeLessThan(3_000)
  })
})

describe('A fault of the action itself', () => {
  const service: MessagingService = {
    method: 'external',
    preflightFirst: false,
    limits: { filesPerMessage: 1, minFileBytes: 0, commentGoesWith: 'each message' },
    resolve: async (requested) => requested.map((id) => ({ id, requested: id })),
    preflight: async () => ({ findings: [], problems: [] }),
    findPosted: async () => ({ uploads: [] }),
    lookupProblem: undefined,
    stage: async (file) => ({ file }),
    post: async ({ channels, files }) => ({
      postings: channels.map((channel) => ({ channel, state: 'posted', ts: '1760688662.900279' })),
      files,
      problems: [],
    }),
  }

  async function run(part: Partial<MessagingService>): Promise<{ report: DeliveryResult; milliseconds: number }> {
    const clock = new VirtualClock()
    const deadline = new Deadline(clock, 60_000)
    const file = (name: string) => ({
      real: `/${name}`,
      path: name,
      name,
      size: 1,
      dev: 1,
      ino: 1,
      modifiedMilliseconds: 0,
      pattern: '*',
    })
    const plan = {
      files: [file('a.csv'), file('b.csv')],
      channels: [general],
      commentFor: () => undefined,
      ifNotConfirmed: 'error',
      dryRun: false,
    } as const
    const report = await clock.play(deliver(plan, { ...service, ...part }, deadline))
    return { report, milliseconds: clock.now() }
  }

  const bug = async () => {
    throw new TypeError('undefined is not a function')
  }
  const hang = () => new Promise<never>(() => {})

  test('that posts a message loses nothing of what is known', async () => {
    const { report } = await run({ post: bug })
    expect(report.status).toBe('unknown')
    expect(report.messages.flatMap(({ postings }) => postings.map(({ state }) => state))).toEqual([
      'unknown',
      'not-sent',
    ])
    expect(text({ report })).toContain('undefined is not a function')
  })

  test.each(['resolve', 'stage', 'preflight'] as const)('in %s posts nothing', async (part) => {
    const { report } = await run({ [part]: bug })
    expect(report.status).toBe('failed')
  })

  test.each([
    ['resolve', 'failed'],
    ['stage', 'failed'],
    ['preflight', 'failed'],
    ['post', 'unknown'],
  ] as const)('that hangs in %s does not outlast the time of the step', async (part, status) => {
    const { milliseconds, report } = await run({ [part]: hang })
    expect(report.status).toBe(status)
    expect(milliseconds).toBe(61_000)
    expect(titles({ report })).toContain('Timed out after timeout-minutes')
  })
})
