import type { RunSource } from '../context.ts'
import type { FoundFile } from '../files/files.ts'
import { type Problem, ProblemError, warning } from '../problem.ts'
import { formatCount, formatSize } from '../text/format.ts'
import { code, list, text } from '../text/text.ts'
import { noticeOfForeignMarkup } from './foreign-markup.ts'
import { broadcastsIn, labelledLink, oneLine, typedToMrkdwn, withoutMarkup } from './mrkdwn.ts'
import { withoutBroadcasts, withoutMentions } from './unknown-markup.ts'

/** The comment of a message: plain text as typed, or blocks that Slack renders. */
export type Comment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'blocks'; readonly blocks: readonly object[] }

export interface CommentOptions {
  /** The input `comment`, as typed. */
  readonly template: string
  readonly files: readonly Pick<FoundFile, 'name' | 'size'>[]
  readonly source: RunSource
  /** `slack`: one block that Slack renders. `typed`: plain text, passed on as typed; its meaning there is unknown. */
  readonly target: 'slack' | 'typed'
  readonly format: 'mrkdwn' | 'plain'
  readonly allowBroadcast: boolean
}

export interface RenderedComment {
  /** Absent if there is nothing to say. */
  readonly comment?: Comment
  readonly problems: readonly Problem[]
}

export const commentPlaceholders = ['files', 'source']

/** A text object of a block has 1 to 3,000 characters: https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
const maxBlockTextLength = 3000

/**
 * Fills in the placeholders `{files}` and `{source}`; every other brace stays.
 *
 * What the user typed is markup, and mentions of people and groups (`<@U…>`, `<!subteam^S…>`) work: whoever writes the workflow
 * chose them. Mentions of everybody become text unless allowed, because text that a workflow inserts into its comment can
 * contain them. File names and event text are never markup.
 *
 * @throws ProblemError if Slack would refuse the comment for its length
 */
export function renderComment(options: CommentOptions): RenderedComment {
  if (options.template === '') return { problems: [] }
  // Slack refuses a block of nothing but white space, but not such a text.
  if (options.target === 'typed' || options.template.trim() === '') return renderText(options)
  return options.format === 'plain' ? renderPlain(options) : renderMrkdwn(options)
}

/** Which message of a delivery it is, counted from 1. */
export interface Part {
  readonly number: number
  readonly count: number
  /** Link to the first message, if it is known. */
  readonly firstMessage?: string | undefined
}

/** A line that says what a later message belongs to, if there is a comment to which it could belong. */
export function renderContinuation(
  options: CommentOptions,
  { count, firstMessage, number }: Part,
): Comment | undefined {
  if (options.target === 'typed' || options.template.trim() === '') return undefined
  const renderLink = options.format === 'plain' ? plainLink : mrkdwnLink
  // Who leaves the source out of the comment does not want it in the channel.
  const hasSource = options.template.includes('{source}')
  const source = hasSource ? [fill({ ...options, template: '{source}' }, (typed) => typed, renderLink)] : []
  const first = firstMessage ? [renderLink({ label: 'first message', url: firstMessage })] : []
  const text = [...source, `${number} of ${count}`, ...first].join(', ')
  return sectionOf(text, options.format)
}

/** The server decides what is markup. */
function renderText(options: CommentOptions): RenderedComment {
  const renderLink = ({ label, url }: Link, before: string) => plainLink({ label: withoutMentions(label, before), url })
  const filled = fill(options, (typed) => typed, renderLink)
  const { broadcasts, text } = options.allowBroadcast ? { broadcasts: [], text: filled } : withoutBroadcasts(filled)
  return { comment: { kind: 'text', text }, problems: broadcastsAsText(broadcasts) }
}

function renderPlain(options: CommentOptions): RenderedComment {
  const text = fill(options, (typed) => typed, plainLink)
  return { comment: sectionOf(text, 'plain'), problems: [] }
}

function renderMrkdwn(options: CommentOptions): RenderedComment {
  const { allowBroadcast, template } = options
  const text = fill(options, (typed) => typedToMrkdwn(typed, allowBroadcast), mrkdwnLink)
  const broadcasts = allowBroadcast ? [] : broadcastsIn(template)
  return {
    comment: sectionOf(text, 'mrkdwn'),
    problems: [...broadcastsAsText(broadcasts), ...noticeOfForeignMarkup(template, allowBroadcast)],
  }
}

