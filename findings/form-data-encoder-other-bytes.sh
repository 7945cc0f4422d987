#!/usr/bin/env bash
# form-data-encoder: of a large chunk that is a part of a buffer, other bytes are sent
#
# Guess:     a file whose stream yields bytes.subarray(3), without the byte order mark, is sent so.
# Happens:   up to 65,536 bytes it is. From 65,537 bytes on, the encoder begins at the start of the
#            buffer behind the chunk: the length is right, everything is shifted, no error.
# Versions:  form-data-encoder 4.1.0, formdata-node 6.0.3, Node 24.21.0
# Seen:      2026-11-28
# Who meets it: files of one's own (an object with name and stream()) that read into a buffer which
#            they use again, or that cut off a header.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install form-data-encoder@4.1.0 formdata-node@6.0.3

cat > finding.mjs <<'JS'
import { FormDataEncoder } from 'form-data-encoder'
import { FormData } from 'formdata-node'
import { buffer } from 'node:stream/consumers'

for (const size of [65_536, 65_537]) {
  const chunk = Buffer.from(`BOM${'x'.repeat(size)}`).subarray(3)
  const file = {
    [Symbol.toStringTag]: 'File',
    name: 'report.csv',
    type: 'text/csv',
    size,
    lastModified: 0,
    async *stream() {
      yield chunk
    },
    arrayBuffer: async () => chunk,
    slice: () => file,
  }
  const form = new FormData()
  form.set('file', file)
  const sent = await buffer(new FormDataEncoder(form).encode())
  const content = sent.subarray(sent.indexOf('\r\n\r\n') + 4).subarray(0, size)
  console.log(`${size} bytes: begins with ${content.subarray(0, 5)}, equal: ${content.equals(chunk)}`)
}
JS
play node finding.mjs
described <<'END'
65536 bytes: begins with xxxxx, equal: true
65537 bytes: begins with BOMxx, equal: false
END
