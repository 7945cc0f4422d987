/** Files of a workspace, and the methods `files.info` and `files.delete`. */
import { Failure, type Form } from './arguments.ts'
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
  /** When `files.info` knows it. */
  readonly knownAt: number
  readonly processedAt: number
}

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

  /** `known`, `processed`: milliseconds until then. */
  keep(newFile: NewFile, { known, processed }: Processing): File {
    const file = toFile(newFile, this.#context.settings.now())
    const [knownAt, processedAt] = [file.created + known, file.created + processed]
    this.#kept = [...this.#kept, { file, knownAt, processedAt }]
    return file
  }

  record(token: Token, file: File): JsonObject {
    const { settings } = this.#context
    const isProcessed = this.#isProcessed(file)
    const [shown, conversations] = [this.#shown(file), this.#conversations]
    return fileRecord(file, { token, conversations, settings, shown, isProcessed })
  }

  /** @param pending the file of an incomplete upload, if the service shows it */
  info(token: Token, form: Form, pending: NewFile | undefined): JsonObject {
    if (pending !== undefined)
      return { file: this.record(token, toFile(pending, this.#context.settings.now())) }
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

  delete(token: Token, form: Form): JsonObject {
    const file = this.#visible(token, form['file'])
    if (file.user !== token.user) throw new Failure('cant_delete_file')
    this.#kept = this.#kept.filter((kept) => kept.file !== file)
    this.#messages.removeFile(file)
    return {}
  }

  /** @throws Failure if the token's user sees no such file */
  #visible(token: Token, id: string | undefined): File {
    const kept = this.#kept.find(({ file }) => file.id === id)
    const isKnown = kept !== undefined && kept.knownAt <= this.#context.settings.now()
    if (!isKnown || !this.#isVisible(token, kept.file)) throw new Failure('file_not_found')
    return kept.file
  }

  /** To the owner, and to everyone who sees a conversation with it. */
  #isVisible(token: Token, file: File): boolean {
    return (
      file.user === token.user ||
      this.#shown(file).some(({ channel }) => this.#conversations.sees(token, channel))
    )
  }

  #isProcessed(file: File): boolean {
    const { processedAt = Number.POSITIVE_INFINITY } =
      this.#kept.find((kept) => kept.file === file) ?? {}
    return processedAt <= this.#context.settings.now()
  }

  #shown(file: File): readonly Message[] {
    return this.#messages.shown.filter(({ files }) => files.includes(file))
  }
}

function toFile({ received, ...file }: NewFile, created: number): File {
  return {
    ...file,
    size: received.length,
    sha256: received.sha256,
    stored: received.stored,
    created,
  }
}
