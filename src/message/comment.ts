import type { FoundFile } from '../files/files.ts'
import { type Problem, ProblemError } from '../problem.ts'
import type { Comment } from '../service/service.ts'
import { formatCount, formatNumber, formatSize } from '../text/format.ts'
import type { RunSource } from './source.ts'

export interface CommentRequest {
  /** The input `comment`, as typed. */
  readonly template: string
  readonly files: readonly Pick<FoundFile, 'name' | 'size'>[]
  readonly source: RunSource
  /** `slack`: one block that Slack renders. `typed`: plain text, passed on as typed; what it means there is not known. */
  readonly target: 'slack' | 'typed'
  readonly format: 'mrkdwn' | 'plain'
  readonly allowBroadcast: boolean
}

export interface RenderedComment {
  /** Absent when nothing is to be said. */
  readonly comment?: Comment
  readonly warnings: readonly Problem[]
}

/** A text object of a block holds 1 to 3,000 characters: https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
const blockTextLimit = 3000

/**
 * Fills in the placeholders `{files}` and `{source}`; every other brace stays.
 *
 * On Slack, in mrkdwn, what the user typed is markup, and mentions of people and groups (`<@U…>`, `<!subteam^S…>`) work:
 * whoever writes the workflow chose them. Mentions of everybody are written out as text unless allowed, because text
 * that a workflow pastes into its comment can bring them along. File names and event text are never markup.
 *
 * Throws `ProblemError` for a comment that Slack would refuse for its length.
 */
export function renderComment(request: CommentRequest): RenderedComment {
  const { format, target, template } = request
  // A block of nothing but white space is refused, a text is not.
  if (target === 'typed' || template.trim() === '') {
    const text = fill(request, (typed) => typed, writtenOut)
    return text === '' ? { warnings: [] } : { comment: { kind: 'text', text }, warnings: [] }
  }

  const disarmed = new Set<string>()
  const text =
    format === 'plain'
      ? fill(request, (typed) => typed, writtenOut)
      : fill(request, (typed) => toMrkdwn(typed, request.allowBroadcast, disarmed), linked)
  if (text.length > blockTextLimit) throw new ProblemError(tooLong(text.length))

  const textObject =
    format === 'plain' ? { type: 'plain_text', text, emoji: false } : { type: 'mrkdwn', text, verbatim: true }
  return {
    comment: { kind: 'blocks', blocks: [{ type: 'section', text: textObject }] },
    warnings: disarmed.size === 0 ? [] : [broadcastWrittenOut(disarmed)],
  }
}

type Link = { readonly label: string; readonly url?: string }

function fill(
  { files, source, template }: CommentRequest,
  typed: (text: string) => string,
  event: (links: readonly Link[]) => string,
): string {
  return template
    .split(/(\{files\}|\{source\})/)
    .map((part) => {
      if (part === '{files}') return event([{ label: describeFiles(files) }])
      if (part === '{source}') return event(describeSource(source))
      return typed(part)
    })
    .join('')
}

function describeFiles(files: CommentRequest['files']): string {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  const [first] = files
  return first !== undefined && files.length === 1
    ? `${first.name}, ${size}`
    : `${formatCount(files.length, 'file')}, ${size}`
}

function describeSource({ origin, run }: RunSource): readonly Link[] {
  const runLink = (label: string): Link => ({ label, ...(run && { url: run.url }) })
  switch (origin.kind) {
    case 'release': {
      const { name, tag, url } = origin
      const version = tag.replace(/^v(?=\d)/i, '')
      const named = name === undefined ? tag : name.includes(version) ? name : `${name} (${tag})`
      const link = { label: /^release\b/i.test(named) ? named : `release ${named}`, ...(url && { url }) }
      return run === undefined ? [link] : [link, runLink(`run ${run.id}`)]
    }
    case 'pull-request':
      return [runLink(`pull request ${origin.number}`)]
    case 'schedule':
      return [runLink(origin.ref === undefined ? 'scheduled run' : `scheduled run of ${origin.ref}`)]
    case 'manual':
      return [runLink(origin.ref === undefined ? 'manual run' : `manual run of ${origin.ref}`)]
    case 'tag':
    case 'branch':
      return [runLink(`${origin.kind} ${origin.name}`)]
    case 'run':
      return [runLink(run === undefined ? 'a workflow run' : `run ${run.id}`)]
  }
}

