// `npm start`.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, jest, test } from '@jest/globals'
import { main } from '../../sandbox/demo.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce, type GivenSettings } from '../../sandbox/settings.ts'
import { withEnvironment } from '../support/environment.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'
import { root } from '../support/repository.ts'

const folder = sharedFolder({ 'mine.txt': 'mine' })

/** Runs `npm start -- …` from that folder, with a sandbox without delays. */
async function start(args: readonly string[], settings: GivenSettings = {}, token?: string) {
  using log = jest.spyOn(console, 'log').mockImplementation(() => {})
  using error = jest.spyOn(console, 'error').mockImplementation(() => {})
  const code = await withEnvironment({ INIT_CWD: folder, MY_TOKEN: token }, () =>
    main(args, { ...atOnce, ...settings }),
  )
  return { code, output: `${[...log.mock.calls, ...error.mock.calls].join('\n')}\n` }
}

const fault =
  '{"on": "files.upload", "call": 2, "fault": {"kind": "error", "code": "restricted_action"}}'

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)
/** Hints about the page follow it. */
const verdict = (output: string) => /^Everything.*$/m.exec(output)?.[0]

const source = 'from octo-org/octo-repo v1.2.0 (link), run (link)'
const channels = '#general, #releases, reviewer (direct)'

test('npm start posts by both methods, and compares the files', async () => {
  const { code, stdout: output } = await runProcess(process.execPath, ['sandbox/demo.ts'], {
    cwd: root,
  })
  expect(output).toContain('\nBy the upload that Slack offers (external)\n')
  const message = `2 files, 1.3 KB ${source}\n         coverage.csv (439 B)`
  expect(output).toContain(`\n   ${channels}: 2 files in 1 message each\n      ${message}\n`)
  expect(output).toContain('\nBy files.upload, the interface of servers other than Slack\n')
  for (const name of ['coverage.csv', 'test-results.csv']) {
    const sha256 = createHash('sha256').update(
      await readFile(new URL(`examples/reports/${name}`, root)),
    )
    const line = `^   ${sha256.digest('hex').slice(0, 12)}…  examples/reports/${name} +same bytes in every channel$`
    expect(output.split(`/${name}`)).toHaveLength(2)
    expect(output).toMatch(new RegExp(line, 'm'))
  }
  // Fits 80 columns.
  const help = await start(['--help'])
  expect(`${output}\n${help.output}`).not.toMatch(/^.{81}/m)
  // The sandbox has stopped, so no link to its page.
  expect(output).not.toContain('127.0.0.1')
  expect(lastLine(output)).toBe('To see it in a browser: npm start -- --keep')
  expect(verdict(output)).toBe('Everything arrived: 2 files in every channel, by both methods.')
  expect(code).toBe(0)
})

describe('npm start --', () => {
  test('--method posts by that method only; --log shows the log, without the token, and says that its links end', async () => {
    const { code, output } = await start(['--method', 'files.upload', '--log'])
    expect(output.match(/each$/gm)).toHaveLength(1)
    expect(output).toContain('\nBy files.upload, the interface of servers other than Slack\n')
    expect(output).toContain('\n   coverage.csv was sent as text/csv\n')
    expect(output).toContain('\n   Posted 2 files in 3 channels\n')
    const message = `coverage.csv, 439 B ${source}`
    expect(output).toContain(`\n   ${channels}: 2 files in 2 messages each\n      ${message}\n`)
    expect(output).not.toMatch(/xoxb-|add-mask/)
    expect(output).toContain(
      '\nThe sandbox stops now: links of the log lead nowhere without --keep.\n',
    )
    expect([code, verdict(output)]).toEqual([0, 'Everything arrived: 2 files in every channel.'])
  })

  test('a pattern looks for own files where the command was typed', async () => {
    const typed = [
      '--channels',
      '["#builds", "U0NEWCOMER0"]',
      '--comment',
      'For <https://a.b|you> & <!subteam^S0123456789>',
    ]
    const { code, output } = await start(['*.txt', '--method', 'external', ...typed])
    const comment = '      For you (link) & @S0123456789\n         mine.txt (4 B)\n'
    expect(output).toContain(`   #builds, newcomer (direct): 1 file in 1 message each\n${comment}`)
    expect(output).toMatch(/ mine\.txt +same bytes in every channel/m)
    expect(output).not.toContain('#general')
    expect([code, verdict(output)]).toEqual([0, 'Everything arrived: 1 file in every channel.'])
  })

  test.each<[string, readonly string[], string, string]>([
    [
      'a channel without the app',
      ['*.txt', '--channels', 'notJoined'],
      'The app is not in the channel',
      'Nothing arrived: the step ended with 1 (failed).',
    ],
    [
      'a fault',
      ['--method', 'files.upload', '--fault', fault],
      'restricted_action',
      'Not everything arrived: the step ended with 1 (unknown).',
    ],
  ])('%s is an error', async (_, args, error, last) => {
    const { code, output } = await start(args)
    expect(output).toContain(error)
    expect([code, lastLine(output)]).toEqual([1, last])
  })

  test.each([
    ['--channels bilds', 'The sandbox has no channel bilds. It has: general, r'],
    ['--fault silence', '--fault silence is not a rule. Write JSON such as {"on": '],
    ['--token x', 'and name that with --token-env.\n'],
    ['--chanels x', 'There is no option --chanels.\n'],
    ['--base-url http://127.0.0.1:9', '--base-url needs --token-env NAME'],
  ])('%s is refused', async (args, error) => {
    const { code, output } = await start(args.split(' '))
    expect(output).toContain(error)
    expect([code, lastLine(output)]).toEqual([1, 'npm start -- --help describes the options.'])
  })
})

test('with a real service, npm start posts there with the token of the environment variable, and shows the log', async () => {
  await using service = await startSandbox(atOnce)
  const options = `--base-url ${service.baseUrl} --channels ${service.channels.builds}`
  const { code, output } = await start(
    `${options} --token-env MY_TOKEN`.split(' '),
    {},
    service.tokens.all,
  )
  expect(output).toContain('\nPosted 2 files in 1 channel\n')
  expect(output).not.toContain(service.tokens.all)
  expect([code, lastLine(output)]).toEqual([
    0,
    'Everything arrived: 2 files, seen in every channel.',
  ])
  expect(service.workspace.messages).toHaveLength(2)
})

test('what did not arrive makes the command fail although the step reports success', async () => {
  const args = ['*.txt', '--channels', 'general releases', '--if-not-confirmed', 'ignore']
  const { code, output } = await start([...args, '--method', 'external'], {
    sharing: { channels: ['C0GENERAL00'] },
  })
  expect(output).toContain('…  mine.txt  missing in #releases (external)\n')
  expect([code, lastLine(output)]).toEqual([
    1,
    'Not everything arrived: mine.txt missing in #releases (external).',
  ])
})
