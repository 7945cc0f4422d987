import { describe, expect, test } from '@jest/globals'
import {
  readCompletion,
  readFilesUpload,
  readUpload,
  readWebApi,
} from '../../../src/service/responses.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import { call, response } from '../../support/scripted-service.ts'

const html = '<!DOCTYPE html><title> Sign in </title>'
const xml = '<?xml version="1.0" encoding="iso-8859-1"?>'
const truncated = { status: 200, headers: {}, text: undefined }

type Read = typeof readWebApi
type Row = readonly [response: Parameters<Read>[0], expected: object]

const succeeded = { outcome: 'succeeded' }
const ambiguous = (code: string) => ({ outcome: 'ambiguous', code })
const refused = (code: string) => ({ outcome: 'refused', code })
const refusedForAll = (code: string) => ({ outcome: 'refused everywhere', code })
const unknownMethod = (code: string) => ({ outcome: 'no such method', code })
const limited = (code: string) => ({ outcome: 'rate limited', code })

function expectResult(read: Read, [from, expected]: Row): void {
  expect(read(from, call)).toMatchObject(expected)
}

describe('A response of the Web API', () => {
  test.each<Row>([
    [
      response(200, { ok: true, a: 1 }, { x: 'y' }),
      { outcome: 'succeeded', json: { ok: true, a: 1 }, call },
    ],
    [response(300, { ok: true }), ambiguous('http_300')],
    [response(199, { ok: true }), ambiguous('http_199')],
    [response(400, { ok: true }), ambiguous('http_400')],
    [response(200, { ok: false, error: 'not_in_channel' }), refused('not_in_channel')],
    [response(200, { ok: false, error: 'internal_error' }), ambiguous('internal_error')],
    [response(200, { ok: false, error: 'ratelimited' }), limited('ratelimited')],
    [response(200, { ok: false, error: 'unknown_method' }), unknownMethod('unknown_method')],
    [response(200, { ok: false, error: 'invalid_auth' }), refusedForAll('invalid_auth')],
    [response(200, { ok: false }), ambiguous('no_error_code')],
    [response(200, { error: 'not_in_channel' }), ambiguous('unclear_response')],
    [response(200, 'ok'), ambiguous('unreadable')],
    [response(200, ''), ambiguous('unreadable')],
    [response(200, html), ambiguous('web_page')],
    [truncated, { ...ambiguous('broken_off'), detail: expect.stringMatching('a part of') }],
    [{ ...truncated, status: 404 }, ambiguous('http_404')],
    [{ ...truncated, status: 401 }, refusedForAll('http_401')],
    [response(403, html), refused('http_403')],
    [response(403, { error: 'channel_not_found' }), refused('channel_not_found')],
    [response(403, { error: 'not found' }), refused('http_403')],
    [response(403, { ok: false, error: 'Tea Time' }), refused('Tea Time')],
    [response(404, html), unknownMethod('http_404')],
    [response(405, ''), unknownMethod('http_405')],
    [response(404, { message: 'no' }), refused('http_404')],
    [response(404, { ok: false, error: 'unknown_method' }), unknownMethod('unknown_method')],
    [response(200, { ok: false, error: 'http_404' }), refused('http_404')],
    [response(429, { ok: false, error: 'invalid_auth' }), limited('invalid_auth')],
    [response(408, { ok: false, error: 'invalid_auth' }), ambiguous('invalid_auth')],
    [response(401, { ok: false, error: 'not_in_channel' }), refusedForAll('not_in_channel')],
    [response(401, { ok: false, error: 'unknown_method' }), unknownMethod('unknown_method')],
    [response(503, { ok: false, error: 'not_in_channel' }), ambiguous('not_in_channel')],
    [response(599, ''), ambiguous('http_599')],
  ])('%j means %j', (...row) => expectResult(readWebApi, row))
})

