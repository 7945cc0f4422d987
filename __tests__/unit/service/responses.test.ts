import { describe, expect, test } from '@jest/globals'
import type { HttpResponse } from '../../../src/service/http/http.ts'
import {
  readCompletion,
  readFilesUpload,
  readUpload,
  readWebApi,
} from '../../../src/service/responses.ts'
import { grid } from '../../support/grid.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import { call, response } from '../../support/scripted-service.ts'

const html = '<!DOCTYPE html><title> Sign in </title>'
const xml = '<?xml version="1.0" encoding="iso-8859-1"?>'
const refusal = (error: string) => JSON.stringify({ ok: false, error })
const readers = {
  'Web API': readWebApi,
  completion: readCompletion,
  'files.upload': readFilesUpload,
  'the 5 bytes of a file': readUpload,
}
/** Bodies by the names in the grids. */
const bodies: Readonly<Record<string, string | undefined>> = {
  ok: '{"ok":true}',
  'ok, no success': '{"ok":true,"error":"x","success":false}',
  'status ok': '{"status":"ok","success":true}',
  'no code': '{"ok":false}',
  not_in_channel: refusal('not_in_channel'),
  invalid_auth: refusal('invalid_auth'),
  internal_error: refusal('internal_error'),
  ratelimited: refusal('ratelimited'),
  unknown_method: refusal('unknown_method'),
  file_not_found: refusal('file_not_found'),
  already_done: refusal('already_done'),
  http_404: refusal('http_404'),
  'two words': refusal('Tea Time'),
  'only an error': '{"error":"channel_not_found"}',
  'only words': '{"error":"Not Found"}',
  'only a message': '{"message":"no"}',
  'no error': '{"error":[],"errors":""}',
  'error null': '{"error":null,"errors":{}}',
  'error 0': '{"error":0,"errors":false}',
  'errors object': '{"errors":{"a":1}}',
  'error true': '{"error":true}',
  'ok 0': '{"ok":0}',
  'ok text': '{"ok":"false"}',
  'success false': '{"success":false}',
  'status error': '{"status":"error"}',
  'list, one bad': '[{"ok":true},{"ok":false}]',
  'other list': '[1]',
  'cut off': ' {"ok": fal',
  'cut list': '[{"ok": fal',
  words: 'a {',
  empty: '',
  html,
  'html later': 'a <html>',
  'HTML, spaces': ' \n<HTML><title>Sign in</title>',
  '<head>': '<head>',
  '<header>': '<header>',
  '<Body>': '<Body class="a">',
  XML: `${xml}<upload id="1"/>`,
  'XML <html>': `${xml}\n<html>`,
  'XML, html': `${xml} ${html}`,
  // As Go and JSON servers say it.
  'too large': 'multipart: NextPart: http: request body too large\n',
  'error too large': '{"error":"File Too Large"}',
  'code, too large': '{"ok":false,"error":"tea_time","message":"too large"}',
  'no file': 'the field file is missing',
  'broken off': undefined,
  'OK - 5': 'OK - 5\n',
  'OK - 4': 'OK - 4',
  'OK - 50': 'OK - 50\n',
  'OK - 4 files': 'OK - 4 files',
}
/**
 * One sign for each response. `early` is before the last byte was sent, and has a row only where it
 * makes a difference.
 */
const statuses =
  '199 200 201 299 300 301 302 303 304 307 308 399 400 401 403 404 405 408 409 410 413 429 499 500 503 599'
const signs = {
  succeeded: '+',
  ambiguous: '?',
  refused: '-',
  'refused everywhere': '=',
  'no such method': 'm',
  'rate limited': 'w',
  'not sent': '0',
}

