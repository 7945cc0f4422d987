import { expect, test } from '@jest/globals'
import { warnOfPlaceholders } from '../../../src/text/placeholders.ts'
import { quoted } from '../../../src/text/text.ts'

const known = ['files', 'source']
const warningsFor = (typed: string) => warnOfPlaceholders('comment', typed, known).map(({ text }) => quoted(text))

test.each([
  ['{sourc}', 'source'],
  ['{surce}', 'source'],
  ['{file}', 'files'],
  ['{Files}', 'files'],
  ['{ files }', 'files'],
  ['{FILES}', 'files'],
  ['{{file}}', 'files'],
])('%s is almost {%s}', (typed, meant) => {
  const [word] = /\{[^{}]*\}/.exec(typed) ?? []
  expect(warningsFor(`a ${typed} b`)).toEqual([`\`${word}\` is posted as typed. Did you mean \`{${meant}}\`?`])
})

test.each([
  '{files} from {source}',
  '{"file":1}',
  '{}',
  '{name}',
  '{sou}',
  '{file\n}',
  'file',
  `{${'file'.repeat(9)}}`,
])('there is nothing to say about %j', (typed) => {
  expect(warningsFor(typed)).toEqual([])
})

test('each word is reported once, and at most three', () => {
  expect(warningsFor('{file} {file}')).toHaveLength(1)
  const [text = ''] = warningsFor('{file} {fils} {fles} {iles} {filess}')
  expect(text.split('\n')).toHaveLength(3)
})
