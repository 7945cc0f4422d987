import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../../sandbox/faults.ts'
import { titleOf } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { channels } from '../../support/channels.ts'
import { rule } from '../../support/faults.ts'
import { brokenPromises, type Played, playDelivery, type Scenario } from '../../support/model-delivery.ts'
import { seeded } from '../../support/seeded.ts'

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

describe('A message is posted', () => {
  test('if a lookup shows it in every channel, with ts and permalink of each', async () => {
    const played = await play({ channels: [general, direct], sharing: { milliseconds: 20_000 } })
    expect(played.report.status).toBe('posted')
    for (const { channel, permalink, ts } of played.postings) {
      expect(ts).toMatch(/^\d{10}\.\d{6}$/)
      expect(permalink).toBe(`https://sandbox.example/archives/${channel.id}/p${ts?.replace('.', '')}`)
    }
  })

  test('one after the other: the second is sent when the first was seen', async () => {
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

  test('by files.upload if the response is ok, without a lookup', async () => {
    const played = await play({ method: 'files.upload', files: [40, 50], channels: [general, builds] })
    expect(played.report.status).toBe('posted')
    expect(played.calls.map(({ target }) => target)).toEqual(['files.upload', 'files.upload'])
  })
})

describe('A message that the service accepted and that does not appear', () => {
  const dropped = { sharing: { channels: [] } }

  test('is unknown after 60 s', async () => {
    const played = await play(dropped)
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'unknown' })
    expect(titles(played)).toEqual(['`sandbox.example` accepted the files, but the message has not appeared'])
    expect(text(played)).toContain('After 60 s, no message with `report-1.csv` is visible in `C0GENERAL00`')
    expect(completions(played)).toBe(1)
  })

  test('is accepted with a warning if if-not-confirmed is warn', async () => {
    const { report } = await play({ ...dropped, ifNotConfirmed: 'warn' })
    expect(report).toMatchObject({ status: 'accepted', problems: [{ level: 'warning' }] })
  })

  test('is accepted without a lookup if if-not-confirmed is ignore', async () => {
    const played = await play({ ...dropped, ifNotConfirmed: 'ignore' })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [] })
    expect(calls(played, 'files.info')).toBe(0)
  })

  test('in one of two channels is unknown there and posted in the other', async () => {
    const played = await play({ channels: [general, direct], sharing: { channels: [direct] } })
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'unknown', [direct]: 'posted' })
  })

  test('is unknown also if files.info responds file_deleted', async () => {
    const { call: _, ...deleted } = rule('files.info', 1, 'file_deleted')
    expect((await play({ ...dropped, rules: [deleted] })).report.status).toBe('unknown')
    const { report } = await play({ ...dropped, rules: [deleted], ifNotConfirmed: 'warn' })
    expect(report).toMatchObject({ status: 'accepted', problems: [{ level: 'warning' }] })
  })

  test('keeps the next message from being sent', async () => {
    const played = await play({ ...dropped, files: Array.from({ length: 11 }, () => 10) })
    expect(played.postings.map(({ state }) => state)).toEqual(['unknown', 'not-sent'])
  })
})

describe('A lookup without a result does not fail the step', () => {
  test('without files:read: accepted, with one notice', async () => {
    const played = await play({ scopes: 'upload only', files: Array.from({ length: 11 }, () => 10) })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
    expect(text(played)).toContain('files:read')
    // The scopes of the token came with an answer, so that no look is wasted.
    expect(calls(played, 'files.info')).toBe(0)
  })

  test.each(['500', 'no response', 'truncated response', '429 with Retry-After: a day', 'not offered'])(
    'if every lookup ends with: %s',
    async (happening) => {
      const { call: _, ...always } = rule('files.info', 1, happening)
      const played = await play({ rules: [always] })
      expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
      expect(played.milliseconds).toBeLessThan(130_000)
    },
  )

  test('if it would have to wait for longer than confirming may take', async () => {
    const limited: Fault = { kind: 'response', status: 429, headers: { 'retry-after': '200' } }
    const played = await play({ rules: [{ on: 'files.info', fault: limited }] })
    expect(played.report).toMatchObject({ status: 'accepted', problems: [{ level: 'notice' }] })
    expect(played.milliseconds).toBeLessThan(65_000)
  })

  test('but a message that was seen once is posted, whatever later lookups show', async () => {
    const rules = Array.from({ length: 12 }, (_, index) => rule('files.info', index + 2, '500'))
    const played = await play({ rules, sharing: { channels: [] } })
    expect(played.report.status).toBe('unknown')
  })
})

