// A run that ends in the middle of its requests, and is run again with `on-rerun: missing`: the next attempt posts what is missing and
// nothing else. `unit/delivery/deliver-rerun.test.ts` ends a run at every request; here a process really ends.
import { expect, test } from '@jest/globals'
import type { Target } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { startJob } from '../support/step.ts'

/** Two messages. */
const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`report-${at + 1}.csv`, `report,${at + 1}\n`]))
const completion = 'files.completeUploadExternal'

// `effect`: the service carried the request out before the run ended. Only a completion makes something visible.
test.concurrent.each<[ending: 'SIGKILL' | 'SIGTERM' | 'deadline', target: Target, call: number, effect: boolean]>([
  ['SIGKILL', completion, 2, true],
  ['SIGKILL', completion, 2, false],
  ['SIGTERM', 'upload-bytes', 12, true],
  ['SIGTERM', completion, 1, true],
  ['deadline', completion, 2, true],
  ['deadline', 'files.info', 1, true],
])(
  'after %s during %s number %i (carried out: %p), each file is in each channel once',
  async (ending, target, call, effect) => {
    await using job = await startJob({
      files,
      inputs: ({ channels }) => ({
        method: 'external',
        'on-rerun': 'missing',
        channels: `${channels.general} ${channels.direct}`,
      }),
    })
    const { events, faults, workspace } = job.sandbox
    faults.add({ on: target, call, fault: { kind: 'silence', effect } })
    let running = 0
    let isReached = false
    events.on('request', ({ fault }) => {
      if (isReached || fault !== 'silence') return
      isReached = true
      if (ending !== 'deadline') process.kill(running, ending)
    })
    await job.attempt(1, {
      ...withClock(15),
      inputs: ending === 'deadline' ? { 'timeout-minutes': '2' } : {},
      onStart: (processId) => {
        running = processId
      },
    })
    expect(isReached).toBe(true)
    expect(await job.attempt(2)).toMatchObject({ code: 0, outputs: { status: 'posted', count: '12' } })
    expect(workspace.postings().map(({ times }) => times)).toEqual(Array.from({ length: 24 }, () => 1))
  },
  120_000,
)
