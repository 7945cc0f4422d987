// docs/evidence.md: what is known, from where, and what a run against a live workspace answered.
import { type Question, questions, sections } from './questions.ts'
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
  return `# Evidence

${stateOf(run)}

For maintainers. [Requests and responses](requests.md) says what the action does. In the column *Known*:

- **recorded**: in a recording of responses, or a test that Slack runs against the live service
- **reported**: by users, or by Slack in words
- **unknown**: looked for, and not found

${tables.join('\n')}
## GitHub's runner

Read in the source of actions/runner ${runnerVersion}. Tests start the bundle as it says.

${table(
  ['What the runner does', 'Source'],
  runnerFacts.map((fact) => [
    [fact.fact, fact.action].filter(Boolean).join(' '),
    sourceLinks(fact).join(', '),
  ]),
)}`
}

function stateOf(run: Run | undefined): string {
  if (run)
    return `Asked ${run.host} on ${run.date}, in one workspace: column *Live*. *Known* is older.`
  return '**Nobody has run this against a live workspace.**'
}

const head = (run: Run | undefined) => ['Question', 'Known', ...(run ? ['Live'] : [])]

const rowOf = (run: Run | undefined) => (question: Question) => {
  const { known, meanwhile, references = [], what } = question
  const sources = references.length > 0 && `(${references.join(', ')})`
  return [
    question.question,
    [`**${known}**`, what, sources, meanwhile].filter(Boolean).join(' '),
    run && (question.ask ? (run.answers[question.question] ?? notAsked) : neverAsked),
  ].filter((cell) => cell !== undefined)
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
  const answers = questions.flatMap(({ question }) => {
    const answer = rows.find(([text]) => text === escaped(question))?.[2]
    return answer === undefined || [notAsked, neverAsked].includes(answer)
      ? []
      : [[question, answer.replaceAll('\\|', '|')] as const]
  })
  return { date, host, answers: Object.fromEntries(answers) }
}
