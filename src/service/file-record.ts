import { isObject, type Json, numberIn, objectIn } from '../json.ts'
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
  const shares = objectIn(record, 'shares')
  return channels.flatMap((channel) => {
    for (const visibility of ['public', 'private']) {
      const messages = objectIn(shares, visibility)?.[channel.id]
      const first: unknown = Array.isArray(messages) ? messages[0] : undefined
      const ts = isObject(first) ? idIn(first, 'ts') : undefined
      if (ts !== undefined) return [{ channel, ts }]
    }
    return []
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
    const what = text`${file.displayPath} has ${file.size} bytes, but the service reports ${size}.`
    return [{ title: 'A file arrived damaged', text: text`${what}\nDelete it in the channel, and run the step again.` }]
  })
}
