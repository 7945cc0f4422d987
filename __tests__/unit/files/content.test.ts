import { readdirSync, readlinkSync } from 'node:fs'
import { appendFile, link, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { diskContent, grownFileWarnings, readWhole } from '../../../src/files/content.ts'
import type { FoundFile } from '../../../src/files/files.ts'
import { ProblemError } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { foundFile } from '../../support/report-runs.ts'
import { onLinux, withLinks } from '../../support/systems.ts'
import { tree } from '../../support/tree.ts'

const token = 'xoxb-made-up-for-this-test'
const mebibyte = 1024 * 1024

const content = diskContent(token)
const { signal } = new AbortController()

type Found = Awaited<ReturnType<typeof tree>> & { readonly file: FoundFile }

async function found(bytes: string | Buffer): Promise<Found> {
  const folder = await tree({ 'a.csv': bytes })
  const [file] = (await folder.find('a.csv')).files
  return { ...folder, file: file as FoundFile }
}

async function read({ file }: Found, onChunk: (chunk: Uint8Array) => unknown = () => {}): Promise<void> {
  for await (const chunk of content.chunks(file)) await onChunk(chunk)
}

async function problem(work: Promise<unknown>): Promise<readonly string[]> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return [String(error.problems[0]?.title), ...error.message.split('\n')]
}

const changed = (how: string) => [
  'A file changed while it was being sent',
  `\`a.csv\` changed: ${how}.`,
  'Wait for the program that writes it to end before this step, or send a copy.',
]

/** Whether this process has the file open. */
const isOpen = (file: FoundFile) =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file.real
    } catch {
      return false
    }
  })

onLinux('a file is closed after it was found, and after it was read or reading it was given up', async () => {
  await using disk = await found(Buffer.alloc(3 * mebibyte))
  expect(isOpen(disk.file)).toBe(false)
  await read(disk, () => expect(isOpen(disk.file)).toBe(true))
  for await (const _ of content.chunks(disk.file)) break
  // Closing is not awaited.
  for (let turn = 0; turn < 1_000 && isOpen(disk.file); turn += 1) await setImmediate()
  expect(isOpen(disk.file)).toBe(false)
})

