import type { Target } from '../../sandbox/faults.ts'
import { happenings, rule } from './faults.ts'
import {
  badChannels,
  brokenPromises,
  goodChannels,
  type Played,
  playDelivery,
  type Scenario,
} from './model-delivery.ts'
import type { ModelRule } from './model-http.ts'
import { isImpossible, randomWorld } from './model-worlds.ts'
import { choices, seeded } from './seeded.ts'

/** The delivery of a seed. */
function randomScenario(seed: number): Scenario {
  const random = seeded(seed)
  const { chance, pick, someOf, whole } = choices(random)

  const method = pick(['external', 'external', 'files.upload'] as const)
  // For 30 s, the service denies the effect of a repeated completion. If it denied the first one's,
  // no action could be right.
  const denies = method === 'external' && chance(0.05)
  const files = Array.from({ length: chance(0.3) && !denies ? whole(11, 25) : whole(1, 4) }, () =>
    whole(1, chance(0.2) ? 5_000 : 50),
  )
  const requested = [...someOf(goodChannels, 4), ...(chance(0.15) ? someOf(badChannels, 2) : [])]
  const targets: readonly Target[] =
    method === 'files.upload'
      ? ['files.upload']
      : [
          'files.getUploadURLExternal',
          'upload-bytes',
          'files.completeUploadExternal',
          'files.completeUploadExternal',
          'files.info',
          'chat.getPermalink',
          'conversations.info',
        ]
  const rules = Array.from({ length: whole(0, 5) }, (): ModelRule => {
    const on = pick(targets)
    const given = rule(on, whole(1, on === 'files.info' ? 12 : 3), pick(Object.keys(happenings)))
    // If the service denied a file for over 30 s and then posted it, no action could be right.
    return on !== 'files.info' && chance(0.05) ? { ...given, call: undefined } : given
  })
  if (denies) {
    const lost = pick(['reset after it was read', 'internal_error', '500', 'no response'])
    rules.unshift(rule('files.completeUploadExternal', 1, lost), {
      on: 'files.info',
      afterCompletions: 2,
      ...happenings['file_not_found'],
    })
  }
  // Lookups find nothing, then say nothing or that the file was deleted, then find nothing again,
  // for less than half a minute.
  if (!denies && method === 'external' && chance(0.1)) {
    const calls = (from: number, length: number) =>
      Array.from({ length }, (_, index) => from + index)
    const interrupted = whole(2, 3)
    const again = whole(6, 8)
    const lookups = (call: readonly number[], happening: string): ModelRule => ({
      ...rule('files.info', 1, happening),
      call,
    })
    // Without other failed lookups, which could add up to half a minute.
    const others = rules.filter(({ on }) => on !== 'files.info')
    rules.splice(
      0,
      rules.length,
      rule(
        'files.completeUploadExternal',
        1,
        pick(['500 after the effect', 'reset after the effect', 'not_in_channel']),
      ),
      lookups(calls(1, interrupted - 1), 'file_not_found'),
      lookups(
        calls(interrupted, again - interrupted),
        pick(['500', 'file_deleted', 'the record of another file']),
      ),
      lookups(calls(again, whole(1, 2)), 'file_not_found'),
      ...others,
    )
  }
  const appearing = pick(['all', 'all', 'all', 'some', 'none'] as const)
  const timeoutMilliseconds = chance(0.2) ? whole(1_000, 120_000) : 600_000
  return {
    method,
    files,
    photos: true,
    channels: requested,
    scopes: pick(['all', 'files only', 'files only', 'upload only'] as const),
    rules,
    sharing: {
      milliseconds: pick([0, 1_500, 1_500, 4_000, 20_000, 45_000, 95_000]),
      lookups: pick([0, 0, 1, 3]),
      channels: appearing === 'all' ? 'all' : appearing === 'none' ? [] : someOf(goodChannels, 3),
    },
    workspace: {
      ...randomWorld(pick),
      completionWithoutBytes: pick(['file_not_found', 'empty file'] as const),
      maxShares: chance(0.2) ? whole(0, 2) : Number.POSITIVE_INFINITY,
      offers: chance(0.05)
        ? { [pick(targets.filter((target) => target !== 'upload-bytes'))]: 'retired' }
        : {},
      ...(chance(0.2) && { ticketMilliseconds: whole(50, 20_000) }),
      callsPerMinute: new Map(chance(0.1) ? [[pick(targets), whole(3, 20)]] : []),
    },
    ifNotConfirmed: pick(['error', 'error', 'warn', 'ignore'] as const),
    timeoutMilliseconds,
    ...(chance(0.15) ? { cancelledAt: whole(0, 20_000) } : {}),
    random,
  }
}

/** Plays the delivery of a seed, and returns broken promises. */
export async function playSeed(
  seed: number,
): Promise<{ readonly played: Played; readonly broken: readonly string[] }> {
  const scenario = randomScenario(seed)
  const played = await playDelivery(scenario)
  return {
    played,
    broken: brokenPromises(scenario, played).filter((what) => !isImpossible(what, played)),
  }
}
