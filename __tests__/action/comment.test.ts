// The comment, with files and alone. See `unit/comment/comment.test.ts` and
// `unit/service/slack/text-message.test.ts` for the rules.
import { expect, test } from '@jest/globals'
import { annotations } from '../support/shown-log.ts'
import { runStep, type Step } from '../support/step.ts'

/** Posts the comment alone. */
const post = (inputs: Readonly<Record<string, string>> = {}, more: Partial<Step> = {}) =>
  runStep({
    inputs: {
      method: 'external',
      files: 'shots/*.png',
      'if-no-files-found': 'comment',
      comment: 'Tests *failed*: {files}',
      ...inputs,
    },
    ...more,
  })

test('each channel gets the comment, with the outputs of a message without files', async () => {
  const done = await post({ channels: 'C0GENERAL00, C0RELEASES0' })
  expect(done).toMatchObject({
    code: 0,
    outputs: { status: 'posted', count: '0', files: '[]', 'file-ids': '' },
  })
  expect(done.messages.map(({ channel, files, text }) => [channel, files, text])).toEqual([
    ['C0GENERAL00', [], 'Tests *failed*: no files'],
    ['C0RELEASES0', [], 'Tests *failed*: no files'],
  ])
  const [first, second] = JSON.parse(done.outputs['messages'] ?? '')
  expect([first, second]).toMatchObject([
    { channel: 'C0GENERAL00', state: 'posted', ts: done.messages[0]?.ts, files: [], paths: [] },
    {
      channel: 'C0RELEASES0',
      state: 'posted',
      permalink: expect.stringContaining('/archives/C0RELEASES0/p'),
    },
  ])
  expect(done.outputs).toMatchObject({ ts: first.ts, permalink: first.permalink })
  expect(done.stdout).toContain('Posted the comment in 2 channels')
  expect(annotations(done)).toContain('Notice: No files found')
  expect(done.summary).toContain('<td>no files</td>')
})

test('a text alone is what was asked for, without a notice', async () => {
  const done = await post({ files: ' ', comment: 'Tests *failed*' })
  expect(done).toMatchObject({ code: 0, messages: [{ text: 'Tests *failed*' }] })
  expect(annotations(done)).toBe('')
  expect(done.stdout).toContain('`files` has no pattern')
})

test('beside files that are found, a line that found none is a warning', async () => {
  const done = await post({ files: 'a.csv\nb.csv' }, { files: { 'a.csv': 'a\n' } })
  expect(done).toMatchObject({ outputs: { status: 'posted' }, messages: [{ files: [{}] }] })
  expect(annotations(done)).toContain('Warning: Files that a pattern names were not found')
})

const typed = `  spaces around it, "double", 'single', \`code\`, \`\`\`more
code\`\`\`

lines\twith tabs, and spaces at the end  \n
100 % and %0A, %25, {x}, {{y}}, $\{{ z }}, $(id), $HOME, \\n, C:\\temp
🎉 👩‍👩‍👧 é ｅ ﷽ 中文 \u200b|
::error::no command, # no heading, - no list, (c), <b> --flag, &copy\t\n`

const postTyped = async (inputs: Readonly<Record<string, string>>) => {
  const { messages } = await runStep({ inputs })
  return messages.map(({ text, blocks }) => ({ text, blocks }))
}

test('what is typed arrives as typed by files.upload, with line breaks that are LF', async () => {
  const sent = await postTyped({ method: 'files.upload', comment: typed.replace('\n', '\r\n') })
  expect(sent).toEqual([{ text: typed, blocks: undefined }])
})

test('what is typed arrives as typed by the external upload, with nothing but & and < escaped', async () => {
  const text = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  expect(await postTyped({ method: 'external', comment: typed })).toMatchObject([
    { blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] },
  ])
})

/** As the notes of a release are: 20,000 characters, with links, lists and code. */
const notes = Array.from(
  { length: 100 },
  (_, at) =>
    `*${at}.* A change by <@U0123456789> in <https://github.com/octo/app/pull/${at}|#${at}>\n\n\`\`\`\nconst a = ${'1'.repeat(99)}\n\nb()\n\`\`\`\n`,
).join('')

test.each([
  ['beside files', {}],
  ['alone', { files: '', 'if-no-files-found': 'comment' }],
])('a long comment arrives whole, in several blocks of one message: %s', async (_, inputs) => {
  const { messages } = await runStep({ inputs: { method: 'external', comment: notes, ...inputs } })
  expect(messages).toHaveLength(1)
  const texts = (messages[0]?.blocks ?? []).map((block) => Object(block).text.text)
  expect(texts.length).toBeGreaterThan(6)
  const words = (text: string) => text.split(/[\s`]+/).filter(Boolean)
  expect(texts.flatMap(words)).toEqual(words(notes))
})

test('if a service takes no second block, nothing is posted, and the error names the comment', async () => {
  const done = await runStep({
    inputs: { method: 'external', comment: notes },
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.completeUploadExternal',
        fault: { kind: 'error', code: 'msg_blocks_too_long' },
      }),
  })
  expect(done).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
  expect(annotations(done)).toContain('Shorten the input `comment` to 3,000 characters')
})
