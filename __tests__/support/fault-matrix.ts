import type { Target } from '../../sandbox/faults.ts'
import { channels } from './channels.ts'
import { happenings, rule } from './faults.ts'
import { brokenPromises, playDelivery, type Scenario } from './model-delivery.ts'
import type { ModelRule } from './model-http.ts'
import { seeded } from './seeded.ts'

const faults = Object.keys(happenings)

/** When the message shows, and what the token may. */
const conditions: Readonly<Record<string, Pick<Scenario, 'scopes' | 'sharing'>>> = {
  'shown at once': { scopes: 'files only', sharing: { milliseconds: 0 } },
  'shown after 45 s': { scopes: 'files only', sharing: { milliseconds: 45_000 } },
  'without files:read': { scopes: 'upload only', sharing: { milliseconds: 0 } },
}

/** One call: the target, and which call of it. */
type NthCall = readonly [on: Target, call: number]
type Calls = readonly [NthCall] | readonly [NthCall, NthCall]

/** Two calls of a delivery that each meet a fault. The faults of the second meet only messages that show at once, if `shownAtOnce`. */
interface Pair {
  readonly name: string
  readonly calls: Calls
  readonly shownAtOnce?: true
}

const upload = 'files.getUploadURLExternal'
const completion = 'files.completeUploadExternal'
const lookup = 'files.info'
const permalink = 'chat.getPermalink'

export const faultPairs: readonly Pair[] = [
  {
    name: 'a completion, and its repeat',
    calls: [
      [completion, 1],
      [completion, 2],
    ],
  },
  {
    name: 'the bytes, and the completion',
    calls: [
      ['upload-bytes', 1],
      [completion, 1],
    ],
  },
  {
    name: 'the completion, and the first lookup',
    calls: [
      [completion, 1],
      [lookup, 1],
    ],
  },
  {
    name: 'the first lookup, and the second',
    calls: [
      [lookup, 1],
      [lookup, 2],
    ],
  },
  {
    name: 'a request for an upload URL, and its repeat',
    calls: [
      [upload, 1],
      [upload, 2],
    ],
    shownAtOnce: true,
  },
  {
    name: 'a request for an upload URL, and the bytes',
    calls: [
      [upload, 1],
      ['upload-bytes', 1],
    ],
    shownAtOnce: true,
  },
  {
    name: 'the bytes, and their repeat',
    calls: [
      ['upload-bytes', 1],
      ['upload-bytes', 2],
    ],
    shownAtOnce: true,
  },
  {
    name: 'a lookup, and the permalink',
    calls: [
      [lookup, 1],
      [permalink, 1],
    ],
    shownAtOnce: true,
  },
  {
    name: 'a permalink, and its repeat',
    calls: [
      [permalink, 1],
      [permalink, 2],
    ],
    shownAtOnce: true,
  },
  {
    name: 'files.upload, and its next call',
    calls: [
      ['files.upload', 1],
      ['files.upload', 2],
    ],
    shownAtOnce: true,
  },
]

/** The promises that a pair of faults breaks; of all pairs, every `every`-th, so that each fault meets as many others. */
export function breakingPair({ calls, shownAtOnce }: Pair, every = 1): Promise<readonly string[]> {
  return breaking(calls, shownAtOnce ? ['shown at once'] : Object.keys(conditions), every)
}

/**
 * Lets everything happen to a call, or to two of them, each with each, and says where a promise is broken. Where the
 * second call is never made after what happened to the first, nothing can happen to it.
 */
export async function breaking(
  calls: Calls,
  conditionNames: readonly string[] = Object.keys(conditions),
  every = 1,
): Promise<readonly string[]> {
  const [first, second] = calls
  const found: string[] = []
  for (const [shift, when] of conditionNames.entries()) {
    const play = async (...rules: readonly ModelRule[]) => {
      const scenario: Scenario = {
        method: first[0] === 'files.upload' ? 'files.upload' : 'external',
        files: [2_500, 40],
        channels: [channels.general, channels.direct],
        rules,
        // Whoever repeats blindly is found out.
        workspace: { secondCompletion: 'shares again' },
        random: seeded(1),
        scopes: 'files only',
        ...conditions[when],
      }
      const played = await playDelivery(scenario)
      return { played, broken: brokenPromises(scenario, played) }
    }
    for (const [index, one] of faults.entries()) {
      const { broken, played } = await play(rule(...first, one))
      if (broken.length > 0) found.push(`${one}, ${when}: ${broken.join('; ')}`)
      if (second === undefined || played.calls.filter(({ target }) => target === second[0]).length < second[1]) continue
      for (const [otherIndex, other] of faults.entries()) {
        if ((index + otherIndex + shift) % every !== 0) continue
        const { broken } = await play(rule(...first, one), rule(...second, other))
        if (broken.length > 0) found.push(`${one}, then ${other}, ${when}: ${broken.join('; ')}`)
      }
    }
  }
  return found
}
