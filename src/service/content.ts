import { type FileHandle, open } from 'node:fs/promises'
import { readFlags, statOf, whyUnreadable } from '../files/disk.ts'
import type { OutgoingFile } from '../files/files.ts'
import { ProblemError } from '../problem.ts'
import { TokenSearch } from './token-search.ts'

const chunkBytes = 1024 * 1024
/**
 * All that a file of any size takes: one is read, one is sent, and of one the end may still be held back. Full chunks may
 * be reused, because each is flushed before the next but one is asked for.
 */
const buffersAtMost = 3

/**
 * Opens a file for the time of `use`, as it was found: same size, a regular file, no link.
 *
 * @throws ProblemError if it cannot be read any more, or is not what it was.
 */
export type WithContent = <T>(file: OutgoingFile, use: (content: Content) => Promise<T>) => Promise<T>

/** The bytes of an open file. */
export interface Content {
  /**
   * Exactly `file.size` bytes, in order. A chunk may be overwritten once the next but one is asked for.
   * The last one is given only after the file was seen to be unchanged and free of the token.
   *
   * @throws ProblemError if the file changed, could not be read, or holds the token.
   */
  chunks(token: string): AsyncIterable<Uint8Array>
}

/** From the disk. */
export const withContent: WithContent = async (file, use) => {
  const handle = await open(file.path, readFlags).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const content = new DiskContent(file, handle)
    await content.verify()
    return await use(content)
  } finally {
    // Nobody waits for it: threads that hang would keep back what became of the request.
    handle.close().catch(() => undefined)
  }
}

class DiskContent implements Content {
  readonly file: OutgoingFile
  readonly #handle: FileHandle
  #modified: number | undefined

  constructor(file: OutgoingFile, handle: FileHandle) {
    this.file = file
    this.#handle = handle
  }

  /** @throws ProblemError if the file has changed since it was found or last verified. */
  async verify(): Promise<void> {
    const now = await statOf(this.#handle)
    // Also if one of its folders was replaced by a link since then.
    if (!now.isFile() || now.dev !== this.file.dev || now.ino !== this.file.ino) {
      throw changed(this.file, 'it was replaced by another file')
    }
    if (now.size !== this.file.size) {
      throw changed(this.file, `it had ${this.file.size} bytes when it was found and has ${now.size} now`)
    }
    this.#modified ??= now.mtimeMs
    if (now.mtimeMs !== this.#modified) throw changed(this.file, 'it was written to meanwhile')
  }

  async *chunks(token: string): AsyncGenerator<Uint8Array> {
    const { size } = this.file
    const search = new TokenSearch(token)
    const count = Math.ceil(size / chunkBytes)
    const buffers = Array.from({ length: Math.min(count, buffersAtMost) }, () =>
      Buffer.allocUnsafeSlow(Math.min(chunkBytes, size)),
    )
    let next = count > 0 ? this.#read(buffers, 0) : undefined
    for (let index = 1; next !== undefined; index += 1) {
      const chunk = await next
      // Read while this one is sent. If that fails, it is told when its turn has come.
      next = index < count ? this.#read(buffers, index) : undefined
      next?.catch(() => undefined)
      if (search.push(chunk)) throw holdsToken(this.file)
      yield chunk
    }
  }

  /** The chunk at `index`, into the buffer whose turn it is. */
  async #read(buffers: readonly Buffer[], index: number): Promise<Buffer> {
    const { size } = this.file
    const position = index * chunkBytes
    const buffer = buffers[index % buffers.length] as Buffer
    const chunk = await this.#fill(buffer.subarray(0, Math.min(chunkBytes, size - position)), position)
    if (position + chunk.byteLength === size) await this.verify()
    return chunk
  }

  async #fill(buffer: Buffer, position: number): Promise<Buffer> {
    for (let filled = 0; filled < buffer.byteLength; ) {
      const { bytesRead } = await this.#handle
        .read(buffer, filled, buffer.byteLength - filled, position + filled)
        .catch((error: unknown) => {
          throw unreadable(this.file, error)
        })
      if (bytesRead === 0) {
        throw changed(
          this.file,
          `it had ${this.file.size} bytes when it was found and ends after ${position + filled} now`,
        )
      }
      filled += bytesRead
    }
    return buffer
  }
}

function unreadable(file: OutgoingFile, error: unknown): ProblemError {
  return new ProblemError(
    {
      title: 'A file cannot be read',
      text: `${file.displayPath} ${whyUnreadable(error)}.\nDoes a step remove it, or write it as another user?`,
    },
    { cause: error },
  )
}

function changed(file: OutgoingFile, how: string): ProblemError {
  return new ProblemError({
    title: 'A file changed while it was being sent',
    text: `${file.displayPath} changed: ${how}.\nWait for the program that writes it to end before this step, or send a copy.`,
  })
}

function holdsToken(file: OutgoingFile): ProblemError {
  return new ProblemError({
    title: 'A file contains the token',
    text: `${file.displayPath} contains the token of this step, and is not sent.\nFind the step that writes the token there, and replace the token: others may have seen the file.`,
  })
}
