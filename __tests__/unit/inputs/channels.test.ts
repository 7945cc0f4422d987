import { describe, expect, test } from '@jest/globals'
import { readChannels, readThreadTs } from '../../../src/inputs/channels.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `C${String(index).padStart(10, '0')}`)

describe('on Slack, channels', () => {
  const read = (environment: NodeJS.ProcessEnv) => readChannels(true, environment)

  test.each([
    ['separated by commas, spaces and line breaks', 'C0123456789, C1123456789\n  D0123456789 ,\tU0123456789\n'],
    ['named several times', 'C0123456789 C1123456789 C0123456789 D0123456789 U0123456789'],
  ])('may be %s', (_situation, channels) => {
    expect(withInputs({ channels }, read)).toEqual(['C0123456789', 'C1123456789', 'D0123456789', 'U0123456789'])
  })

  test.each(['C12345678', 'G0123456789', 'D0123456789', 'Z0123456789', 'U0123456789', 'W0123456789', 'CABCDEFGHI'])(
    'may have the ID %s',
    (channels) => {
      expect(withInputs({ channels }, read)).toEqual([channels])
    },
  )

  const writeTheId = 'Write the channel ID, such as `C0123456789`. It is shown at the bottom'
  test.each([
    ['C1234567', `is not a channel ID. ${writeTheId}`],
    ['T0123456789', `is not a channel ID. ${writeTheId}`],
    ['general', `is not a channel ID. ${writeTheId}`],
    ['GENERAL-CHANNELS', `is not a channel ID. ${writeTheId}`],
    ['#general', `is the name of a channel. ${writeTheId}`],
    ['team#general', `is not a channel ID. ${writeTheId}`],
    ['@reviewer', 'is the name of a person. Write the member ID'],
    ['team@example.com', `is not a channel ID. ${writeTheId}`],
    ['c0123456789', 'is not a channel ID. Write `C0123456789`.'],
    ['channel-c0123456789', `is not a channel ID. ${writeTheId}`],
    ['c0123456789-channel', `is not a channel ID. ${writeTheId}`],
    ['C0123456789|general', 'is not a channel ID. Write `C0123456789`.'],
    ['"C0123456789"', 'is not a channel ID. Write `C0123456789`.'],
    ['id=D12345678;', 'is not a channel ID. Write `D12345678`.'],
    ['<#C01234567AB|general>', 'is not a channel ID. Write `C01234567AB`.'],
    ['https://team.slack.com/archives/GA12345678', 'is not a channel ID. Write `GA12345678`.'],
    ['XC0123456789', `is not a channel ID. ${writeTheId}`],
    ['C0123456789x', `is not a channel ID. ${writeTheId}`],
    ['C1234567-x', `is not a channel ID. ${writeTheId}`],
  ])('%s is refused', (channels, words) => {
    expect(refusalOf({ channels }, read)).toContain(`\`channels\` contains \`${channels}\`, which ${words}`)
  })

  test.each([
    ['https://hooks.slack.com/services/T0123456789/B0123456789/made-up', 'is a webhook URL: it cannot take files.'],
    ['xoxb-C0123456789-made-up', 'is not a channel ID.'],
    ['xapp-1-C0123456789-made-up', 'is not a channel ID.'],
  ])('%s is refused, and not shown', (channels, words) => {
    expect(refusalOf({ channels }, read)).toContain(
      `\`channels\` contains a secret (not shown), which ${words} ${writeTheId}`,
    )
  })

  test('are at most 100', () => {
    expect(withInputs({ channels: [...numbered(100), ...numbered(100)].join() }, read)).toEqual(numbered(100))
    expect(refusalOf({ channels: numbered(101).join() }, read)).toContain('has 101 IDs')
  })

  test('that are invalid have a line each', () => {
    const lines = refusalOf({ channels: '#general C0123456789 @reviewer' }, read).split('\n')
    expect(lines).toEqual([
      expect.stringMatching(/^`channels` contains `#general`/),
      expect.stringMatching(/^`channels` contains `@reviewer`/),
    ])
  })
})

describe('on another server, channels', () => {
  const read = (environment: NodeJS.ProcessEnv) => readChannels(false, environment)

  test('are any text without commas and white space, in any number', () => {
    const channels = 'general,team/7 42 #random @reviewer -x a-b https://chat.example.com/c/1'
    expect(withInputs({ channels }, read)).toEqual(channels.split(/[ ,]/))
    expect(withInputs({ channels: numbered(101).join() }, read)).toEqual(numbered(101))
  })
})

describe.each([
  ['on Slack', true],
  ['on another server', false],
])('%s, channels', (_where, slack) => {
  const read = (environment: NodeJS.ProcessEnv) => readChannels(slack, environment)

  test('are needed', () => {
    expect(refusalOf({ channels: ' ,\n' }, read)).toMatch(/^`channels` is empty\. Write the ID of at least one channel/)
    expect(refusalOf({ channels: '', channel_id: 'C0123456789' }, read)).toMatch(
      /^`channels` is empty: this action reads `channels`, not `channel_id`\. /,
    )
  })

  test.each(['- C0123456789', '- C0123456789\n- C1123456789', 'C0123456789\n  -\tC1123456789'])(
    'are not a YAML list: %j',
    (channels) => {
      expect(refusalOf({ channels }, read)).toContain('is text, not a YAML list. Remove the leading `- `')
    },
  )
})

describe('a thread-ts', () => {
  const ts = '1760688662.900279'

  test('may be left out', () => {
    expect(withInputs({ 'thread-ts': '' }, () => readThreadTs(['C0123456789', 'C1123456789'], true))).toBeUndefined()
  })

  test.each([
    ['on Slack', true, ts],
    ['on another server', false, 'th-42'],
  ])('%s may be %3$s', (_where, slack, value) => {
    expect(withInputs({ 'thread-ts': value }, () => readThreadTs(['C0123456789'], slack))).toBe(value)
  })

  test.each(['1760688662.9', '1760688662.9002790', '17606886620.900279', '1760688662900279', 'p17606886629002790'])(
    'on Slack is not %s',
    (value) => {
      expect(refusalOf({ 'thread-ts': value }, () => readThreadTs(['C0123456789'], true))).toContain(
        `\`thread-ts\` is \`${value}\`. Write the ts of the message in quotes, such as`,
      )
    },
  )

  test.each(['https://team.slack.com/archives/C0123456789/p1760688662900279', 'p1760688662900279?cid=C0123456789'])(
    'on Slack is in a link: %s',
    (value) => {
      expect(refusalOf({ 'thread-ts': value }, () => readThreadTs(['C0123456789'], true))).toBe(
        `\`thread-ts\` is \`${value}\`. Write the ts of the message in quotes: \`'${ts}'\`.`,
      )
    },
  )

  test.each([
    ['on Slack', true],
    ['on another server', false],
  ])('%s requires exactly one channel', (_where, slack) => {
    const refusal = (...channels: string[]) => refusalOf({ 'thread-ts': ts }, () => readThreadTs(channels, slack))
    expect(refusal('a', 'b')).toContain('requires exactly one channel, and `channels` has 2: `a`, `b`. Use one step')
    expect(refusal('a', 'b', 'c', 'd')).toContain('`channels` has 4: `a`, `b`, `c` and 1 more.')
  })
})
