/** `npm run live`, which asks a real workspace, asked of the sandbox. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { posted } from '../../scripts/check-release.ts'
import { renderPage, runOf } from '../../scripts/live/page.ts'
import { isAsked, type Question, questions } from '../../scripts/live/questions.ts'
import type { Workspace } from '../../scripts/live/service.ts'
import { askAll } from '../../scripts/live.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'

/** What is answered to each question of a sandbox, to a token, and to who can do more. */
async function ask(
  options: SandboxOptions = {},
  more: (sandbox: Sandbox) => Partial<Workspace> = () => ({}),
  toAsk: readonly Question[] = questions.filter(isAsked),
) {
  await using sandbox = await startSandbox({ ...atOnce, ...options })
  const { baseUrl, channels, tokens, workspace, requests } = sandbox
  const sizes = { largeBytes: 1_000, textBytes: 9_000 }
  const waits = { maxWaitMilliseconds: 0, settleMilliseconds: 0, intervalMilliseconds: 1 }
  const usual: Workspace = {
    baseUrl,
    token: tokens.all,
    channel: channels.general,
    ...sizes,
    ...waits,
  }
  const { answers, left } = await askAll({ ...usual, ...more(sandbox) }, () => {}, toAsk)
  return { answers, left, workspace, requests: [...requests] }
}

describe('asking', () => {
  test('gets the answers that the sandbox is known to give, leaves no file behind, and sends the token to no upload URL', async () => {
    const options = { secondCompletion: 'shares again', wrongChannel: 'fails alone' } as const
    const { answers, left, requests, workspace } = await ask(options)
    const varying = /\d+\.\d s|\d+(?= in the response)/g
    const shown = Object.entries(answers).map(
      ([question, answer]) => `${question} ${answer.replace(varying, '…')}`,
    )
    expect(shown).toMatchSnapshot()
    expect(Object.values(answers)[0]).toMatch(posted)
    expect(left).toBe(0)
    expect([
      ...workspace.files,
      ...workspace.messages.filter(({ text }) => text === 'A question'),
    ]).toEqual([])
    const uploads = requests.filter(({ origin }) => origin === 'upload')
    expect(uploads.length).toBeGreaterThan(25)
    expect(uploads.filter(({ token }) => token !== 'none')).toEqual([])
  })

  test('asks more of those who name people and channels, have time, and look at the message', async () => {
    const { answers, left } = await ask({ maxShares: 2 }, ({ channels, users }) => ({
      user: users.reviewer,
      group: channels.group,
      sharedChannel: channels.shared,
      slowMilliseconds: 1,
      moreChannels: [channels.releases, channels.builds],
      look: async (question) => `${question} yes`,
    }))
    const asked = Object.entries(answers).filter(([, answer]) => !answer.startsWith('not asked'))
    expect(asked.length).toBe(questions.filter(isAsked).length)
    const answerTo = (words: string) =>
      Object.entries(answers).find(([question]) => question.includes(words))?.[1]
    expect(answerTo('group direct conversation')).toBe('shares.private, groups')
    expect(answerTo('user IDs')).toBe('ok; the file was then in 2 of 2 conversations')
    expect(left).toBe(0)
  })
})

const folder = sharedFolder()

test('the command writes a page with date and answers, without token and channel, and fails if the action posted nothing, as with a token that may not upload', async () => {
  await using sandbox = await startSandbox(atOnce)
  const out = join(folder, 'evidence.md')
  const script = fileURLToPath(new URL('../../scripts/live.ts', import.meta.url))
  const channel = sandbox.channels.general
  const args = [
    '--token-env',
    'TOKEN',
    '--channel',
    channel,
    '--base-url',
    sandbox.baseUrl,
    '--out',
    out,
  ]
  const env = { TOKEN: sandbox.tokens.noScopes }
  const { code, stderr, stdout } = await runProcess(process.execPath, [script, ...args], { env })
  expect(stdout).toContain('All files were deleted.')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The action did not post .*\n$/)])
  const page = await readFile(out, 'utf8')
  expect(page).toMatch(/^Asked 127\.0\.0\.1:\d+ on \d{4}-\d\d-\d\d, in one workspace/m)
  for (const { question } of questions.filter(isAsked)) expect(page).toContain(`| ${question} |`)
  expect(page).not.toContain('not asked yet')
  for (const answer of [
    'status failed, exit code 1, ts not known',
    'no upload URL: refused: missing_scope',
  ])
    expect(page).toContain(answer)
  for (const secret of [sandbox.tokens.noScopes, channel])
    expect(page + stdout).not.toContain(secret)
})

test('docs/evidence.md says first that nobody has asked, and what is known with its source', () => {
  expect(renderPage().split('\n')[2]).toBe(
    '**Nobody has run this against a live workspace.** Nothing on this page was seen with this action itself.',
  )
  for (const { known, references = [], what } of questions)
    expect(
      known === 'unknown' || references.length > 0 ? 'has a source, or is unknown' : what,
    ).toMatch(/source/)
})

test('what is known survives a run, and the answers of a run survive npm run docs; a new question is not asked yet', () => {
  const [first, ...others] = questions.filter(isAsked)
  const answers = Object.fromEntries(others.map(({ question }) => [question, 'refused: a | b']))
  const page = renderPage({ date: '2026-12-01', host: 'slack.com', answers })
  expect(runOf(page)).toEqual({ date: '2026-12-01', host: 'slack.com', answers })
  expect(page.split('\n')[2]).toBe(
    'Asked slack.com on 2026-12-01, in one workspace: column *Live*. *Known* is older.',
  )
  const rows = (text: string) => text.split('\n').filter((line) => line.startsWith('| '))
  const known = rows(renderPage()).map((line) => line.replace(/ \|$/, ''))
  expect(known.filter((line) => !rows(page).some((row) => row.startsWith(line)))).toEqual([])
  expect(rows(page).filter((line) => line.endsWith('| not asked yet |'))).toEqual([
    expect.stringContaining(`| ${first?.question} |`),
  ])
})
