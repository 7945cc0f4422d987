/**
 * Asks a real workspace what docs/evidence.md calls unknown, in one channel, with a few files that it
 * deletes afterwards, and writes the answers there. It needs a bot token with `files:write` and
 * `files:read`, in that channel.
 *
 * npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789
 */
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { posted } from './check-release.ts'
import { renderPage } from './live/page.ts'
import { optionsNeeded, questions } from './live/questions.ts'
import { Service, type Workspace } from './live/service.ts'

/** One question after the other; a question that cannot be asked says why, and the others go on. */
export async function askAll(
  workspace: Workspace,
  report: (question: string, answer: string) => void = () => {},
) {
  const service = new Service(workspace)
  const answers: Record<string, string> = {}
  for (const { ask, needs, question } of questions) {
    if (ask === undefined) continue
    const answer =
      needs && workspace[needs] === undefined
        ? `not asked: needs ${optionsNeeded[needs]}`
        : await ask(service).catch((error: Error) => `could not be asked: ${error.message}`)
    answers[question] = answer
    report(question, answer)
  }
  return { answers, left: await service.cleanUp() }
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
      group: { type: 'string' },
      'shared-channel': { type: 'string' },
      slow: { type: 'boolean', default: false },
      'base-url': { type: 'string', default: 'https://slack.com' },
      out: {
        type: 'string',
        default: fileURLToPath(new URL('../docs/evidence.md', import.meta.url)),
      },
    },
  })
  const [{ channel, group }, token] = [values, process.env[values['token-env'] ?? '']]
  if (!token || !channel)
    throw new Error('usage: npm run live -- --token-env NAME --channel C0123456789')
  const { host, hostname, origin: baseUrl, protocol } = new URL(values['base-url'])
  if (protocol !== 'https:' && hostname !== '127.0.0.1')
    throw new Error('The token travels by https only')
  const workspace = {
    baseUrl,
    token,
    channel,
    group,
    sharedChannel: values['shared-channel'],
    slowMilliseconds: values.slow ? 600_000 : undefined,
    look: process.stdin.isTTY ? askPerson : undefined,
    largeBytes: 100_000_000,
    maxWaitMilliseconds: 60_000,
    intervalMilliseconds: 1_000,
    settleMilliseconds: 5_000,
  }
  const { answers, left } = await askAll(workspace, (question, answer) =>
    console.log(`${question}\n  ${answer}`),
  )
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(values.out, renderPage({ date, host, answers }))
  console.log(
    left === 0
      ? 'All files were deleted.'
      : `${left} files could not be deleted: check the channel.`,
  )
  const [first = ''] = Object.values(answers)
  if (!posted.test(first))
    throw new Error(
      `The action did not post (${first}): check the token, its scopes, and that the app is in the channel.`,
    )
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
