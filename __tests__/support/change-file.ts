// Loaded into the action by --import. Changes a file at an exact moment, after it was found or
// while it is sent.
import fs, {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface FileChange {
  /** Base name. */
  readonly file: string
  /**
   * Before the action opens it for the n-th time after finding it (0: when finding it), or then
   * between the first two reads.
   */
  readonly when: 'opened' | 'read'
  readonly time: number
  readonly to: keyof typeof changes
}

/** Options that let the file change while the action runs. */
export function withChange(change: FileChange) {
  return {
    nodeOptions: ['--import', import.meta.url],
    env: { CHANGE_FILE: JSON.stringify(change) },
  }
}

type Done = (error: Error | null, result?: number) => void

function watch({ file, time, to, when }: FileChange): void {
  const { open, read } = fs
  // The first opening finds the file.
  let opened = -1
  let watched: number | undefined
  const patched = {
    open(path: string, flags: number, done: Done) {
      const now = basename(path) === file && ++opened === time
      if (now && when === 'opened') changes[to](path)
      open(path, flags, (error, descriptor) => {
        if (now && when === 'read') watched = descriptor
        if (now) changed = path
        if (now && to.endsWith('for a moment')) restore(dirname(path))
        done(error, descriptor)
      })
    },
    read(
      descriptor: number,
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      done: Done,
    ) {
      read(descriptor, buffer, offset, length, position, (error, bytes) => {
        // Shorter reads only check whether the file has changed.
        if (descriptor === watched && length > 64 * 1024) {
          watched = undefined
          changes[to](changed)
        }
        done(error, bytes)
      })
    },
  }
  let changed = ''
  // Node's own `read` also names its promisified result.
  const readBytes = (...args: [number, Buffer, number, number, number]) =>
    new Promise((resolve, reject) => {
      patched.read(...args, (error, bytesRead) => (error ? reject(error) : resolve({ bytesRead })))
    })
  Object.assign(patched.read, { [promisify.custom]: readBytes })
  Object.assign(fs, patched)
  syncBuiltinESMExports()
}

/**
 * `in a linked folder`: its folder becomes a link to one outside the workspace, with another file
 * of this name. `for a moment`: only until the file is open.
 */
const changes = {
  'a link'(path: string) {
    rmSync(path)
    symlinkSync(process.execPath, path)
  },
  'the pipe beside it': (path: string) => renameSync(`${path}.pipe`, path),
  'in a linked folder'(path: string) {
    const outside = mkdtempSync(join(tmpdir(), 'test-'))
    process.on('exit', () => rmSync(outside, { recursive: true }))
    writeFileSync(join(outside, basename(path)), 'from outside the workspace')
    renameSync(dirname(path), `${dirname(path)}-moved`)
    symlinkSync(outside, dirname(path))
  },
  'in a linked folder for a moment': (path: string): void => changes['in a linked folder'](path),
  longer: (path: string) => appendFileSync(path, 'more'),
  'as long, with other bytes': (path: string) => writeFileSync(path, 'X', { flag: 'r+' }),
}

function restore(folder: string): void {
  rmSync(folder)
  renameSync(`${folder}-moved`, folder)
}

const given = process.env['CHANGE_FILE']
if (given !== undefined) watch(JSON.parse(given))
