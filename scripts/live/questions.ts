// What no documentation of Slack tells, as data: what is uploaded and called, and which of what is then seen is the answer.
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../sandbox/json.ts'
import { type Asked, describe } from './service.ts'

/** A method and its arguments. `{…}` in an argument is one of the values of the question. */
type Call = readonly [method: string, fields: Readonly<Record<string, string>>]

export interface Question {
  readonly question: string
  /** What the action does, so that it is right either way. */
  readonly meanwhile: string
  /** What must be given. Without it, the question is not asked. */
  readonly needs?: 'user' | 'user and im:write'
  /** How many files are uploaded first. */
  readonly uploads?: number
  readonly content?: string
  /** Called in this order, up to the first that is refused. */
  readonly calls?: readonly Call[]
  /** The answer. Without it, what the last call responded; that is also the answer if a call is refused … */
  readonly look?: (asked: Asked) => Promise<string>
  /** … unless the answer is wanted all the same. */
  readonly lookIfRefused?: boolean
}

const completion = (fields: Call[1] = { channel_id: '{channel}' }): Call => [
  'files.completeUploadExternal',
  { files: '{files}', ...fields },
]
/** As long as the action makes it, with characters that services change in texts. */
export const longTitle = `${'Übersicht & <Ergebnis> "漢字"  '.repeat(20).slice(0, 242)} · 0123456789`
const emoji = JSON.stringify([
  { type: 'section', text: { type: 'plain_text', text: 'A question: :tada:', emoji: false } },
])
const linked = JSON.stringify([
  { type: 'section', text: { type: 'mrkdwn', text: '<https://docs.slack.dev|A question>', verbatim: true } },
])
const within = (milliseconds: number | undefined, { workspace }: Asked) =>
  milliseconds === undefined
    ? `not within ${workspace.maxWaitMilliseconds / 1000} s`
    : `within ${(milliseconds / 1000).toFixed(1)} s`
const withTimes = async (asked: Asked) => {
  await wait(asked.workspace.settleMilliseconds)
  return `${describe(asked.response)}; the file was then posted ${(await asked.shares()).length} times`
}

