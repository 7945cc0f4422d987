#!/usr/bin/env bash
# undici: a FormData of another package is sent as the text "[object FormData]"
#
# Guess:     FormData follows one standard, so any of them is sent as a form; else a TypeError.
# Happens:   fetch() sends 17 bytes of text/plain, and the server may well respond 200. This also
#            holds between Node's own FormData and the fetch() of the package undici, and the other
#            way round. The request() of undici is worse, and not played here: with some of them, it
#            does not settle.
# Versions:  undici 8.12.4, formdata-node 6.0.3, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: uploads that import fetch or FormData from a package, but not both from the same.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install undici@8.12.4 formdata-node@6.0.3

cat > finding.mjs <<'JS'
import { FormData as FormDataNode } from 'formdata-node'
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import * as undici from 'undici'

const server = http.createServer(async (request, response) => {
  const body = await text(request)
  const kind = request.headers['content-type'].split(';')[0]
  response.end(kind === 'multipart/form-data' ? 'a form' : `${kind}: ${body}`)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${server.address().port}/`
const forms = { Node: FormData, undici: undici.FormData, 'formdata-node': FormDataNode }
for (const [client, send] of Object.entries({ Node: fetch, undici: undici.fetch })) {
  for (const [name, Form] of Object.entries(forms)) {
    const body = new Form()
    body.set('comment', 'Nightly report')
    const response = await send(url, { method: 'POST', body })
    console.log(`fetch of ${client}, FormData of ${name}: ${response.status}, ${await response.text()}`)
  }
}
server.closeAllConnections()
server.close()
JS
play node finding.mjs
described <<'END'
fetch of Node, FormData of Node: 200, a form
fetch of Node, FormData of undici: 200, text/plain: [object FormData]
fetch of Node, FormData of formdata-node: 200, text/plain: [object FormData]
fetch of undici, FormData of Node: 200, text/plain: [object FormData]
fetch of undici, FormData of undici: 200, a form
fetch of undici, FormData of formdata-node: 200, text/plain: [object FormData]
END
