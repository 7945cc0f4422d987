// What is checked before anything is posted: dry runs, channels and users, runs without secrets, names of inputs. The rules are tested
// in `unit/`: `service/preflight`, `inputs/names`, `context`, `files/explain`.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { annotations, seen } from '../support/shown-log.ts'
import { type Done, errorsIn, runStep } from '../support/step.ts'

const csv = { 'unit.csv': 'a,b\n1,2\n' }
const twenty = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`reports/unit-${index + 1}.csv`, `a\n${index}\n`]),
)

const called = ({ requests }: Done): readonly string[] => requests.map(({ path }) => path.replace('/api/', ''))
const channelsOf = ({ messages }: Done): readonly string[] => messages.map(({ channel }) => channel)

describe('a dry run', () => {
  test('of 20 files to 3 channels names the one that is unknown and the one that the app is not in, and sends nothing', async () => {
    const result = await runStep({
      files: twenty,
      inputs: ({ channels }) => ({
        method: 'external',
        'dry-run': 'true',
        files: 'reports/*.csv',
        channels: `${channels.general}, C0UNKNOWN00, ${channels.notJoined}`,
      }),
    })
    expect(result).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed', count: '0' } })
    expect(called(result).toSorted()).toEqual([
      'auth.test',
      'conversations.info',
      'conversations.info',
      'conversations.info',
    ])
    expect(seen(result)).toMatchSnapshot()
    expect(result.summary).toContain('C0UNKNOWN00')
    expect(result.summary).toContain('C0NOTJOINED')
    expect(result.summary).toContain('Invite the app')
    expect(result.summary).toContain('No channel with this ID is visible to the app')
  })

  test('that would work succeeds, says what would be posted where, and opens no direct conversation', async () => {
    const result = await runStep({
      files: csv,
      inputs: ({ channels, users }) => ({
        method: 'external',
        'dry-run': 'true',
        channels: [channels.general, channels.direct, users.newcomer].join(),
      }),
    })
    expect(result).toMatchObject({ code: 0, messages: [], outputs: { status: 'dry-run', count: '0' } })
    expect(seen(result)).toMatchSnapshot()
    const opened = result.requests.find(({ path }) => path === '/api/conversations.open')
    expect(opened?.fields).toContainEqual(['prevent_creation', 'true'])
  })

  test.each(['external', 'files.upload'])('by %s reads the files, and finds the token in one', async (method) => {
    const result = await runStep({
      files: csv,
      inputs: { method, 'dry-run': 'true', files: '*.csv' },
      prepare: ({ tokens }, folder) => writeFile(join(folder, 'token.csv'), tokens.all),
    })
    expect(result).toMatchObject({ code: 1, messages: [], outputs: { status: 'failed' } })
    expect(errorsIn(result)).toMatchObject([{ title: 'A file contains the token' }])
  })

  test('by files.upload sends no request, and says that the result is unknown', async () => {
    const result = await runStep({ files: csv, inputs: { 'dry-run': 'true' } })
    expect(result).toMatchObject({ code: 0, requests: [], outputs: { status: 'dry-run' } })
    expect(result.stdout).toContain('unknown (`files.upload` offers no check before it posts)')
  })
})

describe('a user', () => {
  test('becomes the direct conversation, which gets the files once although it is named too', async () => {
    const result = await runStep({
      files: csv,
      inputs: ({ channels, users }) => ({ method: 'external', channels: `${users.reviewer}, ${channels.direct}` }),
    })
    expect(result.code).toBe(0)
    expect(channelsOf(result)).toEqual(['D0DIRECT000'])
    expect(JSON.parse(result.outputs['messages'] ?? '')).toMatchObject([
      { channel: 'D0DIRECT000', requested: 'U0REVIEWER0', state: 'posted' },
    ])
  })

  test('without a direct conversation gets one, before anything is staged', async () => {
    const result = await runStep({
      files: csv,
      inputs: ({ users }) => ({ method: 'external', channels: users.newcomer }),
    })
    expect(result.code).toBe(0)
    expect(called(result)[0]).toBe('conversations.open')
    expect(channelsOf(result)).toEqual([expect.stringMatching(/^D/)])
  })
})

test('channels are not looked up for one channel: the response to the post is about it', async () => {
  const result = await runStep({ files: csv, inputs: { method: 'external' } })
  expect(called(result)).not.toContain('conversations.info')
})

test('a run for a pull request from a fork is skipped and succeeds, whatever else is missing', async () => {
  const fork = { head: { repo: { full_name: 'someone/repo' } }, base: { repo: { full_name: 'octo-org/repo' } } }
  const result = await runStep({
    files: csv,
    eventName: 'pull_request',
    event: { pull_request: fork },
    inputs: { token: '', channels: '', files: '' },
  })
  expect(result).toMatchObject({ code: 0, requests: [], outputs: { status: 'skipped' } })
})

test('a run in a fork without the token says how to keep the job from running there', async () => {
  const event = { repository: { fork: true, full_name: 'someone/repo' } }
  const result = await runStep({ files: csv, eventName: 'push', event, inputs: { token: '' } })
  expect(result).toMatchObject({ code: 1, requests: [], outputs: { status: 'failed' } })
  expect(annotations(result)).toContain('This repository is a fork, and has secrets of its own.')
})

test('a misspelled input is an error before any request', async () => {
  const result = await runStep({ files: csv, inputs: { dry_run: 'true', max_file: '5' } })
  expect(result).toMatchObject({ code: 1, requests: [], outputs: { status: 'failed' } })
  expect(annotations(result)).toMatchSnapshot()
})

describe('an input of another action', () => {
  test('is a warning if the inputs that are needed are set', async () => {
    const result = await runStep({
      files: csv,
      inputs: { path: 'unit.csv', channel_id: 'C0GENERAL00', initial_comment: 'Hi' },
    })
    expect(result.code).toBe(0)
    expect(seen(result)).toMatchSnapshot()
  })

  test('is a warning beside the error about another input', async () => {
    const result = await runStep({ files: csv, inputs: { channel_id: 'C0GENERAL00', 'max-files': 'all' } })
    expect(errorsIn(result).map(({ title }) => title)).toEqual(['Invalid input: max-files'])
    expect(result.stdout).toContain('::warning title=Inputs of another action::These inputs are not read: `channel_id`')
  })
})

test.each([
  ['reports/covrage.csv', 'There is no `reports/covrage.csv`. Did you mean `reports/coverage.csv`?'],
  [
    '["reports/*.csv"]',
    '`files` is text, not a JSON list. Write one pattern per line, without `[`, `]`, quotes and commas.',
  ],
])('the error about a misspelled pattern suggests the right one: %s', async (pattern, answer) => {
  const result = await runStep({ files: { 'reports/coverage.csv': 'a' }, inputs: { files: pattern } })
  expect(result).toMatchObject({ code: 1, requests: [] })
  expect(errorsIn(result)).toEqual([{ title: 'No files found', text: expect.stringContaining(answer) }])
})
