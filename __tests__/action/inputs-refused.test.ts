// Every invalid value is refused before anything is sent, and the text says what to write instead.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pMap from 'p-map'
import { type ActionResult, runAction } from '../../sandbox/runner.ts'
import { errorsIn } from '../support/step.ts'
import { withLinks } from '../support/systems.ts'

type Inputs = Readonly<Record<string, string>>

const token = `xoxb-${randomBytes(18).toString('hex')}`
const webhook = `https://hooks.slack.com/services/T0123456789/B0123456789/${randomBytes(12).toString('hex')}`
const appLevel = `xapp-${randomBytes(18).toString('hex')}`
const refresh = `xoxe-1-${randomBytes(18).toString('hex')}`

/** On Slack. */
const good: Inputs = { token, channels: 'C0123456789', files: 'report.csv', 'base-url': 'https://slack.com' }
const elsewhere: Inputs = { 'base-url': 'https://chat.example.com' }

const writeTheId =
  "Write the channel ID, such as `C0123456789`. It is shown at the bottom of the channel's details (click the channel name)."
const notAList =
  '`channels` is text, not a YAML list. Remove the leading `- `: write IDs separated by commas, spaces or line breaks.'
const oneOfTheMethods = 'Write one of `auto`, `external`, `files.upload`.'
const writeAFolder =
  'Write a folder that exists, relative to the workspace, such as `packages/app`. Is there a checkout before this step?'
const manyChannels = Array.from({ length: 101 }, (_, index) => `C${String(index).padStart(10, '0')}`).join(',')

