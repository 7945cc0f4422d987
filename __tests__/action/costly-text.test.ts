// Text from outside that is made to take long. Each of these took the action more than ten seconds once.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, errorsIn, runStep, type Step } from '../support/step.ts'
import { veryLong } from '../support/systems.ts'

const files = { 'a.csv': 'a,b\n' }

/** Runs a step, and cancels it when it takes so long that the test fails anyway. Waits between retries do not count. */
async function timed(step: Step): Promise<Done> {
  const done = await runStep({ files, ...withClock(), ...step, signal: AbortSignal.timeout(12_000) })
  expect(done.milliseconds).toBeLessThan(9_000)
  return done
}

test.each([
  ['200 KB', 35_000],
  ['4 MB', 690_000],
])('a web page of %s that begins its title again and again', async (_, count) => {
  const fault: Fault = { kind: 'response', status: 200, body: { html: '<title'.repeat(count) } }
  const done = await timed({
    inputs: { method: 'files.upload' },
    prepare: ({ faults }) => faults.add({ on: 'files.upload', fault }),
  })
  expect(done).toMatchObject({ code: 1, outputs: { status: 'unknown' } })
})

test('a comment with a URL of dots', async () => {
  const done = await timed({ inputs: { method: 'external', comment: `http://${'.'.repeat(veryLong)}x` } })
  expect(errorsIn(done)).toMatchObject([{ title: 'The comment is too long' }])
})

test.each([
  ['ends in slashes', '/'.repeat(veryLong), 0],
  ['has slashes before its end', `${'/'.repeat(veryLong)}x`, 1],
])('a base-url that %s', async (_, path, code) => {
  const done = await timed({ inputs: ({ baseUrl }) => ({ 'base-url': baseUrl + path, method: 'files.upload' }) })
  expect(done.code).toBe(code)
})
