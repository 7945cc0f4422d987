// Loaded into the action by --import: time passes faster for it, so that a test need not wait as
// long as a user would.

/**
 * The options with which the action is started, so that a second of the world is `speed` seconds
 * for it. All timers are scaled alike, and what the machine takes to do something seems longer by
 * as much: a test must not need responses within seconds.
 */
export function withClock(speed = 20) {
  return { nodeOptions: ['--import', `${import.meta.url}?speed=${speed}`] }
}

/**
 * Milliseconds. On a busy machine, the process waits longer for its turn, and so do the servers of
 * the test: time that passes meanwhile does not count.
 */
const longestTurn = 10

function scale(speed: number): void {
  const { setTimeout, setInterval } = globalThis
  const faster =
    <T>(timer: (callback: () => void, milliseconds: number) => T) =>
    (callback: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): T =>
      timer(() => callback(...values), milliseconds / speed)
  Object.assign(globalThis, { setTimeout: faster(setTimeout), setInterval: faster(setInterval) })
  // After its report, a step that failed has a second to end by itself. A busy machine needs a
  // second of the world.
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
}

const given = new URL(import.meta.url).searchParams.get('speed')
if (given !== null) scale(Number(given))
