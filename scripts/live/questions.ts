// What is known of the service, as data; and how to ask what is unknown. `npm run docs` writes
// docs/evidence.md from it.
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../sandbox/json.ts'
import { describe, type Service } from './service.ts'

export interface Question {
  readonly question: string
  /**
   * - `recorded`: in a recording of the service's responses, or a test that its vendor runs against
   *   the live service.
   * - `reported`: by users, or by the vendor in words.
   * - `unknown`: looked for, and not found.
   */
  readonly known: 'recorded' | 'reported' | 'unknown'
  /** What is known, in sentences. */
  readonly what?: string
  /** Where it is known from, as links. */
  readonly references?: readonly string[]
  /** What the action does because of it, if no other page says so. */
  readonly meanwhile?: string
  /** What must be given. Without it, the question is not asked. */
  readonly needs?: keyof typeof optionsNeeded
  /** The answer. Absent: it is known, or nobody can bring about what it is about. */
  readonly ask?: (service: Service) => Promise<string>
}

export const optionsNeeded = {
  group: '--group',
  sharedChannel: '--shared-channel',
  slowMilliseconds: '--slow',
} as const

export const link = (name: string, url: string) => `[${name}](${url})`
const thread = (repository: string, number: number) =>
  link(
    `${repository.replace(/^slackapi\//, '')}#${number}`,
    `https://github.com/${repository}/issues/${number}`,
  )
const method = (name: string) => link(name, `https://docs.slack.dev/reference/methods/${name}`)
const schema = (name: string) =>
  link(
    `slack-api-ref/${name}`,
    `https://github.com/slack-ruby/slack-api-ref/blob/HEAD/methods/files/${name}.json`,
  )
/** Slack's own tests against the live service. */
const slackTests = link(
  'files_Test.java',
  'https://github.com/slackapi/java-slack-sdk/blob/HEAD/slack-api-client/src/test/java/test_with_remote_apis/methods/files_Test.java',
)
const recording = (name: string) =>
  link(
    `${name}.yml`,
    `https://github.com/slack-ruby/slack-ruby-client/blob/HEAD/spec/fixtures/slack/web/${name}.yml`,
  )

const emoji = JSON.stringify([
  { type: 'section', text: { type: 'plain_text', text: 'A question: :tada:', emoji: false } },
])
const linked = JSON.stringify([
  {
    type: 'section',
    text: { type: 'mrkdwn', text: '<https://docs.slack.dev|A question>', verbatim: true },
  },
])

