import { describe, expect, test } from '@jest/globals'
import { bypassesProxy, isLoopback, isSlack, serviceName } from '../../src/hosts.ts'
import { quoted } from '../../src/text/text.ts'

describe.each([
  ['http://127.0.0.1:8080', true, true],
  ['http://127.9.8.7', true, true],
  ['http://localhost', true, true],
  ['https://localhost.', true, true],
  ['https://chat.localhost', true, false],
  ['https://chat.localhost.', true, false],
  ['http://[::1]', true, true],
  ['http://[::2]', false, false],
  ['http://[::ffff:127.0.0.1]', true, true],
  ['https://chat.example.com', false, false],
  ['https://localhost.example.com', false, false],
  ['https://chat.localhost.example.com', false, false],
  ['https://mylocalhost', false, false],
  ['https://128.0.0.1', false, false],
])('%s', (url, noProxy, loopback) => {
  test(`asks ${noProxy ? 'no' : 'a'} proxy, and is ${loopback ? '' : 'not '}certainly this machine`, () => {
    expect([bypassesProxy(new URL(url)), isLoopback(new URL(url))]).toEqual([noProxy, loopback])
  })
})

test.each([
  ['https://slack.com', true, 'Slack'],
  ['https://team.slack.com', true, 'Slack'],
  ['https://slack-gov.com', true, 'Slack'],
  ['https://notslack.com', false, '`notslack.com`'],
  ['https://slack.com.example:8443', false, '`slack.com.example:8443`'],
  ['https://slackxcom', false, '`slackxcom`'],
])('%s is Slack: %s', (url, expected, name) => {
  expect([isSlack(new URL(url)), quoted(serviceName(new URL(url)))]).toEqual([expected, name])
})
