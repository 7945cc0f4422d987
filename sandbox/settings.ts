/**
 * The rules of a workspace. Where the real service is known to be strict, the sandbox is strict by default; where its
 * behavior is unknown or varies, a rule selects it.
 */
import type { Conversation, Token } from './entities.ts'

/** `get`: GET does as well as POST. `team`: an organization-wide token, which is for many workspaces, needs `team_id`. */
const offered = {
  'auth.test': { get: true },
  'chat.delete': { scope: 'chat:write' },
  'chat.getPermalink': { get: true },
  'chat.postMessage': { scope: 'chat:write' },
  'conversations.info': { get: true },
  'conversations.open': { scope: 'im:write' },
  'files.completeUploadExternal': { scope: 'files:write' },
  'files.delete': { scope: 'files:write' },
  'files.getUploadURLExternal': { get: true, scope: 'files:write' },
  'files.info': { get: true, scope: 'files:read' },
  'files.list': { get: true, scope: 'files:read', team: true },
  'files.upload': { scope: 'files:write' },
  'users.conversations': { get: true, team: true },
} as const
export type Method = keyof typeof offered
export const methods = Object.keys(offered) as readonly Method[]
export const needs: Readonly<Record<Method, { readonly get?: true; readonly scope?: string; readonly team?: true }>> =
  offered

export const team = { id: 'T0SANDBOX0', name: 'Sandbox', organization: 'E0SANDBOX0' } as const

/** When messages of the external upload appear; all others appear at once. */
export interface Sharing {
  /** They appear this much later. */
  readonly milliseconds: number
  /** They appear only after this many calls of `files.info` that did not show them. */
  readonly lookups: number
  /** The channels in which they appear at all, although the response was ok. */
  readonly channels: 'all' | readonly string[]
}

/** When files appear in `files.list`. */
export interface Listing {
  /** They appear this much later. */
  readonly milliseconds: number
  /** They appear only after this many calls of `files.list` that did not list them. */
  readonly calls: number
  /** The names of the files that appear at all. */
  readonly files: 'all' | readonly string[]
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
  /** Methods that are not offered: `retired` fails with `method_deprecated`, `absent` with 404 and a web page. */
  readonly offers: Readonly<Partial<Record<Method, 'offered' | 'retired' | 'absent'>>>
  readonly sharing: Sharing
  readonly listing: Listing
  /** How `files.info` responds for an upload that is not completed; `shown`: as soon as it has its bytes. */
  readonly recordBeforeCompletion: 'file_not_found' | 'shown'
  readonly secondCompletion: 'file_not_found' | 'shares again'
  /** How a completion responds if the bytes never arrived: one report says that the file is then empty. */
  readonly completionWithoutBytes: 'file_not_found' | 'empty file'
  /** Arguments that some services, such as GovSlack, do not support. `refused`: `invalid_arguments`. */
  readonly completionArguments: Readonly<Record<'channels' | 'blocks', 'supported' | 'ignored' | 'refused'>>
  /** What happens to the other channels if one of several is invalid. */
  readonly wrongChannel: 'fails all' | 'fails alone'
  /** The number of `shares` in a file record; `has_more_shares` marks a record that was cut off. */
  readonly maxShares: number
  readonly ticketMilliseconds: number
  /** Calls per minute by method, for each token; `upload-bytes` for all. None: no limit. */
  readonly callsPerMinute: ReadonlyMap<string, number>
  readonly tokens: ReadonlyMap<string, Token>
  /** Incoming webhooks: the rest of the path, behind `/services/`, to the conversation that each one posts to. */
  readonly webhooks: ReadonlyMap<string, string>
  /** Names by ID. */
  readonly users: ReadonlyMap<string, string>
  readonly conversations: readonly Conversation[]
}

export const defaultSettings: WorkspaceSettings = {
  now: Date.now,
  url: 'https://sandbox.example/',
  uploadUrl: 'https://files.sandbox.example/upload/v1/',
  strictIds: true,
  offers: {},
  sharing: { milliseconds: 0, lookups: 0, channels: 'all' },
  listing: { milliseconds: 0, calls: 0, files: 'all' },
  recordBeforeCompletion: 'file_not_found',
  secondCompletion: 'file_not_found',
  completionWithoutBytes: 'file_not_found',
  completionArguments: { channels: 'supported', blocks: 'supported' },
  wrongChannel: 'fails all',
  maxShares: Number.POSITIVE_INFINITY,
  ticketMilliseconds: Number.POSITIVE_INFINITY,
  callsPerMinute: new Map(),
  tokens: new Map(),
  webhooks: new Map(),
  users: new Map(),
  conversations: [],
}

/** What each part of the workspace needs of the whole. */
export interface Context {
  /** The rules in force: they can change while the workspace runs. */
  readonly settings: WorkspaceSettings
  newId(prefix: string): string
}
