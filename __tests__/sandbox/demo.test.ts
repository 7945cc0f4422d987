// `npm start`: what a newcomer runs first.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { postToSandbox } from '../../sandbox/demo.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { atOnce } from '../../sandbox/settings.ts'
import { sharedFolder } from '../support/folder.ts'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')

/** As `npm start -- …` does, from the folder in which somebody types it. */
async function start(
  args: readonly string[],
  folder = root,
  env: Readonly<Record<string, string>> = {},
) {
  const options = { cwd: root, env: { INIT_CWD: folder, ...env } }
  const { code, stdout, stderr } = await runProcess(
    process.execPath,
    ['sandbox/demo.ts', ...args],
    options,
  )
  return { code, output: stdout + stderr }
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)
/** The page of the sandbox comes after it. */
const verdict = (output: string) =>
  /^(?:Everything|Nothing was sent|The service accepted).*$/m.exec(output)?.[0]

const source = 'from octo-org/octo-repo v1.2.0 (link), run (link)'
/** What is said of the sample files: `lines` of the first message. */
const shown = (method: string, messages: string, lines: string) =>
  `\nBy ${method}\n   #general, #releases, reviewer (direct): 2 files in ${messages} each\n      ${lines}\n`

test('npm start posts by both methods, and compares the files', async () => {
  const { code, output } = await start([])
  const message = `2 files, 1.3 KB ${source}\n         coverage.csv (439 B)`
  expect(output).toContain(shown('the upload that Slack offers (external)', '1 message', message))
  expect(output).toContain(
    '\nThe same by files.upload, the interface of servers other than Slack:\n',
  )
  expect(output).toContain(
    '\n   2 files in 3 channels, same bytes (see: npm start -- --method files.upload)\n',
  )
  for (const name of ['coverage.csv', 'test-results.csv']) {
    const sha256 = createHash('sha256').update(await readFile(join(root, 'examples/reports', name)))
    const line = `^   ${sha256.digest('hex').slice(0, 12)}…  examples/reports/${name} +same bytes in every channel$`
    expect(output.split(`/${name}`)).toHaveLength(2)
    expect(output).toMatch(new RegExp(line, 'm'))
  }
  // A terminal of 80 columns wraps nothing.
  const help = await start(['--help'])
  expect(`${output}\n${help.output}`).not.toMatch(/^.{81}/m)
  // The page is gone.
  expect(output).not.toContain('127.0.0.1')
  expect(lastLine(output)).toBe('To see it in a browser: npm start -- --keep')
  expect(verdict(output)).toBe('Everything arrived: 2 files in every channel, by both methods.')
  expect(code).toBe(0)
})

describe('npm start --', () => {
  const fault = (on: string, code: string) => [
    '--fault',
    JSON.stringify({ on, fault: { kind: 'error', code } }),
  ]
  const folder = sharedFolder({ 'mine.txt': 'mine' })

  test('--method posts by that method only', async () => {
    const { code, output } = await start(['--method', 'files.upload'])
    expect(output.match(/each$/gm)).toHaveLength(1)
    const name = 'files.upload, the interface of servers other than Slack'
    expect(output).toContain(shown(name, '2 messages', `coverage.csv, 439 B ${source}`))
    expect([code, verdict(output)]).toEqual([0, 'Everything arrived: 2 files in every channel.'])
  })

  test('--log shows the log of each run, without the token, and says that its links end with the sandbox', async () => {
    const { code, output } = await start(['--log'])
    expect(output).toContain(
      '\nThe sandbox stops now: links of the log lead nowhere without --keep.\n',
    )
    expect(output.match(/^ {3}Posted 2 files in 3 channels$/gm)).toHaveLength(2)
    expect(output).not.toMatch(/xoxb-|add-mask/)
    expect(code).toBe(0)
  })

  test('a pattern looks for own files where the command was typed', async () => {
    const typed = [
      '--channels',
      '["#builds", "U0NEWCOMER0"]',
      '--comment',
      'For <https://a.b|you> & <!subteam^S0123456789>',
    ]
    const { code, output } = await start(['*.txt', '--method', 'external', ...typed], folder)
    const comment = '      For you (link) & @S0123456789'
    const lines = [
      '   #builds, newcomer (direct): 1 file in 1 message each',
      comment,
      '         mine.txt (4 B)',
    ]
    expect(output).toContain(`\n${lines.join('\n')}\n`)
    expect(output).toMatch(/ mine\.txt +same bytes in every channel/m)
    expect(output).not.toContain('#general')
    expect([code, verdict(output)]).toEqual([0, 'Everything arrived: 1 file in every channel.'])
  })

  const nothing = /^Nothing arrived: the step ended with 1 \(failed\)\.$/
  const notAll = /^Not everything arrived: the step ended with 1 \(\w+\)\.$/
  const seeHelp = /^npm start -- --help describes the options\.$/
  test.each<[string, readonly string[], string, RegExp]>([
    [
      'a channel without the app',
      ['--channels', 'notJoined', '*.txt'],
      'The app is not in the channel',
      nothing,
    ],
    [
      'a fault',
      ['*.txt', ...fault('files.upload', 'restricted_action')],
      'restricted_action',
      notAll,
    ],
    [
      'an unknown channel',
      ['--channels', 'bilds'],
      'The sandbox has no channel bilds. It has: general, r',
      seeHelp,
    ],
    [
      '--fault silence',
      ['--fault', 'silence'],
      '--fault silence is not a rule. Write JSON such as {"on": ',
      seeHelp,
    ],
    ['--token', ['--token', 'x'], 'and name that with --token-env.\n', seeHelp],
    ['an option that is none', ['--chanels', 'x'], 'There is no option --chanels.\n', seeHelp],
    [
      '--base-url alone',
      ['--base-url', 'http://127.0.0.1:9'],
      '--base-url needs --token-env NAME',
      seeHelp,
    ],
  ])('%s is an error', async (_, args, error, last) => {
    const { code, output } = await start(args, folder)
    expect(output).toContain(error)
    expect([code, lastLine(output)]).toEqual([1, expect.stringMatching(last)])
  })
})

test('with a real service, npm start posts there with the token of the environment variable, and shows the log', async () => {
  await using service = await startSandbox(atOnce)
  const args = [
    '--base-url',
    service.baseUrl,
    '--token-env',
    'MY_TOKEN',
    '--channels',
    service.channels.builds,
  ]
  const { code, output } = await start(args, root, { MY_TOKEN: service.tokens.all })
  expect(output).toContain('\nPosted 2 files in 1 channel\n')
  expect(output).not.toContain(service.tokens.all)
  expect([code, lastLine(output)]).toEqual([
    0,
    'Everything arrived: 2 files, seen in every channel.',
  ])
  const texts = service.workspace.messages.map(({ text }) => text)
  expect(texts).toEqual(['coverage.csv, 439 B', 'test-results.csv, 824 B'])
})

test('what did not arrive makes the command fail although the step reports success', async () => {
  await using sandbox = await startSandbox({ sharing: { channels: ['C0GENERAL00'] } })
  using print = jest.spyOn(console, 'log').mockImplementation(() => {})
  const file = 'examples/reports/coverage.csv'
  const method = 'external'
  const inputs = { files: file, channels: 'general releases', method, 'if-not-confirmed': 'ignore' }
  expect(await postToSandbox(sandbox, { inputs, folder: root, log: false })).toMatchObject({
    code: 1,
    text: `Not everything arrived: ${file} missing in #releases (external).`,
  })
  expect(print.mock.calls.flat().join('\n')).toContain(
    `…  ${file}  missing in #releases (external)`,
  )
})
