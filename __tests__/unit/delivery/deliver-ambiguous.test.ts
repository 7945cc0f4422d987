// Responses that do not say whether the files were posted: they are looked up, and never answered by a blind repeat.
import { describe, expect, test } from '@jest/globals'
import type { Fault } from '../../../sandbox/faults.ts'
import { channels } from '../../support/channels.ts'
import { rule } from '../../support/faults.ts'
import { brokenPromises, playDelivery, type Scenario } from '../../support/model-delivery.ts'
import type { ModelRule } from '../../support/model-http.ts'
import { seeded } from '../../support/seeded.ts'

const { direct, general, notJoined, releases } = channels
const completion = 'files.completeUploadExternal'

/** The service shares again when a completion is repeated: whoever repeats blindly is found out. */
async function play(given: Partial<Scenario>) {
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
  const count = (target: string) => played.calls.filter((call) => call.target === target).length
  return {
    status: played.report.status,
    states: played.postings.map(({ state }) => state),
    times: played.workspace.postings().map(({ times }) => times),
    completions: count(completion),
    uploads: count('files.getUploadURLExternal'),
    posts: count('files.upload'),
    lookups: count('files.info'),
  }
}

const response = (status: number, more: Partial<Fault & { kind: 'response' }> = {}): Fault => ({
  kind: 'response',
  status,
  ...more,
})

describe('A completion that may have been carried out', () => {
  test.each([
    'file_not_found after the effect',
    'file_update_failed after the effect',
    'service_unavailable after the effect',
    'internal_error after the effect',
  ])('is not repeated if the files are there: %s', async (happening) => {
    expect(await play({ rules: [rule(completion, 1, happening)] })).toMatchObject({
      status: 'posted',
      times: [1],
      completions: 1,
    })
  })

  test.each(['file_not_found', 'channel_not_found', '404 with a web page'])(
    'and was rate limited is looked up when its repeat is refused: %s',
    async (happening) => {
      const limited = { on: completion, call: 1, fault: response(429, { effect: true }) } as const
      const fault: Fault = { kind: 'error', code: happening }
      const isCode = /^\w+$/.test(happening)
      const second: ModelRule = isCode ? { on: completion, call: 2, fault } : rule(completion, 2, happening)
      expect(await play({ rules: [limited, second] })).toMatchObject({ status: 'posted', times: [1], uploads: 1 })
    },
  )

  test.each([
    ['file_update_failed', rule(completion, 1, 'file_update_failed'), 1],
    [
      'a status that contradicts the body',
      { on: completion, call: 1, fault: response(400, { body: { json: { ok: true } }, effect: false }) },
      1,
    ],
    ['file_not_found, with a new upload', rule(completion, 1, 'file_not_found'), 2],
  ] as const)('is repeated if the file is absent for 30 s: %s', async (_, first, uploads) => {
    const played = await play({ rules: [first] })
    expect(played).toMatchObject({ status: 'posted', times: [1], completions: 2, uploads })
    expect(played.lookups).toBeGreaterThanOrEqual(7)
  })

  test('is not repeated without files:read', async () => {
    const rules = [rule(completion, 1, 'file_not_found')]
    expect(await play({ rules, scopes: 'upload only' })).toMatchObject({ status: 'unknown', times: [], completions: 1 })
  })

  test('is repeated only once, and is unknown if the repeat is refused, too', async () => {
    const rules = [rule(completion, 1, 'reset after it was read'), rule(completion, 2, 'file_not_found')]
    expect(await play({ rules })).toMatchObject({ status: 'unknown', states: ['unknown'], completions: 2 })
  })

  test.each(['an undocumented code, after the effect', 'cannot_dm_bot after the effect', '403 after the effect'])(
    'for several channels is looked up although it was refused: %s',
    async (happening) => {
      const scenario = { channels: [releases, general], sharing: { channels: [general] } }
      const played = await play({ ...scenario, rules: [rule(completion, 1, happening)] })
      expect(played).toMatchObject({ status: 'unknown', states: ['unknown', 'posted'] })
    },
  )

  test('for several channels, of which one is refused, is final after 30 s of lookups', async () => {
    expect(await play({ channels: [general, notJoined] })).toMatchObject({ status: 'failed', times: [], lookups: 7 })
  })

  test('for several channels, with a token that is refused, is final at once', async () => {
    const rules = [{ on: completion, fault: { kind: 'error', code: 'token_revoked' } }] as const
    expect(await play({ channels: [general, releases], rules })).toMatchObject({ status: 'failed', lookups: 0 })
  })

  test.each([0, 1])('is posted where the record lists the channel, with %i of the messages', async (maxShares) => {
    const rules = [rule(completion, 1, 'internal_error after the effect')]
    const played = await play({ channels: [general, direct], rules, workspace: { maxShares } })
    expect(played).toMatchObject({ status: 'posted', states: ['posted', 'posted'], completions: 1 })
  })
})

