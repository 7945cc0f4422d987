import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, opendir, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { type Text, text, words } from '../text/text.ts'
import type { SkipReason } from './files.ts'

/** What a path leads to, links followed. */
export type Target =
  | { readonly kind: 'file'; readonly real: string }
  | { readonly kind: 'folder'; readonly real: string }
  /** There is nothing at this path. */
  | { readonly kind: 'absent' }
  | Unsendable

/** It exists and cannot be sent. */
export interface Unsendable {
  readonly kind: 'unsendable'
  readonly reason: SkipReason
  readonly why: Text
}

/** A regular file that could be opened. */
export interface Readable {
  readonly kind: 'readable'
  readonly size: number
  readonly dev: number
  readonly ino: number
  readonly modifiedMilliseconds: number
}

/** Looks at each path once in a run, whatever the number of patterns. Paths are real ones, without links. */
export interface Disk {
  /** Rejects as `readdir` does. */
  readonly list: (folder: string) => Promise<readonly Dirent[]>
  /** Opens a file and closes it. Never rejects. */
  readonly inspect: (path: string) => Promise<Readable | Unsendable>
}

export function disk(): Disk {
  return {
    list: memoize((folder) => readdir(folder, { withFileTypes: true })),
    inspect: memoize((real) => withOpen(real, async (_handle, readable) => readable)),
  }
}

function memoize<Result>(look: (path: string) => Promise<Result>): (path: string) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return (at) => {
    const result = known.get(at) ?? look(at)
    known.set(at, result)
    return result
  }
}

// Without O_NONBLOCK, a pipe that is put in the place of the file blocks a thread forever.
export const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Opens what was seen to be a regular file, for the time of `use`. */
export async function withOpen<Result>(
  real: string,
  use: (handle: FileHandle, readable: Readable) => Promise<Result>,
): Promise<Result | Unsendable> {
  try {
    const handle = await open(real, readFlags)
    try {
      const stats = await statOf(handle)
      if (!stats.isFile()) return notAFile(stats)
      const { dev, ino, mtimeMs, size } = stats
      return await use(handle, { kind: 'readable', size, dev, ino, modifiedMilliseconds: mtimeMs })
    } finally {
      await handle.close()
    }
  } catch (error) {
    return unsendable(error, real)
  }
}

/** As `handle.stat()`. On Windows, a number does not hold the last digits of `ino`, in which the files of a folder differ. */
export async function statOf(handle: FileHandle): Promise<Stats> {
  const stats = await handle.stat()
  if (process.platform !== 'win32') return stats
  const { ino } = await handle.stat({ bigint: true })
  return Object.assign(stats, { ino: Number(BigInt.asUintN(53, ino)) })
}

export async function follow(from: string): Promise<Target> {
  try {
    const real = await realpath(from)
    const stats = await lstat(real)
    if (stats.isFile()) return { kind: 'file', real }
    return stats.isDirectory() ? { kind: 'folder', real } : notAFile(stats)
  } catch (error) {
    if (!isAbsence(error)) return unsendable(error, from)
    // realpath reports the same for a link to nothing and for nothing.
    if (await exists(from)) {
      return { kind: 'unsendable', reason: 'link-broken', why: text`is a link to something that does not exist` }
    }
    return isUndecoded(from) ? notUtf8 : { kind: 'absent' }
  }
}

/** What is neither a file nor a link is not opened: opening a device can have an effect. */
export function notAFile(stats: Stats | Dirent): Unsendable {
  const what = stats.isDirectory()
    ? 'a folder'
    : stats.isFIFO()
      ? 'a named pipe'
      : stats.isSocket()
        ? 'a socket'
        : 'a device'
  return { kind: 'unsendable', reason: 'not-a-file', why: words(`is ${what}`) }
}

const notUtf8: Unsendable = {
  kind: 'unsendable',
  reason: 'name-not-utf8',
  why: text`has a name that is not valid UTF-8`,
}

// Node decodes the bytes of a name that are not UTF-8 as U+FFFD, and then finds no such file.
function isUndecoded(at: string): boolean {
  return path.basename(at).includes('\ufffd')
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(`${errorCode(error)}`)
}

/** What a failed look means at something that a folder was seen to hold. */
export function unsendable(error: unknown, at: string): Unsendable {
  if (isAbsence(error)) {
    return isUndecoded(at)
      ? notUtf8
      : { kind: 'unsendable', reason: 'unreadable', why: text`was removed while files were searched` }
  }
  return errorCode(error) === 'ELOOP'
    ? { kind: 'unsendable', reason: 'link-loop', why: text`is a link that leads back to itself` }
    : { kind: 'unsendable', reason: 'unreadable', why: whyUnreadable(error) }
}

/** Why something cannot be read, as the end of a sentence. */
export function whyUnreadable(error: unknown, platform = process.platform): Text {
  const found = errorCode(error)
  if (platform === 'win32' && found === 'EBUSY') return text`is open in another program, which locks it (${'EBUSY'})`
  if (platform === 'win32' && (found === 'EPERM' || found === 'EACCES')) {
    return text`cannot be read (${found}): another program has it open, or this user has no right to read it`
  }
  // Without the call and the path, which Node adds.
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return text`cannot be read (${String(message).replace(/, \w+( '.*')?$/s, '')})`
}

export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** Whether there is anything at this path, even a link to nothing. */
export async function exists(at: string): Promise<boolean> {
  return lstat(at).then(
    () => true,
    () => false,
  )
}

/** Names in a folder, unsorted, at most that many; undefined if it cannot be read. */
export async function someNames(folder: string, max: number): Promise<readonly string[] | undefined> {
  try {
    const names: string[] = []
    for await (const entry of await opendir(folder)) {
      names.push(entry.name)
      if (names.length === max) break
    }
    return names
  } catch {
    return undefined
  }
}

/** The path with the case that its names have on disk, as far as no link is in it. */
export function caseOnDisk(at: string, real: string): string {
  const names = at.split(path.sep)
  const onDisk = real.split(path.sep)
  for (let back = 1; back <= Math.min(names.length, onDisk.length); back++) {
    const name = onDisk.at(-back) ?? ''
    if (names.at(-back)?.toLowerCase() !== name.toLowerCase()) break
    names[names.length - back] = name
  }
  return names.join(path.sep)
}

/** Whether a path is that folder or lies below it. Both absolute, in the same spelling. */
export function isWithin(at: string, folder: string): boolean {
  return pathFrom(folder, at) !== undefined
}

/** The relative path from a folder to what lies below it, empty for the folder itself; undefined for all else. */
export function pathFrom(folder: string, at: string): string | undefined {
  // This is the usual case, and path.relative is slow for thousands of files.
  if (at.startsWith(`${folder}${path.sep}`)) return at.slice(folder.length + 1)
  const relative = path.relative(folder, at)
  const leadsOut = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  return leadsOut ? undefined : relative
}
