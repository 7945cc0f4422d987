/** Layout blocks of a message: https://docs.slack.dev/reference/block-kit/blocks */
/** @import { Json } from '../json.ts' */
/** @import { Rules } from './mrkdwn.js' */
import { element } from './dom.js'
import { emojiOf, mrkdwn } from './mrkdwn.js'

/**
 * @typedef {{ type: string, text?: { type: string, text: string, verbatim?: boolean, emoji?:
 * boolean } }} Block
 */

/** @param {Json} json @param {Pick<Rules, 'nameOf'>} rules @returns {Node} */
export function blockView(json, rules) {
  const { text, type } = /** @type {Block} */ (json)
  if (type !== 'section' || text === undefined)
    return element('p', { class: 'note' }, `A block of type ${type}.`)
  if (text.type === 'plain_text') return plainText(text)
  return mrkdwn(text.text, { ...rules, labels: true, bareUrls: text.verbatim !== true })
}

/**
 * Names of emoji are shown as such, unless `emoji` is false.
 * @param {{ text: string, emoji?: boolean }} plain
 */
function plainText({ emoji = true, text }) {
  const parts = emoji
    ? text.split(/(:[a-z\d_+-]+:)/).map((part, index) => (index % 2 === 1 ? emojiOf(part) : part))
    : [text]
  const fragment = document.createDocumentFragment()
  fragment.append(...parts)
  return fragment
}