describe('files.upload has no lookup', () => {
  test.each([
    ['one channel', 'file_update_failed after the effect'],
    ['one channel', 'service_unavailable after the effect'],
    ['several channels', 'an undocumented code, after the effect'],
    ['several channels', 'cannot_dm_bot after the effect'],
    ['several channels', '403 after the effect'],
    ['several channels', '404 with an error in JSON, after the effect'],
  ])('so the outcome is unknown: %s, %s', async (where, happening) => {
    const wanted = where === 'one channel' ? [general] : [general, releases]
    const rules = [rule('files.upload', 1, happening)]
    expect(await play({ method: 'files.upload', channels: wanted, rules })).toMatchObject({
      status: 'unknown',
      states: wanted.map(() => 'unknown'),
      times: wanted.map(() => 1),
      posts: 1,
    })
  })

  test.each<readonly [string, Fault]>([
    ['the token', { kind: 'error', code: 'invalid_auth' }],
    ['a scope', { kind: 'error', code: 'missing_scope' }],
    ['the size', response(413)],
    ['a redirect', { kind: 'redirect', status: 307 }],
    ['the method', { kind: 'error', code: 'method_deprecated' }],
  ])('but a refusal about %s is certain for every channel', async (_, fault) => {
    const rules = [{ on: 'files.upload', fault }] as const
    expect(await play({ method: 'files.upload', channels: [general, releases], rules })).toMatchObject({
      status: 'failed',
      times: [],
    })
  })
})

/** Where the behavior of the service is unknown, a rule of the sandbox selects it. */
describe('Whatever the service does where nothing is documented', () => {
  test.each([
    ['file_not_found', 'reset after the effect', { status: 'posted', times: [1], completions: 1 }],
    ['shown', 'reset after the effect', { status: 'posted', times: [1], completions: 1 }],
    ['file_not_found', 'reset after it was read', { status: 'posted', times: [1], completions: 2 }],
    // A record that shows no message does not say that there will be none.
    ['shown', 'reset after it was read', { status: 'unknown', times: [], completions: 1 }],
  ] as const)(
    'a completion that is lost is not repeated blindly: record before it %s, %s',
    async (record, happening, expected) => {
      const workspace = { recordBeforeCompletion: record }
      expect(await play({ rules: [rule(completion, 1, happening)], workspace })).toMatchObject(expected)
    },
  )

  test.each([
    ['ignored', 'unknown'],
    ['refused', 'failed'],
  ] as const)(
    'several channels that are %s are no success, and one channel is sent without them',
    async (how, status) => {
      const workspace = { completionArguments: { channels: how, blocks: 'supported' } } as const
      expect(await play({ channels: [general, releases], workspace })).toMatchObject({ status, times: [] })
      expect(await play({ workspace })).toMatchObject({ status: 'posted', times: [1] })
    },
  )
})
