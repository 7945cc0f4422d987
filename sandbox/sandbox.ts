/** A messaging service on this machine, to try things on: everything is fresh at each start and gone after it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, type ServerOptions, serve } from './server.ts'
import { type Conversation, type Token, Workspace, type WorkspaceSettings } from './workspace.ts'

export interface SandboxOptions
  extends Partial<Omit<WorkspaceSettings, 'tokens' | 'users' | 'conversations' | 'url' | 'uploadUrl'>>,
    Partial<Pick<ServerOptions, 'port' | 'basePath' | 'tls' | 'page' | 'bitsPerSecond'>> {}

export interface Sandbox extends Server {
  /** What the action's `base-url` takes. */
  readonly baseUrl: string
  readonly tokens: ReturnType<typeof newTokens>
  /** Identifiers of conversations. */
  readonly channels: ReturnType<typeof newChannels>
  /** Identifiers of users: one whom the app has a direct conversation with, one whom it has not. */
  readonly users: typeof users
}

const users = { app: 'U0APPUSER00', person: 'U0PERSON000', reviewer: 'U0REVIEWER0', newcomer: 'U0NEWCOMER0' } as const

const allScopes = ['files:write', 'files:read', 'channels:read', 'groups:read', 'im:read', 'im:write']

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { bitsPerSecond = Number.POSITIVE_INFINITY, port = 0, basePath = '', tls, page, ...settings } = options
  const tokens = newTokens()
  const channels = newChannels(settings.strictIds ?? true)
  const workspace = new Workspace({
    ...settings,
    tokens: rights(tokens),
    users: new Map([
      [users.app, 'Reports app'],
      [users.person, 'person'],
      [users.reviewer, 'reviewer'],
      [users.newcomer, 'newcomer'],
    ]),
    conversations: conversations(channels),
  })
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const server = await serve({ workspace, folder, bitsPerSecond, port, basePath, tls, page })
  const baseUrl = server.origin + basePath
  return {
    ...server,
    baseUrl,
    tokens,
    channels,
    users,
    async stop() {
      await server.stop()
      // On Windows, a folder is not empty until its files are closed.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const secret = () => randomBytes(18).toString('hex')

function newTokens() {
  return {
    /** A bot with every scope. */
    all: `xoxb-${secret()}`,
    /** May upload and look up files. */
    files: `xoxb-${secret()}`,
    /** May upload, and not look up files. */
    uploadOnly: `xoxb-${secret()}`,
    noScopes: `xoxb-${secret()}`,
    /** May upload, look up files, and list public channels only. */
    publicChannels: `xoxb-${secret()}`,
    /** With every scope, for all workspaces of an organization. */
    organization: `xoxb-${secret()}`,
    /** A person's, with every scope. */
    user: `xoxp-${secret()}`,
    revoked: `xoxb-${secret()}`,
    expired: `xoxe.xoxb-${secret()}`,
    inactive: `xoxb-${secret()}`,
    appLevel: `xapp-${secret()}`,
    /** Of no app here. */
    unknown: `xoxb-${secret()}`,
  }
}

function rights(tokens: ReturnType<typeof newTokens>): ReadonlyMap<string, Token> {
  const app = (...scopes: readonly string[]): Token => ({ user: users.app, bot: 'B0APPBOT000', scopes })
  const refused = (error: string): Token => ({ user: users.app, scopes: [], error })
  return new Map([
    [tokens.all, app(...allScopes)],
    [tokens.files, app('files:write', 'files:read')],
    [tokens.uploadOnly, app('files:write')],
    [tokens.noScopes, app()],
    [tokens.publicChannels, app('files:write', 'files:read', 'channels:read')],
    [tokens.organization, { ...app(...allScopes), organizationWide: true }],
    [tokens.user, { user: users.person, scopes: allScopes }],
    [tokens.revoked, refused('token_revoked')],
    [tokens.expired, refused('token_expired')],
    [tokens.inactive, refused('account_inactive')],
    [tokens.appLevel, refused('not_allowed_token_type')],
  ])
}

/** The app is in the first five. If IDs are not strict, they are like those of other services. */
function newChannels(strictIds: boolean) {
  return {
    general: strictIds ? 'C0GENERAL00' : 'general',
    releases: strictIds ? 'C0RELEASES0' : 'team/7',
    builds: strictIds ? 'C0BUILDS000' : '42',
    private: strictIds ? 'G0PRIVATE00' : 'private',
    direct: strictIds ? 'D0DIRECT000' : '@reviewer',
    notJoined: strictIds ? 'C0NOTJOINED' : 'not-joined',
    privateNotJoined: strictIds ? 'G0NOTJOINED' : 'private-not-joined',
    archived: strictIds ? 'C0ARCHIVED0' : 'archived',
    postingDenied: strictIds ? 'C0DENIED000' : 'posting-denied',
  }
}

function conversations(ids: ReturnType<typeof newChannels>): readonly Conversation[] {
  const members = [users.app, users.person]
  return [
    { id: ids.general, name: 'general', kind: 'public', members },
    { id: ids.releases, name: 'releases', kind: 'public', members },
    { id: ids.builds, name: 'builds', kind: 'public', members },
    { id: ids.private, name: 'private', kind: 'private', members },
    { id: ids.direct, name: 'reviewer', kind: 'direct', members: [users.app, users.reviewer] },
    { id: ids.notJoined, name: 'not-joined', kind: 'public', members: [users.person] },
    { id: ids.privateNotJoined, name: 'private-not-joined', kind: 'private', members: [users.person] },
    { id: ids.archived, name: 'archived', kind: 'public', members, archived: true },
    { id: ids.postingDenied, name: 'posting-denied', kind: 'public', members, postingDenied: true },
  ]
}
