import { describe, expect, test } from '@jest/globals'
import { errorCodes, type Meaning, remedyOf, rowOf } from '../../../src/service/error-codes.ts'
import { quoted } from '../../../src/text/text.ts'
import { call } from '../../support/scripted-service.ts'

const all = errorCodes.flatMap(({ codes }) => codes)

describe('The table of error codes', () => {
  test('has each code once', () => {
    expect(new Set(all).size).toBe(all.length)
    expect(all).not.toContain('')
  })

  test.each(errorCodes.map((entry) => [entry.codes[0], entry] as const))('says about %s what to do', (_, entry) => {
    expect(entry.codes.length).toBeGreaterThan(0)
    expect(entry.title).toMatch(/^[A-Z].*[^.]$/)
    expect(quoted(remedyOf(entry, { ...call, needed: 'files:write' })).length).toBeGreaterThan(20)
    expect(quoted(remedyOf(entry, call)).length).toBeGreaterThan(20)
  })

  test('finds further codes of a family', () => {
    const first = (code: string) => rowOf(code).codes[0]
    expect(
      [
        'http_599',
        'http_399',
        'proxy_499',
        'SELF_SIGNED_X',
        'DEPTH_ZERO_X',
        'UNABLE_TO_X',
        'CERT_X',
        'ERR_TLS_X',
        'ERR_SSL_X',
      ].map(first),
    ).toEqual([
      'fatal_error',
      'http_301',
      'proxy_403',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'CERT_HAS_EXPIRED',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ])
  })

  test.each([
    'tea_time',
    'x_http_500',
    'http_5000',
    'http_5xx',
    'http_3000',
    'x_http_300',
    'http_3xx',
    'proxy_4000',
    'x_proxy_400',
    'proxy_4xx',
    'X_CERT_',
    'X_ERR_TLS',
    'X_UNABLE_TO_',
  ])('knows nothing about %s', (code) => {
    expect(rowOf(code).codes).toEqual([])
  })

  // Each decides whether a request is repeated. A code that is not here means: refused for at least one of the channels.
  test('has these meanings', () => {
    const having = (meaning: Meaning) =>
      errorCodes.filter((entry) => entry.meaning === meaning).flatMap(({ codes }) => codes.join(' '))
    expect(having('ambiguous').join(' ')).toBe(
      'file_update_failed service_unavailable internal_error fatal_error request_timeout http_408 http_500 http_502 http_503 http_504 ' +
        'http_409 http_302 http_303 http_304',
    )
    expect(having('rate limit')).toEqual(['ratelimited rate_limited http_429'])
    expect(having('unknown method')).toEqual(['method_deprecated unknown_method deprecated_endpoint'])
    expect(having('no such page')).toEqual(['http_404 http_405 http_410'])
    expect(having('refused for all channels').join(' ')).toBe(
      'not_authed invalid_auth account_inactive token_revoked token_expired not_allowed_token_type missing_scope http_413 ' +
        'http_301 http_307 http_308 http_401',
    )
  })

  test('has these facts for a retry and for the report', () => {
    const having = (
      fact: 'aboutChannel' | 'aboutToken' | 'isNetworkPath' | 'isPermanent' | 'isTransient' | 'mayBeCompleted',
    ) => errorCodes.filter((entry) => entry[fact]).map(({ codes }) => codes[0])
    expect(having('aboutChannel')).toEqual([
      'not_in_channel',
      'channel_not_found',
      'is_archived',
      'posting_to_channel_denied',
    ])
    expect(having('aboutToken')).toEqual([
      'not_authed',
      'invalid_auth',
      'account_inactive',
      'token_expired',
      'not_allowed_token_type',
      'missing_scope',
      'no_permission',
      'http_401',
    ])
    expect(having('isPermanent')).toEqual([
      'web_page',
      'http_302',
      'proxy_407',
      'proxy_403',
      'EPERM',
      'ERR_WEBASSEMBLY_NOT_SUPPORTED',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'CERT_HAS_EXPIRED',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ABORTED',
    ])
    expect(having('isTransient')).toEqual(['unreadable'])
    expect(having('mayBeCompleted')).toEqual(['file_not_found', 'http_404'])
    expect(having('isNetworkPath')).toEqual([
      'http_401',
      'http_403',
      'proxy_403',
      'proxy_502',
      'ENOTFOUND',
      'ECONNREFUSED',
      'EPERM',
      'ECONNRESET',
      'STALLED',
    ])
  })

  test('names the scope that is needed, and the argument that the service refuses', () => {
    const remedy = (code: string, facts = {}) => quoted(remedyOf(rowOf(code), { ...call, ...facts }))
    expect(remedy('missing_scope', { needed: 'files:write' })).toContain('Add the scope `files:write` to')
    expect(remedy('missing_scope')).toContain('Add the scope that is missing to')
    expect(remedy('invalid_arguments')).toContain('Check the inputs')
    expect(remedy('invalid_arguments', { method: 'files.getUploadURLExternal' })).toContain('Rename it')
  })

  test.each(['invalid_auth', 'channel_not_found', 'not_in_channel'])(
    'says about %s of another server nothing that holds for Slack only',
    (code) => {
      const advice = (method: string) => quoted(remedyOf(rowOf(code), { ...call, method }))
      const ofSlack = /xoxb|GovSlack|\/invite|the app/
      expect(advice('files.completeUploadExternal')).toMatch(ofSlack)
      expect(advice('files.upload')).not.toMatch(ofSlack)
    },
  )
})
