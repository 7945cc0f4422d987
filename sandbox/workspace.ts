/**
 * A messaging service's state and rules, without HTTP, timers or disk: what it knows, and what it answers to a call.
 * The clock is passed in, so a whole delivery can be played on virtual time.
 *
 * Where the real service is known to be strict, so is this one; where it is known to differ from time to time, there is
 * a setting.
 */
import {
  commentOf,
  completionChannels,
  conversationId,
  Failure,
  type Form,
  fileEntries,
  invalid,
  thread,
} from './arguments.ts'
import type { Json, JsonObject } from './json.ts'

export interface ServiceResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: an envelope, or text where it is none. */
  readonly json?: JsonObject
  readonly text?: string
}

export const methods = [
  'auth.test',
  'chat.getPermalink',
  'conversations.info',
  'conversations.open',
  'files.completeUploadExternal',
  'files.delete',
  'files.getUploadURLExternal',
  'files.info',
  'files.upload',
] as const
export type Method = (typeof methods)[number]

export interface Token {
  /** The user, or the bot's user, that it acts for. */
  readonly user: string
  readonly scopes: readonly string[]
  /** The code that every call with it is answered with, such as `token_revoked`. */
  readonly error?: string
}

export interface Conversation {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
  /** Users in it. */
  readonly members: readonly string[]
  readonly archived?: boolean
  readonly postingDenied?: boolean
}

/** Bytes that arrived at the service. */
export interface Received {
  readonly length: number
  /** Hexadecimal. */
  readonly sha256: string
  /** Where the caller of the model keeps them. */
  readonly stored?: string
}

export interface File {
  readonly id: string
  readonly name: string
  readonly title: string
  /** Bytes. */
  readonly size: number
  readonly sha256: string
  readonly stored: string | undefined
  readonly user: string
  /** Milliseconds since 1970. */
  readonly created: number
}

/** A message in one conversation. */
export interface Message {
  readonly ts: string
  readonly channel: string
  /** The user who wrote it; none for an incoming webhook. */
  readonly user: string | undefined
  /** As it was sent, unescaped by nobody. */
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
  readonly files: readonly File[]
  readonly threadTs: string | undefined
}

/** How often a file stands in a channel, late messages included. Files are the same by title, name and content. */
export interface Posting {
  readonly channel: string
  readonly name: string
  readonly title: string
  readonly sha256: string
  readonly times: number
}

export interface Sharing {
  /** Messages of the external upload appear this much later. */
  readonly milliseconds: number
  /** Messages of the external upload appear only after this many calls of `files.info` that did not show them. */
  readonly lookups: number
  /** The channels in which messages appear at all, though the service said ok: all, or these. */
  readonly channels: 'all' | readonly string[]
}

export interface WorkspaceSettings {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends with `/`. Links begin with it. */
  readonly url: string
  /** Upload URLs begin with it; the ticket follows. */
  readonly uploadUrl: string
  /** `false`: a compatible server, whose identifiers are opaque text such as `general`, `team/7`, `42`. */
  readonly strictIds: boolean
  /** Methods that are not as usual: `retired` answers `method_deprecated`, `absent` 404 with a web page. */
  readonly offers: Readonly<Partial<Record<Method, 'offered' | 'retired' | 'absent'>>>
  readonly sharing: Sharing
  /** What a second completion of an upload does. */
  readonly secondCompletion: 'file_not_found' | 'shares again'
  /** What completing an upload does whose bytes never arrived: one report says that the file is then empty. */
  readonly completionWithoutBytes: 'file_not_found' | 'empty file'
  /** What becomes of the other channels when one of several is wrong. */
  readonly wrongChannel: 'fails all' | 'fails alone'
  /** More files than this in one completion answer `internal_error`. */
  readonly filesPerMessage: number
  /** How long a ticket is good for. */
  readonly ticketMilliseconds: number
  /** Calls a minute by method, for each token; `upload-bytes` for all. None: no limit. */
  readonly callsPerMinute: ReadonlyMap<string, number>
  readonly tokens: ReadonlyMap<string, Token>
  /** Names by identifier. */
  readonly users: ReadonlyMap<string, string>
  readonly conversations: readonly Conversation[]
  /** Paths of incoming webhooks and the conversation each writes to. */
  readonly webhooks: ReadonlyMap<string, string>
}

