/**
 * Asks a real workspace what no documentation tells, in one channel, with a few small files that it
 * deletes afterwards, and writes the answers to docs/evidence.md. It needs a bot token with
 * `files:write` and `files:read`, in that channel.
 *
 * npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789
 */
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { posted } from './check-release.ts'
import { renderPage } from './live/page.ts'
import { isAsked, optionsNeeded, type Question, questions } from './live/questions.ts'
import { Asked, describe, Service, type Workspace } from './live/service.ts'

async function ask(service: Service, asking: Question): Promise<string> {
  const { channel, moreChannels = [], user } = service.workspace
  const { needs } = asking
  if (needs && service.workspace[needs] === undefined)
    return `not asked: needs ${optionsNeeded[needs]}`
  const content = Buffer.from(asking.content ?? 'abc')
  const uploaded = []
  while (uploaded.length < (asking.uploads ?? 0)) uploaded.push(await service.upload(content))
  const asked = new Asked(service, {
    channel,
    channels: [channel, ...moreChannels].join(','),
    ...(user !== undefined && { user }),
    ...Object.fromEntries(uploaded.map(({ id }, index) => [`file ${index + 1}`, id])),
    ...(uploaded[0] && { file: uploaded[0].id, url: uploaded[0].url }),
    files: JSON.stringify(uploaded.map(({ id }) => ({ id, title: 'A question to the service' }))),
  })
  for (const call of asking.calls ?? [])
    if (asked.response['ok'] === true) await asked.call(...call)
  const isAnswer =
    asking.look === undefined || (asked.response['ok'] !== true && !asking.lookIfRefused)
  return isAnswer ? describe(asked.response) : asking.look(asked)
}

/** One question after the other; a question that cannot be asked says why, and the others go on. */
export async function askAll(
  workspace: Workspace,
  report: (question: string, answer: string) => void = () => {},
) {
  const service = new Service(workspace)
  const answers: Record<string, string> = {}
  for (const asking of questions.filter(isAsked)) {
    const answer = await ask(service, asking).catch(
      (error: Error) => `could not be asked: ${error.message}`,
    )
    answers[asking.question] = answer
    report(asking.question, answer)
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
      'more-channels': { type: 'string', default: '' },
      user: { type: 'string' },
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
  const [{ channel, group, user }, token] = [values, process.env[values['token-env'] ?? '']]
  if (!token || !channel)
    throw new Error('usage: npm run live -- --token-env NAME --channel C0123456789')
  const baseUrl = values['base-url'].replace(/\/+$/, '')
  if (!/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(baseUrl))
    throw new Error('The token travels by https only')
  const workspace = {
    baseUrl,
    token,
    channel,
    moreChannels: values['more-channels'].split(',').filter(Boolean),
    user,
    group,
    sharedChannel: values['shared-channel'],
    slowMilliseconds: values.slow ? 600_000 : undefined,
    look: process.stdin.isTTY ? askPerson : undefined,
    largeBytes: 100_000_000,
    textBytes: 900_000,
    maxWaitMilliseconds: 60_000,
    intervalMilliseconds: 1_000,
    settleMilliseconds: 5_000,
  }
  const { answers, left } = await askAll(workspace, (question, answer) =>
    console.log(`${question}\n  ${answer}`),
  )
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(values.out, renderPage({ date, host: new URL(baseUrl).host, answers }))
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
