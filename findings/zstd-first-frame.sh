#!/usr/bin/env bash
# Node, zstandard, fflate: of two compressed pieces in one file, only the first one is read
#
# Guess:     cat a.zst b.zst makes a valid file (RFC 8878), as it does with gzip, and each
#            decompressor yields the text of both or an error.
# Happens:   Node reads both pieces of gzip, but with zstd it stops behind the first frame, in a
#            stream as well. zstandard does so with decompress() and read_to_iter(), but not with
#            open(). fflate does so with gunzipSync(), but not with its stream. No error: the text
#            is short. DecompressionStream rejects the file. pako, fzstd and Python's gzip read all.
# Versions:  Node 24.21.0, fflate 0.8.3, fzstd 0.1.1, pako 3.0.3, zstandard 0.25.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: logs and dumps that were written in pieces, by several jobs or by a tool that works
#            in parallel.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install fflate@0.8.3 fzstd@0.1.1 pako@3.0.3
install_python zstandard==0.25.0

cat > finding.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { Gunzip, gunzipSync } from 'fflate'
import { decompress } from 'fzstd'
import { ungzip } from 'pako'

const pieces = ['one ', 'two']
const gzip = Buffer.concat(pieces.map((text) => zlib.gzipSync(text)))
const zstd = Buffer.concat(pieces.map((text) => zlib.zstdCompressSync(text)))
writeFileSync('both.gz', gzip)
writeFileSync('both.zst', zstd)

function fflateStream() {
  const chunks = []
  new Gunzip((chunk) => chunks.push(chunk)).push(gzip, true)
  return Buffer.concat(chunks)
}
const web = new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'))
const reads = {
  'gzip, Node': () => zlib.gunzipSync(gzip),
  'gzip, Node, DecompressionStream': () => buffer(web),
  'gzip, fflate': () => gunzipSync(gzip),
  'gzip, fflate, stream': fflateStream,
  'gzip, pako': () => ungzip(gzip),
  'zstd, Node': () => zlib.zstdDecompressSync(zstd),
  'zstd, Node, stream': () => buffer(zlib.createZstdDecompress().end(zstd)),
  'zstd, fzstd': () => decompress(zstd),
}
for (const [name, read] of Object.entries(reads)) {
  const text = await Promise.try(read).then((bytes) => Buffer.from(bytes).toString(), () => 'an error')
  console.log(`${name}: ${text.trim()}`)
}
JS
cat > finding.py <<'PY'
import gzip
import io
import zstandard

with open('both.gz', 'rb') as file:
    print('gzip, Python:', gzip.decompress(file.read()).decode())
with open('both.zst', 'rb') as file:
    zstd = file.read()
decompressor = zstandard.ZstdDecompressor()
texts = {
    'decompress': decompressor.decompress(zstd),
    'read_to_iter': b''.join(decompressor.read_to_iter(io.BytesIO(zstd))),
    'open': zstandard.open('both.zst', 'rb').read(),
}
for name, text in texts.items():
    print(f'zstd, zstandard, {name}:', text.decode().strip())
PY
play node --no-warnings finding.mjs
play python/bin/python finding.py
described <<'END'
gzip, Node: one two
gzip, Node, DecompressionStream: an error
gzip, fflate: one
gzip, fflate, stream: one two
gzip, pako: one two
zstd, Node: one
zstd, Node, stream: one
zstd, fzstd: one two
gzip, Python: one two
zstd, zstandard, decompress: one
zstd, zstandard, read_to_iter: one
zstd, zstandard, open: one two
END
