/** The external upload in three steps, and `files.upload`. */
import {
  commentOf,
  completionChannels,
  Failure,
  type Form,
  fileEntries,
  invalid,
  list,
  supportedArguments,
  thread,
} from './arguments.ts'
import type { Conversations } from './conversations.ts'
import type { File, Received, Token } from './entities.ts'
import type { Files, NewFile } from './files.ts'
import type { JsonObject } from './json.ts'
import type { Messages } from './messages.ts'
import { responseOf, type ServiceResponse } from './responses.ts'
import type { Context } from './settings.ts'

export interface Call {
  readonly token?: string | undefined
  readonly form: Form
  /** The body was JSON; `form` has its members. */
  readonly json?: boolean
  /** The file part. */
  readonly file?: Received & { readonly name: string }
}

interface Upload extends Omit<NewFile, 'title' | 'received'> {
  readonly length: number
  readonly token: string
  readonly until: number
  received: Received | undefined
  file: File | undefined
}

/** With more, a completion fails. */
const maxFiles = 14

const atOnce = { known: 0, processed: 0 }

const emptyFile = {
  length: 0,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

export class Uploads {
  readonly #context: Context
  readonly #conversations: Conversations
  readonly #files: Files
  readonly #messages: Messages
  readonly #byId = new Map<string, Upload>()
  readonly #byTicket = new Map<string, Upload>()

  constructor(context: Context, conversations: Conversations, files: Files, messages: Messages) {
    this.#context = context
    this.#conversations = conversations
    this.#files = files
    this.#messages = messages
  }

  /** The stored bytes belong to an upload that may still be completed. */
  holds(stored: string): boolean {
    return [...this.#byId.values()].some(({ received }) => received?.stored === stored)
  }

  /** For `files.info` of an incomplete upload. */
  pending(token: Token, id: string | undefined): NewFile | undefined {
    const upload = this.#byId.get(id ?? '')
    const { recordBeforeCompletion } = this.#context.settings
    if (upload === undefined || upload.file !== undefined || upload.user !== token.user)
      return undefined
    if (recordBeforeCompletion === 'file_not_found' || upload.received === undefined)
      return undefined
    return { ...upload, title: upload.name, received: upload.received }
  }

  getUploadUrl(token: Token, call: Call): JsonObject {
    const { settings } = this.#context
    const { form } = call
    // JSON is documented, and was refused in July 2026.
    if (call.json) throw invalid('missing required field: filename')
    const name = form['filename'] ?? ''
    const length = Number(form['length'] ?? '0')
    if (name === '' || length === 0) throw new Failure('missing_argument')
    if (!Number.isSafeInteger(length) || length < 0)
      throw invalid('length must be a number of bytes')
    const ticket = this.#context.newId('ticket-')
    const id = this.#context.newId('F')
    const until = settings.now() + settings.ticketMilliseconds
    const owner = { token: call.token ?? '', user: token.user }
    const upload: Upload = {
      id,
      name,
      length,
      ...owner,
      until,
      received: undefined,
      file: undefined,
    }
    this.#byId.set(id, upload)
    this.#byTicket.set(ticket, upload)
    return { upload_url: settings.uploadUrl + ticket, file_id: id }
  }

  /**
   * A ticket is for one upload. The refusal of others is unknown; recorded failures are 500 as
   * text.
   *
   * @param keep the part of `sent` that the service keeps
   */
  receive(ticket: string, sent: Received, keep: Received): ServiceResponse {
    const upload = this.#byTicket.get(ticket)
    if (
      upload === undefined ||
      upload.received !== undefined ||
      this.#context.settings.now() > upload.until
    ) {
      return responseOf(500, { text: 'No such upload' })
    }
    if (sent.length !== upload.length) {
      return responseOf(500, { text: `Expected ${upload.length} bytes, got ${sent.length}` })
    }
    upload.received = keep
    return responseOf(200, { text: `OK - ${keep.length}` })
  }

  complete(token: Token, call: Call): JsonObject {
    const { completionShares, processing, secondCompletion, sharing } = this.#context.settings
    const form = supportedArguments(call.form, this.#context.settings)
    const entries = fileEntries(form['files'])
    const channels = completionChannels(form)
    const threadTs = thread(form, channels)
    const comment = commentOf(form)
    if (entries.length > maxFiles) throw new Failure('internal_error')
    const uploads = entries.map((entry) => ({ entry, upload: this.#completable(entry.id, call) }))
    const { good, failure } = this.#conversations.postable(token, channels)

    const isRepeat = uploads.every(({ upload }) => upload.file !== undefined)
    const files = uploads.map(({ entry, upload }) => {
      const { id, name, received = emptyFile, user } = upload
      upload.file ??= this.#files.keep(
        { id, name, title: entry.title ?? name, user, received },
        processing,
      )
      return upload.file
    })
    const message = { user: token.user, ...comment, files, threadTs }
    const channelsToPost = isRepeat && secondCompletion === 'ok' ? [] : good
    for (const channel of channelsToPost) this.#messages.post({ channel, ...message }, sharing)
    if (failure) throw failure
    const unshared = {
      is_public: false,
      shares: {},
      channels: [],
      groups: [],
      ims: [],
      has_more_shares: false,
    }
    const places = completionShares === 'hidden' ? unshared : {}
    return { files: files.map((file) => ({ ...this.#files.record(token, file), ...places })) }
  }

  /** `files.upload` is synchronous, so the response shows the messages. */
  upload(token: Token, call: Call): JsonObject {
    const { form } = call
    if (call.file === undefined) throw new Failure('no_file_data')
    const channels = list(form['channels'])
    const threadTs = thread(form, channels)
    const { good, failure } = this.#conversations.postable(token, channels)
    const { file: received } = call
    const name = form['filename'] ?? received.name
    const title = form['title'] ?? name
    const file = this.#files.keep(
      { id: this.#context.newId('F'), name, title, user: token.user, received },
      atOnce,
    )
    const sharing = { ...this.#context.settings.sharing, milliseconds: 0, lookups: 0 }
    const by = 'files.upload' as const
    const message = {
      user: token.user,
      text: form['initial_comment'],
      blocks: undefined,
      files: [file],
      threadTs,
      by,
    }
    for (const channel of good) this.#messages.post({ channel, ...message }, sharing)
    if (failure) throw failure
    return { file: this.#files.record(token, file) }
  }

  #completable(id: string, call: Call): Upload {
    const { completionWithoutBytes, now, secondCompletion } = this.#context.settings
    const upload = this.#byId.get(id)
    if (upload === undefined || upload.token !== call.token) throw new Failure('file_not_found')
    const refused =
      upload.file === undefined
        ? now() > upload.until ||
          (upload.received === undefined && completionWithoutBytes === 'file_not_found')
        : secondCompletion === 'file_not_found'
    if (refused) throw new Failure('file_not_found')
    return upload
  }
}
