import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Inputs, maskSecrets, readInputs } from '../../../src/inputs/inputs.ts'
import { ProblemsError, titleOf } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { stdoutOf } from '../../support/stdout.ts'
import { type GivenInputs, withInputs } from '../../support/with-inputs.ts'

const token = 'xoxb-made-up-token'
const needed = { token, channels: 'C0123456789', files: '*.csv' }
const workspace = import.meta.dirname

function inputsOf(given: GivenInputs, environment: NodeJS.ProcessEnv = {}): Inputs {
  return withInputs({ ...needed, ...given }, (ofStep) =>
    readInputs({ ...ofStep, GITHUB_WORKSPACE: workspace, ...environment }),
  )
}

/** `title: text` of each problem. */
function problemsOf(given: GivenInputs): readonly string[] {
  try {
    inputsOf(given)
    return []
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error
    return error.problems.map((problem) => `${quoted(titleOf(problem))}: ${quoted(problem.text)}`)
  }
}

test('only the token, the channels and the files are needed', () => {
  expect(inputsOf({})).toStrictEqual({
    token,
    channels: ['C0123456789'],
    files: '*.csv',
    comment: '',
    title: '{name}',
    commentFormat: 'mrkdwn',
    allowBroadcast: false,
    refuseExternalChannels: false,
    method: 'auto',
    baseUrl: new URL('https://slack.com'),
    slack: true,
    workspace,
    workingDirectory: workspace,
    ifNoFilesFound: 'error',
    includeHiddenFiles: false,
    maxFiles: 50,
    ifNotConfirmed: 'error',
    timeoutMilliseconds: 600_000,
    dryRun: false,
    onRerun: 'post',
    rerunKey: '',
    useProxies: false,
  })
})

test.each<[name: string, value: string, expected: Partial<Inputs>]>([
  ['files', '# all\n*.csv', { files: '# all\n*.csv' }],
  ['files', '\\#.csv', { files: '\\#.csv' }],
  ['comment', '  two\nlines \n', { comment: '  two\nlines \n' }],
  ['title', '{name} of today', { title: '{name} of today' }],
  ['comment-format', 'plain', { commentFormat: 'plain' }],
  ['allow-broadcast', 'true', { allowBroadcast: true }],
  ['thread-ts', '1760688662.900279', { threadTs: '1760688662.900279' }],
  ['refuse-external-channels', 'true', { refuseExternalChannels: true }],
  ['method', 'external', { method: 'external' }],
  ['method', 'files.upload', { method: 'files.upload' }],
  ['base-url', 'https://chat.example.com', { baseUrl: new URL('https://chat.example.com') }],
  ['working-directory', '..', { workingDirectory: path.dirname(workspace) }],
  ['if-no-files-found', 'warn', { ifNoFilesFound: 'warn' }],
  ['if-no-files-found', 'ignore', { ifNoFilesFound: 'ignore' }],
  ['include-hidden-files', 'true', { includeHiddenFiles: true }],
  ['max-files', '1', { maxFiles: 1 }],
  ['max-files', '999999', { maxFiles: 999_999 }],
  ['if-not-confirmed', 'warn', { ifNotConfirmed: 'warn' }],
  ['if-not-confirmed', 'ignore', { ifNotConfirmed: 'ignore' }],
  ['timeout-minutes', '0.5', { timeoutMilliseconds: 30_000 }],
  ['timeout-minutes', '0.05', { timeoutMilliseconds: 3_000 }],
  ['timeout-minutes', '999.9', { timeoutMilliseconds: 59_994_000 }],
  ['dry-run', 'true', { dryRun: true }],
  ['on-rerun', 'missing', { onRerun: 'missing' }],
  ['rerun-key', 'linux', { rerunKey: 'linux' }],
])('%s may be %j', (name, value, expected) => {
  expect(inputsOf({ [name]: value })).toMatchObject(expected)
})