/** The situation, the inputs that differ from valid ones, and the whole text. */
const refusals: readonly (readonly [situation: string, inputs: Inputs, text: string])[] = [
  [
    'no token',
    { token: '' },
    '`token` is empty. Does the secret exist in this repository or organization, and may this workflow read it? Write `${{ secrets.SLACK_BOT_TOKEN }}` with the name of your secret.',
  ],
  [
    'a webhook URL as token',
    { token: webhook },
    '`token` is a URL. A webhook URL cannot upload files: use an access token, on Slack the Bot User OAuth Token (`xoxb-…`) of an app with the scope `files:write`.',
  ],
  [
    'the header value as token',
    { token: `Bearer ${token}` },
    '`token` begins with `Bearer`. Store the token alone: the action adds `Bearer` to the request.',
  ],
  [
    'a token with a space inside',
    { token: `${token} ${token}` },
    '`token` contains white space, a line break or another character that no token has. Store the token in the secret again, alone.',
  ],
  [
    'a token with a line break inside',
    { token: `${token}\n${token}` },
    '`token` contains white space, a line break or another character that no token has. Store the token in the secret again, alone.',
  ],
  [
    'an app-level token on Slack',
    { token: appLevel },
    '`token` is an app-level token (`xapp-…`), which cannot upload files. Use the Bot User OAuth Token (`xoxb-…`).',
  ],
  [
    'a refresh token on Slack',
    { token: refresh },
    '`token` is a refresh token (`xoxe-…`), which cannot upload files. Use the access token that it is exchanged for (`xoxe.xoxb-…`), or turn token rotation off.',
  ],
  [
    'no channel',
    { channels: ' , \n' },
    '`channels` is empty. Write the ID of at least one channel, such as `C0123456789`. If it comes from a variable, is the variable set?',
  ],
  ['channels as a YAML list', { channels: '- C0123456789\n- C9876543210\n' }, notAList],
  ['channels as a YAML list of one', { channels: '- C0123456789' }, notAList],
  ['channels as an indented YAML list', { channels: '  - C0123456789\n  - C9876543210' }, notAList],
  [
    'channels as a JSON list on Slack',
    { channels: '["C0123456789", "C9876543210"]' },
    '`channels` contains `["C0123456789"`, which is not a channel ID. Write `C0123456789`.\n`channels` contains `"C9876543210"]`, which is not a channel ID. Write `C9876543210`.',
  ],
  [
    'the name of a channel on Slack',
    { channels: '#general' },
    `\`channels\` contains \`#general\`, which is the name of a channel. ${writeTheId}`,
  ],
  [
    'a name without # on Slack',
    { channels: 'deployments' },
    `\`channels\` contains \`deployments\`, which is not a channel ID. ${writeTheId}`,
  ],
  [
    'the name of a person on Slack',
    { channels: '@reviewer' },
    '`channels` contains `@reviewer`, which is the name of a person. Write the member ID, such as `U0123456789` (profile, three dots, Copy member ID).',
  ],
  [
    "a channel's URL on Slack",
    { channels: 'https://app.slack.com/client/T0123456789/C9876543210' },
    '`channels` contains `https://app.slack.com/client/T0123456789/C9876543210`, which is not a channel ID. Write `C9876543210`.',
  ],
  [
    'a link to a message on Slack',
    { channels: 'https://team.slack.com/archives/D9876543210/p1760688662900279' },
    '`channels` contains `https://team.slack.com/archives/D9876543210/p1760688662900279`, which is not a channel ID. Write `D9876543210`.',
  ],
  [
    'a mention on Slack',
    { channels: '<#C9876543210|general>' },
    '`channels` contains `<#C9876543210|general>`, which is not a channel ID. Write `C9876543210`.',
  ],
  [
    'an ID in lower case on Slack',
    { channels: 'c9876543210' },
    '`channels` contains `c9876543210`, which is not a channel ID. Write `C9876543210`.',
  ],
  [
    'several invalid channels among valid ones: a line each',
    { channels: 'C0123456789, #general, general' },
    `\`channels\` contains \`#general\`, which is the name of a channel. ${writeTheId}\n\`channels\` contains \`general\`, which is not a channel ID. ${writeTheId}`,
  ],
  [
    'the token as channel',
    { channels: token },
    '`channels` contains the token. Remove it: the token belongs in the input `token` only.',
  ],
  [
    'a webhook URL as channel',
    { channels: webhook },
    `\`channels\` contains a secret (not shown), which is a webhook URL: it cannot take files. ${writeTheId}`,
  ],
  [
    'more than 100 channels on Slack',
    { channels: manyChannels },
    '`channels` has 101 IDs, but a message can go to at most 100 channels. Use several steps.',
  ],
  ['no pattern', { files: ' \n' }, '`files` is empty. Write one pattern per line, such as `reports/**/*.csv`.'],
  [
    'only comments as patterns',
    { files: '# all\n  # reports' },
    '`files` is empty. Write one pattern per line, such as `reports/**/*.csv`.',
  ],
  [
    'a thread-ts that lost its zeros',
    { 'thread-ts': '1760688662.9' },
    "`thread-ts` is `1760688662.9`. Write the ts of the message in quotes, such as `'1760688662.900279'`: seconds and six decimals. Without quotes, YAML rounds the number.",
  ],
  [
    'a link to a message as thread-ts',
    { 'thread-ts': 'https://team.slack.com/archives/C0123456789/p1760688662900279' },
    "`thread-ts` is `https://team.slack.com/archives/C0123456789/p1760688662900279`. Write the ts of the message in quotes: `'1760688662.900279'`.",
  ],
  [
    'a thread-ts with several channels',
    { 'thread-ts': '1760688662.900279', channels: 'C0123456789 C9876543210' },
    '`thread-ts` requires exactly one channel, and `channels` has 2: `C0123456789`, `C9876543210`. Use one step for each thread.',
  ],
  ['files.uploadV2 as method', { method: 'files.uploadV2' }, '`method` is `files.uploadV2`. Write `external`.'],
  [
    'the name of a Web API method of the external upload as method',
    { method: 'files.getUploadURLExternal' },
    '`method` is `files.getUploadURLExternal`. Write `external`.',
  ],
  ['another method', { method: 'webhook' }, `\`method\` is \`webhook\`. ${oneOfTheMethods}`],
  ['a method in capitals', { method: 'Auto' }, `\`method\` is \`Auto\`. ${oneOfTheMethods}`],
  [
    'a base-url that is not a URL',
    { 'base-url': 'https://' },
    '`base-url` is `https://`, which is not a URL. Write one such as `https://chat.example.com`.',
  ],
  [
    'a base-url without scheme',
    { 'base-url': 'chat.example.com' },
    '`base-url` is `chat.example.com`, which has no scheme. Write `https://chat.example.com`.',
  ],
  [
    'a base-url without scheme, with a port and /api',
    { 'base-url': 'chat.example.com:8443/api' },
    '`base-url` is `chat.example.com:8443/api`, which has no scheme. Write `https://chat.example.com:8443`.',
  ],
  [
    'a base-url on this machine without scheme',
    { 'base-url': 'localhost:8080' },
    '`base-url` is `localhost:8080`, which has no scheme. Write `http://localhost:8080`.',
  ],
  [
    "a base-url with the host of Slack's web client",
    { 'base-url': 'https://app.slack.com/client/T0123456789' },
    '`base-url` has the host `app.slack.com`, which is for people, not for uploads. Write `https://slack.com`.',
  ],
  [
    'a base-url by http',
    { 'base-url': 'http://chat.example.com/team' },
    '`base-url` is `http://chat.example.com/team`, but the token is sent only over https, or over http to this machine. Write `https://chat.example.com/team`.',
  ],
  [
    'a base-url by ftp',
    { 'base-url': 'ftp://chat.example.com' },
    '`base-url` is `ftp://chat.example.com`, but the token is sent only over https, or over http to this machine. Write `https://chat.example.com`.',
  ],
  [
    'a base-url whose name only begins like this machine',
    { 'base-url': 'http://localhost.example.com' },
    '`base-url` is `http://localhost.example.com`, but the token is sent only over https, or over http to this machine. Write `https://localhost.example.com`.',
  ],
  [
    'a base-url with a password',
    { 'base-url': 'https://me:made-up-password@chat.example.com' },
    '`base-url` contains a user name or a password. Remove them: the token goes into the input `token`.',
  ],
  [
    'a base-url with a password and without scheme',
    { 'base-url': 'me:made-up-password@chat.example.com' },
    '`base-url` contains a user name or a password. Remove them: the token goes into the input `token`.',
  ],
  [
    'a base-url with a password that is not a URL',
    { 'base-url': 'https://me:made-up-password@chat.example.com:99999' },
    '`base-url` is `https://…@chat.example.com:99999`, which is not a URL. Write one such as `https://chat.example.com`.',
  ],
  [
    'a base-url with a query that is not a URL',
    { 'base-url': 'chat.example.com:99999/?key=made-up-secret' },
    '`base-url` is `chat.example.com:99999/`, which is not a URL. Write one such as `https://chat.example.com`.',
  ],
  [
    'a base-url with a query, which may be a secret',
    { 'base-url': 'https://chat.example.com/team?key=made-up-secret' },
    '`base-url` is `https://chat.example.com/team`, followed by a query (not shown). Write `https://chat.example.com/team`.',
  ],
  [
    'a base-url with a fragment',
    { 'base-url': 'https://chat.example.com/#team' },
    '`base-url` is `https://chat.example.com/`, followed by a fragment (not shown). Write `https://chat.example.com`.',
  ],
  [
    'a base-url that ends in /api',
    { 'base-url': 'https://slack.com/api/' },
    '`base-url` is `https://slack.com/api/`, but the action adds `/api` and the method itself. Write `https://slack.com`.',
  ],
  [
    'a base-url that ends in the method',
    { 'base-url': 'https://chat.example.com/team/api/files.upload' },
    '`base-url` is `https://chat.example.com/team/api/files.upload`, but the action adds `/api` and the method itself. Write `https://chat.example.com/team`.',
  ],
  [
    'the host of webhooks as base-url',
    { 'base-url': webhook },
    '`base-url` has the host of webhooks, which cannot take files. Write `https://slack.com`, and use an access token as `token`.',
  ],
  [
    'a working-directory that does not exist',
    { 'working-directory': 'packages/app' },
    `\`working-directory\` is \`packages/app\`, which does not exist. ${writeAFolder}`,
  ],
  [
    'a working-directory that is a file',
    { 'working-directory': 'report.csv' },
    `\`working-directory\` is \`report.csv\`, which is not a folder. ${writeAFolder}`,
  ],
  [
    'an unknown value for if-no-files-found',
    { 'if-no-files-found': 'warning' },
    '`if-no-files-found` is `warning`. Write one of `error`, `warn`, `ignore`.',
  ],
  [
    'an unknown value for if-not-confirmed',
    { 'if-not-confirmed': 'false' },
    '`if-not-confirmed` is `false`. Write one of `error`, `warn`, `ignore`.',
  ],
  [
    'an unknown value for comment-format',
    { 'comment-format': 'markdown' },
    '`comment-format` is `markdown`. Write one of `mrkdwn`, `plain`.',
  ],
  [
    'no boolean for allow-broadcast',
    { 'allow-broadcast': 'yes' },
    '`allow-broadcast` is `yes`. Write `true` or `false`.',
  ],
  [
    'no boolean for include-hidden-files',
    { 'include-hidden-files': '1' },
    '`include-hidden-files` is `1`. Write `true` or `false`.',
  ],
  ['no boolean for dry-run', { 'dry-run': 'tRUE' }, '`dry-run` is `tRUE`. Write `true` or `false`.'],
  ['max-files of 0', { 'max-files': '0' }, '`max-files` is `0`. Write a whole number from 1 to 999999, such as `50`.'],
  [
    'max-files that is not a number',
    { 'max-files': 'all' },
    '`max-files` is `all`. Write a whole number from 1 to 999999, such as `50`.',
  ],
  [
    'timeout-minutes of 0',
    { 'timeout-minutes': '0.0' },
    '`timeout-minutes` is `0.0`. Write a number of minutes above 0 and below 1000, such as `10` or `0.5`.',
  ],
  ['timeout-minutes with a unit', { 'timeout-minutes': '10m' }, '`timeout-minutes` is `10m`. Write `10`.'],
  [
    'timeout-minutes with a unit in words',
    { 'timeout-minutes': '0.5 minutes' },
    '`timeout-minutes` is `0.5 minutes`. Write `0.5`.',
  ],
  [
    'timeout-minutes with another unit',
    { 'timeout-minutes': '30s' },
    '`timeout-minutes` is `30s`. Write a number of minutes above 0 and below 1000, such as `10` or `0.5`.',
  ],
  [
    'a value of several lines, and too long',
    { method: `external\n${'x'.repeat(200)}` },
    `\`method\` is \`external ${'x'.repeat(90)}…\`. ${oneOfTheMethods}`,
  ],
  ['the token in another input', { method: token }, `\`method\` is a secret (not shown). ${oneOfTheMethods}`],
]

