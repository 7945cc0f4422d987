import type { Target } from '../../sandbox/faults.ts'
import type { GivenSettings } from '../../sandbox/workspace.ts'
import { channels } from './channels.ts'
import { happenings, rule } from './faults.ts'
import { brokenPromises, playDelivery, type Scenario } from './model-delivery.ts'
import type { ModelRule } from './model-http.ts'
import { worlds } from './model-worlds.ts'
import { seeded } from './seeded.ts'

const faults = Object.keys(happenings)
/** Broken deliveries until the search ends. One bug breaks many. */
const enough = 5

/** When messages appear, and the token's scopes. */
const conditions: Readonly<Record<string, Pick<Scenario, 'scopes' | 'sharing'>>> = {
  'as recorded': { scopes: 'files only' },
  'shown after 45 s': { scopes: 'files only', sharing: { milliseconds: 45_000 } },
  'without files:read': { scopes: 'upload only' },
}

/** A target, and the number of the call to it. */
type NthCall = readonly [on: Target, call: number]

/** Two calls of a delivery, each with a fault. */
interface Pair {
  readonly name: string
  readonly first: NthCall
  readonly second: NthCall
  /** Only with messages that appear as in recordings. */
  readonly asRecorded?: true
}

const upload = 'files.getUploadURLExternal'
const bytes = 'upload-bytes'
const completion = 'files.completeUploadExternal'
const lookup = 'files.info'
const link = 'chat.getPermalink'
const post = 'files.upload'

export const targets: readonly Target[] = [upload, bytes, completion, lookup, link, post]

export const faultPairs: readonly Pair[] = [
  { name: 'a completion, and its repeat', first: [completion, 1], second: [completion, 2] },
  { name: 'the bytes, and the completion', first: [bytes, 1], second: [completion, 1] },
  { name: 'the completion, and the first lookup', first: [completion, 1], second: [lookup, 1] },
  { name: 'the first lookup, and the second', first: [lookup, 1], second: [lookup, 2] },
  {
    name: 'a request for an upload URL, and its repeat',
    first: [upload, 1],
    second: [upload, 2],
    asRecorded: true,
  },
  {
    name: 'a request for an upload URL, and the bytes',
    first: [upload, 1],
    second: [bytes, 1],
    asRecorded: true,
  },
  { name: 'the bytes, and their repeat', first: [bytes, 1], second: [bytes, 2], asRecorded: true },
  { name: 'a lookup, and the permalink', first: [lookup, 1], second: [link, 1], asRecorded: true },
  { name: 'a permalink, and its repeat', first: [link, 1], second: [link, 2], asRecorded: true },
  {
    name: 'files.upload, and its next call',
    first: [post, 1],
    second: [post, 2],
    asRecorded: true,
  },
]

/** Broken promises, if any. */
async function play(
  when: string,
  rules: readonly ModelRule[],
  world: GivenSettings = {},
): Promise<readonly string[]> {
  const { direct, general, group, notJoined } = channels
  const scenario: Scenario = {
    method: rules[0]?.on === post ? post : 'external',
    files: [2_500, 40],
    photos: true,
    channels:
      world.wrongChannel === undefined ? [general, direct, group] : [general, notJoined, direct],
    rules,
    // A blind repeat posts twice, unless the world forbids it.
    workspace: { secondCompletion: 'shares again', ...world },
    random: seeded(1),
    scopes: 'files only',
    ...conditions[when],
  }
  return brokenPromises(scenario, await playDelivery(scenario))
}

/**
 * Plays every fault of a call, and returns broken promises.
 *
 * @param every 3: each fault meets one of the conditions, not all three
 */
export async function breaking(
  target: Target,
  world?: GivenSettings,
  every = 1,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [shift, when] of Object.keys(conditions).entries()) {
    for (const [index, fault] of ['none', ...faults].entries()) {
      if ((index + shift) % every !== 0) continue
      const broken = await play(when, fault === 'none' ? [] : [rule(target, 1, fault)], world)
      if (broken.length > 0) found.push(`${fault}, ${when}: ${broken.join('; ')}`)
      if (found.length === enough) return found
    }
  }
  return found
}

/**
 * Plays every fault of two calls, each with each, and returns broken promises.
 *
 * @param every 72: plays one pair of 72, with each fault equally often, each time under another of
 *   the conditions
 */
export async function breakingPair(
  { first, second, asRecorded }: Pair,
  every = 1,
): Promise<readonly string[]> {
  const found: string[] = []
  const under = asRecorded ? ['as recorded'] : Object.keys(conditions)
  for (const [shift, when] of under.entries()) {
    for (const [index, one] of faults.entries()) {
      if (every > 1 && index % under.length !== shift) continue
      for (const [otherIndex, other] of faults.entries()) {
        if ((index + otherIndex) % every !== 0) continue
        const broken = await play(when, [rule(...first, one), rule(...second, other)])
        if (broken.length > 0) found.push(`${one}, then ${other}, ${when}: ${broken.join('; ')}`)
        if (found.length === enough) return found
      }
    }
  }
  return found
}

/** Plays every fault of these calls in one world. */
export async function breakingWorld(
  name: string,
  on: readonly Target[],
  every = 1,
): Promise<readonly string[]> {
  const world = worlds[name] ?? {}
  const found: string[] = []
  for (const target of on) found.push(...(await breaking(target, world, every)))
  return found.map((broken) => `${name}: ${broken}`)
}
