/**
 * The rules of a workspace. Where the real service is known to be strict, the sandbox is strict by
 * default; where its behavior is unknown or varies, a rule selects it.
 */
import type { Conversation, Token } from './entities.ts'

/**
 * What `missing_scope` says is needed, in the recorded words: names from before 2020, or scopes of
 * which one is enough.
 */
const oldNames = {
  'chat:write': 'chat:write:bot',
  'files:write': 'files:write:user',
  'im:write': 'channels:write,groups:write,mpim:write,im:write',
} as const

/** As the service words it. */
export const neededFor = (scope: string): string =>
  Object.entries(oldNames).find(([name]) => name === scope)?.[1] ?? scope

/**
 * `get`: GET does as well as POST. `team`: an organization-wide token, which is for many
 * workspaces, needs `team_id`.
 */
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

/**
 * The answers to questions about the service that nobody outside of it can answer for sure, the
 * default first.
 */
const answers = {
  /**
   * How `files.info` responds for an upload that is not completed; `shown`: as soon as it has its
   * bytes.
   */
  recordBeforeCompletion: ['file_not_found', 'shown'],
  /** `ok`: as the first one, and nothing more is posted. */
  secondCompletion: ['file_not_found', 'ok', 'shares again'],
  /**
   * How a completion responds if the bytes never arrived: one report says that the file is then
   * empty.
   */
  completionWithoutBytes: ['file_not_found', 'empty file'],
  /** What happens to the other channels if one of several is invalid. */
  wrongChannel: ['fails all', 'fails alone'],
  /**
   * How a file record shows a group direct conversation. `listed`: without a ts. `late`: 40 s after
   * the message.
   */
  groupShares: ['with ts', 'listed', 'late'],
  /** What becomes of a call that is answered with 429. */
  rateLimited: ['refused', 'carried out'],
  /** The size that a processed record names. Slack takes metadata out of photos. */
  jpegSize: ['changed', 'as sent'],
  textSize: ['as sent', 'changed'],
  /** Whether the response to a completion has the messages that appear at once. */
  completionShares: ['hidden', 'shown'],
  /** How a record writes `groups` and `reply_users` without members. */
  emptyLists: ['[]', '{}'],
  /**
   * What `x-oauth-scopes` names: the scopes of the token, or those of a classic app, which may do
   * everything.
   */
  scopeNames: ['granular', 'classic'],
  /**
   * Whether a conversation is still found by the ID that it had before it was shared with another
   * organization.
   */
  formerIds: ['channel_not_found', 'found'],
} as const

type Answers = { readonly [Name in keyof typeof answers]: (typeof answers)[Name][number] }

/**
 * When the service knows and has processed a file of the external upload: milliseconds after its
 * completion.
 */
export interface Processing {
  /** Before it, `files.info` fails with `file_not_found`. */
  readonly known: number
  /** Before it, the record has no type, no preview and no content. */
  readonly processed: number
}

/** When messages of the external upload appear; all others appear at once. */
export interface Sharing {
  /** They appear this much later. */
  readonly milliseconds: number
  /** They appear only after this many calls of `files.info` that did not show them. */
  readonly lookups: number
  /** The channels in which they appear at all, although the response was ok. */
  readonly channels: 'all' | readonly string[]
}

export interface WorkspaceSettings extends Answers {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends with `/`. Links begin with it. */
  readonly url: string
  /** Upload URLs begin with it; the ticket follows. */
  readonly uploadUrl: string
  /**
   * `false`: a compatible server, whose identifiers are opaque text such as `general`, `team/7`,
   * `42`.
   */
  readonly strictIds: boolean
  /**
   * Methods that are not offered: `retired` fails with `method_deprecated`, `absent` with 404 and a
   * web page.
   */
  readonly offers: Readonly<Partial<Record<Method, 'offered' | 'retired' | 'absent'>>>
  readonly processing: Processing
  readonly sharing: Sharing
  /** Bytes of a text that `files.info` shows; the real limit is not known. */
  readonly maxContent: number
  /** The first bytes of a file, as they were stored. */
  readonly read: (stored: string, bytes: number) => Uint8Array
  /**
   * Arguments that some services, such as GovSlack, do not support. `refused`: `invalid_arguments`.
   */
  readonly completionArguments: Readonly<
    Record<'channels' | 'blocks', 'supported' | 'ignored' | 'refused'>
  >
  /** The number of `shares` in a file record; `has_more_shares` marks a record that was cut off. */
  readonly maxShares: number
  readonly ticketMilliseconds: number
  /** The bytes of an upload that take longer get a web page with 504. Reported: 30 s. */
  readonly uploadMilliseconds: number
  /** Calls per minute by method, for each token; `upload-bytes` for all. None: no limit. */
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

/**
 * `sharing` and `processing` may be one number of milliseconds, and parts of groups may be left
 * out.
 */
export type GivenSettings = Partial<
  Omit<WorkspaceSettings, 'processing' | 'sharing'> & {
    readonly processing: number | Partial<Processing>
    readonly sharing: number | Partial<Sharing>
  }
>

/** Turns off what takes time: messages and records are there at once, and records are short. */
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
  /** The rules in force: they can change while the workspace runs. */
  readonly settings: WorkspaceSettings
  newId(prefix: string): string
}
