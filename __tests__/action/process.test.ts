// How the process of the step begins and ends, whatever starts it or hangs in it.
import { describe, expect, test } from '@jest/globals'
import { withPreload } from '../support/preload.ts'
import { withClock } from '../support/scaled-clock.ts'
import { errorsIn, runStep, type Step } from '../support/step.ts'
import { withStuckLookUps } from '../support/stuck-thread.ts'
import { onPosix } from '../support/systems.ts'

describe('A DNS lookup that hangs in its thread', () => {
  const stuck = (count: number | undefined, step: Step) => {
    const { env, nodeOptions } = withStuckLookUps(count)
    const options = [...withClock(20).nodeOptions, ...nodeOptions, ...(step.nodeOptions ?? [])]
    return runStep({ signal: AbortSignal.timeout(25_000), ...step, nodeOptions: options, env })
  }
  /** The first lookup hangs; the second attempt succeeds. */
  const hangsOnce: Step = {
    inputs: ({ baseUrl }) => ({ method: 'external', 'base-url': baseUrl.replace('127.0.0.1', 'localhost') }),
  }

  onPosix('does not keep a failed step alive', async () => {
    const done = await stuck(undefined, { inputs: { 'base-url': 'https://chat.example', 'timeout-minutes': '1' } })
    expect(done).toMatchObject({ signal: 'SIGKILL', outputs: { status: 'failed' } })
    expect(done.summary).not.toBe('')
  })

  onPosix('does not keep a step that posted everything from its success', async () => {
    const done = await stuck(1, hangsOnce)
    expect(done).toMatchObject({ code: 0, signal: null, stderr: '', outputs: { status: 'posted' } })
  })

  onPosix('fails the step if the system does not let it end otherwise, and one line says that it posted', async () => {
    const done = await stuck(1, { ...hangsOnce, ...withPreload('process.execve = undefined') })
    expect(done).toMatchObject({ signal: 'SIGKILL', outputs: { status: 'posted' } })
    expect(errorsIn(done)).toEqual([
      {
        title: 'The process of the step had to be killed',
        text: expect.stringContaining('everything was posted that the outputs report'),
      },
    ])
  })
})

onPosix.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s cancels the run', async (signal) => {
  let processId = 0
  const done = await runStep({
    inputs: { method: 'external' },
    onStart: (id) => {
      processId = id
    },
    prepare: ({ events, faults }) => {
      faults.add({ on: 'upload-bytes', fault: { kind: 'silence' } })
      events.once('request', () => process.kill(processId, signal))
    },
  })
  expect(done).toMatchObject({ code: 1, signal: null, outputs: { status: 'failed' } })
  expect(errorsIn(done)).toMatchObject([{ title: 'The run was canceled' }])
})

describe('The step posts', () => {
  test.each([
    // Such as a runner that chooses how Node compiles.
    ['without the compiler Maglev', ['--no-maglev']],
    // A long input starts the watchdog at once.
    ['without a watchdog, if Node may start no thread', ['--permission', '--allow-fs-read=*', '--allow-fs-write=*']],
  ])('%s', async (_, nodeOptions) => {
    const inputs = { method: 'external', files: 'a.csv\n'.repeat(2_000) }
    expect(await runStep({ inputs, nodeOptions })).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })
})

test('The connections are closed before the process ends', async () => {
  const sockets = withPreload(`
    import { subscribe } from 'node:diagnostics_channel'
    const sockets = []
    subscribe('undici:client:connected', ({ socket }) => sockets.push(socket))
    process.on('exit', () => console.error(sockets.every(({ destroyed }) => destroyed), sockets.length > 1))
  `)
  expect((await runStep({ inputs: { method: 'external' }, ...sockets })).stderr).toBe('true true\n')
})
