import { describe, expect, test } from '@jest/globals'
import { type CallInfo, remedyOf, rowOf } from '../../../src/service/error-codes.ts'
import {
  createFailure,
  describeFailure,
  type ErrorContext,
  type FailedResponse,
  type Failure,
  preflightProblem,
  problemOf,
  throwProblem,
} from '../../../src/service/failures.ts'
import { quoted, text } from '../../../src/text/text.ts'
import { call, host } from '../../support/scripted-service.ts'

const failure = (code: string, more: FailedResponse & Partial<CallInfo> = {}): Failure =>
  createFailure({ ...call, ...more }, code, more)
const responded = (code: string, more: FailedResponse & Partial<CallInfo> = {}) =>
  failure(code, { status: 200, ...more })

describe('A failure', () => {
  test.each([
    ['not_in_channel', 200, undefined],
    ['not_in_channel', 500, 'ambiguous'],
    ['not_in_channel', 599, 'ambiguous'],
    ['not_in_channel', 408, 'ambiguous'],
    ['not_in_channel', 429, 'rate limit'],
    ['invalid_auth', 408, 'ambiguous'],
    ['invalid_auth', 500, 'ambiguous'],
    ['invalid_auth', 429, 'rate limit'],
    ['not_in_channel', 401, 'refused for all channels'],
    ['unknown_method', 401, 'unknown method'],
    ['tea_time', 499, 'ambiguous'],
    ['tea_time', 498, undefined],
    ['internal_error', 200, 'ambiguous'],
    ['ratelimited', 200, 'rate limit'],
    ['unreadable', 200, undefined],
    ['http_302', 302, 'ambiguous'],
    ['http_409', 409, 'ambiguous'],
    ['file_already_shared', 200, 'ambiguous'],
    ['ECONNRESET', undefined, undefined],
  ])('%s with status %p means: %s', (code, status, meaning) => {
    expect(failure(code, status === undefined ? {} : { status })).toMatchObject({ meaning })
  })
})

describe('A failure is described', () => {
  const at = (status: number, detail: string) => responded(`http_${status}`, { status, detail })
  test.each([
    [
      failure('EARLY_RESPONSE', { detail: 'x' }),
      '`H` responded ok to `files.info` before it had all of it (`EARLY_RESPONSE`)',
    ],
    [failure('ECONNRESET'), 'no response from `H` (`ECONNRESET`)'],
    [failure('ECONNRESET', { detail: 'socket\n  hang up ' }), 'no response from `H` (`ECONNRESET`: `socket hang up`)'],
    [failure('ENOTFOUND', { detail: 'getaddrinfo ENOTFOUND x' }), 'no response from `H` (`getaddrinfo ENOTFOUND x`)'],
    [failure('ERR_SSL_X', { detail: 'error:0A00' }), 'no response from `H` (`ERR_SSL_X`)'],
    [failure('X_ERR_SSL_', { detail: 'y' }), 'no response from `H` (`X_ERR_SSL_`: `y`)'],
    [failure('STALLED', { detail: 'no byte moved' }), 'no response from `H` (`STALLED`: no byte moved)'],
    [failure('ABORTED', { detail: 'ended' }), 'no response from `H` (`ABORTED`: ended)'],
    [failure('proxy_407', { detail: 'proxy' }), 'no response from `H` (`proxy_407`: proxy)'],
    [failure('xABORTED', { detail: 'ended' }), 'no response from `H` (`xABORTED`: `ended`)'],
    [failure('ABORTEDx', { detail: 'ended' }), 'no response from `H` (`ABORTEDx`: `ended`)'],
    [
      failure('SELF_SIGNED', { detail: 'self-signed; if the root CA is installed locally, try running Node' }),
      'no response from `H` (`SELF_SIGNED`: `self-signed`)',
    ],
    [responded('web_page'), '`H` responded to `files.info` with a web page'],
    [responded('web_page', { detail: 'Sign\n in' }), '`H` responded to `files.info` with a web page (`Sign in`)'],
    [responded('unreadable'), '`H` responded to `files.info` with something that is not JSON'],
    [responded('http_403', { status: 403 }), '`H` responded to `files.info` with HTTP status 403'],
    [
      responded('http_403', { status: 403, method: 'upload', file: 'out/a.csv' }),
      '`H` responded to the bytes of `out/a.csv` with HTTP status 403',
    ],
    [at(300, 'https://x.y'), '`H` responded to `files.info` with HTTP status 300, a redirect to `https://x.y`'],
    [at(399, 'https://x.y'), '`H` responded to `files.info` with HTTP status 399, a redirect to `https://x.y`'],
    [at(299, 'Page'), '`H` responded to `files.info` with HTTP status 299 (`Page`)'],
    [at(400, 'Page'), '`H` responded to `files.info` with HTTP status 400 (`Page`)'],
    [responded('tea\n time'), '`H` responded `tea time` to `files.info`'],
  ])('%j', (from, expected) => {
    const whole = expected.replace('from `H`', 'from `H` to `files.info`').replace('`H`', `\`${host}\``)
    expect(quoted(describeFailure(from))).toBe(whole)
  })
})

