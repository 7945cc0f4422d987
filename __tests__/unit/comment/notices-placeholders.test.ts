import { expect, test } from '@jest/globals'
import { placeholderProblems } from '../../../src/comment/notices.ts'
import { quoted } from '../../../src/text/text.ts'

const problemsFor = (typed: string, input = 'comment', known = ['files', 'source']) =>
  placeholderProblems(input, typed, known).map(({ level, text, title }) => {
    expect(title).toBe(`Unknown placeholder in ${input}`)
    return [level, quoted(text)]
  })

const inSingleBraces = 'in single braces and without `$`. Other braces are posted as typed.'
const ofComment = 'the placeholders of `comment` are `{files}`, `{source}`'

test.each(['{sourc}', '{surce}', '{file}', '{Files}', '{ files }', '{FILES}'])(
  '%s is almost a placeholder',
  (typed) => {
    expect(problemsFor(`a ${typed} b {url}`)).toEqual([
      ['warning', `\`${typed}\`, \`{url}\`: ${ofComment}, ${inSingleBraces}`],
    ])
  },
)

const foreign =
  '{name} | {filename} | {branch} | {url} | ${files} | {{files}} | {{ source }} | {{file}} | {repository} | {run_url} | {joburl}'
test.each([
  ...foreign.split(' | ').map((typed) => ['comment', typed, ofComment, ['files', 'source']] as const),
  ...['{file}', '{source}', '{files}', '{filename}', '${name}', '{{name}}', '{{subject}}', '{title}'].map(
    (typed) => ['title', typed, 'the placeholders of `title` are `{name}`, `{subject}`', ['name', 'subject']] as const,
  ),
])('in %s, %s gets a notice with the placeholders that exist', (input, typed, are, known) => {
  expect(problemsFor(`a ${typed} b`, input, [...known])).toEqual([
    ['notice', `\`${typed}\`: ${are}, ${inSingleBraces}`],
  ])
})

test.each([
  ['{{ github.sha }} and {{ inputs.name }}', '`{{ github.sha }}`, `{{ inputs.name }}`', '${{ github.sha }}'],
  ['{{secrets.NAME}}', '`{{secrets.NAME}}`', '${{secrets.NAME}}'],
])('%s lacks the `$` of an expression', (typed, shown, meant) => {
  expect(problemsFor(typed)).toEqual([['warning', `${shown}: an expression begins with \`$\`: \`${meant}\`.`]])
})

test('one notice names several, each once', () => {
  const [[level, text = ''] = []] = problemsFor('{url} {url} {branch} {tag} {sha}')
  expect([level, text]).toEqual(['notice', expect.stringMatching(/^`\{url\}`, `\{branch\}`, `\{tag\}` and 1 more: /)])
})

const fine =
  '{files} from {source} | {"file":1} | {} | {sou} | {other} | {myurl} | {urls} | {{ other }} | $files | {file\n} | file'
test.each([...fine.split(' | '), `{${'file'.repeat(9)}}`])('there is nothing to say about %j', (typed) => {
  expect(problemsFor(typed)).toEqual([])
})
