/**
 * State and rules of a messaging service, without HTTP, timers or disk. The clock is a parameter,
 * so that a delivery can run on virtual time.
 */
import { Failure, requireScope } from './arguments.ts'
import { Chat } from './chat.ts'
import { Conversations } from './conversations.ts'
import type { Conversation, File, Message, Received, Token } from './entities.ts'
import { Files } from './files.ts'
import type { JsonObject } from './json.ts'
import { Messages, type Posting } from './messages.ts'
import { notFound, responseOf, type ServiceResponse } from './responses.ts'
import {
  changedSettings,
  defaultSettings,
  type GivenSettings,
  type Method,
  methods,
  needs,
  team,
  type WorkspaceSettings,
} from './settings.ts'
import { type Call, Uploads } from './uploads.ts'

export type { Conversation, File, Message, Received } from './entities.ts'
export type { ServiceResponse } from './responses.ts'
export {
  atOnce,
  type GivenSettings,
  methods,
  type Sharing,
  type WorkspaceSettings,
} from './settings.ts'

export class Workspace {
  settings: WorkspaceSettings

  readonly #conversations: Conversations
  readonly #messages: Messages
  readonly #files: Files
  readonly #uploads: Uploads
  readonly #chat: Chat
  readonly #windows = new Map<string, { readonly start: number; readonly calls: number }>()
  #count = 0

  constructor(settings: GivenSettings = {}) {
    this.settings = changedSettings(defaultSettings, settings)
    this.#conversations = new Conversations(this)
    this.#messages = new Messages(this)
    this.#files = new Files(this, this.#conversations, this.#messages)
    this.#uploads = new Uploads(this, this.#conversations, this.#files, this.#messages)
    this.#chat = new Chat(this, this.#conversations, this.#messages)
  }

  set(settings: GivenSettings): void {
    this.settings = changedSettings(this.settings, settings)
  }

  /** Called when a message appears. Late ones are noticed at the next call, or by `announce`. */
  set onMessage(listener: (message: Message) => void) {
    this.#messages.onMessage = listener
  }

  get conversations(): readonly Conversation[] {
    return this.#conversations.all
  }

  addConversation(conversation: Conversation): void {
    this.#conversations.add(conversation)
  }

  /** In the order of posting or completion. */
  get files(): readonly File[] {
    return this.#files.all
  }

  /** Visible ones, by ts. */
  get messages(): readonly Message[] {
    return this.#messages.shown
  }

  /** The stored bytes belong to a file, or to an upload that may still be completed. */
  holds(stored: string): boolean {
    return this.files.some((file) => file.stored === stored) || this.#uploads.holds(stored)
  }

  /** Late messages included. */
  postings(): readonly Posting[] {
    return this.#messages.postings()
  }

  /** Passes new visible messages to `onMessage`. */
  announce(): void {
    this.#messages.announce()
  }

