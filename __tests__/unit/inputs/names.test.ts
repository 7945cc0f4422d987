import { describe, expect, test } from '@jest/globals'
import { otherNameOf, unreadInputs } from '../../../src/inputs/names.ts'
import { titleOf } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'

/** The variables that the runner sets for these inputs. */
function environmentOf(...names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`INPUT_${name.toUpperCase()}`, 'made-up']))
}

const required = ['token', 'channels', 'files']

/** The first line of the only problem, which is a warning. */
function warningFor(...names: readonly string[]): string {
  const problems = unreadInputs(environmentOf(...names)).map(({ level, text, title }) => [level, title, quoted(text)])
  expect(problems).toEqual([['warning', 'Inputs of another action', expect.any(String)]])
  const [line = '', ...others] = problems[0]?.[2]?.toString().split('\n') ?? []
  expect(others).toEqual(['Remove them, or use the names of this action.'])
  return line
}

const otherNames = [
  ['files', 'file file_path file-path filepath path'],
  ['title', 'filename file_name'],
  ['channels', 'channel channel_id channel-id channel_ids slack_channel'],
  ['token', 'slack_token slack-token slack_bot_token slack-bot-token slack_api_token'],
  ['comment', 'initial_comment initial-comment message text payload'],
  ['timeout-minutes', 'retries'],
  ['base-url', 'slack_api_url api'],
] as const

describe.each(otherNames)('%s', (ours, others) => {
  test.each(others.split(' '))('has the name %s in another action', (name) => {
    expect(warningFor(name, ...required)).toBe(`These inputs are not read: \`${name}\` (here: \`${ours}\`).`)
    expect(quoted(otherNameOf(ours, environmentOf(name)))).toBe(`: this action reads \`${ours}\`, not \`${name}\``)
  })
})

test('one warning names all of them', () => {
  expect(warningFor('file_path', 'path', 'message', 'webhook-url', ...required)).toBe(
    'These inputs are not read: `file_path`, `path` (here: `files`); `message` (here: `comment`); `webhook-url` (a webhook cannot upload files).',
  )
})

test.each(['webhook', 'webhook-url', 'slack_webhook', 'slack-webhook-url'])('%s is for a webhook', (name) => {
  expect(warningFor(name, ...required)).toBe(`These inputs are not read: \`${name}\` (a webhook cannot upload files).`)
})

test('the error about a missing input names all of them', () => {
  expect(quoted(otherNameOf('files', environmentOf('file_path', 'channel', 'path', 'fles')))).toBe(
    ': this action reads `files`, not `file_path` or `path` or `fles`',
  )
})

test('what the error about a missing input names has no warning', () => {
  expect(unreadInputs(environmentOf('slack_token', 'channel_id', 'path', 'chanels', 'webhook'))).toEqual([])
  expect(warningFor('path', 'message', 'token', 'channels')).toBe(
    'These inputs are not read: `message` (here: `comment`).',
  )
})

const misspelled = {
  'dry-run': 'dry_run dryrun dry-runs',
  'on-rerun': 'on_rerun',
  comment: 'comments',
  'base-url': 'base_url',
  'working-directory': 'working_directory working-directroy',
  'thread-ts': 'thread_ts',
  'if-no-files-found': 'if_no_files_found if-no-file-found',
  'max-files': 'max-file',
  'timeout-minutes': 'timeout_minute',
  title: 'titles',
  method: 'metod',
}
const rows = Object.entries(misspelled).flatMap(([ours, names]) => names.split(' ').map((name) => [name, ours]))
test.each(rows)('the input %s is misspelled, and means %s', (name = '', ours) => {
  const problems = unreadInputs(environmentOf(name, ...required))
  expect(problems.map((problem) => [problem.level, quoted(titleOf(problem)), quoted(problem.text)])).toEqual([
    [
      undefined,
      `Unknown input: \`${name}\``,
      `This action has no input \`${name}\`. Did you mean \`${ours}\`?\nIf the workflow sets the variable \`INPUT_${name.toUpperCase()}\` for something else, give the variable another name.`,
    ],
  ])
})

test.each(['workingdirectories', 'titel', 'time', 'name', 'anything'])('the input %s may be anything', (name) => {
  expect(unreadInputs(environmentOf(name, ...required))).toEqual([])
})

test('a misspelled required input beside the right one is a warning', () => {
  expect(warningFor('chanel', 'tokens', 'fles', ...required)).toBe(
    'These inputs are not read: `chanel` (here: `channels`); `tokens` (here: `token`); `fles` (here: `files`).',
  )
})

test('without undeclared inputs, there is nothing to say', () => {
  const set = environmentOf(...required, 'comment', 'dry-run')
  const environment = { ...set, INPUT_PATH: '', INPUT_DRY_RUN: '', MY_INPUT_DRY_RUN: 'true' }
  expect(unreadInputs(environment)).toEqual([])
  expect(otherNameOf('files', environment)).toEqual([])
})
