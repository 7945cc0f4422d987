// Text of messages as the service shows it:
// https://docs.slack.dev/messaging/formatting-message-text
import { element } from './dom.js'

/**
 * @typedef {object} Rules
 * @property {(sign: '@' | '#', id: string) => string | undefined} nameOf
 * @property {boolean} labels Whether `<url|label>` is a link; in an `initial_comment` it stays as
 *   it is.
 * @property {boolean} bareUrls Whether a URL becomes a link by itself.
 */

/** @param {string} text @param {Rules} rules @returns {DocumentFragment} */
export function mrkdwn(text, rules) {
  const fragment = document.createDocumentFragment()
  const parts = text.replaceAll('\r\n', '\n').split(/```\n?([\s\S]+?)\n?```\n?/)
  parts.forEach((part, index) => {
    if (index % 2 === 1) fragment.append(element('pre', {}, element('code', {}, unescaped(part))))
    else if (part !== '') fragment.append(...lines(part, rules))
  })
  return fragment
}

/** @param {string} text @param {Rules} rules */
function lines(text, rules) {
  return text.split(/((?:^(?:>|&gt;).*(?:\n|$))+)/m).flatMap((part, index) => {
    if (index % 2 === 0) return inline(part, rules)
    const quoted = part.replace(/^(?:>|&gt;) ?/gm, '').replace(/\n$/, '')
    return [element('blockquote', {}, ...inline(quoted, rules))]
  })
}

const spans = /** @type {const} */ ({ '*': 'strong', _: 'em', '~': 's' })

/** A mark begins a span after, and ends it before, what is no letter or digit. */
const token = new RegExp(
  [
    '<(?<sequence>[^<>\\n]+)>',
    '(?<url>https?://[^\\s<>|]*[^\\s<>|.,;:!?\'")\\]])',
    ':(?<emoji>[a-z\\d_+-]+):',
    '(?<![\\p{L}\\p{N}])`(?<code>[^`\\n]+)`(?![\\p{L}\\p{N}])',
    ...['\\*', '_', '~'].map(
      (mark, index) =>
        `(?<![\\p{L}\\p{N}])(?<mark${index}>${mark})(?!\\s)` +
        `(?<span${index}>(?:<[^<>\\n]+>|<(?![^<>\\n]+>)|[^<${mark}\\n])+?)(?<!\\s)${mark}(?![\\p{L}\\p{N}])`,
    ),
  ].join('|'),
  'gu',
)

/** @param {string} text @param {Rules} rules @returns {(Node | string)[]} */
function inline(text, rules) {
  /** @type {(Node | string)[]} */
  const nodes = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const groups = match.groups ?? {}
    nodes.push(unescaped(text.slice(end, match.index)))
    end = match.index + match[0].length
    const mark = groups['mark0'] ?? groups['mark1'] ?? groups['mark2']
    if (groups['sequence'] !== undefined) nodes.push(sequence(groups['sequence'], rules))
    else if (groups['emoji'] !== undefined) nodes.push(emojiOf(match[0]))
    else if (groups['code'] !== undefined)
      nodes.push(element('code', {}, unescaped(groups['code'])))
    else if (mark === '*' || mark === '_' || mark === '~') {
      const inner = groups['span0'] ?? groups['span1'] ?? groups['span2'] ?? ''
      nodes.push(element(spans[mark], {}, ...inline(inner, rules)))
    } else nodes.push(rules.bareUrls ? link(match[0], undefined) : unescaped(match[0]))
  }
  nodes.push(unescaped(text.slice(end)))
  return nodes.filter((node) => node !== '')
}

/** Of the names that Slack knows, a few; others stay as typed. @type {Record<string, string>} */
const emoji = { white_check_mark: '✅', x: '❌', warning: '⚠️', rocket: '🚀', tada: '🎉' }

/** @param {string} typed Such as `:tada:`. */
export function emojiOf(typed) {
  const character = emoji[typed.slice(1, -1)]
  if (character === undefined) return typed
  return element('span', { role: 'img', 'aria-label': typed.slice(1, -1), title: typed }, character)
}

/** The text between `<` and `>`. @param {string} content @param {Rules} rules */
function sequence(content, rules) {
  const [target = '', label] = content.split(/\|(.*)/s)
  const id = target.slice(1)
  switch (target[0]) {
    case '@':
      return mention(`@${rules.nameOf('@', id) ?? label ?? id}`)
    case '#':
      return mention(`#${rules.nameOf('#', id) ?? label ?? id}`)
    case '!':
      if (/^(?:channel|here|everyone)$/.test(id)) return mention(`@${id}`)
      if (label === undefined && !/^subteam\^\w+$/.test(id)) return unescaped(`<${content}>`)
      return mention(label ?? id.replace('subteam^', '@'))
  }
  return label !== undefined && !rules.labels ? unescaped(`<${content}>`) : link(target, label)
}

/** @param {string} text */
const mention = (text) => element('span', { class: 'mention' }, unescaped(text))

/**
 * Anything but a web or mail address stays as it is.
 * @param {string} target
 * @param {string | undefined} label
 */
function link(target, label) {
  const url = URL.parse(unescaped(target))
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol))
    return unescaped(`<${label === undefined ? target : `${target}|${label}`}>`)
  return element(
    'a',
    { href: url.href, target: '_blank', rel: 'noreferrer' },
    unescaped(label ?? target),
  )
}

/** @type {Readonly<Record<string, string>>} */
const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** @param {string} text */
const unescaped = (text) => text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