export interface Call {
  readonly token?: string | undefined
  readonly form: Form
  /** The body was JSON; `form` holds its members, those that are no text as JSON. */
  readonly json?: boolean
  /** The file part. */
  readonly file?: Received & { readonly name: string }
}

interface Upload {
  readonly id: string
  readonly name: string
  readonly length: number
  readonly token: string
  readonly user: string
  readonly until: number
  /** An upload with alternative text is reported to be taken and never shared. */
  readonly neverShared: boolean
  received: Received | undefined
  /** Set by the completion. */
  file: File | undefined
}

interface Scheduled {
  message: Message
  readonly at: number
  lookupsLeft: number
  announced: boolean
}

const defaults = {
  now: Date.now,
  url: 'https://sandbox.example/',
  uploadUrl: 'https://files.sandbox.example/upload/v1/',
  strictIds: true,
  offers: {},
  sharing: { milliseconds: 0, lookups: 0, channels: 'all' },
  secondCompletion: 'file_not_found',
  completionWithoutBytes: 'file_not_found',
  wrongChannel: 'fails all',
  filesPerMessage: 14,
  ticketMilliseconds: Number.POSITIVE_INFINITY,
  callsPerMinute: new Map(),
  tokens: new Map(),
  users: new Map(),
  conversations: [],
  webhooks: new Map(),
} satisfies WorkspaceSettings

export class Workspace {
  settings: WorkspaceSettings
  /** Told of a message when it appears. A late one is noticed when somebody looks: see `appear`. */
  onMessage: (message: Message) => void = () => {}

  readonly #conversations: Map<string, Conversation>
  readonly #uploads = new Map<string, Upload>()
  readonly #tickets = new Map<string, Upload>()
  readonly #files: File[] = []
  readonly #scheduled: Scheduled[] = []
  readonly #windows = new Map<string, { readonly start: number; calls: number }>()
  #count = 0
  #lastTs = 0

  constructor(settings: Partial<WorkspaceSettings> = {}) {
    this.settings = { ...defaults, ...settings }
    this.#conversations = new Map(this.settings.conversations.map((conversation) => [conversation.id, conversation]))
  }

  /** Changes rules while it runs. */
  set(settings: Partial<WorkspaceSettings>): void {
    this.settings = { ...this.settings, ...settings }
  }