describe('A response to files.upload', () => {
  test.each<Row>([
    [
      response(200, { file: { id: 'F1' } }, { x: 'y' }),
      { ...succeeded, json: { file: { id: 'F1' } }, call },
    ],
    [response(200, { ok: true }), { ...succeeded, json: { ok: true } }],
    [response(201, ''), { ...succeeded, json: {} }],
    [response(200, 'a {'), { ...succeeded, json: {} }],
    [response(200, '[1]'), { ...succeeded, json: {} }],
    [response(200, { ok: false, error: 'tea_time' }), refused('tea_time')],
    [response(200, { ok: false }), refused('no_error_code')],
    ...[
      { ok: 0 },
      { ok: 'false' },
      [{ ok: true }, { ok: false }],
      { success: false },
      { status: 'error' },
    ].map(
      (json): Row => [
        response(200, json),
        { ...ambiguous('unclear_response'), detail: JSON.stringify(json) },
      ],
    ),
    ...['x', 1, true, [0], { a: 1 }].flatMap((error): Row[] => [
      [response(200, { error }), ambiguous('unclear_response')],
      [response(200, { errors: error }), ambiguous('unclear_response')],
    ]),
    ...['', 0, false, null, [], {}].map(
      (error): Row => [response(200, { error, errors: error }), succeeded],
    ),
    [response(200, { ok: true, error: 'x', success: false }), succeeded],
    [response(200, { status: 'ok', success: true }), succeeded],
    [
      response(200, { ok: 0, error: 'x'.repeat(300) }),
      { detail: `{"ok":0,"error":"${'x'.repeat(183)}` },
    ],
    [response(200, ' {"ok": fal'), ambiguous('unreadable')],
    [response(200, '[{"ok": fal'), ambiguous('unreadable')],
    ...[html, ' \n<HTML>', '<head>', '<Body class="a">', `${xml}\n<html>`, `${xml} ${html}`].map(
      (page): Row => [response(200, page), ambiguous('web_page')],
    ),
    [response(200, 'a <html>'), succeeded],
    [response(200, `${xml}<upload id="1"/>`), succeeded],
    [response(200, '<header>'), succeeded],
    // PHP, Flask and Django say so of everything.
    ...['', 'ok', '{}'].map(
      (text): Row => [response(200, text, { 'content-type': 'text/html' }), succeeded],
    ),
    [response(200, '{"ok":false}', { 'content-type': 'text/html' }), refused('no_error_code')],
    [truncated, ambiguous('broken_off')],
    [response(403, ''), refused('http_403')],
    ...[301, 307, 308].map(
      (status): Row => [response(status, ''), refusedForAll(`http_${status}`)],
    ),
    ...[302, 303, 304, 409, 499].map(
      (status): Row => [response(status, ''), ambiguous(`http_${status}`)],
    ),
    ...['already_uploaded', 'duplicate_file'].map(
      (error): Row => [response(200, { ok: false, error }), ambiguous(error)],
    ),
    [response(409, { ok: false, error: 'tea_time' }), ambiguous('tea_time')],
    [response(200, { ok: false, error: 'file_not_found' }), refused('file_not_found')],
    [response(500, ''), ambiguous('http_500')],
    [response(200, { ok: false, error: 'method_deprecated' }), unknownMethod('method_deprecated')],
    [response(410, ''), unknownMethod('http_410')],
    // In the words of Go, and of servers that send JSON.
    ...['multipart: NextPart: http: request body too large\n', '{"error":"File Too Large"}'].map(
      (text): Row => [response(400, text), refusedForAll('http_413')],
    ),
    [response(400, { ok: false, error: 'tea_time', message: 'too large' }), refused('tea_time')],
    [response(400, 'the field file is missing'), refused('http_400')],
    [response(500, 'too large'), ambiguous('http_500')],
  ])('%j means %j', (...row) => expectResult(readFilesUpload, row))

  test('of white space takes linear time', async () => {
    const read = (length: number) => readFilesUpload(response(200, ' '.repeat(length)), call)
    expect(read(1_000).outcome).toBe('succeeded')
    expect(await takesLinearTime(read, 1_000)).toBe(true)
  })

  const early = (...args: Parameters<typeof response>) => ({ ...response(...args), isEarly: true })
  const notSent = (code: string) => ({ outcome: 'not sent', code })
  test.each<Row>([
    [early(200, { ok: true }), ambiguous('EARLY_RESPONSE')],
    [early(200, ''), ambiguous('EARLY_RESPONSE')],
    [early(200, html), ambiguous('web_page')],
    [early(200, { ok: false, error: 'not_in_channel' }), refusedForAll('not_in_channel')],
    [early(200, { ok: false, error: 'ratelimited' }), limited('ratelimited')],
    [early(403, { error: 'not_in_channel' }), refusedForAll('not_in_channel')],
    ...[500, 502, 503, 504, 408].map(
      (status): Row => [early(status, ''), notSent(`http_${status}`)],
    ),
    [early(503, { ok: false, error: 'tea_time' }), notSent('tea_time')],
    ...[301, 302, 303, 304, 307, 308, 400, 403, 404, 409, 413, 499].map(
      (status): Row => [early(status, ''), refusedForAll(`http_${status}`)],
    ),
    [early(429, ''), limited('http_429')],
  ])('that comes before the last byte, %j, means %j', (...row) =>
    expectResult(readFilesUpload, row),
  )
})

