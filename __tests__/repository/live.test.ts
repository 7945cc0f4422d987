/** `npm run live`, against the sandbox. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { posted } from '../../scripts/check-release.ts'
import { renderPage, runOf } from '../../scripts/live/page.ts'
import { questions } from '../../scripts/live/questions.ts'
import { askAll } from '../../scripts/live.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'
import { root } from '../support/repository.ts'

test('asking gets the answers that the sandbox is known to give, leaves no file behind, and sends the token to no upload URL', async () => {
  await using sandbox = await startSandbox({
    ...atOnce,
    secondCompletion: 'shares again',
    wrongChannel: 'fails alone',
  })
  const { baseUrl, channels, requests, tokens, workspace } = sandbox
  const { answers, left } = await askAll({
    baseUrl,
    token: tokens.all,
    channel: channels.general,
    group: channels.group,
    sharedChannel: channels.shared,
    look: async () => 'seen',
    largeBytes: 1_000,
    slowMilliseconds: 1,
    maxWaitMilliseconds: 0,
    settleMilliseconds: 0,
    intervalMilliseconds: 1,
  })
  const varying = /\d+\.\d s|\d+(?= in the response)/g
  const shown = Object.entries(answers).map(
    ([question, answer]) => `${question} ${answer.replace(varying, '…')}`,
  )
  expect(shown).toMatchSnapshot()
  expect(Object.values(answers)[0]).toMatch(posted)
  expect([left, workspace.files]).toEqual([0, []])
  expect(workspace.messages.filter(({ text }) => text === 'A question')).toEqual([])
  const uploads = requests.filter(({ origin }) => origin === 'upload')
  expect(uploads.length).toBeGreaterThan(10)
  expect(uploads.filter(({ token }) => token !== 'none')).toEqual([])
})

const folder = sharedFolder()

test('the command writes a page with date and answers, without token and channel, and fails if the action posted nothing, as with a token that may not upload', async () => {
  await using sandbox = await startSandbox(atOnce)
  const out = join(folder, 'evidence.md')
  const channel = sandbox.channels.general
  const options = `--token-env TOKEN --channel ${channel} --base-url ${sandbox.baseUrl}`
  const { code, stderr, stdout } = await runProcess(
    process.execPath,
    ['scripts/live.ts', ...options.split(' '), '--out', out],
    { cwd: root, env: { TOKEN: sandbox.tokens.noScopes } },
  )
  expect(stdout).toContain('All files were deleted.')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The action did not post .*\n$/)])
  const page = await readFile(out, 'utf8')
  expect(page).toMatch(/^Asked 127\.0\.0\.1:\d+ on \d{4}-\d\d-\d\d, in one workspace/m)
  expect(Object.keys(runOf(page)?.answers ?? {})).toEqual(
    questions.filter(({ ask }) => ask).map(({ question }) => question),
  )
  for (const answer of [
    'status failed, exit code 1, ts not known',
    'no upload URL: refused: missing_scope',
    'not asked: needs --group',
  ])
    expect(page).toContain(answer)
  for (const secret of [sandbox.tokens.noScopes, channel])
    expect(page + stdout).not.toContain(secret)
})

test('what is known survives a run, and the answers of a run survive npm run docs; a new question is not asked yet', () => {
  const [first, ...others] = questions.filter(({ ask }) => ask)
  const answers = Object.fromEntries(others.map(({ question }) => [question, 'refused: a | b']))
  const run = { date: '2026-12-01', host: 'slack.com', answers }
  const page = renderPage(run)
  expect(runOf(page)).toEqual(run)
  for (const row of renderPage().match(/^\| .*(?= \|$)/gm) ?? [])
    expect(page).toContain(`\n${row} |`)
  expect(page.match(/^.* \| not asked yet \|$/gm)).toEqual([
    expect.stringContaining(`| ${first?.question} |`),
  ])
})
