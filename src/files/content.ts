import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Problem, ProblemError } from '../problem.ts'
import { list, type Text, text, words } from '../text/text.ts'
import { shortestToken } from '../text/token.ts'
import { errorCode, notAFile, OpenFile, type Unsendable, unsendable, whyUnreadable } from './disk.ts'
import type { FoundFile } from './files.ts'
import { CredentialSearch } from './filter.ts'

const chunkBytes = 1024 * 1024
/**
 * The memory that a file of any size takes: one chunk is read, one is sent, and the end of one may still be held back.
 * Full chunks may be reused, because each is flushed before the next but one is requested.
 */
const maxBuffers = 3

/** A regular file that may be sent, as it was when it was opened. */
export type Readable = Pick<FoundFile, 'size' | 'dev' | 'ino' | 'modifiedMilliseconds'> & { readonly kind: 'readable' }

/**
 * Opens a file, looks whether it is a credential, and closes it. Never rejects, unless the checkpoint does.
 *
 * @param paths the ways to write its path, with `/`
 */
export async function inspect(
  real: string,
  paths: readonly string[],
  checkpoint: () => Promise<void> | undefined,
): Promise<Readable | Unsendable> {
  const search = new CredentialSearch(paths)
  if (search.whyByName !== undefined) return credential(search.whyByName)
  try {
    const file = await OpenFile.open(real)
    try {
      const stats = file.stat()
      if (!stats.isFile()) return notAFile(stats)
      const { dev, ino, mtimeMs, size } = stats
      const why = await whyByContent(file, search, search.begin(size), checkpoint)
      if (why !== undefined) return credential(why)
      return { kind: 'readable', size, dev, ino, modifiedMilliseconds: mtimeMs }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (typeof errorCode(error) !== 'string') throw error
    return unsendable(error, real)
  }
}

function credential(why: string): Unsendable {
  return { kind: 'unsendable', reason: 'credentials', why: words(why) }
}

async function whyByContent(
  file: OpenFile,
  search: CredentialSearch,
  length: number,
  checkpoint: () => Promise<void> | undefined,
): Promise<string | undefined> {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, length))
  for (let position = 0; position < length; ) {
    const bytes = await file.read(buffer, position)
    const why = search.push(buffer.subarray(0, bytes))
    if (why !== undefined || bytes < buffer.byteLength) return why
    position += bytes
    await checkpoint()
  }
  return undefined
}

/** The one reader of files that are sent: for the upload, the key of a re-run and a dry run. */
export interface FileContent {
  /**
   * The bytes of a file, from the start for each iteration: exactly `file.size` bytes, in order. The file is open while they
   * are read, and must be the one that was found; what was appended since then is left out. A chunk may be overwritten once
   * the next but one is requested. The last one is given only after the file was seen to be the same, without the token, and
   * no credential.
   *
   * @throws ProblemError, while they are read, if the file changed, cannot be read or must not be sent
   */
  chunks(file: FoundFile): AsyncIterable<Uint8Array>
}

export interface DiskContent extends FileContent {
  /** The files that were longer when they were read than when they were found. */
  readonly grown: ReadonlySet<FoundFile>
}

/** The bytes of files on the disk. */
export function diskContent(token: string): DiskContent {
  const grown = new Set<FoundFile>()
  const chunks = (file: FoundFile) => new Reader(file, token, () => grown.add(file)).chunks()
  return { grown, chunks }
}

