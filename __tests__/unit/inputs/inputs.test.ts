import path from 'node:path'
import { expect, test } from '@jest/globals'
import { isTextAlone, maskInputs } from '../../../src/inputs/inputs.ts'
import { ProblemError } from '../../../src/problem.ts'
import { withEnvironment } from '../../support/environment.ts'
import { grid } from '../../support/grid.ts'
import { stdoutOf } from '../../support/stdout.ts'
import {
  type GivenInputs,
  inputProblems,
  inputsOf,
  madeUpToken as token,
  withInputs,
} from '../../support/with-inputs.ts'

const workspace = import.meta.dirname
const environment = { GITHUB_WORKSPACE: workspace }

test('only the token, the channels and the files are needed', () => {
  expect(inputsOf({}, environment)).toStrictEqual({
    token,
    channels: ['C0123456789'],
    files: '*.csv',
    comment: '{files} from {source}',
    title: '{name}',
    commentFormat: 'mrkdwn',
    allowBroadcast: false,
    removeToken: expect.any(Function),
    threadTs: undefined,
    method: 'external',
    baseUrl: new URL('https://slack.com'),
    workspace,
    workingDirectory: '',
    ifNoFilesFound: 'error',
    includeHiddenFiles: false,
    maxFiles: 50,
    ifNotConfirmed: 'error',
    timeoutMilliseconds: 600_000,
    dryRun: false,
  })
})

test('an input may have these values', async () => {
  // A name and a value, and below them the inputs that it changes.
  const values = `
files: # all⏎*.csv
comment:   two\r⏎lines ⏎
comment:  ⏎
comment: None
comment:  none⏎
comment: None of them failed
title: a\r⏎b
comment-format: plain
allow-broadcast: true
allow-broadcast: FALSE
base-url: https://chat.example.com
working-directory: ..
if-no-files-found: warn
include-hidden-files: TRUE
include-hidden-files: False
max-files: 1
max-files: 999999
if-not-confirmed: ignore
timeout-minutes: 0.5
timeout-minutes: 999.9
dry-run: True
dry-run: false
`
  const unset = new Map<string, unknown>(Object.entries(inputsOf({}, environment)))
  const changed = (line: string) => {
    const [, name = '', value = ''] = /^(.*?): (.*)$/s.exec(line) ?? []
    const inputs = Object.entries(inputsOf({ [name]: value }, environment))
    return Object.fromEntries(inputs.filter(([key, now]) => String(now) !== String(unset.get(key))))
  }
  expect(await grid(values, changed)).toMatchInlineSnapshot(`
"files: # all⏎*.csv
    {"files":"# all\\n*.csv"}
comment:   two<d>⏎lines ⏎
    {"comment":"  two\\nlines \\n"}
comment:  ⏎
    {}
comment: None
    {"comment":""}
comment:  none⏎
    {"comment":""}
comment: None of them failed
    {"comment":"None of them failed"}
title: a<d>⏎b
    {"title":"a\\nb"}
comment-format: plain
    {"commentFormat":"plain"}
allow-broadcast: true
    {"allowBroadcast":true}
allow-broadcast: FALSE
    {}
base-url: https://chat.example.com
    {"method":"files.upload","baseUrl":"https://chat.example.com/"}
working-directory: ..
    {"workingDirectory":".."}
if-no-files-found: warn
    {"ifNoFilesFound":"warn"}
include-hidden-files: TRUE
    {"includeHiddenFiles":true}
include-hidden-files: False
    {}
max-files: 1
    {"maxFiles":1}
max-files: 999999
    {"maxFiles":999999}
if-not-confirmed: ignore
    {"ifNotConfirmed":"ignore"}
timeout-minutes: 0.5
    {"timeoutMilliseconds":30000}
timeout-minutes: 999.9
    {"timeoutMilliseconds":59994000}
dry-run: True
    {"dryRun":true}
dry-run: false
    {}"
`)
})

test('an invalid input ends the step, and so does a misspelled one; one of another action does not', () => {
  expect(() => inputsOf({ 'dry-run': 'yes' })).toThrow(ProblemError)
  expect(() => inputsOf({ dry_run: 'true' })).toThrow('Did you mean `dry-run`?')
  expect(inputsOf({ path: '*.csv' }).files).toBe('*.csv')
  expect(inputProblems({ path: '*.csv' })).toEqual([])
})

