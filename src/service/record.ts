/**
 * What the service's record of a file says.
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
  /**
   * Whether the message is in the thread where it belongs, if it belongs in one. Absent as long as
   * the service does not say.
   */
  readonly isInPlace?: boolean | undefined
}

/** What lookups showed of a file, or of all files of a message: the one definition of "seen". */
export interface LookupResult {
  /**
   * - `found`: a lookup returned a record of the file.
   * - `absent`: for 30 s or longer, each lookup said that there is no such file.
   */
  readonly result: 'found' | 'absent' | 'unknown'
  /**
   * Whether the lookups can be relied on: the last one was answered, or before it the service said
   * that it has no record. Not so if only outages followed a record.
   */
  readonly isReliable: boolean
  /** The run had to end before the lookups were over. */
  readonly aborted: boolean
  /** The channels in which it was seen, whatever later lookups showed. */
  readonly sightings: readonly Sighting[]
  /** The last record of each file that was found. */
  readonly records: readonly Json[]
  /** Why the last lookup returned no record. Absent if there is no such file. */
  readonly reason?: Text | undefined
  /** Nothing can be looked up: the token lacks `files:read`. */
  readonly lacksScope?: boolean | undefined
  /** How long it took. */
  readonly milliseconds: number
}

export const nothingSeen: LookupResult = {
  result: 'unknown',
  isReliable: false,
  aborted: false,
  sightings: [],
  records: [],
  milliseconds: 0,
}

/** A file with what its record says about it. */
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
 * The channels in which the record of a file shows it. `shares.public` and `shares.private` hold a
 * list of messages for each channel, which can be late or cut short (`has_more_shares`). The lists
 * `channels`, `groups` and `ims` hold the channels of all messages, without a ts.
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

/** `G0123456789` becomes `C0123456789` when another organization gets the private channel, too. */
function idsOf({ id }: Channel): readonly string[] {
  return /^G[A-Z0-9]{8,}$/.test(id) ? [id, id.replace('G', 'C')] : [id]
}

/** The records of files in a response with ok. */
export function recordsIn(json: Json): readonly Json[] {
  return listIn(json, 'files').filter(isObject)
}

/** With `files.upload`, a file has no ID before the response, which is about no other file. */
export function recordOf({ id }: ServiceFile, records: readonly Json[]): Json | undefined {
  return id === undefined ? records[0] : records.findLast((record) => record['id'] === id)
}

/** Whether a response with ok has a list of files, and some of the message are not in it. */
export function omitsFiles({ files }: Message, json: Json): boolean {
  const records = recordsIn(json)
  return Array.isArray(json['files']) && files.some((file) => !recordOf(file, records))
}

/**
 * The channels in which a response with ok shows the message. Only those with a ts count: a
 * response may repeat the channels of the request.
 */
export function sightingsInResponse(message: Message, json: Json): readonly Sighting[] {
  const [first] = message.files
  if (first === undefined) {
    const ts = idIn(json, 'ts')
    return ts === undefined ? [] : message.channels.map((channel) => ({ channel, ts }))
  }
  const record = recordOf(first, recordsIn(json))
  return sightingsIn(record, message).filter(({ ts }) => ts !== undefined)
}

/** Whether a record does not list all shares, and never will. */
export function isCutShort(record: Json | undefined): boolean {
  return record?.['has_more_shares'] === true
}

/** The service has not looked at the content yet. Other servers may lack both members. */
export function isUnprocessed(record: Json | undefined): boolean {
  return record?.['mimetype'] === '' && record['filetype'] === ''
}

/** Any other size says nothing: Slack removes the metadata of photos. */
export function isDamaged({ file }: ServiceFile, record: Json | undefined): boolean {
  return record?.['size'] === 0 && file.size > 0
}

const used = 'id permalink size mimetype filetype shares has_more_shares channels groups ims'.split(
  ' ',
)

/** The members of a record that are used. The others can be megabytes, such as `content`. */
export function usedOf(record: Json): Json {
  return Object.fromEntries(used.flatMap((name) => (name in record ? [[name, record[name]]] : [])))
}

/**
 * The member `name`, if it can be the ID of a file or a channel, or the ts of a message: 1 to 255
 * letters, digits and `.` `:` `+` `=` `_` `-`. It becomes an output, which people use in scripts;
 * each server has its own shapes.
 */
export function idIn(json: Json | undefined, name: string): string | undefined {
  const id = textIn(json, name)
  return id !== undefined && /^[\w.:+=-]{1,255}$/.test(id) ? id : undefined
}

/**
 * The member `name`, if it is a link to show to people. It may use plain http as `base-url` does.
 *
 * @param origin of `base-url`
 */
export function linkIn(json: Json | undefined, name: string, origin?: string): string | undefined {
  const url = URL.parse(textIn(json, name) ?? '')
  if (url === null || !(isProtected(url) || url.origin === origin)) return undefined
  // Such as `https://chat.example@elsewhere.example`.
  return url.username === '' && url.password === '' ? url.href : undefined
}