  /** One call of the Web API. */
  call(method: string, call: Call): ServiceResponse {
    const known = methods.find((name) => name === method)
    const offer = known === undefined ? 'unknown' : (this.settings.offers[known] ?? 'offered')
    if (offer === 'absent') return notFound
    const token = call.token === undefined ? undefined : this.settings.tokens.get(call.token)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-slack-req-id': this.newId('R'),
      ...(token &&
        !token.error && {
          'x-oauth-scopes':
            this.settings.scopeNames === 'classic' ? 'identify,bot:basic' : token.scopes.join(','),
        }),
    }
    const wait = this.#rateLimit(method, call.token ?? '')
    const limited = { status: 429, headers: { ...headers, 'retry-after': wait ?? '' } }
    if (wait !== undefined && !this.carriesOut(limited))
      return { ...limited, json: { ok: false, error: 'ratelimited' } }
    try {
      if (known === undefined) throw new Failure('unknown_method')
      if (offer === 'retired') throw new Failure('method_deprecated')
      const json = this.#perform(known, call)
      if (wait !== undefined) return { ...limited, json: { ok: false, error: 'ratelimited' } }
      return { status: 200, headers, json: { ok: true, ...json } }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { status: 200, headers, json: { ok: false, error: error.message, ...error.more } }
    } finally {
      this.announce()
    }
  }

  /** A call with this response, from a fault or a limit, is carried out all the same. */
  carriesOut({ status }: Pick<ServiceResponse, 'status'>): boolean {
    return status === 429 && this.settings.rateLimited === 'carried out'
  }

  /** Milliseconds since 1970: when the last message so far appears. */
  get settledAt(): number {
    return this.#messages.settledAt
  }

  /**
   * The bytes of an upload.
   *
   * @param keep the part that the service keeps
   * @param milliseconds that they took
   */
  receive(
    ticket: string,
    sent: Received,
    keep: Received = sent,
    milliseconds = 0,
  ): ServiceResponse {
    if (milliseconds > this.settings.uploadMilliseconds) {
      // Like CloudFront before Slack's hosts.
      return responseOf(504, {
        html: '<html><title>ERROR: The request could not be satisfied</title></html>',
      })
    }
    const wait = this.#rateLimit('upload-bytes', '')
    if (wait !== undefined)
      return responseOf(429, { text: 'Too many requests' }, { 'retry-after': wait })
    return this.#uploads.receive(ticket, sent, keep)
  }

  newId(prefix: string): string {
    this.#count += 1
    return prefix + this.#count.toString(36).toUpperCase().padStart(10, '0')
  }

  #perform(method: Method, call: Call): JsonObject {
    const token = this.#authorize(call.token)
    // Only `files.upload` was never documented to take JSON.
    const { form } = method === 'files.upload' && call.json ? { form: {} } : call
    const { scope, team: needsTeam } = needs[method]
    if (scope !== undefined) requireScope(token, scope)
    if (token.organizationWide && needsTeam) {
      if (form['team_id'] === undefined) throw new Failure('missing_argument', { arg: 'team_id' })
      if (form['team_id'] !== team.id) throw new Failure('team_access_not_granted')
    }
    const perform: Readonly<Record<Method, () => JsonObject>> = {
      'auth.test': () => this.#identity(token),
      'chat.delete': () => this.#chat.delete(token, form),
      'chat.getPermalink': () => this.#chat.permalink(token, form),
      'chat.postMessage': () => this.#chat.postMessage(token, form),
      'conversations.info': () => this.#conversations.info(token, form),
      'conversations.open': () => this.#conversations.open(token, form),
      'files.completeUploadExternal': () => this.#uploads.complete(token, call),
      'files.delete': () => this.#files.delete(token, form),
      'files.getUploadURLExternal': () => this.#uploads.getUploadUrl(token, call),
      'files.info': () => this.#files.info(token, form, this.#uploads.pending(token, form['file'])),
      'files.upload': () => this.#uploads.upload(token, { ...call, form }),
      'users.conversations': () => this.#conversations.list(token, form),
    }
    return perform[method]()
  }

  #authorize(token: string | undefined): Token {
    if (!token) throw new Failure('not_authed')
    const known = this.settings.tokens.get(token)
    if (known === undefined) throw new Failure('invalid_auth')
    if (known.error !== undefined) throw new Failure(known.error)
    return known
  }

  #identity({ bot, organizationWide = false, user }: Token): JsonObject {
    return {
      url: this.settings.url,
      team: team.name,
      user: user.toLowerCase(),
      team_id: team.id,
      user_id: user,
      ...(bot !== undefined && { bot_id: bot }),
      ...(organizationWide && { enterprise_id: team.organization }),
      is_enterprise_install: organizationWide,
    }
  }

  /** Seconds to wait, if this minute's calls are used up. */
  #rateLimit(method: string, token: string): string | undefined {
    const limit = this.settings.callsPerMinute.get(method)
    if (limit === undefined) return undefined
    const now = this.settings.now()
    const key = `${method} ${token}`
    const last = this.#windows.get(key)
    const window = last && now < last.start + 60_000 ? last : { start: now, calls: 0 }
    this.#windows.set(key, { ...window, calls: window.calls + 1 })
    return window.calls >= limit
      ? String(Math.ceil((window.start + 60_000 - now) / 1000))
      : undefined
  }
}
