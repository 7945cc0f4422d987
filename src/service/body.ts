import type { FoundFile } from '../files/files.ts'
import type { ServiceOptions } from './service.ts'

/** Bytes. A body of up to this length is sent in one piece. */
export const maxWhole = 1024 * 1024

/**
 * The bytes of a file or a form. Each attempt calls `chunks()`, because undici would send a
 * generator again as an empty body (findings/undici-retry-empties-body.sh).
 */
export interface Body {
  /** Bytes: the `Content-Length`. */
  readonly length: number
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

type Reporting = Pick<ServiceOptions, 'content' | 'onEvent'>

/** Reports each chunk once it was sent, unless all are sent in one piece. */
export async function* sendChunks(
  { content, onEvent }: Reporting,
  file: FoundFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content.chunks(file)) {
    yield chunk
    if (file.size > maxWhole) onEvent({ kind: 'sent', bytes: chunk.byteLength })
  }
}

/** Reports a file that was sent in one piece, after its response. */
export function reportSent({ onEvent }: Reporting, { size }: FoundFile): void {
  if (size <= maxWhole) onEvent({ kind: 'sent', bytes: size })
}
