import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'

/**
 * Path → content, or the target of a link after `-> `. A path that ends in `/` is an empty folder.
 */
export type Entries = Readonly<Record<string, string | Uint8Array>>

/**
 * Makes a folder below the system's temp folder. Synchronous, because awaiting thousands of files
 * takes ten times as long.
 */
export function makeFolder(entries: Entries = {}, root = newPath()) {
  mkdirSync(root)
  const add = (more: Entries): void => {
    const made = new Set<string>()
    const make = (folder: string) => {
      if (made.has(folder)) return
      refuseLinks(folder)
      mkdirSync(folder, { recursive: true })
      made.add(folder)
    }
    // Links last, because on Windows their kind is that of their target at the time.
    const inOrder = Object.entries(more).sort(
      ([, one], [, other]) => Number(isLink(one)) - Number(isLink(other)),
    )
    for (const [name, content] of inOrder) {
      const at = path.join(root, name)
      make(path.dirname(at))
      if (isLink(content)) symlinkSync(content.slice(linkMark.length), at)
      else if (name.endsWith('/')) make(at)
      else writeFileSync(at, content, { flag: 'wx' })
    }
  }
  add(entries)
  // On some file systems, a file that is being closed keeps its folder.
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  return { root, add, remove, [Symbol.dispose]: remove }
}

/** The path of a folder for all tests of a file, removed after the last. */
export function sharedFolder(entries?: Entries): string {
  const root = newPath()
  let remove = () => {}
  beforeAll(() => {
    remove = makeFolder(entries, root).remove
  })
  afterAll(() => remove())
  return root
}

/**
 * Thousands of empty files. Each thousand is one file with hard links (NTFS allows 1,023), because
 * separate files would take seconds.
 */
export function addManyFiles(root: string, count: number, pathOf: (index: number) => string): void {
  const at = (index: number) => path.join(root, pathOf(index))
  for (let index = 0; index < count; index += 1) {
    mkdirSync(path.dirname(at(index)), { recursive: true })
    const first = index - (index % 1_000)
    if (index === first) writeFileSync(at(index), '')
    else linkSync(at(first), at(index))
  }
}

const newPath = () => path.join(realpathSync.native(tmpdir()), `test-${randomUUID()}`)

const linkMark = '-> '
const isLink = (content: string | Uint8Array): content is string =>
  typeof content === 'string' && content.startsWith(linkMark)

/** A link in the path could lead out of the test's folder. */
function refuseLinks(folder: string): void {
  if (!existsSync(folder)) refuseLinks(path.dirname(folder))
  else if (realpathSync.native(folder) !== folder) throw new Error(`${folder} leads through a link`)
}
