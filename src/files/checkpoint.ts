import { setImmediate } from 'node:timers/promises'

/** Long work without a pause keeps the deadline from firing. */
const maxMilliseconds = 50

/**
 * A function for loops that can take long: it lets timers fire now and then, and throws the reason of the signal once the
 * signal is aborted. It returns nothing to wait for in between, so that a loop does not slow down.
 */
export function checkpoints(signal: AbortSignal): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    signal.throwIfAborted()
    if (performance.now() - last < maxMilliseconds) return undefined
    return setImmediate().then(() => {
      last = performance.now()
      signal.throwIfAborted()
    })
  }
}
