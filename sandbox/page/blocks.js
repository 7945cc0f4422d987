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
    default:
      return element('p', { class: 'note' }, `A block of the type ${type}, which this page does not show.`)
  }
}

/**
 * @param {Text} part
 * @param {Pick<Rules, 'nameOf'>} rules
 */
function textView({ alt_text, text, type, verbatim }, rules) {
  if (type === 'mrkdwn') return mrkdwn(text ?? '', { ...rules, labels: true, bareUrls: verbatim !== true })
  return document.createTextNode(text ?? alt_text ?? '')
}
