// `npm start`: what a newcomer runs first.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { findDifferences } from '../../sandbox/arrivals.ts'
import { postToSandbox } from '../../sandbox/demo.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import type { Message } from '../../sandbox/workspace.ts'
import { runProcess } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')

/** As `npm start -- …` does, from the folder in which somebody types it. */
async function start(args: readonly string[], folder = root, env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: root, env: { INIT_CWD: folder, ...env } }
  const { code, stdout, stderr } = await runProcess(process.execPath, ['sandbox/demo.ts', ...args], options)
  return { code, output: stdout + stderr }
}

async function checksum(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)

describe('npm start', () => {
  let result: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    result = await start([])
  })

  test('posts by the specified method and then by the external upload, within one screen', () => {
    const { code, output } = result
    expect(output).toMatch(
      /^1\. The upload of servers other than Slack .*\n {3}#general, #releases, reviewer \(direct\): 2 files in 2 messages each$/m,
    )
    expect(output).toMatch(
      /^2\. The upload that Slack offers .*\n {3}#general, #releases, reviewer \(direct\): 2 files in 1 message each\n {6}2 files, 1\.3 KB from octo-org\/octo-repo 1\.2\.0: vouchers, run\n {9}coverage\.csv \(439 bytes\)\n/m,
    )
    expect(output.trimEnd().split('\n').length).toBeLessThan(24)
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
    expect(code).toBe(0)
  })

  test('has one line for each file, with its checksum', async () => {
    for (const name of ['coverage.csv', 'test-results.csv']) {
      const sha256 = await checksum(join(root, 'examples/reports', name))
      expect(result.output.split(`/${name}`)).toHaveLength(2)
      expect(result.output).toMatch(
        new RegExp(`^   examples/reports/${name} +same bytes in every channel +sha256 ${sha256.slice(0, 12)}…$`, 'm'),
      )
    }
  })

  test('names no page that is gone, and ends with the result', () => {
    expect(result.output).not.toContain('127.0.0.1')
    expect(result.output).toContain('npm start -- --keep')
    expect(lastLine(result.output)).toBe('Everything arrived: 2 files in every channel, by both methods.')
  })
})

describe('npm start', () => {
  test.each(['files.upload', 'external', 'auto'])('--method %s posts by that method only', async (method) => {
    const { code, output } = await start(['--method', method])
    expect(output.match(/each$/gm)).toHaveLength(1)
    expect(lastLine(output)).toBe('Everything arrived: 2 files in every channel.')
    expect(code).toBe(0)
  })

  test('--log shows the log of each run, without the token', async () => {
    const { code, output } = await start(['--log'])
    expect(output.match(/^ {3}Posted 2 files in 2 channels and 1 direct conversation$/gm)).toHaveLength(2)
    expect(output).not.toMatch(/xoxb-|add-mask/)
    expect(code).toBe(0)
  })

  test('--fault makes a request fail', async () => {
    const rule = { on: 'files.getUploadURLExternal', fault: { kind: 'error', code: 'restricted_action' } }
    const { code, output } = await start(['--method', 'external', '--fault', JSON.stringify(rule)])
    expect(output).toContain('restricted_action')
    expect(code).toBe(1)
  })

  test('--channels leaves a name to the step, where the method looks names up', async () => {
    const rule = { on: 'users.conversations', fault: { kind: 'error', code: 'access_denied' } }
    const { output } = await start(['--channels', '#releases', '--fault', JSON.stringify(rule)])
    const [, byId, byName] = output.split(/^[12]\. /m)
    expect(byId).toContain('\n   #releases: 2 files in 2 messages\n')
    expect(byName).toContain('`access_denied` to `users.conversations`')
  })

  test.each(['silence', '{"on": "uploads"}'])('--fault %s is refused, with an example', async (rule) => {
    const { code, output } = await start(['--fault', rule])
    expect(output).toContain(`--fault ${rule} is not a rule. Write JSON such as {"on": `)
    expect(code).toBe(1)
  })

  test('--help describes the options', async () => {
    const { code, output } = await start(['--help'])
    for (const option of ['--keep', '--log', '--fault', '--method', '--channels', '--base-url', '--token-env']) {
      expect(output).toContain(`\n  ${option} `)
    }
    expect(code).toBe(0)
  })

  test.each([
    ['--unknown', ['--unknown']],
    ['--token', ['--token', 'x']],
  ])('does not know %s, and names --help', async (option, args) => {
    const { code, output } = await start(args)
    expect(output).toContain(`Unknown option '${option}'`)
    expect(output).toContain('npm start -- --help')
    expect(code).toBe(1)
  })
})

