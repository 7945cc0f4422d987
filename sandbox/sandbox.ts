/** A messaging service on this machine. Nothing is kept after it stops. */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Conversation, Token } from './entities.ts'
import { type Server, type ServerOptions, serve } from './server.ts'
import { type GivenSettings, Workspace } from './workspace.ts'

export interface SandboxOptions
  extends Omit<GivenSettings, 'tokens' | 'users' | 'conversations' | 'url' | 'uploadUrl' | 'read'>,
    Partial<Pick<ServerOptions, 'port' | 'tls' | 'page' | 'bitsPerSecond'>> {}

export interface Sandbox extends Server, AsyncDisposable {
  /** For `base-url`. */
  readonly baseUrl: string
  readonly tokens: Readonly<Record<keyof typeof rights, string>>
  /** Identifiers of conversations. */
  readonly channels: Readonly<Record<keyof typeof conversations, string>>
  /** IDs of a user with a direct conversation with the app, and of one without. */
  readonly users: typeof users
}

const users = {
  app: 'U0APPUSER00',
  person: 'U0PERSON000',
  reviewer: 'U0REVIEWER0',
  newcomer: 'U0NEWCOMER0',
} as const

const app = (...scopes: readonly string[]): Token => ({
  user: users.app,
  bot: 'B0APPBOT000',
  scopes,
})
const allScopes = [
  'files:write',
  'files:read',
  'channels:read',
  'groups:read',
  'im:read',
  'im:write',
  'mpim:read',
  'chat:write',
]

const rights = {
  all: app(...allScopes),
  files: app('files:write', 'files:read'),
  uploadOnly: app('files:write'),
  noScopes: app(),
  publicChannels: app('files:write', 'files:read', 'channels:read'),
  organization: { ...app(...allScopes), organizationWide: true },
  /** A person's. */
  user: { user: users.person, scopes: allScopes },
  revoked: { ...app(), error: 'token_revoked' },
  appLevel: { ...app(), error: 'not_allowed_token_type' },
  /** Of no app here. */
  unknown: { ...app(), error: 'invalid_auth' },
} satisfies Readonly<Record<string, Token>>

/** `opaque`: the ID where IDs are not strict, as on other services. */
const channel = (id: string, name: string, more: Partial<Conversation> = {}, opaque = name) => {
  const conversation: Conversation = {
    id,
    name,
    kind: 'public',
    members: [users.app, users.person],
    ...more,
  }
  return { conversation, opaque }
}

const conversations = {
  general: channel('C0GENERAL00', 'general'),
  releases: channel('C0RELEASES0', 'releases', {}, 'team/7'),
  builds: channel('C0BUILDS000', 'builds', {}, '42'),
  private: channel('G0PRIVATE00', 'private', { kind: 'private' }),
  direct: channel(
    'D0DIRECT000',
    'reviewer',
    { kind: 'direct', members: [users.app, users.reviewer] },
    '@reviewer',
  ),
  notJoined: channel('C0NOTJOINED', 'not-joined', { members: [users.person] }),
  privateNotJoined: channel('G0NOTJOINED', 'private-not-joined', {
    kind: 'private',
    members: [users.person],
  }),
  archived: channel('C0ARCHIVED0', 'archived', { archived: true }),
  postingDenied: channel('C0DENIED000', 'posting-denied', { postingDenied: true }),
  group: channel(
    'C0GROUPDM00',
    'mpdm-app--person--reviewer-1',
    { kind: 'group', members: Object.values(users) },
    '@two',
  ),
  shared: channel('C0SHARED000', 'with-partner', { shared: true, formerId: 'G0SHARED000' }),
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { bitsPerSecond = Number.POSITIVE_INFINITY, port = 0, tls, page, ...settings } = options
  const prefixes: Readonly<Record<string, string>> = { user: 'xoxp', appLevel: 'xapp' }
  const tokens = mapValues(
    rights,
    (_, name) => `${prefixes[name] ?? 'xoxb'}-${randomBytes(18).toString('hex')}`,
  )
  const isStrict = settings.strictIds ?? true
  const channels = mapValues(conversations, ({ conversation, opaque }) =>
    isStrict ? conversation.id : opaque,
  )
  const workspace = new Workspace({
    ...settings,
    read,
    tokens: new Map(
      Object.values(mapValues(rights, (token, name) => [tokens[name], token] as const)),
    ),
    users: new Map([
      [users.app, 'Reports app'],
      ...(['person', 'reviewer', 'newcomer'] as const).map((name) => [users[name], name] as const),
    ]),
    conversations: Object.values(
      mapValues(conversations, ({ conversation }, name) => ({
        ...conversation,
        id: channels[name],
      })),
    ),
  })
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const server = await serve({ workspace, folder, bitsPerSecond, port, tls, page }).catch(
    async (error) => {
      await rm(folder, { recursive: true })
      throw error
    },
  )
  const stop = async () => {
    await server.stop()
    // On Windows, files are in the folder until they are closed.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return {
    ...server,
    baseUrl: server.origin,
    tokens,
    channels,
    users,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function read(stored: string, bytes: number): Uint8Array {
  const content = Buffer.alloc(Math.min(bytes, statSync(stored).size))
  const file = openSync(stored, 'r')
  try {
    return content.subarray(0, readSync(file, content, 0, content.length, 0))
  } finally {
    closeSync(file)
  }
}

function mapValues<K extends string, V, W>(
  from: Readonly<Record<K, V>>,
  make: (value: V, key: K) => W,
): Record<K, W> {
  const entries = Object.entries(from) as [K, V][]
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<K, W>
}
