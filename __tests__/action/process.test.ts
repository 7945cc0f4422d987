// The process of a step starts and ends, whoever starts it or whatever hangs in it.
import { expect, test } from '@jest/globals'
import type { Target } from '../../sandbox/faults.ts'
import { withPreload } from '../support/preload.ts'
import { withClock } from '../support/scaled-clock.ts'
import { errorsIn, runStep, type Step } from '../support/step.ts'
import { describeOnPosix, onPosix } from '../support/systems.ts'

// A dead name server keeps a lookup in its thread. Here, the thread instead opens a pipe that has
// no writer.
describeOnPosix('A thread that hangs', () => {
  const stuck = async (lookups: number, step: Step, speed = 20) => {
    const hanging = withPreload(`
      import { execFileSync } from 'node:child_process'
      import dns from 'node:dns'
      import { closeSync, open, openSync } from 'node:fs'
      const pipe = process.env.RUNNER_TEMP + '/pipe'
      execFileSync('mkfifo', [pipe])
      let left = ${lookups}
      const { lookup } = dns
      dns.lookup = (...question) => (left-- > 0 ? open(pipe, 'r', () => {}) : lookup(...question))
      const write = process.stdout.write.bind(process.stdout)
      const endLookup = () => closeSync(openSync(pipe, 'w'))
      process.stdout.write = (text, ...rest) => {
        if (text.startsWith('Posted ') && process.env.LOOKUP_ENDS) setTimeout(endLookup, 3_000)
        return write(text, ...rest)
      }
    `)
    const nodeOptions = [...withClock(speed).nodeOptions, ...hanging.nodeOptions]
    const tooLong = AbortSignal.timeout(200_000)
    const done = await runStep({ signal: tooLong, ...step, nodeOptions })
    // Not killed by the test.
    expect(tooLong.aborted).toBe(false)
    return done
  }

  test.concurrent('does not keep a failed step alive, nor adds that it succeeded', async () => {
    const done = await stuck(Number.POSITIVE_INFINITY, {
      inputs: { 'base-url': 'https://chat.example', 'timeout-minutes': '1' },
    })
    expect(done).toMatchObject({ signal: 'SIGKILL', outputs: { status: 'failed' } })
    expect(done.summary).not.toBe('')
    // On a busy machine, the request may fail before the connection does.
    expect(errorsIn(done)).toHaveLength(1)
  })

  const posting: Step = {
    inputs: ({ baseUrl }) => ({
      method: 'external',
      'base-url': baseUrl.replace('127.0.0.1', 'localhost'),
    }),
  }

  // The lookup ends 3 s after the report; the process would be killed after 30 s.
  test.concurrent('does not fail a step that posted everything if it ends within 30 s', async () => {
    const done = await stuck(1, { ...posting, env: { LOOKUP_ENDS: '1' } }, 5)
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
    expect(errorsIn(done)).toEqual([])
  })

  test.concurrent('fails a step that posted everything, and one line says that it posted', async () => {
    const done = await stuck(1, posting)
    expect(done).toMatchObject({ signal: 'SIGKILL', outputs: { status: 'posted' } })
    expect(errorsIn(done)).toEqual([
      {
        title: 'Had to force-quit',
        text: expect.stringContaining('the outputs say what was posted'),
      },
    ])
  })
})

// On Windows, cancelling is a Ctrl-C in the console, which no other process can send.
// `unit/delivery/deliver.test.ts` cancels at any moment.
onPosix.each<[signal: NodeJS.Signals, during: Target, status: string]>([
  ['SIGINT', 'files.completeUploadExternal', 'unknown'],
  ['SIGTERM', 'upload-bytes', 'failed'],
  ['SIGHUP', 'upload-bytes', 'failed'],
])('%s during %s cancels the run, which ends by itself: %s', async (signal, target, status) => {
  let processId = 0
  let canceled = false
  const done = await runStep({
    inputs: { method: 'external' },
    onStart: (id) => {
      processId = id
    },
    prepare: ({ events, faults }) => {
      faults.add({ on: target, fault: { kind: 'silence', effect: true } })
      events.on('request', ({ fault }) => {
        if (fault !== 'silence' || canceled) return
        canceled = true
        process.kill(processId, signal)
      })
    },
  })
  expect(done).toMatchObject({ code: 1, signal: null, outputs: { status } })
  expect(errorsIn(done).at(-1)).toMatchObject({ title: 'The runner stopped the step' })
  expect(done.summary.includes('unknown whether posted')).toBe(status === 'unknown')
})