/** The parts of the page, each with its questions. */
export const sections: Readonly<Record<string, readonly Question[]>> = {
  'Does a healthy run succeed?': [
    {
      question: 'Does the action with default inputs post a file and see it in the channel?',
      known: 'unknown',
      what: 'Recordings of other clients show each of its requests.',
      references: [recording('files_upload_v2')],
      ask: async (service) => {
        const { code, outputs } = await service.runStep()
        return `status ${outputs['status']}, exit code ${code}, ts ${outputs['ts'] ? 'known' : 'not known'}`
      },
    },
    {
      question: 'How long after the completion does `files.info` show the message?',
      known: 'recorded',
      what: "The response to the completion seldom names the message. The file's record does later: Slack's tests wait up to 30 s, other clients 1 to 31 s.",
      references: [
        slackTests,
        recording('files_upload_v2'),
        thread('slackapi/node-slack-sdk', 1865),
      ],
    },
    {
      question: 'Does an ok response always mean that the message appears?',
      known: 'reported',
      what: 'No: some workspaces drop it silently, often if it has alternative text.',
      references: [
        thread('slackapi/python-slack-sdk', 1461),
        thread('slackapi/python-slack-sdk', 1818),
        thread('paradigmxyz/centaur', 311),
      ],
      meanwhile: 'The action sends no alternative text.',
    },
    {
      question: 'Is a file processed (`mimetype`, `filetype`) before its message shows?',
      known: 'reported',
      what: "Both are empty after each recorded completion. Slack's staff says that a scan fills them.",
      references: [thread('slackapi/node-slack-sdk', 2040), recording('files_upload_v2')],
    },
    {
      question: 'How long after the completion does the message of a file of 100 MB show?',
      known: 'unknown',
      references: [thread('slackapi/node-slack-sdk', 2040)],
      ask: async (service) => {
        const { largeBytes, maxWaitMilliseconds } = service.workspace
        const { id, completed } = await service.post({}, Buffer.alloc(largeBytes, 'x'))
        if (completed['ok'] !== true) return describe(completed)
        const begin = performance.now()
        if ((await service.shares(id)).length === 0) return `not in ${maxWaitMilliseconds / 1000} s`
        return `within ${((performance.now() - begin) / 1000).toFixed(1)} s`
      },
    },
    {
      question: 'Where does a group direct conversation show the message?',
      known: 'unknown',
      what: 'Public and private channels and direct conversations are in `shares`.',
      references: [link('file object', 'https://docs.slack.dev/reference/objects/file-object')],
      needs: 'group',
      ask: (service) => placesIn(service, service.workspace.group),
    },
    {
      question: 'Where does a channel that another organization shares show the message?',
      known: 'unknown',
      what: 'Some kinds of files are refused with `internal_error`.',
      references: [thread('slackapi/node-slack-sdk', 2301)],
      needs: 'sharedChannel',
      ask: (service) => placesIn(service, service.workspace.sharedChannel),
    },
    {
      question: 'Is `files:read` needed for the lookup?',
      known: 'reported',
      what: 'Yes.',
      references: [method('files.info')],
    },
  ],
  'Can a message be posted twice, or be lost?': [
    {
      question: 'What does a second completion of the same file do?',
      known: 'unknown',
      what: "After `file_update_failed`, Slack's support advised to repeat it.",
      references: [thread('slackapi/python-slack-sdk', 1730)],
      ask: async (service) => {
        const { id } = await service.post()
        await service.shares(id)
        return withTimes(service, id, await service.complete([id]))
      },
    },
    {
      question: 'How long after the completion does `files.info` not know the file?',
      known: 'reported',
      what: 'About a second.',
      references: [
        thread('slackapi/python-slack-sdk', 1521),
        thread('slackapi/python-slack-sdk', 1961),
      ],
    },
    {
      question: 'What does `files.info` respond for a file that was not completed?',
      known: 'unknown',
      ask: async (service) => {
        const { id } = await service.upload()
        return describe(await service.call('files.info', { file: id }))
      },
    },
    {
      question: 'What does `files.info` respond for a file that was deleted?',
      known: 'reported',
      what: '`file_deleted`. Admins and data-loss tools delete files too.',
      references: [method('files.info')],
    },
    {
      question: 'Can a request that was answered with 429 have been carried out?',
      known: 'unknown',
      what: 'Each method has its limit, and `Retry-After` is in seconds. The limits of 2025 concern other methods.',
      references: [link('rate limits', 'https://docs.slack.dev/apis/web-api/rate-limits')],
    },
    {
      question: 'Does one wrong channel among several keep the file out of the others?',
      known: 'unknown',
      ask: async (service) => {
        const { id, completed } = await service.post({
          channels: `${service.workspace.channel},C0NOSUCHCHANNEL`,
        })
        return withTimes(service, id, completed)
      },
    },
    {
      question: 'How many channels does one completion take, and how many does `shares` list?',
      known: 'recorded',
      what: 'Several. Where `shares` is cut off (`has_more_shares`) is unknown.',
      references: [recording('files_upload_v2_with_channels_list'), slackTests],
    },
    {
      question: 'Does a completion accept 15 files?',
      known: 'reported',
      what: '14 worked, 15 gave `internal_error`. The response lists each file (recorded).',
      references: [
        thread('slackapi/python-slack-sdk', 1653),
        recording('files_upload_v2_multiple_files'),
      ],
    },
    {
      question: 'Do messages keep their order?',
      known: 'reported',
      what: 'A text posted after a completion can come first.',
      references: [
        thread('slackapi/java-slack-sdk', 1307),
        thread('slackapi/node-slack-sdk', 2260),
      ],
      meanwhile: 'With `if-not-confirmed: ignore`, the action does not wait for the last message.',
    },
    {
      question: 'Does the service offer `files.upload`?',
      known: 'reported',
      what: 'No: `method_deprecated`.',
      references: [thread('apache/superset', 31196)],
    },
  ],
  'Do files arrive as they were sent?': [
    {
      question: 'What does the upload URL respond?',
      known: 'recorded',
      what: 'Status 200 and `OK - <bytes>`, to the raw bytes without a token.',
      references: [recording('files_upload_v2'), slackTests],
      meanwhile:
        'To the action, another number is a failed upload, and a response without a number a success.',
    },
    {
      question: 'How does an upload URL fail?',
      known: 'reported',
      what: '504 after about 30 s, several times a day; 500; no response at all.',
      references: [thread('slackapi/python-slack-sdk', 1853), thread('openclaw/openclaw', 103442)],
    },
    {
      question: 'What does an upload URL respond to fewer bytes than were declared?',
      known: 'unknown',
      ask: async (service) => service.send((await service.ticket(4)).url, Buffer.from('abc')),
    },
    {
      question: 'Can an upload URL be used twice?',
      known: 'unknown',
      what: "Slack's Node client does so; nobody reports harm.",
      meanwhile: 'The action does so only after 429, which refuses the bytes.',
      ask: async (service) => {
        const { url } = await service.upload()
        return `the second time: ${await service.send(url, Buffer.from('abc'))}`
      },
    },
    {
      question: 'Is an upload URL good for ten minutes?',
      known: 'unknown',
      needs: 'slowMilliseconds',
      ask: async (service) => {
        const { url } = await service.ticket(3)
        await wait(service.workspace.slowMilliseconds)
        return service.send(url, Buffer.from('abc'))
      },
    },
    {
      question: 'What does a completion do if the bytes were never sent?',
      known: 'reported',
      what: 'Users found empty files after an ok response.',
      references: [thread('slackapi/python-slack-sdk', 1404)],
    },
    {
      question: 'Does an image keep its size?',
      known: 'recorded',
      what: 'No: Slack removes metadata. A JPEG of 29,720 bytes was recorded with 30,317.',
      references: [slackTests, thread('slackapi/node-slack-sdk', 1032)],
      meanwhile: 'The action ignores the size in a record, unless it is 0.',
    },
    {
      question: 'Does a text keep its size?',
      known: 'recorded',
      what: 'With line feeds, yes. CRLF, a byte order mark and UTF-16: unknown.',
      references: [slackTests],
    },
    {
      question: 'How long is the response of `files.info` for 900 KB of text?',
      known: 'reported',
      what: 'It holds the text and, as HTML, about ten times as much.',
      references: [schema('files.info')],
      meanwhile: 'The action reads up to 16 MiB, and ignores a longer response.',
    },
    {
      question: 'Is an empty file refused?',
      known: 'reported',
      what: 'Yes.',
      references: [schema('files.getUploadURLExternal'), thread('slackapi/node-slack-sdk', 1569)],
    },
  ],
  'Channels, people and threads': [
    {
      question: 'Does a completion accept user IDs in `channels`?',
      known: 'reported',
      what: 'Yes; `channel_id` refuses them.',
      references: [method('files.completeUploadExternal'), thread('slackapi/bolt-js', 2115)],
      meanwhile: 'The action opens the direct conversation, and uses its ID.',
    },
    {
      question: 'Do several files with a comment become one message in a thread?',
      known: 'unknown',
      what: 'One file with a comment works.',
      references: [recording('files_upload_v2_with_all_options'), slackTests],
      meanwhile: 'The action warns if the message is not in the thread.',
      ask: async (service) => {
        const [parent] = await service.shares((await service.post()).id)
        const ids = [(await service.upload()).id, (await service.upload()).id]
        const threadTs = String(parent?.['ts'])
        const completed = await service.complete(ids, {
          thread_ts: threadTs,
          initial_comment: 'A comment',
        })
        if (completed['ok'] !== true) return describe(completed)
        const shares = (await Promise.all(ids.map((id) => service.shares(id)))).flat()
        const messages = new Set(shares.map(({ ts }) => ts)).size
        const inThread = shares.filter((share) => share['thread_ts'] === threadTs).length
        return `${shares.length} files in ${messages} message, ${inThread} of them in the thread`
      },
    },
    {
      question: 'What does a completion do in a thread that does not exist?',
      known: 'unknown',
      ask: async (service) => {
        const { id, completed } = await service.post({ thread_ts: '1000000000.000001' })
        return withTimes(service, id, completed)
      },
    },
    {
      question: 'Which scope does `missing_scope` name in `needed`?',
      known: 'reported',
      what: 'Old ones that nobody can add (`chat:write:bot`, `files:write:user`), or four alternatives.',
      references: [
        thread('apache/superset', 15903),
        thread('onyx-dot-app/onyx', 13057),
        thread('openclaw/openclaw', 235),
      ],
      meanwhile: 'The error names the scope of the method instead.',
    },
    {
      question:
        'Does `users.conversations` need the scope of each of its `types`, and respond by pages?',
      known: 'reported',
      what: 'Pages are documented. The scopes are unknown.',
      references: [method('users.conversations')],
      meanwhile: 'Without `groups:read`, the action asks for public channels only, and says so.',
    },
    {
      question: 'Does GovSlack take `blocks` and `channels`?',
      known: 'unknown',
    },
  ],
  'How messages look': [
    {
      question: 'Is a comment of `blocks` accepted, and shown with its links? Is a CSV a table?',
      known: 'recorded',
      what: 'Accepted. A text file is a snippet with a preview, by a test that Slack switched off later.',
      references: [recording('files_upload_v2_with_blocks'), slackTests],
    },
    {
      question: 'What does the notification say for `blocks`, and what for `initial_comment`?',
      known: 'unknown',
      meanwhile: 'The action sends `blocks`, because `initial_comment` shows links literally.',
      ask: async (service) => {
        await service.post({ initial_comment: 'A question: initial_comment' })
        const { completed } = await service.post({ blocks: linked })
        return service.look('What do the notifications of the last two messages say?', completed)
      },
    },
    {
      question: 'Is `:tada:` in a `plain_text` block with `emoji: false` shown as text?',
      known: 'unknown',
      meanwhile: '`comment-format: plain` sends such a block.',
      ask: async (service) => {
        const { completed } = await service.post({ blocks: emoji })
        return service.look('Does the last message show :tada: as text?', completed)
      },
    },
    {
      question: 'Are 2 sections of 3,000 characters accepted with files, and are 20?',
      known: 'unknown',
      what: 'An image and a section are reported.',
      references: [thread('slackapi/node-slack-sdk', 2564)],
      meanwhile:
        'The action cuts a longer comment into up to 20. If they are refused, nothing is posted.',
      ask: async (service) => {
        const text = { type: 'mrkdwn', text: 'A question. '.repeat(250), verbatim: true }
        const answers = await Array.fromAsync([2, 20], async (count) => {
          const blocks = JSON.stringify(Array(count).fill({ type: 'section', text }))
          return `${count}: ${describe((await service.post({ blocks })).completed)}`
        })
        return answers.join(', ')
      },
    },
    {
      question: 'Does a text by `chat.postMessage` look like the comment of files?',
      known: 'unknown',
      meanwhile:
        '`if-no-files-found: comment` sends the same blocks, and a text for the notification.',
      ask: async (service) => {
        const { channel } = service.workspace
        const text = { channel, text: 'A question', blocks: linked }
        const posted = await service.call('chat.postMessage', text)
        const answer = await service.look('Does the last text look like the comments?', posted)
        await service.call('chat.delete', { channel, ts: String(posted['ts']) })
        return answer
      },
    },
  ],
}

export const questions: readonly Question[] = Object.values(sections).flat()

async function withTimes(service: Service, id: string, completed: JsonObject): Promise<string> {
  await wait(service.workspace.settleMilliseconds)
  const { length } = await service.shares(id, 0)
  return `${describe(completed)}; the file was then posted ${length} times`
}

/** Where the record of a file in a channel names it. */
async function placesIn(service: Service, channel = ''): Promise<string> {
  const { id, completed } = await service.post({ channel_id: channel })
  if (completed['ok'] !== true) return describe(completed)
  await service.shares(id, undefined, channel)
  const record = await service.record(id)
  const shares = isJsonObject(record['shares']) ? Object.entries(record['shares']) : []
  const shown = shares.filter(([, channels]) => isJsonObject(channels) && channel in channels)
  const lists = ['channels', 'groups', 'ims'].filter((name) =>
    [record[name]].flat().includes(channel),
  )
  return [...shown.map(([kind]) => `shares.${kind}`), ...lists].join(', ') || 'nowhere'
}
