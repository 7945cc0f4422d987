import { expect, test } from '@jest/globals'
import { mentionNotices, typedProblems } from '../../../src/comment/notices.ts'
import { quoted } from '../../../src/text/text.ts'
import { grid, groups } from '../../support/grid.ts'
import { takesLinearTime } from '../../support/linear-time.ts'

test('a notice names mentions that notify nobody', async () => {
  const comments = `
@here look (@channel)
<@octocat> <@ursula> <@octocat>
@jane, @octo-cat. **bold**
<@> <@S0123456789>
<!subteam^> <!subteam^web>
<!all> the files
<@U0123456789>, <@W0123456789|reviewer>
<!subteam^S0123456789> <!subteam^S0123456789|@web>
<!here> <!channel> <!everyone>
<!date^1^{date}|@now>
<https://x.example|@jane>
me@here.example, octo/app@main
npm i @actions/core
\`@jane\`
\`\`\`⏎@here⏎\`\`\`
`
  const named = async (typed: string) =>
    mentionNotices(typed).map(({ level, text, title }) => {
      expect([level, title]).toEqual(['notice', 'A mention notifies nobody'])
      return quoted(text).replace(/: Slack reads .*/, '')
    })[0] ?? 'nothing'
  expect(await groups(comments, named)).toMatchInlineSnapshot(`
"\`@here\`, \`@channel\`
    @here look (@channel)
\`<@octocat>\`, \`<@ursula>\`
    <@octocat> <@ursula> <@octocat>
\`@jane\`, \`@octo-cat\`
    @jane, @octo-cat. **bold**
\`<@>\`, \`<@S0123456789>\`
    <@> <@S0123456789>
\`<!subteam^>\`, \`<!subteam^web>\`
    <!subteam^> <!subteam^web>
\`<!all>\`
    <!all> the files
nothing
    <@U0123456789>, <@W0123456789|reviewer>
    <!subteam^S0123456789> <!subteam^S0123456789|@web>
    <!here> <!channel> <!everyone>
    <!date^1^{date}|@now>
    <https://x.example|@jane>
    me@here.example, octo/app@main
    npm i @actions/core
    \`@jane\`
    \`\`\`⏎@here⏎\`\`\`"
`)
})

const pieces = '< @a https:// ${{ %0A ~~ " { ** | \\n [ ` <https://x| C:\\n'
test.each([...pieces.split(' '), '<a '])(
  'a text of many %s is read in linear time',
  async (piece) => {
    const read = (count: number) => {
      mentionNotices(piece.repeat(count))
      typedProblems('comment', piece.repeat(count), ['files'])
    }
    expect(await takesLinearTime(read, 3_000)).toBe(true)
  },
)

const problemsFor = (typed: string, input = 'comment', known = ['files', 'source']) =>
  typedProblems(input, typed, known).map(({ level, text, title }) => {
    expect([level, title]).toEqual(['warning', `Check the braces in ${input}`])
    return quoted(text)
  })

/** The parts that work in no comment or title, as the notice names them. */
const partsFor = (typed: string, input = 'comment') =>
  typedProblems(input, typed, ['files', 'source']).flatMap(({ level, text, title }) => {
    expect([level, title]).toEqual(['notice', `Parts of ${input} are posted as typed`])
    return quoted(text).replace(evaluated, '…')
  })
const evaluated =
  'GitHub evaluates only `${{ … }}`, only in a workflow file, and what comes out is posted as it is. Is each variable in it set? For the result of a command, run it in an earlier step, and write `${{ steps.ID.outputs.NAME }}`. For several lines, write `comment: |-` and the lines below it. For text from `actions/github-script`, set `result-encoding: string` there.'

const likeThis =
  'are filled in, written exactly like this. For what GitHub knows, write an expression, like `${{ github.ref_name }}`.'
const ofComment = 'only `{files}`, `{source}`'

const misspelled =
  '{sorc} | {surce} | {file} | {Files} | { files } | {FILES} | {{files}} | {{ source }} | ${files}'