export function warnOfGrownFiles({ grown }: DiskContent): readonly Problem[] {
  if (grown.size === 0) return []
  const paths = [...grown].map((file) => file.path)
  const explanation = text`${list(paths, { max: 10 })} grew after this step found them. What they held at that moment was sent.\nTo send all of it, end the program that writes them before this step.`
  return [{ level: 'warning', title: 'Files were still written', text: explanation }]
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

class Reader {
  readonly #file: FoundFile
  readonly #onGrown: () => void
  readonly #tokenSearch: TokenSearch
  readonly #credentialSearch: CredentialSearch

  constructor(file: FoundFile, token: string, onGrown: () => void) {
    this.#file = file
    this.#onGrown = onGrown
    this.#tokenSearch = new TokenSearch(token)
    this.#credentialSearch = new CredentialSearch([file.path, basename(file.real)])
    this.#credentialSearch.begin(file.size)
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const file = await OpenFile.open(this.#file.real).catch((error: unknown) => {
      throw unreadable(this.#file, error)
    })
    try {
      await this.#requireSamePath(file)
      const count = Math.ceil(this.#file.size / chunkBytes)
      // A file of one chunk is verified after it was read.
      if (count !== 1) this.#verify(file)
      const buffers = Array.from({ length: Math.min(count, maxBuffers) }, () =>
        Buffer.allocUnsafeSlow(Math.min(chunkBytes, this.#file.size)),
      )
      let next = count > 0 ? this.#read(file, buffers, 0) : undefined
      for (let index = 1; next !== undefined; index += 1) {
        const chunk = await next
        // It is read while this one is sent. If that fails, the error is thrown when its turn has come.
        next = index < count ? this.#read(file, buffers, index) : undefined
        next?.catch(() => undefined)
        this.#search(chunk)
        yield chunk
      }
    } finally {
      // Not awaited: a thread that hangs would hold back what became of the request.
      file.close().catch(() => undefined)
    }
  }

  #search(chunk: Buffer): void {
    if (this.#tokenSearch.push(chunk)) throw holdsToken(this.#file)
    const why = this.#credentialSearch.push(chunk)
    if (why !== undefined) throw becameCredential(this.#file, why)
  }

  /** The chunk at `index`, into the buffer whose turn it is. */
  async #read(file: OpenFile, buffers: readonly Buffer[], index: number): Promise<Buffer> {
    const { size } = this.#file
    const position = index * chunkBytes
    const whole = buffers[index % buffers.length] as Buffer
    const buffer = whole.subarray(0, Math.min(chunkBytes, size - position))
    const bytes = await file.read(buffer, position).catch((error: unknown) => {
      // The file may have been replaced by a folder, which can be opened but not read.
      this.#verify(file)
      throw unreadable(this.#file, error)
    })
    if (position + bytes === size || bytes < buffer.byteLength) this.#verify(file)
    if (bytes < buffer.byteLength) throw endsEarly(this.#file, position + bytes)
    return buffer
  }

  /** @throws ProblemError if the file is not the one that was found, or was changed since then. */
  #verify(file: OpenFile): void {
    const { dev, ino, modifiedMilliseconds, size } = this.#file
    const now = file.stat()
    // This also notices that one of its folders was replaced by a link.
    if (!now.isFile() || now.dev !== dev || now.ino !== ino)
      throw changed(this.#file, text`it was replaced by another file`)
    if (now.size < size) throw changed(this.#file, text`it had ${size} bytes when it was found and has ${now.size} now`)
    if (now.size > size) this.#onGrown()
    else if (now.mtimeMs !== modifiedMilliseconds) throw changed(this.#file, text`it was written to after it was found`)
  }

  /** The rules were applied to the real path, so a folder of it must not have become a link since then. */
  async #requireSamePath(file: OpenFile): Promise<void> {
    const { real } = this.#file
    const now = (await file.pathNow()) ?? (await realpath(real).catch(() => real))
    // Some disks ignore case, or the form of an accent.
    const folded = (at: string) => at.normalize('NFC').toLowerCase()
    if (now !== real && folded(now) !== folded(real)) throw changed(this.#file, text`it was replaced by another file`)
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

/** The files of /sys and /proc have a length that is not theirs. */
function endsEarly(file: FoundFile, bytes: number): ProblemError {
  return new ProblemError({
    title: 'A file cannot be read',
    text: text`${file.path} ends after ${bytes} bytes, although it has ${file.size} according to the disk.\nThe system makes some files only when they are read, such as those of /sys. Copy it to a file of its own in an earlier step.`,
  })
}

function becameCredential(file: FoundFile, why: string): ProblemError {
  return new ProblemError({
    title: 'A file must not be sent',
    text: text`${file.path} ${words(why)}, since it was found.\nSomething still writes it: wait for that before this step, or send a copy.`,
  })
}

function holdsToken(file: FoundFile): ProblemError {
  return new ProblemError({
    title: 'A file contains the token',
    text: text`${file.path} contains the token of this step, and is not sent.\nFind the step that writes the token there, and replace the token: others may have seen the file.`,
  })
}