describe('A response to a completion', () => {
  test.each<Row>([
    [response(200, { ok: true }), { ...succeeded, json: { ok: true } }],
    [response(200, { ok: false, error: 'tea_time' }), refused('tea_time')],
    [response(200, { ok: false, error: 'file_not_found' }), ambiguous('file_not_found')],
    [response(404, { error: 'Not Found' }), ambiguous('http_404')],
    [response(404, html), unknownMethod('http_404')],
    [response(409, ''), ambiguous('http_409')],
  ])('%j means %j', (...row) => expectResult(readCompletion, row))
})

describe('The response to the 5 bytes of a file', () => {
  test.each<Row>([
    [response(200, 'OK - 5', { x: 'y' }), { ...succeeded, json: {}, call }],
    [response(200, html), ambiguous('web_page')],
    [response(200, '', { 'content-type': 'text/html' }), succeeded],
    [truncated, succeeded],
    [{ ...response(200, 'OK - 5'), isEarly: true }, ambiguous('EARLY_RESPONSE')],
    ...['', 'OK', 'OK - five', 'OK - 4 files', '5'].map(
      (text): Row => [response(200, text), succeeded],
    ),
    ...['OK - 4', 'OK - 0', 'OK - 50\n'].map(
      (text): Row => [response(200, text), { ...ambiguous('wrong_size'), detail: text.trim() }],
    ),
    [response(500, 'OK - 4'), ambiguous('http_500')],
    [response(201, ''), ambiguous('unreadable')],
    [response(429, '', { 'retry-after': '2' }), { outcome: 'rate limited', retryAfter: 2_000 }],
    [response(299, ''), ambiguous('unreadable')],
    [response(300, ''), refusedForAll('http_300')],
    [response(399, ''), refusedForAll('http_399')],
    [response(400, ''), ambiguous('http_400')],
    [response(413, ''), refusedForAll('http_413')],
    [response(504, html), ambiguous('http_504')],
  ])('%j means %j', (...row) =>
    expectResult((from) => readUpload(from, { ...call, bytes: 5 }), row),
  )
})

describe('A rate limit', () => {
  test.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '3 s' }, undefined],
    [{ 'retry-after': '49.7' }, 49_700],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': '9'.repeat(400) }, undefined],
    [{}, undefined],
  ])('with %j asks to wait %p ms', (headers: Record<string, string>, retryAfter) => {
    const result = readWebApi(response(429, '', headers), call)
    expect(result).toMatchObject({ outcome: 'rate limited', retryAfter })
  })
})

