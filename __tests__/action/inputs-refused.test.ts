// Every value that cannot be used is refused before anything is sent, in one line that says what to write instead.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import { type ActionResult, runAction } from '../../sandbox/runner.ts'
import { errorsIn } from '../support/step.ts'

type Inputs = Readonly<Record<string, string>>

const token = `xoxb-${randomBytes(18).toString('hex')}`
const webhook = `https://hooks.slack.com/services/T0123456789/B0123456789/${randomBytes(12).toString('hex')}`
const appLevel = `xapp-${randomBytes(18).toString('hex')}`
const refresh = `xoxe-1-${randomBytes(18).toString('hex')}`

/** On Slack. */
const good: Inputs = { token, channels: 'C0123456789', files: 'report.csv', 'base-url': 'https://slack.com' }
const elsewhere: Inputs = { 'base-url': 'https://chat.example.com' }

const channelId = 'write the channel ID, such as C0123456789 (click the name of the channel, it stands at the bottom)'
const manyChannels = Array.from({ length: 101 }, (_, at) => `C${String(at).padStart(10, '0')}`).join(',')

/** The situation, the inputs that differ from good ones, and all that is said. */
const refusals: readonly (readonly [situation: string, inputs: Inputs, text: string])[] = [
  [
    'no token',
    { token: '' },
    'token is empty: does the secret exist in this repository or organization, and may this workflow read it? Write ${{ secrets.SLACK_BOT_TOKEN }}, with the name that the secret has.',
  ],
  [
    'a webhook URL as token',
    { token: webhook },
    'token is a URL. A webhook URL cannot upload files: it takes an access token, on Slack the Bot User OAuth Token (xoxb-…) of an app with the scope files:write.',
  ],
  [
    'the header value as token',
    { token: `Bearer ${token}` },
    'token begins with the word Bearer: give the token alone, the word is added when it is sent.',
  ],
  [
    'a token with a space inside',
    { token: `${token} ${token}` },
    'token has white space, a line break or another character in it that no token has: was it pasted with something else? Store it in the secret again, alone.',
  ],
  [
    'a token with a line break inside',
    { token: `${token}\n${token}` },
    'token has white space, a line break or another character in it that no token has: was it pasted with something else? Store it in the secret again, alone.',
  ],
  [
    'an app-level token on Slack',
    { token: appLevel },
    'token is an app-level token (xapp-…), which cannot upload: use the Bot User OAuth Token (xoxb-…).',
  ],
  [
    'a refresh token on Slack',
    { token: refresh },
    'token is a refresh token (xoxe-…), which cannot upload: use the access token that it is exchanged for (xoxe.xoxb-…), or switch token rotation off.',
  ],
  [
    'no channel',
    { channels: ' , \n' },
    'channels is empty: write the identifier of at least one channel, such as C0123456789. Is the variable it comes from set?',
  ],
  [
    'the name of a channel on Slack',
    { channels: '#general' },
    `channels: #general is the name of a channel: ${channelId}.`,
  ],
  [
    'a name without # on Slack',
    { channels: 'deployments' },
    `channels: deployments is not an identifier: ${channelId}.`,
  ],
  [
    'the name of a person on Slack',
    { channels: '@reviewer' },
    'channels: @reviewer is the name of a person: write the member ID, such as U0123456789 (profile, three dots, Copy member ID).',
  ],
  [
    "a channel's URL on Slack",
    { channels: 'https://app.slack.com/client/T0123456789/C9876543210' },
    'channels: https://app.slack.com/client/T0123456789/C9876543210 is not an identifier: write C9876543210.',
  ],
  [
    'a link to a message on Slack',
    { channels: 'https://team.slack.com/archives/D9876543210/p1760688662900279' },
    'channels: https://team.slack.com/archives/D9876543210/p1760688662900279 is not an identifier: write D9876543210.',
  ],
  [
    'a mention on Slack',
    { channels: '<#C9876543210|general>' },
    'channels: <#C9876543210|general> is not an identifier: write C9876543210.',
  ],
  [
    'an identifier in lower case on Slack',
    { channels: 'c9876543210' },
    'channels: c9876543210 is not an identifier: write C9876543210.',
  ],
  [
    'several wrong channels among good ones',
    { channels: 'C0123456789, #general, general' },
    `channels: #general is the name of a channel: ${channelId}; general is not an identifier: ${channelId}.`,
  ],
  [
    'the token as channel',
    { channels: token },
    'channels contains the token: take it out. The token belongs in the input token only.',
  ],
  [
    'a webhook URL as channel',
    { channels: webhook },
    `channels: a secret (not shown) is a webhook URL, which takes no files: ${channelId}.`,
  ],
  [
    'more than 100 channels on Slack',
    { channels: manyChannels },
    'channels has 101 identifiers, and a message goes to at most 100: use two steps.',
  ],
  ['no pattern', { files: ' \n' }, 'files is empty: write one pattern a line, such as reports/**/*.csv.'],
  [
    'only comments as patterns',
    { files: '# all\n  # reports' },
    'files is empty: write one pattern a line, such as reports/**/*.csv.',
  ],
  [
    'a thread-ts that lost its zeros',
    { 'thread-ts': '1760688662.9' },
    "thread-ts is 1760688662.9: write the ts of the message as text, seconds and six decimals, such as '1760688662.900279' (in quotes, because YAML would round the number).",
  ],
  [
    'a link to a message as thread-ts',
    { 'thread-ts': 'https://team.slack.com/archives/C0123456789/p1760688662900279' },
    'thread-ts is https://team.slack.com/archives/C0123456789/p1760688662900279: write the ts of the message, 1760688662.900279.',
  ],
  [
    'a thread-ts with several channels',
    { 'thread-ts': '1760688662.900279', channels: 'C0123456789 C9876543210' },
    'thread-ts goes with one channel only, and channels has 2: a thread stands in one channel. Use one step for each.',
  ],
  ['files.uploadV2 as method', { method: 'files.uploadV2' }, 'method is files.uploadV2: write external.'],
  [
    'the name of a step as method',
    { method: 'files.getUploadURLExternal' },
    'method is files.getUploadURLExternal: write external.',
  ],
  ['another method', { method: 'webhook' }, 'method is webhook: write one of auto, external, files.upload.'],
  ['a method in capitals', { method: 'Auto' }, 'method is Auto: write one of auto, external, files.upload.'],
  [
    'a base-url that is no URL',
    { 'base-url': 'https://' },
    'base-url is https://, which is no URL: write one such as https://chat.example.com.',
  ],
  [
    'a base-url without scheme',
    { 'base-url': 'chat.example.com' },
    'base-url is chat.example.com, which has no scheme: write https://chat.example.com.',
  ],
  [
    'a base-url without scheme, with a port and /api',
    { 'base-url': 'chat.example.com:8443/api' },
    'base-url is chat.example.com:8443/api, which has no scheme: write https://chat.example.com:8443.',
  ],
  [
    'a base-url on this machine without scheme',
    { 'base-url': 'localhost:8080' },
    'base-url is localhost:8080, which has no scheme: write http://localhost:8080.',
  ],
  [
    'a base-url that is where people read',
    { 'base-url': 'https://app.slack.com/client/T0123456789' },
    'base-url is app.slack.com, which is for people, not for uploads: write https://slack.com.',
  ],
  [
    'a base-url by http',
    { 'base-url': 'http://chat.example.com/team' },
    'base-url is http://chat.example.com/team, and the token travels by https only (by http only on this machine): write https://chat.example.com/team.',
  ],
  [
    'a base-url by ftp',
    { 'base-url': 'ftp://chat.example.com' },
    'base-url is ftp://chat.example.com, and the token travels by https only (by http only on this machine): write https://chat.example.com.',
  ],
  [
    'a base-url whose name only begins like this machine',
    { 'base-url': 'http://localhost.example.com' },
    'base-url is http://localhost.example.com, and the token travels by https only (by http only on this machine): write https://localhost.example.com.',
  ],
  [
    'a base-url with a password',
    { 'base-url': 'https://me:made-up-password@chat.example.com' },
    'base-url has a user or password in it: write it without, the token goes into the input token.',
  ],
  [
    'a base-url with a password and without scheme',
    { 'base-url': 'me:made-up-password@chat.example.com' },
    'base-url has a user or password in it: write it without, the token goes into the input token.',
  ],
  [
    'a base-url with a query, which may be a secret',
    { 'base-url': 'https://chat.example.com/team?key=made-up-secret' },
    'base-url is https://chat.example.com/team with a query behind it: write https://chat.example.com/team.',
  ],
  [
    'a base-url with a fragment',
    { 'base-url': 'https://chat.example.com/#team' },
    'base-url is https://chat.example.com/ with a fragment behind it: write https://chat.example.com.',
  ],
  [
    'a base-url that ends in /api',
    { 'base-url': 'https://slack.com/api/' },
    'base-url is https://slack.com/api/, and the action adds /api and the method itself: write https://slack.com.',
  ],
  [
    'a base-url that ends in the method',
    { 'base-url': 'https://chat.example.com/team/api/files.upload' },
    'base-url is https://chat.example.com/team/api/files.upload, and the action adds /api and the method itself: write https://chat.example.com/team.',
  ],
  [
    'the host of webhooks as base-url',
    { 'base-url': webhook },
    'base-url is the host of webhooks, which take no files: write https://slack.com, and an access token as token.',
  ],
  [
    'a working-directory that does not exist',
    { 'working-directory': 'packages/app' },
    'working-directory is packages/app, which is not there: write a folder that exists, such as packages/app, from the workspace on. Is there a checkout before this step?',
  ],
  [
    'a working-directory that is a file',
    { 'working-directory': 'report.csv' },
    'working-directory is report.csv, which is no folder: write a folder that exists, such as packages/app, from the workspace on. Is there a checkout before this step?',
  ],
  [
    'a working-directory whose name is too long',
    { 'working-directory': 'a'.repeat(5_000) },
    `working-directory is ${'a'.repeat(99)}…, which is too long for a path: write a folder that exists, such as packages/app, from the workspace on. Is there a checkout before this step?`,
  ],
  [
    'a working-directory that is a loop of links',
    { 'working-directory': 'loop' },
    'working-directory is loop, which is a link that leads to itself: write a folder that exists, such as packages/app, from the workspace on. Is there a checkout before this step?',
  ],
  [
    'no choice of if-no-files-found',
    { 'if-no-files-found': 'warning' },
    'if-no-files-found is warning: write one of error, warn, ignore.',
  ],
  [
    'no choice of if-not-confirmed',
    { 'if-not-confirmed': 'false' },
    'if-not-confirmed is false: write one of error, warn, ignore.',
  ],
  [
    'no choice of comment-format',
    { 'comment-format': 'markdown' },
    'comment-format is markdown: write one of mrkdwn, plain.',
  ],
  ['no boolean for allow-broadcast', { 'allow-broadcast': 'yes' }, 'allow-broadcast is yes: write true or false.'],
  [
    'no boolean for include-hidden-files',
    { 'include-hidden-files': '1' },
    'include-hidden-files is 1: write true or false.',
  ],
  ['no boolean for dry-run', { 'dry-run': 'tRUE' }, 'dry-run is tRUE: write true or false.'],
  ['max-files of 0', { 'max-files': '0' }, 'max-files is 0: write a whole number from 1 to 999999, such as 50.'],
  [
    'max-files that is no number',
    { 'max-files': 'all' },
    'max-files is all: write a whole number from 1 to 999999, such as 50.',
  ],
  [
    'timeout-minutes of 0',
    { 'timeout-minutes': '0.0' },
    'timeout-minutes is 0.0: write minutes above 0 and below 1000, such as 10 or 0.5.',
  ],
  [
    'timeout-minutes with a unit',
    { 'timeout-minutes': '10m' },
    'timeout-minutes is 10m: write minutes above 0 and below 1000, such as 10 or 0.5.',
  ],
  [
    'a value of several lines, and too long',
    { method: `external\n${'x'.repeat(200)}` },
    `method is external ${'x'.repeat(90)}…: write one of auto, external, files.upload.`,
  ],
  [
    'the token in another input',
    { method: token },
    'method is a secret (not shown): write one of auto, external, files.upload.',
  ],
]

