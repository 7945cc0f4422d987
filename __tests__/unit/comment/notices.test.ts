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

const explained = (input: string, typed: string, known: readonly string[]) =>
  typedProblems(input, typed, known).map(
    ({ level, text, title }) => `${level}: ${title}⏎${quoted(text)}`,
  )
const said = (typed: string) =>
  explained('comment', typed, ['files', 'source'])
    .map((problem) => problem.replace(/: .*⏎(.*): (?:only|GitHub).*/, ': $1'))
    .join()

test('problems say what to write', () => {
  const typed = '{url} {url} {branch} {tag} {file} of $GITHUB_SHA'
  expect(explained('title', typed, ['name', 'subject'])).toMatchInlineSnapshot(`
[
  "warning: Check the braces in title⏎\`{url}\`, \`{branch}\`, \`{tag}\` and 1 more: only \`{name}\`, \`{subject}\` are filled in, written exactly like this. For what GitHub knows, write an expression, like \`\${{ github.ref_name }}\`.",
  "notice: Parts of title are posted as typed⏎\`$GITHUB_SHA\`: GitHub evaluates only \`\${{ … }}\`, only in a workflow file, and what comes out is posted as it is. Is each variable in it set? For the result of a command, run it in an earlier step, and write \`\${{ steps.ID.outputs.NAME }}\`. For several lines, write \`comment: |-\` and the lines below it. For text from \`actions/github-script\`, set \`result-encoding: string\` there.",
]
`)
})

test('braces that are almost a placeholder are named, not closed or of another tool', async () => {
  const typed = `
{sorc} {surce} {file}
{Files} { files } {FILES}
{{files}} {{ source }} \${files}
{name} {names} {list}
{filename} {url} {{file}}
{run_url} {joburl}
{branch} {ref} {tag}
{Version} {ref_name} {sha}
{{ commit }} {actor} {author}
{repo} {repository} {workflow}
{job} \${job} {run}
{run_number} {run_id} {head_ref}
{pr} {pr_number} {STATUS}
{date} {time}
{subject} {title} {count}
{path} {size} {link}
a {files from b
{files
{files, x}
a {{files from b
a \${files from b
a {Files from b
`
  expect(await grid(typed, said)).toMatchInlineSnapshot(`
"{sorc} {surce} {file}
    warning: \`{sorc}\`, \`{surce}\`, \`{file}\`
{Files} { files } {FILES}
    warning: \`{Files}\`, \`{ files }\`, \`{FILES}\`
{{files}} {{ source }} \${files}
    warning: \`{{files}}\`, \`{{ source }}\`, \`\${files}\`
{name} {names} {list}
    warning: \`{name}\`, \`{names}\`, \`{list}\`
{filename} {url} {{file}}
    warning: \`{filename}\`, \`{url}\`, \`{{file}}\`
{run_url} {joburl}
    warning: \`{run_url}\`, \`{joburl}\`
{branch} {ref} {tag}
    warning: \`{branch}\`, \`{ref}\`, \`{tag}\`
{Version} {ref_name} {sha}
    warning: \`{Version}\`, \`{ref_name}\`, \`{sha}\`
{{ commit }} {actor} {author}
    warning: \`{{ commit }}\`, \`{actor}\`, \`{author}\`
{repo} {repository} {workflow}
    warning: \`{repo}\`, \`{repository}\`, \`{workflow}\`
{job} \${job} {run}
    warning: \`{job}\`, \`\${job}\`, \`{run}\`
{run_number} {run_id} {head_ref}
    warning: \`{run_number}\`, \`{run_id}\`, \`{head_ref}\`
{pr} {pr_number} {STATUS}
    warning: \`{pr}\`, \`{pr_number}\`, \`{STATUS}\`
{date} {time}
    warning: \`{date}\`, \`{time}\`
{subject} {title} {count}
    warning: \`{subject}\`, \`{title}\`, \`{count}\`
{path} {size} {link}
    warning: \`{path}\`, \`{size}\`, \`{link}\`
a {files from b
    warning: \`{files\`
{files
    warning: \`{files\`
{files, x}
    warning: \`{files\`
a {{files from b
    warning: \`{{files\`
a \${files from b
    warning: \`\${files\`
a {Files from b
    warning: \`{Files\`"
`)
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
{github.sha} {steps.a.b} {vars.A}
`
  expect(await grid(typed, said)).toMatchInlineSnapshot(`
"{{ github.sha }} and {{ inputs.name }}
    notice: \`{{ github.sha }}\`, \`{{ inputs.name }}\`
of \${{ github.sha }}
    notice: \`\${{ github.sha }}\`
$RUNNER_OS is it
    notice: \`$RUNNER_OS\`
{env.NAME} by \${RUNNER_NAME}
    notice: \`{env.NAME}\`, \`\${RUNNER_NAME}\`
null⏎
    notice: \`null\`
of $(date), $(git log -1)
    notice: \`$(date)\`, \`$(git log -1)\`
<|the run> of <https://x.example|it>
    notice: \`<|the run>\`
"{files}\\nfrom \\"CI\\""
    notice: \`"{files}\\nfrom \\"CI\\""\`, \`\\n\`
done%0Aand sent
    notice: \`%0A\`
{{secrets.NAME}}
    notice: \`{{secrets.NAME}}\`
undefined
    notice: \`undefined\`
Array
    notice: \`Array\`
Object
    notice: \`Object\`
"Tests passed"
    notice: \`"Tests passed"\`
$GITHUB_SHA
    notice: \`$GITHUB_SHA\`
{github.sha} {steps.a.b} {vars.A}
    notice: \`{github.sha}\`, \`{steps.a.b}\`, \`{vars.A}\`"
`)
})

const fine =
  '{files} from {source} | {"file":1} | {} | {sou} | {other} | {myurl} | {urls} | $files | {file\n} | file | github.com/octo | https://x.example/?a=%0A | C:\\new | "a" and "b" | $HOME | null of them | runner.log | github.sha | it costs ${5} | $(5) | <|> | a <| b | {"a": {files}} | {files}} | <!date^1392734382^{date} {time}|then> | {file: 1} | { files: 1 } | {files: 1'
test.each([...fine.split(' | '), `{${'file'.repeat(9)}}`])(
  'there is nothing to say about %j',
  (typed) => {
    expect(said(typed)).toBe('')
  },
)