describe('The problem of a failure', () => {
  const what = text`It failed`
  const show = (from: Failure, context?: ErrorContext) => {
    const { text: lines, title } = problemOf(from, what, context)
    return [title, ...quoted(lines).split('\n')]
  }
  const remedyFor = (code: string) => quoted(remedyOf(rowOf(code), responded(code)))
  const first = text`Check the channel.`
  const own = text`Do this.`

  test('has the title and the remedy of its code', () => {
    expect(show(responded('invalid_auth'))).toEqual([
      'The service does not know the token',
      `It failed: \`${host}\` responded \`invalid_auth\` to \`files.info\`.`,
      remedyFor('invalid_auth'),
    ])
  })

  test('has what the caller says instead', () => {
    expect(show(responded('invalid_auth'), { title: 'It is unclear' })[0]).toBe('It is unclear')
    expect(show(responded('tea_time'), { title: 'It is unclear' })[0]).toBe('It is unclear')
    expect(show(responded('missing_scope'), { remedy: own })[2]).toBe('Do this.')
    expect(show(responded('invalid_auth'), { first })[2]).toBe(`Check the channel. ${remedyFor('invalid_auth')}`)
  })

  test.each([
    [failure('EX_UNKNOWN'), 'The service did not respond', /^Check `base-url`, and what is between the runner and/],
    [
      responded('http_418', { status: 418 }),
      'The server responded with HTTP status 418',
      /^Check `base-url`, and whether a/,
    ],
    [
      responded('tea_time'),
      'The service refused the request',
      /^This action does not know the error code. See `files.info` in/,
    ],
    [responded('x_http_1'), 'The service refused the request', /^This action does not know the error code\./],
  ])('of an unknown code: %j', (from, title, remedy) => {
    const [shownTitle, , shownRemedy] = show(from)
    expect([shownTitle, shownRemedy]).toEqual([title, expect.stringMatching(remedy)])
  })

  test('of a rate limit that is too long says how long', () => {
    expect(show({ ...responded('ratelimited'), retryAfter: 86_400_001 })[2]).toBe(
      'The service asks to wait 86,401 s, longer than this run may last. Raise `timeout-minutes`, or send fewer files.',
    )
  })

  test('about one of several channels says that it is unclear which', () => {
    const unclear = 'To find out which: try one channel at a time.'
    const shown = show(responded('not_in_channel'), { severalChannels: true })
    expect(shown[1]).toBe(
      `It failed: \`${host}\` responded \`not_in_channel\` to \`files.info\`, and did not say which of them it means.`,
    )
    expect(shown[3]).toBe(unclear)
    for (const context of [{}, { severalChannels: false }])
      expect(show(responded('not_in_channel'), context)).toHaveLength(3)
    for (const code of ['invalid_auth', 'tea_time'])
      expect(show(responded(code), { severalChannels: true })).toHaveLength(3)
  })

  test('has the details of the response', () => {
    const details = { provided: 'chat:write,  files:read ', messages: ['[ERROR]\none', 'two'], requestId: 'abc' }
    expect(show(responded('missing_scope', details))[3]).toBe(
      'The token has: `chat:write`, `files:read`. Message of the service: `[ERROR] one`; `two` Request ID: `abc`',
    )
    expect(show(responded('missing_scope', { requestId: 'abc' }))[3]).toBe('Request ID: `abc`')
  })

  test('is thrown', () => {
    expect(() => throwProblem(responded('missing_scope'), what, { remedy: own })).toThrow(/^It failed: .*\nDo this\.$/)
  })

  test('of a preflight check has no response', () => {
    const { text: lines, title } = preflightProblem('is_archived', what, call)
    expect([title, quoted(lines)]).toEqual(['The channel is archived', `It failed.\n${remedyFor('is_archived')}`])
  })
})
