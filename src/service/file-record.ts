import { isObject, type Json } from './answers.ts'
import type { Conversation, OutgoingFile, PublishedFile, Share } from './service.ts'
import { idIn, linkIn, numberIn, objectIn } from './web-api.ts'

/** What a file object of the service says of one published file: each part only if it is there. */
export function publishedFile(file: OutgoingFile, record: Json | undefined, staged: string | undefined): PublishedFile {
  const id = idIn(record, 'id') ?? staged
  const permalink = linkIn(record, 'permalink')
  const size = numberIn(record, 'size')
  return {
    file,
    ...(id === undefined ? {} : { id }),
    ...(permalink === undefined ? {} : { permalink }),
    ...(size === undefined ? {} : { size }),
  }
}

/**
 * Where a file is shared: `shares.public` and `shares.private` of its file object hold, per channel, a list of messages.
 * https://docs.slack.dev/reference/objects/file-object/
 */
export function sharesIn(record: Json | undefined, conversations: readonly Conversation[]): readonly Required<Share>[] {
  const shares = record === undefined ? undefined : objectIn(record, 'shares')
  return conversations.flatMap((conversation) => {
    for (const side of ['public', 'private']) {
      const messages = shares === undefined ? undefined : objectIn(shares, side)?.[conversation.id]
      const first: unknown = Array.isArray(messages) ? messages[0] : undefined
      const ts = isObject(first) ? idIn(first, 'ts') : undefined
      if (ts !== undefined) return [{ conversation, ts }]
    }
    return []
  })
}

/**
 * Where a file is shown, by the record that a lookup gave: the list of shares can be cut short (`has_more_shares`), and
 * `channels`, `groups` and `ims` list the channels of all, without a ts.
 */
export function proofsIn(record: Json, conversations: readonly Conversation[]): readonly Share[] {
  const shares = sharesIn(record, conversations)
  const listed = ['channels', 'groups', 'ims'].flatMap((name): readonly unknown[] => {
    const ids = record[name]
    return Array.isArray(ids) ? ids : []
  })
  return conversations.flatMap((conversation): readonly Share[] => {
    const share = shares.find((one) => one.conversation.id === conversation.id)
    if (share) return [share]
    return listed.includes(conversation.id) ? [{ conversation }] : []
  })
}
