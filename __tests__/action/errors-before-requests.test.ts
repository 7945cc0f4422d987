// Checks before posting: dry runs, people, runs without secrets, inputs. See `service/preflight`,
// `service/channels`, `inputs/` and `context` in `unit/` for the rules.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { inputNames } from '../support/declared.ts'
import { sharedFolder } from '../support/folder.ts'
import { annotations, leaked, seen } from '../support/shown-log.ts'
import { errorsIn, runStep, type Step } from '../support/step.ts'

const folder = sharedFolder()

describe('a dry run', () => {
  test('that would work succeeds, says what would be posted where, and opens no direct conversation', async () => {
    const result = await runStep({
      inputs: ({ channels, users }) => ({
        method: 'external',
        'dry-run': 'true',
        channels: [channels.general, channels.direct, users.newcomer].join(),
      }),
    })
    expect(result).toMatchObject({
      code: 0,
      messages: [],
      outputs: { status: 'dry-run', count: '0' },
    })
    expect(seen(result)).toMatchSnapshot()
    const opened = result.requests.find(({ path }) => path === '/api/conversations.open')
    expect(opened?.fields).toContainEqual(['prevent_creation', 'true'])
  })

  test('of what would fail has the checks in the log, and an error for each channel', async () => {
    const channels = 'C0GENERAL00 C0NOTJOINED C0UNKNOWN000'
    const result = await runStep({ inputs: { method: 'external', 'dry-run': 'true', channels } })
    expect(result).toMatchObject({
      code: 1,
      messages: [],
      outputs: { status: 'failed', count: '0' },
    })
    expect(result.stdout).toContain('\nDry run: posting would fail\nChecked\n')
    expect(result.stdout).toContain('\n  C0NOTJOINED: failed (The app is not in the channel)\n')
    const titles = ['The app is not in the channel', 'The channel was not found']
    expect(errorsIn(result)).toMatchObject(titles.map((title) => ({ title })))
    const unsent = channels
      .split(' ')
      .map((channel) => ({ channel, state: 'not-sent', paths: ['a.csv'] }))
    expect(JSON.parse(result.outputs['messages'] ?? '')).toMatchObject(unsent)
    expect(result.summary).toContain(
      'fail (<code>#general</code>, <code>#not-joined</code>, <code>C0UNKNOWN000</code>)',
    )
  })

  test('by files.upload sends no request, and says that the result is unknown', async () => {
    const result = await runStep({ inputs: { 'dry-run': 'true' } })
    expect(result).toMatchObject({ code: 0, requests: [], outputs: { status: 'dry-run' } })
    expect(result.stdout).toContain('unknown (`files.upload` offers no check before it posts)')
    expect(annotations(result)).toMatch(
      /^Notice: Address, token and channels were not checked\n.*only a run that posts shows/,
    )
    expect(result.summary).toContain('Address, token and channels were not checked')
  })
})

const fromFork = {
  pull_request: {
    head: { repo: { full_name: 'someone/repo' } },
    base: { repo: { full_name: 'octo-org/repo' } },
  },
}

test('a run for a pull request from a fork is skipped and succeeds, whatever else is missing', async () => {
  const result = await runStep({
    eventName: 'pull_request',
    event: fromFork,
    inputs: { token: '', channels: '', files: '' },
  })
  expect(result).toMatchObject({ code: 0, requests: [], outputs: { status: 'skipped' } })
})

test.each<[string, Step, ...string[]]>([
  [
    'a fork',
    { eventName: 'pull_request', event: fromFork, inputs: { token: '' } },
    'recipes.md#pull-requests-from-forks',
  ],
  ['inputs', { inputs: { token: '', channels: '' } }, 'inputs.md', 'setup.md#2-store-the-token'],
  ['a key', { files: { id_rsa: 'a' } }, 'files.md#skipped-files'],
  [
    'a mistyped name',
    { inputs: { channels: '#genral', method: 'external' } },
    'setup.md#3-find-the-channel-id',
  ],
])('what is wrong with %s has a link to the page about it', async (_, step, ...pages) => {
  const env = { GITHUB_ACTION_REPOSITORY: 'octo-org/upload', GITHUB_ACTION_REF: 'v1' }
  const links = annotations(await runStep({ ...step, env })).matchAll(/(?<=\bdocs\/)\S+/g)
  expect(Array.from(links, String)).toEqual(pages)
})

test('an event that is not JSON is an error, and no bug of the action', async () => {
  const event = join(folder, 'event.json')
  writeFileSync(event, '{"release": ')
  const result = await runStep({ env: { GITHUB_EVENT_PATH: event } })
  expect(result).toMatchObject({ code: 1, requests: [], outputs: { status: 'failed' } })
  expect(errorsIn(result)).toEqual([
    {
      title: 'The event of the run cannot be read',
      text: `\`${event}\`, the file of \`GITHUB_EVENT_PATH\`, cannot be read as JSON.\nDoes an earlier step change this file or this variable? Leave both to the runner.`,
    },
  ])
})

test('a wrapper that passes every input on, empty, does what a step without them does', async () => {
  const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
  const given: Step['inputs'] = ({ baseUrl, channels, tokens }) => ({
    'base-url': baseUrl,
    token: tokens.all,
    channels: channels.general,
    files: 'a.csv',
  })
  const wrapped = await runStep({ inputs: (sandbox) => ({ ...empty, ...given(sandbox) }) })
  const bare = await runStep({ inputs: given })
  expect(wrapped).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(wrapped.requests.map(({ fields, path }) => [path, fields])).toEqual(
    bare.requests.map(({ fields, path }) => [path, fields]),
  )
  expect(wrapped.messages[0]?.text).toMatch(/^a\.csv, 4 B from octo-org/)
})

test('several mistakes are reported together: an error for each input, a line for each channel, and no secret', async () => {
  const secret = randomBytes(12).toString('hex')
  const webhook = `https://hooks.slack.com/services/T0123456789/B0123456789/${secret}`
  const done = await runStep({
    env: { RUNNER_DEBUG: '1' },
    inputs: {
      'base-url': 'https://slack.com',
      token: webhook,
      channels: 'C0123456789, deployments @reviewer',
      files: '# all\n',
      comment: `with ${webhook}`,
      'comment-format': 'markdown',
      'dry-run': 'maybe',
      method: `external\n${'x'.repeat(200)}`,
      'max-files': 'all',
      'timeout-minutes': '10m',
    },
  })
  const errors = errorsIn(done).map(
    ({ text, title }) => [title.replace('Invalid input: ', ''), text] as const,
  )
  expect(errors.map(([name]) => name)).toEqual([
    ...['method', 'channels', 'comment', 'token', 'files'],
    ...['comment-format', 'max-files', 'timeout-minutes', 'dry-run'],
  ])
  expect(new Map(errors).get('channels')).toMatch(
    /^`channels` contains `deployments`.*\n`channels` contains `@reviewer`/,
  )
  expect(leaked(done, secret)).toEqual([])
  expect(done).toMatchObject({
    code: 1,
    stderr: '',
    outputs: { status: 'failed', count: '0', messages: '[]' },
  })
  expect(done.summary).toContain('Invalid input: max-files')
  // Each request would log such a line.
  expect(done.stdout).not.toContain('::debug::')
})
