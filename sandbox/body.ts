/** Reads request bodies. Files are streamed to disk. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, truncate } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Dicer } from '@fastify/busboy'
import type { Received } from './entities.ts'
import { isJsonObject, type Json } from './json.ts'
import type { Line } from './line.ts'
import type { RecordedFile } from './requests.ts'

/** Bytes on disk. */
export type Stored = Received & { readonly stored: string }

export interface ReadBody {
  readonly fields: readonly (readonly [string, string])[]
  readonly json: boolean
  /** The first file part; others are read and dropped. */
  readonly file: (Stored & RecordedFile) | undefined
}

export type Bytes = AsyncIterable<Uint8Array>

/** Counts the bytes of the body, at the speed of its lines. */
export async function* bytesOf(
  request: IncomingMessage,
  lines: readonly Line[],
  signal: AbortSignal,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('A request is read as bytes')
    count(chunk.length)
    yield chunk
    for (const line of lines) await line.carry(chunk.length, signal)
  }
}

const multipartBoundary = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i

export const isMultipart = (contentType: string) => multipartBoundary.test(contentType)

/** Reads any body of a Web API call, and stores files in `folder`. */
export async function readForm(
  contentType: string,
  bytes: Bytes,
  folder: string,
): Promise<ReadBody> {
  const boundary = multipartBoundary.exec(contentType)
  if (boundary) return readMultipart(boundary[1] ?? boundary[2] ?? '', bytes, folder)
  const body = await text(bytes)
  const json = /^application\/json/i.test(contentType)
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType)
  return {
    fields: json ? jsonFields(body) : [...new URLSearchParams(isForm ? body : '')],
    json,
    file: undefined,
  }
}

export async function store(bytes: Bytes, folder: string): Promise<Stored> {
  const stored = join(folder, randomUUID())
  const hash = createHash('sha256')
  let length = 0
  async function* measured() {
    for await (const chunk of bytes) {
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  try {
    await pipeline(measured, createWriteStream(stored))
  } catch (error) {
    await rm(stored, { force: true })
    throw error
  }
  return { length, sha256: hash.digest('hex'), stored }
}

/** Keeps only the first `length` of the stored bytes. */
export async function cut(stored: string, length: number): Promise<Received> {
  await truncate(stored, length)
  const hash = createHash('sha256')
  await pipeline(createReadStream(stored), hash)
  return { length, sha256: hash.digest('hex'), stored }
}

async function readMultipart(boundary: string, bytes: Bytes, folder: string): Promise<ReadBody> {
  const fields: [string, string][] = []
  const parts: Readable[] = []
  const reading: Promise<void>[] = []
  let file: ReadBody['file']
  let hasFile = false
  const parser = new Dicer({ boundary })
  parser.on('part', (part) => {
    parts.push(part)
    // Dicer waits at a part with a full buffer until that is read again. Streams do not read again
    // once they have all data, so a part that ends with a full buffer would stop Dicer for good.
    part.on('end', () => part._read(0))
    part.on('header', (header: Readonly<Record<string, readonly string[]>>) => {
      const disposition = header['content-disposition']?.[0] ?? ''
      const name = parameter(disposition, 'name') ?? ''
      const filename = parameter(disposition, 'filename')
      const read = async () => {
        if (filename === undefined) {
          // Keep the order of the form, since a later part can be read sooner.
          const field: [string, string] = [name, '']
          fields.push(field)
          field[1] = await text(part)
        } else if (hasFile) part.resume()
        else {
          hasFile = true
          const about = {
            field: name,
            name: filename,
            disposition,
            contentType: header['content-type']?.[0],
          }
          file = { ...(await store(part, folder)), ...about }
        }
      }
      reading.push(read())
    })
  })
  try {
    await pipeline(bytes, parser)
    await Promise.all(reading)
  } catch (error) {
    for (const part of parts) part.destroy()
    await Promise.allSettled(reading)
    throw error
  }
  return { fields, json: false, file }
}

/**
 * A parameter of a `Content-Disposition`. Headers arrive one character per byte; names are UTF-8,
 * with only `"`, CR and LF escaped:
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function parameter(disposition: string, name: string): string | undefined {
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1]
  if (value === undefined) return undefined
  const unescaped = value.replace(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped))
  return Buffer.from(unescaped, 'latin1').toString('utf8')
}

/** The members of a JSON object, those that are not text as JSON. None if it is no JSON object. */
function jsonFields(body: string): [string, string][] {
  try {
    const value: Json = JSON.parse(body)
    return Object.entries(isJsonObject(value) ? value : {}).map(([name, member]) => [
      name,
      typeof member === 'string' ? member : JSON.stringify(member),
    ])
  } catch {
    return []
  }
}
