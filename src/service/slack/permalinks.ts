import { linkIn } from '../record.ts'
import type { Posting } from '../service.ts'
import type { WebApi } from '../web-api.ts'

/** Milliseconds. A link is not worth a longer wait. */
const maxPermalinkTime = 5_000

/**
 * Adds a link to a posting with a ts. The service is asked once per channel, and its link is the
 * pattern for the others.
 * https://docs.slack.dev/reference/methods/chat.getPermalink
 */
export function permalinksOf(api: WebApi): (posting: Posting) => Promise<Posting> {
  const request = async (channel: string, ts: string) => {
    const options = { safeToRepeat: true, maxFailures: 2, maxTime: maxPermalinkTime }
    const result = await api.call('chat.getPermalink', { channel, message_ts: ts }, options)
    const link =
      result.outcome === 'succeeded' ? linkIn(result.json, 'permalink', result.origin) : undefined
    return (other: string) =>
      link?.includes(pathOf(ts)) ? link.replace(pathOf(ts), pathOf(other)) : undefined
  }
  const linksTo = new Map<string, ReturnType<typeof request>>()
  return async (posting) => {
    const { channel, ts } = posting
    if (ts === undefined) return posting
    const linkTo = linksTo.get(channel.id) ?? request(channel.id, ts)
    linksTo.set(channel.id, linkTo)
    return { ...posting, permalink: (await linkTo)(ts) }
  }
}

/** The message in a link. */
function pathOf(ts: string): string {
  return `/p${ts.replace('.', '')}`
}
