import { describe, expect, test } from '@jest/globals'
import { markupNotices, typedProblems } from '../../../src/comment/notices.ts'
import { quoted } from '../../../src/text/text.ts'

const linesFor = (typed: string) =>
  markupNotices(typed).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', 'Slack may show parts of the comment as typed'])
    return quoted(text).split('\n')
  })

const id = 'write `<@U0123456789>` with the member ID (profile, three dots, Copy member ID).'
const link = 'write a link as `<https://example.com|text>`.'
const html = 'HTML is not read: write `*bold*`, `_italic_`, `<https://example.com|text>`.'
const broadcast = 'write `<!here>`, `<!channel>` or `<!everyone>`, and set `allow-broadcast: true`.'
const tables = 'there are no tables: send the table as a file.'
const blocks = 'blocks are not read: write text.'
const empty = 'an expression in it is empty.'
const needsId = 'a mention needs the ID: `<#C0123456789>`, `<!subteam^S0123456789>`.'
const open = 'the link is not closed by `>`, or its text contains `<`.'

describe('a notice names what is posted as typed, and what to write:', () => {
  test.each<[typed: string, ...lines: string[]]>([
    ['a **very bold** word', '`**very bold**`: bold text has one star on each side: `*bold*`.'],
    ['see [it](https://x.example/a?b=1)', `\`[it](https://x.example/a?b=1)\`: ${link}`],
    ['[{files}](https://x.example)', `\`[{files}](https://x.example)\`: ${link}`],
    ['now\n## All reports \n- a', '`## All reports`: there are no headings: write `*Heading*`.'],
    ['a\n| file | lines |\n| --- | --- |', `\`| file | lines |\`, \`| --- | --- |\`: ${tables}`],
    ['<b>done</b><br/> <a href="x">', `\`<b>\`, \`</b>\`, \`<br/>\` and 1 more: ${html}`],
    ['<!-- from a template -->', `\`<!--\`: ${html}`],
    ['{"blocks": []}', `\`{"blocks"\`: ${blocks}`],
    ['[\n  {"type": "section"}]', `\`[\\n  {"type"\`: ${blocks}`],
    ['@here look (@channel)', `\`@here\`, \`@channel\`: ${broadcast}`],
    ['<@octocat> <@ursula> <@octocat>', `\`<@octocat>\`, \`<@ursula>\`: ${id}`],
    ['@jane, @octo-cat.', `\`@jane\`, \`@octo-cat\`: this notifies nobody: ${id}`],
    ['<@> <!subteam^> <#> <|the page>', `\`<@>\`, \`<!subteam^>\`, \`<#>\` and 1 more: ${empty}`],
    ['<https://x.example/7|Return Vec<T>>', `\`<https://x.example/7|Return Vec\`: ${open}`],
    ['~~old~~ text', '`~~old~~`: struck text has one tilde on each side: `~struck~`.'],
    ['<https://x.example/7 the page>', `\`<https://x.example/7 the page>\`: ${link}`],
    ['see https://x.example/7|here', `\`https://x.example/7|here\`: ${link}`],
    ['<#releases> <!subteam^web>', `\`<#releases>\`, \`<!subteam^web>\`: ${needsId}`],
    ['<https://x.example/7|a\nb', `\`<https://x.example/7|a\`: ${open}`],
    ['**a** @everyone', '`**a**`: bold text has one star on each side: `*bold*`.', `\`@everyone\`: ${broadcast}`],
  ])('%s', (typed, ...lines) => {
    expect(linesFor(typed)).toEqual(lines)
  })
})

const ofSlack =
  '*bold* ; ## *bold* ; [a](b) ; <@U0123456789>, <@W0123456789|reviewer> ; <!subteam^S0123456789> ; <!date^1^{date}|now> ; <#C0123456789> ; <https://x.example|@jane **x**> ; <mailto:a@b.example|mail>'
const ofNone =
  '2 ** 3 ** 4 ; #7 and\n#release ; C:\\new ; me@here.example ; npm i @actions/core ; octo/app@main ; Vec<T> ; a | b | c ; {"ok": true} ; 1 <2'
const ofCode = '`**code**` ; ```\n[a](https://x.example)\n``` ; `a\\nb` ; `@jane`'
test.each([ofSlack, ofNone, ofCode].flatMap((typed) => typed.split(' ; ')))('there is no notice about %s', (typed) => {
  expect(linesFor(typed)).toEqual([])
})

test.each([
  '<',
  '@a',
  'https://',
  'github.sha',
  'steps.',
  '${{',
  '%0A',
  '~~',
  '"',
  '{',
  '**',
  '|',
  '\\n',
  '[',
  '`',
  '<https://x|',
  'C:\\n',
  '<a ',
])('a text of many %s is read in no time', (piece) => {
  const start = process.cpuUsage()
  markupNotices(piece.repeat(100_000))
  typedProblems('comment', piece.repeat(100_000), ['files'])
  // Microseconds: what else the machine does takes no part.
  expect(process.cpuUsage(start).user).toBeLessThan(3_000_000)
})
