#!/usr/bin/env bash
# FormData: the line breaks of a text field change on the way
#
# Guess:     the value of a field arrives as it was set. No header says otherwise.
# Happens:   each LF and each CR alone becomes CRLF, as HTML demands of a browser: in Node's fetch()
#            and in form-data-encoder. The package form-data changes nothing. Files are left alone.
# Versions:  form-data-encoder 4.1.0, form-data 4.0.6, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: comments of several lines that a server counts, compares or signs.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install form-data-encoder@4.1.0 form-data@4.0.6

cat > finding.mjs <<'JS'
import FormDataPackage from 'form-data'
import { FormDataEncoder } from 'form-data-encoder'
import { text } from 'node:stream/consumers'

const form = new FormData()
form.set('comment', 'one\ntwo\rthree')
form.set('file', new File(['one\ntwo\rthree'], 'report.txt', { type: 'text/plain' }))
const old = new FormDataPackage()
old.append('comment', 'one\ntwo\rthree')
old.append('file', 'one\ntwo\rthree', { filename: 'report.txt' })
const bodies = {
  'fetch() of Node': await new Response(form).text(),
  'form-data-encoder': await text(new FormDataEncoder(form).encode()),
  'form-data': old.getBuffer().toString(),
}
for (const [name, body] of Object.entries(bodies)) {
  const [comment, file] = body.split(/^--.*\r\n/m).slice(1)
  const value = (part) => JSON.stringify(part.slice(part.indexOf('\r\n\r\n') + 4, -2))
  console.log(`${name}: field ${value(comment)}, file ${value(file)}`)
}
JS
play node finding.mjs
described <<'END'
fetch() of Node: field "one\r\ntwo\r\nthree", file "one\ntwo\rthree"
form-data-encoder: field "one\r\ntwo\r\nthree", file "one\ntwo\rthree"
form-data: field "one\ntwo\rthree", file "one\ntwo\rthree"
END
