import { describe, expect, test } from '@jest/globals'
import type { DeliveryResult } from '../../../src/delivery/deliver.ts'
import type { Posting } from '../../../src/service/service.ts'
import { quoted } from '../../../src/text/text.ts'
import { channels } from '../../support/channels.ts'
import { rule } from '../../support/faults.ts'
import { brokenRerunPromises, type PlayedAttempt, playRun, type RerunScenario } from '../../support/model-rerun.ts'
import { seeded } from '../../support/seeded.ts'

const { builds, direct, general, releases } = channels

async function play(scenario: Partial<RerunScenario>): Promise<readonly PlayedAttempt[]> {
  const whole: RerunScenario = {
    files: [40, 50],
    channels: [general, releases],
    scopes: 'files only',
    attempts: [{}, {}],
    random: seeded(1),
    ...scenario,
  }
  const played = await playRun(whole)
  expect(brokenRerunPromises(whole, played)).toEqual([])
  return played.attempts
}

const sizes = (count: number) => Array.from({ length: count }, (_, index) => index + 10)
const uploads = ({ calls }: PlayedAttempt) =>
  calls.filter(({ target }) => target === 'files.getUploadURLExternal').length
const times = ({ times: all }: PlayedAttempt) => [...all.values()]
const warnings = (report: DeliveryResult | undefined) =>
  report?.problems
    .filter(({ level }) => level === 'warning')
    .map(({ text, title }) => `${title}\n${quoted(text)}`)
    .join('\n') ?? ''

describe('Whichever request the first attempt is killed at', () => {
  // A message holds ten files.
  test.each([
    [2, 3],
    [10, 2],
    [12, 3],
  ])(
    'of %i files to %i channels, each is there once in the end',
    async (count, some) => {
      const scenario = { files: sizes(count), channels: [general, releases, direct].slice(0, some) }
      const [whole] = await play({ ...scenario, attempts: [{}] })
      const requests = whole?.calls.length ?? 0
      expect(requests).toBeGreaterThan(2 * count)
      for (let killedAt = 1; killedAt <= requests; killedAt += 1) {
        const completes = whole?.calls[killedAt - 1]?.target === 'files.completeUploadExternal'
        for (const effect of completes ? [true, false] : [true]) {
          const attempts = await play({ ...scenario, attempts: [{ killedAt, effect }, {}, {}] })
          const [killed, second, third] = attempts
          expect(killed?.report).toBeUndefined()
          for (const attempt of [second, third]) {
            expect(attempt?.report?.status).toBe('posted')
            expect(times(attempt as PlayedAttempt)).toEqual(Array.from({ length: count * some }, () => 1))
          }
          expect(uploads(third as PlayedAttempt)).toBe(0)
          expect(warnings(third?.report)).toBe('')
        }
      }
    },
    120_000,
  )
})

test('However few lookups a minute the service allows, nothing is posted twice', async () => {
  const workspace = { callsPerMinute: new Map([['files.info', 20]]) }
  const [, second] = await play({ files: sizes(100), channels: [general], workspace })
  expect([second?.report?.status, uploads(second as PlayedAttempt)]).toEqual(['posted', 0])
})

describe('An attempt that posts in a thread', () => {
  const threadTs = '1799999999.000100'
  const thread = { channels: [general], threadTs }

  test('looks until the record says which thread a file is in', async () => {
    const late = { ...rule('files.info', 1, 'shares that are not there yet'), call: [1, 2, 3, 4] }
    const [, second] = await play({ ...thread, attempts: [{}, { rules: [late] }] })
    expect([second?.report?.status, uploads(second as PlayedAttempt)]).toEqual(['posted', 0])
    expect(warnings(second?.report)).toBe('')
  })

  test('posts again, with a warning, if the record never does', async () => {
    const [, second] = await play({ ...thread, files: sizes(1), workspace: { maxShares: 0 } })
    expect([second?.report?.status, uploads(second as PlayedAttempt)]).toEqual(['posted', 1])
    expect(warnings(second?.report)).toContain('`files.info` did not say in which thread a file is')
  })
})

test('An attempt with a token for a whole organization finds what an earlier one posted', async () => {
  const [, second] = await play({ organizationWide: true })
  expect([second?.report?.status, uploads(second as PlayedAttempt)]).toEqual(['posted', 0])
})

describe('Files that are missing in some channels', () => {
  test('are posted there only, with the comment, and are then found in two uploads', async () => {
    const shown = { milliseconds: 0, lookups: 0 }
    const scenario: RerunScenario = {
      files: sizes(12),
      channels: [general, builds],
      scopes: 'files only',
      sharing: { channels: [general] },
      attempts: [{}, { workspace: { sharing: { ...shown, channels: 'all' } } }, {}],
      random: seeded(1),
    }
    const { attempts, workspace } = await playRun(scenario)
    expect(attempts.map(({ report }) => report?.status)).toEqual(['unknown', 'posted', 'posted'])
    expect(workspace.messages.map(({ blocks, channel, files }) => [channel, files.length, blocks?.length])).toEqual([
      [general, 10, 1],
      // Nothing of the second message of the first attempt was posted anywhere.
      [builds, 10, 1],
      [general, 2, undefined],
      [builds, 2, undefined],
    ])
    const [, second, third] = attempts
    expect(second?.report?.messages.map(({ files, postings }) => [files.length, postings.map(stateOf)])).toEqual([
      [10, [`${general} earlier`]],
      [10, [`${builds} posted`]],
      [2, [`${general} posted`, `${builds} posted`]],
    ])
    expect(uploads(third as PlayedAttempt)).toBe(0)
    // One lookup for each upload: together they show every file in every channel.
    expect(third?.calls.filter(({ target }) => target === 'files.info')).toHaveLength(10 + 10 + 2)
  })
})

const stateOf = ({ channel, earlier, state }: Posting) => `${channel.id} ${earlier ? 'earlier' : state}`

describe('What may be there twice is warned of', () => {
  test('if the list is late', async () => {
    const [, second] = await play({ listing: { milliseconds: 1_000_000 } })
    expect(times(second as PlayedAttempt)).toEqual([2, 2, 2, 2])
    expect(warnings(second?.report)).toContain('`report-1.csv`, `photo-2.jpg` in `C0GENERAL00`, `C0RELEASES0`')
  })

  test('if the attempt ends while it looks: then it is unknown what is there', async () => {
    const [, second] = await play({ sharing: { milliseconds: 300_000 }, attempts: [{}, { cancelledAt: 1_000 }] })
    expect(second?.report?.status).toBe('unknown')
    expect(warnings(second?.report)).toContain('the run ended before that')
  })

  test('without files:read: by the first attempt already', async () => {
    const [first, second] = await play({ scopes: 'upload only' })
    expect(first?.calls.map(({ target }) => target)).not.toContain('files.list')
    expect(warnings(first?.report)).toMatch(/will post everything again\n.*the token lacks `files:read`/)
    expect(warnings(second?.report)).toContain('the token lacks `files:read`')
    expect(times(second as PlayedAttempt)).toEqual([2, 2, 2, 2])
  })
})
