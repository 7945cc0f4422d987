// What a user types as comment arrives as typed, whatever the upload method.
import { expect, test } from '@jest/globals'
import { runStep } from '../support/step.ts'

const typed = [
  '"double", \'single\', `code`, ```more\ncode```',
  'several\n\nlines\twith tabs, and spaces at the end  \n',
  '100 % and %0A, %25, {x}, {{y}}, ${{ z }}, $HOME, \\n, C:\\temp',
  '🎉 👩‍👩‍👧 é ｅ ﷽ 中文 \u200b|',
  '::error::no command, # no heading, - no list, (c), --flag, &copy',
  '  spaces around it  ',
]

const post = (method: string, comment: string, more = {}) =>
  runStep({ files: { 'a.csv': 'x' }, inputs: { method, comment, ...more } })

test('a comment arrives as typed by files.upload', async () => {
  const comment = typed.join('\n')
  const { messages } = await post('files.upload', comment)
  expect(messages.map(({ text, blocks }) => ({ text, blocks }))).toEqual([{ text: comment, blocks: undefined }])
})

test('a comment arrives as typed by the external upload, with nothing but & and < escaped', async () => {
  const comment = typed.join('\n')
  const { messages } = await post('external', comment)
  const text = comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  expect(messages.map(({ blocks }) => blocks)).toEqual([
    [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
  ])
})

test('a comment arrives as typed as plain text', async () => {
  const comment = `${typed.join('\n')}<!channel> *bold* <https://x.example|x> :tada:`
  const { messages } = await post('external', comment, { 'comment-format': 'plain' })
  expect(messages.map(({ blocks }) => blocks)).toEqual([
    [{ type: 'section', text: { type: 'plain_text', text: comment, emoji: false } }],
  ])
})

test('a name with colons is no emoji', async () => {
  const inputs = { method: 'external', files: '*', comment: ':tada: {files}' }
  const { messages } = await runStep({ files: { 'a :tada::100: :+1:': 'x' }, inputs })
  const text = ':tada: a ∶tada:∶100: ∶+1:, 1 B'
  expect(messages.map(({ blocks }) => blocks)).toEqual([
    [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
  ])
})

test.each(['external', 'files.upload'])('a comment of white space alone arrives as that by %s', async (method) => {
  const { messages } = await post(method, ' \n ')
  expect(messages.map(({ text, blocks }) => ({ text, blocks }))).toEqual([{ text: ' \n ', blocks: undefined }])
})

test.each(['external', 'files.upload'])(
  'a comment of no text at all is not sent by %s, and the log says so',
  async (method) => {
    const { messages, requests, stdout } = await post(method, '')
    expect(messages).toHaveLength(1)
    expect(stdout).toContain('The comment is empty: no text is posted with the files\n')
    const names = requests.flatMap(({ fields }) => fields.map(([name]) => name))
    expect(names).not.toContain('initial_comment')
    expect(names).not.toContain('blocks')
  },
)
