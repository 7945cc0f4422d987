/**
 * Asks a real workspace what no documentation tells, in one channel, with a few small files that it deletes afterwards, and
 * writes the answers to docs/verified.md. It needs a bot token with `files:write` and `files:read`, in that channel.
 *
 *     npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789
 */
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { longTitle, type Question, questions } from './live/questions.ts'
import { Asked, describe, Service, type Workspace } from './live/service.ts'

async function ask(service: Service, asking: Question): Promise<string> {
  const { channel, moreChannels = [], user } = service.workspace
  if (asking.needs && user === undefined) return `not asked: needs --${asking.needs}`
  const content = asking.content ?? 'abc'
  const uploaded = []
  while (uploaded.length < (asking.uploads ?? 0)) uploaded.push(await service.upload(content))
  const asked = new Asked(service, {
    channel,
    channels: [channel, ...moreChannels].join(','),
    ...(user !== undefined && { user }),
    title: longTitle.replaceAll('"', '\\"'),
    ...Object.fromEntries(uploaded.map(({ id }, index) => [`file ${index + 1}`, id])),
    ...(uploaded[0] && { file: uploaded[0].id, url: uploaded[0].url }),
    files: JSON.stringify(uploaded.map(({ id }) => ({ id, title: 'A question to the service' }))),
  })
  for (const call of asking.calls ?? []) if (asked.response['ok'] === true) await asked.call(...call)
  const isAnswer = asking.look === undefined || (asked.response['ok'] !== true && !asking.lookIfRefused)
  return isAnswer ? describe(asked.response) : asking.look(asked)
}

/** One question after the other; a question that cannot be asked says why, and the others go on. */
export async function askAll(workspace: Workspace, report: (question: string, answer: string) => void = () => {}) {
  const service = new Service(workspace)
  const answers: Record<string, string> = {}
  for (const asking of questions) {
    const answer = await ask(service, asking).catch((error: Error) => `could not be asked: ${error.message}`)
    answers[asking.question] = answer
    report(asking.question, answer)
  }
  return { answers, left: await service.cleanUp() }
}

/** `docs/verified.md`. Without a run: what is still open. */
export function renderPage(run?: { date: string; host: string; answers: Record<string, string> }): string {
  const state = run
    ? `Asked ${run.host} on ${run.date}, in one channel of one workspace, with \`npm run live\`.`
    : 'Nothing has been verified against Slack itself: these questions were not asked yet, because nobody has run `npm run live`.'
  const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  const answerTo = (question: string) => (run ? [cell(run.answers[question] ?? 'not asked yet')] : [])
  const rows = [
    ['Question', ...(run ? ['Answer'] : []), 'What the action does'],
    ['---', ...(run ? ['---'] : []), '---'],
    ...questions.map(({ question, meanwhile }) => [question, ...answerTo(question), meanwhile]),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  return `# What was verified against a real workspace

${state}

Slack's documentation leaves these questions open. The action is designed to behave correctly whatever the answers are.

${rows.join('\n')}

To answer them and rewrite this page, run \`npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789\`, with a bot token with \`files:write\`
and \`files:read\`, and a channel that the bot is a member of and where small files, and one of 100 MB, disturb nobody. It deletes the files afterward;
Slack may show that. Some questions need \`--user U0123456789\`, a member who gets two of the files, \`--more-channels C1,C2,…\`, or the scopes
\`channels:read\`, \`groups:read\` and \`chat:write\`. It writes down neither the token nor the names of the workspace and the channel.
`
}

async function askPerson(question: string): Promise<string> {
  using terminal = createInterface({ input: process.stdin, output: process.stdout })
  return `${question} ${await terminal.question(`${question} `)}`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'token-env': { type: 'string' },
      channel: { type: 'string' },
      'more-channels': { type: 'string', default: '' },
      user: { type: 'string' },
      'base-url': { type: 'string', default: 'https://slack.com' },
      out: { type: 'string', default: fileURLToPath(new URL('../docs/verified.md', import.meta.url)) },
    },
  })
  const [{ channel, user }, token] = [values, process.env[values['token-env'] ?? '']]
  if (!token || !channel) throw new Error('usage: npm run live -- --token-env NAME --channel C0123456789')
  const baseUrl = values['base-url'].replace(/\/+$/, '')
  if (!/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(baseUrl)) throw new Error('The token travels by https only')
  const workspace = {
    baseUrl,
    token,
    channel,
    moreChannels: values['more-channels'].split(',').filter(Boolean),
    user,
    look: process.stdin.isTTY ? askPerson : undefined,
    largeBytes: 100_000_000,
    maxWaitMilliseconds: 60_000,
    settleMilliseconds: 5_000,
  }
  const { answers, left } = await askAll(workspace, (question, answer) => console.log(`${question}\n  ${answer}`))
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(values.out, renderPage({ date, host: new URL(baseUrl).host, answers }))
  console.log(left === 0 ? 'All files were deleted.' : `${left} files could not be deleted: check the channel.`)
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
