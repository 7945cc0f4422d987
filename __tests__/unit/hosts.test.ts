import { expect, test } from '@jest/globals'
import { isLoopback, isSlack, mayBePrivate, serviceName } from '../../src/hosts.ts'
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
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.255.1'],
  ...['100.64.0.1', '100.127.255.255', '127.0.0.1', '127.9.9.9', '::1', 'fc00::1', 'fdff::1'],
  // IPv4 in IPv6, and as URLs have them.
  ...['::ffff:10.0.0.5', '::ffff:127.0.0.1', '[::ffff:a00:5]', '[fd00::1]', '[::1]'],
  // Their addresses are judged when they are looked up.
  ...['chat', 'chat.example.com', 'host.docker.internal', '10.0.0.5.example'],
])('plain http may go to %s', (host) => {
  expect(mayBePrivate(host)).toBe(true)
})

test.each([
  ...['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.0.1', '192.169.0.1'],
  ...['100.63.255.255', '100.128.0.0', '126.0.0.1', '128.0.0.1', '203.0.113.7', '0.0.0.0', '::'],
  // Link-local: the metadata service of a cloud.
  ...['169.254.169.254', 'fe80::1', '[fe80::1]', '::ffff:169.254.169.254', '[::ffff:a9fe:a9fe]'],
  ...['2001:db8::1', 'fbff::1', 'fe00::1', '::ffff:203.0.113.7', '[::ffff:cb00:7107]', '::2'],
  // Translated and tunneled: whoever translates decides where it goes.
  ...['64:ff9b::a00:5', '2002:a00:5::1', '::a00:5'],
])('plain http goes nowhere near %s', (host) => {
  expect(mayBePrivate(host)).toBe(false)
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
