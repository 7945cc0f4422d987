import { isObject, type Json, listIn, numberIn, objectIn, textIn } from '../../json.ts'
import type { Problem } from '../../problem.ts'
import { text } from '../../text/text.ts'
import type { Channel, Place, UploadedFile } from '../service.ts'
import { idIn, linkIn } from './web-api.ts'

/** A channel in which a file was seen. */
export interface Share {
  readonly channel: Channel
  /** Of the message. Absent if the service lists the channel without it. */
  readonly ts?: string | undefined
  /** Whether the message is where it belongs: with a `threadTs`, in this thread. Absent as long as the service does not say. */
  readonly isInPlace?: boolean | undefined
}

/** A file with what its record at the service says about it. */
export function uploadedFile(known: UploadedFile, record: Json | undefined): UploadedFile {
  return {
    file: known.file,
    id: idIn(record, 'id') ?? known.id,
    permalink: linkIn(record, 'permalink') ?? known.permalink,
    size: numberIn(record, 'size') ?? known.size,
  }
}

/**
 * The channels in which the record of a file shows it. `shares.public` and `shares.private` hold a list of messages for
 * each channel. They can be late, or cut short (`has_more_shares`); `channels`, `groups` and `ims` list the channels of
 * all messages, without a ts. https://docs.slack.dev/reference/objects/file-object/
 */
export function sharesIn(record: Json | undefined, { channels, threadTs }: Place): readonly Share[] {
  const listed = ['channels', 'groups', 'ims'].flatMap((name) => listIn(record, name))
  return channels.flatMap((channel): readonly Share[] => {
    const messages = ['public', 'private']
      .flatMap((visibility) => listIn(objectIn(objectIn(record, 'shares'), visibility), channel.id))
      .filter(isObject)
      .filter((message) => idIn(message, 'ts') !== undefined)
    if (messages.length === 0 && !listed.includes(channel.id)) return []
    const reply = messages.find((message) => threadTs === undefined || textIn(message, 'thread_ts') === threadTs)
    const isUndecided = reply === undefined && (messages.length === 0 || isCutShort(record))
    const isInPlace = threadTs === undefined || (isUndecided ? undefined : reply !== undefined)
    return [{ channel, ts: idIn(reply ?? messages[0], 'ts'), isInPlace }]
  })
}

/** Whether a record does not list all shares, and never will. */
export function isCutShort(record: Json | undefined): boolean {
  return record?.['has_more_shares'] === true
}

/** A file of another size at the service is damaged: people would read something else than was sent. */
export function damagedFiles(files: readonly UploadedFile[]): readonly Problem[] {
  return files.flatMap(({ file, size }) => {
    if (size === undefined || size === file.size) return []
    const what = text`${file.path} has ${file.size} bytes, but the service reports ${size}.`
    return [{ title: 'A file arrived damaged', text: text`${what}\nDelete it in the channel, and run the step again.` }]
  })
}
