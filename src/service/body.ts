import type { FoundFile } from '../files/files.ts'
import type { ServiceOptions } from './service.ts'

/** The bytes of a file or a form. Each attempt calls `chunks()`: a generator can be read once. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Bytes. A file of this size is read as one chunk. */
const maxWhole = 1024 * 1024

/**
 * The bytes of a body. A short one is a single chunk, which undici writes together with the head of
 * the request: a server that refuses the head cannot close the connection in between.
 */
export async function* chunksOf({ chunks, length }: Body): AsyncGenerator<Uint8Array> {
  if (length > maxWhole) return yield* chunks()
  const all: Uint8Array[] = []
  for await (const chunk of chunks()) all.push(chunk)
  yield Buffer.concat(all)
}

/** The bytes of a file. Each chunk is reported once it was sent. */
export async function* sendChunks(
  { content, onEvent }: Pick<ServiceOptions, 'content' | 'onEvent'>,
  file: FoundFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content.chunks(file)) {
    yield chunk
    onEvent({ kind: 'sent', bytes: chunk.byteLength })
  }
}