test('every response has its outcome', () => {
  const indent = `\n${' '.repeat(27)}`
  const tables = Object.entries(readers).flatMap(([kind, read]) => {
    const outcomes = (text: string | undefined, isEarly: boolean) =>
      statuses
        .split(' ')
        .map((status) => ({ ...response(Number(status)), text, isEarly }))
        .map((from) => signs[read(from, { ...call, bytes: 5 }).outcome])
        .join('')
    const rows = Object.entries(bodies).flatMap(([name, text]) => {
      const row = outcomes(text, false)
      const early = outcomes(text, true)
      return [{ name, row }, ...(early === row ? [] : [{ name, row: `${early} early` }])]
    })
    const alike = Array.from(
      Map.groupBy(rows, ({ row }) => row),
      ([row, those]) => {
        const names = those.map(({ name }) => name).join(' | ')
        return `${row} ${names.replaceAll(/(.{50,70}?) \| /g, `$1${indent}`)}`
      },
    )
    return [`\n${kind}`, ...alike]
  })
  expect(tables.join('\n')).toMatchInlineSnapshot(`
"
Web API
?+++?????????????????????? ok | ok, no success
?????????????????????????? early ok | ok, no success
-???==???===-=---??-=w???? status ok | no code | only an error | only words | only a message
                           no error | error null | error 0 | errors object | error true
                           ok 0 | ok text | success false | status error
----==???===-=---??-=w???? not_in_channel | file_not_found | two words | code, too large
======???========??==w???? invalid_auth
?????????????????????w???? internal_error | already_done
wwwwww???wwwwwwww??www???? ratelimited
mmmmmm???mmmmmmmm??mmw???? unknown_method
------???--------??--w???? http_404
-???==???===-=-mm??m=w???? list, one bad | other list | cut off | cut list | words
                           empty | html | html later | HTML, spaces | <head> | <header>
                           <Body> | XML | XML <html> | XML, html | no file | OK - 5
                           OK - 4 | OK - 50 | OK - 4 files
-???==???=====-mm??m=w???? too large
-???==???=====---??-=w???? error too large
????==???===?=??????=w???? broken off

completion
?+++?????????????????????? ok | ok, no success
?????????????????????????? early ok | ok, no success
-???==???===-=-?????=w???? status ok | no code | only words | only a message | no error
                           error null | error 0 | errors object | error true | ok 0
                           ok text | success false | status error
----==???===-=---??-=w???? not_in_channel | two words | code, too large
======???========??==w???? invalid_auth
?????????????????????w???? internal_error | file_not_found | already_done | http_404
wwwwww???wwwwwwww??www???? ratelimited
mmmmmm???mmmmmmmm??mmw???? unknown_method
-???==???===-=---??-=w???? only an error
-???==???===-=-mm??m=w???? list, one bad | other list | cut off | cut list | words
                           empty | html | html later | HTML, spaces | <head> | <header>
                           <Body> | XML | XML <html> | XML, html | no file | OK - 5
                           OK - 4 | OK - 50 | OK - 4 files
-???==???=====-mm??m=w???? too large
-???==???=====-?????=w???? error too large
????==???===?=??????=w???? broken off

files.upload
?+++?????????????????????? ok | ok, no success
=???=============0===?=000 early ok | ok, no success
-+++==???===-=---??-=w???? status ok | only a message | no error | error null
                           error 0
=???=============0===w=000 early status ok | internal_error | already_done | only an error
                           only words | only a message | no error | error null
                           error 0 | errors object | error true | ok 0 | ok text
                           success false | status error | list, one bad | other list
                           cut off | cut list | words | empty | html | html later
                           HTML, spaces | <head> | <header> | <Body> | XML | XML <html>
                           XML, html | too large | error too large | no file | broken off
                           OK - 5 | OK - 4 | OK - 50 | OK - 4 files
----==???===-=---??-=w???? no code | not_in_channel | file_not_found | two words
                           code, too large
=================0===w=000 early no code | not_in_channel | invalid_auth | file_not_found
                           http_404 | two words | code, too large
======???========??==w???? invalid_auth
?????????????????????w???? internal_error | already_done
wwwwww???wwwwwwww??www???? ratelimited
=www=============0===w=000 early ratelimited
mmmmmm???mmmmmmmm??mmw???? unknown_method
=mmm=============0===w=000 early unknown_method
------???--------??--w???? http_404
-???==???===-=---??-=w???? only an error | only words | errors object | error true
                           ok 0 | ok text | success false | status error
-???==???===-=-mm??m=w???? list, one bad | cut off | cut list | html | HTML, spaces
                           <head> | <Body> | XML <html> | XML, html
-+++==???===-=-mm??m=w???? other list | words | empty | html later | <header>
                           XML | no file | OK - 5 | OK - 4 | OK - 50 | OK - 4 files
-+++==???=====-mm??m=w???? too large
-???==???=====---??-=w???? error too large
????==???===?=??????=w???? broken off

the 5 bytes of a file
?+??========????????=w???? ok | ok, no success | status ok | only a message | no error
                           error null | error 0 | other list | words | empty | html later
                           <header> | XML | too large | no file | broken off | OK - 5
                           OK - 4 files
????========????????=w???? early ok | ok, no success | status ok | only a message | no error
                           error null | error 0 | other list | words | empty | html later
                           <header> | XML | too large | no file | broken off | OK - 5
                           OK - 4 files
????========????????=w???? no code | not_in_channel | invalid_auth | internal_error
                           ratelimited | unknown_method | file_not_found | already_done
                           http_404 | two words | only an error | only words | errors object
                           error true | ok 0 | ok text | success false | status error
                           list, one bad | cut off | cut list | html | HTML, spaces
                           <head> | <Body> | XML <html> | XML, html | error too large
                           code, too large | OK - 4 | OK - 50"
`)
})

