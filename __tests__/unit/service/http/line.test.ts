import { getEventListeners } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { Line } from '../../../../src/service/http/line.ts'
import { NoResponseError } from '../../../../src/service/http/no-response.ts'
import { VirtualClock } from '../../../support/virtual-clock.ts'

const { signal } = new AbortController()

/** A line of this speed, which all uploads share, and a service that then takes some time to respond. */
function start({ bytesPerSecond = Number.POSITIVE_INFINITY, delay = 0, statuses = [] as readonly number[] }) {
  const clock = new VirtualClock()
  const line = new Line(clock)
  let free = 0
  let inFlight = 0
  const sent: { readonly at: number; readonly inFlight: number; readonly waited: number }[] = []
  const upload = async (bytes: number) => {
    const { status } = await line.carry(bytes, signal, async (waited) => {
      inFlight += bytes
      const status = statuses[sent.length] ?? 200
      sent.push({ at: clock.now(), inFlight, waited })
      free = Math.max(free, clock.now()) + (bytes / bytesPerSecond) * 1_000
      await clock.sleep(free - clock.now() + delay)
      inFlight -= bytes
      return { status }
    })
    return status
  }
  const uploadAll = (count: number, bytes: number) =>
    clock.play(Promise.all(Array.from({ length: count }, () => upload(bytes))))
  return { clock, line, sent, upload, uploadAll }
}

describe('A line', () => {
  test('leaves no listener for an upload that waited', async () => {
    const { sent, uploadAll } = start({ bytesPerSecond: 125_000 })
    await uploadAll(10, 2e6)
    expect(sent.some(({ waited }) => waited > 0)).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('carries many small files at once', async () => {
    const { sent, uploadAll } = start({ bytesPerSecond: 125_000 })
    await uploadAll(64, 20_000)
    expect(sent.every(({ at }) => at === 0)).toBe(true)
  })

  test.each([
    [1, 62_500, 2e6],
    [2, 125_000, 2e6],
    [10, 1_250_000, 15e6],
    [100, 12_500_000, 64e6],
  ])(
    'of %d × 0.5 Mbit/s has not much more in flight than it carries in ten seconds',
    async (_, bytesPerSecond, most) => {
      const { clock, sent, uploadAll } = start({ bytesPerSecond, delay: 50 })
      await uploadAll(64, 900_000)
      expect(Math.max(...sent.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(most)
      // It is never idle for long.
      expect(clock.now() / ((64 * 900_000 * 1_000) / bytesPerSecond)).toBeLessThan(1.1)
    },
  )

  test.each([
    [900_000, 50, 2],
    [100_000, 1_000, 20],
  ])(
    'that is fast waits for the first responses before it carries all, of %d bytes each',
    async (bytes, delay, first) => {
      const { clock, sent, uploadAll } = start({ delay })
      await uploadAll(64, bytes)
      expect(sent.filter(({ at }) => at === 0)).toHaveLength(first)
      expect(clock.now()).toBe(2 * delay)
      expect(sent.at(-1)).toMatchObject({ at: delay, waited: delay })
    },
  )

  test('carries two large files at once, and any file alone', async () => {
    const { sent, uploadAll } = start({ bytesPerSecond: 62_500 })
    await uploadAll(3, 5e6)
    expect(sent.map(({ at }) => at / 1_000)).toEqual([0, 0, 80])
  })

  test('begins with few bytes again after it lost some', async () => {
    const { sent, uploadAll } = start({ delay: 50, statuses: [200, 200, 504] })
    await uploadAll(3, 900_000)
    await uploadAll(4, 900_000)
    expect(sent.map(({ at }) => at)).toEqual([0, 0, 50, 100, 100, 150, 150])
  })

  test('ends the wait of an upload that is given up', async () => {
    const { clock, line, sent, upload } = start({ delay: 50_000 })
    const stop = new AbortController()
    const others = [upload(1e6), upload(1e6)]
    const waiting = line.carry(1e6, stop.signal, async () => ({ status: 200 })).catch((error: unknown) => error)
    clock.sleep(1_000).then(() => stop.abort())
    expect(await clock.play(waiting)).toEqual(new NoResponseError('ABORTED', false, 'the run ended before it was sent'))
    expect(clock.now()).toBe(1_000)
    await clock.play(Promise.all(others))
    expect(sent).toHaveLength(2)
  })

  test('gives everything in flight the time that a slow line needs, and at most three minutes', async () => {
    const { clock, line, upload } = start({ delay: 1 })
    expect(line.milliseconds).toBe(0)
    await clock.play(upload(900_000))
    const all = Promise.all(Array.from({ length: 64 }, () => upload(1e6)))
    await clock.standStill(new Promise(setImmediate))
    expect(line.milliseconds).toBe(180_000)
    await clock.play(all)
    const one = upload(500_000)
    expect(line.milliseconds).toBe(10_000)
    await clock.play(one)
  })
})