export const questions: readonly Question[] = [
  {
    question: 'Does the action with default inputs post a file and see it in the channel?',
    meanwhile: 'It ran only against the sandbox.',
    look: async ({ service }) => {
      const { code, outputs } = await service.runStep()
      return `status ${outputs['status']}, exit code ${code}, ts ${outputs['ts'] ? 'known' : 'not known'}`
    },
  },
  {
    question: 'Does the service offer files.upload?',
    meanwhile: '`method: auto` uses the external upload on Slack, and files.upload elsewhere.',
    calls: [['files.upload', { channels: '{channel}', content: 'abc', filename: 'question.txt' }]],
  },
  {
    question: 'How long after the completion does files.info show the message?',
    meanwhile: 'The action checks for 60 seconds.',
    uploads: 1,
    calls: [completion()],
    look: async (asked) => within(await asked.until(async () => (await asked.shares(0)).length > 0), asked),
  },
  {
    question: 'What does files.info respond for a file that was uploaded but not completed?',
    meanwhile: 'After a lost response, file_not_found for 30 seconds counts as: not posted.',
    uploads: 1,
    calls: [['files.info', { file: '{file}' }]],
  },
  {
    question: 'How long after the completion does files.info not know the file?',
    meanwhile: 'file_not_found counts as: not posted, only if it lasts 30 seconds.',
    uploads: 1,
    calls: [completion()],
    look: async (asked) => {
      const known = await asked.until(async () => (await asked.call('files.info', { file: '{file}' }))['ok'] === true)
      return known === undefined ? describe(asked.response) : `known after ${(known / 1000).toFixed(1)} s`
    },
  },
  {
    question: 'Does a completion accept user IDs in `channels`?',
    meanwhile: 'The action opens the direct conversation, and completes with its ID.',
    needs: 'user',
    uploads: 1,
    calls: [completion({ channels: '{channel},{user}' })],
    look: async (asked) => `ok; the file was then in ${(await asked.places()).count} of 2 conversations`,
  },
  {
    question: 'Is `:tada:` in a `plain_text` block with `emoji: false` shown as text?',
    meanwhile: '`comment-format: plain` sends such a block.',
    uploads: 1,
    calls: [completion({ channel_id: '{channel}', blocks: emoji })],
    look: async ({ workspace }) =>
      (await workspace.look?.('Does the last message show :tada: as text?')) ?? 'accepted; nobody looked',
  },
  {
    question: 'Can a file have one byte?',
    meanwhile: 'Every file that is not empty is sent.',
    uploads: 1,
    content: 'a',
    calls: [completion()],
    look: withTimes,
  },
  {
    question: 'How many channels does `shares` list?',
    meanwhile: 'The action also accepts `channels`, `groups` and `ims` as proof.',
    uploads: 1,
    calls: [completion({ channels: '{channels}' })],
    look: async (asked) => {
      const { count, cutOff } = await asked.places()
      const posted = 1 + (asked.workspace.moreChannels ?? []).length
      return `${count} of ${posted}${cutOff ? ', with has_more_shares' : ''}`
    },
  },
  {
    question: 'What does a second completion of the same file do?',
    meanwhile: 'A completion is repeated only after files.info did not find the file for 30 seconds.',
    uploads: 1,
    calls: [completion()],
    look: async (asked) => {
      await asked.shares()
      await asked.call(...completion())
      return withTimes(asked)
    },
  },
  {
    question: 'What does a completion do if the bytes of the file were never sent?',
    meanwhile: 'The action never does this, and compares the size that the service reports with what was sent.',
    look: async (asked) => {
      const { id } = await asked.service.ticket(3)
      return describe(await asked.call(...completion({ channel_id: '{channel}', files: JSON.stringify([{ id }]) })))
    },
  },
  {
    question: 'Can an upload URL be used twice?',
    meanwhile: 'The action requests a new URL for every attempt.',
    uploads: 1,
    look: async ({ service, values }) => `the second time: status ${await service.send(values['url'] ?? '', 'abc')}`,
  },
  {
    question: 'What does an upload URL respond to fewer bytes than were declared?',
    meanwhile: 'This is an error, and nothing is posted.',
    look: async ({ service }) => `status ${await service.send((await service.ticket(4)).url, 'abc')}`,
  },
  {
    question: 'Is an empty file refused?',
    meanwhile: 'Empty files are skipped with a warning.',
    calls: [['files.getUploadURLExternal', { filename: 'a.txt', length: '0' }]],
  },
  {
    question: 'Does a completion accept 15 files?',
    meanwhile: 'A message has at most 10 files.',
    uploads: 15,
    calls: [completion()],
  },
  {
    question: 'Does one wrong channel among several keep the file out of the others?',
    meanwhile: 'After an error with several channels, the action checks which of them have the file.',
    uploads: 1,
    calls: [completion({ channels: '{channel},C0NOSUCHCHANNEL' })],
    look: async (asked) => {
      await wait(asked.workspace.settleMilliseconds)
      const times = (await asked.shares(0)).length
      return `${describe(asked.response)}; in the right channel the file was posted ${times} times`
    },
    lookIfRefused: true,
  },
  {
    question: 'How long after the completion does files.list show the file?',
    meanwhile: 'A second attempt with `on-rerun: missing` warns of every file that it did not find and posted.',
    uploads: 1,
    calls: [completion()],
    look: async (asked) => within(await asked.until(async () => (await listed(asked)) !== undefined), asked),
  },
  {
    question: 'Does files.list show a file that is only in a direct conversation?',
    meanwhile: 'The action looks files of direct conversations up like all others.',
    needs: 'user and im:write',
    uploads: 1,
    calls: [['conversations.open', { users: '{user}' }], completion({ channel_id: '{opened}' })],
    look: async (asked) => {
      const shown = await asked.until(async () => (await listed(asked)) !== undefined)
      return shown === undefined ? within(shown, asked) : 'yes'
    },
  },
  {
    question: 'Does files.list show the title as it was sent?',
    meanwhile: 'The key of `on-rerun: missing` is at the end of the title, where nothing is known to be changed.',
    uploads: 1,
    calls: [completion({ channel_id: '{channel}', files: '[{"id":"{file}","title":"{title}"}]' })],
    look: async (asked) => {
      await asked.until(async () => (await listed(asked)) !== undefined)
      const title = (await listed(asked))?.['title']
      if (title === longTitle) return 'unchanged'
      return `changed; its last 20 characters are ${JSON.stringify(String(title).slice(-20))}`
    },
  },
  {
    question: 'What does files.info respond for a file that was deleted?',
    meanwhile: 'file_deleted never counts as: not posted.',
    uploads: 1,
    calls: [completion(), ['files.delete', { file: '{file}' }], ['files.info', { file: '{file}' }]],
  },
  {
    question: 'Do several files with a comment become one message in a thread?',
    meanwhile: 'The action sends them so, and looks for the message in the thread.',
    uploads: 3,
    calls: [completion({ channel_id: '{channel}', files: '[{"id":"{file}"}]' })],
    look: async (asked) => {
      const [parent] = await asked.shares()
      const reply = { channel_id: '{channel}', thread_ts: String(parent?.['ts']), initial_comment: 'A comment' }
      const completed = await asked.call(...completion({ ...reply, files: '[{"id":"{file 2}"},{"id":"{file 3}"}]' }))
      if (completed['ok'] !== true) return describe(completed)
      const shares = [...(await asked.shares(undefined, '{file 2}')), ...(await asked.shares(undefined, '{file 3}'))]
      const messages = new Set(shares.map(({ ts }) => ts)).size
      const inThread = shares.filter(({ thread_ts }) => thread_ts === parent?.['ts']).length
      return `${shares.length} files in ${messages} message, ${inThread} of them in the thread`
    },
  },
  {
    question: 'What does a completion do in a thread that does not exist?',
    meanwhile: 'The action reports what the service responds, and checks that the message is in the thread.',
    uploads: 1,
    calls: [completion({ channel_id: '{channel}', thread_ts: '1000000000.000001' })],
    look: withTimes,
    lookIfRefused: true,
  },
  {
    question: 'Does files.list need `team_id` with an organization-wide token?',
    meanwhile: 'The action sends `team_id` if auth.test says that the token is one.',
    calls: [['auth.test', {}]],
    look: async (asked) => {
      const { is_enterprise_install, team_id } = asked.response
      const kind = is_enterprise_install === true ? 'organization-wide token' : 'token of one workspace'
      const without = describe(await asked.call('files.list', {}))
      const team = describe(await asked.call('files.list', { team_id: String(team_id) }))
      return `${kind}: without it ${without}; with it ${team}`
    },
  },
  {
    question: 'Does users.conversations need the scope of each of its `types`?',
    meanwhile: 'Only a lookup of channels by name depends on it.',
    look: async (asked) => {
      const answers = []
      for (const types of ['public_channel', 'private_channel', 'public_channel,private_channel']) {
        const { channels, ...response } = await asked.call('users.conversations', { types })
        answers.push(`${types}: ${describe(response)}${Array.isArray(channels) ? `, ${channels.length}` : ''}`)
      }
      return answers.join('; ')
    },
  },
  {
    question: 'Does users.conversations respond by pages?',
    meanwhile: 'Only a lookup of channels by name depends on it.',
    look: async (asked) => {
      const sizes: number[] = []
      for (let cursor = ''; sizes.length < 20; cursor = nextCursor(asked.response)) {
        if (sizes.length > 0 && cursor === '') break
        const { channels } = await asked.call('users.conversations', { limit: '1', ...(cursor !== '' && { cursor }) })
        if (!Array.isArray(channels)) return describe(asked.response)
        sizes.push(channels.length)
      }
      return `entries on each page, of one at most: ${sizes.join(', ')}`
    },
  },
  {
    question: 'How long after the completion does files.info show the message of a file of 100 MB?',
    meanwhile: 'The time for which the action looks grows with the size of the files.',
    look: async (asked) => {
      asked.values['file'] = (await asked.service.upload('x'.repeat(asked.workspace.largeBytes))).id
      const { ok } = await asked.call(...completion({ channel_id: '{channel}', files: '[{"id":"{file}"}]' }))
      if (ok !== true) return describe(asked.response)
      return within(await asked.until(async () => (await asked.shares(0)).length > 0), asked)
    },
  },
  {
    question:
      'Is the default comment shown with its links, what does the notification on a phone say, and is a CSV a table?',
    meanwhile: 'The comment is sent as a block, and Slack decides how files look.',
    look: async ({ service, workspace }) => {
      const { outputs } = await service.runStep('question.csv', 'suite,tests\ncheckout,14\n')
      const asked = workspace.look?.('Are there links in the last comment? The notification? Is the CSV a table?')
      return (await asked) ?? `${outputs['status']}; nobody looked`
    },
  },
  {
    question: 'Does a text by chat.postMessage look like the comment of files?',
    meanwhile: '`if-no-files-found: comment` sends the same blocks, and a text for the notification.',
    calls: [['chat.postMessage', { channel: '{channel}', text: 'A question', blocks: linked }]],
    look: async (asked) => {
      const { ts } = asked.response
      const answer = (await asked.workspace.look?.('Does the last text look like the comments?')) ?? 'ok; nobody looked'
      await asked.call('chat.delete', { channel: '{channel}', ts: String(ts) })
      return answer
    },
  },
]

function nextCursor({ response_metadata }: JsonObject): string {
  return isJsonObject(response_metadata) ? String(response_metadata['next_cursor'] ?? '') : ''
}

/** The file in the list of files. */
async function listed({ service, values }: Asked): Promise<JsonObject | undefined> {
  const { files } = await service.call('files.list', {})
  return Array.isArray(files) ? files.filter(isJsonObject).find(({ id }) => id === values['file']) : undefined
}
