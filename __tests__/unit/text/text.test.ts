import { expect, test } from '@jest/globals'
import { list, quoted, showValue, text } from '../../../src/text/text.ts'

test('A string that is inserted is a value, a number is formatted, and a text is inserted as it is', () => {
  const limit = text`Raise \`max-files\` or \`files\`.`
  expect(quoted(text`${'a.csv'} is one of ${1200} files. ${limit}`)).toBe(
    '`a.csv` is one of 1,200 files. Raise `max-files` or `files`.',
  )
})

test('A value stays on one line, shows what is invisible, and is short', () => {
  expect(quoted(text`${'a\nb\u202e'}`)).toBe('`a\\nb\\u{202e}`')
  const long = quoted(text`${'x'.repeat(1000)}`)
  expect(long).toHaveLength(301)
  expect(long).toContain('…')
})

test('a list leaves out what is empty, and says how many more there are', () => {
  const shown = [1, 2, 3].map((max) => quoted(list(['a', [], text`${'b'} or`], { max })))
  expect(shown).toEqual(['`a` and 2 more', '`a` and 1 more', '`a`, `b` or'])
})

test.each([
  ['two \n\t lines', '`two lines`'],
  ['x'.repeat(100), `\`${'x'.repeat(100)}\``],
  ['x'.repeat(101), `\`${'x'.repeat(49)}…${'x'.repeat(49)}\``],
  ['xox-1', '`xox-1`'],
  ...['xoxb-1', 'XOXE.xoxp-1', 'xapp-1', 'https://hooks.slack.com/x'].map((secret) => [
    secret,
    'a secret (not shown)',
  ]),
])('an error shows a value on one short line, and no secret: %s', (value, shown) => {
  expect(quoted(showValue(value))).toBe(shown)
})
