import { expect, test } from '@jest/globals'
import { isLoopback, isSlack, serviceName } from '../../src/hosts.ts'
import { quoted } from '../../src/text/text.ts'

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://127.9.8.7', true],
  ['http://127.1', true],
  ['http://localhost', true],
  ['http://[::1]', true],
  ['http://[::2]', false],
  ['https://localhost.example.com', false],
  ['https://mylocalhost', false],
  ['https://127.0.0.1.example', false],
  ['https://128.0.0.1', false],
])('%s certainly leads to this machine, by no proxy: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected)
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
