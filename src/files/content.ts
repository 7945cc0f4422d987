import { createHash } from 'node:crypto'
import { closeSync, fstatSync } from 'node:fs'
import { fatal, type Problem, type ProblemError, warning } from '../problem.ts'
import { list, type Text, text } from '../text/text.ts'
import { shortestToken } from '../text/token.ts'
import { openFile, readFully, reasonUnreadable, refuseMachineFault } from './disk.ts'
import type { FoundFile } from './files.ts'

/** Bytes, and no server's limit: @fastify/multipart 10.1.9 accepts a file that is cut there. */
const chunkBytes = 917_489
/**
 * Chunk 3 is read into the buffer of chunk 1, which the connection has taken by then. With new
 * buffers, 1 GiB takes 144 MB instead of 71.
 */
const maxBuffers = 2

/** They tell if a file is still the one that was found. */
const firstBytes = 64 * 1024
const lastBytes = 4 * 1024

/**
 * The first 64 KB of a file of `size` bytes, and a digest of them and the last 4 KB. A byte more
 * than none is read, since files of /proc have a content, but no size.
 */
export async function readEnds(descriptor: number, size: number) {
  const start = await readFully(descriptor, Buffer.allocUnsafe(Math.min(firstBytes, size || 1)), 0)
  const rest = Math.min(lastBytes, size - start.byteLength)
  const end = rest > 0 ? await readFully(descriptor, Buffer.allocUnsafe(rest), size - rest) : ''
  const hash = createHash('sha256').update(start.subarray(0, size)).update(end)
  return { start, fingerprint: hash.digest('base64') }
}

export interface FileContent {
  /**
   * Exactly `file.size` bytes from the start, even if the file grew. A chunk is overwritten when
   * the next is asked for.
   *
   * @throws ProblemError before the last chunk if the file changed, is unreadable or has the token
   */
  chunks(file: FoundFile): AsyncIterable<Uint8Array>
}

interface DiskContent extends FileContent {
  /** Files that were longer when read than when found. */
  readonly grown: ReadonlySet<FoundFile>
}

export function diskContent(token: string): DiskContent {
  const grown = new Set<FoundFile>()
  return { grown, chunks: (file: FoundFile) => readChunks(file, token, grown) }
}

export function grownFileWarnings({ grown }: DiskContent): readonly Problem[] {
  if (grown.size === 0) return []
  const paths = [...grown].map((file) => file.path)
  const explanation = text`${list(paths, { max: 10 })} grew after this step found them. Each was sent up to the length that it had then.\nTo send all of it, end the program that writes them before this step.`
  return [warning('Files were still written', explanation)]
}

export async function readWhole(
  content: FileContent,
  file: FoundFile,
  signal: AbortSignal,
): Promise<void> {
  for await (const _ of content.chunks(file)) signal.throwIfAborted()
}

interface Reading {
  readonly file: FoundFile
  readonly descriptor: number
  readonly grown: Set<FoundFile>
}

async function* readChunks(
  file: FoundFile,
  token: string,
  grown: Set<FoundFile>,
): AsyncGenerator<Uint8Array> {
  const endsToken = scanForToken(token)
  const descriptor = await openFile(file.real).catch(refuseUnreadable(file))
  let next: Promise<Buffer> | undefined
  try {
    const reading = { file, descriptor, grown }
    const count = Math.ceil(file.size / chunkBytes)
    await verify(reading)
    const buffers = Array.from({ length: Math.min(count, maxBuffers) }, () =>
      Buffer.allocUnsafeSlow(Math.min(chunkBytes, file.size)),
    )
    const read = (index: number) =>
      index < count
        ? readChunk(reading, buffers[index % buffers.length] as Buffer, index * chunkBytes)
        : undefined
    next = read(0)
    for (let index = 1; next !== undefined; index += 1) {
      const chunk = await next
      // Read while this one is sent.
      next = read(index)
      next?.catch(() => undefined)
      if (endsToken(chunk))
        throw fatal(
          'A file contains the token',
          text`${file.path} contains the token of this step, and is not sent.\nFind the step that writes the token there, and replace the token: others may have seen the file.`,
          'skippedFiles',
        )
      yield chunk
    }
  } finally {
    // Closed during a read, the descriptor could become another file's. Not awaited, because a
    // disk that hangs must not delay the result of the request.
    Promise.allSettled([next])
      .then(() => closeSync(descriptor))
      .catch(() => undefined)
  }
}

async function readChunk(reading: Reading, whole: Buffer, position: number): Promise<Buffer> {
  const { file, descriptor } = reading
  const buffer = whole.subarray(0, file.size - position)
  const chunk = await readFully(descriptor, buffer, position).catch(refuseUnreadable(file))
  const end = position + chunk.byteLength
  const isWhole = chunk.byteLength === buffer.byteLength
  if (end === file.size || !isWhole) await verify(reading)
  if (isWhole) return chunk
  // Files of /sys are made only when they are read.
  throw changedError(
    file,
    text`it ends after ${end} bytes, although it has ${file.size} according to the disk`,
  )
}

/** @throws ProblemError if the file changed since it was found */
async function verify({ file, descriptor, grown }: Reading): Promise<void> {
  const { modifiedMilliseconds, size } = file
  const now = await Promise.try(() => fstatSync(descriptor)).catch(refuseUnreadable(file))
  const { fingerprint } = await readEnds(descriptor, size).catch(refuseUnreadable(file))
  // Not the inode number, since some disks change it at any time.
  if (fingerprint !== file.fingerprint)
    throw changedError(file, text`it was rewritten or replaced after it was found`)
  if (now.size > size) grown.add(file)
  // Of a smaller file, the fingerprint is all of it, and rclone moves the time at each read.
  else if (size > firstBytes + lastBytes && now.mtimeMs !== modifiedMilliseconds)
    throw changedError(file, text`it was written to after it was found`)
}

/** Scans chunks in order. True if the token, in UTF-8 or UTF-16, ends in this one. */
export function scanForToken(token: string): (chunk: Uint8Array) => boolean {
  if (token.length < shortestToken) return () => false
  const utf8 = Buffer.from(token)
  // In UTF-16, `ab` is `61 00 62 00` or `00 61 00 62`. Both hold `61 00 62`.
  const utf16 = Buffer.from(token, 'utf16le').subarray(0, -1)
  // Looking for a zero byte takes a tenth of the time, and most files have none.
  const holdsToken = (bytes: Buffer) =>
    bytes.includes(utf8) || (bytes.includes(0) && bytes.includes(utf16))
  // A copy, because the buffer is used again.
  let end = Buffer.alloc(0)
  return (chunk) => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const border = Buffer.concat([end, bytes.subarray(0, utf16.length)])
    end = Buffer.from((bytes.length < utf16.length ? border : bytes).subarray(-utf16.length))
    return holdsToken(border) || holdsToken(bytes)
  }
}

function refuseUnreadable(file: FoundFile) {
  return (error: unknown): never => {
    refuseMachineFault(error, file.path)
    const explanation = text`${file.path} ${reasonUnreadable(error)}.\nDoes a step remove it, or write it as another user?`
    throw fatal('A file cannot be read', explanation)
  }
}

function changedError(file: FoundFile, how: Text): ProblemError {
  return fatal(
    'A file changed while it was being sent',
    text`${file.path} changed: ${how}.\nWait for the program that writes it to end before this step, or send a copy.`,
  )
}
