import { describe, expect, test } from '@jest/globals'
import { markupNotices, typedProblems } from '../../../src/comment/notices.ts'
import { quoted } from '../../../src/text/text.ts'

/** The lines of the notice about markup that Slack does not read. */
const linesFor = (typed: string) =>
  markupNotices(typed).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', 'Slack may show parts of the comment as typed'])
    return quoted(text).split('\n')
  })

const nobody =
  'this notifies nobody: write `<@U0123456789>` for a person (profile, three dots, Copy member ID), `<!subteam^S0123456789>` for a group.'
const link = 'write a link as `<https://example.com|text>`.'
const html = 'HTML is not read: write `*bold*`, `_italic_`, `<https://example.com|text>`.'
const broadcast = 'write `<!here>`, `<!channel>` or `<!everyone>`, and set `allow-broadcast: true`.'
const tables = 'there are no tables: send the table as a file.'
const blocks = 'blocks are not read: write text.'
const empty = 'an expression in it is empty.'
const channelId = 'write `<#C0123456789>` with the ID of the channel.'
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
    ['<@octocat> <@ursula> <@octocat>', `\`<@octocat>\`, \`<@ursula>\`: ${nobody}`],
    ['@jane, @octo-cat.', `\`@jane\`, \`@octo-cat\`: ${nobody}`],
    ['<@> <!subteam^> <#> <|the page>', `\`<@>\`, \`<!subteam^>\`, \`<#>\` and 1 more: ${empty}`],
    ['<https://x.example/7|Return Vec<T>>', `\`<https://x.example/7|Return Vec\`: ${open}`],
    ['~~old~~ text', '`~~old~~`: struck text has one tilde on each side: `~struck~`.'],
    ['<https://x.example/7 the page>', `\`<https://x.example/7 the page>\`: ${link}`],
    ['see https://x.example/7|here', `\`https://x.example/7|here\`: ${link}`],
    ['<#releases>', `\`<#releases>\`: ${channelId}`],
    ['<!subteam^web> <@S0123456789>', `\`<!subteam^web>\`, \`<@S0123456789>\`: ${nobody}`],
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

const problemsFor = (typed: string, input = 'comment', known = ['files', 'source']) =>
  typedProblems(input, typed, known).map(({ level, text, title }) => {
    expect(title).toBe(`Unknown placeholder in ${input}`)
    return [level, quoted(text)]
  })

/** The lines of the notice about what does not work in any comment or title. */
const partsFor = (typed: string, input = 'comment') =>
  typedProblems(input, typed, ['files', 'source']).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', `Parts of ${input} are posted as typed`])
    return quoted(text).split('\n')
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
  '{name} | {names} | {list} | {filename} | {url} | ${files} | {{files}} | {{ source }} | {{file}} | {run_url} | {joburl}'
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
  ['{branch} {ref} {tag} {version} {Version}', '${{ github.ref_name }}'],
  ['{sha} {{ commit }}', '${{ github.sha }}'],
  ['{actor} {author}', '${{ github.actor }}'],
  ['{repo} {repository}', '${{ github.repository }}'],
  ['{workflow}', '${{ github.workflow }}'],
  ['{job} ${job}', '${{ github.job }}'],
  ['{run}', '${{ github.run_number }}'],
  ['{status} {STATUS}', '${{ job.status }}'],
])('the notice about %s says which expression to write', (typed, expression) => {
  for (const word of typed.split(/ (?=[{$])/)) {
    expect(problemsFor(`a ${word} b ${word}`)).toEqual([
      ['notice', `\`${word}\`: ${ofComment}, ${inSingleBraces}\nFor \`${word}\`, write \`${expression}\`.`],
    ])
  }
})

test('the notice about {date} says which step makes it', () => {
  expect(problemsFor('{date}, {status}')).toEqual([
    [
      'notice',
      `\`{date}\`, \`{status}\`: ${ofComment}, ${inSingleBraces}
For \`{date}\`, write \`\${{ steps.ID.outputs.date }}\` of a step that runs \`echo "date=$(date +%F)" >> "$GITHUB_OUTPUT"\`.
For \`{status}\`, write \`\${{ job.status }}\`.`,
    ],
  ])
})

const isWritten = 'an expression is written like `${{ github.sha }}`.'
const cameOut = 'an expression came out as that: what it names does not exist, or is no text.'
const ofScript = 'this is JSON. If it is the result of `actions/github-script`, write `result-encoding: string` there.'
const noShell = 'no shell reads this text. Write an expression, such as `${{ github.sha }}`.'
const lines = 'for several lines, write `comment: |-` and the lines below it.'
test.each<[typed: string, ...lines: string[]]>([
  ['{{ github.sha }} and {{ inputs.name }}', `\`{{ github.sha }}\`, \`{{ inputs.name }}\`: ${isWritten}`],
  ['{{secrets.NAME}}', `\`{{secrets.NAME}}\`: ${isWritten}`],
  ['of github.sha, job.status.', `\`github.sha\`, \`job.status\`: ${isWritten}`],
  ['steps.a-b.outputs.c_d', `\`steps.a-b.outputs.c_d\`: ${isWritten}`],
  ['of ${{ github.sha }}', '`${{ github.sha }}`: GitHub replaces expressions only in a workflow file.'],
  ['$GITHUB_SHA by ${RUNNER_NAME}', `\`$GITHUB_SHA\`, \`\${RUNNER_NAME}\`: ${noShell}`],
  ...['null', 'undefined', 'Array', 'Object'].map((value): [string, string] => [
    `${value}\n`,
    `\`${value}\`: ${cameOut}`,
  ]),
  ['"Tests passed"', `\`"Tests passed"\`: ${ofScript}`],
  ['"{files}\\nfrom \\"CI\\""', `\`"{files}\\nfrom \\"CI\\""\`: ${ofScript}`, `\`\\n\`: ${lines}`],
  ['one%0Atwo%0athree', `\`%0A\`, \`%0a\`: ${lines}`],
  ['done\\nand sent', `\`\\n\`: ${lines}`],
])('%j does not work in any comment or title', (typed, ...expected) => {
  expect(partsFor(typed)).toEqual(expected)
  expect(partsFor(typed, 'title')).toEqual(expected)
})

test('one notice names several, each once', () => {
  const [[level, text = ''] = []] = problemsFor('{url} {url} {branch} {tag} {sha}')
  expect([level, text]).toEqual(['notice', expect.stringMatching(/^`\{url\}`, `\{branch\}`, `\{tag\}` and 1 more: /)])
  expect(text.split('\n')).toHaveLength(4)
})

const fine =
  '{files} from {source} | {"file":1} | {} | {sou} | {other} | {myurl} | {urls} | {{ other }} | $files | {file\n} | file | github.com/octo | https://x.example/?a=%0A&b=github.sha | C:\\new | "a" and "b" | $HOME | null of them | runner.log | `github.sha`'
test.each([...fine.split(' | '), `{${'file'.repeat(9)}}`])('there is nothing to say about %j', (typed) => {
  expect(problemsFor(typed)).toEqual([])
})
