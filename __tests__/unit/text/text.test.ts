import { expect, test } from '@jest/globals'
import { code, join, list, quoted, render, showValue, text, words } from '../../../src/text/text.ts'

const html = { words: (ours: string) => ours, value: (value: string) => `<code>${value}</code>` }

test('A string that is inserted is a value, a number is formatted, and a text is inserted as it is', () => {
  const limit = text`Raise ${code('max-files')}.`
  expect(quoted(text`${'a.csv'} is one of ${1200} files. ${limit}`)).toBe(
    '`a.csv` is one of 1,200 files. Raise `max-files`.',
  )
})

test('Words and values stay apart until they are rendered', () => {
  expect(render(text`Open ${'<b>'}, then ${code('dry-run')}.`, html)).toBe(
    'Open <code><b></code>, then <code>dry-run</code>.',
  )
})

test('A value stays on one line, shows what is invisible, and is short', () => {
  expect(quoted(text`${'a\nb\u202e'}`)).toBe('`a\\nb\\u{202e}`')
  const long = quoted(text`${'x'.repeat(1000)}`)
  expect(long.length).toBeLessThan(310)
  expect(long).toContain('…')
})

test('A list names the first items and counts the others', () => {
  expect(quoted(list(['a', 'b']))).toBe('`a`, `b`')
  expect(quoted(list(['a', words('none'), 'c', 'd'], { max: 2, separator: '; ' }))).toBe('`a`; none and 2 more')
  expect(quoted(list([]))).toBe('')
})

test('Joined texts leave empty ones out', () => {
  expect(quoted(join([text`One.`, text``, text`Two.`], '\n'))).toBe('One.\nTwo.')
})

test.each([
  ['two \n\t lines', '`two lines`'],
  ['x'.repeat(100), `\`${'x'.repeat(100)}\``],
  ['x'.repeat(101), `\`${'x'.repeat(99)}…\``],
  ['xox-1', '`xox-1`'],
  ...['xoxb-1', 'XOXE.xoxp-1', 'xapp-1', 'https://hooks.slack.com/x'].map((secret) => [secret, 'a secret (not shown)']),
])('an error shows a value on one short line, and no secret: %s', (value, shown) => {
  expect(quoted(showValue(value))).toBe(shown)
})
