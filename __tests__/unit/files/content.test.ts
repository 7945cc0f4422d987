import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import {
  diskContent,
  grownFileWarnings,
  readWhole,
  scanForToken,
} from '../../../src/files/content.ts'
import type { FoundFile } from '../../../src/files/files.ts'
import { ProblemError } from '../../../src/problem.ts'
import { quoted } from '../../../src/text/text.ts'
import { shortestToken } from '../../../src/text/token.ts'
import { onLinux } from '../../support/systems.ts'
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

async function read(
  { file }: Found,
  onChunk: (chunk: Uint8Array) => unknown = () => {},
): Promise<void> {
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

const isOpen = (file: FoundFile) =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file.real
    } catch {
      return false
    }
  })

onLinux(
  'a file is closed after it was found, and after it was read or reading it was given up',
  async () => {
    await using disk = await found(Buffer.alloc(3 * mebibyte))
    expect(isOpen(disk.file)).toBe(false)
    await read(disk, () => expect(isOpen(disk.file)).toBe(true))
    for await (const _ of content.chunks(disk.file)) break
    // The end of the chunks does not wait until the file is closed.
    for (let turn = 0; turn < 1_000 && isOpen(disk.file); turn += 1) await setImmediate()
    expect(isOpen(disk.file)).toBe(false)
  },
)

