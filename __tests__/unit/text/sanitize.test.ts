import { expect, test } from '@jest/globals'
import { shorten } from '../../../src/text/sanitize.ts'

test.each([4, 5, 20, 21])(
  'A text that is cut to %s characters keeps its ends, and no character is cut in two',
  (max) => {
    const half = Math.floor((max - 1) / 2)
    const cut = `${'🎉'.repeat(half)}…${'🎉'.repeat(half)}`
    for (const count of [max + 1, 2 * max, 1_000]) expect(shorten('🎉'.repeat(count), max)).toBe(cut)
    expect(shorten('🎉'.repeat(max), max)).toBe('🎉'.repeat(max))
  },
)