  get conversations(): readonly Conversation[] {
    return [...this.#conversations.values()]
  }

  addConversation(conversation: Conversation): void {
    this.#conversations.set(conversation.id, conversation)
  }

  /** Every file that was posted or completed, in order. */
  get files(): readonly File[] {
    return this.#files
  }

  /** The messages that people see now, in the order of their ts. */
  get messages(): readonly Message[] {
    return this.#scheduled.filter((scheduled) => this.#shown(scheduled)).map(({ message }) => message)
  }

  /** Whether bytes kept there belong to a file, or to an upload that may still be completed. */
  holds(stored: string): boolean {
    const uploads = [...this.#uploads.values()].map(({ received }) => received)
    return [...this.#files, ...uploads].some((bytes) => bytes?.stored === stored)
  }

  /** How often each file stands in each channel, messages included that are yet to appear. */
  postings(): readonly Posting[] {
    const postings = new Map<string, Posting>()
    for (const { message } of this.#scheduled) {
      for (const { name, title, sha256 } of message.files) {
        const key = JSON.stringify([message.channel, name, title, sha256])
        const times = (postings.get(key)?.times ?? 0) + 1
        postings.set(key, { channel: message.channel, name, title, sha256, times })
      }
    }
    return [...postings.values()]
  }

  /** Tells `onMessage` of the messages that have appeared since the last time. */
  appear(): void {
    for (const scheduled of this.#scheduled) {
      if (!scheduled.announced && this.#shown(scheduled)) {
        scheduled.announced = true
        this.onMessage(scheduled.message)
      }
    }
  }

  /** One call of the Web API. */
  call(method: string, call: Call): ServiceResponse {
    const offer = methods.find((known) => known === method)
    const state = offer === undefined ? 'unknown' : (this.settings.offers[offer] ?? 'offered')
    if (state === 'absent') return notFound
    const token = call.token === undefined ? undefined : this.settings.tokens.get(call.token)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-slack-req-id': this.#id('R'),
      ...(token && !token.error && { 'x-oauth-scopes': token.scopes.join(',') }),
    }
    const limited = this.#limited(method, call.token ?? '')
    if (limited !== undefined) {
      return { status: 429, headers: { ...headers, 'retry-after': limited }, json: { ok: false, error: 'ratelimited' } }
    }
    try {
      if (offer === undefined) throw new Failure('unknown_method')
      if (state === 'retired') throw new Failure('method_deprecated')
      const json = this.#perform(offer, call)
      this.appear()
      return { status: 200, headers, json: { ok: true, ...json } }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.appear()
      return { status: 200, headers, json: { ok: false, error: error.message, ...error.more } }
    }
  }

  /**
   * The bytes of an upload, sent to its URL. `keep` is what the service makes of them: a fault may keep less.
   * A URL is good for one upload.
   */
  receive(ticket: string, sent: Received, keep: Received = sent): ServiceResponse {
    const limited = this.#limited('upload-bytes', '')
    if (limited !== undefined) return { ...text(429, 'Too many requests'), headers: { 'retry-after': limited } }
    const upload = this.#tickets.get(ticket)
    if (upload === undefined || upload.received !== undefined || this.settings.now() > upload.until) {
      return text(404, 'No such upload')
    }
    if (sent.length !== upload.length) return text(400, `Expected ${upload.length} bytes, got ${sent.length}`)
    upload.received = keep
    return text(200, `OK - ${sent.length}`)
  }

  /** An incoming webhook: it takes text and carries no files. */
  webhook(path: string, payload: JsonObject | undefined): ServiceResponse {
    const channel = this.settings.webhooks.get(path)
    if (channel === undefined) return text(404, 'no_service')
    if (typeof payload?.['text'] !== 'string') return text(400, 'invalid_payload')
    this.#post({ channel, user: undefined, text: payload['text'], blocks: undefined, files: [], threadTs: undefined })
    this.appear()
    return text(200, 'ok')
  }

  #perform(method: Method, call: Call): JsonObject {
    const token = this.#authorize(call)
    const form: Form =
      call.json && method !== 'files.completeUploadExternal' && method !== 'conversations.open' ? {} : call.form
    switch (method) {
      case 'auth.test':
        return {
          url: this.settings.url,
          team: 'Sandbox',
          user: token.user.toLowerCase(),
          team_id: 'T0SANDBOX0',
          user_id: token.user,
        }
      case 'files.info':
        requireScope(token, 'files:read')
        return this.#info(form)
      case 'files.delete':
        requireScope(token, 'files:write')
        return this.#delete(token, form)
      case 'conversations.info':
        return this.#conversationInfo(token, form)
      case 'conversations.open':
        requireScope(token, 'im:write')
        return this.#open(token, form)
      case 'chat.getPermalink':
        return this.#permalink(token, form)
      case 'files.getUploadURLExternal':
        requireScope(token, 'files:write')
        return this.#ticket(token, call, form)
      case 'files.completeUploadExternal':
        requireScope(token, 'files:write')
        return this.#complete(token, call, form)
      case 'files.upload':
        requireScope(token, 'files:write')
        return this.#upload(token, call, form)
    }
  }

  #authorize({ token }: Call): Token {
    if (!token) throw new Failure('not_authed')
    const known = this.settings.tokens.get(token)
    if (known === undefined) throw new Failure('invalid_auth')
    if (known.error !== undefined) throw new Failure(known.error)
    return known
  }

