import { describe, expect, test } from '@jest/globals'
import { readChoice, readFlag, readNumber, readText, showValue } from '../../../src/inputs/read.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

test.each([
  ['', ''],
  [' \n', ''],
  [' a b\n', 'a b'],
])('the text of %j is %j', (value, expected) => {
  expect(withInputs({ one: value }, () => readText('one'))).toBe(expected)
})

describe('a choice', () => {
  const read = () => readChoice('policy', ['error', 'warn', 'ignore'])

  test.each([
    ['', 'error'],
    ['error', 'error'],
    [' ignore\n', 'ignore'],
  ])('of %j is %j', (value, expected) => {
    expect(withInputs({ policy: value }, read)).toBe(expected)
  })

  test.each(['Warn', 'war', 'warn,ignore'])('of %j is refused', (value) => {
    expect(refusalOf({ policy: value }, read)).toBe(
      `\`policy\` is \`${value}\`. Write one of \`error\`, \`warn\`, \`ignore\`.`,
    )
  })
})

describe('a boolean', () => {
  const read = () => readFlag('flag')

  test.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
    ['', false],
  ])('of %j is %s, as in YAML', (value, expected) => {
    expect(withInputs({ flag: value }, read)).toBe(expected)
  })

  test.each(['yes', '0', 'tRUE', 'truely', 'untrue', 'falsely', 'unfalse'])('of %j is refused', (value) => {
    expect(refusalOf({ flag: value }, read)).toBe(`\`flag\` is \`${value}\`. Write \`true\` or \`false\`.`)
  })
})

describe('a number', () => {
  const read = () => readNumber('count', '50', /^\d+$/, text`a whole number`)

  test.each([
    ['', 50],
    ['7', 7],
  ])('of %j is %d', (value, expected) => {
    expect(withInputs({ count: value }, read)).toBe(expected)
  })

  test('of another shape is refused', () => {
    expect(refusalOf({ count: '7 files' }, read)).toBe('`count` is `7 files`. Write a whole number.')
  })
})

describe('a value in an error', () => {
  test.each([
    ['is on one line', 'a\n  b\tc', '`a b c`'],
    ['has up to 100 characters', 'a'.repeat(100), `\`${'a'.repeat(100)}\``],
    ['is cut if it is longer', 'a'.repeat(101), `\`${'a'.repeat(99)}…\``],
  ])('%s', (_situation, value, expected) => {
    expect(quoted(showValue(value))).toBe(expected)
  })

  test.each(['xoxb-1', 'xoxe.xoxp-1', 'token: XOXB-1', 'xapp-1', 'https://hooks.slack.com/services/T/B/x'])(
    'is not shown if it may be a secret: %s',
    (value) => {
      expect(quoted(showValue(value))).toBe('a secret (not shown)')
    },
  )

  test.each(['xoxo', 'xapp', 'hooks-slack.com', 'hooks.slack-com'])('is shown if it is no secret: %s', (value) => {
    expect(quoted(showValue(value))).toBe(`\`${value}\``)
  })
})
