import { describe, expect, test } from '@jest/globals'
import { markupNotices, typedProblems } from '../../../src/comment/notices.ts'
import { quoted } from '../../../src/text/text.ts'
import { takesLinearTime } from '../../support/linear-time.ts'

/** The lines of the notice about markup that Slack does not read. */
const linesFor = (typed: string) =>
  markupNotices(typed).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', 'Slack may show parts of the comment as typed'])
    return quoted(text).split('\n')
  })

const needsId =
  'this notifies nobody: Slack needs an ID. Write `<@U0123456789>` for a person (profile, three dots, Copy member ID), `<!subteam^S0123456789>` for a group.'
const oneMark = 'write one mark on each side: `*bold*` or `~struck~`.'
const link = 'write a link as `<https://example.com|text>`.'
const broadcast = 'write `<!here>`, `<!channel>` or `<!everyone>`, and set `allow-broadcast: true`.'

describe('a notice names what is posted as typed, and what to write:', () => {
  test.each<[typed: string, ...lines: string[]]>([
    ['a **very bold** word', `\`**very bold**\`: ${oneMark}`],
    ['**a ~ b** ~~old *x*~~', `\`**a ~ b**\`, \`~~old *x*~~\`: ${oneMark}`],
    ['<https://x.example | run>', `\`<https://x.example | run>\`: ${link}`],
    ['<run|https://x.example>', `\`<run|https://x.example>\`: ${link}`],
    ['https://x.example/7|run', `\`https://x.example/7|run\`: ${link}`],
    ['see [it](https://x.example/a?b=1)', `\`[it](https://x.example/a?b=1)\`: ${link}`],
    ['[{files}](https://x.example)', `\`[{files}](https://x.example)\`: ${link}`],
    ['<https://x.example/7 the page>', `\`<https://x.example/7 the page>\`: ${link}`],
    ['@here look (@channel)', `\`@here\`, \`@channel\`: ${broadcast}`],
    ['<@octocat> <@ursula> <@octocat>', `\`<@octocat>\`, \`<@ursula>\`: ${needsId}`],
    ['@jane, @octo-cat.', `\`@jane\`, \`@octo-cat\`: ${needsId}`],
    ['<@> <!subteam^>', `\`<@>\`, \`<!subteam^>\`: ${needsId}`],
    ['<#releases> <#>', "`<#releases>`, `<#>`: write `<#C0123456789>` with the channel's ID."],
    ['<!subteam^web> <@S0123456789>', `\`<!subteam^web>\`, \`<@S0123456789>\`: ${needsId}`],
    ['**a** @everyone', `\`**a**\`: ${oneMark}`, `\`@everyone\`: ${broadcast}`],
  ])('%s', (typed, ...lines) => {
    expect(linesFor(typed)).toEqual(lines)
  })
})

const ofSlack =
  '*bold* ; ## *bold* ; [a](b) ; <@U0123456789>, <@W0123456789|reviewer> ; <!subteam^S0123456789> ; <!date^1^{date}|now> ; <#C0123456789> ; <https://x.example|@jane **x**> ; <mailto:a@b.example|mail>'
const ofNone =
  '2 ** 3 ** 4 ; #7 and\n#release ; C:\\new ; me@here.example ; npm i @actions/core ; octo/app@main ; Vec<T> ; a | b | c ; {"ok": true} ; 1 <2 ; # Heading ; ~~~ ; a ~ b ; <b>x</b>'
const ofCode = '`**code**` ; ```\n[a](https://x.example)\n``` ; `a\\nb` ; `@jane`'
test.each([ofSlack, ofNone, ofCode].flatMap((typed) => typed.split(' ; ')))(
  'there is no notice about %s',
  (typed) => {
    expect(linesFor(typed)).toEqual([])
  },
)

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
])('a text of many %s is read in linear time', async (piece) => {
  const read = (count: number) => {
    markupNotices(piece.repeat(count))
    typedProblems('comment', piece.repeat(count), ['files'])
  }
  expect(await takesLinearTime(read, 3_000)).toBe(true)
})

const problemsFor = (typed: string, input = 'comment', known = ['files', 'source']) =>
  typedProblems(input, typed, known).map(({ level, text, title }) => {
    expect([level, title]).toEqual(['warning', `Check the braces in ${input}`])
    return quoted(text)
  })

/** The lines of the notice about what does not work in any comment or title. */
const partsFor = (typed: string, input = 'comment') =>
  typedProblems(input, typed, ['files', 'source']).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', `Parts of ${input} are posted as typed`])
    return quoted(text).split('\n')
  })

const likeThis = 'written exactly like this. Other braces and a `$` are posted as typed.'
const ofComment = '`comment` fills in only `{files}`, `{source}`'

const misspelled =
  '{sourc} | {surce} | {file} | {Files} | { files } | {FILES} | {{files}} | {{ source }} | ${files}'
const foreign = '{name} | {names} | {list} | {filename} | {url} | {{file}} | {run_url} | {joburl}'
test.each([
  ...[misspelled, foreign].flatMap((all) =>
    all.split(' | ').map((typed) => ['comment', typed, ofComment, ['files', 'source']] as const),
  ),
  ...[
    '{file}',
    '{source}',
    '{files}',
    '{filename}',
    '${name}',
    '{{name}}',
    '{{subject}}',
    '{title}',
  ].map(
    (typed) =>
      ['title', typed, '`title` fills in only `{name}`, `{subject}`', ['name', 'subject']] as const,
  ),
])('in %s, %s is almost a placeholder', (input, typed, are, known) => {
  expect(problemsFor(`a ${typed} b`, input, [...known])).toEqual([
    `\`${typed}\`: ${are}, ${likeThis}`,
  ])
})