  #info(form: Form): JsonObject {
    const file = this.#files.find(({ id }) => id === form['file'])
    if (file === undefined) throw new Failure('file_not_found')
    const answer = { file: this.#record(file) }
    for (const scheduled of this.#scheduled) {
      if (scheduled.lookupsLeft > 0 && scheduled.message.files.includes(file)) scheduled.lookupsLeft -= 1
    }
    return answer
  }

  /** A message of which nothing is left goes as well. */
  #delete(token: Token, form: Form): JsonObject {
    const index = this.#files.findIndex(({ id }) => id === form['file'])
    const file = this.#files[index]
    if (file === undefined) throw new Failure('file_not_found')
    if (file.user !== token.user) throw new Failure('cant_delete_file')
    this.#files.splice(index, 1)
    for (const scheduled of [...this.#scheduled]) {
      const { message } = scheduled
      if (!message.files.includes(file)) continue
      scheduled.message = { ...message, files: message.files.filter((one) => one !== file) }
      const empty = scheduled.message.files.length === 0 && message.text === undefined && message.blocks === undefined
      if (empty) this.#scheduled.splice(this.#scheduled.indexOf(scheduled), 1)
    }
    return {}
  }

  #conversationInfo(token: Token, form: Form): JsonObject {
    const conversation = this.#conversations.get(form['channel'] ?? '')
    if (conversation === undefined) throw new Failure('channel_not_found')
    requireScope(token, { public: 'channels:read', private: 'groups:read', direct: 'im:read' }[conversation.kind])
    const isMember = conversation.members.includes(token.user)
    if (conversation.kind !== 'public' && !isMember) throw new Failure('channel_not_found')
    const { id, name, kind } = conversation
    const isArchived = conversation.archived ?? false
    if (kind === 'direct') {
      return { channel: { id, is_im: true, is_archived: isArchived, user: other(conversation, token) ?? token.user } }
    }
    return {
      channel: {
        id,
        name,
        is_channel: true,
        is_private: kind === 'private',
        is_archived: isArchived,
        is_member: isMember,
      },
    }
  }

  #open(token: Token, form: Form): JsonObject {
    const user = form['users'] ?? ''
    if (user === '') throw new Failure('users_list_not_supplied')
    const name = this.settings.users.get(user)
    if (name === undefined) throw new Failure('user_not_found')
    const open = this.conversations.find(
      (conversation) => conversation.kind === 'direct' && other(conversation, token) === user,
    )
    if (open !== undefined) return { no_op: true, already_open: true, channel: { id: open.id } }
    if (form['prevent_creation'] === 'true' || form['prevent_creation'] === '1') return { no_op: true }
    const id = this.#id('D')
    this.addConversation({ id, name, kind: 'direct', members: [token.user, user] })
    return { channel: { id } }
  }

  #permalink(token: Token, form: Form): JsonObject {
    const channel = form['channel'] ?? ''
    this.#seen(token, channel)
    const message = this.messages.find((shown) => shown.channel === channel && shown.ts === form['message_ts'])
    if (message === undefined) throw new Failure('message_not_found')
    const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel}`
    const anchor = `p${message.ts.replace('.', '')}`
    return {
      channel,
      permalink: `${this.settings.url}archives/${encodeURIComponent(channel)}/${anchor}${thread}`,
    }
  }

  #ticket(token: Token, call: Call, form: Form): JsonObject {
    if (call.json) throw invalid('missing required field: filename')
    const name = form['filename'] ?? ''
    const length = Number(form['length'] ?? '0')
    if (name === '' || length === 0) throw new Failure('missing_argument')
    if (!Number.isSafeInteger(length) || length < 0) throw invalid('length must be a number of bytes')
    const ticket = this.#id('ticket-')
    const upload: Upload = {
      id: this.#id('F'),
      name,
      length,
      token: call.token ?? '',
      user: token.user,
      until: this.settings.now() + this.settings.ticketMilliseconds,
      neverShared: form['alt_txt'] !== undefined,
      received: undefined,
      file: undefined,
    }
    this.#uploads.set(upload.id, upload)
    this.#tickets.set(ticket, upload)
    return { upload_url: this.settings.uploadUrl + ticket, file_id: upload.id }
  }

  #complete(token: Token, call: Call, form: Form): JsonObject {
    const entries = fileEntries(form['files'])
    const channels = completionChannels(form)
    const threadTs = thread(form, channels)
    const comment = commentOf(form)
    if (entries.length > this.settings.filesPerMessage) throw new Failure('internal_error')
    const uploads = entries.map((entry) => ({ entry, upload: this.#completable(entry.id, call) }))
    const { good, failure } = this.#postable(token, channels)

    const files = uploads.map(({ entry, upload }) => {
      upload.file ??= this.#keep({
        id: upload.id,
        name: upload.name,
        title: entry.title ?? upload.name,
        user: token.user,
        received: upload.received ?? { length: 0, sha256: emptySha256 },
      })
      return upload.file
    })
    const { sharing } = this.settings
    const shared = files.filter((_, index) => !uploads[index]?.upload.neverShared)
    for (const channel of good) {
      if (shared.length === 0) continue
      this.#post({ channel, user: token.user, ...comment, files: shared, threadTs }, sharing)
    }
    if (failure) throw failure
    return { files: files.map((file) => ({ ...this.#record(file), shares: {}, channels: [], groups: [], ims: [] })) }
  }

  #completable(id: string, call: Call): Upload {
    const upload = this.#uploads.get(id)
    if (upload === undefined || upload.token !== call.token) throw new Failure('file_not_found')
    if (upload.file !== undefined) {
      if (this.settings.secondCompletion === 'shares again') return upload
      throw new Failure('file_not_found')
    }
    const missing = upload.received === undefined && this.settings.completionWithoutBytes === 'file_not_found'
    if (missing || this.settings.now() > upload.until) throw new Failure('file_not_found')
    return upload
  }

  #upload(token: Token, call: Call, form: Form): JsonObject {
    if (call.file === undefined) throw new Failure('no_file_data')
    const channels = (form['channels'] ?? '').split(',').filter((channel) => channel !== '')
    const threadTs = thread(form, channels)
    const { good, failure } = this.#postable(token, channels)
    const name = form['filename'] ?? call.file.name
    const file = this.#keep({
      id: this.#id('F'),
      name,
      title: form['title'] ?? name,
      user: token.user,
      received: call.file,
    })
    for (const channel of good) {
      this.#post(
        { channel, user: token.user, text: form['initial_comment'], blocks: undefined, files: [file], threadTs },
        { ...this.settings.sharing, milliseconds: 0, lookups: 0 },
      )
    }
    if (failure) throw failure
    return { file: this.#record(file) }
  }

  /** The channels that a message can be posted to; the failure if there is one that it cannot. */
  #postable(token: Token, channels: readonly string[]): { good: readonly string[]; failure: Failure | undefined } {
    const good: string[] = []
    let failure: Failure | undefined
    for (const channel of channels) {
      try {
        const conversation = this.#seen(token, channel)
        if (!conversation.members.includes(token.user)) throw new Failure('not_in_channel')
        if (conversation.archived) throw new Failure('is_archived')
        if (conversation.postingDenied) throw new Failure('posting_to_channel_denied')
        good.push(channel)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (this.settings.wrongChannel === 'fails all') throw error
        failure = error
      }
    }
    return { good, failure }
  }

  /** The conversation, if the token's user may know of it. */
  #seen(token: Token, channel: string): Conversation {
    const conversation = this.#conversations.get(channel)
    const wellFormed = !this.settings.strictIds || conversationId.test(channel)
    if (conversation === undefined || !wellFormed) throw new Failure('channel_not_found')
    if (conversation.kind !== 'public' && !conversation.members.includes(token.user)) {
      throw new Failure('channel_not_found')
    }
    return conversation
  }

  #keep(file: Pick<File, 'id' | 'name' | 'title' | 'user'> & { readonly received: Received }): File {
    const { received, ...rest } = file
    const kept: File = {
      ...rest,
      size: received.length,
      sha256: received.sha256,
      stored: received.stored,
      created: this.settings.now(),
    }
    this.#files.push(kept)
    return kept
  }

  #post(message: Omit<Message, 'ts'>, sharing: Sharing = defaults.sharing): void {
    if (sharing.channels !== 'all' && !sharing.channels.includes(message.channel)) return
    const at = this.settings.now() + sharing.milliseconds
    this.#lastTs = Math.max(this.#lastTs + 1, at * 1000)
    const ts = `${Math.floor(this.#lastTs / 1e6)}.${String(this.#lastTs % 1e6).padStart(6, '0')}`
    this.#scheduled.push({ message: { ts, ...message }, at, lookupsLeft: sharing.lookups, announced: false })
  }

  #shown({ at, lookupsLeft }: Scheduled): boolean {
    return lookupsLeft === 0 && at <= this.settings.now()
  }

  #record(file: File): JsonObject {
    const shown = this.messages.filter((message) => message.files.includes(file))
    const kindOf = (message: Message) => this.#conversations.get(message.channel)?.kind
    const ids = (kind: Conversation['kind']) => [
      ...new Set(shown.filter((message) => kindOf(message) === kind).map(({ channel }) => channel)),
    ]
    const shares = (messages: readonly Message[]): JsonObject => {
      const grouped: Record<string, JsonObject[]> = {}
      for (const { channel, ts, threadTs } of messages) {
        grouped[channel] ??= []
        grouped[channel].push({ ts, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) })
      }
      return grouped
    }
    const open = shown.filter((message) => kindOf(message) === 'public')
    const closed = shown.filter((message) => kindOf(message) !== 'public')
    return {
      id: file.id,
      name: file.name,
      title: file.title,
      mimetype: mimetype(file.name),
      size: file.size,
      user: file.user,
      created: Math.floor(file.created / 1000),
      permalink: `${this.settings.url}files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
      channels: ids('public'),
      groups: ids('private'),
      ims: ids('direct'),
      shares: {
        ...(open.length > 0 && { public: shares(open) }),
        ...(closed.length > 0 && { private: shares(closed) }),
      },
    }
  }

  /** Seconds to wait when the calls of this minute are used up. */
  #limited(method: string, token: string): string | undefined {
    const limit = this.settings.callsPerMinute.get(method)
    if (limit === undefined) return undefined
    const now = this.settings.now()
    const key = `${method} ${token}`
    let window = this.#windows.get(key)
    if (window === undefined || now >= window.start + 60_000) {
      window = { start: now, calls: 0 }
      this.#windows.set(key, window)
    }
    window.calls += 1
    return window.calls > limit ? String(Math.ceil((window.start + 60_000 - now) / 1000)) : undefined
  }

  #id(prefix: string): string {
    this.#count += 1
    return prefix + this.#count.toString(36).toUpperCase().padStart(10, '0')
  }
}

const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const text = (status: number, body: string): ServiceResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  text: body,
})

/** What a web server says that knows nothing of the path. */
export const notFound: ServiceResponse = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text: '<!doctype html><title>Not found</title><h1>Not found</h1>\n',
}

function requireScope(token: Token, needed: string): void {
  if (token.scopes.includes(needed)) return
  throw new Failure('missing_scope', { needed, provided: token.scopes.join(',') })
}

function other(conversation: Conversation, token: Token): string | undefined {
  if (!conversation.members.includes(token.user)) return undefined
  return conversation.members.find((member) => member !== token.user)
}

const mimetypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
}

/** By the name's extension. */
export function mimetype(name: string): string {
  return mimetypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
