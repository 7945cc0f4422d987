// Text of messages as the service shows it:
// https://docs.slack.dev/messaging/formatting-message-text
import { type Content, html } from './html.ts'

export interface Rules {
  readonly nameOf: (sign: '@' | '#', id: string) => string | undefined
  /** `<url|label>` is a link; in an `initial_comment` it stays as it is. */
  readonly labels: boolean
  /** A URL becomes a link by itself. */
  readonly bareUrls: boolean
}

export function mrkdwn(text: string, rules: Rules): Content {
  const parts = text.replaceAll('\r\n', '\n').split(/```\n?([\s\S]+?)\n?```\n?/)
  return parts.map((part, index) =>
    index % 2 === 1 ? html`<pre><code>${unescaped(part)}</code></pre>` : lines(part, rules),
  )
}

function lines(text: string, rules: Rules): Content {
  return text.split(/((?:^(?:>|&gt;).*(?:\n|$))+)/m).map((part, index) => {
    if (index % 2 === 0) return inline(part, rules)
    const quoted = part.replace(/^(?:>|&gt;) ?/gm, '').replace(/\n$/, '')
    return html`<blockquote>${inline(quoted, rules)}</blockquote>`
  })
}

const spans: Readonly<Record<string, (inner: Content) => Content>> = {
  '*': (inner) => html`<strong>${inner}</strong>`,
  _: (inner) => html`<em>${inner}</em>`,
  '~': (inner) => html`<s>${inner}</s>`,
}

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

function inline(text: string, rules: Rules): Content {
  const nodes: Content[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const groups = match.groups ?? {}
    nodes.push(unescaped(text.slice(end, match.index)))
    end = match.index + match[0].length
    const mark = groups['mark0'] ?? groups['mark1'] ?? groups['mark2']
    if (groups['sequence'] !== undefined) nodes.push(sequence(groups['sequence'], rules))
    else if (groups['emoji'] !== undefined) nodes.push(emojiOf(match[0]))
    else if (groups['code'] !== undefined)
      nodes.push(html`<code>${unescaped(groups['code'])}</code>`)
    else if (mark !== undefined) {
      const inner = groups['span0'] ?? groups['span1'] ?? groups['span2'] ?? ''
      nodes.push(spans[mark]?.(inline(inner, rules)))
    } else nodes.push(rules.bareUrls ? link(match[0], undefined) : unescaped(match[0]))
  }
  nodes.push(unescaped(text.slice(end)))
  return nodes
}

/** Of the names that Slack knows, a few; others stay as typed. */
const emoji: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  x: '❌',
  warning: '⚠️',
  rocket: '🚀',
  tada: '🎉',
}

/** @param typed such as `:tada:` */
export function emojiOf(typed: string): Content {
  const character = emoji[typed.slice(1, -1)]
  if (character === undefined) return typed
  return html`<span role="img" aria-label="${typed.slice(1, -1)}" title="${typed}">${character}</span>`
}

/** The text between `<` and `>`. */
function sequence(content: string, rules: Rules): Content {
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

const mention = (text: string) => html`<span class="mention">${unescaped(text)}</span>`

/** Anything but a web or mail address stays as it is. */
function link(target: string, label: string | undefined): Content {
  const url = URL.parse(unescaped(target))
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol))
    return unescaped(`<${label === undefined ? target : `${target}|${label}`}>`)
  return html`<a href="${url.href}" target="_blank" rel="noreferrer">${unescaped(label ?? target)}</a>`
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

const unescaped = (text: string) =>
  text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity)
