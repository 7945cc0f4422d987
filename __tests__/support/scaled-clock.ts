// Loaded into the action by --import. Speeds up its time, so that tests need not wait as long as a
// user.

import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'

/**
 * Options that turn a second into `speed` seconds for the action. All timers are scaled, and the
 * machine seems slower by as much, so a test must not need responses within seconds.
 */
export function withClock(speed = 20) {
  return { nodeOptions: ['--import', `${import.meta.url}?speed=${speed}`] }
}

/**
 * Milliseconds that count between two turns. On a busy machine, the process and the test's servers
 * wait longer for theirs.
 */
const longestTurn = 20

function scale(speed: number): void {
  const { setTimeout, setInterval } = globalThis
  const faster =
    <T>(timer: (callback: () => void, milliseconds: number) => T) =>
    (callback: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): T =>
      timer(() => callback(...values), milliseconds / speed)
  Object.assign(globalThis, { setTimeout: faster(setTimeout), setInterval: faster(setInterval) })
  // A failed step has a second to end after its report. For a busy machine, this second stays real.
  const kill = process.kill.bind(process)
  process.kill = (pid, signal) => {
    if (pid !== process.pid) return kill(pid, signal)
    setTimeout(() => kill(pid, signal), 1_000).unref()
    return true
  }
  const now = performance.now.bind(performance)
  let passed = 0
  let last = now()
  const pass = () => {
    const time = now()
    passed += Math.min(time - last, longestTurn)
    last = time
    return passed * speed
  }
  setInterval(pass, longestTurn / 2).unref()
  performance.now = pass
  const { setTimeout: sleep } = promises
  // On a busy machine, a timer ends before so much time has counted.
  promises.setTimeout = async (milliseconds = 0, ...rest) => {
    const end = pass() + milliseconds
    do await sleep(Math.max(0, end - pass()) / speed, ...rest)
    while (pass() < end)
    return undefined as never
  }
  syncBuiltinESMExports()
}

const given = new URL(import.meta.url).searchParams.get('speed')
if (given !== null) scale(Number(given))