test.each([
  ['--port 70000', '--port 70000 is not a port. Write a number from 1 to 65535.'],
  ['--bits-per-second 1M', '--bits-per-second 1M is not a speed. Write a number, such as 1000000.'],
])('npm run sandbox -- %s is an error', async (options, error) => {
  const { code, stderr } = await runProcess(process.execPath, ['sandbox/cli.ts', ...options.split(' ')], { cwd: root })
  expect([code, stderr.split('\n')[0]]).toEqual([1, error])
})

describe('With files of one’s own', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-'))
    await writeFile(join(folder, 'mine.txt'), 'mine')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('they are looked for where the command was typed, and go to the channels that are named', async () => {
    const own = [
      '*.txt',
      '--channels',
      '#builds U0NEWCOMER0',
      '--method',
      'external',
      '--comment',
      'For <https://a.b|you> & me',
    ]
    const { code, output } = await start(own, folder)
    expect(output).toMatch(
      /^ {3}#builds, newcomer \(direct\): 1 file in 1 message each\n {6}For you & me\n {9}mine\.txt \(4 bytes\)$/m,
    )
    expect(output).toMatch(/^ {3}mine\.txt +same bytes in every channel/m)
    expect(output).not.toContain('#general')
    expect(lastLine(output)).toBe('Everything arrived: 1 file in every channel.')
    expect(code).toBe(0)
  })

  test.each([
    ['no file matches', ['*.csv'], 'ERROR No files found: '],
    [
      'the app is not in a channel',
      ['*.txt', '--channels', 'general,notJoined'],
      'ERROR It is unknown whether the message was posted: ',
    ],
  ])('the command fails if %s, and shows the log', async (_, args, error) => {
    const { code, output } = await start(args, folder)
    expect(output).toContain(`\n   ${error}`)
    expect(lastLine(output)).toMatch(/^Not everything arrived: the step ended with 1 \(\w+\)\.$/)
    expect(code).toBe(1)
  })

  test('a channel that the sandbox does not have is an error that names those it has', async () => {
    const { code, output } = await start(['*.txt', '--channels', 'bilds'], folder)
    expect(output).toMatch(/^The sandbox has no channel bilds\. It has: general, releases, builds, /m)
    expect(code).toBe(1)
  })

  test('a dry run sends nothing and succeeds', async () => {
    const { code, output } = await start(['*.txt', '--dry-run', 'true'], folder)
    expect(lastLine(output)).toBe('Nothing was sent: it was a dry run.')
    expect(output).not.toContain('browser')
    expect(code).toBe(0)
  })
})

