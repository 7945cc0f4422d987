import type { FoundFile } from '../files/files.ts'
import { fatal, type Problem, warning } from '../problem.ts'
import { formatCount, formatSize } from '../text/format.ts'
import { replaceControls } from '../text/sanitize.ts'
import { list, text } from '../text/text.ts'
import { blockTexts, maxBlockLength } from './blocks.ts'
import { broadcastsIn, escapeText, linkLabel, typedToMrkdwn, withoutMarkup } from './mrkdwn.ts'
import { mentionNotices } from './notices.ts'
import type { Link } from './source.ts'

export interface Comment {
  /** With blocks, the first as mrkdwn, which a notification shows if there are no files. */
  readonly text: string
  /** A list of sections, in JSON. */
  readonly blocks?: string
}

export interface CommentOptions {
  readonly template: string
  readonly files: readonly Pick<FoundFile, 'name' | 'size'>[]
  readonly source: readonly Link[]
  readonly subject: Link
  /** `typed` is for servers whose markup is unknown. The others are blocks of Slack. */
  readonly format: 'mrkdwn' | 'plain' | 'typed'
  readonly allowBroadcast: boolean
}

export const commentPlaceholders = ['files', 'source', 'subject']

/** Slack takes 50: https://docs.slack.dev/reference/block-kit/blocks */
const maxBlocks = 20

/**
 * Fills in the placeholders. Typed text is markup; file names and event text are not.
 *
 * @throws ProblemError if the comment is too long for Slack
 */
export function renderComment(options: CommentOptions): Comment | undefined {
  const { format, template } = options
  return template === '' ? undefined : commentOf(renderers[format](options), format)
}

const renderers: Readonly<Record<CommentOptions['format'], (options: CommentOptions) => string>> = {
  mrkdwn(options) {
    const asMarkup = (typed: string) => typedToMrkdwn(typed, options.allowBroadcast)
    const parts = options.template.split(filledLink).map((part) => {
      const partly = { ...options, template: part }
      return filledLink.test(part)
        ? fillPlaceholders(partly, ({ label }) => linkLabel(label))
        : fillPlaceholders(partly, mrkdwnLink, asMarkup)
    })
    return parts.join('')
  },
  plain: (options) => fillPlaceholders(options, plainLink),
  typed(options) {
    const template = options.template.replace(completable, `$&${zeroWidthSpace}`)
    const content = fillPlaceholders({ ...options, template }, (link) =>
      plainLink(withoutMentions(link)),
    )
    if (options.allowBroadcast) return content
    return content.replace(
      typedBroadcast,
      (mention) => mention[0] + zeroWidthSpace + mention.slice(1),
    )
  },
}

/** In `<https://example.com|{files}>`, no placeholder may make another link. */
const filledLink = /(<https?:\/\/[^<>|\n]*\|[^<>{\n]*\{(?:files|source|subject)\}[^<>\n]*>)/i

function commentOf(content: string, format: CommentOptions['format']): Comment {
  if (format === 'typed') return { text: content }
  const isPlain = format === 'plain'
  const texts = blockTexts(content, isPlain)
  const [first = ''] = texts
  if (texts.length > maxBlocks || texts.some((part) => part.length > maxBlockLength)) {
    const explanation = text`Filled in, escaped and cut between lines and links, the comment of ${content.length} characters does not fit into ${maxBlocks} blocks of ${maxBlockLength}.\nShorten \`comment\`, or send the long text as a file.`
    throw fatal('The comment is too long', explanation, 'inputs')
  }
  const blocks = texts.map((part) => ({
    type: 'section',
    text: isPlain
      ? { type: 'plain_text', text: part, emoji: false }
      : { type: 'mrkdwn', text: part, verbatim: true },
  }))
  return { blocks: JSON.stringify(blocks), text: isPlain ? escapeText(first) : first }
}

function plainLink({ label, url }: Link): string {
  const target = webUrl(url)
  const onOneLine = replaceControls(label, ' ')
  return target === undefined ? onOneLine : `${onOneLine} (${target})`
}

function mrkdwnLink({ label, url }: Link): string {
  const target = webUrl(url)
  return target === undefined ? withoutMarkup(label) : `<${escapeText(target)}|${linkLabel(label)}>`
}

function fillPlaceholders(
  { files, source, subject, template }: CommentOptions,
  renderLink: (link: Link) => string,
  renderTyped = (typed: string) => typed,
): string {
  const linksOf = new Map([
    ['{files}', [{ label: describeFiles(files) }]],
    ['{source}', source],
    ['{subject}', [subject]],
  ])
  const rendered = template
    .split(/(\{(?:files|source|subject)\})/)
    .map((part) => linksOf.get(part)?.map(renderLink).join(', ') ?? renderTyped(part))
  return rendered.join('')
}

function describeFiles(files: CommentOptions['files']): string {
  const [first] = files
  if (first === undefined) return 'no files'
  const size = formatSize(files.reduce((sum, file) => sum + file.size, 0))
  return `${files.length === 1 ? first.name : formatCount(files.length, 'file')}, ${size}`
}

/** Cannot end its link early, mention anybody or mask a link. */
function webUrl(url = ''): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined
  return URL.parse(url)
    ?.href.replaceAll('|', '%7C')
    .replace(/(?<=\/)@/g, '%40')
    .replace(/\](?=[([])/g, '%5D')
}

export function commentProblems({
  allowBroadcast,
  format,
  template,
}: CommentOptions): readonly Problem[] {
  const notices = format === 'mrkdwn' ? mentionNotices(template) : []
  const broadcasts =
    format === 'mrkdwn' ? broadcastsIn(template) : (template.match(typedBroadcast) ?? [])
  if (allowBroadcast || format === 'plain' || broadcasts.length === 0) return notices
  const explanation = text`The comment contains ${list([...new Set(broadcasts)])}, which would notify everybody in the channel. It is posted as plain text.\nTo notify everybody, set \`allow-broadcast: true\`.`
  return [warning('A mention of everybody is posted as plain text', explanation), ...notices]
}

/** An invisible character, so that `@here` and `[a](b)` are no mention and no link. */
const zeroWidthSpace = '\u200b'

/** Text from outside may mention nobody and mask no link. The `@` of `logo@2x.png` stays. */
function withoutMentions({ label, url }: Link): Link {
  return {
    label: label.replace(/<(?!\s)|\](?=[([])|(?<![\p{L}\p{N}])@(?!\s)/gu, `$&${zeroWidthSpace}`),
    url,
  }
}

/** `@{source}` could become a mention, and `]{source}` a link. */
const completable = /[<@!\]](?=\{(?:files|source|subject)\})/g

/** The mentions of Slack, Mattermost, Rocket.Chat and others. */
const typedBroadcast =
  /<!(?:channel|here|everyone|group)\b>?|(?<![\p{L}\p{N}])@(?:channel|here|all|everyone)(?![\p{L}\p{N}_-])/giu
