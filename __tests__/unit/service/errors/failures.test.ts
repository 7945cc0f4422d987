import { describe, expect, test } from '@jest/globals'
import { adviceFor, type CallInfo } from '../../../../src/service/errors/error-codes.ts'
import {
  createFailure,
  describeFailure,
  type ErrorContext,
  type FailedResponse,
  type Failure,
  preflightProblem,
  problemOf,
} from '../../../../src/service/errors/failures.ts'
import { quoted, text } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { call } from '../../../support/scripted-service.ts'

const failure = (code: string, more: FailedResponse & Partial<CallInfo> = {}): Failure =>
  createFailure({ ...call, ...more }, code, adviceFor(code, more.status).outcome ?? 'refused', more)
const responded = (code: string, more: FailedResponse & Partial<CallInfo> = {}) =>
  failure(code, { status: 200, ...more })

test('A failure is described', async () => {
  const failures = `
{"code":"EARLY_RESPONSE","detail":"x"}
{"code":"ECONNRESET","detail":"socket\\n  hang up "}
{"code":"ENOTFOUND","detail":"getaddrinfo ENOTFOUND x"}
{"code":"ERR_SSL_X","detail":"error:0A00"}
{"code":"STALLED","detail":"no byte moved"}
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
{"code":"unclear_response","status":200,"detail":"{ \\"a\\":\\n1}"}
`
  const shown = await grid(failures, (line) => {
    const { code, ...more } = JSON.parse(line)
    return quoted(describeFailure(failure(code, more)))
  })
  expect(shown).toMatchInlineSnapshot(`
"{"code":"EARLY_RESPONSE","detail":"x"}
    \`chat.example:8443\` responded ok to \`files.info\` before it had all of it (\`EARLY_RESPONSE\`)
{"code":"ECONNRESET","detail":"socket\\n  hang up "}
    no response from \`chat.example:8443\` to \`files.info\` (\`ECONNRESET\`: \`socket hang up\`)
{"code":"ENOTFOUND","detail":"getaddrinfo ENOTFOUND x"}
    no response from \`chat.example:8443\` to \`files.info\` (\`getaddrinfo ENOTFOUND x\`)
{"code":"ERR_SSL_X","detail":"error:0A00"}
    no response from \`chat.example:8443\` to \`files.info\` (\`ERR_SSL_X\`)
{"code":"STALLED","detail":"no byte moved"}
    no response from \`chat.example:8443\` to \`files.info\` (\`STALLED\`: no byte moved)
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
{"code":"unclear_response","status":200,"detail":"{ \\"a\\":\\n1}"}
    \`chat.example:8443\` responded to \`files.info\`: \`{ "a": 1}\`"
`)
})

describe('The problem of a failure', () => {
  const what = text`It failed`
  const show = (from: Failure, context?: ErrorContext) => {
    const { text: lines, title } = problemOf(from, what, context)
    return [title, ...quoted(lines).split('\n')]
  }

  test.each([
    [
      failure('EX_UNKNOWN'),
      'The service did not respond',
      /^Check `base-url`, and what is between the runner and/,
    ],
    [
      responded('http_418', { status: 418 }),
      'The server responded with HTTP status 418',
      /^Check `base-url`, and whether a/,
    ],
    [
      responded('x_http_1'),
      'The service refused the request',
      /^This action does not know the error code\./,
    ],
  ])('of an unknown code: %j', (from, title, remedy) => {
    const [shownTitle, , shownRemedy] = show(from)
    expect([shownTitle, shownRemedy]).toEqual([title, expect.stringMatching(remedy)])
  })

  test.each([
    [
      { retryAfter: 3_600_000 },
      /^The service asks to wait 3,600 s, longer than this run may last\./,
    ],
    [{}, /^Raise `timeout-minutes`, so that there is time/],
  ])('of a rate limit with %j', (more, remedy) => {
    expect(show(responded('ratelimited', more))[2]).toMatch(remedy)
  })

  test('of the bytes of a file that take too long', async () => {
    const failures = `
504 to upload at files.slack.com
502 to upload at files.slack.com
504 to files.completeUploadExternal at slack.com
504 to files.completeUploadExternal at chat.example
408 to upload at chat.example
408 to files.upload at chat.example
500 to upload at chat.example
500 to files.upload at chat.example
502 to upload at chat.example
502 to files.upload at chat.example
504 to upload at chat.example
504 to files.upload at chat.example
599 to upload at chat.example
599 to files.upload at chat.example
`
    const shown = await grid(failures, (line) => {
      const [status, method = '', to = ''] = line.split(/ to | at /)
      const more = { status: Number(status), method, host: to }
      return show(responded(`http_${status}`, more))[2]
    })
    expect(shown).toMatchInlineSnapshot(`
"504 to upload at files.slack.com
    Slack may end an upload that takes longer than about 30 s: use a faster line, or send a smaller file. If small files fail too, see the status page.
502 to upload at files.slack.com
    Slack may end an upload that takes longer than about 30 s: use a faster line, or send a smaller file. If small files fail too, see the status page.
504 to files.completeUploadExternal at slack.com
    See the status page of chat.example for when to try again.
504 to files.completeUploadExternal at chat.example
    See the status page of chat.example for when to try again.
408 to upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
408 to files.upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
500 to upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
500 to files.upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
502 to upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
502 to files.upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
504 to upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
504 to files.upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
599 to upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time.
599 to files.upload at chat.example
    See the status page of chat.example for when to try again. If it happens to large files only, \`chat.example\`, or a proxy in front of it, limits their size or their time."
`)
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT'])(
    'of a host that is not reached names the variable that may keep it from the proxy: %s',
    (code) => {
      for (const to of ['slack.com', 'chat.example'])
        expect(show(failure(code, { host: to }))[2]).toContain(
          `leave \`${to}\` out of \`no_proxy\``,
        )
    },
  )

  test.each([
    ['the token', 'invalid_auth', {}, 'token'],
    ['inviting the app', 'not_in_channel', {}, 'channels'],
    ['scopes', 'missing_scope', {}, 'scopes'],
    ['errors, if nobody has to be invited', 'is_archived', {}, 'errors'],
    ['what each status means', 'invalid_auth', { title: 'It is unknown' }, 'unknown'],
  ])('links to the page about %s: %s', (_, code, context, page) => {
    const failed = responded(code)
    expect(problemOf(failed, what, context).page).toBe(page)
    if (page !== 'unknown') expect(preflightProblem(code, what, failed).page).toBe(page)
  })

  test('has the details of the response', () => {
    const details = { messages: ['[ERROR]\none', 'two'], requestId: 'abc' }
    expect(show(responded('missing_scope', details))[3]).toBe(
      'Message of the service: `[ERROR] one`; `two` Request ID: `abc`',
    )
    expect(show(responded('missing_scope', { requestId: 'abc' }))[3]).toBe('Request ID: `abc`')
    const many = show(responded('missing_scope', { messages: Array(50_000).fill('x') }))[3]
    expect(many).toBe(`Message of the service: ${Array(10).fill('`x`').join('; ')} and 49,990 more`)
  })
})