const refusalsElsewhere: typeof refusals = [
  [
    'a webhook URL as token on another server',
    { ...elsewhere, token: 'https://chat.example.com/hooks/made-up' },
    'token is a URL. A webhook URL cannot upload files: it takes an access token, on Slack the Bot User OAuth Token (xoxb-…) of an app with the scope files:write.',
  ],
  [
    'a thread-ts with several channels on another server',
    { ...elsewhere, 'thread-ts': '42', channels: 'general random' },
    'thread-ts goes with one channel only, and channels has 2: a thread stands in one channel. Use one step for each.',
  ],
]

let folder: string
/** Whatever goes over the network goes through this proxy. */
let proxy: Server
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-'))
  await writeFile(join(folder, 'report.csv'), 'a,b\n')
  await symlink('loop', join(folder, 'loop'))
  for (let at = 0; at < 3; at += 1) await writeFile(join(folder, `${at}.txt`), 'text')
  proxy = createServer((socket) => {
    connections += 1
    socket.on('error', () => socket.destroy()).resume()
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await new Promise((resolve) => proxy.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

function run(inputs: Inputs): Promise<ActionResult> {
  const address = proxy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return runAction({
    workspace: folder,
    inputs: { ...good, ...inputs },
    env: { HTTPS_PROXY: url, HTTP_PROXY: url },
  })
}

/** Several at once: mistakes in different inputs do not disturb each other. */
function together(): readonly (typeof refusals)[] {
  const groups: { readonly names: Set<string>; readonly members: (typeof refusals)[number][] }[] = []
  for (const refusal of refusals) {
    const names = Object.keys(refusal[1])
    const group = groups.find((one) => names.every((name) => !one.names.has(name)))
    if (group === undefined) groups.push({ names: new Set(names), members: [refusal] })
    else {
      for (const name of names) group.names.add(name)
      group.members.push(refusal)
    }
  }
  return groups.map(({ members }) => members)
}

describe('refused before anything is sent, in one line that says what to write instead', () => {
  const results = new Map<string, ActionResult>()

  beforeAll(async () => {
    const runGroup = async (group: typeof refusals) => {
      const result = await run(Object.assign({}, ...group.map(([, inputs]) => inputs)))
      for (const [situation] of group) results.set(situation, result)
    }
    await pMap([...together(), ...refusalsElsewhere.map((one) => [one])], runGroup, { concurrency: 2 })
  }, 60_000)

  test.each([...refusals, ...refusalsElsewhere])('%s', (situation, inputs, text) => {
    const result = results.get(situation)
    if (result === undefined) throw new Error('It did not run')
    const title = `The input ${Object.keys(inputs).find((name) => text.startsWith(name))} is not usable`
    expect(errorsIn(result).filter((error) => error.title === title)).toEqual([{ title, text }])
    expect(text).not.toContain('\n')
    expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed', count: '0', messages: '[]' } })
    expect(result.summary).toContain(title)
  })

  test('none of them sent anything', () => {
    expect(connections).toBe(0)
  })
})

test('good inputs do reach the network, here a proxy', async () => {
  const before = connections
  expect((await run({})).outputs).toMatchObject({ status: 'failed' })
  expect(connections).toBeGreaterThan(before)
})

test('more files than max-files are refused, with the count, before anything is sent', async () => {
  const before = connections
  const result = await run({ files: '*.txt', 'max-files': '2' })
  expect(errorsIn(result)).toMatchInlineSnapshot(`
[
  {
    "text": "The patterns match 3 files, \`max-files\` allows 2. Most are from \`*.txt\`: 3.
Write a narrower pattern, or \`max-files: 3\` if all of them are meant.",
    "title": "More files than allowed",
  },
]
`)
  expect(result.code).toBe(1)
  expect(connections).toBe(before)
})

test('several mistakes are reported together, one error for each', async () => {
  const result = await run({ token: '', channels: '#general', method: 'v2', 'dry-run': 'maybe' })
  expect(errorsIn(result).map(({ title }) => title)).toEqual([
    'The input method is not usable',
    'The input channels is not usable',
    'The input token is not usable',
    'The input dry-run is not usable',
  ])
})
