// Which hosts are Slack's own: there the external upload is the only one that is tried, and Slack's rules hold.
import { expect, test } from '@jest/globals'
import { isSlack } from '../src/settings.ts'

test.each([
  ['https://slack.com', true],
  ['https://team.slack.com', true],
  ['https://team.enterprise.slack.com', true],
  ['https://slack-gov.com', true],
  ['https://team.slack-gov.com', true],
  ['https://SLACK.com', true],
  ['https://notslack.com', false],
  ['https://slack.com.example.com', false],
  ['https://slack.example.com', false],
  ['https://my-slack.com', false],
  ['https://example.com/slack.com', false],
])('%s: %s', (url, slack) => {
  expect(isSlack(new URL(url))).toBe(slack)
})