function sectionOf(text: string, format: CommentOptions['format']): Comment {
  if (text.length > maxBlockTextLength) throw new ProblemError(tooLong(text.length))
  const content =
    format === 'plain' ? { type: 'plain_text', text, emoji: false } : { type: 'mrkdwn', text, verbatim: true }
  return { kind: 'blocks', blocks: [{ type: 'section', text: content }] }
}

/** Text from outside, and where it leads. */
interface Link {
  readonly label: string
  readonly url?: string | undefined
}

function plainLink({ label, url }: Link): string {
  const target = webUrl(url)
  return target === undefined ? oneLine(label) : `${oneLine(label)} (${target})`
}

function mrkdwnLink({ label, url }: Link): string {
  const target = webUrl(url)
  return target === undefined ? withoutMarkup(oneLine(label)) : labelledLink(target, oneLine(label))
}

function fill(
  { files, source, template }: CommentOptions,
  renderTyped: (typed: string) => string,
  renderLink: (link: Link, before: string) => string,
): string {
  const parts = template.split(/(\{files\}|\{source\})/)
  const linksFor = (part: string) => (part === '{files}' ? [{ label: describeFiles(files) }] : describeSource(source))
  return parts
    .map((part, index) =>
      // Every second part is a placeholder.
      index % 2 === 0
        ? renderTyped(part)
        : linksFor(part)
            .map((link) => renderLink(link, parts[index - 1] ?? ''))
            .join(', '),
    )
    .join('')
}

function describeFiles(files: CommentOptions['files']): string {
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  const [first] = files
  return first !== undefined && files.length === 1
    ? `${first.name}, ${size}`
    : `${formatCount(files.length, 'file')}, ${size}`
}

/**
 * The repository comes first: many can post to one channel. What follows is GitHub's own short form, because a phone shows
 * about 45 characters per line: with the default comment, `octo-org/octo-repo@main` fits, and a whole sentence does not.
 */
function describeSource({ origin, repository = '', run }: RunSource): readonly Link[] {
  const attempt = run && run.attempt > 1 ? `attempt ${run.attempt}` : ''
  const runLink = (...parts: readonly string[]): readonly Link[] => [
    { label: [...parts, attempt].filter(Boolean).join(', '), url: run?.url },
  ]
  const at = (ref = '') => (ref === '' || repository === '' ? repository + ref : `${repository}@${ref}`)
  switch (origin.kind) {
    case 'release': {
      const release = { label: [repository, releaseTitle(origin)].filter(Boolean).join(' '), url: origin.url }
      return run === undefined ? [release] : [release, { label: attempt || 'run', url: run.url }]
    }
    case 'pull-request':
      return runLink(`${repository}#${origin.number}`)
    case 'schedule':
      return runLink(at(origin.ref), 'scheduled')
    case 'manual':
      return runLink(at(origin.ref), 'manual')
    case 'tag':
    case 'branch':
      return runLink(at(origin.name))
    case 'run':
      return runLink(repository, run === undefined ? 'a workflow run' : `run ${run.id}`)
  }
}

/** The name of the release, with its tag if the name does not contain it as a whole version: `v1.20` does not contain `v1.2`. */
function releaseTitle({ name, tag }: { readonly name?: string | undefined; readonly tag: string }): string {
  if (name === undefined) return tag
  const parts = name.split(tag.replace(/^v(?=\d)/i, ''))
  const hasTag = parts.slice(1).some((after, index) => {
    const before = parts[index]?.replace(/v$/i, '') ?? ''
    return !/[\p{L}\p{N}.]$/u.test(before) && !/^[.+-]?[\p{L}\p{N}]/u.test(after)
  })
  return hasTag ? name : `${name} (${tag})`
}

/** Only a web address becomes a link, and nothing in it ends the link early, mentions anybody or makes it the link of a text. */
function webUrl(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).href
    .replaceAll('|', '%7C')
    .replace(/(?<=\/)@/g, '%40')
    .replace(/\](?=[([])/g, '%5D')
}

function tooLong(length: number): Problem {
  return {
    title: 'The comment is too long',
    text: text`The comment has ${length} characters after everything is filled in and escaped. Slack accepts ${maxBlockTextLength}.\nShorten the input ${code('comment')}, or put the long text into a file and send that too.`,
  }
}

function broadcastsAsText(broadcasts: readonly string[]): readonly Problem[] {
  if (broadcasts.length === 0) return []
  const explanation = text`The comment contains ${list(broadcasts)}, which would notify everybody in the channel. It is sent as text.\nTo notify everybody, set ${code('allow-broadcast: true')}.`
  return [warning('A mention of everybody is sent as text', explanation)]
}
