import { getEventListeners } from 'node:events'
import { expect, test } from '@jest/globals'
import { AbortedError, Deadline, systemClock } from '../../src/deadline.ts'
import { quoted, text } from '../../src/text/text.ts'
import { VirtualClock } from '../support/virtual-clock.ts'

test.each([
  ['the request that is still without a response', ['waits 1'], '`1`'],
  ['of several the latest', ['waits 1', 'waits 2'], '`2`'],
  ['none, if nothing is waited for', ['fails 1', 'responds 2'], undefined],
  ['the one that others overtook', ['waits 1', 'responds 2'], '`1`'],
])('When the time is over, the problem names %s', async (_, requests, named) => {
  const clock = new VirtualClock()
  using deadline = new Deadline(clock)
  deadline.start(1_000)
  for (const request of requests) {
    const [course, name = ''] = request.split(' ')
    const work = {
      waits: new Promise<void>(() => {}),
      fails: Promise.reject(new Error()),
      responds: Promise.resolve(),
    }
    const done = deadline.waitFor(work[course as keyof typeof work], () => text`${name}`)
    for (const promise of [work.fails, done]) promise.catch(() => undefined)
    await clock.play(clock.sleep(1))
  }
  await clock.play(clock.sleep(2_000))
  const problem = quoted(deadline.problem?.text ?? [])
  expect(/The last request without a response was (.*?)\. Can the runner/.exec(problem)?.[1]).toBe(
    named,
  )
  expect(problem).toContain('Raise `timeout-minutes`')
})

test('a run has the time that is left, and at its end every signal aborts', async () => {
  const clock = new VirtualClock()
  using deadline = new Deadline(clock)
  deadline.start(1_000)
  await clock.play(clock.sleep(400))
  expect([deadline.remaining(), deadline.problem]).toEqual([600, undefined])
  await clock.play(clock.sleep(600))
  expect([deadline.remaining(), deadline.requestSignal.aborted]).toEqual([0, true])
  expect([deadline.problem?.title, quoted(deadline.problem?.text ?? [])]).toEqual([
    'Timed out after timeout-minutes',
    'Not everything could be done within `timeout-minutes`. Nothing was sent after that.\nRaise `timeout-minutes`, or see in the log what the step waited for.',
  ])
})

test('a run whose time is over before the timer ends has no time left', () => {
  using deadline = new Deadline(new VirtualClock())
  deadline.start(-1)
  expect(deadline.remaining()).toBe(0)
})

test('a run that is canceled twice has no time left, and ends once: its requests may take two seconds', async () => {
  const clock = new VirtualClock()
  using deadline = new Deadline(clock)
  deadline.start(60_000)
  const work = deadline.waitFor(new Promise(() => {}))
  const endTime = work.catch(() => clock.now())
  deadline.cancel()
  deadline.cancel()
  expect([deadline.remaining(), deadline.signal.aborted, deadline.requestSignal.aborted]).toEqual([
    0,
    true,
    false,
  ])
  await clock.play(clock.sleep(2_000))
  expect(deadline.requestSignal.aborted).toBe(true)
  expect(await clock.play(endTime)).toBe(3_000)
  await expect(work).rejects.toThrow(
    'The run was cancelled, or the step reached its own `timeout-minutes` in the workflow (not the input). Nothing was sent after that.\nIf nobody cancelled it, raise `timeout-minutes` beside `uses:`.',
  )
  await expect(deadline.waitFor(new Promise(() => {}))).rejects.toBeInstanceOf(AbortedError)
  expect(deadline.problem?.title).toBe('The runner stopped the step')
})

test('a run that is over leaves no wait behind that keeps the process alive', async () => {
  const clock = new VirtualClock()
  const deadline = new Deadline(clock)
  deadline.start(60_000)
  const wait = clock.sleep(30_000, deadline.signal)
  deadline[Symbol.dispose]()
  await expect(clock.play(wait)).rejects.toThrow('aborted')
  expect([deadline.requestSignal.aborted, deadline.problem]).toEqual([true, undefined])
  await expect(clock.play(new Promise(() => {}))).rejects.toThrow('Nobody will ever go on')
})

// A run has thousands of waits and requests with one signal, so listeners must not add up.
test('a wait takes its time or ends with the signal, to which it no longer listens then', async () => {
  const controller = new AbortController()
  const wait = systemClock.sleep(60_000, controller.signal)
  await Promise.race([wait, systemClock.sleep(1, controller.signal)])
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
  controller.abort(new Error('over'))
  await expect(wait).rejects.toThrow('over')
})
