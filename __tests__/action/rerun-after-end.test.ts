// A run that ends in the middle of its requests, and is run again with `on-rerun: missing`: the next attempt posts what is missing and
// nothing else. `unit/delivery/deliver-rerun.test.ts` ends a run at every request; here a process really ends.
import { expect, test } from '@jest/globals'
import pMap from 'p-map'
import type { Target } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Job, startJob } from '../support/step.ts'

/** Timers of the attempt that is ended run faster: its grace period, and the time limit. It reaches its request within the limit. */
const speed = 15
const casesAtOnce = 3
/** Two messages. */
const fileCount = 12
const channelCount = 2

function startDelivery(): Promise<Job> {
  const paths = Array.from({ length: fileCount }, (_, index) => [`report-${index + 1}.csv`, `report,${index + 1}\n`])
  return startJob({
    files: Object.fromEntries(paths),
    inputs: ({ channels: known }) => ({
      method: 'external',
      'on-rerun': 'missing',
      channels: [known.general, known.direct].join(','),
    }),
  })
}

const endings = ['SIGKILL', 'SIGTERM', 'deadline'] as const

interface Case {
  readonly ending: (typeof endings)[number]
  readonly target: Target
  readonly call: number
  /** The service carried the request out before the run ended. */
  readonly effect: boolean
}

const completion = 'files.completeUploadExternal'
const cases: readonly Case[] = [
  { ending: 'SIGKILL', target: 'files.getUploadURLExternal', call: 1, effect: true },
  { ending: 'SIGTERM', target: 'upload-bytes', call: 12, effect: true },
  { ending: 'deadline', target: 'upload-bytes', call: 1, effect: true },
  { ending: 'deadline', target: 'files.info', call: 1, effect: true },
  { ending: 'SIGKILL', target: 'chat.getPermalink', call: 1, effect: true },
  { ending: 'SIGTERM', target: completion, call: 1, effect: true },
  // Only a completion makes something visible: elsewhere it makes no difference which half was lost.
  ...endings.flatMap((ending) =>
    [true, false].map((effect): Case => ({ ending, target: completion, call: 2, effect })),
  ),
]

/** Ends the first attempt at that request, which the second does not repeat: the service goes on counting. */
async function end(job: Job, { call, effect, ending, target }: Case): Promise<void> {
  const { events, faults } = job.sandbox
  faults.add({ on: target, call, fault: { kind: 'silence', effect } })
  let running: number | undefined
  let isReached = false
  events.on('request', ({ fault }) => {
    isReached ||= fault === 'silence'
    if (fault === 'silence' && ending !== 'deadline' && running !== undefined) process.kill(running, ending)
  })
  const { code } = await job.attempt(1, {
    ...withClock(speed),
    inputs: ending === 'deadline' ? { 'timeout-minutes': '2' } : {},
    onStart: (processId) => {
      running = processId
    },
  })
  running = undefined
  expect({ target, call, ending, isReached }).toMatchObject({ isReached: true })
  // Windows has no signals: whatever another process sends ends it with code 1.
  if (ending === 'SIGKILL') expect(code).toBe(process.platform === 'win32' ? 1 : null)
}

async function problemsOf(one: Case): Promise<readonly string[]> {
  const job = await startDelivery()
  try {
    await end(job, one)
    const { code, outputs } = await job.attempt(2)
    const problems: string[] = []
    if (code !== 0 || outputs['status'] !== 'posted') problems.push(`status ${outputs['status']}`)
    if (outputs['count'] !== String(fileCount)) problems.push(`count ${outputs['count']}`)
    const posted = job.sandbox.workspace.postings()
    if (posted.length !== fileCount * channelCount) problems.push(`${posted.length} postings`)
    for (const { channel, name, times } of posted) {
      if (times !== 1) problems.push(`${name} is in ${channel} ${times} times`)
    }
    return problems
  } finally {
    await job.stop()
  }
}

test('each file is in each channel once, whichever request the run ended at', async () => {
  const played = await pMap(cases, async (one) => ({ ...one, problems: await problemsOf(one) }), {
    concurrency: casesAtOnce,
  })
  expect(played.filter(({ problems }) => problems.length > 0)).toEqual([])
}, 240_000)
