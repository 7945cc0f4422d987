import type { Json } from './json.ts'

export interface Token {
  /** The person, or the bot's user. */
  readonly user: string
  /** The bot's ID. */
  readonly bot?: string
  readonly scopes: readonly string[]
  /** For all workspaces of an organization. */
  readonly organizationWide?: boolean
  /** The error code of every call, like `token_revoked`. */
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
  /** The error code of a message without files, like `restricted_action_read_only_channel`. */
  readonly refusesTexts?: string
}

export interface Received {
  readonly length: number
  /** Hexadecimal. */
  readonly sha256: string
  /** Where the caller keeps them. */
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

export interface Message {
  readonly ts: string
  readonly channel: string
  readonly user: string
  /** As sent. Beside blocks, it is for notifications. */
  readonly text: string | undefined
  readonly blocks: readonly Json[] | undefined
  readonly files: readonly File[]
  readonly threadTs: string | undefined
  /** The method, if Slack does not offer it. */
  readonly by?: 'files.upload'
}
