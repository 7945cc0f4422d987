/**
 * The rules of a workspace. By default, it is as strict as the real service is known to be. Where
 * that is unknown or varies, a rule selects the behavior.
 */
import type { Conversation, Token } from './entities.ts'

/** `needed` of `missing_scope`, as recorded: names from before 2020, or alternative scopes. */
const oldNames = {
  'chat:write': 'chat:write:bot',
  'files:write': 'files:write:user',
  'im:write': 'channels:write,groups:write,mpim:write,im:write',
} as const

export const neededFor = (scope: string): string =>
  Object.entries(oldNames).find(([name]) => name === scope)?.[1] ?? scope

/** `get`: GET works too. `team`: an organization-wide token needs `team_id`. */
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
  'files.upload': { scope: 'files:write' },
  'users.conversations': { get: true, team: true },
} as const
export type Method = keyof typeof offered
export const methods = Object.keys(offered) as readonly Method[]
export const needs: Readonly<
  Record<Method, { readonly get?: true; readonly scope?: string; readonly team?: true }>
> = offered

export const team = { id: 'T0SANDBOX0', name: 'Sandbox', organization: 'E0SANDBOX0' } as const

/** Possible behaviors where the real one is not known for sure, the default first. */
const answers = {
  /** `files.info` of an incomplete upload. `shown`: as soon as it has its bytes. */
  recordBeforeCompletion: ['file_not_found', 'shown'],
  /** `ok`: like the first, and posts nothing more. */
  secondCompletion: ['file_not_found', 'ok', 'shares again'],
  /** A completion if the bytes never arrived. One report says that the file is then empty. */
  completionWithoutBytes: ['file_not_found', 'empty file'],
  /** The other channels if one of several is invalid. */
  wrongChannel: ['fails all', 'fails alone'],
  /** A group direct conversation in a record. `listed`: without a ts. `late`: after 40 s. */
  groupShares: ['with ts', 'listed', 'late'],
  /** A call with response 429. */
  rateLimited: ['refused', 'carried out'],
  /** The size in a processed record. Slack removes metadata of photos. */
  jpegSize: ['changed', 'as sent'],
  textSize: ['as sent', 'changed'],
  /** Messages that appear at once, in the response to a completion. */
  completionShares: ['hidden', 'shown'],
  /** Empty `groups` and `reply_users` in a record. */
  emptyLists: ['[]', '{}'],
  /** `x-oauth-scopes` of the token, or of a classic app, which may do everything. */
  scopeNames: ['granular', 'classic'],
  /** A conversation by the ID from before it was shared with another organization. */
  formerIds: ['channel_not_found', 'found'],
} as const

type Answers = { readonly [Name in keyof typeof answers]: (typeof answers)[Name][number] }

/** Milliseconds after the completion of an external upload. */
export interface Processing {
  /** Before it, `files.info` fails with `file_not_found`. */
  readonly known: number
  /** Before it, the record has no type, no preview and no content. */
  readonly processed: number
}

/** Of messages of the external upload; all others appear at once. */
export interface Sharing {
  /** They appear this much later. */
  readonly milliseconds: number
  /** They appear after this many calls of `files.info` without them. */
  readonly lookups: number
  /** They never appear in others, although the response was ok. */
  readonly channels: 'all' | readonly string[]
}

export interface WorkspaceSettings extends Answers {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends with `/`. Links begin with it. */
  readonly url: string
  /** Upload URLs begin with it; the ticket follows. */
  readonly uploadUrl: string
  /** `false`: a compatible server with opaque IDs, like `general`, `team/7`, `42`. */
  readonly strictIds: boolean
  /** `retired` fails with `method_deprecated`, `absent` with 404 and a web page. */
  readonly offers: Readonly<Partial<Record<Method, 'offered' | 'retired' | 'absent'>>>
  readonly processing: Processing
  readonly sharing: Sharing
  /** Bytes of a text in `files.info`; the real limit is unknown. */
  readonly maxContent: number
  /** The first bytes of a stored file. */
  readonly read: (stored: string, bytes: number) => Uint8Array
  /** Some services, like GovSlack, lack them. `refused`: `invalid_arguments`. */
  readonly completionArguments: Readonly<
    Record<'channels' | 'blocks', 'supported' | 'ignored' | 'refused'>
  >
  /** Number of `shares` in a record; `has_more_shares` marks a cut one. */
  readonly maxShares: number
  readonly ticketMilliseconds: number
  /** Bytes that take longer get a web page with 504. Reported: 30 s. */
  readonly uploadMilliseconds: number
  /** Per method and token; `upload-bytes` for all tokens. Default: no limit. */
  readonly callsPerMinute: ReadonlyMap<string, number>
  readonly tokens: ReadonlyMap<string, Token>
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
  processing: { known: 300, processed: 1_200 },
  sharing: { milliseconds: 1_500, lookups: 0, channels: 'all' },
  maxContent: 2 ** 20,
  read: () => new Uint8Array(),
  completionArguments: { channels: 'supported', blocks: 'supported' },
  recordBeforeCompletion: 'file_not_found',
  secondCompletion: 'file_not_found',
  completionWithoutBytes: 'file_not_found',
  wrongChannel: 'fails all',
  groupShares: 'with ts',
  rateLimited: 'refused',
  jpegSize: 'changed',
  textSize: 'as sent',
  completionShares: 'hidden',
  emptyLists: '[]',
  scopeNames: 'granular',
  formerIds: 'channel_not_found',
  maxShares: Number.POSITIVE_INFINITY,
  ticketMilliseconds: Number.POSITIVE_INFINITY,
  uploadMilliseconds: Number.POSITIVE_INFINITY,
  callsPerMinute: new Map(),
  tokens: new Map(),
  users: new Map(),
  conversations: [],
}

/** `sharing` and `processing` may be one number of milliseconds; parts of groups are optional. */
export type GivenSettings = Partial<
  Omit<WorkspaceSettings, 'processing' | 'sharing'> & {
    readonly processing: number | Partial<Processing>
    readonly sharing: number | Partial<Sharing>
  }
>

/** Messages and records are there at once, and records are short. */
export const atOnce = {
  sharing: 0,
  processing: 0,
  maxContent: 1_000,
} as const satisfies GivenSettings

export function changedSettings(
  current: WorkspaceSettings,
  { completionArguments, processing, sharing, ...others }: GivenSettings,
): WorkspaceSettings {
  const times =
    typeof processing === 'number' ? { known: processing, processed: processing } : processing
  const shown = typeof sharing === 'number' ? { milliseconds: sharing } : sharing
  return {
    ...current,
    ...others,
    completionArguments: { ...current.completionArguments, ...completionArguments },
    processing: { ...current.processing, ...times },
    sharing: { ...current.sharing, ...shown },
  }
}

/** What each part of the workspace needs of the whole. */
export interface Context {
  /** They can change while the workspace runs. */
  readonly settings: WorkspaceSettings
  newId(prefix: string): string
}