test.each(['{files', '{{files', '${files', '{Files'])('%s is not closed', (typed) => {
  for (const text of [`a ${typed} from b`, typed, `${typed}, x}`]) {
    expect(problemsFor(text)).toEqual([`\`${typed}\`: ${ofComment}, ${likeThis}`])
  }
})

test.each([
  ['{branch} {ref} {tag} {version} {Version} {ref_name}', '${{ github.ref_name }}'],
  ['{sha} {{ commit }}', '${{ github.sha }}'],
  ['{actor} {author}', '${{ github.actor }}'],
  ['{repo} {repository}', '${{ github.repository }}'],
  ['{workflow}', '${{ github.workflow }}'],
  ['{job} ${job}', '${{ github.job }}'],
  ['{run} {run_number}', '${{ github.run_number }}'],
  ['{run_id}', '${{ github.run_id }}'],
  ['{head_ref}', '${{ github.head_ref }}'],
  ['{pr} {pr_number}', '${{ github.event.number }}'],
  ['{status} {STATUS}', '${{ job.status }}'],
])('the warning about %s says which expression to write', (typed, expression) => {
  for (const word of typed.split(/ (?=[{$])/)) {
    expect(problemsFor(`a ${word} b ${word}`)).toEqual([
      `\`${word}\`: ${ofComment}, ${likeThis}\nFor \`${word}\`, write \`${expression}\`.`,
    ])
  }
})

test('the warning about {date} and {time} says which step makes them', () => {
  const write =
    'write `${{ steps.ID.outputs.date }}` from a step that runs `echo "date=$(date +%F)" >> "$GITHUB_OUTPUT"`.'
  expect(problemsFor('{date}, {time}, {status}')).toEqual([
    `\`{date}\`, \`{time}\`, \`{status}\`: ${ofComment}, ${likeThis}
For \`{date}\`, ${write}
For \`{time}\`, ${write}
For \`{status}\`, write \`\${{ job.status }}\`.`,
  ])
})

const cameOut = "an expression returned this: what it names doesn't exist, or isn't text."
const ofScript =
  'this is JSON. If `actions/github-script` returned it, set `result-encoding: string` there.'
const notReplaced =
  'GitHub evaluates only expressions, written as `${{ … }}`, and only in a workflow file.'
const lines = 'for several lines, write `comment: |-` and the lines below it.'
test.each<[typed: string, ...lines: string[]]>([
  [
    '{{ github.sha }} and {{ inputs.name }}',
    `\`{{ github.sha }}\`, \`{{ inputs.name }}\`: ${notReplaced}`,
  ],
  ['{{secrets.NAME}}', `\`{{secrets.NAME}}\`: ${notReplaced}`],
  ['of ${{ github.sha }}', `\`\${{ github.sha }}\`: ${notReplaced}`],
  ['github.sha, steps.a.outputs.b', `\`github.sha\`, \`steps.a.outputs.b\`: ${notReplaced}`],
  ['$RUNNER_OS is job.status', `\`$RUNNER_OS\`, \`job.status\`: ${notReplaced}`],
  ['$GITHUB_SHA by ${RUNNER_NAME}', `\`$GITHUB_SHA\`, \`\${RUNNER_NAME}\`: ${notReplaced}`],
  ...['null', 'undefined', 'Array', 'Object'].map((value): [string, string] => [
    `${value}\n`,
    `\`${value}\`: ${cameOut}`,
  ]),
  ['"Tests passed"', `\`"Tests passed"\`: ${ofScript}`],
  ['"{files}\\nfrom \\"CI\\""', `\`"{files}\\nfrom \\"CI\\""\`: ${ofScript}`, `\`\\n\`: ${lines}`],
  ['done\\nand sent', `\`\\n\`: ${lines}`],
  ['done%0Aand sent', `\`%0A\`: ${lines}`],
])('%j does not work in any comment or title', (typed, ...expected) => {
  expect(partsFor(typed)).toEqual(expected)
  expect(partsFor(typed, 'title')).toEqual(expected)
})

test('one warning names several, each once', () => {
  const [text = ''] = problemsFor('{url} {url} {branch} {tag} {sha}')
  expect(text).toMatch(/^`\{url\}`, `\{branch\}`, `\{tag\}` and 1 more: /)
  expect(text.split('\n')).toHaveLength(4)
})

const fine =
  '{files} from {source} | {"file":1} | {} | {sou} | {other} | {myurl} | {urls} | $files | {file\n} | file | github.com/octo | https://x.example/?a=%0A&b=github.sha | C:\\new | "a" and "b" | $HOME | null of them | runner.log | my.github.sha | it costs ${5} | {"a": {files}} | {files}} | <!date^1392734382^{date} {time}|then> | {file: 1} | { files: 1 } | {files: 1'
test.each([...fine.split(' | '), `{${'file'.repeat(9)}}`])(
  'there is nothing to say about %j',
  (typed) => {
    expect(problemsFor(typed)).toEqual([])
  },
)
