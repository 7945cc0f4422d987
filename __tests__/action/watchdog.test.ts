// A run that hangs for a reason that nobody foresaw. Each of these ran until the runner killed it.
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { bundle } from '../../sandbox/runner.ts'
import { withPreload } from '../support/preload.ts'
import { startProcess } from '../support/processes.ts'
import { type Done, errorsIn, runStep, type Step, startJob } from '../support/step.ts'

/** What the main thread does from so many milliseconds after the first request on. */
const afterFirstRequest = (milliseconds: number, code: string) =>
  withPreload(`
    import { subscribe } from 'node:diagnostics_channel'
    const act = () => { ${code} }
    subscribe('undici:request:create', () => setTimeout(act, ${milliseconds}))
  `)

const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
const blockedAfter = (milliseconds: number) => afterFirstRequest(milliseconds, block)

/** A service that never answers: the run goes on until something ends it. */
const silent: Step = {
  inputs: { method: 'external', 'timeout-minutes': '5' },
  prepare: ({ faults }) => faults.add({ on: 'upload-bytes', fault: { kind: 'silence' } }),
}

/** By SIGKILL. On Windows, where there are no signals, only the code is left of that. */
const endedByItself =
  process.platform === 'win32' ? { code: 1, signal: null } : { code: null, signal: 'SIGKILL' as const }

const concurrentOnPosix = process.platform === 'win32' ? test.concurrent.skip : test.concurrent

const expectReport = (done: Done, title: string) => {
  expect(done).toMatchObject(endedByItself)
  expect(errorsIn(done)).toEqual([{ title, text: expect.stringContaining('the step was ended') }])
}

test.concurrent('a thread that is blocked is ended ten seconds later, with one line', async () => {
  const done = await runStep({ ...silent, ...blockedAfter(2_500), signal: AbortSignal.timeout(25_000) })
  expectReport(done, 'The action was blocked')
  expect(done.milliseconds).toBeGreaterThan(10_000)
})

concurrentOnPosix('a thread that is blocked is ended with that line after SIGINT and SIGTERM too', async () => {
  expectReport(
    await runStep({ ...silent, ...blockedAfter(2_500), signal: AbortSignal.timeout(8_000) }),
    'The action was blocked',
  )
})

test.concurrent('a thread that is blocked at once is ended too, if an input is long', async () => {
  const inputs = { method: 'external', comment: 'x'.repeat(2_900), files: 'a.csv\n'.repeat(2_000) }
  const done = await runStep({ ...silent, inputs, ...blockedAfter(1), signal: AbortSignal.timeout(20_000) })
  expectReport(done, 'The action was blocked')
})

test.concurrent('a thread that is blocked at once is ended too, if a response is long', async () => {
  const done = await runStep({
    ...silent,
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.getUploadURLExternal',
        fault: { kind: 'response', status: 200, body: { html: 'x'.repeat(100_000) } },
      }),
    ...withPreload(`
      import { subscribe } from 'node:diagnostics_channel'
      subscribe('undici:request:trailers', () => ${block})
    `),
    signal: AbortSignal.timeout(20_000),
  })
  expectReport(done, 'The action was blocked')
})

test.concurrent('a run that waits for a slow service goes on', async () => {
  const done = await runStep({
    ...silent,
    prepare: ({ faults }) => faults.add({ on: 'upload-bytes', delay: 14_000 }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
})

test.concurrent('a run that goes on ten seconds after its time is over is ended', async () => {
  const done = await runStep({
    ...silent,
    inputs: { method: 'external', 'timeout-minutes': '0.1' },
    prepare: ({ faults }) => faults.add({ on: 'upload-bytes', delay: 60_000 }),
    ...withPreload(`
      import { syncBuiltinESMExports } from 'node:module'
      import timers from 'node:timers/promises'
      timers.setTimeout = () => new Promise(() => undefined)
      syncBuiltinESMExports()
    `),
    signal: AbortSignal.timeout(30_000),
  })
  expect(done).toMatchObject(endedByItself)
  expect(errorsIn(done).map(({ title }) => title)).toEqual(['The action did not end in time'])
  expect(done.milliseconds).toBeLessThan(25_000)
})

test.concurrent('a step whose output nobody reads is ended all the same', async () => {
  const { folder, sandbox, stop } = await startJob({})
  try {
    sandbox.faults.add({ on: 'upload-bytes', fault: { kind: 'silence' } })
    // More than a pipe holds, and then it is blocked.
    const code = `for (let n = 0; n < 50; n += 1) process.stdout.write('x'.repeat(100_000)); ${block}`
    const { nodeOptions } = afterFirstRequest(2_500, code)
    const child = startProcess(process.execPath, [...nodeOptions, bundle], {
      env: {
        GITHUB_WORKSPACE: folder,
        'INPUT_BASE-URL': sandbox.baseUrl,
        INPUT_CHANNELS: sandbox.channels.general,
        INPUT_FILES: 'a.csv',
        INPUT_METHOD: 'external',
        INPUT_TOKEN: sandbox.tokens.all,
      },
    })
    let late = false
    const tooLate = setTimeout(() => {
      late = child.kill('SIGKILL')
    }, 25_000)
    const [exitCode, signal] = await once(child, 'exit')
    clearTimeout(tooLate)
    child.stdout.destroy()
    child.stderr.destroy()
    expect({ late, code: exitCode, signal }).toEqual({ late: false, ...endedByItself })
  } finally {
    await stop()
  }
})