onPosix(
  'A step that is cancelled before it has read its inputs sends nothing, and reports it',
  async () => {
    const done = await runStep(
      withPreload(`
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { readFileSync } = fs
      fs.readFileSync = (file, ...options) => {
        if (file === process.env.GITHUB_EVENT_PATH) process.kill(process.pid, 'SIGINT')
        return readFileSync(file, ...options)
      }
      syncBuiltinESMExports()
    `),
    )
    expect(done).toMatchObject({ code: 1, requests: [], outputs: { status: 'failed' } })
    expect(errorsIn(done)).toMatchObject([{ title: 'The runner stopped the step' }])
  },
)

onPosix('A step that is killed has the status unknown', async () => {
  let processId = 0
  const done = await runStep({
    inputs: { method: 'external' },
    onStart: (id) => {
      processId = id
    },
    prepare: ({ events }) => {
      events.once('request', () => process.kill(processId, 'SIGKILL'))
    },
  })
  expect(done).toMatchObject({ signal: 'SIGKILL', outputs: { status: 'unknown' } })
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

/** APIs that Node 20 lacks and the action or its libraries use. */
const asOnNode20 = `
  Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
  delete Map.groupBy
  delete Object.groupBy
  delete Promise.withResolvers
  delete URL.parse
  delete Set.prototype.union
`

test('on Node 20 the step fails before anything is sent, and says which runner is needed', async () => {
  const done = await runStep(withPreload(asOnNode20))
  expect(done).toMatchObject({ code: 1, requests: [], stderr: '' })
  expect(errorsIn(done)).toEqual([
    {
      title: 'This Node is too old',
      text: 'The action was started on Node 20.20.2, and needs Node 24 or later.\nOn GitHub, update the runner to 2.327.1 or later; on 32-bit ARM, use another machine. On act, Gitea and Forgejo, run actions/setup-node with node-version 24 before this step.',
    },
  ])
})

/** Throws in an event listener at the first response. */
const throwsAtResponse = withPreload(`
  import { subscribe } from 'node:diagnostics_channel'
  subscribe('undici:request:headers', () => { throw new Error('thrown in a listener') })
`)

const throwsAfterReport = withPreload(`
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...rest) => {
    if (String(text).startsWith('Posted ')) setImmediate(() => { throw new Error('thrown in a listener') })
    return write(text, ...rest)
  }
`)

// No code of the run can catch it, as in a library's listener.
test.each<[when: string, method: string, preload: Partial<Step>, status: string]>([
  ['before anything was posted, and no cancellation', 'external', throwsAtResponse, 'failed'],
  ['beside what was posted', 'files.upload', throwsAtResponse, 'posted'],
  ['after the report', 'files.upload', throwsAfterReport, 'posted'],
])('an uncaught exception is an error %s', async (_, method, preload, status) => {
  const done = await runStep({ inputs: { method }, ...preload })
  expect(done).toMatchObject({
    code: 1,
    outputs: { status },
    messages: status === 'posted' ? [{}] : [],
    stderr: '',
  })
  const text = expect.stringMatching(
    /^`thrown in a listener`\nThis is a bug in the action\. Please report it/,
  )
  expect(errorsIn(done)).toEqual([{ title: 'The action failed', text }])
  expect(done.summary.includes('thrown in a listener')).toBe(preload === throwsAtResponse)
})