describe('The bytes of a file', () => {
  const sizes = [0, 1, mebibyte, mebibyte + 1, 4 * mebibyte + 7]
  test.each(sizes)('are given exactly, and anew for each attempt: %i', async (size) => {
    const bytes = Buffer.alloc(size, 'some,text\n')
    await using disk = await found(bytes)
    for (const attempt of [content.chunks(disk.file), content.chunks(disk.file)]) {
      const chunks: Buffer[] = []
      for await (const chunk of attempt) chunks.push(Buffer.from(chunk))
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
    }
  })

  // If a file is cut there, some servers take it for complete.
  test('never end a chunk, except the last, where a server may have its limit', async () => {
    await using disk = await found(Buffer.alloc(20 * mebibyte))
    const ends = [0]
    await read(disk, ({ length }) => ends.push((ends.at(-1) ?? 0) + length))
    const limits = ends.slice(1, -1).filter((end) => end % 1_000 === 0 || end % 1_024 === 0)
    expect([limits, ends.at(-1)]).toEqual([[], 20 * mebibyte])
  })

  test('are read whole until the signal aborts', async () => {
    await using disk = await found(Buffer.alloc(2 * mebibyte))
    await expect(readWhole(content, disk.file, signal)).resolves.toBeUndefined()
    await expect(
      readWhole(content, disk.file, AbortSignal.abort(new Error('enough'))),
    ).rejects.toThrow('enough')
  })

  const lines = `key=${token}\r\n`
  test.each([
    ['UTF-8', Buffer.from(lines)],
    ['UTF-16, little-endian', Buffer.from(`\ufeff${lines}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${lines}`, 'utf16le').swap16()],
    [
      'UTF-16, across two chunks',
      Buffer.from(`${'x'.repeat(458_724)}${lines}${'x'.repeat(mebibyte)}`, 'utf16le'),
    ],
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
  test.each([0, 4, 3 * mebibyte])(
    'is sent with the length that was found, and is remembered: %i bytes',
    async (size) => {
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
        'Files were still written: `a.csv` grew after this step found them. Each was sent up to the length that it had then.\nTo send all of it, end the program that writes them before this step.',
      )
    },
  )
})

test('A file that was replaced by its copy is sent: some disks give a file another inode number at any time', async () => {
  await using disk = await tree({ 'a.csv': 'a,b\n', 'copy.csv': 'a,b\n' })
  const [at, copy] = ['a.csv', 'copy.csv'].map((name) => path.join(disk.root, name)) as [
    string,
    string,
  ]
  for (const one of [at, copy]) await utimes(one, 1, 1)
  const [file] = (await disk.find('a.csv')).files
  await rename(copy, at)
  await read({ ...disk, file: file as FoundFile }, (chunk) =>
    expect(Buffer.from(chunk).toString()).toBe('a,b\n'),
  )
})

test('A file of up to 68 KB whose time changed is sent, because all of it was compared', async () => {
  await using disk = await found(Buffer.alloc(68 * 1024))
  await utimes(disk.file.real, 1, 1)
  await expect(readWhole(content, disk.file, signal)).resolves.toBeUndefined()
})

describe('A file is not sent', () => {
  const replaced = changed('it was rewritten or replaced after it was found')
  const large = Buffer.alloc(3 * mebibyte, 'a,b\n')
  const withChange = (at: number) =>
    Buffer.concat([large.subarray(0, at), Buffer.from('X'), large.subarray(at + 1)])
  const longer = (content: Buffer) => Buffer.concat([content, Buffer.from('more')])
  test.each<[other: string, content: string | Buffer, now: string | Buffer]>([
    ['one of the same size', 'a,b\n', 'c,d\n'],
    ['a longer one', 'a,b\n', 'c,d\nmore'],
    ['a shorter one', 'a,b\n', 'a'],
    ['a large one without its end', large, large.subarray(1)],
    ['a longer one with the same end', 'a,b\nmore', 'more,a,b\nmore'],
    ['a large one with another beginning', large, longer(withChange(64 * 1024 - 1))],
    [
      'one with another last byte',
      large.subarray(0, 65_537),
      withChange(65_536).subarray(0, 65_537),
    ],
    ['a large one with another end', large, longer(withChange(3 * mebibyte - 4096))],
  ])(
    'that became %s, under the same name or removed and made again',
    async (_other, before, now) => {
      await using rewritten = await found(before)
      await writeFile(rewritten.file.real, now)
      expect(await problem(read(rewritten))).toEqual(replaced)
      await using replacing = await found(before)
      await rm(replacing.file.real)
      await writeFile(replacing.file.real, now)
      expect(await problem(read(replacing))).toEqual(replaced)
    },
  )

  test('that became one of the same size and time', async () => {
    await using disk = await found('a,b\n')
    await writeFile(disk.file.real, 'c,d\n')
    const { modifiedMilliseconds } = disk.file
    await utimes(disk.file.real, new Date(), new Date(modifiedMilliseconds))
    const { mtimeMs } = await stat(disk.file.real)
    const file = { ...disk.file, modifiedMilliseconds: mtimeMs }
    expect(await problem(read({ ...disk, file }))).toEqual(replaced)
  })

  test('that was replaced by a folder', async () => {
    await using disk = await found('a,b\n')
    await rm(disk.file.real)
    await mkdir(disk.file.real)
    expect(await problem(read(disk))).toContain(
      '`a.csv` cannot be read (`EISDIR: illegal operation on a directory`).',
    )
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

  onLinux('of /sys, whose length is not that of its content', async () => {
    const at = '/sys/kernel/mm/transparent_hugepage/enabled'
    await using disk = await tree()
    const [file] = (await disk.find(at)).files
    if (file === undefined) throw new Error(`${at} was not found`)
    const [, how] = await problem(readWhole(content, file, signal))
    expect(how).toMatch(
      /enabled` changed: it ends after \d+ bytes, although it has 4,096 according to the disk\.$/,
    )
  })

  onLinux('of /proc, which has a content, but no length', async () => {
    await using disk = await tree()
    expect(await disk.refusal('/proc/self/status')).toMatch(
      /^`\/proc\/self\/status` has no length, as in `\/proc`: copy it first\.\n/,
    )
  })

  test('whole, if it is written to meanwhile: its last chunk is held back', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    let chunks = 0
    const touch = () => {
      chunks += 1
      return utimes(disk.file.real, new Date(), new Date(Date.now() + 60_000))
    }
    expect(await problem(read(disk, touch))).toEqual(
      changed('it was written to after it was found'),
    )
    expect(chunks).toBe(4)
  })

  test('whole, if it is cut off meanwhile', async () => {
    await using disk = await found(Buffer.alloc(4 * mebibyte))
    expect(await problem(read(disk, () => truncate(disk.file.real, 1)))).toEqual(replaced)
  })
})

describe('the token in a stream of chunks', () => {
  test.each(['utf8', 'utf16le'] as const)(
    'is found wherever a chunk ends, and not before its end: %s',
    (encoding) => {
      const token = `xoxb-${randomBytes(12).toString('hex')}`
      const content = Buffer.from(`name,value\nä,${token}\nend\n`, encoding)
      const reused = Buffer.alloc(content.length)
      // The last byte of a token in UTF-16 is not compared.
      const length = encoding === 'utf8' ? token.length : 2 * token.length - 1
      const end = content.indexOf(token, 0, encoding) + length
      for (let first = 0; first <= content.length; first++) {
        for (const size of [1, 2, 7, content.length]) {
          const searched = scanForToken(token)
          const search = (chunk: Buffer) => searched(reused.subarray(0, chunk.copy(reused)))
          let found = search(content.subarray(0, first))
          expect(found).toBe(first >= end)
          for (let seen = first; !found && seen < content.length; seen += size) {
            found = search(content.subarray(seen, seen + size))
            expect(found).toBe(Math.min(seen + size, content.length) >= end)
          }
        }
      }
    },
  )

  test('that is too short is never found', () => {
    const short = 'a'.repeat(shortestToken - 1)
    expect(scanForToken(short)(Buffer.from(short.repeat(3)))).toBe(false)
    expect(scanForToken('')(Buffer.from('text'))).toBe(false)
    expect(scanForToken(`${short}a`)(Buffer.from(short.repeat(3)))).toBe(true)
  })
})
