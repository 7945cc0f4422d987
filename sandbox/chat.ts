/** Messages without files, by `chat.postMessage`, and links to messages. */
import { blocksOf, Failure, type Form, thread } from './arguments.ts'
import type { Conversations } from './conversations.ts'
import type { Message, Token } from './entities.ts'
import type { JsonObject } from './json.ts'
import type { Messages } from './messages.ts'
import type { Context } from './settings.ts'

const atOnce = { milliseconds: 0, lookups: 0, channels: 'all' } as const

export class Chat {
  readonly #context: Context
  readonly #conversations: Conversations
  readonly #messages: Messages

  constructor(context: Context, conversations: Conversations, messages: Messages) {
    this.#context = context
    this.#conversations = conversations
    this.#messages = messages
  }

  /** https://docs.slack.dev/reference/methods/chat.postMessage, by ID only. */
  postMessage(token: Token, form: Form): JsonObject {
    const { id, refusesTexts } = this.#conversations.forPosting(
      token,
      form['channel'] ?? '',
      'restricted_action',
    )
    const threadTs = thread(form, [id])
    const blocks = blocksOf(form)
    const text = form['text'] || undefined
    if (text === undefined && blocks === undefined) throw new Failure('no_text')
    if (refusesTexts !== undefined) throw new Failure(refusesTexts)
    const ts = this.#messages.post(
      { channel: id, user: token.user, text, blocks, files: [], threadTs },
      atOnce,
    )
    const message: JsonObject = {
      type: 'message',
      user: token.user,
      ...(token.bot !== undefined && { bot_id: token.bot }),
      ts,
      text: text ?? '',
      ...(blocks && { blocks: [...blocks] }),
      ...(threadTs !== undefined && { thread_ts: threadTs }),
    }
    return { channel: id, ts, message }
  }

  /** https://docs.slack.dev/reference/methods/chat.delete */
  delete(token: Token, form: Form): JsonObject {
    const message = this.#find(token, form, 'ts')
    if (message.user !== token.user) throw new Failure('cant_delete_message')
    this.#messages.remove(message)
    return { channel: message.channel, ts: message.ts }
  }

  /** https://docs.slack.dev/reference/methods/chat.getPermalink */
  permalink(token: Token, form: Form): JsonObject {
    const { channel, threadTs, ts } = this.#find(token, form, 'message_ts')
    const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel}`
    const { url } = this.#context.settings
    return {
      channel,
      permalink: `${url}archives/${encodeURIComponent(channel)}/p${ts.replace('.', '')}${thread}`,
    }
  }

  #find(token: Token, form: Form, ts: 'ts' | 'message_ts'): Message {
    const { id } = this.#conversations.visible(token, form['channel'] ?? '')
    const message = this.#messages.shown.find(
      (shown) => shown.channel === id && shown.ts === form[ts],
    )
    if (message === undefined) throw new Failure('message_not_found')
    return message
  }
}