describe('A failure', () => {
  const failureOf = (...args: Parameters<typeof response>) => {
    const result = readWebApi(response(...args), call)
    return result.outcome === 'succeeded' ? undefined : result
  }

  test('holds what the service said', () => {
    const needed = 'files:write'
    const metadata = { response_metadata: { messages: ['[ERROR] one', 2, 'two'] } }
    const json = { ok: false, error: 'missing_scope', needed, ...metadata }
    const reported = { needed, messages: ['[ERROR] one', 'two'], requestId: 'abc' }
    const failure = failureOf(200, json, { 'x-slack-req-id': 'abc' })
    expect(failure).toMatchObject({ ...call, code: 'missing_scope', status: 200, ...reported })
  })

  const express = (pre: string) =>
    `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${pre}</pre>\n</body>\n</html>\n`
  test.each([
    [307, '', { location: 'https://other.example' }, 'https://other.example'],
    [307, html, {}, undefined],
    [400, html, {}, 'Sign in'],
    [403, '<html><TITLE lang="en">No\n</title>', {}, 'No'],
    [403, `<html>${' '.repeat(10_000)}<title>No</title>`, {}, undefined],
    [403, `<html><title>${'x'.repeat(300)}</title>`, {}, 'x'.repeat(200)],
    [403, '<html><title a<b>No</title>', {}, undefined],
    // Of lighttpd.
    [413, `${xml}\n${html}`, {}, 'Sign in'],
    // Of Express.
    [404, express('Cannot POST /x/api/files.upload'), {}, 'Cannot POST /x/api/files.upload'],
    [
      500,
      express('MulterError: File too large<br> &nbsp; &nbsp;at abort'),
      {},
      'MulterError: File too large',
    ],
    [500, express('x'.repeat(300)), {}, 'x'.repeat(200)],
    [500, '<html><title>Error</title><h1>Oops', {}, 'Error'],
    // Of bottle, Django, Werkzeug and nginx.
    [
      413,
      '<!DOCTYPE HTML>\n<html><head><title>Error: 413 Request Entity Too Large</title></head><body><h1>Error: 413 Request Entity Too Large</h1><p>Sorry, the requested URL <tt>http://x/</tt> caused an error:</p><pre>Request too large</pre></body></html>',
      {},
      'Request too large',
    ],
    [
      403,
      '<!DOCTYPE html><html><head><title>403 Forbidden</title></head><body><h1>Forbidden <span>(403)</span></h1><p>CSRF verification failed. Request aborted.</p><p>More</p>',
      {},
      'CSRF verification failed. Request aborted.',
    ],
    [
      400,
      '<!doctype html><title>Bad Request (400)</title><h1>Bad Request (400)</h1><p></p>',
      {},
      'Bad Request (400)',
    ],
    [
      413,
      '<html><title>413 Request Entity Too Large</title><center>nginx',
      {},
      '413 Request Entity Too Large',
    ],
    [413, '<html><body><p>Only 1 MB</p></body></html>', {}, 'Only 1 MB'],
    [502, '<html><title>Sign in</title><p>To our network</p>', {}, 'Sign in'],
    [415, ' apk is not an allowed type\n', {}, 'apk is not an allowed type'],
    [500, `internal error: ${'x'.repeat(300)}`, {}, `internal error: ${'x'.repeat(184)}`],
    [200, '{"ok":false,"message":"Only CSV here"}', {}, 'Only CSV here'],
    [400, '{"ok":false,"error":"tea_time","message":"Only CSV here"}', {}, 'Only CSV here'],
    [200, '{"ok":false,"error":"tea_time"}', {}, undefined],
    [403, '{"error":"tea_time"}', {}, undefined],
  ])(
    'with status %i, row %#, names the target, the title or the reason',
    (status, body, headers: Record<string, string>, detail) => {
      expect(failureOf(status, body, headers)?.detail).toBe(detail)
    },
  )
})
