// A run that ends in the middle of its requests, and is run again with `on-rerun: missing`: whatever ended it, and at whichever
// request, the next attempt posts what is missing and nothing else.
import { expect, jest, test } from '@jest/globals'
import pMap from 'p-map'
import type { Target } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Job, startJob } from '../support/step.ts'

jest.setTimeout(600_000)

/** Timers of the attempt that is ended run faster: its grace period, and the time limit. */
const speed = 50
const casesAtOnce = 3

interface Delivery {
  readonly files: number
  readonly channels: number
}

async function startDelivery({ channels, files }: Delivery): Promise<Job> {
  const paths = Array.from(
    { length: files },
    (_, index) => [`report-${index + 1}.csv`, `report,${index + 1}\n`] as const,
  )
  return startJob({
    files: Object.fromEntries(paths),
    inputs: ({ channels: known }) => ({
      method: 'external',
      'on-rerun': 'missing',
      channels: [known.general, known.releases, known.direct].slice(0, channels).join(','),
    }),
  })
}

/** Which requests a delivery makes: each target, with the number of calls. */
async function requestsOf(delivery: Delivery): Promise<ReadonlyMap<Target, number>> {
  const job = await startDelivery(delivery)
  try {
    const { requests } = await job.attempt(1)
    const targets = requests.map(
      ({ origin, path }) => (origin === 'upload' ? 'upload-bytes' : path.split('/').at(-1)) as Target,
    )
    return new Map([...Map.groupBy(targets, (target) => target)].map(([target, calls]) => [target, calls.length]))
  } finally {
    await job.stop()
  }
}

const endings = ['SIGKILL', 'SIGTERM', 'deadline'] as const

interface Case {
  readonly ending: (typeof endings)[number]
  readonly target: Target
  readonly call: number
  /** The service carried the request out before the run ended. */
  readonly effect: boolean
}

/** Of many requests that differ in nothing but their file, each meets one ending. */
const manyCalls = 20

async function casesOf(delivery: Delivery): Promise<readonly Case[]> {
  return [...(await requestsOf(delivery))].flatMap(([target, calls]) =>
    Array.from({ length: calls }, (_, index) => index + 1).flatMap((call) =>
      endings
        .filter((_, index) => calls < manyCalls || index === call % endings.length)
        .flatMap((ending) => {
          // Only a completion makes something visible: elsewhere it makes no difference which half was lost.
          const effects = target === 'files.completeUploadExternal' ? [true, false] : [true]
          return effects.map((effect): Case => ({ ending, target, call, effect }))
        }),
    ),
  )
}

/** Ends the first attempt at that request. */
async function end(job: Job, { call, effect, ending, target }: Case): Promise<void> {
  const { events, faults } = job.sandbox
  faults.add({ on: target, call, fault: { kind: 'silence', effect } })
  let running: number | undefined
  events.on('request', ({ fault }) => {
    if (fault === 'silence' && ending !== 'deadline' && running !== undefined) process.kill(running, ending)
  })
  const { code } = await job.attempt(1, {
    ...withClock(speed),
    inputs: ending === 'deadline' ? { 'timeout-minutes': '0.5' } : {},
    onStart: (processId) => {
      running = processId
    },
  })
  running = undefined
  faults.clear()
  // Windows has no signals: whatever another process sends ends it with code 1.
  if (ending === 'SIGKILL') expect(code).toBe(process.platform === 'win32' ? 1 : null)
}

async function problemsOf(delivery: Delivery, one: Case): Promise<readonly string[]> {
  const job = await startDelivery(delivery)
  try {
    await end(job, one)
    const problems: string[] = []
    for (const number of [2, 3]) {
      const { code, outputs, requests } = await job.attempt(number)
      if (code !== 0 || outputs['status'] !== 'posted') problems.push(`attempt ${number}: ${outputs['status']}`)
      if (outputs['count'] !== String(delivery.files)) problems.push(`attempt ${number}: count ${outputs['count']}`)
      const posted = job.sandbox.workspace.postings()
      if (posted.length !== delivery.files * delivery.channels)
        problems.push(`attempt ${number}: ${posted.length} postings`)
      for (const { channel, name, times } of posted) {
        if (times !== 1) problems.push(`attempt ${number}: ${name} is in ${channel} ${times} times`)
      }
      const uploads = requests.filter(({ origin, path }) => origin === 'upload' || path.includes('UploadURL'))
      if (number === 3 && uploads.length > 0) problems.push(`attempt 3 made ${uploads.length} requests to upload`)
    }
    return problems
  } finally {
    await job.stop()
  }
}

test.each([
  { files: 1, channels: 1 },
  { files: 3, channels: 2 },
  { files: 25, channels: 3 },
])('$files files to $channels channels: each is there once, whichever request the run ended at', async (delivery) => {
  const cases = await casesOf(delivery)
  expect(cases.length).toBeGreaterThan(10)
  const problems = await pMap(cases, async (one) => ({ ...one, problems: await problemsOf(delivery, one) }), {
    concurrency: casesAtOnce,
  })
  expect(problems.filter((one) => one.problems.length > 0)).toEqual([])
})
