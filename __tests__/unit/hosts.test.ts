import { expect, test } from '@jest/globals'
import { isLoopback, isProtected, isSlack, mayBePrivate } from '../../src/hosts.ts'
import { grid } from '../support/grid.ts'

test('a URL leads to this machine, to Slack, or elsewhere', async () => {
  const urls = `
http://127.0.0.1:8080
http://127.9.8.7
http://127.1
http://localhost
http://[::1]
http://[::2]
https://localhost.example.com
https://mylocalhost
https://127.0.0.1.example
https://128.0.0.1
https://slack.com
https://team.slack.com
https://slack-gov.com
https://notslack.com
https://slack.com.example:8443
https://slackxcom
http://chat.example.com
ftp://127.0.0.1
`
  const show = (url: URL) =>
    `${url.hostname}${isLoopback(url.hostname) ? ', loopback' : ''}${isSlack(url.hostname) ? ', Slack' : ''}${isProtected(url) ? '' : ', not protected'}`
  expect(await grid(urls, (line) => show(new URL(line)))).toMatchInlineSnapshot(`
"http://127.0.0.1:8080
    127.0.0.1, loopback
http://127.9.8.7
    127.9.8.7, loopback
http://127.1
    127.0.0.1, loopback
http://localhost
    localhost, loopback
http://[::1]
    [::1], loopback
http://[::2]
    [::2], not protected
https://localhost.example.com
    localhost.example.com
https://mylocalhost
    mylocalhost
https://127.0.0.1.example
    127.0.0.1.example
https://128.0.0.1
    128.0.0.1
https://slack.com
    slack.com, Slack
https://team.slack.com
    team.slack.com, Slack
https://slack-gov.com
    slack-gov.com, Slack
https://notslack.com
    notslack.com
https://slack.com.example:8443
    slack.com.example
https://slackxcom
    slackxcom
http://chat.example.com
    chat.example.com, not protected
ftp://127.0.0.1
    127.0.0.1, loopback, not protected"
`)
})

test.each([
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.255.1'],
  ...['100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255', '::1', 'fc00::1', 'fdff::1'],
  // `host.docker.internal` in a container of Podman.
  '169.254.1.2',
  // IPv4 in IPv6, and with the brackets of URLs.
  ...['::ffff:10.0.0.5', '::ffff:127.0.0.1', '[::ffff:a00:5]', '[fd00::1]', '[::1]'],
  // Names are judged by their addresses, at lookup.
  ...['chat', 'chat.example.com', 'host.docker.internal', '10.0.0.5.example'],
])('plain http may go to %s', (host) => {
  expect(mayBePrivate(host)).toBe(true)
})

test.each([
  ...['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.0.1', '192.169.0.1'],
  ...['100.63.255.255', '100.128.0.0', '126.0.0.1', '128.0.0.1', '203.0.113.7', '0.0.0.0', '::'],
  // Link-local, like the metadata service of a cloud.
  ...['169.254.1.1', '169.254.1.3'],
  ...['169.254.169.254', 'fe80::1', '[fe80::1]', '::ffff:169.254.169.254', '[::ffff:a9fe:a9fe]'],
  ...['2001:db8::1', 'fbff::1', 'fe00::1', '::ffff:203.0.113.7', '[::ffff:cb00:7107]', '::2'],
  // Whoever translates or tunnels these decides where they lead.
  ...['64:ff9b::a00:5', '2002:a00:5::1', '::a00:5'],
])('plain http goes nowhere near %s', (host) => {
  expect(mayBePrivate(host)).toBe(false)
})
