/** `npm run live`, which asks a real workspace, asked of the sandbox. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { questions } from '../../scripts/live/questions.ts'
import type { Workspace } from '../../scripts/live/service.ts'
import { askAll, renderPage } from '../../scripts/live.ts'
import { sharedFolder } from '../support/folder.ts'
import { runNode } from '../support/processes.ts'

/** What is answered to each question of a sandbox, to a token, and to who can do more. */
async function ask(options: SandboxOptions = {}, more: (sandbox: Sandbox) => Partial<Workspace> = () => ({})) {
  await using sandbox = await startSandbox(options)
  const { baseUrl, channels, tokens, workspace, requests } = sandbox
  const waits = { largeBytes: 1_000, maxWaitMilliseconds: 0, settleMilliseconds: 0 }
  const usual = { baseUrl, token: tokens.all, channel: channels.general, ...waits }
  const { answers, left } = await askAll({ ...usual, ...more(sandbox) })
  return { answers: Object.values(answers), left, workspace, requests: [...requests] }
}

describe('asking', () => {
  test('gets the answers that the sandbox is known to give, leaves no file behind, and sends the token to no upload URL', async () => {
    const options = { secondCompletion: 'shares again', wrongChannel: 'fails alone' } as const
    const { answers, left, requests, workspace } = await ask(options)
    expect(answers).toEqual([
      'status posted, exit code 0, ts known',
      'ok',
      expect.stringMatching(/^within \d\.\d s$/),
      'refused: file_not_found',
      expect.stringMatching(/^known after \d\.\d s$/),
      'not asked: needs --user',
      'accepted; nobody looked',
      'ok; the file was then posted 1 times',
      '1 of 1',
      'ok; the file was then posted 2 times',
      'refused: file_not_found',
      'the second time: status 404',
      'status 400',
      'refused: missing_argument',
      'refused: internal_error',
      'refused: channel_not_found; in the right channel the file was posted 1 times',
      expect.stringMatching(/^within \d\.\d s$/),
      'not asked: needs --user and im:write',
      'unchanged',
      'refused: file_not_found',
      '2 files in 1 message, 2 of them in the thread',
      'ok; the file was then posted 1 times',
      'token of one workspace: without it ok; with it ok',
      'public_channel: ok, 5; private_channel: ok, 1; public_channel,private_channel: ok, 6',
      'entries on each page, of one at most: 1, 1, 1, 1, 1',
      expect.stringMatching(/^within \d\.\d s$/),
      'posted; nobody looked',
      'ok; nobody looked',
    ])
    expect(left).toBe(0)
    expect([...workspace.files, ...workspace.messages.filter(({ text }) => text === 'A question')]).toEqual([])
    const uploads = requests.filter(({ origin }) => origin === 'upload')
    expect(uploads.length).toBeGreaterThan(15)
    expect(uploads.filter(({ token }) => token !== 'none')).toEqual([])
  })

  test('asks more of those who name a user, more channels, and look at the message', async () => {
    const { answers, left } = await ask({ maxShares: 2 }, ({ channels, users }) => ({
      user: users.reviewer,
      moreChannels: [channels.releases, channels.builds],
      look: async (question) => `${question} yes`,
    }))
    expect(answers.slice(5, 9)).toEqual([
      'ok; the file was then in 2 of 2 conversations',
      'Does the last message show :tada: as text? yes',
      'ok; the file was then posted 1 times',
      '2 of 3, with has_more_shares',
    ])
    expect([answers[17], ...answers.slice(26)].join()).toMatch(/^yes,Are there links .* yes,Does the last text .* yes$/)
    expect(left).toBe(0)
  })
})

const folder = sharedFolder()

test('the command writes a page with date and answers, without token and channel, also of a token that may not upload', async () => {
  await using sandbox = await startSandbox()
  const out = join(folder, 'verified.md')
  const script = fileURLToPath(new URL('../../scripts/live.ts', import.meta.url))
  const channel = sandbox.channels.general
  const args = ['--token-env', 'TOKEN', '--channel', channel, '--base-url', sandbox.baseUrl, '--out', out]
  const stdout = await runNode([script, ...args], { env: { TOKEN: sandbox.tokens.noScopes } })
  expect(stdout).toContain('All files were deleted.')
  const page = await readFile(out, 'utf8')
  expect(page).toMatch(/^Asked 127\.0\.0\.1:\d+ on \d{4}-\d\d-\d\d, in one channel/m)
  for (const { question } of questions) expect(page).toContain(question)
  expect(page).not.toContain('not asked yet')
  for (const answer of ['status failed, exit code 1, ts not known', 'no upload URL: refused: missing_scope'])
    expect(page).toContain(answer)
  for (const secret of [sandbox.tokens.noScopes, channel]) expect(page + stdout).not.toContain(secret)
})

test('docs/verified.md holds these questions, and says so as long as nobody has asked them', async () => {
  const page = await readFile(new URL('../../docs/verified.md', import.meta.url), 'utf8')
  for (const { question } of questions) expect(page).toContain(question)
  if (page.includes('not asked yet')) expect(page).toBe(renderPage())
})
