import { expect, test } from '@jest/globals'
import {
  hintForMissing,
  type InputName,
  misspellingErrors,
} from '../../../src/inputs/input-names.ts'
import { titleOf } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'

/** As the runner sets them for these inputs. */
function environmentOf(...names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`INPUT_${name.toUpperCase()}`, 'made-up']))
}

const required = ['token', 'channels', 'files']

/** Pairs of each name and its other names. */
const pairs = (names: Readonly<Partial<Record<InputName, string>>>) =>
  Object.entries(names).flatMap(([ours, others]) =>
    others.split(' ').map((name) => [name, ours as InputName] as const),
  )

const otherNames = {
  files: 'file file_path file-path path paths slack-upload-file-path',
  channels: 'channel channel_id channel-ids slack_channel',
  token: 'slack_token slack-bot-token bot_token slack-bot-user-oauth-access-token',
  comment: 'initial_comment initial-comment slack-upload-initial-comment message text body',
}
test.each(pairs(otherNames))('%s is what another action calls %s', (name, ours) => {
  expect(misspellingErrors(environmentOf(name, ...required))).toEqual([])
  expect(quoted(hintForMissing(ours, environmentOf(name)))).toBe(
    `: rename the input \`${name}\` to \`${ours}\``,
  )
})

test('the error about a missing input names all of them', () => {
  expect(
    quoted(hintForMissing('files', environmentOf('file_path', 'channel', 'path', 'fles'))),
  ).toBe(': rename the input `file_path` or `path` to `files`')
})

test.each(['token', 'channels', 'files'] as const)(
  'the error about a missing %s says that it is below env',
  (ours) => {
    const environment = { [ours]: 'made-up', token: 'made-up' }
    expect(quoted(hintForMissing(ours, environment))).toBe(`: move it from \`env:\` to \`with:\``)
    expect(hintForMissing('comment', { comment: 'made-up' })).toEqual([])
  },
)

const misspelled = {
  'dry-run': 'dry_run dryrun dry-runs',
  comment: 'comments',
  'base-url': 'base_url',
  'working-directory': 'working_directory working-directroy',
  'thread-ts': 'thread_ts',
  'if-no-files-found': 'if_no_files_found if-no-file-found',
  'max-files': 'max-file',
  'timeout-minutes': 'timeout_minute',
  title: 'titles titel',
  method: 'metod',
  channels: 'chanel chanels',
  token: 'tokn',
  files: 'fles fiels',
}
test.each(pairs(misspelled))('the input %s is misspelled, and means %s', (name, ours) => {
  const problems = misspellingErrors(environmentOf(name, ...required))
  expect(
    problems.map((problem) => [problem.level, quoted(titleOf(problem)), quoted(problem.text)]),
  ).toEqual([
    [
      'error',
      `Unknown input: \`${name}\``,
      `This action has no input \`${name}\`. Did you mean \`${ours}\`?\nIf the workflow sets the variable \`INPUT_${name.toUpperCase()}\` for something else, rename that variable.`,
    ],
  ])
})

test.each([
  ...pairs({
    'thread-ts': 'thread',
    'include-hidden-files': 'include-hidden',
    'timeout-minutes': 'timeout',
    'dry-run': 'dry',
  }),
])('the input %s is half of %s', (name, ours) => {
  const [problem] = misspellingErrors(environmentOf(name, ...required))
  expect(quoted(problem?.text ?? [])).toContain(`Did you mean \`${ours}\`?`)
})

test.each(['if', 'id', 'env', 'continue-on-error'])('the input %s belongs to the step', (name) => {
  const [problem] = misspellingErrors(environmentOf(name, ...required))
  expect(quoted(problem?.text ?? [])).toContain(
    `This action has no input \`${name}\`. Did you mean the one of the step, outside of \`with:\`?`,
  )
})

test('a payload for another action is written as inputs', () => {
  const environment = environmentOf('payload')
  const hint = ': write what `payload` says as inputs of this action'
  expect(quoted(hintForMissing('channels', environment))).toBe(hint)
  expect(hintForMissing('token', environment)).toEqual([])
})

test.each(['initial_comment', 'text', 'name', 'workingdirectories', 'webhook-url'])(
  'the input %s may be anything',
  (name) => {
    expect(misspellingErrors(environmentOf(name, ...required))).toEqual([])
  },
)

test('without undeclared inputs, there is nothing to say', () => {
  const set = environmentOf(...required, 'comment', 'dry-run')
  const environment = { ...set, INPUT_PATH: '', INPUT_DRY_RUN: '', MY_INPUT_DRY_RUN: 'true' }
  expect(misspellingErrors(environment)).toEqual([])
  expect(hintForMissing('files', environment)).toEqual([])
})
