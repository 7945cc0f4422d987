import { chmodSync } from 'node:fs'
import path from 'node:path'
import type { FoundFiles } from '../../src/files/files.ts'
import { findFiles } from '../../src/files/find.ts'
import type { FindOptions } from '../../src/files/search-context.ts'
import { ProblemError } from '../../src/problem.ts'
import { type Entries, makeFolder } from './folder.ts'

export type { Entries } from './folder.ts'

export const findOptions = (workspace: string): FindOptions => ({
  workspace,
  workingDirectory: '',
  includeHiddenFiles: false,
  skipEmptyFiles: false,
  maxFiles: 50,
  removeToken: String,
  signal: new AbortController().signal,
})

/** Entries of `a.csv empty/ link->a.csv a␣blank.csv`. A file's content is its path. */
const entriesOf = (names: string): Entries =>
  Object.fromEntries(
    names.split(' ').map((entry) => {
      const [name = '', target] = entry.replaceAll('␣', ' ').split('->')
      return [name, target === undefined ? name : `-> ${target}`]
    }),
  )

/** A workspace or other folder, removed after the test. */
export async function tree(entries: Entries | string = {}) {
  const { add, remove, root } = makeFolder(
    typeof entries === 'string' ? entriesOf(entries) : entries,
  )
  const locked: string[] = []
  const find = (lines: string, options: Partial<FindOptions> = {}) =>
    findFiles(lines, { ...findOptions(root), ...options })
  return {
    root,
    /** With `/` on every system. */
    shownRoot: root.replaceAll(path.sep, '/'),
    add: async (more: Entries) => add(more),
    /** Makes them unreadable until the end of the test. */
    lock: (...names: readonly string[]) => {
      for (const at of names.map((name) => path.join(root, name))) {
        chmodSync(at, 0)
        locked.unshift(at)
      }
    },
    find,
    /** Paths of found files. */
    paths: async (lines: string, options?: Partial<FindOptions>) =>
      (await find(lines, options)).files.map((file) => file.path),
    /** The text of the search's `ProblemError`. */
    refusal: async (lines: string, options?: Partial<FindOptions>) => {
      const found = await find(lines, options).catch((error: unknown) => error)
      if (found instanceof ProblemError) return found.message
      throw found instanceof Error
        ? found
        : new Error(`Nothing was refused: ${JSON.stringify(found)}`)
    },
    [Symbol.asyncDispose]: async () => {
      // Only root may empty a folder without rights.
      for (const at of locked) chmodSync(at, 0o755)
      remove()
    },
  }
}

/** Reasons for skipped files, by path. */
export function reasons(found: FoundFiles): Record<string, string> {
  return Object.fromEntries(found.skipped.map(({ path, reason }) => [path, reason]))
}

/** Drops root's rights for this. `.ci/run`, as root, runs the tests that call it as both users. */
export async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
