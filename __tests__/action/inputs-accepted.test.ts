// The values that inputs may have.
import { describe, expect, test } from '@jest/globals'
import { declaredInputs } from '../../sandbox/runner.ts'
import { type Inputs, readInputs } from '../../src/inputs/inputs.ts'
import { runStep } from '../support/step.ts'

/** What a step reads from these inputs under `with:`. */
function inputsOf(given: Readonly<Record<string, string>>): Inputs {
  const all = { token: 'made-up-token', channels: 'C0123456789', files: '*.csv', ...given }
  const before = process.env
  process.env = { ...before }
  try {
    for (const [name, value] of Object.entries(all)) process.env[`INPUT_${name.toUpperCase()}`] = value
    return readInputs(process.env)
  } finally {
    process.env = before
  }
}

test('an empty input counts as unset, except the comment', async () => {
  const empty = Object.fromEntries(Object.keys(await declaredInputs()).map((name) => [name, '']))
  const done = await runStep({
    files: { 'report.csv': 'a,b\n' },
    inputs: ({ baseUrl, channels, tokens }) => ({
      ...empty,
      'base-url': baseUrl,
      token: tokens.all,
      channels: channels.general,
      files: 'report.csv',
    }),
  })
  expect(done).toMatchObject({ code: 0, outputs: { status: 'posted', count: '1' } })
  expect(done.requests.map(({ path, fields }) => [path, fields])).toEqual([
    ['/api/files.upload', [['channels', 'C0GENERAL00']]],
  ])
})

test('an empty input has the default that action.yml declares', async () => {
  // An empty comment has a meaning, and the runner evaluates the default of rerun-key.
  const declared = Object.entries(await declaredInputs()).filter(([name]) => !['comment', 'rerun-key'].includes(name))
  const empty = Object.fromEntries(declared.map(([name]) => [name, '']))
  const defaults = Object.fromEntries(declared.map(([name, { default: value }]) => [name, value ?? '']))
  const given = { token: 'made-up-token', channels: 'C0123456789', files: '*.csv' }
  expect(inputsOf({ ...empty, ...given })).toEqual(inputsOf({ ...defaults, ...given }))
})

test('channels are separated by commas, spaces and line breaks', () => {
  expect(inputsOf({ channels: 'C0123456789, C1123456789\n  D0123456789 ,U0123456789\n' }).channels).toEqual([
    'C0123456789',
    'C1123456789',
    'D0123456789',
    'U0123456789',
  ])
})

test('on another server any text without commas and white space is a channel, a thread-ts and a token', () => {
  const inputs = inputsOf({
    'base-url': 'https://chat.example.com/team',
    channels: 'general,team/7 42 #random https://chat.example.com/c/1',
    token: 'xapp-is-just-text-here',
  })
  expect(inputs.channels).toEqual(['general', 'team/7', '42', '#random', 'https://chat.example.com/c/1'])
  expect(inputs.token).toBe('xapp-is-just-text-here')
  expect(inputsOf({ 'base-url': 'https://chat.example.com', 'thread-ts': 'th-42' }).threadTs).toBe('th-42')
})

test.each(['xoxb-', 'xoxp-', 'xoxe.xoxb-1-', 'xoxe.xoxp-1-'])('on Slack a token may begin with %s', (beginning) => {
  expect(inputsOf({ token: `${beginning}made-up` }).token).toBe(`${beginning}made-up`)
})

test('100 channels are not too many on Slack, and duplicates do not count', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `C${String(index).padStart(10, '0')}`)
  expect(inputsOf({ channels: [...hundred, ...hundred].join(' ') }).channels).toEqual(hundred)
})

describe('a base-url', () => {
  test.each([
    ['https://slack.com', true],
    ['https://team.slack.com/', true],
    ['https://team.enterprise.slack.com', true],
    ['https://slack-gov.com', true],
    ['https://SLACK.com', true],
    ['https://notslack.com', false],
    ['https://slack.com.example.com', false],
    ['https://my-slack.com', false],
    ['https://example.com/slack.com', false],
    ['https://chat.example.com:8443/team/api-gateway/', false],
    ['http://localhost:8080', false],
    ['http://127.0.0.1', false],
    ['http://[::1]:8080', false],
  ])('may be %s (Slack: %s)', (url, slack) => {
    const inputs = inputsOf({ 'base-url': url })
    expect([inputs.baseUrl.href, inputs.slack]).toEqual([new URL(url).href, slack])
  })
})

test('with the external upload the rules of Slack apply on every host', () => {
  expect(inputsOf({ 'base-url': 'https://chat.example.com', method: 'external' }).slack).toBe(true)
})

test.each(['true', 'True', 'TRUE'])('%s is true, as in YAML', (text) => {
  const { allowBroadcast, dryRun, includeHiddenFiles } = inputsOf({
    'allow-broadcast': text,
    'dry-run': text,
    'include-hidden-files': text,
  })
  expect([allowBroadcast, dryRun, includeHiddenFiles]).toEqual([true, true, true])
})

test.each(['false', 'False', 'FALSE', ''])('%p is false', (text) => {
  const { allowBroadcast, dryRun, includeHiddenFiles } = inputsOf({
    'allow-broadcast': text,
    'dry-run': text,
    'include-hidden-files': text,
  })
  expect([allowBroadcast, dryRun, includeHiddenFiles]).toEqual([false, false, false])
})

test.each([
  ['0.5', 30_000],
  ['10', 600_000],
  ['999.9', 59_994_000],
])('timeout-minutes of %s are %s ms', (minutes, milliseconds) => {
  expect(inputsOf({ 'timeout-minutes': minutes }).timeoutMilliseconds).toBe(milliseconds)
})

test('the comment is kept as it was typed, with its white space', () => {
  expect(inputsOf({ comment: '  two\nlines \n' }).comment).toBe('  two\nlines \n')
  expect(inputsOf({ comment: '' }).comment).toBe('')
})
