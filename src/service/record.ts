/**
 * The service's record of a file.
 * https://docs.slack.dev/reference/objects/file-object/
 */
import { isProtected } from '../hosts.ts'
import { isObject, type Json, listIn, objectIn, textIn } from '../json.ts'
import type { Text } from '../text/text.ts'
import type { Channel, Message, MessageTarget, ServiceFile } from './service.ts'

/** A channel in which a file was seen. */
export interface Sighting {
  readonly channel: Channel
  /** Of the message. Absent if the service lists the channel without it. */
  readonly ts?: string | undefined
  /** The message is in its thread, or needs none. Absent until the service says. */
  readonly isInPlace?: boolean | undefined
}

/** Lookups of a file, or of all files of a message: the one definition of "seen". */
export interface LookupResult {
  /** For at least 30 s, each lookup said that there is no such file. */
  readonly isAbsent: boolean
  /**
   * The last lookup got an answer, or the last answer was that there is no record. After a record,
   * an outage leaves open whether it is visible.
   */
  readonly isConclusive: boolean
  /** The run ended before the lookups did. */
  readonly aborted: boolean
  /** Kept, whatever later lookups show. */
  readonly sightings: readonly Sighting[]
  /** The last of each file. */
  readonly records: readonly Json[]
  /** The last lookup's reason for no record. Absent if there is no such file. */
  readonly reason?: Text | undefined
  /** The token lacks `files:read`. */
  readonly lacksScope?: boolean | undefined
  readonly milliseconds: number
}

export const nothingSeen: LookupResult = {
  isAbsent: false,
  isConclusive: false,
  aborted: false,
  sightings: [],
  records: [],
  milliseconds: 0,
}

export function serviceFile(
  before: ServiceFile,
  record: Json | undefined,
  origin: string | undefined,
): ServiceFile {
  return {
    file: before.file,
    id: idIn(record, 'id') ?? before.id,
    permalink: linkIn(record, 'permalink', origin) ?? before.permalink,
  }
}

/**
 * `shares.public` and `shares.private` list messages by channel, late or cut short
 * (`has_more_shares`). `channels`, `groups` and `ims` list all channels, without a ts.
 */
export function sightingsIn(
  record: Json | undefined,
  { channels, threadTs }: MessageTarget,
): readonly Sighting[] {
  const listed = ['channels', 'groups', 'ims'].flatMap((name) => listIn(record, name))
  const shares = ['public', 'private'].map((name) => objectIn(objectIn(record, 'shares'), name))
  return channels.flatMap((channel): readonly Sighting[] => {
    const ids = idsOf(channel)
    const messages = shares
      .flatMap((byChannel) => ids.flatMap((id) => listIn(byChannel, id)))
      .filter(isObject)
      .filter((message) => idIn(message, 'ts') !== undefined)
    if (messages.length === 0 && !ids.some((id) => listed.includes(id))) return []
    const reply = messages.find(
      (message) => threadTs === undefined || textIn(message, 'thread_ts') === threadTs,
    )
    const isUndecided = reply === undefined && (messages.length === 0 || isCutShort(record))
    const isInPlace = threadTs === undefined || (isUndecided ? undefined : reply !== undefined)
    return [{ channel, ts: idIn(reply ?? messages[0], 'ts'), isInPlace }]
  })
}

/** `G…` becomes `C…` when a private channel is shared with another organization. */
function idsOf({ id }: Channel): readonly string[] {
  return /^G[A-Z0-9]{8,}$/.test(id) ? [id, id.replace('G', 'C')] : [id]
}

export function recordsIn(json: Json): readonly Json[] {
  return listIn(json, 'files').filter(isObject)
}

/** A file of `files.upload` has no ID before the response, which names no other file. */
export function recordOf({ id }: ServiceFile, records: readonly Json[]): Json | undefined {
  return id === undefined ? records[0] : records.findLast((record) => record['id'] === id)
}

/** The response has a list of files that lacks some of the message. */
export function omitsFiles({ files }: Message, json: Json): boolean {
  const records = recordsIn(json)
  return Array.isArray(json['files']) && files.some((file) => !recordOf(file, records))
}

/** Only channels with a ts count, because a response may repeat those of the request. */
export function sightingsInResponse(message: Message, json: Json): readonly Sighting[] {
  const [first] = message.files
  if (first === undefined) {
    const ts = idIn(json, 'ts')
    return ts === undefined ? [] : message.channels.map((channel) => ({ channel, ts }))
  }
  const record = recordOf(first, recordsIn(json))
  return sightingsIn(record, message).filter(({ ts }) => ts !== undefined)
}

/** The record will never list all shares. */
export function isCutShort(record: Json | undefined): boolean {
  return record?.['has_more_shares'] === true
}

/** The content is not processed yet. Other servers may lack `mimetype` and `filetype`. */
export function isUnprocessed(record: Json | undefined): boolean {
  return record?.['mimetype'] === '' && record['filetype'] === ''
}

/** Slack removes the metadata of photos, so no other size tells anything. */
export function isDamaged({ file }: ServiceFile, record: Json | undefined): boolean {
  return record?.['size'] === 0 && file.size > 0
}

const kept = 'id permalink size mimetype filetype has_more_shares'.split(' ')

/** Besides where it was seen. `content`, or lists in place of a text, can take a gigabyte. */
export function keptOf(record: Json): Json {
  return Object.fromEntries(
    kept.map((name) => [name, record[name]]).filter(([, value]) => typeof value !== 'object'),
  )
}

/**
 * The member `name`, if it can be an ID or a ts. Each server has its own shapes, and people use
 * them in scripts.
 */
export function idIn(json: Json | undefined, name: string): string | undefined {
  const id = textIn(json, name)
  return id !== undefined && /^[\w.:+=-]{1,255}$/.test(id) ? id : undefined
}

/** Characters. */
export const maxUrlLength = 2_000

/**
 * The member `name`, if it is a link for people. Plain http is only for loopback and `base-url`.
 *
 * @param origin of `base-url`
 */
export function linkIn(json: Json | undefined, name: string, origin?: string): string | undefined {
  const url = URL.parse(textIn(json, name) ?? '')
  const isUsable =
    url !== null &&
    (isProtected(url) || url.origin === origin) &&
    // Not `https://chat.example@elsewhere.example`.
    url.username === '' &&
    url.password === '' &&
    url.href.length <= maxUrlLength
  return isUsable ? url.href : undefined
}