const minutes = 'Write a number of minutes above 0 and below 1000, such as `10` or `0.5`.'
const count = 'Write a whole number from 1 to 999999, such as `50`.'
const methods = 'Write one of `auto`, `external`, `files.upload`.'
test.each([
  ['token', '', 'is empty.'],
  ['channels', '#general', 'contains `#general`'],
  ['files', '\n # all\n#', 'is empty. Write one pattern per line'],
  ['comment-format', 'markdown', 'is `markdown`. Write one of `mrkdwn`, `plain`.'],
  ['allow-broadcast', 'yes', 'is `yes`.'],
  ['thread-ts', '1760688662.9', 'is `1760688662.9`.'],
  ['refuse-external-channels', 'yes', 'is `yes`.'],
  ['method', 'upload', `is \`upload\`. ${methods}`],
  ['method', 'External', 'is `External`. Write `external`.'],
  ['method', 'files.getUploadURLExternal', 'is `files.getUploadURLExternal`. Write `external`.'],
  ['method', 'externals', `is \`externals\`. ${methods}`],
  ['method', 'files.uploadV2', 'is `files.uploadV2`. Write `external`.'],
  ['method', 'filesUploadV2', 'is `filesUploadV2`. Write `external`.'],
  ['method', 'upload_v2', 'is `upload_v2`. Write `external`.'],
  ['method', 'my-uploadV2', `is \`my-uploadV2\`. ${methods}`],
  ['method', 'uploadV2x', `is \`uploadV2x\`. ${methods}`],
  ['base-url', 'chat.example.com', 'which has no scheme.'],
  ['working-directory', 'no-such-folder', 'which does not exist.'],
  ['if-no-files-found', 'warning', 'is `warning`. Write one of `error`, `warn`, `ignore`.'],
  ['include-hidden-files', 'yes', 'is `yes`.'],
  ['max-files', '0', `is \`0\`. ${count}`],
  ['max-files', '-5', `is \`-5\`. ${count}`],
  ['max-files', '05', `is \`05\`. ${count}`],
  ['max-files', '1000000', `is \`1000000\`. ${count}`],
  ['max-files', '5.', `is \`5.\`. ${count}`],
  ['if-not-confirmed', 'false', 'is `false`. Write one of `error`, `warn`, `ignore`.'],
  ['timeout-minutes', '0', `is \`0\`. ${minutes}`],
  ['timeout-minutes', '0.0', `is \`0.0\`. ${minutes}`],
  ['timeout-minutes', '1000', `is \`1000\`. ${minutes}`],
  ['timeout-minutes', '1.', `is \`1.\`. ${minutes}`],
  ['timeout-minutes', '-1', `is \`-1\`. ${minutes}`],
  ['timeout-minutes', '1e2', `is \`1e2\`. ${minutes}`],
  ['timeout-minutes', '30s', `is \`30s\`. ${minutes}`],
  ['timeout-minutes', '10m', 'is `10m`. Write `10`.'],
  ['timeout-minutes', '1 min', 'is `1 min`. Write `1`.'],
  ['timeout-minutes', '0.5  MINUTES', 'is `0.5 MINUTES`. Write `0.5`.'],
  ['timeout-minutes', '2mins', 'is `2mins`. Write `2`.'],
  ['timeout-minutes', '1minute', 'is `1minute`. Write `1`.'],
  ['timeout-minutes', 'in 5m', `is \`in 5m\`. ${minutes}`],
  ['timeout-minutes', '5 months', `is \`5 months\`. ${minutes}`],
  ['timeout-minutes', '0m', `is \`0m\`. ${minutes}`],
  ['dry-run', 'yes', 'is `yes`.'],
  ['on-rerun', 'skip', 'is `skip`. Write one of `post`, `missing`.'],
])('%s may not be %j', (name, value, words) => {
  const problems = problemsOf({ [name]: value })
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^Invalid input: ${name}: \`${name}\` `))])
  expect(problems[0]).toContain(words)
})

