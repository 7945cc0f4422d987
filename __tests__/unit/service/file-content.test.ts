import { createHash } from 'node:crypto'
import { appendFile, mkdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { FoundFile } from '../../../src/files/files.ts'
import { ProblemError } from '../../../src/problem.ts'
import { diskContent, type FileContent } from '../../../src/service/file-content.ts'
import { quoted } from '../../../src/text/text.ts'
import { tree } from '../../support/tree.ts'

const token = 'xoxb-made-up-for-this-test'
const mebibyte = 1024 * 1024

interface Found extends AsyncDisposable {
  readonly file: FoundFile
  readonly content: FileContent
  /** Bytes that were reported as sent. */
  readonly sent: readonly number[]
}

async function found(bytes: string | Buffer): Promise<Found> {
  const folder = await tree({ 'a.csv': '.' })
  await writeFile(path.join(folder.root, 'a.csv'), bytes)
  const [file] = (await folder.find('a.csv')).files
  if (file === undefined) throw new Error('The file was not found')
  const sent: number[] = []
  const content = diskContent(token, (count) => sent.push(count))
  return { file, content, sent, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

async function read({ content, file }: Found, onChunk: (chunk: Uint8Array) => unknown = () => {}): Promise<void> {
  await content.send(file, async (chunks) => {
    for await (const chunk of chunks()) await onChunk(chunk)
  })
}

async function problem(work: Promise<unknown>): Promise<readonly string[]> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return [String(error.problem.title), ...quoted(error.problem.text).split('\n')]
}

const changed = (how: string) => [
  'A file changed while it was being sent',
  `\`a.csv\` changed: ${how}.`,
  'Wait for the program that writes it to end before this step, or send a copy.',
]

describe('The bytes of a file', () => {
  test.each([1, 5, mebibyte, mebibyte + 1, 4 * mebibyte + 7])(
    'are given exactly, in chunks of a mebibyte: %i',
    async (size) => {
      const bytes = Buffer.alloc(size, 'some,text\n')
      await using disk = await found(bytes)
      const hash = createHash('sha256')
      const lengths: number[] = []
      await read(disk, (chunk) => {
        hash.update(chunk)
        lengths.push(chunk.byteLength)
      })
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
      const rest = size % mebibyte
      expect(lengths).toEqual([
        ...Array.from({ length: Math.floor(size / mebibyte) }, () => mebibyte),
        ...(rest ? [rest] : []),
      ])
      expect(disk.sent).toEqual(lengths)
    },
  )

  test('are none if it is empty', async () => {
    await using disk = await found('')
    const lengths: number[] = []
    await disk.content.send({ ...disk.file, size: 0 }, async (chunks) => {
      for await (const chunk of chunks()) lengths.push(chunk.byteLength)
    })
    expect(lengths).toEqual([])
  })

  test('are given anew for each attempt', async () => {
    await using disk = await found('a,b\n')
    const texts: string[] = []
    const result = await disk.content.send(disk.file, async (chunks) => {
      for (const _ of [1, 2]) for await (const chunk of chunks()) texts.push(Buffer.from(chunk).toString())
      return 'done'
    })
    expect([result, texts]).toEqual(['done', ['a,b\n', 'a,b\n']])
  })

  test('are read by a check, which reports nothing as sent, until it is given up', async () => {
    await using disk = await found(Buffer.alloc(2 * mebibyte))
    await disk.content.check(disk.file, new AbortController().signal)
    expect(disk.sent).toEqual([])
    await expect(disk.content.check(disk.file, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  test('are not sent if they contain the token', async () => {
    await using disk = await found(`key=${token}\n`)
    const expected = [
      'A file contains the token',
      '`a.csv` contains the token of this step, and is not sent.',
      'Find the step that writes the token there, and replace the token: others may have seen the file.',
    ]
    expect(await problem(read(disk))).toEqual(expected)
    expect(await problem(disk.content.check(disk.file, new AbortController().signal))).toEqual(expected)
    expect(disk.sent).toEqual([])
  })
})

describe('A file is not sent', () => {
  test('that is gone', async () => {
    await using disk = await found('a,b\n')
    await rm(disk.file.path)
    expect(await problem(read(disk))).toEqual([
      'A file cannot be read',
      '`a.csv` cannot be read (`ENOENT: no such file or directory`).',
      'Does a step remove it, or write it as another user?',
    ])
  })

  test('that was replaced by another one of the same size', async () => {
    await using disk = await found('a,b\n')
    const other = `${disk.file.path}.new`
    await writeFile(other, 'c,d\n')
    await rename(other, disk.file.path)
    expect(await problem(read(disk))).toEqual(changed('it was replaced by another file'))
  })

  test.each(['a folder', 'a shorter file'])('that was replaced by %s', async (by) => {
    await using disk = await found('a,b\n')
    const other = `${disk.file.path}.new`
    if (by === 'a folder') await mkdir(other)
    else await writeFile(other, 'c')
    await rm(disk.file.path)
    await rename(other, disk.file.path)
    expect(await problem(read(disk))).toEqual(changed('it was replaced by another file'))
  })

  test('that is on another device', async () => {
    await using disk = await found('a,b\n')
    const elsewhere = { ...disk, file: { ...disk.file, dev: disk.file.dev + 1 } }
    expect(await problem(read(elsewhere))).toEqual(changed('it was replaced by another file'))
  })

  test('that has another size', async () => {
    await using disk = await found('a,b\n')
    await appendFile(disk.file.path, 'c,d\n')
    expect(await problem(read(disk))).toEqual(changed('it had 4 bytes when it was found and has 8 now'))
  })

  test('whole, if it is written to meanwhile: its last chunk is held back', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    const touch = () => utimes(disk.file.path, new Date(), new Date(Date.now() + 60_000))
    expect(await problem(read(disk, touch))).toEqual(changed('it was written to after it was found'))
    expect(disk.sent.length).toBeLessThan(4)
  })

  test('whole, if it is cut off meanwhile', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    const cut = () => truncate(disk.file.path, 1)
    expect(await problem(read(disk, cut))).toEqual(changed('it had 4,194,304 bytes when it was found and has 1 now'))
  })
})
