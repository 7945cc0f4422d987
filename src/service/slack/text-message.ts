import pMap from 'p-map'
import type { Json } from '../../json.ts'
import { conclude } from '../conclude.ts'
import type { Channel, Message, Posting, PostResult } from '../service.ts'
import { idIn, type WebApi, withApp } from './web-api.ts'

const callsAtOnce = 10

/**
 * Posts a comment without files, by one call for each channel: all channels are tried. A text cannot be looked up, so an
 * ambiguous response stays unknown, and is never repeated.
 *
 * https://docs.slack.dev/reference/methods/chat.postMessage, scope chat:write
 */
export async function postText(api: WebApi, message: Message): Promise<PostResult> {
  const { channels, comment, threadTs } = message
  const form = {
    text: comment?.text,
    blocks: comment?.blocks && JSON.stringify(comment.blocks),
    thread_ts: threadTs,
    unfurl_links: 'false',
    unfurl_media: 'false',
  }
  const post = async (channel: Channel) => {
    const sent = await api.call('chat.postMessage', { channel: channel.id, ...form }, { safeToRepeat: false })
    const result = await withApp(api, sent)
    return result.outcome === 'succeeded' ? { posting: postingOf(channel, result.json) } : { channel, failure: result }
  }
  const results = await pMap(channels, post, { concurrency: callsAtOnce })
  const failed = results.flatMap((result) => (result.failure === undefined ? [] : result))
  // Channels that fail in the same way share one problem.
  const byCause = Map.groupBy(failed, ({ failure }) => `${failure.outcome} ${failure.code}`)
  const concluded = [...byCause.values()].flatMap((group) => {
    const [first] = group
    const concerned = { ...message, channels: group.map(({ channel }) => channel) }
    return first ? conclude({ message: concerned, sent: first.failure }) : []
  })
  const postings = [
    ...results.flatMap(({ posting }) => posting ?? []),
    ...concluded.flatMap((result) => result.postings),
  ]
  return {
    files: [],
    postings: channels.flatMap(({ id }) => postings.find(({ channel }) => channel.id === id) ?? []),
    problems: concluded.flatMap(({ problems }) => problems),
  }
}

/** The response shows the message that it posted. */
function postingOf(channel: Channel, json: Json): Posting {
  const ts = idIn(json, 'ts')
  return { channel, state: ts === undefined ? 'accepted' : 'posted', ts }
}
