import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  LogLevel,
  type UsersConversationsArguments,
  type UsersConversationsResponse,
  WebClient,
} from '@slack/web-api'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { sharedFolder } from '../support/folder.ts'

const csv = 'name,lines\nmain.ts,91.2\n'
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

const path = join(sharedFolder({ 'coverage.csv': csv }), 'coverage.csv')
let sandbox: Sandbox
let client: WebClient

beforeEach(async () => {
  sandbox = await startSandbox(atOnce)
  client = new WebClient(sandbox.tokens.all, {
    slackApiUrl: `${sandbox.baseUrl}/api/`,
    // It warns of what it deprecates.
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 0 },
  })
})

afterEach(() => sandbox.stop())

const shown = () =>
  sandbox.workspace.messages.map(({ channel, files, text }) => ({
    channel,
    text,
    names: files.map(({ name }) => name),
  }))

describe('filesUploadV2 of @slack/web-api', () => {
  test('several files in one message with a comment', async () => {
    const { general } = sandbox.channels
    await client.filesUploadV2({
      channel_id: general,
      initial_comment: 'Reports',
      file_uploads: [
        { file: path, filename: 'coverage.csv' },
        { file: Buffer.from('a;b'), filename: 'naïve 漢字.csv' },
        { file: createReadStream(path), filename: 'stream.csv' },
      ],
    })
    const names = ['coverage.csv', 'naïve 漢字.csv', 'stream.csv']
    expect(shown()).toEqual([{ channel: general, text: 'Reports', names }])
    expect(sandbox.workspace.files.map((file) => file.sha256)).toEqual(
      [csv, 'a;b', csv].map(sha256),
    )
  })
})

describe('Methods of @slack/web-api', () => {
  const post = async () => {
    const { general } = sandbox.channels
    await client.filesUploadV2({
      channel_id: general,
      file: path,
      filename: 'coverage.csv',
      title: 'Coverage',
    })
    return sandbox.workspace.files.at(-1)?.id ?? ''
  }

  test('users.conversations lists the channels that the app is a member of, in pages', async () => {
    const { channels, tokens } = sandbox
    const list = async (options: UsersConversationsArguments = {}) => {
      const pages: (string | undefined)[][] = []
      for await (const page of client.paginate('users.conversations', { limit: 3, ...options })) {
        pages.push(((page as UsersConversationsResponse).channels ?? []).map(({ id }) => id))
      }
      return pages
    }
    const { archived, builds, general, postingDenied, releases, shared } = channels
    const types = 'public_channel,private_channel'
    expect((await list()).flat()).toEqual([
      general,
      releases,
      builds,
      archived,
      postingDenied,
      shared,
    ])
    const listed = [
      [general, releases],
      [builds, channels.private],
      [postingDenied, shared],
    ]
    expect(await list({ types, exclude_archived: true, limit: 2 })).toEqual(listed)
    expect(await list({ token: tokens.publicChannels, exclude_archived: true })).toHaveLength(2)
    await expect(list({ types, token: tokens.publicChannels })).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'groups:read' },
    })
    await expect(list({ token: tokens.files })).rejects.toMatchObject({
      data: { needed: 'channels:read' },
    })
  })

  test('an organization-wide token needs team_id for lists', async () => {
    await post()
    const token = sandbox.tokens.organization
    const { enterprise_id, is_enterprise_install, team_id = '' } = await client.auth.test({ token })
    expect([enterprise_id, is_enterprise_install, team_id]).toEqual([
      'E0SANDBOX0',
      true,
      'T0SANDBOX0',
    ])
    const list = client.users.conversations
    await expect(list({ token })).rejects.toMatchObject({
      data: { error: 'missing_argument', arg: 'team_id' },
    })
    await expect(list({ token, team_id: 'T0OTHER0000' })).rejects.toMatchObject({
      data: { error: 'team_access_not_granted' },
    })
    expect(await list({ token, team_id })).toMatchObject({ ok: true })
  })
})
