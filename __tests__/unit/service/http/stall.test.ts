import { describe, expect, test } from '@jest/globals'
import { maxStandstill, type Standstill } from '../../../../src/service/http/stall.ts'

const minutes = (count: number) => count * 60_000
const upload = (length: number, more: Partial<Standstill> = {}): Standstill => ({
  body: { length },
  fullySent: true,
  timeLeft: minutes(60),
  ...more,
})

describe('A request in which nothing moves is given up', () => {
  test.each<readonly [string, Standstill, number]>([
    ['after 30 s if it is short', upload(1), 30],
    [
      'after a slow line would have carried six of its size',
      upload(900_000, { fullySent: false }),
      30 + 6 * 18,
    ],
    // Within three minutes, also among many.
    ['and itself if it was sent whole', upload(900_000), 30 + 7 * 18],
    ['each of at most 1 MB', upload(10_000_000, { fullySent: false }), 30 + 6 * 20],
    // A proxy can have taken all of it at once.
    ['and all of its own bytes', upload(10_000_000), 30 + 6 * 20 + 200],
    [
      'while half of the time is left for a repeat',
      upload(10_000_000, { timeLeft: minutes(4) }),
      120,
    ],
    [
      'not before this machine would have sent it',
      upload(10_000_000, { timeLeft: minutes(2.5) }),
      30 + 80,
    ],
    ['in the last minute after 30 s all the same', upload(1, { timeLeft: 40_000 }), 30],
    [
      'three minutes after it was sent if it must not be repeated',
      upload(1, { minResponseTime: minutes(3) }),
      180,
    ],
    [
      'before that after 30 s all the same',
      upload(1, { minResponseTime: minutes(3), fullySent: false }),
      30,
    ],
    [
      'later still for a large file that must not be repeated, whatever is left',
      upload(10_000_000, { minResponseTime: minutes(3), timeLeft: minutes(4) }),
      350,
    ],
  ])('%s', (_, standstill, seconds) => {
    expect(Math.round(maxStandstill(standstill) / 1_000)).toBe(seconds)
  })
})
