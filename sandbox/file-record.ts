/**
 * Records of files, with the members of recorded ones:
 * https://docs.slack.dev/reference/objects/file-object
 */
import type { Conversations } from './conversations.ts'
import type { File, Message, Token } from './entities.ts'
import type { Json, JsonObject } from './json.ts'
import { team, type WorkspaceSettings } from './settings.ts'

interface Kind {
  readonly mimetype: string
  /** As Slack calls it. */
  readonly filetype: string
  readonly pretty: string
  /** In the channel. */
  readonly shown: 'text' | 'image' | 'name'
}

const kind = (
  mimetype: string,
  filetype: string,
  pretty: string,
  shown: Kind['shown'] = 'name',
): Kind => ({
  mimetype,
  filetype,
  pretty,
  shown,
})
const jpeg = kind('image/jpeg', 'jpg', 'JPEG', 'image')
const kinds: Readonly<Record<string, Kind>> = {
  csv: kind('text/csv', 'csv', 'CSV', 'text'),
  gif: kind('image/gif', 'gif', 'GIF', 'image'),
  html: kind('text/html', 'html', 'HTML', 'text'),
  jpeg,
  jpg: jpeg,
  json: kind('application/json', 'json', 'JSON', 'text'),
  log: kind('text/plain', 'text', 'Plain Text', 'text'),
  md: kind('text/markdown', 'markdown', 'Markdown (raw)', 'text'),
  pdf: kind('application/pdf', 'pdf', 'PDF'),
  png: kind('image/png', 'png', 'PNG', 'image'),
  svg: kind('image/svg+xml', 'svg', 'SVG'),
  tsv: kind('text/tab-separated-values', 'tsv', 'TSV', 'text'),
  txt: kind('text/plain', 'text', 'Plain Text', 'text'),
  webp: kind('image/webp', 'webp', 'WebP', 'image'),
  xml: kind('application/xml', 'xml', 'XML', 'text'),
  zip: kind('application/zip', 'zip', 'Zip'),
}
const binary = kind('application/octet-stream', 'binary', 'Binary')

/** By the name's extension. */
const kindOf = (name: string): Kind => kinds[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? binary

/** By the name's extension. */
export const mimetype = (name: string): string => kindOf(name).mimetype

/** Milliseconds from the message until a late record has the group direct conversation. */
const lateGroup = 40_000

export interface RecordOptions {
  readonly token: Token
  readonly conversations: Conversations
  readonly settings: WorkspaceSettings
  /** Visible messages with the file. */
  readonly shown: readonly Message[]
  readonly isProcessed: boolean
}

export function fileRecord(file: File, options: RecordOptions): JsonObject {
  const { isProcessed, settings } = options
  const created = Math.floor(file.created / 1000)
  const path = `${file.user}/${file.id}/${encodeURIComponent(file.name)}`
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: '',
    filetype: '',
    pretty_type: '',
    user: file.user,
    user_team: team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${settings.url}files-pri/${team.id}-${file.id}/${encodeURIComponent(file.name)}`,
    url_private_download: `${settings.url}files-pri/${team.id}-${file.id}/download/${encodeURIComponent(file.name)}`,
    permalink: `${settings.url}files/${path}`,
    permalink_public: `${settings.url}public/${path}`,
    media_display_type: 'unknown',
    comments_count: 0,
    is_starred: false,
    has_rich_preview: false,
    file_access: 'visible',
    ...(isProcessed && processed(file, settings)),
    ...placesOf(options),
  }
}

/** Members that appear when the service has looked at the content. */
function processed(
  file: File,
  { jpegSize, maxContent, read, textSize }: WorkspaceSettings,
): JsonObject {
  const { filetype, mimetype, pretty, shown } = kindOf(file.name)
  const own = { mimetype, filetype, pretty_type: pretty }
  if (shown === 'image') {
    // The size of a recorded photo grew by this when its metadata was removed.
    const size = filetype === 'jpg' && jpegSize === 'changed' ? file.size + 597 : file.size
    return { ...own, size, image_exif_rotation: 1, original_w: 800, original_h: 600 }
  }
  if (shown === 'name') return own
  const bytes = file.stored === undefined ? new Uint8Array() : read(file.stored, maxContent)
  const lines = new TextDecoder().decode(bytes).split('\n')
  const preview = lines.slice(0, previewLines).join('\n')
  return {
    ...own,
    size: textSize === 'changed' ? file.size + 1 : file.size,
    mode: 'snippet',
    editable: true,
    preview,
    preview_highlight: markup(preview),
    preview_is_truncated: lines.length > previewLines,
    lines: lines.length,
    lines_more: Math.max(0, lines.length - previewLines),
  }
}

const previewLines = 5

/** `files.info` adds the content of a text, also as HTML of about ten times the size. */
export function contentOf(file: File, { maxContent, read }: WorkspaceSettings): JsonObject {
  if (kindOf(file.name).shown !== 'text' || file.stored === undefined) return {}
  const content = new TextDecoder().decode(read(file.stored, maxContent))
  const isTruncated = file.size > maxContent
  return {
    content,
    is_truncated: isTruncated,
    content_highlight_html: markup(content),
    content_highlight_html_truncated: isTruncated,
    content_highlight_css: '.cm-word { color: #1d1c1d }',
  }
}

function markup(text: string): string {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const lines = escaped.replace(/\w{4,}/g, '<span class="cm-word">$&</span>').split('\n')
  return `<div class="CodeMirror">${lines.map((line) => `<div><pre>${line}</pre></div>`).join('\n')}</div>`
}

/** Where people see the file. */
function placesOf({ conversations, settings, shown, token }: RecordOptions): JsonObject {
  const { emptyLists, groupShares, maxShares, now } = settings
  const none = emptyLists === '{}' ? {} : []
  const kindOfChannel = (channel: string) => conversations.get(channel)?.kind
  const isLate = ({ channel, ts }: Message) =>
    kindOfChannel(channel) === 'group' &&
    groupShares === 'late' &&
    now() < Number(ts) * 1000 + lateGroup
  const seen = shown.filter(
    (message) => conversations.sees(token, message.channel) && !isLate(message),
  )
  const ids = (...wanted: readonly string[]) => [
    ...new Set(
      seen.map(({ channel }) => channel).filter((id) => wanted.includes(kindOfChannel(id) ?? '')),
    ),
  ]
  const groups = ids('private', 'group')
  const withTs = seen.filter(
    ({ channel }) => kindOfChannel(channel) !== 'group' || groupShares !== 'listed',
  )
  const kept = withTs.slice(0, maxShares)
  const shares: Record<string, Record<string, JsonObject[]>> = {}
  for (const message of kept) {
    const scope = kindOfChannel(message.channel) === 'public' ? 'public' : 'private'
    const others = shares[scope]?.[message.channel] ?? []
    shares[scope] = {
      ...shares[scope],
      [message.channel]: [...others, shareOf(message, conversations, none)],
    }
  }
  return {
    is_public: ids('public').length > 0,
    channels: ids('public'),
    groups: groups.length > 0 ? groups : none,
    ims: ids('direct'),
    shares,
    has_more_shares: kept.length < withTs.length,
  }
}

function shareOf(
  { channel, threadTs, ts, user }: Message,
  conversations: Conversations,
  none: Json,
): JsonObject {
  return {
    reply_users: none,
    reply_users_count: 0,
    reply_count: 0,
    ts,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    channel_name: conversations.get(channel)?.name ?? '',
    team_id: team.id,
    share_user_id: user,
    source: 'UNKNOWN',
    is_silent_share: false,
  }
}