const refusalsElsewhere: typeof refusals = [
  [
    'a webhook URL as token on another server',
    { ...elsewhere, token: 'https://chat.example.com/hooks/made-up' },
    '`token` is a URL. A webhook URL cannot upload files: use an access token, on Slack the Bot User OAuth Token (`xoxb-…`) of an app with the scope `files:write`.',
  ],
  ['channels as a YAML list on another server', { ...elsewhere, channels: '- general\n- random' }, notAList],
  [
    'a thread-ts with several channels on another server',
    { ...elsewhere, 'thread-ts': '42', channels: 'general random' },
    '`thread-ts` requires exactly one channel, and `channels` has 2: `general`, `random`. Use one step for each thread.',
  ],
]

let folder: string
/** Everything that goes over the network goes through this proxy. */
let proxy: Server
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refused-'))
  await writeFile(join(folder, 'report.csv'), 'a,b\n')
  for (let index = 0; index < 3; index += 1) await writeFile(join(folder, `${index}.txt`), 'text')
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

/** Several at once: mistakes in different inputs do not affect each other. */
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

describe('refused before anything is sent, with a text that says what to write instead', () => {
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
    const title = `Invalid input: ${Object.keys(inputs).find((name) => text.startsWith(`\`${name}\``))}`
    expect(errorsIn(result).filter((error) => error.title === title)).toEqual([{ title, text }])
    expect(text.split('\n').filter((line) => !line.startsWith('`'))).toEqual([])
    expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed', count: '0', messages: '[]' } })
    expect(result.summary).toContain(title)
  })

  test('none of them sent anything', () => {
    expect(connections).toBe(0)
  })
})

