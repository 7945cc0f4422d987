// What a user types as comment arrives as typed, whatever the upload method. `unit/comment/comment.test.ts` has the rules.
import { expect, test } from '@jest/globals'
import { runStep } from '../support/step.ts'

const typed = `  spaces around it, "double", 'single', \`code\`, \`\`\`more
code\`\`\`

lines\twith tabs, and spaces at the end  \n
100 % and %0A, %25, {x}, {{y}}, $\{{ z }}, $(id), $HOME, \\n, C:\\temp
🎉 👩‍👩‍👧 é ｅ ﷽ 中文 \u200b|
::error::no command, # no heading, - no list, (c), <b> --flag, &copy\t\n`

const post = async (inputs: Readonly<Record<string, string>>) => {
  const { messages } = await runStep({ inputs })
  return messages.map(({ text, blocks }) => ({ text, blocks }))
}

test('by files.upload, with line breaks that are LF', async () => {
  const sent = await post({ method: 'files.upload', comment: typed.replace('\n', '\r\n') })
  expect(sent).toEqual([{ text: typed, blocks: undefined }])
})

test('by the external upload, with nothing but & and < escaped', async () => {
  const text = typed.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  expect(await post({ method: 'external', comment: typed })).toMatchObject([
    { blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] },
  ])
})