describe('With a real service', () => {
  let service: Sandbox
  beforeAll(async () => {
    service = await startSandbox()
  })
  afterAll(() => service.stop())

  const post = (channels: string, env: Readonly<Record<string, string>>, args: readonly string[] = []) =>
    start(['--base-url', service.baseUrl, '--token-env', 'MY_TOKEN', '--channels', channels, ...args], root, env)

  test('it posts there with the token of the environment variable, and shows the log', async () => {
    const { code, output } = await post(service.channels.builds, { MY_TOKEN: service.tokens.all })
    expect(output).toContain('\nPosted 2 files in 1 channel\n')
    expect(output).not.toContain(service.tokens.all)
    expect(lastLine(output)).toBe('Everything arrived: 2 files, seen in every channel.')
    expect(code).toBe(0)
    expect(service.workspace.messages.map(({ text }) => text)).toEqual([
      'coverage.csv, 439 B',
      'test-results.csv, 824 B',
    ])
  })

  test('it links to no run, because there is none', async () => {
    const args = ['--comment', '{files} from {source}', '--method', 'external', 'package.json']
    const { output } = await post(service.channels.general, { MY_TOKEN: service.tokens.all }, args)
    const [block] = service.workspace.messages.at(-1)?.blocks ?? []
    expect(block).toMatchObject({
      text: { text: expect.stringMatching(/^package\.json, [\d.]+ KB from a workflow run$/) },
    })
    expect(lastLine(output)).toBe('Everything arrived: 1 file, seen in every channel.')
  })

  test('it does not claim that files arrived if the step did not see them', async () => {
    const ignore = ['--method', 'external', '--if-not-confirmed', 'ignore']
    const { code, output } = await post(service.channels.releases, { MY_TOKEN: service.tokens.all }, ignore)
    expect(lastLine(output)).toBe('The service accepted everything: 2 files. The step did not see the messages.')
    expect(code).toBe(0)
  })

  test('it fails if the step fails', async () => {
    const { code, output } = await post(service.channels.general, { MY_TOKEN: service.tokens.unknown })
    expect(lastLine(output)).toBe('Not everything arrived: the step ended with 1 (failed).')
    expect(code).toBe(1)
  })

  test('it needs the name of a variable that is set', async () => {
    const unnamed = await start(['--base-url', service.baseUrl])
    expect(unnamed.output).toContain('--base-url needs --token-env NAME')
    const unset = await post(service.channels.general, { MY_TOKEN: '' })
    expect(unset.output).toContain('The environment variable MY_TOKEN is not set.')
    expect([unnamed.code, unset.code]).toEqual([1, 1])
  })
})

describe('What did not arrive', () => {
  afterEach(() => {
    jest.restoreAllMocks()
  })

  test.each(['files.upload', 'external'])(
    'makes the command fail although the step of %s reports success',
    async (method) => {
      const sandbox = await startSandbox({ sharing: { milliseconds: 0, lookups: 0, channels: ['C0GENERAL00'] } })
      const print = jest.spyOn(console, 'log').mockImplementation(() => {})
      try {
        const inputs = {
          files: 'examples/reports/coverage.csv',
          channels: 'general releases',
          method,
          'if-not-confirmed': 'ignore',
        }
        const problem = `missing in #releases (${method})`
        expect(await postToSandbox(sandbox, { inputs, folder: root, log: false })).toEqual({
          code: 1,
          text: `Not everything arrived: examples/reports/coverage.csv ${problem}.`,
        })
        expect(print.mock.calls.flat().join('\n')).toContain(`   examples/reports/coverage.csv  ${problem}  sha256 `)
      } finally {
        await sandbox.stop()
      }
    },
  )

  const file = { name: 'a.csv', sha256: 'a' }
  const other = { name: 'a.csv', sha256: 'b' }
  const message = (...files: readonly object[]): Message =>
    JSON.parse(JSON.stringify({ channel: 'C1', ts: '1.000000', files }))

  test.each<[string, readonly Message[], readonly string[]]>([
    ['once', [message(file)], []],
    ['with other files in one message', [message(other, file)], []],
    ['not at all', [], ['missing']],
    ['with other bytes', [message(other)], ['other bytes']],
    ['twice', [message(file), message(file)], ['2 instead of 1']],
  ])('is found: a file that is there %s', (_, messages, problems) => {
    expect(findDifferences(file, [file], ['C1'], messages).map(({ problem }) => problem)).toEqual(problems)
    expect(findDifferences(file, [file], ['C2'], messages)).toEqual([{ channel: 'C2', problem: 'missing' }])
  })

  test('is found of two equal files, which have to be there twice', () => {
    expect(findDifferences(file, [file, file], ['C1'], [message(file, file)])).toEqual([])
    expect(findDifferences(file, [file, file], ['C1'], [message(file)])).toMatchObject([{ problem: '1 instead of 2' }])
  })
})
