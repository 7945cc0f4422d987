/** What a workspace holds. */
import type { Json } from './json.ts'

export interface Token {
  /** The user, or the bot's user, that it belongs to. */
  readonly user: string
  /** The ID of the bot; none for a person's token. */
  readonly bot?: string
  readonly scopes: readonly string[]
  /** It is for all workspaces of an organization. */
  readonly organizationWide?: boolean
  /** The error code of every call with it, such as `token_revoked`. */
  readonly error?: string
}

export interface Conversation {
  readonly id: string
  readonly name: string
  /** `group`: a direct conversation of several people. */
  readonly kind: 'public' | 'private' | 'direct' | 'group'
  /** With another organization. */
  readonly shared?: boolean
  /** Before it was shared. */
  readonly formerId?: string
  /** IDs of users. */
  readonly members: readonly string[]
  readonly archived?: boolean
  readonly postingDenied?: boolean
  /** The error code of a message without files, such as `restricted_action_read_only_channel`. */
  readonly refusesTexts?: string
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
  /** As it was sent. */
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
  readonly user: string
  /** As it was sent. Beside blocks, it is what a notification says. */
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
  readonly files: readonly File[]
  readonly threadTs: string | undefined
  /** The method that posted it, if Slack does not offer that. */
  readonly by?: 'files.upload'
}
