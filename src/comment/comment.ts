import type { RunSource } from '../context.ts'
import type { FoundFile } from '../files/files.ts'
import { type Problem, ProblemError } from '../problem.ts'
import { formatCount, formatSize } from '../text/format.ts'
import { code, list, text } from '../text/text.ts'
import { broadcastsIn, mrkdwnLink, oneLine, typedToMrkdwn, withoutMarkup } from './mrkdwn.ts'

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
 * On Slack, in mrkdwn, what the user typed is markup, and mentions of people and groups (`<@U…>`, `<!subteam^S…>`) work:
 * whoever writes the workflow chose them. Mentions of everybody become text unless allowed, because text that a workflow
 * inserts into its comment can contain them. File names and event text are never markup.
 *
 * @throws ProblemError if Slack would refuse the comment for its length
 */
export function renderComment(options: CommentOptions): RenderedComment {
  const { allowBroadcast, format, target, template } = options
  // Slack refuses a block of nothing but white space, but not such a text.
  if (target === 'typed' || template.trim() === '') {
    const typed = fill(options, plainParts)
    return typed === '' ? { problems: [] } : { comment: { kind: 'text', text: typed }, problems: [] }
  }

  const rendered = fill(options, format === 'plain' ? plainParts : mrkdwnParts(allowBroadcast))
  if (rendered.length > maxBlockTextLength) throw new ProblemError(tooLong(rendered.length))
  const textObject =
    format === 'plain'
      ? { type: 'plain_text', text: rendered, emoji: false }
      : { type: 'mrkdwn', text: rendered, verbatim: true }
  const broadcasts = format === 'plain' || allowBroadcast ? [] : broadcastsIn(template)
  return {
    comment: { kind: 'blocks', blocks: [{ type: 'section', text: textObject }] },
    problems: broadcasts.length === 0 ? [] : [broadcastsAsText(broadcasts)],
  }
}

interface Link {
  readonly label: string
  readonly url?: string
}

/** How the parts of a comment are written. */
interface Parts {
  /** What the user typed. */
  readonly typed: (part: string) => string
  /** What a placeholder stands for: text from outside. */
  readonly links: (links: readonly Link[]) => string
}

const plainParts: Parts = {
  typed: (part) => part,
  links: (links) =>
    links
      .map(({ label, url }) => (webUrl(url) === undefined ? oneLine(label) : `${oneLine(label)} (${webUrl(url)})`))
      .join(', '),
}

const mrkdwnParts = (allowBroadcast: boolean): Parts => ({
  typed: (part) => typedToMrkdwn(part, allowBroadcast),
  links: (links) =>
    links
      .map(({ label, url }) => {
        const target = webUrl(url)
        return target === undefined ? withoutMarkup(oneLine(label)) : mrkdwnLink(target, oneLine(label))
      })
      .join(', '),
})

function fill({ files, source, template }: CommentOptions, { links, typed }: Parts): string {
  return template
    .split(/(\{files\}|\{source\})/)
    .map((part) => {
      if (part === '{files}') return links([{ label: describeFiles(files) }])
      if (part === '{source}') return links(describeSource(source))
      return typed(part)
    })
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
  const attempt = run && run.attempt > 1 ? `attempt ${run.attempt}` : undefined
  const runLink = (...parts: readonly (string | undefined)[]): Link => ({
    label: [...parts, attempt].filter((part) => part).join(', '),
    ...(run && { url: run.url }),
  })
  const at = (ref: string) => (repository === '' ? ref : `${repository}@${ref}`)
  switch (origin.kind) {
    case 'release': {
      const { name, tag, url } = origin
      const version = tag.replace(/^v(?=\d)/i, '')
      const title = name === undefined ? tag : name.includes(version) ? name : `${name} (${tag})`
      const link = { label: [repository, title].filter(Boolean).join(' '), ...(url && { url }) }
      return run === undefined ? [link] : [link, { label: attempt ?? 'run', url: run.url }]
    }
    case 'pull-request':
      return [runLink(`${repository}#${origin.number}`)]
    case 'schedule':
      return [runLink(origin.ref === undefined ? repository : at(origin.ref), 'scheduled')]
    case 'manual':
      return [runLink(origin.ref === undefined ? repository : at(origin.ref), 'manual')]
    case 'tag':
    case 'branch':
      return [runLink(at(origin.name))]
    case 'run':
      return [runLink(repository, run === undefined ? 'a workflow run' : `run ${run.id}`)]
  }
}

/** Only a web address becomes a link, and nothing in it ends the link early. */
function webUrl(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).href.replaceAll('|', '%7C')
}

function tooLong(length: number): Problem {
  return {
    title: 'The comment is too long',
    text: text`The comment has ${length} characters after everything is filled in and escaped. Slack accepts ${maxBlockTextLength}.\nShorten the input ${code('comment')}, or put the long text into a file and send that too.`,
  }
}

function broadcastsAsText(broadcasts: readonly string[]): Problem {
  return {
    level: 'warning',
    title: 'A mention of everybody is sent as text',
    text: text`The comment contains ${list(broadcasts)}, which would notify everybody in the channel. It is sent as text.\nTo notify everybody, set ${code('allow-broadcast: true')}.`,
  }
}
