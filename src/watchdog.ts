import { subscribe } from 'node:diagnostics_channel'
import type fs from 'node:fs'
import type threads from 'node:worker_threads'
import { Deadline, systemClock } from './deadline.ts'
import { problemsOfError } from './problem.ts'

/**
 * A normal run is over before: a worker costs a third of a cold start, and 20 MB. What can block the main thread earlier is
 * our own work on much text from outside, so a long input or response starts the watchdog at once.
 */
const startMilliseconds = 2_000
/** Characters or bytes. With less, even work that takes quadratic time ends within a second. */
const unusualLength = 10_000
const beatMilliseconds = 500

const advice =
  'so the step was ended. What was posted by then is not reported: check the channels before you run the step again.%0AThis is a fault of the action itself. Please report it, with the log of the step.'
/** Why the worker ends the process. It loads no library, so these are commands to the runner. */
const errors = [
  `::error title=The action was blocked::Its main thread did not respond for ten seconds, ${advice}\n`,
  `::error title=The action did not end in time::It still ran ten seconds after it should have ended, ${advice}\n`,
]

/**
 * The time limit of the run, with everything that can end the run early: a signal of the runner, an exception outside of the
 * run and, if the main thread is blocked, the watchdog.
 *
 * @param milliseconds that the run may take
 * @param inputLength characters of the inputs that can be long
 */
export function startDeadline(milliseconds: number, inputLength: number): Deadline {
  const deadline = new Deadline(systemClock, milliseconds)
  // The runner cancels a step with SIGINT, and with SIGTERM some seconds later. SIGHUP comes from a terminal that is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => deadline.cancel())
  process.on('uncaughtException', (error) => {
    for (const problem of problemsOfError(error)) deadline.abort(problem)
  })
  startWatchdog(() => deadline.remaining() === 0, inputLength)
  return deadline
}

/**
 * Ends the process when the main thread is blocked for ten seconds, or when the run should have ended ten seconds ago. No
 * timer and no signal handler of a blocked thread runs, so another thread waits for its heartbeat.
 *
 * @param isOver whether the run should have ended
 */
function startWatchdog(isOver: () => boolean, inputLength: number): void {
  const heartbeat = new Int32Array(new SharedArrayBuffer(8))
  const beat = () => {
    if (isOver()) {
      Atomics.store(heartbeat, 1, 1)
    } else {
      Atomics.add(heartbeat, 0, 1)
      Atomics.notify(heartbeat, 0)
    }
  }
  let started = false
  const start = () => {
    if (started) return
    started = true
    // Nothing that was loaded into the main thread by an option is loaded into the worker.
    const options = { eval: true, execArgv: [], env: {}, workerData: { heartbeat, errors } }
    // Loaded only when it is needed, and at once, because the main thread may be blocked a moment later.
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    // The run goes on without it if there is no thread for it, or if Node's permission model allows none.
    try {
      new Worker(`(${watch})(require('node:worker_threads'), require('node:fs'))`, options)
        .on('error', () => undefined)
        .unref()
    } catch {}
  }
  setInterval(beat, beatMilliseconds).unref()
  setTimeout(start, startMilliseconds).unref()
  if (inputLength > unusualLength) start()
  subscribe('undici:request:bodyChunkReceived', (received) => {
    if ((received as { readonly chunk: Uint8Array }).chunk.byteLength > unusualLength) start()
  })
}

/** Runs in the worker, from its source: it uses nothing of this file. */
function watch({ Worker, workerData }: typeof threads, { writeSync }: typeof fs): void {
  const { heartbeat, errors }: { heartbeat: Int32Array; errors: string[] } = workerData
  // Ten waits of a second, not one of ten: when a machine wakes up, one wait is over before the main thread can beat.
  for (let silent = 0; silent < 10; ) {
    const waited = Atomics.wait(heartbeat, 0, Atomics.load(heartbeat, 0), 1_000)
    silent = waited === 'timed-out' ? silent + 1 : 0
  }
  // A write blocks while nobody reads what the step prints: yet another thread ends the process then.
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)`, { eval: true, execArgv: [], env: {} })
  for (let written = false; !written; ) {
    try {
      writeSync(1, errors[Atomics.load(heartbeat, 1)] ?? '')
      written = true
    } catch {
      // Such as EAGAIN, from a pipe that is full.
      Atomics.wait(heartbeat, 1, Atomics.load(heartbeat, 1), 50)
    }
  }
  process.kill(process.pid, 'SIGKILL')
}
