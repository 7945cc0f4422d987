/** The files of a workspace, and the methods that read and delete them. */
import { Failure, type Form, positive } from './arguments.ts'
import type { Conversations } from './conversations.ts'
import type { File, Message, Received, Token } from './entities.ts'
import { contentOf, fileRecord } from './file-record.ts'
import type { JsonObject } from './json.ts'
import type { Messages } from './messages.ts'
import type { Context, Processing } from './settings.ts'

export type NewFile = Pick<File, 'id' | 'name' | 'title' | 'user'> & {
  readonly received: Received
}

interface Kept {
  readonly file: File
  /** When `files.info` and `files.list` know it, and when it is processed. */
  readonly knownAt: number
  readonly processedAt: number
  /** When `files.list` shows it. */
  readonly listedAt: number
  callsLeft: number
}

const defaultCount = 100

export class Files {
  readonly #context: Context
  readonly #conversations: Conversations
  readonly #messages: Messages
  #kept: readonly Kept[] = []

  constructor(context: Context, conversations: Conversations, messages: Messages) {
    this.#context = context
    this.#conversations = conversations
    this.#messages = messages
  }

  /** Every file that was posted or completed, in order. */
  get all(): readonly File[] {
    return this.#kept.map(({ file }) => file)
  }

  /** `processing`: the milliseconds until it is known and processed. */
  keep(newFile: NewFile, { known, processed }: Processing): File {
    const { listing, now } = this.#context.settings
    const file = toFile(newFile, now())
    const isListed = listing.files === 'all' || listing.files.includes(file.name)
    const listedAt = isListed ? file.created + listing.milliseconds : Number.POSITIVE_INFINITY
    const [knownAt, processedAt] = [file.created + known, file.created + processed]
    this.#kept = [...this.#kept, { file, knownAt, processedAt, listedAt, callsLeft: listing.calls }]
    return file
  }

  record(token: Token, file: File): JsonObject {
    const { settings } = this.#context
    const isProcessed = this.#isProcessed(file)
    const [shown, conversations] = [this.#shown(file), this.#conversations]
    return fileRecord(file, { token, conversations, settings, shown, isProcessed })
  }

  /** `pending`: the file of an upload that is not completed, where the service shows it. */
  info(token: Token, form: Form, pending: NewFile | undefined): JsonObject {
    if (pending !== undefined) return { file: this.record(token, toFile(pending, this.#context.settings.now())) }
    const file = this.#visible(token, form['file'])
    const content = this.#isProcessed(file) ? contentOf(file, this.#context.settings) : {}
    const response = {
      file: this.record(token, file),
      ...content,
      comments: [],
      response_metadata: { next_cursor: '' },
    }
    this.#messages.countLookup(file)
    return response
  }

  /** https://docs.slack.dev/reference/methods/files.list: the newest first, and without `shares`. */
  list(token: Token, form: Form): JsonObject {
    const count = positive(form, 'count', defaultCount)
    const page = positive(form, 'page', 1)
    const { ts_from: from = 0, user } = form
    const isLeftOut = (file: File) => this.#context.settings.listing.direct === 'left out' && this.#isDirectOnly(file)
    const isWanted = (file: File) =>
      this.#isVisible(token, file) &&
      !isLeftOut(file) &&
      (user === undefined || file.user === user) &&
      Math.floor(file.created / 1000) >= Number(from)
    const now = this.#context.settings.now()
    const listed = this.#kept.filter(
      ({ callsLeft, knownAt, listedAt }) => callsLeft <= 0 && Math.max(knownAt, listedAt) <= now,
    )
    for (const kept of this.#kept) kept.callsLeft -= 1
    const found = listed.map(({ file }) => file).filter(isWanted)
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
    const file = this.#visible(token, form['file'])
    if (file.user !== token.user) throw new Failure('cant_delete_file')
    this.#kept = this.#kept.filter((kept) => kept.file !== file)
    this.#messages.removeFile(file)
    return {}
  }

  /** Fails if there is no such file, or if the token's user does not see it. */
  #visible(token: Token, id: string | undefined): File {
    const kept = this.#kept.find(({ file }) => file.id === id)
    const isKnown = kept !== undefined && kept.knownAt <= this.#context.settings.now()
    if (!isKnown || !this.#isVisible(token, kept.file)) throw new Failure('file_not_found')
    return kept.file
  }

  /** Its owner sees a file, and everyone who sees a conversation that it is in. */
  #isVisible(token: Token, file: File): boolean {
    return file.user === token.user || this.#shown(file).some(({ channel }) => this.#conversations.sees(token, channel))
  }

  #isProcessed(file: File): boolean {
    const { processedAt = Number.POSITIVE_INFINITY } = this.#kept.find((kept) => kept.file === file) ?? {}
    return processedAt <= this.#context.settings.now()
  }

  #isDirectOnly(file: File): boolean {
    const shown = this.#shown(file)
    return shown.length > 0 && shown.every(({ channel }) => this.#conversations.get(channel)?.kind === 'direct')
  }

  #shown(file: File): readonly Message[] {
    return this.#messages.shown.filter(({ files }) => files.includes(file))
  }
}

function toFile({ received, ...file }: NewFile, created: number): File {
  return { ...file, size: received.length, sha256: received.sha256, stored: received.stored, created }
}
