// docs/verified.md: what is known, and what a run against a live workspace answered.
import { isAsked, type Question, questions, sections } from './questions.ts'
import { runnerFacts, runnerVersion, sourceLinks } from './runner-facts.ts'

/** A run of `npm run live`. */
export interface Run {
  readonly date: string
  readonly host: string
  /** By question. */
  readonly answers: Readonly<Record<string, string>>
}

const notAsked = 'not asked yet'
const neverAsked = '–'

/** Without a run, the column of its answers is missing. */
export function renderPage(run?: Run): string {
  const tables = Object.entries(sections).map(
    ([title, questions]) => `## ${title}\n\n${table(head(run), questions.map(rowOf(run)))}`,
  )
  return `# What is known of Slack and of the runner

${stateOf(run)}

Slack's documentation leaves much open. For each question, this page says what others saw, and what the action does: it is meant to be right
whatever the answer is. In the column *Known*:

- **recorded**: it is in a recording of responses, or in a test that Slack runs against the live service
- **reported**: users say so, or Slack does, in words
- **unknown**: looked for, and not found

The [sandbox](../sandbox/README.md) responds as recorded; for what is unknown, tests play the possible answers. What then can still go wrong is in
[What remains possible](delivery.md#what-remains-possible).

${tables.join('\n')}
## GitHub's runner

Read in the source of actions/runner ${runnerVersion}. Tests start the bundle as this source says.

${table(
  ['What the runner does', 'Source', 'What the action does'],
  runnerFacts.map((fact) => [fact.fact, sourceLinks(fact).join(', '), fact.action]),
)}
## Answer the questions

\`npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789\` asks a workspace, and adds a column with its answers to this page. It needs a bot
token with \`files:write\` and \`files:read\`, and a channel that the app is in, and whose members do not mind small files and one of 100 MB. It deletes
the files at the end; Slack may show that. Some questions need more, and are left out without it:

- the scopes \`channels:read\`, \`groups:read\`, \`im:write\` and \`chat:write\`
- \`--more-channels C1,C2\`: further channels that the app is in
- \`--user U0123456789\`: a member who gets two of the files
- \`--group C0123456789\`: a group direct conversation that the app is in
- \`--shared-channel C0123456789\`: a channel that another organization shares
- \`--slow\`: an upload URL is used after ten minutes, and 300 KB are sent over one

It writes down neither the token nor the names of the workspace and the channels.
`
}

function stateOf(run: Run | undefined): string {
  if (run) return `Asked ${run.host} on ${run.date}, in one workspace: column *Live*.`
  return '**No run against a live workspace was made.** Nothing on this page was seen with this action itself.'
}

const head = (run: Run | undefined) => ['Question', 'Known', 'What the action does', ...(run ? ['Live'] : [])]

const rowOf = (run: Run | undefined) => (question: Question) => {
  const { known, meanwhile, references = [], what } = question
  const sources = references.length === 0 ? [] : [`(${references.join(', ')})`]
  const answer = run && (isAsked(question) ? (run.answers[question.question] ?? notAsked) : neverAsked)
  const cells = [question.question, [`**${known}**`, what ?? '', ...sources].filter(Boolean).join(' '), meanwhile]
  return [...cells, ...(answer === undefined ? [] : [answer])]
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |\n`
  return [header, header.map(() => '---'), ...rows].map(line).join('')
}

const escaped = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

/** The run whose answers a page has. */
export function runOf(page: string): Run | undefined {
  const [, host, date] = /^Asked (\S+) on (\d{4}-\d\d-\d\d),/m.exec(page) ?? []
  if (host === undefined || date === undefined) return undefined
  const rows = page.split('\n').map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
  const answers = questions.filter(isAsked).flatMap(({ question }) => {
    const answer = rows.find(([text]) => text === escaped(question))?.[3]
    return answer === undefined || answer === notAsked ? [] : [[question, answer.replaceAll('\\|', '|')] as const]
  })
  return { date, host, answers: Object.fromEntries(answers) }
}
