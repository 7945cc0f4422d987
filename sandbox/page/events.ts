/**
 * What the page receives, as server-sent events: `state` at each connection, then `message` and
 * `request`.
 */
import type { RecordedRequest } from '../requests.ts'
import type { Conversation, Message, File as PostedFile } from '../workspace.ts'

export interface State {
  /** Names of users by identifier. */
  readonly users: Readonly<Record<string, string>>
  readonly conversations: readonly Conversation[]
  /** The user that the app posts as. */
  readonly app: string | undefined
  /** In the order of their ts. */
  readonly messages: readonly ShownMessage[]
  /** The last ones that have ended, with long values cut. */
  readonly requests: readonly RecordedRequest[]
}

export interface Posted {
  readonly message: ShownMessage
  /** It may be a new one. */
  readonly conversation: Conversation
}

export interface ShownMessage extends Omit<Message, 'files'> {
  readonly files: readonly ShownFile[]
}

export interface ShownFile extends Pick<PostedFile, 'id' | 'name' | 'title' | 'size'> {
  readonly mimetype: string
}
