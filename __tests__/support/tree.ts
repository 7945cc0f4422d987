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
import type { FoundFiles } from '../../src/files/files.ts'
import { findFiles } from '../../src/files/find.ts'
import type { FindOptions } from '../../src/files/search-context.ts'
import { ProblemError } from '../../src/problem.ts'

/** Path → content, or a link when it begins with `-> `. A path that ends in `/` is an empty folder. */
export type Entries = Readonly<Record<string, string | Uint8Array>>

export const findOptions = (workspace: string): FindOptions => ({
  workspace,
  workingDirectory: workspace,
  includeHiddenFiles: false,
  method: 'files.upload',
  maxFiles: 50,
  commandFiles: [],
  token: '',
  signal: new AbortController().signal,
})

/** A workspace on disk, or any other folder, that is removed at the end of the test. */
export async function tree(entries: Entries = {}) {
  const root = realpathSync.native(mkdtempSync(path.join(tmpdir(), 'files-')))
  chmodSync(root, 0o755)
  // For thousands of files, waiting for each takes ten times as long.
  const add = async (more: Entries) => {
    // Links last: on Windows, the kind of a link is that of what it leads to when it is made.
    const linkIn = (content: string | Uint8Array) => /^-> (.*)/s.exec(typeof content === 'string' ? content : '')?.[1]
    const isLink = ([, content]: readonly [string, string | Uint8Array]) => linkIn(content) !== undefined
    const inOrder = Object.entries(more)
    const made = new Set<string>()
    const makeFolder = (folder: string) => {
      if (made.has(folder)) return
      refuseLinks(folder)
      mkdirSync(folder, { recursive: true })
      made.add(folder)
    }
    for (const [name, content] of [...inOrder.filter((one) => !isLink(one)), ...inOrder.filter(isLink)]) {
      const at = path.join(root, name)
      makeFolder(path.dirname(at))
      const link = linkIn(content)
      if (link !== undefined) symlinkSync(link, at)
      else if (name.endsWith('/')) makeFolder(at)
      else writeFileSync(at, content, { flag: 'wx' })
    }
  }
  await add(entries)
  const locked: string[] = []
  const find = (lines: string, options: Partial<FindOptions> = {}) =>
    findFiles(lines, { ...findOptions(root), ...options })
  return {
    root,
    /** The root as people read it: with `/`. */
    shownRoot: root.replaceAll(path.sep, '/'),
    add,
    /** Takes the right to read them away, until the end of the test. */
    lock: (...names: readonly string[]) => {
      for (const at of names.map((name) => path.join(root, name))) {
        chmodSync(at, 0)
        locked.unshift(at)
      }
    },
    find,
    /** `path` of the files found. */
    paths: async (lines: string, options?: Partial<FindOptions>) =>
      (await find(lines, options)).files.map((file) => file.path),
    /** The text of the `ProblemError` that the search ends in. */
    refusal: async (lines: string, options?: Partial<FindOptions>) => {
      const found = await find(lines, options).catch((error: unknown) => error)
      if (found instanceof ProblemError) return found.message
      throw found instanceof Error ? found : new Error(`Nothing was refused: ${JSON.stringify(found)}`)
    },
    [Symbol.asyncDispose]: async () => {
      // Nobody but root may remove what is in a folder without rights.
      for (const at of locked) chmodSync(at, 0o755)
      // A file that is still being closed keeps its folder on some file systems.
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A path through a link could lead out of the folder of the test. */
function refuseLinks(folder: string): void {
  if (!existsSync(folder)) refuseLinks(path.dirname(folder))
  else if (realpathSync.native(folder) !== folder) throw new Error(`${folder} leads through a link`)
}

/** The reason for each skipped file, by its path. */
export function reasons(found: FoundFiles): Record<string, string> {
  return Object.fromEntries(found.skipped.map(({ path, reason }) => [path, reason]))
}

/** Root may read everything, and gives that up for this. As root, `.ci/run` runs the tests that call it as both users. */
export async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
