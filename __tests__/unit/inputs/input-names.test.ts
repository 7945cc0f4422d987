import { expect, test } from '@jest/globals'
import { hintForMissing, misspellingErrors } from '../../../src/inputs/input-names.ts'
import { quoted } from '../../../src/text/text.ts'
import { groups } from '../../support/grid.ts'

/** As the runner sets them for these inputs. */
function environmentOf(...names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [`INPUT_${name.toUpperCase()}`, 'made-up']))
}

const required = ['token', 'channels', 'files']

test('an input that is misspelled, of another action or of the step is told what it means', async () => {
  const names = `
file
file_path
file-path
path
paths
slack-upload-file-path
channel
channel_id
channel-ids
slack_channel
slack_token
slack-bot-token
bot_token
slack-bot-user-oauth-access-token
initial_comment
initial-comment
slack-upload-initial-comment
message
text
body
payload
dry_run
dryrun
dry-runs
comments
base_url
working_directory
working-directroy
thread_ts
if_no_files_found
if-no-file-found
max-file
timeout_minute
titles
titel
metod
chanel
chanels
tokn
fles
fiels
thread
include-hidden
timeout
dry
if
id
env
continue-on-error
exclude
ignore-patterns
exclude-hidden-files
name
workingdirectories
webhook-url
`
  const meant = async (name: string) => {
    const errors = misspellingErrors(environmentOf(name, ...required)).map(
      (problem) => `${problem.level}: ${problem.title}: ${quoted(problem.text)}`,
    )
    const hints = (['files', 'channels', 'token', 'comment'] as const).map((ours) => {
      const hint = quoted(hintForMissing(ours, environmentOf(name)))
      return hint && `${ours} is missing${hint}`
    })
    const said = [...errors, ...hints].filter(Boolean).join(', ')
    return said.replaceAll(`\`${name}\``, '`…`').replace(name.toUpperCase(), '…') || 'nothing'
  }
  expect(await groups(names, meant)).toMatchInlineSnapshot(`
"files is missing: rename the input \`…\` to \`files\`
    file
    file_path
    file-path
    path
    paths
    slack-upload-file-path
channels is missing: rename the input \`…\` to \`channels\`
    channel
    channel_id
    channel-ids
    slack_channel
token is missing: rename the input \`…\` to \`token\`
    slack_token
    slack-bot-token
    bot_token
    slack-bot-user-oauth-access-token
nothing
    initial_comment
    initial-comment
    slack-upload-initial-comment
    message
    text
    body
    exclude-hidden-files
    name
    workingdirectories
    webhook-url
files is missing: write what \`…\` says as inputs of this action, channels is missing: write what \`…\` says as inputs of this action, comment is missing: write what \`…\` says as inputs of this action
    payload
error: Unknown input: This action has no input \`…\`. Did you mean \`dry-run\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    dry_run
    dryrun
    dry-runs
    dry
error: Unknown input: This action has no input \`…\`. Did you mean \`comment\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    comments
error: Unknown input: This action has no input \`…\`. Did you mean \`base-url\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    base_url
error: Unknown input: This action has no input \`…\`. Did you mean \`working-directory\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    working_directory
    working-directroy
error: Unknown input: This action has no input \`…\`. Did you mean \`thread-ts\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    thread_ts
    thread
error: Unknown input: This action has no input \`…\`. Did you mean \`if-no-files-found\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    if_no_files_found
    if-no-file-found
error: Unknown input: This action has no input \`…\`. Did you mean \`max-files\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    max-file
error: Unknown input: This action has no input \`…\`. Did you mean \`timeout-minutes\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    timeout_minute
    timeout
error: Unknown input: This action has no input \`…\`. Did you mean \`title\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    titles
    titel
error: Unknown input: This action has no input \`…\`. Did you mean \`method\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    metod
error: Unknown input: This action has no input \`…\`. Did you mean \`channels\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    chanel
    chanels
error: Unknown input: This action has no input \`…\`. Did you mean \`token\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    tokn
error: Unknown input: This action has no input \`…\`. Did you mean \`files\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    fles
    fiels
error: Unknown input: This action has no input \`…\`. Did you mean \`include-hidden-files\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    include-hidden
error: Unknown input: This action has no input \`…\`. Did you mean the one of the step, outside of \`with:\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    if
    id
    env
    continue-on-error
error: Unknown input: This action has no input \`…\`. Did you mean lines with \`!\` in \`files\`?
If the workflow sets the variable \`INPUT_…\` for something else, rename that variable.
    exclude
    ignore-patterns"
`)
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

test('without undeclared inputs, there is nothing to say', () => {
  const set = environmentOf(...required, 'comment', 'dry-run')
  const environment = { ...set, INPUT_PATH: '', INPUT_DRY_RUN: '', MY_INPUT_DRY_RUN: 'true' }
  expect(misspellingErrors(environment)).toEqual([])
  expect(hintForMissing('files', environment)).toEqual([])
})
