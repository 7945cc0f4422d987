import type { Target } from '../../sandbox/faults.ts'
import { channels } from './channels.ts'
import { happenings, rule } from './faults.ts'
import { isShownInTime } from './model-delivery.ts'
import { type Attempt, brokenRerunPromises, type PlayedRun, playRun, type RerunScenario } from './model-rerun.ts'
import { isImpossible, randomWorld } from './model-worlds.ts'
import { choices, seeded } from './seeded.ts'

/** A service that lies about what it did: no client can see through it. */
const lie = 'file_not_found after the effect'
const truthful = Object.keys(happenings).filter((happening) => happening !== lie)

const uploadTargets: readonly Target[] = [
  'files.getUploadURLExternal',
  'upload-bytes',
  'files.completeUploadExternal',
  'files.completeUploadExternal',
  'files.info',
  'chat.getPermalink',
]
const lookupTargets: readonly Target[] = ['auth.test', 'files.list', 'files.list', 'files.info', 'files.info']

interface RandomRerun extends RerunScenario {
  /** Nothing keeps the attempts after the first from seeing what is there. */
  readonly isCertain: boolean
}

/** Any run that is run again: the same for the same seed. Its last two attempts meet no fault that keeps them from seeing what is there. */
function randomRerun(seed: number): RandomRerun {
  const random = seeded(seed)
  const { chance, pick, whole } = choices(random)

  const isCertain = chance(0.5)
  const files = Array.from({ length: chance(0.15) ? whole(11, 25) : whole(1, 4) }, () => whole(1, 50))
  const inThread = chance(0.25)
  const requested = [channels.general, channels.group, channels.direct].slice(0, inThread ? 1 : whole(1, 3))
  const rulesOn = (targets: readonly Target[], most: number) =>
    Array.from({ length: whole(0, most) }, () => rule(pick(targets), whole(1, 4), pick(truthful)))
  const endedEarly = (rules: Attempt['rules'] = []): Attempt => ({
    rules,
    ...pick<Attempt>([
      {},
      { killedAt: whole(1, 3 * files.length + 8), effect: chance(0.5) },
      { cancelledAt: whole(0, 3_000) },
      { timeoutMilliseconds: whole(100, 40_000) },
    ]),
  })
  const outage = [...new Set([...uploadTargets, ...lookupTargets])].map((on) => ({ ...happenings['unreachable'], on }))
  const middle = chance(0.4)
    ? [endedEarly(isCertain ? [] : chance(0.2) ? outage : rulesOn([...uploadTargets, ...lookupTargets], 3))]
    : []
  // Of the lookups of one file, or the first ones of several files.
  const late = { ...rule('files.info', 1, 'shares that are not there yet'), call: [1, 2, 3] }
  const sharesLater = chance(0.2) ? [late] : []
  const world = randomWorld(pick)
  const { listing: _, rateLimited: __, ...certain } = world
  return {
    files,
    channels: requested,
    ...(inThread && { threadTs: '1799999999.000100' }),
    organizationWide: chance(0.1),
    scopes: isCertain || chance(0.8) ? 'files only' : 'upload only',
    sharing: { milliseconds: pick(isCertain ? [0, 1_500, 4_000, 45_000, 90_000] : [0, 20_000, 100_000, 300_000]) },
    listing: isCertain
      ? {}
      : { milliseconds: pick([0, 0, 100_000, 1_000_000]), calls: pick([0, 0, 1]), files: pick(['all', 'all', []]) },
    workspace: {
      ...(isCertain ? certain : world),
      // With fewer shares than messages, a record never says in which thread a file is.
      maxShares: chance(0.2) && !(inThread && isCertain) ? whole(0, 2) : Number.POSITIVE_INFINITY,
    },
    attempts: [endedEarly(rulesOn(uploadTargets, 3)), ...middle, { rules: sharesLater }, {}],
    random,
    isCertain,
  }
}

/** Plays the run of a seed, and says which promises it breaks. */
export async function playRerunSeed(
  seed: number,
): Promise<{ readonly played: PlayedRun; readonly broken: readonly string[] }> {
  const scenario = randomRerun(seed)
  const played = await playRun(scenario)
  const broken = brokenRerunPromises(scenario, played).filter((what) => !isImpossible(what, played))
  const [beforeLast, last] = played.attempts.slice(-2)
  // What is shown later than a step waits for it is unknown to that step.
  const isShown = isShownInTime(played.settings, scenario.channels)
  for (const { report } of isShown ? [beforeLast, last].flatMap((one) => one ?? []) : []) {
    if (report?.status !== 'posted' && report?.status !== 'accepted') broken.push(`${report?.status} without a fault`)
  }
  if (scenario.isCertain && isShown) {
    for (const [place, times] of last?.times ?? []) if (times !== 1) broken.push(`${place} ${times} times`)
    if (last?.calls.some(({ target }) => target === 'files.getUploadURLExternal'))
      broken.push('the last attempt uploaded')
  }
  return { played, broken }
}
