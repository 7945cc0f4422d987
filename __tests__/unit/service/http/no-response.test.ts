import { expect, test } from '@jest/globals'
import { noResponse } from '../../../../src/service/http/no-response.ts'
import { grid } from '../../../support/grid.ts'

interface Given {
  readonly message: string
  readonly cause?: Given
  readonly errors?: readonly Given[]
}

function made({ cause, errors, message, ...more }: Given): Error {
  const error = errors
    ? new AggregateError(errors.map(made), message)
    : new Error(message, cause && { cause: made(cause) })
  return Object.assign(error, more)
}

// See `errors-network.test.ts` for real failures. On these ports, any machine may have a server.
test('An error without a response has a code and a message', async () => {
  const errors = `
http://localhost {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":80}
https://chat.example {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":443}
https://chat.example:8443 {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":8443}
https://chat.example {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":80}
http://localhost {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":443}
http://localhost:0 {"message":"connect a","syscall":"connect","code":"EADDRNOTAVAIL"}
https://chat.example {"message":"read a","syscall":"read","code":"EIO","port":80}
https://chat.example {"message":"no","syscall":"getaddrinfo","code":"ENOTFOUND","hostname":"proxy.example"}
https://chat.example {"message":"no","syscall":"getaddrinfo","code":"ENOTFOUND","hostname":"chat.example"}
http://localhost {"message":"fetch failed","cause":{"message":"Proxy response (403) !== 200 when HTTP Tunneling"}}
http://localhost {"message":"Proxy response (502) !== 200 (500)"}
http://localhost {"message":"Proxy Authentication Required (407)"}
http://localhost {"message":"No Proxy response (403)"}
http://localhost {"message":"Proxy response (4031)"}
http://localhost {"message":"bad response"}
http://localhost {"message":"WebAssembly.Instance(): Out of memory","name":"RangeError"}
http://localhost {"message":"Invalid array length","name":"RangeError"}
http://localhost {"message":"connect ETIMEDOUT","code":"ETIMEDOUT","syscall":"connect"}
http://localhost {"message":"read ETIMEDOUT","code":"ETIMEDOUT"}
http://localhost {"message":"write ETIMEDOUT","code":"ETIMEDOUT"}
http://localhost {"message":"read EHOSTUNREACH","code":"EHOSTUNREACH"}
http://localhost {"message":"write EPIPE","code":"EPIPE"}
http://localhost {"message":"a number","code":7}
http://localhost {"message":"","errors":[{"message":"first","code":"E1"},{"message":"second","code":"E2"}]}
http://localhost {"message":"proxy","code":"UND_ERR_PRX_TLS","cause":{"message":"lost","code":"E1"}}
`
  const shown = await grid(errors, (line) => {
    const [url = '', error = ''] = line.split(/ (.*)/)
    const failure = noResponse(made(JSON.parse(error)), new URL(url), true, String)
    expect(failure.fullySent).toBe(true)
    return `${failure.code}: ${failure.message}`
  })
  expect(shown).toMatchInlineSnapshot(`
"http://localhost {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":80}
    ECONNREFUSED: connect a
https://chat.example {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":443}
    ECONNREFUSED: connect a
https://chat.example:8443 {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":8443}
    ECONNREFUSED: connect a
https://chat.example {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":80}
    PROXY_UNREACHABLE: connect a
http://localhost {"message":"connect a","syscall":"connect","code":"ECONNREFUSED","port":443}
    PROXY_UNREACHABLE: connect a
http://localhost:0 {"message":"connect a","syscall":"connect","code":"EADDRNOTAVAIL"}
    EADDRNOTAVAIL: connect a
https://chat.example {"message":"read a","syscall":"read","code":"EIO","port":80}
    EIO: read a
https://chat.example {"message":"no","syscall":"getaddrinfo","code":"ENOTFOUND","hostname":"proxy.example"}
    PROXY_UNREACHABLE: no
https://chat.example {"message":"no","syscall":"getaddrinfo","code":"ENOTFOUND","hostname":"chat.example"}
    ENOTFOUND: no
http://localhost {"message":"fetch failed","cause":{"message":"Proxy response (403) !== 200 when HTTP Tunneling"}}
    proxy_403: the proxy responded 403
http://localhost {"message":"Proxy response (502) !== 200 (500)"}
    proxy_502: the proxy responded 502
http://localhost {"message":"Proxy Authentication Required (407)"}
    proxy_407: the proxy responded 407
http://localhost {"message":"No Proxy response (403)"}
    Error: No Proxy response (403)
http://localhost {"message":"Proxy response (4031)"}
    Error: Proxy response (4031)
http://localhost {"message":"bad response"}
    UNREQUESTED_100: the server sent 100 Continue
http://localhost {"message":"WebAssembly.Instance(): Out of memory","name":"RangeError"}
    NO_WEBASSEMBLY: WebAssembly.Instance(): Out of memory
http://localhost {"message":"Invalid array length","name":"RangeError"}
    RangeError: Invalid array length
http://localhost {"message":"connect ETIMEDOUT","code":"ETIMEDOUT","syscall":"connect"}
    ETIMEDOUT: connect ETIMEDOUT
http://localhost {"message":"read ETIMEDOUT","code":"ETIMEDOUT"}
    ECONNRESET: read ETIMEDOUT
http://localhost {"message":"write ETIMEDOUT","code":"ETIMEDOUT"}
    ECONNRESET: write ETIMEDOUT
http://localhost {"message":"read EHOSTUNREACH","code":"EHOSTUNREACH"}
    ECONNRESET: read EHOSTUNREACH
http://localhost {"message":"write EPIPE","code":"EPIPE"}
    EPIPE: write EPIPE
http://localhost {"message":"a number","code":7}
    Error: a number
http://localhost {"message":"","errors":[{"message":"first","code":"E1"},{"message":"second","code":"E2"}]}
    E1: first
http://localhost {"message":"proxy","code":"UND_ERR_PRX_TLS","cause":{"message":"lost","code":"E1"}}
    UND_ERR_PRX_TLS: proxy"
`)
})
