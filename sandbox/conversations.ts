/** Who sees conversations and may post to them, and the methods `conversations.*`. */
import { Failure, type Form, isTrue, list, requireScope, userId } from './arguments.ts'
import type { Conversation, Token } from './entities.ts'
import type { JsonObject } from './json.ts'
import type { Context } from './settings.ts'

/** The scope to read a kind, and its name in the `types` of `users.conversations`. */
const kinds = {
  public: { scope: 'channels:read', type: 'public_channel' },
  private: { scope: 'groups:read', type: 'private_channel' },
  direct: { scope: 'im:read', type: 'im' },
  group: { scope: 'mpim:read', type: 'mpim' },
} as const

export class Conversations {
  readonly #context: Context
  readonly #byId = new Map<string, Conversation>()

  constructor(context: Context) {
    this.#context = context
    for (const conversation of context.settings.conversations) this.add(conversation)
  }

  get all(): readonly Conversation[] {
    return [...this.#byId.values()]
  }

  get(id: string): Conversation | undefined {
    const isFound = ({ formerId }: Conversation) =>
      formerId === id && this.#context.settings.formerIds === 'found'
    return this.#byId.get(id) ?? this.all.find(isFound)
  }

  add(conversation: Conversation): void {
    this.#byId.set(conversation.id, conversation)
  }

  /** The token's user sees the conversation. */
  sees(token: Token, id: string): boolean {
    const conversation = this.get(id)
    return conversation?.kind === 'public' || conversation?.members.includes(token.user) === true
  }

  /** @throws Failure if the token's user does not see the conversation */
  visible(token: Token, id: string): Conversation {
    const conversation = this.get(id)
    if (conversation === undefined || !this.sees(token, id)) throw new Failure('channel_not_found')
    return conversation
  }

  /** IDs that a message can be posted to, and the failure of the others. */
  postable(
    token: Token,
    channels: readonly string[],
  ): { good: readonly string[]; failure: Failure | undefined } {
    const good: string[] = []
    let failure: Failure | undefined
    for (const channel of channels) {
      try {
        good.push(this.forPosting(token, channel, 'posting_to_channel_denied').id)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (this.#context.settings.wrongChannel === 'fails all') throw error
        failure = error
      }
    }
    return { good, failure }
  }

  /**
   * @param denial the error code where posting is denied
   * @throws Failure if the token's user may not post there
   */
  forPosting(token: Token, channel: string, denial: string): Conversation {
    const isUser = this.#context.settings.strictIds && userId.test(channel)
    const conversation = isUser ? this.#directWith(token, channel) : this.visible(token, channel)
    if (!conversation.members.includes(token.user)) throw new Failure('not_in_channel')
    if (conversation.archived) throw new Failure('is_archived')
    if (conversation.postingDenied) throw new Failure(denial)
    return conversation
  }

  info(token: Token, form: Form): JsonObject {
    const conversation = this.get(form['channel'] ?? '')
    if (conversation !== undefined) requireScope(token, kinds[conversation.kind].scope)
    return { channel: record(token, this.visible(token, form['channel'] ?? '')) }
  }

  /** `users.conversations`: with the token's user as a member. */
  list(token: Token, form: Form): JsonObject {
    const types = list(form['types'] ?? 'public_channel').map((type) => type.trim())
    for (const type of types) {
      const kind = Object.values(kinds).find((known) => known.type === type)
      if (kind === undefined) throw new Failure('invalid_types')
      requireScope(token, kind.scope)
    }
    const limit = Number(form['limit'] || '100')
    if (!Number.isInteger(limit) || limit < 1 || limit > 999) throw new Failure('invalid_limit')
    const start = Number((form['cursor'] ?? '').replace(/^next:/, ''))
    if (!Number.isInteger(start)) throw new Failure('invalid_cursor')
    const found = this.all
      .filter(
        ({ kind, members }) => types.includes(kinds[kind].type) && members.includes(token.user),
      )
      .filter(({ archived }) => !archived || !isTrue(form['exclude_archived']))
    const end = start + limit
    return {
      channels: found.slice(start, end).map((conversation) => record(token, conversation)),
      response_metadata: { next_cursor: end < found.length ? `next:${end}` : '' },
    }
  }

  open(token: Token, form: Form): JsonObject {
    const user = form['users'] ?? ''
    if (user === '') throw new Failure('users_list_not_supplied')
    if (!this.#context.settings.users.has(user)) throw new Failure('user_not_found')
    const open = this.#findDirect(token, user)
    if (open !== undefined) return { no_op: true, already_open: true, channel: { id: open.id } }
    if (isTrue(form['prevent_creation'])) return { no_op: true }
    return { channel: { id: this.#directWith(token, user).id } }
  }

  #findDirect(token: Token, user: string): Conversation | undefined {
    return this.all.find(
      (conversation) => conversation.kind === 'direct' && partner(token, conversation) === user,
    )
  }

  #directWith(token: Token, user: string): Conversation {
    const open = this.#findDirect(token, user)
    if (open !== undefined) return open
    const name = this.#context.settings.users.get(user)
    if (name === undefined) throw new Failure('channel_not_found')
    const direct: Conversation = {
      id: this.#context.newId('D'),
      name,
      kind: 'direct',
      members: [token.user, user],
    }
    this.add(direct)
    return direct
  }
}

/** https://docs.slack.dev/reference/objects/conversation-object */
function record(token: Token, conversation: Conversation): JsonObject {
  const { id, name, kind, archived = false, members, shared = false } = conversation
  if (kind === 'direct') {
    return {
      id,
      is_im: true,
      is_archived: archived,
      user: partner(token, conversation) ?? token.user,
    }
  }
  return {
    id,
    name,
    is_channel: kind !== 'group',
    is_group: false,
    is_im: false,
    is_mpim: kind === 'group',
    is_private: kind !== 'public',
    is_shared: shared,
    is_ext_shared: shared,
    is_archived: archived,
    is_member: members.includes(token.user),
  }
}

/** The other member of a direct conversation. */
function partner(token: Token, { members }: Conversation): string | undefined {
  return members.includes(token.user) ? members.find((member) => member !== token.user) : undefined
}