test('if base-url is invalid, nothing that depends on the service is judged', () => {
  const given = {
    token: 'made-up-token',
    channels: 'general',
    'thread-ts': 'th-42',
    'if-no-files-found': 'comment',
  }
  const problems = inputProblems({
    ...given,
    method: 'files.upload',
    'base-url': 'https://chat.example.com:99999',
  })
  expect(problems.map((problem) => problem.split(':')[1])).toEqual([' base-url'])
  expect(inputProblems({ ...given, 'base-url': 'chat' })).toHaveLength(1)
})

test.each([
  ['token', 'made-up', "`token` doesn't look like a Slack token"],
  ['channels', '42', '`channels` contains `42`'],
  ['thread-ts', 'th-42', '`thread-ts` is `th-42`'],
  ['method', 'files.upload', '`method` is `files.upload`'],
])('%s may be right for another server, whose base-url came out empty', (name, value, wrong) => {
  const [problem] = inputProblems({ 'base-url': ' ', [name]: value })
  const start = `Invalid input: ${name}: `
  expect(problem).toContain(`${start}\`base-url\` is empty, so this is Slack. ${wrong}`)
  // The runner inserts the default from `action.yml` if the workflow sets no `base-url`.
  for (const others of [{}, { 'base-url': 'https://slack.com' }]) {
    expect(inputProblems({ ...others, [name]: value })[0]).toContain(start + wrong)
  }
  expect(inputProblems({ 'base-url': '', 'max-files': 'all' })[0]).toMatch(/: `max-files` is `all`/)
})

test("for every server with the external upload, Slack's rules apply, apart from those for tokens", () => {
  const opaque = { token: 'xapp-is-just-text-here', channels: 'general', 'thread-ts': 'th-42' }
  const problems = inputProblems({
    'base-url': 'https://chat.example.com',
    method: 'external',
    ...opaque,
  })
  expect(problems.map((problem) => problem.split(': ')[1])).toEqual(['channels', 'thread-ts'])
})

test('the token is masked before anything else', () => {
  const masked = (given: GivenInputs, more: NodeJS.ProcessEnv = {}) => {
    const environment = { GITHUB_ACTIONS: 'true', ...more }
    let hasToken: boolean | undefined
    const commands = stdoutOf(() => {
      hasToken = withEnvironment(environment, () => withInputs(given, maskInputs))
    })
    return [hasToken, commands]
  }
  expect(masked({ token })).toEqual([true, `::add-mask::${token}\n`])
  expect(masked({ token: ' ' })).toEqual([false, ''])
  expect(masked({ token: '' }, { https_proxy: 'http://:pass@proxy.example' })[1]).toContain(
    '::add-mask::pass\n',
  )
})

test('a text alone is asked for without files, and without a word about them', async () => {
  const steps = `
{"if-no-files-found": "comment", "files": " ", "comment": "Done"}
{"if-no-files-found": "comment", "files": " ", "comment": "{files}"}
{"if-no-files-found": "comment", "comment": "Done"}
{"if-no-files-found": "warn", "files": " ", "comment": "Done"}
`
  const alone = (given: string) => isTextAlone(inputsOf(JSON.parse(given)))
  expect(await grid(steps, alone)).toMatchInlineSnapshot(`
"{"if-no-files-found": "comment", "files": " ", "comment": "Done"}
    true
{"if-no-files-found": "comment", "files": " ", "comment": "{files}"}
    false
{"if-no-files-found": "comment", "comment": "Done"}
    false
{"if-no-files-found": "warn", "files": " ", "comment": "Done"}
    false"
`)
})

test('without GITHUB_WORKSPACE, the workspace is the current folder', () => {
  expect(inputsOf({}, { GITHUB_WORKSPACE: '' }).workspace).toBe(process.cwd())
  expect(inputsOf({}, { GITHUB_WORKSPACE: `${workspace}${path.sep}` }).workspace).toBe(workspace)
})