test('every failure has its code, and shows what explains it', () => {
  const rows = Object.entries(bodies).map(([name, text]) => {
    const shown = [200, 404].map((status) => {
      const result = readFilesUpload({ ...response(status), text }, call)
      return result.outcome === 'succeeded' ? 'ok' : `${result.code} ${result.detail ?? ''}`.trim()
    })
    return [name, ...shown].join(' | ')
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
"ok | ok | http_404 {"ok":true}
ok, no success | ok | x
status ok | ok | http_404 {"status":"ok","success":true}
no code | no_error_code | http_404
not_in_channel | not_in_channel | not_in_channel
invalid_auth | invalid_auth | invalid_auth
internal_error | internal_error | internal_error
ratelimited | ratelimited | ratelimited
unknown_method | unknown_method | unknown_method
file_not_found | file_not_found | file_not_found
already_done | already_done | already_done
http_404 | http_404 | http_404
two words | Tea Time | Tea Time
only an error | unclear_response {"error":"channel_not_found"} | channel_not_found
only words | unclear_response {"error":"Not Found"} | http_404 {"error":"Not Found"}
only a message | ok | http_404 {"message":"no"}
no error | ok | http_404 {"error":[],"errors":""}
error null | ok | http_404 {"error":null,"errors":{}}
error 0 | ok | http_404 {"error":0,"errors":false}
errors object | unclear_response {"errors":{"a":1}} | http_404 {"errors":{"a":1}}
error true | unclear_response {"error":true} | http_404 {"error":true}
ok 0 | unclear_response {"ok":0} | http_404 {"ok":0}
ok text | unclear_response {"ok":"false"} | http_404 {"ok":"false"}
success false | unclear_response {"success":false} | http_404 {"success":false}
status error | unclear_response {"status":"error"} | http_404 {"status":"error"}
list, one bad | unclear_response [{"ok":true},{"ok":false}] | http_404 [{"ok":true},{"ok":false}]
other list | ok | http_404 [1]
cut off | unreadable {"ok": fal | http_404 {"ok": fal
cut list | unreadable [{"ok": fal | http_404 [{"ok": fal
words | ok | http_404 a {
empty | ok | http_404
html | web_page Sign in | http_404 Sign in
html later | ok | http_404 a
HTML, spaces | web_page Sign in | http_404 Sign in
<head> | web_page | http_404
<header> | ok | http_404
<Body> | web_page | http_404
XML | ok | http_404 <?xml version="1.0" encoding="iso-8859-1"?>
XML <html> | web_page | http_404
XML, html | web_page Sign in | http_404 Sign in
too large | ok | http_404 multipart: NextPart: http: request body too large
error too large | unclear_response {"error":"File Too Large"} | http_404 {"error":"File Too Large"}
code, too large | tea_time too large | tea_time too large
no file | ok | http_404 the field file is missing
broken off | broken_off a part of a response, or bytes that are not UTF-8 | http_404 a part of a response, or bytes that are not UTF-8
OK - 5 | ok | http_404 OK - 5
OK - 4 | ok | http_404 OK - 4
OK - 50 | ok | http_404 OK - 50
OK - 4 files | ok | http_404 OK - 4 files"
`)
})

test.each([
  [readWebApi, response(200, { ok: true, a: 1 }), { json: { ok: true, a: 1 }, isEmpty: false }],
  [readFilesUpload, response(200, { file: { id: 'F1' } }), { json: { file: { id: 'F1' } } }],
  [readFilesUpload, response(200, 'a {'), { json: {}, isEmpty: false }],
  [readFilesUpload, response(200), { json: {}, isEmpty: true }],
  [readFilesUpload, response(201), { isEmpty: false }],
  [readUpload, response(200, 'OK - 5'), { json: {} }],
])('a success has what was said: %p, %j, %j', (read, from, expected) => {
  expect(read(from, call)).toMatchObject({ ...call, outcome: 'succeeded', ...expected })
})

test.each([
  [readFilesUpload, { ...response(200), isEarly: true }, 'ambiguous', 'EARLY_RESPONSE'],
  [readFilesUpload, response(400, bodies['too large']), 'refused everywhere', 'http_413'],
  [readFilesUpload, response(400, bodies['error too large']), 'refused everywhere', 'http_413'],
  [readWebApi, response(200, 'ok'), 'ambiguous', 'unreadable'],
  [readWebApi, { ...response(200), text: undefined }, 'ambiguous', 'broken_off'],
  [readUpload, response(200, 'OK - 50\n'), 'ambiguous', 'wrong_size'],
  [readUpload, response(500, 'OK - 4'), 'ambiguous', 'http_500'],
])('a response has its code: %p, %j, %s, %s', (read, from, outcome, code) => {
  expect(read(from, { ...call, bytes: 5 })).toMatchObject({ outcome, code })
})

// PHP, Flask and Django call everything `text/html`.
test.each([
  ['', 'succeeded'],
  ['{"ok":false}', 'refused'],
])('the content type says nothing: %j', (text, outcome) => {
  const from = response(200, text, { 'content-type': 'text/html' })
  expect(readFilesUpload(from, call).outcome).toBe(outcome)
})

test('a response of white space takes linear time', async () => {
  const read = (length: number) => readFilesUpload(response(200, ' '.repeat(length)), call)
  expect(read(1_000).outcome).toBe('succeeded')
  expect(await takesLinearTime(read, 1_000)).toBe(true)
})

test('A rate limit asks to wait for these milliseconds, also by the date of the response', async () => {
  const waits = `
3
3 s
49.7
-3
0
0.9
1
999999999
9999999999
Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:31 GMT
Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:38 GMT
Sun, 06 Nov 1994 08:49:37 GMT | now
Fri, 31 Dec 2100 23:59:59 GMT
2100 | Sun, 06 Nov 1994 08:49:31 GMT
2100-01-01 | Sun, 06 Nov 1994 08:49:31 GMT
`
  const waitOf = (headers: HttpResponse['headers']) => {
    const result = readWebApi(response(429, '', headers), call)
    return result.outcome === 'rate limited' ? result.retryAfter : result.outcome
  }
  expect(waitOf({})).toBeUndefined()
  const shown = grid(waits, (line) => {
    const [value = '', date] = line.split(' | ')
    return waitOf({ 'retry-after': value, ...(date && { date }) })
  })
  expect(await shown).toMatchInlineSnapshot(`
"3
    3000
3 s
    nothing
49.7
    49700
-3
    nothing
0
    nothing
0.9
    nothing
1
    1000
999999999
    999999999000
9999999999
    nothing
Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:31 GMT
    6000
Sun, 06 Nov 1994 08:49:37 GMT | Sun, 06 Nov 1994 08:49:38 GMT
    nothing
Sun, 06 Nov 1994 08:49:37 GMT | now
    nothing
Fri, 31 Dec 2100 23:59:59 GMT
    nothing
2100 | Sun, 06 Nov 1994 08:49:31 GMT
    2100000
2100-01-01 | Sun, 06 Nov 1994 08:49:31 GMT
    nothing"
`)
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
    // lighttpd.
    [413, `${xml}\n${html}`, {}, 'Sign in'],
    // Express.
    [404, express('Cannot POST /x/api/files.upload'), {}, 'Cannot POST /x/api/files.upload'],
    [
      500,
      express('MulterError: File too large<br> &nbsp; &nbsp;at abort'),
      {},
      'MulterError: File too large',
    ],
    [500, express('x'.repeat(300)), {}, 'x'.repeat(200)],
    [500, '<html><title>Error</title><h1>Oops', {}, 'Error'],
    // bottle, Django, Werkzeug and nginx.
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
