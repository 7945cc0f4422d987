/** A file as the service describes it: https://docs.slack.dev/reference/objects/file-object */
import type { Conversations } from './conversations.ts'
import type { File, Message, Token } from './entities.ts'
import type { JsonObject } from './json.ts'
import { team, type WorkspaceSettings } from './settings.ts'

const mimetypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
}

const extension = (name: string) => name.split('.').at(-1)?.toLowerCase() ?? ''

/** By the name's extension. */
export function mimetype(name: string): string {
  return mimetypes[extension(name)] ?? 'application/octet-stream'
}

/** By the name's extension, as Slack calls it. */
function filetype(name: string): string {
  const known = mimetypes[extension(name)] === undefined ? 'binary' : extension(name)
  return { txt: 'text', md: 'markdown', jpeg: 'jpg' }[known] ?? known
}

/** `shown`: the messages with the file that people see. */
export function fileRecord(
  file: File,
  shown: readonly Message[],
  token: Token,
  conversations: Conversations,
  settings: Pick<WorkspaceSettings, 'url' | 'maxShares'>,
): JsonObject {
  const seen = shown.filter(({ channel }) => conversations.sees(token, channel))
  const ids = (kind: string) => [
    ...new Set(seen.map(({ channel }) => channel).filter((channel) => conversations.get(channel)?.kind === kind)),
  ]
  const kept = seen.slice(0, settings.maxShares)
  const shares: Record<string, Record<string, JsonObject[]>> = {}
  for (const { channel, threadTs, ts } of kept) {
    const { kind, name = '' } = conversations.get(channel) ?? {}
    const scope = kind === 'public' ? 'public' : 'private'
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs }
    const share = { ts, ...thread, channel_name: name, team_id: team.id }
    shares[scope] = { ...shares[scope], [channel]: [...(shares[scope]?.[channel] ?? []), share] }
  }
  const created = Math.floor(file.created / 1000)
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: mimetype(file.name),
    filetype: filetype(file.name),
    user: file.user,
    size: file.size,
    mode: 'hosted',
    is_public: ids('public').length > 0,
    permalink: `${settings.url}files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    channels: ids('public'),
    groups: ids('private'),
    ims: ids('direct'),
    shares,
    has_more_shares: kept.length < seen.length,
  }
}
