import { expect, test } from '@jest/globals'
import { escapeInvisible, replaceControls, shorten } from '../../../src/text/sanitize.ts'

test.each([
  ['🎉.🎈', 5, '🎉.🎈'],
  ['🎉..🎈', 5, '🎉…🎈'],
  ['🎉🎉🎉.🎈🎈🎈', 11, '🎉🎉…🎈🎈'],
  ['🎉🎉🎉.🎈🎈🎈', 8, '🎉…🎈'],
  // Without the broken one, what it keeps apart would be joined.
  ['to\ud83cken🎉🎉🎉🎉', 9, 'to\ud83ck…🎉🎉'],
])('%s, cut to %s units, keeps its ends, and no character is cut in two', (text, max, cut) => {
  expect(shorten(text, max)).toBe(cut)
})

test('White space other than a space, and characters that print nothing, are shown in a log', () => {
  const shown = (codes: readonly number[]) =>
    codes.map((code) => escapeInvisible(String.fromCodePoint(code)))
  const escaped = [0xa0, 0x202f, 0x3000, 0xad, 0x34f, 0x115f, 0x2800, 0x3164, 0xe0041, 0xfff9]
  expect(shown(escaped)).toEqual(escaped.map((code) => `\\u{${code.toString(16)}}`))
  const kept = [0x20, 0x200c, 0x200d, 0xfe0f, 0xe0100, 0xe9]
  expect(shown(kept)).toEqual(kept.map((code) => String.fromCodePoint(code)))
})

test('Characters that print nothing, or change the direction, are shown or replaced', () => {
  const text = 'a\nb\rc\td\u202ee\u200ff\u{200b}👩\u200d🚀'
  expect(escapeInvisible(text)).toBe('a\\nb\\rc\\td\\u{202e}e\\u{200f}f\\u{200b}👩\u200d🚀')
  expect(replaceControls(text, '_')).toBe('a_b_c_d_e_f\u200b👩\u200d🚀')
})