describe('After a lost response to a completion, lookups decide', () => {
  test.each(['reset after the effect', '500 after the effect', 'no response, after the effect', 'truncated response'])(
    'seen: posted, and not repeated (%s)',
    async (happening) => {
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
    },
  )

  test.each(['reset after it was read', '500', 'no response', 'internal_error'])(
    'absent for 30 s: repeated once, with the same files (%s)',
    async (happening) => {
      const played = await play({ rules: [rule('files.completeUploadExternal', 1, happening)] })
      expect(played.report.status).toBe('posted')
      expect(completions(played)).toBe(2)
      expect(calls(played, 'upload-bytes')).toBe(1)
    },
  )

  test.each(['500', 'not_in_channel', 'unreachable', '429 with Retry-After: a day', 'not offered'])(
    'absent for 30 s, and the repeat ends with %s: unknown, because the first may still take effect',
    async (happening) => {
      const rules = [rule('files.completeUploadExternal', 1, '500'), rule('files.completeUploadExternal', 2, happening)]
      const played = await play({ rules, random: seeded(2) })
      expect(played.report.status).toBe(happening === 'unreachable' ? 'posted' : 'unknown')
      expect(completions(played)).toBe(happening === 'unreachable' ? 3 : 2)
    },
  )

  test('absent for 30 s, and the files cannot be staged again: unknown', async () => {
    const { call: _, ...refused } = rule('upload-bytes', 0, 'redirect')
    const played = await play({
      rules: [
        rule('upload-bytes', 1, 'response after 10 s'),
        rule('files.completeUploadExternal', 1, 'file_not_found'),
        refused,
      ],
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
  })

  test('a file that is visible nowhere: unknown, not repeated', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, '500 after the effect')],
      sharing: { milliseconds: 45_000 },
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
    expect(text(played)).toContain('Check `C0GENERAL00` before you run the step again')
  })

  test('no files:read: unknown, not repeated, and the error names the scope', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, 'reset after it was read')],
      scopes: 'upload only',
    })
    expect(played.report.status).toBe('unknown')
    expect(completions(played)).toBe(1)
    expect(text(played)).toContain('files:read')
  })

  test('seen in one of two channels: posted there, unknown in the other, also with if-not-confirmed: ignore', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, '500 after the effect')],
      channels: [general, direct],
      sharing: { channels: [general] },
      ifNotConfirmed: 'ignore',
    })
    expect(played.report.status).toBe('unknown')
    expect(states(played)).toEqual({ [general]: 'posted', [direct]: 'unknown' })
  })

  test('a file that was seen once is not absent, whatever later lookups show', async () => {
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

  test.each(['500', 'not offered'])('a file is not absent if later lookups end with: %s', async (happening) => {
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
  })

  test('a file that files.info does not know only at the end of an outage is not absent', async () => {
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
    'a file is not absent if another response comes in between: %s',
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

  test('lookups go on after file_deleted', async () => {
    const played = await play({
      rules: [rule('files.completeUploadExternal', 1, 'reset after the effect'), rule('files.info', 1, 'file_deleted')],
    })
    expect(played.report.status).toBe('posted')
  })

  test('a repeat that a 429 asks for comes only after a lookup', async () => {
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

  test.each(['no files in the response', 'one file in the response'])(
    'leads to a lookup of all files: %s',
    async (happening) => {
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
    },
  )
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
  test('of the only channel means that nothing was posted', async () => {
    const played = await play({ channels: [notJoined] })
    expect(played.report.status).toBe('failed')
    expect(calls(played, 'files.info')).toBe(0)
  })

  test('by the preflight ends the staging, before large files were uploaded', async () => {
    const played = await play({
      channels: [general, notJoined, archived],
      scopes: 'all',
      rules: [rule('upload-bytes', 1, 'response after 10 s')],
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

  test('of two of three channels: posted where it was seen, unknown in the others', async () => {
    const played = await play({
      channels: [general, notJoined, archived],
      workspace: { wrongChannel: 'fails alone' },
    })
    expect(states(played)).toEqual({ [general]: 'posted', [notJoined]: 'unknown', [archived]: 'unknown' })
  })

  test('of one of several channels by files.upload, which has no lookup, is unknown', async () => {
    for (const wrongChannel of ['fails alone', 'fails all'] as const) {
      const played = await play({ method: 'files.upload', channels: [general, notJoined], workspace: { wrongChannel } })
      expect(played.report.status).toBe('unknown')
      expect(text(played)).toContain('did not say which of them it means')
    }
  })

  test('because an upload URL expired while others were staged: staged once more, and posted', async () => {
    const files = Array.from({ length: 11 }, () => 10)
    const played = await play({
      files,
      sharing: { milliseconds: 10_000 },
      workspace: { ticketMilliseconds: 5_000 },
    })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'upload-bytes')).toBe(12)
  })

  test('that the method is not offered, for a later file, is partial, and no other method is tried', async () => {
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
    'is repeated if the service certainly did not carry the request out: %s',
    async (happening) => {
      const played = await play({ method: 'files.upload', rules: [rule('files.upload', 1, happening)] })
      expect(played.report.status).toBe('posted')
      expect(calls(played, 'files.upload')).toBe(2)
    },
  )

  test.each(['reset after the effect', '500', '408 after the effect', 'no response', 'a web page with 200'])(
    'is not repeated if its outcome is ambiguous: %s',
    async (happening) => {
      const played = await play({ method: 'files.upload', rules: [rule('files.upload', 1, happening)] })
      expect(played.report.status).toBe('unknown')
      expect(calls(played, 'files.upload')).toBe(1)
      expect(text(played)).toContain('Check `C0GENERAL00` before you run the step again')
    },
  )
})

describe('A file that arrives with another size', () => {
  test.each(['external', 'files.upload'] as const)('fails the step, by %s, and is reported once', async (method) => {
    const on = method === 'external' ? 'upload-bytes' : 'files.upload'
    const played = await play({ method, rules: [rule(on, 1, 'part of the bytes kept')] })
    expect(played.report.status).toBe('partial')
    expect(titles(played)).toEqual(['A file arrived damaged'])
  })
})

describe('A wait that the service asks for', () => {
  test('is kept', async () => {
    const played = await play({ rules: [rule('files.getUploadURLExternal', 1, '429 with Retry-After')] })
    expect(played.report.status).toBe('posted')
    expect(played.calls[1]?.at).toBeGreaterThanOrEqual(3_000)
    expect(played.waits).toMatchObject([{ milliseconds: 3_000 }])
  })

  test('as a date is measured by the clock of the service', async () => {
    const played = await play({ rules: [rule('files.getUploadURLExternal', 1, '429 with a date')] })
    expect(played.calls[1]?.at).toBeGreaterThanOrEqual(20_000)
    expect(played.calls[1]?.at).toBeLessThan(21_000)
  })

  test.each(['external', 'files.upload'] as const)(
    'that does not fit into the remaining time fails at once with an error that names it, by %s',
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
    ['a completion is reconciled', [rule('files.completeUploadExternal', 1, 'no response')], 100_000],
  ] as const)('does not extend the lookups without end while %s', async (_, rules, milliseconds) => {
    const fault = { kind: 'response', status: 429, headers: { 'retry-after': '20' } } as const
    const played = await play({ rules: [...rules, { on: 'files.info', fault }] })
    expect(played.milliseconds).toBeLessThan(milliseconds)
  })

  test('of 0 s still has a backoff', async () => {
    const { call: _, ...always } = rule('files.getUploadURLExternal', 1, '429 with Retry-After: 0')
    const played = await play({ rules: [always] })
    expect(played.report.status).toBe('failed')
    expect(played.calls.length).toBeLessThan(100)
  })

  test('holds for all calls of that method, and is logged once', async () => {
    const files = Array.from({ length: 60 }, () => 10)
    const rules = Array.from({ length: 60 }, (_, index) =>
      rule('files.getUploadURLExternal', index + 1, '429 with Retry-After'),
    )
    const played = await play({ files, rules })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'files.getUploadURLExternal')).toBe(120)
    expect(played.waits).toHaveLength(1)
  })

  test('of 300 files with 100 calls a minute takes at most a tenth longer than the limit allows', async () => {
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

describe('A transient failure', () => {
  test('is retried: the bytes get a new upload URL for each attempt', async () => {
    const played = await play({ rules: [1, 2, 3].map((call) => rule('upload-bytes', call, '500')) })
    expect(played.report.status).toBe('posted')
    expect(calls(played, 'files.getUploadURLExternal')).toBe(4)
  })

  test('that lasts ends the run long before its deadline, with nothing posted', async () => {
    const { call: _, ...always } = rule('files.getUploadURLExternal', 1, '500')
    const played = await play({ rules: [always], files: Array.from({ length: 50 }, () => 10) })
    expect(played.report.status).toBe('failed')
    expect(played.milliseconds).toBeLessThan(60_000)
    expect(completions(played)).toBe(0)
    expect(played.waits.length).toBeLessThan(10)
  })
})

describe('When the deadline passes', () => {
  test.each([
    ['while files are staged', 'upload-bytes', 'failed'],
    ['while a message is posted', 'files.completeUploadExternal', 'unknown'],
    ['while it is confirmed', 'files.info', 'unknown'],
  ] as const)('%s, the report has what is known', async (_when, target, status) => {
    const played = await play({ rules: [rule(target, 1, 'no response')], timeoutMilliseconds: 20_000 })
    expect(played.report.status).toBe(status)
    expect(played.milliseconds).toBeLessThan(20_100)
    expect(text(played)).toContain('Raise `timeout-minutes`')
  })

  test('between two messages, the first is posted and the second is not sent', async () => {
    const played = await play({
      files: Array.from({ length: 11 }, () => 10),
      rules: [rule('chat.getPermalink', 1, 'response after 10 s')],
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
    'at any moment, by %s, nothing is posted after that and the report is exact: %j',
    async (method, statuses) => {
      const seen = new Set<string>()
      for (let cancelledAt = 0; cancelledAt < 9_000; cancelledAt += 37) {
        const played = await play({
          method,
          files: [20, 30, ...Array.from({ length: 10 }, () => 10)],
          channels: [general, direct],
          sharing: { milliseconds: 3_000 },
          rules: [rule('files.upload', 3, 'response after 10 s')],
          cancelledAt,
        })
        seen.add(played.report.status)
      }
      expect([...seen].sort()).toEqual(statuses)
    },
  )

  test('a request that was sent still gets two seconds for its response', async () => {
    const played = await play({
      method: 'files.upload',
      rules: [{ on: 'files.upload', call: 1, delay: 1_000 }],
      cancelledAt: 500,
    })
    expect(played.report.status).toBe('posted')
  })

  test('an ambiguous outcome is not looked up any more', async () => {
    const played = await play({
      rules: [{ on: 'files.completeUploadExternal', call: 1, delay: 10_000 }],
      cancelledAt: 500,
    })
    expect(played.report.status).toBe('unknown')
    expect(calls(played, 'files.info')).toBe(0)
    expect(played.milliseconds).toBeLessThan(3_000)
  })
})
