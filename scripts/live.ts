/**
 * Asks a real workspace what no documentation tells, in one channel, with a few small files that it deletes afterwards, and
 * writes the answers to docs/verified.md. It needs a bot token with `files:write` and `files:read`, in that channel.
 *
 *     npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../sandbox/json.ts'
import { runAction } from '../sandbox/runner.ts'

export interface Workspace {
  readonly baseUrl: string
  readonly token: string
  readonly channel: string
  /** Further channels that the bot is a member of: the more, the likelier a list of shares is cut off. */
  readonly moreChannels?: readonly string[]
  /** A member who gets a direct message. */
  readonly user?: string
  /** Asks the person who runs this to look at a message. */
  readonly look?: (question: string) => Promise<string>
  /** How long a share may take to show. */
  readonly maxWaitMilliseconds: number
  /** How long a second share, which should not come, is waited for. */
  readonly settleMilliseconds: number
}

export interface Answer {
  readonly question: string
  readonly answer: string
}

interface Question {
  readonly question: string
  /** What the action does, so that it is right either way. */
  readonly meanwhile: string
  readonly ask: (service: Service) => Promise<string>
}

export const questions: readonly Question[] = [
  {
    question: 'Does the action with default inputs post a file and see it in the channel?',
    meanwhile: 'It ran only against the sandbox.',
    ask: async (service) => {
      const { code, outputs } = await service.runStep()
      return `status ${outputs['status']}, exit code ${code}, ts ${outputs['ts'] ? 'known' : 'not known'}`
    },
  },
  {
    question: 'Does the service offer files.upload?',
    meanwhile: '`method: auto` uses the external upload on Slack, and files.upload elsewhere.',
    ask: async (service) => describe(await service.classicUpload()),
  },
  {
    question: 'How long after the completion does files.info show the message?',
    meanwhile: 'The action checks for 60 seconds.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const begin = performance.now()
      const completed = await service.complete([id])
      if (!completed['ok']) return describe(completed)
      return (await service.shares(id)) > 0
        ? `within ${((performance.now() - begin) / 1000).toFixed(1)} s`
        : `not within ${service.workspace.maxWaitMilliseconds / 1000} s`
    },
  },
  {
    question: 'What does files.info respond for a file that was uploaded but not completed?',
    meanwhile: 'After a lost response, file_not_found for 30 seconds counts as: not posted.',
    ask: async (service) => describe(await service.call('files.info', { file: (await service.uploaded()).id })),
  },
  {
    question: 'How long after the completion does files.info not know the file?',
    meanwhile: 'file_not_found counts as: not posted, only if it lasts 30 seconds.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const completed = await service.complete([id])
      if (!completed['ok']) return describe(completed)
      const begin = performance.now()
      for (;;) {
        const info = await service.call('files.info', { file: id })
        const milliseconds = performance.now() - begin
        if (info['ok']) return `known after ${(milliseconds / 1000).toFixed(1)} s`
        if (milliseconds >= service.workspace.maxWaitMilliseconds) return describe(info)
        await wait(1_000)
      }
    },
  },
  {
    question: 'Does a completion accept user IDs in `channels`?',
    meanwhile: 'The action opens the direct conversation, and completes with its ID.',
    ask: async (service) => {
      const { channel, user } = service.workspace
      if (user === undefined) return 'not asked: needs --user'
      const { id } = await service.uploaded()
      const answer = await service.complete([id], { channels: `${channel},${user}` })
      if (!answer['ok']) return describe(answer)
      await service.shares(id)
      await wait(service.workspace.settleMilliseconds)
      return `ok; the file was then in ${(await service.places(id)).count} of 2 conversations`
    },
  },
  {
    question: 'Is `:tada:` in a `plain_text` block with `emoji: false` shown as text?',
    meanwhile: '`comment-format: plain` sends such a block.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const text = { type: 'plain_text', text: 'A question: :tada:', emoji: false }
      const blocks = JSON.stringify([{ type: 'section', text }])
      const answer = await service.complete([id], { channel_id: service.workspace.channel, blocks })
      if (!answer['ok']) return describe(answer)
      return (await service.workspace.look?.('Does the last message show :tada: as text?')) ?? 'accepted; nobody looked'
    },
  },
  {
    question: 'Can a file have one byte?',
    meanwhile: 'Every file that is not empty is sent.',
    ask: async (service) => {
      const { id } = await service.uploaded('a')
      const answer = await service.complete([id])
      return answer['ok'] ? `ok; the file was then posted ${await service.shares(id)} times` : describe(answer)
    },
  },
  {
    question: 'How many channels does `shares` list?',
    meanwhile: 'The action also accepts `channels`, `groups` and `ims` as proof.',
    ask: async (service) => {
      const { channel, moreChannels = [] } = service.workspace
      const channels = [channel, ...moreChannels]
      const { id } = await service.uploaded()
      const answer = await service.complete([id], { channels: channels.join(',') })
      if (!answer['ok']) return describe(answer)
      await service.shares(id)
      await wait(service.workspace.settleMilliseconds)
      const { count, cutOff } = await service.places(id)
      return `${count} of ${channels.length}${cutOff ? ', with has_more_shares' : ''}`
    },
  },
  {
    question: 'What does a second completion of the same file do?',
    meanwhile: 'A completion is repeated only after files.info did not find the file for 30 seconds.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const first = await service.complete([id])
      if (!first['ok']) return `the first: ${describe(first)}`
      await service.shares(id)
      const second = await service.complete([id])
      await wait(service.workspace.settleMilliseconds)
      return `${describe(second)}; the file was then posted ${await service.shares(id)} times`
    },
  },
  {
    question: 'What does a completion do if the bytes of the file were never sent?',
    meanwhile: 'The action never does this, and compares the size that the service reports with what was sent.',
    ask: async (service) => describe(await service.complete([(await service.ticket(3)).id])),
  },
  {
    question: 'Can an upload URL be used twice?',
    meanwhile: 'The action requests a new URL for every attempt.',
    ask: async (service) => {
      const { url } = await service.uploaded()
      return `the second time: status ${await service.send(url, 'abc')}`
    },
  },
  {
    question: 'What does an upload URL respond to fewer bytes than were declared?',
    meanwhile: 'This is an error, and nothing is posted.',
    ask: async (service) => `status ${await service.send((await service.ticket(4)).url, 'abc')}`,
  },
  {
    question: 'Is an empty file refused?',
    meanwhile: 'Empty files are skipped with a warning.',
    ask: async (service) =>
      describe(await service.call('files.getUploadURLExternal', { filename: 'a.txt', length: '0' })),
  },
  {
    question: 'Does a completion accept 15 files?',
    meanwhile: 'A message has at most 10 files.',
    ask: async (service) => {
      const ids: string[] = []
      while (ids.length < 15) ids.push((await service.uploaded()).id)
      return describe(await service.complete(ids))
    },
  },
  {
    question: 'Does one wrong channel among several keep the file out of the others?',
    meanwhile: 'After an error with several channels, the action checks which of them have the file.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const answer = await service.complete([id], { channels: `${service.workspace.channel},C0NOSUCHCHANNEL` })
      await wait(service.workspace.settleMilliseconds)
      return `${describe(answer)}; in the right channel the file was posted ${await service.shares(id, 0)} times`
    },
  },
  {
    question: 'How long after the completion does files.list show the file?',
    meanwhile: 'A second attempt with `on-rerun: missing` warns of every file that it did not find and posted.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const begin = performance.now()
      const completed = await service.complete([id])
      if (!completed['ok']) return describe(completed)
      return (await service.listed(id)) === undefined
        ? `not within ${service.workspace.maxWaitMilliseconds / 1000} s`
        : `within ${((performance.now() - begin) / 1000).toFixed(1)} s`
    },
  },
  {
    question: 'Does files.list show a file that is only in a direct conversation?',
    meanwhile: 'The action looks files of direct conversations up like all others.',
    ask: async (service) => {
      const { maxWaitMilliseconds, user } = service.workspace
      if (user === undefined) return 'not asked: needs --user and im:write'
      const opened = await service.call('conversations.open', { users: user })
      const direct = isJsonObject(opened['channel']) ? opened['channel']['id'] : undefined
      if (typeof direct !== 'string') return `the conversation could not be opened: ${describe(opened)}`
      const { id } = await service.uploaded()
      const completed = await service.complete([id], { channel_id: direct })
      if (!completed['ok']) return describe(completed)
      return (await service.listed(id)) === undefined ? `not within ${maxWaitMilliseconds / 1000} s` : 'yes'
    },
  },
  {
    question: 'Does files.list show the title as it was sent?',
    meanwhile: 'The key of `on-rerun: missing` is at the end of the title, where nothing is known to be changed.',
    ask: async (service) => {
      const { id } = await service.uploaded()
      const completed = await service.complete([id], undefined, longTitle)
      if (!completed['ok']) return describe(completed)
      const title = (await service.listed(id))?.['title']
      if (title === longTitle) return 'unchanged'
      return `changed; its last 20 characters are ${JSON.stringify(String(title).slice(-20))}`
    },
  },
]

