// The comment, with files and alone. See `unit/comment/comment.test.ts` and
// `unit/service/slack/text-message.test.ts` for the rules.
import { expect, test } from '@jest/globals'
import { annotations } from '../support/shown-log.ts'
import { runStep, type Step } from '../support/step.ts'

/** Posts the comment alone. */
const post = (inputs: Readonly<Record<string, string>> = {}, more: Partial<Step> = {}) =>
  runStep({
    inputs: {
      ...{
        method: 'external',
        files: 'shots/*.png',
        'if-no-files-found': 'comment',
        comment: 'Tests *failed*: {files}',
      },
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

test('a text alone is what was asked for, unless it says which files there are', async () => {
  const alone = await post({ files: ' ', comment: 'Tests *failed*' })
  expect(alone).toMatchObject({ code: 0, messages: [{ text: 'Tests *failed*' }] })
  expect(annotations(alone)).toBe('')
  expect(alone.stdout).toContain('`files` has no pattern')
  for (const given of [{ files: '' }, { comment: 'Tests failed' }]) {
    expect(annotations(await post(given))).toContain('Notice: No files found')
  }
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
