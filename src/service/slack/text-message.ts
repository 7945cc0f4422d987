import pMap from 'p-map'
import { conclude } from '../conclude.ts'
import type { Channel, Message, PostResult } from '../service.ts'
import type { WebApi } from '../web-api.ts'

const callsAtOnce = 10

/**
 * One call for each channel. No lookup sees a comment, so no ambiguous call is repeated.
 *
 * https://docs.slack.dev/reference/methods/chat.postMessage, scope chat:write
 */
export async function postText(api: WebApi, message: Message): Promise<PostResult> {
  const { channels, comment, threadTs } = message
  const form = {
    text: comment?.text,
    blocks: comment?.blocks,
    thread_ts: threadTs,
    unfurl_links: 'false',
    unfurl_media: 'false',
  }
  const post = async (channel: Channel) => {
    const sent = await api.call(
      'chat.postMessage',
      { channel: channel.id, ...form },
      { safeToRepeat: false },
    )
    return { channel, sent: await api.withApp(sent) }
  }
  const results = await pMap(channels, post, { concurrency: callsAtOnce })
  // Channels that fail in the same way share one problem. Each success has a ts of its own.
  const groups = Map.groupBy(results, ({ channel, sent }) =>
    sent.outcome === 'succeeded' ? channel.id : `${sent.outcome} ${sent.code}`,
  )
  const concluded = [...groups.values()].flatMap((group) => {
    const [first] = group
    const concerned = { ...message, channels: group.map(({ channel }) => channel) }
    return first ? conclude({ message: concerned, sent: first.sent }) : []
  })
  const postings = concluded.flatMap((result) => result.postings)
  return {
    files: [],
    postings: channels.flatMap(({ id }) => postings.find(({ channel }) => channel.id === id) ?? []),
    problems: concluded.flatMap(({ problems }) => problems),
  }
}