const foreign = '{name} | {names} | {list} | {filename} | {url} | {{file}} | {run_url} | {joburl}'
const ofRun =
  '{branch} | {ref} | {tag} | {Version} | {ref_name} | {sha} | {{ commit }} | {actor} | {author} | {repo} | {repository} | {workflow} | {job} | ${job} | {run} | {run_number} | {run_id} | {head_ref} | {pr} | {pr_number} | {STATUS} | {date} | {time}'
test.each([
  ...[misspelled, foreign, ofRun].flatMap((all) =>
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
  ].map((typed) => ['title', typed, 'only `{name}`, `{subject}`', ['name', 'subject']] as const),
])('in %s, %s is almost a placeholder', (input, typed, are, known) => {
  expect(problemsFor(`a ${typed} b`, input, [...known])).toEqual([
    `\`${typed}\`: ${are} ${likeThis}`,
  ])
})

test.each(['{files', '{{files', '${files', '{Files'])('%s is not closed', (typed) => {
  for (const text of [`a ${typed} from b`, typed, `${typed}, x}`]) {
    expect(problemsFor(text)).toEqual([`\`${typed}\`: ${ofComment} ${likeThis}`])
  }
})

test('what does not work in any comment or title is named', async () => {
  const typed = `
{{ github.sha }} and {{ inputs.name }}
of \${{ github.sha }}
$RUNNER_OS is it
{env.NAME} by \${RUNNER_NAME}
null⏎
of $(date), $(git log -1)
<|the run> of <https://x.example|it>
"{files}\\nfrom \\"CI\\""
done%0Aand sent
{{secrets.NAME}}
undefined
Array
Object
"Tests passed"
$GITHUB_SHA
`
  const named = (text: string) => {
    expect(partsFor(text, 'title')).toEqual(partsFor(text))
    return partsFor(text).join()
  }
  expect(await grid(typed, named)).toMatchInlineSnapshot(`
"{{ github.sha }} and {{ inputs.name }}
    \`{{ github.sha }}\`, \`{{ inputs.name }}\`: …
of \${{ github.sha }}
    \`\${{ github.sha }}\`: …
$RUNNER_OS is it
    \`$RUNNER_OS\`: …
{env.NAME} by \${RUNNER_NAME}
    \`{env.NAME}\`, \`\${RUNNER_NAME}\`: …
null⏎
    \`null\`: …
of $(date), $(git log -1)
    \`$(date)\`, \`$(git log -1)\`: …
<|the run> of <https://x.example|it>
    \`<|the run>\`: …
"{files}\\nfrom \\"CI\\""
    \`"{files}\\nfrom \\"CI\\""\`, \`\\n\`: …
done%0Aand sent
    \`%0A\`: …
{{secrets.NAME}}
    \`{{secrets.NAME}}\`: …
undefined
    \`undefined\`: …
Array
    \`Array\`: …
Object
    \`Object\`: …
"Tests passed"
    \`"Tests passed"\`: …
$GITHUB_SHA
    \`$GITHUB_SHA\`: …"
`)
})

test('one warning names several, each once', () => {
  const [text] = problemsFor('{url} {url} {branch} {tag} {sha}')
  expect(text).toMatch(/^`\{url\}`, `\{branch\}`, `\{tag\}` and 1 more: /)
  const both = typedProblems('comment', '{url} of $GITHUB_SHA', ['files'])
  expect(both.map(({ level }) => level)).toEqual(['warning', 'notice'])
})

const fine =
  '{files} from {source} | {"file":1} | {} | {sou} | {other} | {myurl} | {urls} | $files | {file\n} | file | github.com/octo | https://x.example/?a=%0A | C:\\new | "a" and "b" | $HOME | null of them | runner.log | github.sha | it costs ${5} | $(5) | <|> | a <| b | {"a": {files}} | {files}} | <!date^1392734382^{date} {time}|then> | {file: 1} | { files: 1 } | {files: 1'
test.each([...fine.split(' | '), `{${'file'.repeat(9)}}`])(
  'there is nothing to say about %j',
  (typed) => {
    expect(problemsFor(typed)).toEqual([])
  },
)