describe('The bytes of a file', () => {
  const sizes = [0, 1, mebibyte, mebibyte + 1, 4 * mebibyte + 7]
  test.each(sizes)('are given exactly, in chunks of a mebibyte, and anew for each attempt: %i', async (size) => {
    const bytes = Buffer.alloc(size, 'some,text\n')
    await using disk = await found(bytes)
    for (const attempt of [content.chunks(disk.file), content.chunks(disk.file)]) {
      const chunks: Buffer[] = []
      for await (const chunk of attempt) chunks.push(Buffer.from(chunk))
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
      const full = Array.from({ length: Math.floor(size / mebibyte) }, () => mebibyte)
      expect(chunks.map(({ length }) => length)).toEqual(size % mebibyte ? [...full, size % mebibyte] : full)
    }
  })

  test('are read whole until the signal aborts', async () => {
    await using disk = await found(Buffer.alloc(2 * mebibyte))
    let bytes = 0
    await readWhole(content, disk.file, signal, (chunk) => {
      bytes += chunk.byteLength
    })
    expect(bytes).toBe(2 * mebibyte)
    await expect(readWhole(content, disk.file, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  const lines = `key=${token}\r\n`
  test.each([
    ['UTF-8', Buffer.from(lines)],
    ['UTF-16, little-endian', Buffer.from(`\ufeff${lines}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${lines}`, 'utf16le').swap16()],
    ['UTF-16, across two chunks', Buffer.from(`${'x'.repeat(mebibyte / 2 - 20)}${lines}`, 'utf16le')],
  ])('are not sent if they contain the token in %s', async (_encoding, bytes) => {
    await using disk = await found(bytes)
    const chunks: Uint8Array[] = []
    expect(await problem(read(disk, (chunk) => chunks.push(chunk)))).toEqual([
      'A file contains the token',
      '`a.csv` contains the token of this step, and is not sent.',
      'Find the step that writes the token there, and replace the token: others may have seen the file.',
    ])
    expect(chunks).toHaveLength(bytes.byteLength > mebibyte ? 1 : 0)
  })
})

describe('A file that only grew', () => {
  test.each([4, 3 * mebibyte])('is sent with the length that was found, and is remembered: %i bytes', async (size) => {
    await using disk = await found(Buffer.alloc(size, 'a'))
    const grows = diskContent(token)
    await appendFile(disk.file.real, 'more')
    let bytes = 0
    for await (const chunk of grows.chunks(disk.file)) {
      bytes += chunk.byteLength
      await appendFile(disk.file.real, 'and more')
    }
    expect([bytes, [...grows.grown]]).toEqual([size, [disk.file]])
    expect(grownFileWarnings(diskContent(token))).toEqual([])
    const [warned] = grownFileWarnings(grows)
    expect(`${warned?.title}: ${quoted(warned?.text ?? [])}`).toBe(
      'Files were still written: `a.csv` grew after this step found them. What they held at that moment was sent.\nTo send all of it, end the program that writes them before this step.',
    )
  })
})

describe('A file is not sent', () => {
  const replaced = changed('it was replaced by another file')
  test.each<[other: string, content: string, make: (at: string) => Promise<unknown>]>([
    ['one of the same size', 'a,b\n', (at) => writeFile(at, 'c,d\n')],
    ['a shorter one', 'a,b\n', (at) => writeFile(at, 'c')],
    ['a folder', 'a,b\n', (at) => mkdir(at)],
    ['one that is not empty', '', (at) => writeFile(at, 'c')],
  ])('that was replaced by %s', async (_other, before, make) => {
    await using disk = await found(before)
    await make(`${disk.file.real}.new`)
    await rm(disk.file.real)
    await rename(`${disk.file.real}.new`, disk.file.real)
    expect(await problem(read(disk))).toEqual(replaced)
  })

  test('that is on another device', async () => {
    await using disk = await found('a,b\n')
    expect(await problem(read({ ...disk, file: { ...disk.file, dev: disk.file.dev + 1 } }))).toEqual(replaced)
  })

  test('that is gone', async () => {
    await using disk = await found('a,b\n')
    await rm(disk.file.real)
    expect(await problem(read(disk))).toEqual([
      'A file cannot be read',
      '`a.csv` cannot be read (`ENOENT: no such file or directory`).',
      'Does a step remove it, or write it as another user?',
    ])
  })

  test('that became a credential', async () => {
    await using disk = await found('a,b\n'.repeat(8))
    await writeFile(disk.file.real, `aws_session_token=${'x'.repeat(30)}`)
    expect(await problem(read(disk))).toEqual([
      'A file must not be sent',
      '`a.csv` holds a secret key of AWS, since it was found.',
      'Something still writes it: wait for that before this step, or send a copy.',
    ])
  })

  withLinks('whose folder was swapped for a link to one with the same file', async () => {
    await using folder = await tree({ 'in/a.csv': '1', 'elsewhere/': '' })
    const [file] = (await folder.find('in/a.csv')).files
    await link(path.join(folder.root, 'in', 'a.csv'), path.join(folder.root, 'elsewhere', 'a.csv'))
    await rename(path.join(folder.root, 'in'), path.join(folder.root, 'before'))
    await symlink('elsewhere', path.join(folder.root, 'in'))
    const reading = readWhole(content, file as FoundFile, signal)
    expect((await problem(reading))[1]).toBe('`in/a.csv` changed: it was replaced by another file.')
  })

  onLinux('of /sys, whose length is not that of its content', async () => {
    const at = '/sys/kernel/mm/transparent_hugepage/enabled'
    const { dev, ino, mtimeMs, size } = await stat(at)
    const file = { ...foundFile('enabled', size), real: at, dev, ino, modifiedMilliseconds: mtimeMs }
    expect(await problem(readWhole(content, file, signal))).toEqual([
      'A file cannot be read',
      expect.stringMatching(/^`enabled` ends after \d+ bytes, although it has 4,096 according to the disk\.$/),
      expect.stringContaining('Copy it to a file of its own in an earlier step.'),
    ])
  })

  test('whole, if it is written to meanwhile: its last chunk is held back', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    let chunks = 0
    const touch = () => {
      chunks += 1
      return utimes(disk.file.real, new Date(), new Date(Date.now() + 60_000))
    }
    expect(await problem(read(disk, touch))).toEqual(changed('it was written to after it was found'))
    expect(chunks).toBe(3)
  })

  test('whole, if it is cut off meanwhile', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    const expected = changed('it had 4,194,304 bytes when it was found and has 1 now')
    expect(await problem(read(disk, () => truncate(disk.file.real, 1)))).toEqual(expected)
  })
})
