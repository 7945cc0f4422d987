import { expect, test } from '@jest/globals'
import { warnOfPlaceholders } from '../../../src/text/placeholders.ts'
import { quoted } from '../../../src/text/text.ts'

const problemsFor = (typed: string, input = 'comment', known = ['files', 'source']) =>
  warnOfPlaceholders(input, typed, known).map(({ level, text, title }) => {
    expect(title).toBe(`Unknown placeholder in ${input}`)
    return [level, quoted(text)]
  })

test.each([
  ['{sourc}', 'source'],
  ['{surce}', 'source'],
  ['{file}', 'files'],
  ['{Files}', 'files'],
  ['{ files }', 'files'],
  ['{FILES}', 'files'],
])('%s is almost {%s}', (typed, meant) => {
  const [word] = /\{[^{}]*\}/.exec(typed) ?? []
  expect(problemsFor(`a ${typed} b`)).toEqual([
    ['warning', `\`${word}\` is posted as typed. Did you mean \`{${meant}}\`?`],
  ])
})

test.each([
  ...[
    '{name}',
    '{filename}',
    '{branch}',
    '{url}',
    '${files}',
    '{{files}}',
    '{{ source }}',
    '{{file}}',
    '{repository}',
    '{run_url}',
    '{joburl}',
  ].map(
    (typed) =>
      ['comment', typed, 'the placeholders of `comment` are `{files}` and `{source}`', ['files', 'source']] as const,
  ),
  ...['{file}', '{source}', '{files}', '{filename}', '${name}', '{{name}}'].map(
    (typed) => ['title', typed, 'the only placeholder of `title` is `{name}`', ['name']] as const,
  ),
])('in %s, %s gets a notice with the placeholders that exist', (input, typed, are, known) => {
  expect(problemsFor(`a ${typed} b`, input, [...known])).toEqual([
    ['notice', `\`${typed}\`: ${are}, in single braces and without \`$\`. Other braces are posted as typed.`],
  ])
})

test('one notice names several, each once', () => {
  const [[level, text = ''] = []] = problemsFor('{url} {url} {branch} {tag} {sha}')
  expect([level, text]).toEqual(['notice', expect.stringMatching(/^`\{url\}`, `\{branch\}`, `\{tag\}` and 1 more: /)])
})

test.each([
  '{files} from {source}',
  '{"file":1}',
  '{}',
  '{sou}',
  '{other}',
  '{myurl}',
  '{urls}',
  '{{ other }}',
  '$files',
  '{file\n}',
  'file',
  `{${'file'.repeat(9)}}`,
])('there is nothing to say about %j', (typed) => {
  expect(problemsFor(typed)).toEqual([])
})

test('each word is reported once, and at most three', () => {
  expect(problemsFor('{file} {file}')).toHaveLength(1)
  const [[, text = ''] = []] = problemsFor('{file} {fils} {fles} {iles} {filess}')
  expect(text.split('\n')).toHaveLength(3)
})