test('valid inputs do reach the network, here a proxy', async () => {
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
    "text": "The patterns match 3 files, \`max-files\` allows 2.
Write a narrower pattern, or \`max-files: 3\` if all of them are meant.",
    "title": "More files than allowed",
  },
]
`)
  expect(result.code).toBe(1)
  expect(connections).toBe(before)
})

withLinks('a working-directory that is a loop of links is refused', async () => {
  await symlink('loop', join(folder, 'loop'))
  const result = await run({ 'working-directory': 'loop' })
  const text = `\`working-directory\` is \`loop\`, which is a link that leads to itself. ${writeAFolder}`
  expect(errorsIn(result)).toEqual([{ title: 'Invalid input: working-directory', text }])
})

test('several mistakes are reported together, one error for each', async () => {
  const result = await run({ token: '', channels: '#general', method: 'v2', 'dry-run': 'maybe' })
  expect(errorsIn(result).map(({ title }) => title)).toEqual([
    'Invalid input: method',
    'Invalid input: channels',
    'Invalid input: token',
    'Invalid input: dry-run',
  ])
})

test('every proxy address that is invalid is reported, before the inputs, and is not shown', async () => {
  const result = await runAction({
    workspace: folder,
    inputs: { ...good, method: 'v2' },
    env: { HTTPS_PROXY: 'me:made-up-password', http_proxy: 'made-up.example:3128' },
  })
  const text = expect.stringMatching(
    /^`(HTTPS_PROXY|https?_proxy)` is not the URL of a proxy\.\nWrite it with its scheme/,
  )
  const error = { title: 'Invalid proxy address', text }
  expect(errorsIn(result)).toEqual([error, error])
  expect(result).toMatchObject({ code: 1, stderr: '', outputs: { status: 'failed' } })
  expect(result.stdout + result.summary).not.toContain('made-up')
})
