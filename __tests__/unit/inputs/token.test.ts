import { describe, expect, test } from '@jest/globals'
import { readToken } from '../../../src/inputs/token.ts'
import { refusalOf, withInputs } from '../../support/with-inputs.ts'

test.each([
  'xoxb-made-up',
  'xoxp-made-up',
  'xoxe.xoxb-1-made-up',
  'xoxe.xoxp-1-made-up',
  'https-made-up',
  'made-xoxe-up',
  'made-up-https://',
  '!made~up!',
])('a token may be %s', (token) => {
  expect(withInputs({ token }, (environment) => readToken(true, environment))).toBe(token)
})

describe.each([
  ['on Slack', true],
  ['on another server', false],
])('%s', (_where, slack) => {
  test.each([
    ['nothing', ' \n', 'is empty. Does the secret exist'],
    ['a webhook URL', 'https://hooks.slack.com/services/made-up', 'A webhook URL cannot upload files'],
    ['a webhook URL without scheme', 'hooks.slack.com/services/made-up', 'A webhook URL cannot upload files'],
    ['another URL', 'HTTP://chat.example.com/made-up', 'is a URL'],
    ['the value of the header', 'Bearer xoxb-made-up', 'begins with `Bearer`'],
    ['the value of the header in lower case', 'bearer\txoxb-made-up', 'begins with `Bearer`'],
    ['the header with its name', 'Authorization: Bearer xoxb-made-up', 'contains white space'],
    ['two tokens', 'xoxb-made-up xoxb-made-up', 'contains white space'],
    ['two lines', 'xoxb-made\n-up', 'contains white space, a line break'],
    ['a letter with an accent', 'xoxb-made-\u00fap', 'another character that no token has'],
    ['a control character', 'xoxb-made-up\u007fx', 'another character that no token has'],
  ])('%s is refused, and not shown', (_situation, token, words) => {
    const refusal = refusalOf({ token }, (environment) => readToken(slack, environment))
    expect(refusal).toContain(words)
    expect(refusal).not.toContain('made')
  })
})

test.each([
  ['xapp-made-up', 'is an app-level token'],
  ['xoxe-made-up', 'is a refresh token'],
])('%s is refused on Slack only, and not shown', (token, words) => {
  const refusal = refusalOf({ token }, (environment) => readToken(true, environment))
  expect(refusal).toContain(words)
  expect(refusal).not.toContain('made')
  expect(withInputs({ token }, (environment) => readToken(false, environment))).toBe(token)
})

test('without a token, the input of another action is named', () => {
  const inputs = { token: '', slack_bot_token: 'xoxb-made-up' }
  expect(refusalOf(inputs, (environment) => readToken(true, environment))).toMatch(
    /^`token` is empty: this action reads `token`, not `slack_bot_token`\. /,
  )
})
