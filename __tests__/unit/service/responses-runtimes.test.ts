import { expect, test } from '@jest/globals'
import { readFilesUpload, readWebApi } from '../../../src/service/responses.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import { call, response } from '../../support/scripted-service.ts'

const warning =
  '<br />\n<b>Warning</b>:  POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in <b>Unknown</b> on line <b>0</b><br />\n'
const late =
  '\nWarning: Cannot modify header information - headers already sent in /srv/upload.php on line 3\n'
const fatal =
  '<br />\n<b>Fatal error</b>:  Uncaught Exception: no disk in /srv/upload.php:6\nStack trace:\n#0 {main}\n  thrown in <b>/srv/upload.php</b> on line <b>6</b><br />\n'
const xdebug = (kind: string, words: string, rest = '') =>
  `<br />\n<font size='1'><table class='xdebug-error xe-${kind}' dir='ltr'>\n<tr><th align='left'><span style='color: #fce94f;'>( ! )</span> ${words} in /srv/upload.php on line <i>6</i></th></tr>\n${rest}</table></font>\n`
const frames =
  "<tr><th>Call Stack</th></tr>\n<tr><td>1</td><td>{main}(  )</td><td title='/srv/upload.php'>.../upload.php<b>:</b>0</td></tr>\n"
const refused = '{"ok":false,"error":"no_file"}'
const carp =
  '<h1>Software error:</h1>\n<pre>no disk at /srv/upload.pl line 5.\n</pre>\n<p>\nFor help, please send mail to the webmaster\n\n</p>'
const python =
  'Traceback (most recent call last):\n  File "/srv/upload.py", line 5, in <module>\n    raise OSError("no disk")\nOSError: no disk\n'
const node =
  'Error: no disk\n    at show (file:///srv/upload.js:1:24)\n    at file:///srv/upload.js:2:22\n'

/** As each printed it, with other paths and fewer lines. */
const bodies: Readonly<Record<string, string>> = {
  // PHP 8.2.36 without a `php.ini`: `php -S`, and FPM behind Apache.
  'a warning, then a refusal': `${warning}${refused}`,
  'two warnings as text, then a refusal': `${late}${late}${refused}`,
  'a warning, a refusal and ok': `${warning}${refused}{"ok":true}`,
  'a warning, then no code': `${warning}{"ok":false}`,
  'a warning that names {closure}, then a refusal': `Warning: {closure}() in /srv/a.php on line 3\n${refused}`,
  'a form that was dropped, then the word ok': `${warning}ok`,
  'a form that was dropped, then ok': `${warning}{"ok":true}`,
  'a file that was dropped, then the word ok':
    "<br />\n<b>Notice</b>:  PHP Request Startup: file created in the system's temporary directory in <b>Unknown</b> on line <b>0</b><br />\n<br />\n<b>Warning</b>:  File upload error - unable to create a temporary file in <b>Unknown</b> on line <b>0</b><br />\nok",
  'a form that was dropped, as text':
    '\nWarning: PHP Request Startup: Multipart body parts limit exceeded 1. in Unknown on line 0\nok',
  'an exception': fatal,
  'an exception as text': fatal.replace(/<[^>]*>/g, ''),
  'an exception after ok': `{"ok":true}${fatal}`,
  'a warning, then an exception': `${warning}${fatal}`,
  'a script that does not compile':
    '<br />\n<b>Parse error</b>:  syntax error, unexpected token &quot;b&quot; in <b>/srv/upload.php</b> on line <b>2</b><br />\n',
  'no memory':
    'PHP Fatal error:  Allowed memory size of 4194304 bytes exhausted in /srv/a.php on line 11\n',
  // PHP 8.5 shows a stack trace of each fatal error.
  'PHP 8.5':
    '<br />\n<b>Fatal error</b>:  Abstract function A::f() cannot contain body in <b>/srv/a.php</b> on line <b>3</b><br />\nStack trace:\n#0 {main}\n',
  // Xdebug 3.2 in its default mode.
  'Xdebug: an exception': xdebug(
    'uncaught-exception',
    'Fatal error: Uncaught Exception: x',
    frames,
  ),
  'Xdebug: a script that does not compile': xdebug('parse-error', 'Parse error: syntax error'),
  'Xdebug: a warning, then a refusal': xdebug('warning', 'Warning: Undefined $a', frames) + refused,
  // Apache 2.4 without a handler for the script.
  'the script of PHP': '<?php\n$ok = 1 > 0;\n',
  'the script of a shell': '#!/bin/sh\necho\n',
  // CGI behind Apache, once the head is written.
  'CGI::Carp': carp,
  'CGI::Carp after ok': `{"ok":true}${carp}`,
  Python: python,
  'cgitb as text': `<pre>${python}</pre>`,
  cgitb: `<!--: spam\nContent-Type: text/html\n\n<body bgcolor="#f0f0f8"><font size="-5"> -->\n<pre>${python}</pre>`,
  // A handler that sends what it caught.
  'Ruby 3.1': "/srv/upload.rb:4:in `<main>': no disk (RuntimeError)\n",
  'Ruby 3.4':
    "upload.rb:4:in 'Object#save': no disk (RuntimeError)\n\tfrom upload.rb:9:in '<main>'\n",
  Node: node,
  'Node, two lines': node.replace('no', 'no\n'),
  Java: 'java.lang.IllegalStateException\n\tat Main.main(Main.java:2)\n\tat java.base/a.B.c(B.java:568)\n',
  '.NET':
    'System.IO.IOException: No space left\r\n   at Program.<Main>$(String[] args) in /srv/a.cs:line 3\r\n',
  Go: 'panic: no disk\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:3 +0x45\n',
  // What gateways and frameworks add, or pass on.
  "AWS's gateway":
    '{"errorMessage":"no disk","errorType":"Error","stackTrace":["exports.handler (/var/task/index.js:3:14)"]}',
  'a prefix against scripts': `)]}',\n${refused}`,
  'a loop against scripts': `for(;;);${refused}`,
  JSONP: `/**/callback(${refused});`,
  'an event': `data: ${refused}\n\n`,
  'two marks of order': `\uFEFF\uFEFF${refused}`,
  'encoded twice': JSON.stringify(refused),
  'two refusals': `${refused}\n${refused}`,
  'ok, then a refusal': `{"ok":true}${refused}`,
  // Harmless.
  'only ok': 'ok',
  'a deprecation, then ok': `\nDeprecated: Optional parameter in /srv/a.php on line 3\n{"ok":true}`,
  'a warning, then the word ok': `${late}ok`,
  'a warning alone': late,
  'JSONP with ok': 'callback({"ok":true});',
  'ok, encoded twice': '"{\\"ok\\":true}"',
  'the echo of a log': `Stored job.log:\n${python}${node}PHP Fatal error:  x in /srv/a.php on line 3\nThank you\n`,
  'the echo of a line of a log': 'Stored: [29-Nov-2026] PHP Fatal error:  x in a.php on line 3',
  'the echo of a report': 'Stored {"ok": false, "tests": 3} in #general',
  'the echo of a report in JSON': '{"ok":true,"content":"{\\"ok\\": false}"}',
  'the echo of a name': 'Stored `Fatal error on line 3`',
  'a name in braces': 'Stored {report}',
  'counts of errors': '0 Fatal errors, 0 Parse errors\n',
  'a count on a line of its own': 'Fatal error: 0\n',
  'a place and a time': 'Stored\n  at 12:30:05 (UTC)\n',
  'a place': 'Stored\n  at /srv/uploads/report.csv\n',
}
const signs = {
  succeeded: '+',
  ambiguous: '?',
  refused: '-',
  'refused everywhere': '=',
  'no such method': 'm',
  'rate limited': 'w',
  'not sent': '0',
}