/** As long as the action makes it, with characters that services change in texts. */
const longTitle = `${'Übersicht & <Ergebnis> "漢字"  '.repeat(20).slice(0, 242)} · 0123456789`

const describe = (answer: JsonObject) => (answer['ok'] === true ? 'ok' : `refused: ${String(answer['error'])}`)

/** The few calls that the questions need. It remembers what has to be deleted. */
class Service {
  readonly workspace: Workspace
  readonly #made = new Set<string>()

  constructor(workspace: Workspace) {
    this.workspace = workspace
  }

  async call(method: string, fields: Readonly<Record<string, string>> | FormData): Promise<JsonObject> {
    const response = await fetch(`${this.workspace.baseUrl}/api/${method}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.workspace.token}` },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    })
    const text = await response.text()
    try {
      const answer: Json = JSON.parse(text)
      if (isJsonObject(answer)) return answer
    } catch {}
    return { ok: response.ok, error: `status ${response.status}` }
  }

  async ticket(length: number): Promise<{ id: string; url: string }> {
    const filename = `question-${randomBytes(4).toString('hex')}.txt`
    const answer = await this.call('files.getUploadURLExternal', { filename, length: String(length) })
    const { file_id: id, upload_url: url } = answer
    if (typeof id !== 'string' || typeof url !== 'string') throw new Error(`no upload URL: ${describe(answer)}`)
    this.#made.add(id)
    return { id, url }
  }

  /** The status of the answer. The URL is a right of its own: it gets no token. */
  async send(url: string, content: string): Promise<number> {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', body: content })
    await response.arrayBuffer()
    return response.status
  }

  async uploaded(content = 'abc'): Promise<{ id: string; url: string }> {
    const ticket = await this.ticket(content.length)
    const status = await this.send(ticket.url, content)
    if (status !== 200) throw new Error(`the bytes were refused: status ${status}`)
    return ticket
  }

  complete(
    ids: readonly string[],
    target: Readonly<Record<string, string>> = { channel_id: this.workspace.channel },
    title = 'A question to the service',
  ): Promise<JsonObject> {
    const files = JSON.stringify(ids.map((id) => ({ id, title })))
    return this.call('files.completeUploadExternal', { files, ...target })
  }

  /** How often the file is in the channel, as soon as it is, or after the longest wait. */
  async shares(id: string, maxWait = this.workspace.maxWaitMilliseconds): Promise<number> {
    for (const end = performance.now() + maxWait; ; await wait(1_000)) {
      const { file } = await this.call('files.info', { file: id })
      const shares = isJsonObject(file) && isJsonObject(file['shares']) ? Object.values(file['shares']) : []
      const count = shares.flatMap((kind) => (isJsonObject(kind) ? (kind[this.workspace.channel] ?? []) : [])).length
      if (count > 0 || performance.now() >= end) return count
    }
  }

  /** The number of conversations in the shares of a file, and whether the record says that there are more. */
  async places(id: string): Promise<{ readonly count: number; readonly cutOff: boolean }> {
    const { file } = await this.call('files.info', { file: id })
    if (!isJsonObject(file)) return { count: 0, cutOff: false }
    const shares = isJsonObject(file['shares']) ? Object.values(file['shares']) : []
    const count = shares.flatMap((kind) => (isJsonObject(kind) ? Object.keys(kind) : [])).length
    return { count, cutOff: file['has_more_shares'] === true }
  }

  /** The file in the list of files, as soon as it is there; none after the longest wait. */
  async listed(id: string): Promise<JsonObject | undefined> {
    for (const end = performance.now() + this.workspace.maxWaitMilliseconds; ; await wait(1_000)) {
      const { files } = await this.call('files.list', {})
      const found = Array.isArray(files) ? files.filter(isJsonObject).find((file) => file['id'] === id) : undefined
      if (found !== undefined || performance.now() >= end) return found
    }
  }

  async classicUpload(): Promise<JsonObject> {
    const form = new FormData()
    form.set('channels', this.workspace.channel)
    form.set('file', new Blob(['abc']), 'question.txt')
    const answer = await this.call('files.upload', form)
    const file = answer['file']
    if (isJsonObject(file) && typeof file['id'] === 'string') this.#made.add(file['id'])
    return answer
  }

  async runStep(): ReturnType<typeof runAction> {
    const { baseUrl, token, channel } = this.workspace
    const folder = await mkdtemp(join(tmpdir(), 'live-'))
    try {
      await writeFile(join(folder, 'question.txt'), 'abc')
      const inputs = { token, channels: channel, files: 'question.txt', 'base-url': baseUrl, method: 'external' }
      const result = await runAction({ workspace: folder, inputs })
      for (const id of (result.outputs['file-ids'] ?? '').split(',').filter(Boolean)) this.#made.add(id)
      return result
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** Deletes what was made. How many files are still there: those that were never completed never were. */
  async cleanUp(): Promise<number> {
    let left = 0
    for (const file of this.#made) {
      const { ok, error } = await this.call('files.delete', { file })
      if (ok !== true && error !== 'file_not_found' && error !== 'file_deleted') left += 1
    }
    return left
  }
}

/** One question after the other; a question that cannot be asked says why, and the others go on. */
export async function askAll(
  workspace: Workspace,
  report: (answer: Answer) => void,
): Promise<{ readonly answers: readonly Answer[]; readonly left: number }> {
  const service = new Service(workspace)
  const answers: Answer[] = []
  for (const { question, ask } of questions) {
    const answer = await ask(service).catch((error: Error) => `could not be asked: ${error.message}`)
    answers.push({ question, answer })
    report({ question, answer })
  }
  return { answers, left: await service.cleanUp() }
}

/** `docs/verified.md`. Without a run: what is still open. */
export function renderPage(run?: {
  readonly date: string
  readonly host: string
  readonly answers: readonly Answer[]
}): string {
  const state = run
    ? `Asked ${run.host} on ${run.date}, in one channel of one workspace, with \`npm run live\`.`
    : 'Nothing has been verified against Slack itself yet: nobody has run `npm run live`.'
  const cell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
  const rows = questions.map(({ question, meanwhile }) => {
    const answer = run?.answers.find((one) => one.question === question)?.answer ?? 'not asked yet'
    return `| ${question} | ${cell(answer)} | ${meanwhile} |`
  })
  return `# What was verified against a real workspace

${state}

Slack's documentation leaves these questions open. The action is designed to behave correctly whatever the answers are.

| Question | Answer | What the action does |
| --- | --- | --- |
${rows.join('\n')}

To answer them and rewrite this page, run \`npm run live -- --token-env SLACK_BOT_TOKEN --channel C0123456789\`. It needs a bot token with
\`files:write\` and \`files:read\`, and a channel that the bot is a member of and where a few small files disturb nobody. It deletes the files
afterward; Slack may show in the channel that a file was deleted. Some questions need more: \`--user U0123456789\`, a member who gets two of the files,
and \`--more-channels C1,C2,…\`, which the bot is a member of too. It writes down neither the token nor the names of the workspace and the
channel.
`
}

async function askPerson(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return `${question} ${await terminal.question(`${question} `)}`
  } finally {
    terminal.close()
  }
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
  const token = process.env[values['token-env'] ?? '']
  const { channel, user } = values
  if (!token || !channel) throw new Error('usage: npm run live -- --token-env NAME --channel C0123456789')
  const baseUrl = values['base-url'].replace(/\/+$/, '')
  if (!/^(https:|http:\/\/127\.0\.0\.1[:/])/.test(baseUrl)) throw new Error('The token travels by https only')
  const workspace = {
    baseUrl,
    token,
    channel,
    moreChannels: values['more-channels'].split(',').filter(Boolean),
    ...(user === undefined ? {} : { user }),
    ...(process.stdin.isTTY ? { look: askPerson } : {}),
    maxWaitMilliseconds: 60_000,
    settleMilliseconds: 5_000,
  }
  const { answers, left } = await askAll(workspace, ({ question, answer }) => console.log(`${question}\n  ${answer}`))
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(values.out, renderPage({ date, host: new URL(baseUrl).host, answers }))
  console.log(left === 0 ? 'All files were deleted.' : `${left} files could not be deleted: check the channel.`)
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
