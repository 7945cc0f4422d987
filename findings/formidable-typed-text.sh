#!/usr/bin/env bash
# formidable: a text field with a Content-Type is a file, a file without one is a field
#
# Guess:     a part is a file if it has a file name, as RFC 7578, section 4.2, and the other parsers
#            have it. Content-Type is optional for both.
# Happens:   only Content-Type counts: a comment of type text/plain is missing among the fields, and
#            is a file without a name; report.csv without a type is a text among the fields. No
#            error. Node's own formData(), busboy and multiparty go by the name.
# Versions:  formidable 3.5.4, busboy 1.6.0, multiparty 4.3.1, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: receivers whose client changes: HttpMime's addTextBody() gives each text a type.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install formidable@3.5.4 busboy@1.6.0 multiparty@4.3.1

cat > finding.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import busboy from 'busboy'
import formidable from 'formidable'
import multiparty from 'multiparty'

const names = (fields, files) => [Object.keys(fields), Object.keys(files)]
const parsers = {
  async 'formData()'(request) {
    const headers = { 'content-type': request.headers['content-type'] }
    const form = [...(await new Response(await buffer(request), { headers }).formData())]
    const pick = (isFile) => form.filter(([, value]) => value instanceof File === isFile)
    return [false, true].map((isFile) => pick(isFile).map(([name]) => name))
  },
  async busboy(request) {
    const parser = request.pipe(busboy({ headers: request.headers }))
    const [fields, files] = [[], []]
    parser.on('field', (name) => fields.push(name))
    parser.on('file', (name, stream) => files.push(name) && stream.resume())
    await once(parser, 'close')
    return [fields, files]
  },
  multiparty: (request) =>
    new Promise((resolve, reject) =>
      new multiparty.Form().parse(request, (error, fields, files) =>
        error ? reject(error) : resolve(names(fields, files)),
      ),
    ),
  formidable: async (request) => names(...(await formidable().parse(request))),
}
const disposition = '--finding\r\nContent-Disposition: form-data; name='
const form = (type, fileType) =>
  `${disposition}"comment"\r\n${type}\r\nPassed\r\n` +
  `${disposition}"file"; filename="report.csv"\r\n${fileType}\r\na,b\r\n--finding--\r\n`
const forms = {
  'only the file has a type': form('', 'Content-Type: text/csv\r\n'),
  'both have a type': form('Content-Type: text/plain\r\n', 'Content-Type: text/csv\r\n'),
  'none has a type': form('', ''),
}
for (const [name, parse] of Object.entries(parsers))
  for (const [how, body] of Object.entries(forms)) {
    const server = createServer(async (request, response) => {
      const [fields, files] = await parse(request)
      console.log(`${name}, ${how}: fields [${fields}], files [${files}]`)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const headers = { 'Content-Type': 'multipart/form-data; boundary=finding' }
    await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', headers, body })
    server.close()
  }
JS
play env TMPDIR="$folder" node finding.mjs
described <<'END'
formData(), only the file has a type: fields [comment], files [file]
formData(), both have a type: fields [comment], files [file]
formData(), none has a type: fields [comment], files [file]
busboy, only the file has a type: fields [comment], files [file]
busboy, both have a type: fields [comment], files [file]
busboy, none has a type: fields [comment], files [file]
multiparty, only the file has a type: fields [comment], files [file]
multiparty, both have a type: fields [comment], files [file]
multiparty, none has a type: fields [comment], files [file]
formidable, only the file has a type: fields [comment], files [file]
formidable, both have a type: fields [], files [comment,file]
formidable, none has a type: fields [comment,file], files []
END