test('what a runtime or a gateway prints has its outcome, and is shown', () => {
  const rows = Object.entries(bodies).map(([name, text]) => {
    const [ours, theirs] = [readFilesUpload, readWebApi].map((read) =>
      [200, 400, 500].map((status) => signs[read(response(status, text), call).outcome]).join(''),
    )
    const result = readFilesUpload(response(200, text), call)
    const shown = result.outcome === 'succeeded' ? '' : `${result.code} ${result.detail}`
    return `${ours} ${theirs} ${name}: ${shown.slice(0, 100)}`.trim()
  })
  expect(rows.join('\n')).toMatchInlineSnapshot(`
"?-? ?-? a warning, then a refusal: no_file Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in Unknown
?-? ?-? two warnings as text, then a refusal: no_file Warning: Cannot modify header information - headers already sent in /srv/upload.php on line
?-? ?-? a warning, a refusal and ok: unreadable Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in Unkno
?-? ?-? a warning, then no code: no_error_code Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in Un
?-? ?-? a warning that names {closure}, then a refusal: no_file Warning: {closure}() in /srv/a.php on line 3
?-? ?-? a form that was dropped, then the word ok: unreadable Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in Unkno
??? +?? a form that was dropped, then ok: unclear_response Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in
?-? ?-? a file that was dropped, then the word ok: unreadable Notice: PHP Request Startup: file created in the system's temporary directory in Unknown
?-? ?-? a form that was dropped, as text: unreadable Warning: PHP Request Startup: Multipart body parts limit exceeded 1. in Unknown on line 0
?-? ?-? an exception: unreadable Fatal error: Uncaught Exception: no disk in /srv/upload.php:6 Stack trace: #0 {main} thro
?-? ?-? an exception as text: unreadable Fatal error: Uncaught Exception: no disk in /srv/upload.php:6 Stack trace: #0 {main} thro
?-? ?-? an exception after ok: unreadable {"ok":true} Fatal error: Uncaught Exception: no disk in /srv/upload.php:6 Stack trace: #0
?-? ?-? a warning, then an exception: unreadable Warning: POST Content-Length of 9000195 bytes exceeds the limit of 8388608 bytes in Unkno
?-? ?-? a script that does not compile: unreadable Parse error: syntax error, unexpected token &quot;b&quot; in /srv/upload.php on line 2
?-? ?-? no memory: unreadable PHP Fatal error: Allowed memory size of 4194304 bytes exhausted in /srv/a.php on line 11
?-? ?-? PHP 8.5: unreadable Fatal error: Abstract function A::f() cannot contain body in /srv/a.php on line 3 Stack t
?-? ?-? Xdebug: an exception: unreadable ( ! ) Fatal error: Uncaught Exception: x in /srv/upload.php on line 6 Call Stack 1{main}(
?-? ?-? Xdebug: a script that does not compile: unreadable ( ! ) Parse error: syntax error in /srv/upload.php on line 6
?-? ?-? Xdebug: a warning, then a refusal: no_file ( ! ) Warning: Undefined $a in /srv/upload.php on line 6 Call Stack 1{main}( ).../upload.php
?-? ?-? the script of PHP: unreadable <?php $ok = 1 > 0;
?-? ?-? the script of a shell: unreadable #!/bin/sh echo
?-? ?-? CGI::Carp: unreadable Software error: no disk at /srv/upload.pl line 5. For help, please send mail to the webma
?-? ?-? CGI::Carp after ok: unreadable {"ok":true}Software error: no disk at /srv/upload.pl line 5. For help, please send mail t
?-? ?-? Python: unreadable Traceback (most recent call last): File "/srv/upload.py", line 5, in raise OSError("no di
?-? ?-? cgitb as text: unreadable Traceback (most recent call last): File "/srv/upload.py", line 5, in raise OSError("no di
?-? ?-? cgitb: unreadable <!--: spam Content-Type: text/html --> Traceback (most recent call last): File "/srv/uplo
?-? ?-? Ruby 3.1: unreadable /srv/upload.rb:4:in \`': no disk (RuntimeError)
?-? ?-? Ruby 3.4: unreadable upload.rb:4:in 'Object#save': no disk (RuntimeError) from upload.rb:9:in ''
?-? ?-? Node: unreadable Error: no disk at show (file:///srv/upload.js:1:24) at file:///srv/upload.js:2:22
?-? ?-? Node, two lines: unreadable Error: no disk at show (file:///srv/upload.js:1:24) at file:///srv/upload.js:2:22
?-? ?-? Java: unreadable java.lang.IllegalStateException at Main.main(Main.java:2) at java.base/a.B.c(B.java:568)
?-? ?-? .NET: unreadable System.IO.IOException: No space left at Program.$(String[] args) in /srv/a.cs:line 3
?-? ?-? Go: unreadable panic: no disk goroutine 1 [running]: main.main() /srv/main.go:3 +0x45
?-? ?-? AWS's gateway: unclear_response {"errorMessage":"no disk","errorType":"Error","stackTrace":["exports.handler (/var/
?-? ?-? a prefix against scripts: no_file )]}',
?-? ?-? a loop against scripts: no_file for(;;);
?-? ?-? JSONP: no_file /**/callback(
?-? ?-? an event: no_file data:
?-? ?-? two marks of order: no_file undefined
?-? ?-? encoded twice: no_file "{\\"ok\\":false,\\"error\\":\\"no_file\\"}"
?-? ?-? two refusals: unreadable {"ok":false,"error":"no_file"} {"ok":false,"error":"no_file"}
?-? ?-? ok, then a refusal: unreadable {"ok":true}{"ok":false,"error":"no_file"}
+-? ?-? only ok:
+?? +?? a deprecation, then ok:
+-? ?-? a warning, then the word ok:
+-? ?-? a warning alone:
+?? +?? JSONP with ok:
+?? +?? ok, encoded twice:
+-? ?-? the echo of a log:
+-? ?-? the echo of a line of a log:
+-? ?-? the echo of a report:
+?? +?? the echo of a report in JSON:
+-? ?-? the echo of a name:
+-? ?-? a name in braces:
+-? ?-? counts of errors:
+-? ?-? a count on a line of its own:
+-? ?-? a place and a time:
+-? ?-? a place:"
`)
})

test.each([
  '{',
  '<',
  '<b>',
  '} ',
  '"ok":false',
  'x\n',
  'at (',
  ' on line 1',
  'Fatal error: ',
  ':1:in ',
])('a response of many %j takes linear time', async (part) => {
  const read = (length: number) => readFilesUpload(response(200, part.repeat(length)), call)
  expect(await takesLinearTime(read, 1_000)).toBe(true)
})
