import { expect, test } from '@jest/globals'
import { tokenRemover } from '../../../src/text/token.ts'

const token = 'xoxb-1234567890-Abc.d'

test.each([
  [`a ${token} b`, 'a *** b'],
  [`${token},${token}`, '***,***'],
  // Partly percent-encoded, with JSON escapes, or both.
  ['a xoxb%2d1234567890-Abc%2Ed b', 'a *** b'],
  ['"\\u0078oxb\\u002D1234567890-Abc\\.d"', '"***"'],
  ['"xoxb\\u00252D1234567890-Abc%\\u0032e\\u0064"', '"***"'],
  // Hosts have lower case.
  [`https://${token.toLowerCase()}.example`, 'https://***.example'],
])('the token is removed from a text: %s', (text, expected) => {
  expect(tokenRemover(token)(text)).toBe(expected)
})

test.each([999, 1_000, 1_001, 4_000, 100_000])(
  'a token with %i characters is removed',
  (length) => {
    const long = 'a-'.repeat(length / 2 + 1).slice(0, length)
    const removed = tokenRemover(long)(`x ${long} y`)
    expect(removed).toBe(length > 1_000 ? 'x ***' : 'x *** y')
  },
)

test.each([
  [token, 'xoxb-1234567890-Abc d'],
  // It would occur by chance.
  ['1234567', 'a 1234567 b'],
])('without a token of 8 characters, a text stays as it is: %s', (removed, text) => {
  expect(tokenRemover(removed)(text)).toBe(text)
  expect(tokenRemover('12345678')('a 12345678 b')).toBe('a *** b')
})
