import type { FoundFile } from '../files/files.ts'
import type { ServiceOptions } from './service.ts'

/** The bytes of a file or a form. Each attempt calls `chunks()`: a generator can be read once. */
export interface Body {
  /** Bytes, exactly: sent as `Content-Length`. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
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
