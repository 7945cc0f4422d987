import { expect, test } from '@jest/globals'
import { noResponse } from '../../../../src/service/http/no-response.ts'

// See `errors-network.test.ts` for real failures. On these ports, any machine may have a server.
test.each([
  ['http://localhost/', 80, 'ECONNREFUSED'],
  ['https://chat.example/', 443, 'ECONNREFUSED'],
  ['https://chat.example:8443/', 8443, 'ECONNREFUSED'],
  ['https://chat.example/', 80, 'PROXY_UNREACHABLE'],
  ['http://localhost/', 443, 'PROXY_UNREACHABLE'],
])('%s, with port %i refused, is %s', (url, port, code) => {
  const refused = new Error(`connect ECONNREFUSED 127.0.0.1:${port}`)
  const error = Object.assign(refused, {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: '127.0.0.1',
    port,
  })
  expect(noResponse(error, new URL(url), false, (text) => text)).toMatchObject({
    code,
    fullySent: false,
  })
})

test.each([
  ['proxy.example', 'PROXY_UNREACHABLE'],
  ['chat.example', 'ENOTFOUND'],
])('a name that is not found, %s, is %s', (hostname, code) => {
  const lookup = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  })
  expect(noResponse(lookup, new URL('https://chat.example'), false, String).code).toBe(code)
})

// As undici says it, and in other texts with a number in brackets.
test.each([
  ['Proxy response (403) !== 200 when HTTP Tunneling', 'proxy_403'],
  ['Proxy response (502) !== 200 (500)', 'proxy_502'],
  ['Proxy Authentication Required (407)', 'proxy_407'],
  ['No Proxy response (403)', 'Error'],
  ['Proxy response (4031)', 'Error'],
])('%s is %s', (message, code) => {
  const error = new TypeError('fetch failed', { cause: new Error(message) })
  const { code: named } = noResponse(error, new URL('http://localhost/'), false, (text) => text)
  expect(named).toBe(code)
})

test('Only a RangeError about WebAssembly is about WebAssembly', () => {
  const codes = ['WebAssembly.Instance(): Out of memory', 'Invalid array length'].map(
    (message) =>
      noResponse(new RangeError(message), new URL('https://a.example'), false, String).code,
  )
  expect(codes).toEqual(['NO_WEBASSEMBLY', 'RangeError'])
})

test.each([
  ['connect', 'ETIMEDOUT', 'ETIMEDOUT'],
  ['read', 'ETIMEDOUT', 'ECONNRESET'],
  ['write', 'ETIMEDOUT', 'ECONNRESET'],
  ['read', 'EHOSTUNREACH', 'ECONNRESET'],
  ['write', 'EPIPE', 'EPIPE'],
])('%s %s is %s', (syscall, code, expected) => {
  const message = `${syscall} ${code}`
  const error = Object.assign(new Error(message), { code, syscall })
  expect(noResponse(error, new URL('https://chat.example'), true, String)).toMatchObject({
    code: expected,
    message,
  })
})
