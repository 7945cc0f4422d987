import { describe, expect, test } from '@jest/globals'
import { adviceFor, type CallInfo } from '../../../../src/service/errors/error-codes.ts'
import {
  createFailure,
  describeFailure,
  type FailedResponse,
  type Failure,
  preflightProblem,
  problemOf,
  withSize,
} from '../../../../src/service/errors/failures.ts'
import { quoted, text } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { call } from '../../../support/scripted-service.ts'

const failure = (code: string, more: FailedResponse & Partial<CallInfo> = {}): Failure =>
  createFailure({ ...call, ...more }, code, adviceFor(code, more.status).outcome ?? 'refused', more)

test('A failure is described', async () => {
  const failures = `
{"code":"EARLY_RESPONSE","detail":"x"}
{"code":"ABORTED","outcome":"not sent","detail":"the run ended"}
{"code":"ABORTED","outcome":"ambiguous","detail":"the run ended"}
{"code":"ECONNREFUSED","outcome":"not sent"}
{"code":"ECONNRESET","detail":"socket\\n  hang up "}
{"code":"ENOTFOUND","detail":"getaddrinfo ENOTFOUND x"}
{"code":"ERR_SSL_X","detail":"error:0A00"}
{"code":"STALLED","detail":"no byte moved"}
{"code":"NOT_PRIVATE","detail":"not private"}
{"code":"UNREQUESTED_100","detail":"the server sent 100"}
{"code":"proxy_502","detail":"the proxy responded 502"}
{"code":"SELF_SIGNED","detail":"self-signed; if the root CA is installed locally, try running Node"}
{"code":"web_page","status":200,"detail":"Sign\\n in"}
{"code":"http_403","status":403,"method":"upload","file":"out/a.csv"}
{"code":"http_300","status":300,"detail":"https://x.y"}
{"code":"http_400","status":400,"detail":"Page"}
{"code":"http_413","status":400,"detail":"request body too large"}
{"code":"tea\\n time","status":200}
{"code":"tea_time","status":200,"detail":"Only\\n CSV"}
{"code":"constructor","status":200}
{"code":"no_error_code","status":200,"detail":"Only CSV"}
{"code":"unreadable","status":200,"detail":"Quota exceeded"}
{"code":"broken_off","status":200,"detail":"a part of a response"}
{"code":"wrong_size","status":200,"detail":"OK - 1"}
{"code":"unclear_response","status":200,"detail":"{ \\"a\\":\\n1}"}
`
  const shown = await grid(failures, (line) => {
    const { code, ...more } = JSON.parse(line)
    return quoted(describeFailure({ ...failure(code, more), ...more }))
  })
  expect(shown).toMatchInlineSnapshot(`
"{"code":"EARLY_RESPONSE","detail":"x"}
    \`chat.example:8443\` responded ok to \`files.info\` before it had all of it (\`EARLY_RESPONSE\`)
{"code":"ABORTED","outcome":"not sent","detail":"the run ended"}
    the step gave up before \`chat.example:8443\` accepted \`files.info\`
{"code":"ABORTED","outcome":"ambiguous","detail":"the run ended"}
    no response from \`chat.example:8443\` to \`files.info\` (\`ABORTED\`: the run ended)
{"code":"ECONNREFUSED","outcome":"not sent"}
    no response from \`chat.example:8443\` to \`files.info\` (\`ECONNREFUSED\`)
{"code":"ECONNRESET","detail":"socket\\n  hang up "}
    no response from \`chat.example:8443\` to \`files.info\` (\`ECONNRESET\`: \`socket hang up\`)
{"code":"ENOTFOUND","detail":"getaddrinfo ENOTFOUND x"}
    no response from \`chat.example:8443\` to \`files.info\` (\`getaddrinfo ENOTFOUND x\`)
{"code":"ERR_SSL_X","detail":"error:0A00"}
    no response from \`chat.example:8443\` to \`files.info\` (\`ERR_SSL_X\`)
{"code":"STALLED","detail":"no byte moved"}
    no response from \`chat.example:8443\` to \`files.info\` (\`STALLED\`: no byte moved)
{"code":"NOT_PRIVATE","detail":"not private"}
    no response from \`chat.example:8443\` to \`files.info\` (\`NOT_PRIVATE\`: not private)
{"code":"UNREQUESTED_100","detail":"the server sent 100"}
    no response from \`chat.example:8443\` to \`files.info\` (\`UNREQUESTED_100\`: the server sent 100)
{"code":"proxy_502","detail":"the proxy responded 502"}
    no response from \`chat.example:8443\` to \`files.info\` (\`proxy_502\`: the proxy responded 502)
{"code":"SELF_SIGNED","detail":"self-signed; if the root CA is installed locally, try running Node"}
    no response from \`chat.example:8443\` to \`files.info\` (\`SELF_SIGNED\`: \`self-signed\`)
{"code":"web_page","status":200,"detail":"Sign\\n in"}
    \`chat.example:8443\` responded to \`files.info\` with a web page (\`Sign in\`)
{"code":"http_403","status":403,"method":"upload","file":"out/a.csv"}
    \`chat.example:8443\` responded to the bytes of \`out/a.csv\` with HTTP status 403
{"code":"http_300","status":300,"detail":"https://x.y"}
    \`chat.example:8443\` responded to \`files.info\` with HTTP status 300, a redirect to \`https://x.y\`
{"code":"http_400","status":400,"detail":"Page"}
    \`chat.example:8443\` responded to \`files.info\` with HTTP status 400 (\`Page\`)
{"code":"http_413","status":400,"detail":"request body too large"}
    \`chat.example:8443\` responded to \`files.info\` with HTTP status 400 (\`request body too large\`)
{"code":"tea\\n time","status":200}
    \`chat.example:8443\` responded \`tea time\` to \`files.info\`
{"code":"tea_time","status":200,"detail":"Only\\n CSV"}
    \`chat.example:8443\` responded \`tea_time\` to \`files.info\` (\`Only CSV\`)
{"code":"constructor","status":200}
    \`chat.example:8443\` responded \`constructor\` to \`files.info\`
{"code":"no_error_code","status":200,"detail":"Only CSV"}
    \`chat.example:8443\` refused \`files.info\` without an error code (\`Only CSV\`)
{"code":"unreadable","status":200,"detail":"Quota exceeded"}
    \`chat.example:8443\` responded to \`files.info\` with something that is not JSON (\`Quota exceeded\`)
{"code":"broken_off","status":200,"detail":"a part of a response"}
    \`chat.example:8443\` responded to \`files.info\`: \`a part of a response\`
{"code":"wrong_size","status":200,"detail":"OK - 1"}
    \`chat.example:8443\` responded to \`files.info\`: \`OK - 1\`
{"code":"unclear_response","status":200,"detail":"{ \\"a\\":\\n1}"}
    \`chat.example:8443\` responded to \`files.info\`: \`{ "a": 1}\`"
`)
})

