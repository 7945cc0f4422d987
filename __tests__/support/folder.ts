import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from '@jest/globals'

/** Path → content, or a link when it begins with `-> `. A path that ends in `/` is an empty folder. */
export type Entries = Readonly<Record<string, string | Uint8Array>>

/** A folder of its own below the system's temp folder. For thousands of files, waiting for each takes ten times as long. */
export function makeFolder(entries: Entries = {}) {
  const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'test-')))
  chmodSync(root, 0o755)
  const add = (more: Entries): void => {
    const made = new Set<string>()
    const make = (folder: string) => {
      if (made.has(folder)) return
      refuseLinks(folder)
      mkdirSync(folder, { recursive: true })
      made.add(folder)
    }
    // Links last: on Windows, the kind of a link is that of what it leads to when it is made.
    const inOrder = Object.entries(more).sort(([, one], [, other]) => Number(isLink(one)) - Number(isLink(other)))
    for (const [name, content] of inOrder) {
      const at = path.join(root, name)
      make(path.dirname(at))
      if (isLink(content)) symlinkSync(content.slice(linkMark.length), at)
      else if (name.endsWith('/')) make(at)
      else writeFileSync(at, content, { flag: 'wx' })
    }
  }
  add(entries)
  // A file that is still being closed keeps its folder on some file systems.
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  return { root, add, remove, [Symbol.dispose]: remove }
}

/** The path of a folder that all tests of a file share. It is removed after them. */
export function sharedFolder(entries?: Entries): string {
  const { remove, root } = makeFolder(entries)
  afterAll(remove)
  return root
}

const linkMark = '-> '
const isLink = (content: string | Uint8Array): content is string =>
  typeof content === 'string' && content.startsWith(linkMark)

/** A path through a link could lead out of the folder of the test. */
function refuseLinks(folder: string): void {
  if (!existsSync(folder)) refuseLinks(path.dirname(folder))
  else if (realpathSync.native(folder) !== folder) throw new Error(`${folder} leads through a link`)
}