function writtenOut(links: readonly Link[]): string {
  return links
    .map(({ label, url }) => (webUrl(url) === undefined ? onOneLine(label) : `${onOneLine(label)} (${webUrl(url)})`))
    .join(', ')
}

function linked(links: readonly Link[]): string {
  return links
    .map(({ label, url }) => {
      const text = withoutMarkup(onOneLine(label))
      const target = webUrl(url)
      // What a second `|` in a link means is not documented.
      return target === undefined ? text : `<${escapeText(target)}|${text.replaceAll('|', '∣')}>`
    })
    .join(', ')
}

/** Nothing but a web address may become a link, and nothing in it may end the link early. */
function webUrl(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).href.replaceAll('|', '%7C')
}

/** Line breaks, other control characters and those that turn the direction of the text around. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

function onOneLine(text: string): string {
  return text.replace(unprintable, ' ')
}

/**
 * Escaping takes the power from links and mentions, but mrkdwn has no escape for bold, italic, strike, code and emoji.
 * Where their marks could begin or end a span, or a colon the name of an emoji, a character that looks like them stands
 * instead. Not one without width: it would break the name for whoever copies it, and nobody would see why.
 */
function withoutMarkup(text: string): string {
  return escapeText(
    text
      .replace(/(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu, (mark) => lookAlikes[mark] ?? mark)
      .replace(/:(?=[^\s:]{1,100}:)/g, '∶')
      .replace(/^(\s*)>/, '$1›'),
  )
}

const lookAlikes: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼', '`': 'ˋ' }

/** `&` first, nothing else: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const mrkdwnToken =
  /(?<code>```[\s\S]*?```|`[^`\n]*`)|(?<sequence><(?:[@#!]|[a-z][a-z\d+.-]*:)[^<>\n]*>)|(?<url>\bhttps?:\/\/[^\s<>|`]+)|(?<entity>&(?:amp|lt|gt);)|[&<]/gi

/** `<!group>` is the older name of `<!channel>` in private channels. */
const broadcast = /^<!(?:channel|here|everyone|group)\b/i

/**
 * What the user typed stays markup. Bare URLs are wrapped, because `verbatim` keeps Slack from linking them; an `&` or
 * `<` that begins nothing is escaped, so that it arrives as typed.
 */
function toMrkdwn(typed: string, allowBroadcast: boolean, disarmed: Set<string>): string {
  return typed.replace(mrkdwnToken, (token, ...rest) => {
    const { code, entity, sequence, url }: Partial<Record<string, string>> = rest.at(-1)
    if (entity !== undefined) return entity
    if (code !== undefined)
      return code
        .replace(/&(?!(?:amp|lt|gt);)/g, '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
    if (url !== undefined) return wrapUrl(url)
    if (sequence === undefined) return escapeText(token)
    if (allowBroadcast || !broadcast.test(sequence)) return sequence
    disarmed.add(sequence)
    return escapeText(sequence)
  })
}

function wrapUrl(url: string): string {
  // The lookbehind keeps the time linear: a run of punctuation is tried from its first character only.
  const trailing = url.includes('(')
    ? /(?<![.,;:!?'"*_~\]}])[.,;:!?'"*_~\]}]+$/
    : /(?<![.,;:!?'"*_~\]})])[.,;:!?'"*_~\]})]+$/
  const target = url.replace(trailing, '')
  return `<${target.replace(/&(?!amp;)/g, '&amp;')}>${url.slice(target.length)}`
}

function tooLong(count: number): Problem {
  return {
    title: 'The comment is too long',
    text: `The comment has ${formatNumber(count)} characters with everything filled in and escaped; Slack takes 3,000.\nShorten the input "comment", or put the long text into a file and send that too.`,
  }
}

function broadcastWrittenOut(disarmed: ReadonlySet<string>): Problem {
  return {
    title: 'A mention of everybody is written out as text',
    text: `The comment holds ${[...disarmed].join(', ')}, which would notify everybody in the channel. It is sent as text.\nIf it is meant to notify them, set "allow-broadcast: true".`,
  }
}
