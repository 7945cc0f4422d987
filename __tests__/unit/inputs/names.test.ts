import { describe, expect, test } from '@jest/globals'
import { nameInOtherActions, unreadInputs } from '../../../src/inputs/names.ts'
import { quoted } from '../../../src/text/text.ts'

/** The variables that the runner sets for these inputs. */
function environmentOf(...names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`INPUT_${name.toUpperCase()}`, 'made-up']))
}

/** The lines of the only warning. */
function warningFor(...names: readonly string[]): readonly string[] {
  const [warning, ...more] = unreadInputs(environmentOf(...names))
  expect([warning?.title, more]).toEqual(['Inputs of another action', []])
  return quoted(warning?.text ?? []).split('\n')
}

const needed = ['token', 'channels', 'files']
const otherNames = [
  ['files', 'file file_path file-path filepath path filename'],
  ['channels', 'channel channel_id channel-id channel_ids slack_channel'],
  ['token', 'slack_token slack-token slack_bot_token slack-bot-token slack_api_token webhook webhook-url'],
  ['comment', 'initial_comment initial-comment message text payload'],
  ['thread-ts', 'thread_ts'],
  ['timeout-minutes', 'retries'],
  ['if-no-files-found', 'if_no_files_found'],
  ['base-url', 'slack_api_url api'],
] as const

describe.each(otherNames)('%s', (ours, others) => {
  test.each(others.split(' '))('has the name %s in another action', (name) => {
    expect(warningFor(name, ...needed)).toEqual([
      `These inputs are not read: \`${name}\` (here: \`${ours}\`).`,
      'Remove them, or use the names of this action.',
    ])
    expect(quoted(nameInOtherActions(ours, environmentOf(name)))).toBe(
      `: this action reads \`${ours}\`, not \`${name}\``,
    )
  })
})

test('one warning names all of them', () => {
  expect(warningFor('path', 'thread_ts', 'file_path', ...needed)[0]).toBe(
    'These inputs are not read: `file_path`, `path` (here: `files`); `thread_ts` (here: `thread-ts`).',
  )
})

test('the error about a missing input names all of them', () => {
  expect(quoted(nameInOtherActions('files', environmentOf('path', 'channel', 'file_path')))).toBe(
    ': this action reads `files`, not `file_path` or `path`',
  )
})

test('what the error about a missing input names has no warning', () => {
  expect(unreadInputs(environmentOf('slack_token', 'channel_id', 'path'))).toEqual([])
  expect(warningFor('path', 'message', 'token', 'channels')[0]).toBe(
    'These inputs are not read: `message` (here: `comment`).',
  )
})

test('without inputs of another action, there is nothing to say', () => {
  const environment = { ...environmentOf(...needed, 'comment', 'anything'), INPUT_PATH: '' }
  expect(unreadInputs(environment)).toEqual([])
  expect(nameInOtherActions('files', environment)).toEqual([])
})
