import { describe, expect, test } from '@jest/globals'
import { tokenRemover } from '../../../src/text/token.ts'

const token = 'xoxb-1234567890-Abc.d'

describe('the token is removed from a text', () => {
  test.each([
    ['as it is', `a ${token} b`, 'a *** b'],
    ['twice', `${token},${token}`, '***,***'],
    ['partly percent-encoded', 'a xoxb%2d1234567890-Abc%2Ed b', 'a *** b'],
    ['with escapes of JSON', '"\\u0078oxb\\u002D1234567890-Abc\\.d"', '"***"'],
    [
      'percent-encoded, with escapes of JSON',
      '"xoxb\\u00252D1234567890-Abc%\\u0032e\\u0064"',
      '"***"',
    ],
    [
      'in the lower case of a host',
      `https://${token.toLowerCase()}.example`,
      'https://***.example',
    ],
  ])('%s', (_, text, expected) => {
    expect(tokenRemover(token)(text)).toBe(expected)
  })

  test.each([999, 1_000, 1_001, 4_000, 100_000])('with %i characters', (length) => {
    const long = 'a-'.repeat(length / 2 + 1).slice(0, length)
    const removed = tokenRemover(long)(`x ${long} y`)
    expect(removed).toBe(length > 1_000 ? 'x ***' : 'x *** y')
  })
})

test('a text without the token stays as it is', () => {
  expect(tokenRemover(token)('xoxb-1234567890-Abc d')).toBe('xoxb-1234567890-Abc d')
})
