import { describe, expect, test } from '@jest/globals'
import { adviceFor, type CallInfo } from '../../../../src/service/errors/error-codes.ts'
import {
  createFailure,
  describeFailure,
  type ErrorContext,
  type FailedResponse,
  type Failure,
  problemOf,
} from '../../../../src/service/errors/failures.ts'
import { quoted, text } from '../../../../src/text/text.ts'
import { call, host } from '../../../support/scripted-service.ts'

const failure = (code: string, more: FailedResponse & Partial<CallInfo> = {}): Failure =>
  createFailure({ ...call, ...more }, code, adviceFor(code, more.status).outcome ?? 'refused', more)
const responded = (code: string, more: FailedResponse & Partial<CallInfo> = {}) =>
  failure(code, { status: 200, ...more })

describe('A failure is described', () => {
  const at = (status: number, detail: string) => responded(`http_${status}`, { status, detail })
  test.each([
    [
      failure('EARLY_RESPONSE', { detail: 'x' }),
      '`H` responded ok to `files.info` before it had all of it (`EARLY_RESPONSE`)',
    ],
    [
      failure('ECONNRESET', { detail: 'socket\n  hang up ' }),
      'no response from `H` (`ECONNRESET`: `socket hang up`)',
    ],
    [
      failure('ENOTFOUND', { detail: 'getaddrinfo ENOTFOUND x' }),
      'no response from `H` (`getaddrinfo ENOTFOUND x`)',
    ],
    [failure('ERR_SSL_X', { detail: 'error:0A00' }), 'no response from `H` (`ERR_SSL_X`)'],
    [
      failure('STALLED', { detail: 'no byte moved' }),
      'no response from `H` (`STALLED`: no byte moved)',
    ],
    [
      failure('SELF_SIGNED', {
        detail: 'self-signed; if the root CA is installed locally, try running Node',
      }),
      'no response from `H` (`SELF_SIGNED`: `self-signed`)',
    ],
    [
      responded('web_page', { detail: 'Sign\n in' }),
      '`H` responded to `files.info` with a web page (`Sign in`)',
    ],
    [
      responded('http_403', { status: 403, method: 'upload', file: 'out/a.csv' }),
      '`H` responded to the bytes of `out/a.csv` with HTTP status 403',
    ],
    [
      at(300, 'https://x.y'),
      '`H` responded to `files.info` with HTTP status 300, a redirect to `https://x.y`',
    ],
    [at(400, 'Page'), '`H` responded to `files.info` with HTTP status 400 (`Page`)'],
    [
      responded('http_413', { status: 400, detail: 'request body too large' }),
      '`H` responded to `files.info` with HTTP status 400 (`request body too large`)',
    ],
    [responded('tea\n time'), '`H` responded `tea time` to `files.info`'],
    [
      responded('tea_time', { detail: 'Only\n CSV' }),
      '`H` responded `tea_time` to `files.info` (`Only CSV`)',
    ],
    [responded('constructor'), '`H` responded `constructor` to `files.info`'],
    [
      responded('no_error_code', { detail: 'Only CSV' }),
      '`H` refused `files.info` without an error code (`Only CSV`)',
    ],
    [
      responded('unreadable', { detail: 'Quota exceeded' }),
      '`H` responded to `files.info` with something that is not JSON (`Quota exceeded`)',
    ],
    [
      responded('broken_off', { detail: 'a part of a response' }),
      '`H` responded to `files.info`: `a part of a response`',
    ],
    [
      responded('unclear_response', { detail: '{ "a":\n1}' }),
      '`H` responded to `files.info`: `{ "a": 1}`',
    ],
  ])('%j', (from, expected) => {
    const whole = expected
      .replace('from `H`', 'from `H` to `files.info`')
      .replace('`H`', `\`${host}\``)
    expect(quoted(describeFailure(from))).toBe(whole)
  })
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

  test.each([
    [
      'files.slack.com',
      'upload',
      504,
      /^Slack may end an upload that takes longer than about 30 s: use a faster line, or/,
    ],
    [
      'files.slack.com',
      'upload',
      502,
      /^Slack may end .* If small files fail too, see the status page\.$/,
    ],
    ['slack.com', 'files.completeUploadExternal', 504, /^See the status page of/],
    ...[408, 500, 502, 504, 599].flatMap((status) =>
      ['upload', 'files.upload'].map(
        (method) =>
          [
            'chat.example',
            method,
            status,
            /^See .* If it happens to large files only, `chat\.example`, or a proxy in front of it, limits their size or their time\.$/,
          ] as const,
      ),
    ),
    ['chat.example', 'files.completeUploadExternal', 504, /^See .* for when to try again\.$/],
  ])('of the bytes of a file that take too long: %s, %s, %i', (to, method, status, remedy) => {
    expect(show(responded(`http_${status}`, { status, method, host: to }))[2]).toMatch(remedy)
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
    ['errors, if nobody has to be invited', 'is_archived', {}, undefined],
    ['what each status means', 'invalid_auth', { title: 'It is unknown' }, 'unknown'],
  ])('links to the page about %s: %s', (_, code, context, page) => {
    expect(problemOf(responded(code), what, context).page).toBe(page)
  })

  test('has the details of the response', () => {
    const details = { messages: ['[ERROR]\none', 'two'], requestId: 'abc' }
    expect(show(responded('missing_scope', details))[3]).toBe(
      'Message of the service: `[ERROR] one`; `two` Request ID: `abc`',
    )
    expect(show(responded('missing_scope', { requestId: 'abc' }))[3]).toBe('Request ID: `abc`')
  })
})
