import { type FileHandle, open } from 'node:fs/promises'
import { ProblemError } from '../problem.ts'
import { type Text, text } from '../text/text.ts'
import { shortestToken } from '../text/token.ts'
import { readFlags, statOf, whyUnreadable } from './disk.ts'
import type { FoundFile } from './files.ts'

const chunkBytes = 1024 * 1024
/**
 * The memory that a file of any size takes: one chunk is read, one is sent, and the end of one may still be held back.
 * Full chunks may be reused, because each is flushed before the next but one is requested.
 */
const maxBuffers = 3

/** The one reader of files: for the upload, the searches, the key of a re-run and a dry run. */
export interface FileContent {
  /**
   * The bytes of a file, from the start for each iteration: exactly `file.size` bytes, in order. The file is open while they
   * are read, and must be the one that was found. A chunk may be overwritten once the next but one is requested. The last one
   * is given only after the file was seen to be unchanged and free of the token.
   *
   * @throws ProblemError, while they are read, if the file changed, cannot be read or contains the token
   */
  chunks(file: FoundFile): AsyncIterable<Uint8Array>
}

/** The bytes of files on the disk. */
export function diskContent(token: string): FileContent {
  return { chunks: (file) => readFile(file, token) }
}

async function* readFile(file: FoundFile, token: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file.real, readFlags).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const openFile = new OpenFile(file, handle)
    // A file of one chunk is verified after it was read.
    if (Math.ceil(file.size / chunkBytes) !== 1) await openFile.verify()
    yield* openFile.chunks(token)
  } finally {
    // Not awaited: a thread that hangs would hold back what became of the request.
    handle.close().catch(() => undefined)
  }
}

/** Reads the whole file, and passes each chunk on. Throws as `chunks` does, and the signal's reason when it aborts. */
export async function readWhole(
  content: FileContent,
  file: FoundFile,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  for await (const chunk of content.chunks(file)) {
    signal.throwIfAborted()
    onChunk(chunk)
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

/** Finds a token in a stream of chunks, in UTF-8 or UTF-16, also where it lies across their borders. */
export class TokenSearch {
  /** The token in UTF-8, and in UTF-16 without the byte in which the two orders of bytes differ. */
  readonly #forms: readonly [utf8: Buffer, utf16: Buffer] | undefined
  /** The last bytes that were seen, one less than the longest form has: a copy, since chunks may be reused buffers. */
  readonly #tail: Buffer
  #tailLength = 0
  #found = false

  /** @param token one that is shorter than `shortestToken` is never found. */
  constructor(token: string) {
    const utf16 = Buffer.from(token, 'utf16le').subarray(0, -1)
    this.#forms = token.length < shortestToken ? undefined : [Buffer.from(token), utf16]
    this.#tail = Buffer.alloc(Math.max(0, utf16.length - 1))
  }

  /** The next chunk. Returns whether the token was in the bytes so far. */
  push(chunk: Uint8Array): boolean {
    if (this.#found || chunk.length === 0) return this.#found
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const border = Buffer.concat([this.#tail.subarray(0, this.#tailLength), bytes.subarray(0, this.#tail.length)])
    this.#found = this.#isIn(border) || this.#isIn(bytes)
    const last = bytes.length < this.#tail.length ? border : bytes
    this.#tailLength = last.copy(this.#tail, 0, Math.max(0, last.length - this.#tail.length))
    return this.#found
  }

  #isIn(bytes: Buffer): boolean {
    if (this.#forms === undefined) return false
    const [utf8, utf16] = this.#forms
    // Most files have no zero byte, and looking for one takes a tenth of the time.
    return bytes.includes(utf8) || (bytes.includes(0) && bytes.includes(utf16))
  }
}

function unreadable(file: FoundFile, error: unknown): ProblemError {
  return new ProblemError(
    {
      title: 'A file cannot be read',
      text: text`${file.path} ${whyUnreadable(error)}.\nDoes a step remove it, or write it as another user?`,
    },
    { cause: error },
  )
}

function changed(file: FoundFile, how: Text): ProblemError {
  return new ProblemError({
    title: 'A file changed while it was being sent',
    text: text`${file.path} changed: ${how}.\nWait for the program that writes it to end before this step, or send a copy.`,
  })
}

function holdsToken(file: FoundFile): ProblemError {
  return new ProblemError({
    title: 'A file contains the token',
    text: text`${file.path} contains the token of this step, and is not sent.\nFind the step that writes the token there, and replace the token: others may have seen the file.`,
  })
}
