import { closeSync, constants, open, read, readlinkSync } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { constants as osConstants } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { fatal } from '../problem.ts'
import { type Text, text } from '../text/text.ts'
import type { NotSent } from './files.ts'

/** Where a path leads, links followed. */
export type Target =
  | { readonly kind: 'file' | 'folder'; readonly real: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly notSent: NotSent }

// Without O_NONBLOCK, a pipe in the place of the file would block a thread forever.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

const openDescriptor = promisify(open)
const readBytes = promisify(read)

/** A `FileHandle` takes 6 % more CPU time for 1,000 small files (November 2026). */
export async function openFile(real: string): Promise<number> {
  if (!kernelKnows && (await realpath(real)) !== real) throw replacedError()
  const descriptor = await openDescriptor(real, readFlags)
  const found = await Promise.try(() =>
    kernelKnows ? readlinkSync(`${openFiles}/${descriptor}`) : realpath(real),
  ).catch(() => undefined)
  if (found === real) return descriptor
  closeSync(descriptor)
  throw replacedError()
}

/** The filled part of the buffer, which is shorter at the end of the file. */
export async function readFully(
  descriptor: number,
  buffer: Buffer,
  position: number,
): Promise<Buffer> {
  for (let filled = 0; ; ) {
    const length = buffer.byteLength - filled
    const { bytesRead } = await readBytes(descriptor, buffer, filled, length, position + filled)
    filled += bytesRead
    if (bytesRead === 0 || filled === buffer.byteLength) return buffer.subarray(0, filled)
  }
}

/**
 * Only Linux knows where an open file is, and with `--permission`, Node may not ask. Otherwise, the
 * path is resolved before and after.
 */
const openFiles = '/proc/self/fd'
const kernelKnows = await exists(openFiles)

/** The folder may have become a symlink that points anywhere. */
function replacedError(): Error {
  return Object.assign(new Error('its folder was moved or replaced after it was found'), {
    code: 'EMOVED',
  })
}

export async function follow(from: string): Promise<Target> {
  try {
    const real = await realpath(from)
    const stats = await lstat(real)
    if (stats.isFile()) return { kind: 'file', real }
    if (stats.isDirectory()) return { kind: 'folder', real }
    return { kind: 'unusable', notSent: notAFile }
  } catch (error) {
    if (!isAbsence(error)) return { kind: 'unusable', notSent: classifyReadError(error) }
    // realpath fails in the same way for nothing and for a broken symlink.
    if (!(await exists(from))) return { kind: 'absent' }
    const why = text`is a broken symlink`
    return { kind: 'unusable', notSent: { reason: 'link-broken', why } }
  }
}

/** To open a device can have an effect. */
export const notAFile: NotSent = { reason: 'not-a-file', why: text`is not a regular file` }

/** Many patterns on one line are too long for a file name. */
function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(String(errorCode(error)))
}

const machineFaults: readonly (readonly [codes: string, remedy: Text])[] = [
  [
    'EMFILE ENFILE',
    text`Raise the limit of open files of the runner (\`ulimit -n\`), or end programs that keep files open.`,
  ],
  [
    'EIO ESTALE EBADMSG EUCLEAN ENOTCONN ETIMEDOUT EHOSTDOWN',
    text`Check the disk or the network drive, and run the job again.`,
  ],
  ['ENOMEM', text`The runner is out of memory. Is another process using it up?`],
  ['EAGAIN', text`End the program that locks it before this step, or send a copy.`],
]

export function refuseMachineFault(
  error: unknown,
  shown: string | Text = text`A file or a folder`,
): void {
  const [, remedy] =
    machineFaults.find(([codes]) => codes.split(' ').includes(String(errorCode(error)))) ?? []
  if (remedy === undefined) return
  const explanation = text`${shown} ${reasonUnreadable(error)}.\n${remedy}`
  throw fatal('The machine cannot read a file', explanation)
}

/**
 * @param shown the path as people read it
 * @throws ProblemError for a fault of the machine
 */
export function classifyReadError(error: unknown, shown?: string): NotSent {
  refuseMachineFault(error, shown)
  // Node reads a name that is not UTF-8 as another one.
  const gone = text`was removed while files were searched, or its name is not valid UTF-8`
  if (isAbsence(error)) return { reason: 'unreadable', why: gone }
  return errorCode(error) === 'ELOOP'
    ? { reason: 'link-broken', why: text`is a symlink that leads back to itself` }
    : { reason: 'unreadable', why: reasonUnreadable(error) }
}

/** The end of a sentence about something that cannot be read. */
export function reasonUnreadable(error: unknown): Text {
  const name = String(errorCode(error))
  if (process.platform === 'win32' && ['EBUSY', 'EPERM', 'EACCES'].includes(name)) {
    return text`cannot be read (${name}): another program has it open, or this user has no right to read it`
  }
  // Node adds the call and the path.
  const { message } = error as Error
  return text`cannot be read (${message.replace(/, \w+( '.*')?$/s, '').replace(/^Unknown system error .*/, name)})`
}

/** Node does not know EUCLEAN, a damaged file system on Linux. */
const errorNumbers: Readonly<Record<string, number>> = { EUCLEAN: 117, ...osConstants.errno }

/** To Node, ESTALE is `Unknown system error -116`. */
export function errorCode(error: unknown): unknown {
  const { code, errno = 0 } = error as NodeJS.ErrnoException
  if (!code?.startsWith('Unknown')) return code
  return Object.keys(errorNumbers).find((name) => errorNumbers[name] === -errno) ?? code
}

/** True for a broken link, too. */
export function exists(at: string): Promise<boolean> {
  return lstat(at).then(Boolean, () => false)
}

/** Returns the path itself if it leads nowhere. */
export function resolved(at: string): Promise<string> {
  return realpath(at).catch(() => at)
}

const thisDisk = {
  mayIgnoreCase: ['darwin', 'win32'].includes(process.platform),
  exists,
  readdir: (at: string) => readdir(at),
}

/** The path as the disk spells it, in case and in the form of `é`. Links are not resolved. */
export async function pathOnDisk(at: string, disk = thisDisk): Promise<string> {
  const isFound = await disk.exists(at)
  const mayDiffer = isFound ? disk.mayIgnoreCase : /[^\0-\x7f]/.test(at)
  if (!mayDiffer || path.dirname(at) === at) return at
  const folder = await pathOnDisk(path.dirname(at), disk)
  const name = path.basename(at)
  const names: readonly string[] = await disk.readdir(folder).catch((error: unknown) => {
    refuseMachineFault(error)
    return []
  })
  const inOtherForm = names.find((other) => other.normalize('NFC') === name.normalize('NFC'))
  const inOtherCase = names.find((other) => isFound && other.toLowerCase() === name.toLowerCase())
  return path.join(folder, names.includes(name) ? name : (inOtherForm ?? inOtherCase ?? name))
}

/** Also the folder itself. Both paths are absolute, in the same spelling. */
export function isWithin(at: string, folder: string): boolean {
  return pathFrom(folder, at) !== undefined
}

/** The relative path: empty for the folder itself, undefined outside of it. */
export function pathFrom(folder: string, at: string): string | undefined {
  // path.relative is slow for thousands of files.
  if (at.startsWith(`${folder}${path.sep}`)) return at.slice(folder.length + 1)
  const relative = path.relative(folder, at)
  const leadsOut =
    relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  return leadsOut ? undefined : relative
}