test('all problems are reported, in the order in which the inputs are read', () => {
  const problems = problemsOf({ channels: '', 'dry-run': 'yes', token: '', method: 'v3', 'base-url': 'https://' })
  expect(problems.map((problem) => problem.split(': ')[1])).toEqual([
    'base-url',
    'method',
    'channels',
    'token',
    'dry-run',
  ])
})

test('the error about missing files names the input of another action', () => {
  expect(problemsOf({ files: '', path: '*.csv' })[0]).toContain('this action reads `files`, not `path`')
})

describe('files.upload offers no lookup of what was posted, so', () => {
  test('on-rerun may not be missing', () => {
    expect(problemsOf({ method: 'files.upload', 'on-rerun': 'missing' })).toEqual([
      'Invalid input: on-rerun: `on-rerun` is `missing`, but `method: files.upload` offers no lookup of what was posted. Write `on-rerun: post`, or `method: external`.',
    ])
  })

  test('on-rerun may be post', () => {
    expect(inputsOf({ method: 'files.upload', 'on-rerun': 'post' }).onRerun).toBe('post')
  })
})

describe("Slack's rules for tokens, channels and a thread-ts apply", () => {
  const opaque = { token: 'xapp-is-just-text-here', channels: '#general', 'thread-ts': 'th-42' }

  test.each([
    'https://slack.com',
    'https://team.slack.com/',
    'https://team.enterprise.slack.com',
    'https://slack-gov.com',
    'https://SLACK.com',
  ])('for %s', (url) => {
    expect(inputsOf({ 'base-url': url }).slack).toBe(true)
    expect(problemsOf({ 'base-url': url, ...opaque })).toHaveLength(3)
  })

  test.each([
    'https://notslack.com',
    'https://slack.com.example.com',
    'https://my-slack.com',
    'https://example.com/slack.com',
    'http://localhost:8080',
  ])('not for %s', (url) => {
    expect(inputsOf({ 'base-url': url, ...opaque })).toMatchObject({
      slack: false,
      token: opaque.token,
      channels: [opaque.channels],
      threadTs: opaque['thread-ts'],
    })
  })

  test('for every server with the external upload', () => {
    expect(inputsOf({ 'base-url': 'https://chat.example.com', method: 'external' }).slack).toBe(true)
  })
})

describe('the token', () => {
  test('may be in no other input', () => {
    const names = ['comment', 'title', 'files', 'method', 'rerun-key', 'working-directory']
    const problems = problemsOf(Object.fromEntries(names.map((name) => [name, `a ${token}`])))
    expect(problems.toSorted()).toEqual(
      names
        .toSorted()
        .map(
          (name) =>
            `Invalid input: ${name}: \`${name}\` contains the token. Remove it: the token belongs in the input \`token\` only.`,
        ),
    )
  })

  test('is masked before anything else', () => {
    const masked = (given: GivenInputs, environment: NodeJS.ProcessEnv = {}) => {
      let hasToken: boolean | undefined
      const commands = stdoutOf(() => {
        ;({ hasToken } = withInputs(given, () => maskSecrets(environment)))
      })
      return [hasToken, commands]
    }
    expect(masked({ token })).toEqual([true, `::add-mask::${token}\n`])
    expect(masked({ token: ' ' })).toEqual([false, ''])
    expect(masked({ token: '' }, { https_proxy: 'http://:pass@proxy.example' })[1]).toContain('::add-mask::pass\n')
  })
})

test('without GITHUB_WORKSPACE, the workspace is the current folder', () => {
  expect(inputsOf({}, { GITHUB_WORKSPACE: '' }).workspace).toBe(process.cwd())
  expect(inputsOf({}, { GITHUB_WORKSPACE: `${workspace}${path.sep}` }).workspace).toBe(workspace)
})

test('a proxy in the environment is used', () => {
  expect(inputsOf({}, { HTTPS_PROXY: 'http://proxy.example' }).useProxies).toBe(true)
})
