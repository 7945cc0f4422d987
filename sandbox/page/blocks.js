/** Layout blocks of a message: https://docs.slack.dev/reference/block-kit/blocks */
/** @import { Json } from '../json.ts' */
/** @import { Rules } from './mrkdwn.js' */
import { element } from './dom.js'
import { mrkdwn } from './mrkdwn.js'

/**
 * @typedef {{ type: string, text?: string, alt_text?: string, verbatim?: boolean }} Text
 * @typedef {{ type: string, text?: Text, fields?: readonly Text[], elements?: readonly Text[] }} Block
 */

/**
 * @param {Json} json
 * @param {Pick<Rules, 'nameOf'>} rules
 * @returns {Node}
 */
export function blockView(json, rules) {
  const { elements = [], fields = [], text, type } = /** @type {Block} */ (json)
  const each = (/** @type {readonly Text[]} */ texts) => texts.map((part) => element('div', {}, textView(part, rules)))
  switch (type) {
    case 'divider':
      return element('hr')
    case 'header':
      return element('p', { class: 'headline' }, ...(text ? [textView(text, rules)] : []))
    case 'context':
      return element('div', { class: 'context' }, ...each(elements))
    case 'section': {
      const view = new DocumentFragment()
      if (text) view.append(textView(text, rules))
      if (fields.length > 0) view.append(element('div', { class: 'fields' }, ...each(fields)))
      return view
    }
    default: {
      const rest = plainText(json)
      if (rest !== '') return element('p', {}, rest)
      return element('p', { class: 'note' }, `A block of the type ${type}, which this page does not show.`)
    }
  }
}

/** What is between the parts of a block; nothing in others. @type {Readonly<Record<string, string>>} */
const separators = { actions: ' ', rich_text: '\n', rich_text_list: '\n' }

/**
 * The text of a block whose format is not shown, such as rich text: its parts without their styles. An image is its
 * alternative text, since the page loads nothing from elsewhere.
 *
 * @param {Json | undefined} json
 * @returns {string}
 */
function plainText(json) {
  if (json === null || typeof json !== 'object') return ''
  const { alt_text, channel_id, elements, name, text, type, url, user_id } =
    /** @type {Readonly<Record<string, Json>>} */ (json)
  if (Array.isArray(elements)) return elements.map(plainText).join(separators[String(type)] ?? '')
  const own = typeof text === 'string' ? text : plainText(text)
  if (own !== '') return own
  if (type === 'emoji') return `:${name}:`
  return String(alt_text ?? user_id ?? channel_id ?? url ?? '')
}

/**
 * @param {Text} part
 * @param {Pick<Rules, 'nameOf'>} rules
 */
function textView({ alt_text, text, type, verbatim }, rules) {
  if (type === 'mrkdwn') return mrkdwn(text ?? '', { ...rules, labels: true, bareUrls: verbatim !== true })
  return document.createTextNode(text ?? alt_text ?? '')
}
