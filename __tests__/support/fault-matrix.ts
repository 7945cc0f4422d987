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

/**
 * Lets everything happen to a call, or to two of them, each with each, and says where a promise is broken. Where the
 * second call is never made after what happened to the first, nothing can happen to it.
 */
export async function breaking(
  method: Scenario['method'],
  calls: readonly [NthCall] | readonly [NthCall, NthCall],
  conditionNames = Object.keys(conditions),
): Promise<readonly string[]> {
  const [first, second] = calls
  const found: string[] = []
  for (const when of conditionNames) {
    const play = async (...rules: readonly ModelRule[]) => {
      const scenario: Scenario = {
        method,
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
    for (const one of faults) {
      const { broken, played } = await play(rule(...first, one))
      if (broken.length > 0) found.push(`${one}, ${when}: ${broken.join('; ')}`)
      if (second === undefined || played.calls.filter(({ target }) => target === second[0]).length < second[1]) continue
      for (const other of faults) {
        const { broken } = await play(rule(...first, one), rule(...second, other))
        if (broken.length > 0) found.push(`${one}, then ${other}, ${when}: ${broken.join('; ')}`)
      }
    }
  }
  return found
}
