import { expect, test } from '@jest/globals'
import { noResponse } from '../../../../src/service/http/no-response.ts'

// `errors-network.test.ts` meets the others for real; nothing may listen on these ports, or
// everything may.
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
