// Timeouts that pass when a test says so. Jest's own fake timers exist only in jest, and the mutation tests run without it.

interface Timeout {
  at: number
  readonly run: () => void
}

/** Replaces `setTimeout`, `clearTimeout` and `performance.now` until it is disposed of. */
export function fakeTimeouts(): Disposable & { readonly advance: (milliseconds: number) => void } {
  const { clearTimeout, setTimeout } = globalThis
  const { now } = performance
  const start = performance.now()
  let passed = 0
  const timeouts = new Set<Timeout>()
  Object.assign(globalThis, {
    setTimeout(callback: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) {
      const timeout = {
        at: passed + milliseconds,
        run: () => callback(...values),
        ref: () => timeout,
        unref: () => timeout,
        refresh() {
          timeout.at = passed + milliseconds
          timeouts.add(timeout)
          return timeout
        },
      }
      return timeout.refresh()
    },
    clearTimeout(timeout: Timeout) {
      if (!timeouts.delete(timeout)) clearTimeout(timeout as never)
    },
  })
  performance.now = () => start + passed
  return {
    advance(milliseconds) {
      const end = passed + milliseconds
      for (;;) {
        const [next] = [...timeouts].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        passed = Math.max(passed, next.at)
        timeouts.delete(next)
        next.run()
      }
      passed = end
    },
    [Symbol.dispose]() {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      performance.now = now
    },
  }
}
