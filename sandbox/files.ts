/** The files of a workspace, and the methods that read and delete them. */
import { Failure, type Form, positive } from './arguments.ts'
import type { Conversations } from './conversations.ts'
import type { File, Message, Received, Token } from './entities.ts'
import { fileRecord } from './file-record.ts'
import type { JsonObject } from './json.ts'
import type { Messages } from './messages.ts'
import type { Context } from './settings.ts'

export type NewFile = Pick<File, 'id' | 'name' | 'title' | 'user'> & {
  readonly received: Received
}

/** When a file appears in `files.list`. */
interface Listed {
  readonly at: number
  callsLeft: number
}

const defaultCount = 100

export class Files {
  readonly #context: Context
  readonly #conversations: Conversations
  readonly #messages: Messages
  readonly #files: File[] = []
  /** Files that `files.list` shows, now or later. */
  readonly #listed = new Map<File, Listed>()

  constructor(context: Context, conversations: Conversations, messages: Messages) {
    this.#context = context
    this.#conversations = conversations
    this.#messages = messages
  }

  /** Every file that was posted or completed, in order. */
  get all(): readonly File[] {
    return this.#files
  }

  keep(newFile: NewFile): File {
    const { listing, now } = this.#context.settings
    const file = toFile(newFile, now())
    this.#files.push(file)
    if (listing.files === 'all' || listing.files.includes(file.name)) {
      this.#listed.set(file, { at: file.created + listing.milliseconds, callsLeft: listing.calls })
    }
    return file
  }

  /** Fails if there is no such file, or if the token's user does not see it. */
  visible(token: Token, id: string | undefined): File {
    const file = this.#files.find((known) => known.id === id)
    if (file === undefined || !this.#isVisible(token, file)) throw new Failure('file_not_found')
    return file
  }

  record(token: Token, file: File): JsonObject {
    return fileRecord(file, this.#shown(file), token, this.#conversations, this.#context.settings)
  }

  /** `pending`: the file of an upload that is not completed, where the service shows it. */
  info(token: Token, form: Form, pending: NewFile | undefined): JsonObject {
    if (pending !== undefined) return { file: this.record(token, toFile(pending, this.#context.settings.now())) }
    const file = this.visible(token, form['file'])
    const response = { file: this.record(token, file) }
    this.#messages.countLookup(file)
    return response
  }

  /** https://docs.slack.dev/reference/methods/files.list: the newest first, and without `shares`. */
  list(token: Token, form: Form): JsonObject {
    const count = positive(form, 'count', defaultCount)
    const page = positive(form, 'page', 1)
    const isWanted = this.#filter(form)
    const found = this.#files.filter((file) => this.#isListed(file) && this.#isVisible(token, file) && isWanted(file))
    for (const listed of this.#listed.values()) listed.callsLeft = Math.max(0, listed.callsLeft - 1)
    return {
      files: found
        .reverse()
        .slice((page - 1) * count, page * count)
        .map((file) => {
          const { shares: _, has_more_shares: __, ...record } = this.record(token, file)
          return record
        }),
      paging: { count, total: found.length, page, pages: Math.ceil(found.length / count) },
    }
  }

  delete(token: Token, form: Form): JsonObject {
    const file = this.visible(token, form['file'])
    if (file.user !== token.user) throw new Failure('cant_delete_file')
    this.#files.splice(this.#files.indexOf(file), 1)
    this.#listed.delete(file)
    this.#messages.removeFile(file)
    return {}
  }

  #filter({ ts_from: from, ts_to: to, user }: Form): (file: File) => boolean {
    const { tokens, users } = this.#context.settings
    const isUser = user === undefined || users.has(user) || [...tokens.values()].some((token) => token.user === user)
    if (!isUser) throw new Failure('user_not_found')
    return (file) => {
      const created = Math.floor(file.created / 1000)
      return (
        (user === undefined || file.user === user) &&
        (from === undefined || created >= Number(from)) &&
        (to === undefined || created <= Number(to))
      )
    }
  }

  #isListed(file: File): boolean {
    const listed = this.#listed.get(file)
    const { listing, now } = this.#context.settings
    if (listed === undefined || listed.callsLeft > 0 || listed.at > now()) return false
    const { kinds } = listing
    if (kinds === 'all') return true
    return this.#shown(file).some(({ channel }) => {
      const kind = this.#conversations.get(channel)?.kind
      return kind !== undefined && kinds.includes(kind)
    })
  }

  /** Its owner sees a file, and everyone who sees a conversation that it is in. */
  #isVisible(token: Token, file: File): boolean {
    if (file.user === token.user) return true
    return this.#shown(file).some(({ channel }) => {
      const conversation = this.#conversations.get(channel)
      return conversation !== undefined && this.#conversations.isVisible(token, conversation)
    })
  }

  #shown(file: File): readonly Message[] {
    return this.#messages.shown.filter(({ files }) => files.includes(file))
  }
}

function toFile({ received, ...file }: NewFile, created: number): File {
  return { ...file, size: received.length, sha256: received.sha256, stored: received.stored, created }
}
