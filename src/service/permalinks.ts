import type { Posting } from './service.ts'
import { linkIn, type WebApi } from './web-api.ts'

/** Milliseconds that a link to a message is worth waiting for. */
const maxPermalinkWait = 5_000

/**
 * Links to messages. The service is asked for the first link of each channel; the others are made after its pattern.
 * https://docs.slack.dev/reference/methods/chat.getPermalink
 */
export class Permalinks {
  readonly #api: WebApi
  readonly #patterns = new Map<string, Promise<{ readonly ts: string; readonly link: string } | undefined>>()

  constructor(api: WebApi) {
    this.#api = api
  }

  /** The posting with the link to its message, if it has a ts and the service gives a link. */
  async addTo(posting: Posting): Promise<Posting> {
    const { channel, ts } = posting
    if (ts === undefined) return posting
    const pattern = await (this.#patterns.get(channel.id) ?? this.#request(channel.id, ts))
    if (pattern === undefined) return posting
    return { ...posting, permalink: pattern.link.replace(`/p${digits(pattern.ts)}`, `/p${digits(ts)}`) }
  }

  #request(channel: string, ts: string): Promise<{ readonly ts: string; readonly link: string } | undefined> {
    const form = { channel, message_ts: ts }
    const options = { safeToRepeat: true, maxAttempts: 2, maxWait: maxPermalinkWait }
    const pattern = this.#api.call('chat.getPermalink', form, options).then((result) => {
      const link = result.outcome === 'succeeded' ? linkIn(result.json, 'permalink') : undefined
      return link?.includes(`/p${digits(ts)}`) ? { ts, link } : undefined
    })
    this.#patterns.set(channel, pattern)
    return pattern
  }
}

function digits(ts: string): string {
  return ts.replace('.', '')
}