describe('The problem of a failure', () => {
  const what = text`It failed`

  test('has a title, what happened, what to do and the details of the response', async () => {
    const failures = `
{"code":"EX_UNKNOWN"}
{"code":"http_418","status":418}
{"code":"x_http_1","status":200}
{"code":"ratelimited","status":200,"retryAfter":3600000}
{"code":"ratelimited","status":200}
{"code":"http_503","status":503,"retryAfter":3600000}
{"code":"missing_scope","status":200,"method":"users.info","needed":"users:read"}
{"code":"missing_scope","status":200,"method":"users.info"}
{"code":"not_in_channel","status":200,"context":{"severalChannels":true}}
{"code":"invalid_auth","status":200,"context":{"severalChannels":true}}
{"code":"invalid_auth","status":200,"context":{"title":"T"}}
{"code":"missing_scope","status":200,"messages":["[ERROR]\\none","two"],"requestId":"abc"}
{"code":"missing_scope","status":200,"requestId":"abc"}
{"code":"is_archived","status":200,"messages":["1","2","3","4","5","6","7","8","9","10","11","12"]}
`
    const shown = await grid(failures, (line) => {
      const { code, context, ...more } = JSON.parse(line)
      const problem = problemOf(failure(code, more), what, {
        ...context,
        ...(context?.title && { first: text`First.`, remedy: text`Then.` }),
      })
      return `${problem.title}\n${quoted(problem.text)}`
    })
    expect(shown).toMatchInlineSnapshot(`
"{"code":"EX_UNKNOWN"}
    The service did not respond⏎It failed: no response from \`chat.example:8443\` to \`files.info\` (\`EX_UNKNOWN\`).⏎Check \`base-url\`, and what is between the runner and \`chat.example:8443\`: a firewall, a gateway or a proxy (\`https_proxy\`).
{"code":"http_418","status":418}
    The server responded with HTTP status 418⏎It failed: \`chat.example:8443\` responded to \`files.info\` with HTTP status 418.⏎Check \`base-url\`, and whether a proxy or gateway in front of \`chat.example:8443\` responds in its place.
{"code":"x_http_1","status":200}
    The service refused the request⏎It failed: \`chat.example:8443\` responded \`x_http_1\` to \`files.info\`.⏎This action does not know the error code. See \`files.info\` in the documentation of the service.
{"code":"ratelimited","status":200,"retryAfter":3600000}
    Rate limited⏎It failed: \`chat.example:8443\` responded \`ratelimited\` to \`files.info\`.⏎The service asks to wait 3,600 s, longer than this run may last. Raise \`timeout-minutes\`, or send fewer files.
{"code":"ratelimited","status":200}
    Rate limited⏎It failed: \`chat.example:8443\` responded \`ratelimited\` to \`files.info\`.⏎Raise \`timeout-minutes\`, so that there is time to wait, or send fewer files.
{"code":"http_503","status":503,"retryAfter":3600000}
    The service had an internal error⏎It failed: \`chat.example:8443\` responded to \`files.info\` with HTTP status 503.⏎See the status page of chat.example for when to try again.
{"code":"missing_scope","status":200,"method":"users.info","needed":"users:read"}
    The token lacks a scope⏎It failed: \`chat.example:8443\` responded \`missing_scope\` to \`users.info\`.⏎Add the scope \`users:read\` to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.
{"code":"missing_scope","status":200,"method":"users.info"}
    The token lacks a scope⏎It failed: \`chat.example:8443\` responded \`missing_scope\` to \`users.info\`.⏎Add the scope that is missing to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.
{"code":"not_in_channel","status":200,"context":{"severalChannels":true}}
    The app is not in the channel⏎It failed: \`chat.example:8443\` responded \`not_in_channel\` to \`files.info\`, and did not say which of them it means.⏎Invite the app: type \`/invite @name-of-the-app\` in the channel. Files need this in public channels too, whatever the scopes.⏎To find out which channel: try one at a time.
{"code":"invalid_auth","status":200,"context":{"severalChannels":true}}
    The token was rejected⏎It failed: \`chat.example:8443\` responded \`invalid_auth\` to \`files.info\`.⏎Copy the Bot User OAuth Token (\`xoxb-…\`) of the app into the secret again. Is \`chat.example:8443\` the host of the app's workspace (GovSlack has its own)? Does the workspace restrict the IP addresses that its apps may call from?
{"code":"invalid_auth","status":200,"context":{"title":"T"}}
    T⏎It failed: \`chat.example:8443\` responded \`invalid_auth\` to \`files.info\`.⏎First. Then.
{"code":"missing_scope","status":200,"messages":["[ERROR]\\none","two"],"requestId":"abc"}
    The token lacks a scope⏎It failed: \`chat.example:8443\` responded \`missing_scope\` to \`files.info\`.⏎Add the scope \`files:write\` to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.⏎Message of the service: \`[ERROR] one\`; \`two\` Request ID: \`abc\`
{"code":"missing_scope","status":200,"requestId":"abc"}
    The token lacks a scope⏎It failed: \`chat.example:8443\` responded \`missing_scope\` to \`files.info\`.⏎Add the scope \`files:write\` to the app (its settings, OAuth & Permissions, Scopes), reinstall the app there, and store the new token in the secret.⏎Request ID: \`abc\`
{"code":"is_archived","status":200,"messages":["1","2","3","4","5","6","7","8","9","10","11","12"]}
    The channel is archived⏎It failed: \`chat.example:8443\` responded \`is_archived\` to \`files.info\`.⏎Unarchive the channel, or remove its ID from \`channels\`.⏎Message of the service: \`1\`; \`2\`; \`3\`; \`4\`; \`5\`; \`6\`; \`7\`; \`8\`; \`9\`; \`10\` and 2 more"
`)
  })

  test('links to the page that helps', () => {
    const pages = ['invalid_auth', 'not_in_channel', 'missing_scope', 'is_archived'].map((code) => [
      problemOf(failure(code), what).page,
      preflightProblem(code, what, call).page,
    ])
    expect(pages).toEqual(['token', 'channels', 'scopes', 'errors'].map((page) => [page, page]))
    expect(problemOf(failure('invalid_auth'), what, { title: 'x' }).page).toBe('unknown')
  })

  test('names the size of the file if it may be the cause', () => {
    const shown = ['file_too_large', 'invalid_auth'].map((code) =>
      quoted(withSize(text`${'a.csv'}`, 5_000, failure(code))),
    )
    expect(shown).toEqual(['`a.csv` (5 KB)', '`a.csv`'])
  })
})
