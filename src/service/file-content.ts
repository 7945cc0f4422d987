import { type FileHandle, open } from 'node:fs/promises'
import { readFlags, statOf, whyUnreadable } from '../files/disk.ts'
import type { FoundFile } from '../files/files.ts'
import { ProblemError } from '../problem.ts'
import { type Text, text } from '../text/text.ts'
import { TokenSearch } from './token-search.ts'

const chunkBytes = 1024 * 1024
/**
 * The memory that a file of any size takes: one chunk is read, one is sent, and the end of one may still be held back.
 * Full chunks may be reused, because each is flushed before the next but one is requested.
 */
const maxBuffers = 3

/** The bytes of files. */
export interface FileContent {
  /**
   * Opens the file for the time of `send`: it must be the file that was found. `chunks` gives its bytes from the start, for
   * each attempt anew: exactly `file.size` bytes, in order. A chunk may be overwritten once the next but one is requested.
   * The last one is given only after the file was seen to be unchanged and free of the token.
   *
   * @throws ProblemError if the file changed, cannot be read or contains the token
   */
  send<T>(file: FoundFile, send: (chunks: () => AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>
  /** Reads the whole file. Throws as `send` does. */
  check(file: FoundFile, signal: AbortSignal): Promise<void>
}

/**
 * The bytes of files on the disk.
 *
 * @param onSent gets the number of bytes of each chunk that was sent
 */
export function diskContent(token: string, onSent: (bytes: number) => void): FileContent {
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk
      onSent(chunk.byteLength)
    }
  }
  return {
    send: (file, send) => withOpenFile(file, token, (chunks) => send(() => counted(chunks()))),
    check: (file, signal) =>
      withOpenFile(file, token, async (chunks) => {
        for await (const _ of chunks()) signal.throwIfAborted()
      }),
  }
}

async function withOpenFile<T>(
  file: FoundFile,
  token: string,
  use: (chunks: () => AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const handle = await open(file.path, readFlags).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const openFile = new OpenFile(file, handle)
    // A file of one chunk is verified after it was read.
    if (Math.ceil(file.size / chunkBytes) !== 1) await openFile.verify()
    return await use(() => openFile.chunks(token))
  } finally {
    // Not awaited: a thread that hangs would hold back what became of the request.
    handle.close().catch(() => undefined)
  }
}

class OpenFile {
  readonly file: FoundFile
  readonly #handle: FileHandle

  constructor(file: FoundFile, handle: FileHandle) {
    this.file = file
    this.#handle = handle
  }

  /** @throws ProblemError if the file has changed since it was found. */
  async verify(): Promise<void> {
    const now = await statOf(this.#handle)
    // This also notices that one of its folders was replaced by a link.
    if (!now.isFile() || now.dev !== this.file.dev || now.ino !== this.file.ino) {
      throw changed(this.file, text`it was replaced by another file`)
    }
    if (now.size !== this.file.size) {
      throw changed(this.file, text`it had ${this.file.size} bytes when it was found and has ${now.size} now`)
    }
    if (now.mtimeMs !== this.file.modifiedMilliseconds) {
      throw changed(this.file, text`it was written to after it was found`)
    }
  }

  async *chunks(token: string): AsyncGenerator<Uint8Array> {
    const { size } = this.file
    const search = new TokenSearch(token)
    const count = Math.ceil(size / chunkBytes)
    const buffers = Array.from({ length: Math.min(count, maxBuffers) }, () =>
      Buffer.allocUnsafeSlow(Math.min(chunkBytes, size)),
    )
    let next = count > 0 ? this.#read(buffers, 0) : undefined
    for (let index = 1; next !== undefined; index += 1) {
      const chunk = await next
      // It is read while this one is sent. If that fails, the error is thrown when its turn has come.
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
        .catch(async (error: unknown) => {
          // The file may have been replaced by a folder, which can be opened but not read.
          await this.verify()
          throw unreadable(this.file, error)
        })
      if (bytesRead === 0) {
        await this.verify()
        throw changed(
          this.file,
          text`it had ${this.file.size} bytes when it was found and ends after ${position + filled} now`,
        )
      }
      filled += bytesRead
    }
    return buffer
  }
}

function unreadable(file: FoundFile, error: unknown): ProblemError {
  return new ProblemError(
    {
      title: 'A file cannot be read',
      text: text`${file.displayPath} ${whyUnreadable(error)}.\nDoes a step remove it, or write it as another user?`,
    },
    { cause: error },
  )
}

function changed(file: FoundFile, how: Text): ProblemError {
  return new ProblemError({
    title: 'A file changed while it was being sent',
    text: text`${file.displayPath} changed: ${how}.\nWait for the program that writes it to end before this step, or send a copy.`,
  })
}

function holdsToken(file: FoundFile): ProblemError {
  return new ProblemError({
    title: 'A file contains the token',
    text: text`${file.displayPath} contains the token of this step, and is not sent.\nFind the step that writes the token there, and replace the token: others may have seen the file.`,
  })
}
