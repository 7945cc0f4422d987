/** A longer body is not read: a part must not be taken for the whole. */
export const maxBodyBytes = 4 * 1024 * 1024

const decompressors: Readonly<Record<string, 'gunzipSync' | 'inflateSync'>> = {
  gzip: 'gunzipSync',
  'x-gzip': 'gunzipSync',
  deflate: 'inflateSync',
}

/**
 * The text of a response. `undefined` if its content coding or character encoding is unknown, or if it is not what its
 * headers say: then nothing is known about the response.
 *
 * Requests ask for `identity` and UTF-8; a gateway may respond otherwise.
 */
export function decodeText(bytes: Uint8Array, headers: Readonly<Record<string, string>>): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const charset = /charset\s*=\s*["']?([^\s"';,]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  try {
    const plain = coding === '' || coding === 'identity' ? bytes : decompress(coding, bytes)
    if (plain === undefined) return undefined
    const decoder = new TextDecoder(charset, { fatal: true })
    // Which byte comes first is often not said.
    if (decoder.encoding.startsWith('utf-16')) return undefined
    const text = decoder.decode(plain)
    // UTF-16 or UTF-32 that no header names: JSON, HTML and plain text hold no such character.
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function decompress(coding: string, bytes: Uint8Array): Uint8Array | undefined {
  const decompressor = decompressors[coding]
  // Loaded only when it is needed: hardly a response is compressed.
  return decompressor && process.getBuiltinModule('node:zlib')[decompressor](bytes, { maxOutputLength: maxBodyBytes })
}
