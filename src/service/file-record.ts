import { isObject, type Json, numberIn, objectIn, textIn } from '../json.ts'
import type { Problem } from '../problem.ts'
import { text } from '../text/text.ts'
import type { Channel, UploadedFile } from './service.ts'
import { idIn, linkIn } from './web-api.ts'

/** Where a message is visible. */
export interface Share {
  readonly channel: Channel
  /** Absent if the service lists the channel without it. */
  readonly ts?: string
}

/** A file with what its record at the service says about it. */
export function uploadedFile({ file, ...known }: UploadedFile, record: Json | undefined): UploadedFile {
  const id = idIn(record, 'id')
  const permalink = linkIn(record, 'permalink')
  const size = numberIn(record, 'size')
  return {
    file,
    ...known,
    ...(id === undefined ? {} : { id }),
    ...(permalink === undefined ? {} : { permalink }),
    ...(size === undefined ? {} : { size }),
  }
}

/**
 * The messages that contain a file: `shares.public` and `shares.private` of its record hold a list of messages per channel.
 * https://docs.slack.dev/reference/objects/file-object/
 */
export function sharesIn(record: Json | undefined, channels: readonly Channel[]): readonly Required<Share>[] {
  return channels.flatMap((channel) => {
    for (const [first] of messagesIn(record, channel)) {
      const ts = idIn(first, 'ts')
      if (ts !== undefined) return [{ channel, ts }]
    }
    return []
  })
}

/** The replies in a thread that contain a file. */
export function repliesIn(record: Json, channel: Channel, threadTs: string): readonly Required<Share>[] {
  return messagesIn(record, channel).flatMap((messages) =>
    messages.flatMap((message) => {
      const ts = textIn(message, 'thread_ts') === threadTs ? idIn(message, 'ts') : undefined
      return ts === undefined ? [] : [{ channel, ts }]
    }),
  )
}

/** The public and the private messages. */
function messagesIn(record: Json | undefined, channel: Channel): readonly (readonly Json[])[] {
  return ['public', 'private'].map((visibility) => {
    const messages = objectIn(objectIn(record, 'shares'), visibility)?.[channel.id]
    return Array.isArray(messages) ? messages.filter(isObject) : []
  })
}

/**
 * The channels in which a file is visible. The list of shares can be cut short (`has_more_shares`); `channels`, `groups`
 * and `ims` list the channels of all of them, without a ts.
 */
export function visibleIn(record: Json, channels: readonly Channel[]): readonly Share[] {
  const shares = sharesIn(record, channels)
  const listed = ['channels', 'groups', 'ims'].flatMap((name): readonly unknown[] => {
    const ids = record[name]
    return Array.isArray(ids) ? ids : []
  })
  return channels.flatMap((channel): readonly Share[] => {
    const share = shares.find((one) => one.channel.id === channel.id)
    if (share) return [share]
    return listed.includes(channel.id) ? [{ channel }] : []
  })
}

/** A file of another size at the service is damaged: people would read something else than was sent. */
export function damagedFiles(files: readonly UploadedFile[]): readonly Problem[] {
  return files.flatMap(({ file, size }) => {
    if (size === undefined || size === file.size) return []
    const what = text`${file.path} has ${file.size} bytes, but the service reports ${size}.`
    return [{ title: 'A file arrived damaged', text: text`${what}\nDelete it in the channel, and run the step again.` }]
  })
}
