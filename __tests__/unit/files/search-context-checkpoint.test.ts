import { describe, expect, test } from '@jest/globals'
import { checkpoints } from '../../../src/files/search-context.ts'

/** Works without a pause until there is something to wait for. */
function workUntilPause(checkpoint: () => Promise<void> | undefined): Promise<void> {
  for (;;) {
    const pause = checkpoint()
    if (pause) return pause
  }
}

describe('a checkpoint', () => {
  test('lets timers fire once work has taken long', async () => {
    const checkpoint = checkpoints(new AbortController().signal)
    let fired = false
    setImmediate(() => {
      fired = true
    })
    expect(checkpoint()).toBeUndefined()
    const start = performance.now()
    const pause = workUntilPause(checkpoint)
    expect(performance.now() - start).toBeGreaterThan(10)
    expect(fired).toBe(false)
    await pause
    expect(fired).toBe(true)
    expect(checkpoint()).toBeUndefined()
  })

  test('throws the reason of the signal also if it was aborted in the pause', async () => {
    const controller = new AbortController()
    setImmediate(() => controller.abort(new Error('time is up')))
    await expect(workUntilPause(checkpoints(controller.signal))).rejects.toThrow('time is up')
  })
})
