import { expect, test } from '@jest/globals'
import { bypassesProxy } from '../../src/hosts.ts'

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://127.9.8.7', true],
  ['http://localhost', true],
  ['https://localhost', true],
  ['https://chat.localhost', true],
  ['http://[::1]', true],
  ['http://[::ffff:127.0.0.1]', true],
  ['https://chat.example.com', false],
  ['https://localhost.example.com', false],
  ['https://128.0.0.1', false],
])('no proxy is asked for %s: %s', (url, expected) => {
  expect(bypassesProxy(new URL(url))).toBe(expected)
})
