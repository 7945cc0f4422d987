/** Layout blocks of a message: https://docs.slack.dev/reference/block-kit/blocks */
import type { Json } from '../json.ts'
import { type Content, html } from './html.ts'
import { emojiOf, mrkdwn, type Rules } from './mrkdwn.ts'

interface Block {
  readonly type: string
  readonly text?: {
    readonly type: string
    readonly text: string
    readonly verbatim?: boolean
    readonly emoji?: boolean
  }
}

export function blockView(json: Json, rules: Pick<Rules, 'nameOf'>): Content {
  const { text, type } = json as unknown as Block
  if (type !== 'section' || text === undefined)
    return html`<p class="note">A block of type ${type}.</p>`
  if (text.type !== 'plain_text')
    return mrkdwn(text.text, { ...rules, labels: true, bareUrls: text.verbatim !== true })
  // Names of emoji are shown as such, unless `emoji` is false.
  if (text.emoji === false) return text.text
  const parts = text.text.split(/(:[a-z\d_+-]+:)/)
  return parts.map((part, index) => (index % 2 === 1 ? emojiOf(part) : part))
}
