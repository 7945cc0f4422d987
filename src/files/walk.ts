import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { follow, isWithin, notAFile, unsendable } from './disk.ts'
import { combined, type Exclusion, nextExclusion } from './exclusions.ts'
import type { SkipReason } from './files.ts'
import { whyCredentials } from './filter.ts'
import type { State } from './matcher.ts'
import type { SearchContext } from './search-context.ts'

/** Something that matches and may be a file to send. */
export interface Match {
  /** Absolute, as it was reached: what people recognize. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export interface Skipped {
  /** Absolute, as it was reached; ends in a separator if it is a whole folder. */
  readonly path: string
  readonly reason: SkipReason
  readonly why: Text
}

export interface Excluded {
  readonly path: string
  /** The line with `!`. */
  readonly line: string
}

export interface Walked {
  readonly matches: readonly Match[]
  readonly skipped: readonly Skipped[]
  readonly excluded: readonly Excluded[]
}

export interface Folder {
  readonly path: string
  readonly real: string
  readonly state: State
  readonly exclusion: Exclusion
  /** It is only searched for anything that matches. */
  readonly closed?: ClosedFolder
}

/** A hidden folder or one of credentials: it is reported, as a whole, if it holds something that matches. */
interface ClosedFolder extends Skipped {
  entriesLeft: number
}

/** The folder that links must not leave: its real path, and what people call it. */
export interface Boundary {
  readonly real: string
  readonly name: Text
}

const foldersAtOnce = 16
const maxEntriesInClosedFolder = 1000
// Of the files that match, some can still be skipped, or be the same file; but not so many.
const maxMatches = (maxFiles: number) => 2 * maxFiles + 5_000

/** All files below a folder that match. None of them is opened. */
export async function walk(context: SearchContext, start: Folder, boundary: Boundary): Promise<Walked> {
  const walker = new Walker(context, boundary, start.path)
  // Links come last, so that a folder is found by its own path where that matches too.
  for (let level = walker.withoutKnown([start]); level.length > 0; ) {
    const below = await pMap(level, (folder) => walker.list(folder), { concurrency: foldersAtOnce })
    level = walker.withoutKnown(below.flat())
    if (level.length === 0) level = walker.withoutKnown(walker.takeLinks())
  }
  return { matches: walker.matches, skipped: walker.skipped.sort(byPath), excluded: walker.excluded.sort(byPath) }
}

class Walker implements Walked {
  readonly matches: Match[] = []
  readonly skipped: Skipped[] = []
  readonly excluded: Excluded[] = []
  readonly #context: SearchContext
  readonly #boundary: Boundary
  readonly #root: string
  readonly #known = new Set<string>()
  #links: Folder[] = []

  constructor(context: SearchContext, boundary: Boundary, root: string) {
    this.#context = context
    this.#boundary = boundary
    this.#root = root
  }

  /** Linked folders can be reached in more ways than a disk has files: below two equal ones, the same is found. */
  withoutKnown(folders: readonly Folder[]): readonly Folder[] {
    return folders.filter(({ closed, exclusion, real, state }) => {
      const key = [closed?.path ?? '', state.id, exclusion.pending.map((rule) => rule.key), real].join('\0')
      const isNew = !this.#known.has(key)
      this.#known.add(key)
      return isNew
    })
  }

  takeLinks(): readonly Folder[] {
    const links = this.#links.sort(byPath)
    this.#links = []
    return links
  }

  /** Looks at the entries of a folder, and returns the folders in it to search. */
  async list(folder: Folder): Promise<readonly Folder[]> {
    const { checkpoint, disk, options } = this.#context
    await checkpoint()
    const entries = await disk.list(folder.real).catch((error: unknown) => {
      if (!folder.closed) this.#skip(`${folder.path}${path.sep}`, unsendable(error, folder.path))
      return []
    })
    if (folder.closed) return this.#listClosed(folder, folder.closed, entries)
    const folders: Folder[] = []
    for (const entry of entries) {
      await checkpoint()
      const state = folder.state.next(entry.name)
      if (!state.matches && !state.mayHold) continue
      const found = this.#visit(folder, entry, state)
      if (found) folders.push(found)
      else if (entry.isSymbolicLink()) await this.#visitLink(folder, entry, state)
    }
    if (this.matches.length > maxMatches(options.maxFiles)) throw tooManyMatches(this.#context, this.#root)
    return folders
  }

  /** A large folder is taken to hold something that matches. */
  #listClosed(folder: Folder, closed: ClosedFolder, entries: readonly Dirent[]): readonly Folder[] {
    if (closed.entriesLeft < 0) return []
    closed.entriesLeft -= entries.length
    const below = entries.map((entry) => ({ entry, state: folder.state.next(entry.name) }))
    if (closed.entriesLeft < 0 || below.some(({ entry, state }) => !entry.isDirectory() && state.matches)) {
      closed.entriesLeft = -1
      this.#skip(closed.path, closed)
      return []
    }
    return below
      .filter(({ entry, state }) => entry.isDirectory() && state.mayHold)
      .map(({ entry, state }) => ({ ...folder, real: path.join(folder.real, entry.name), state }))
  }

  /** Looks at an entry that is no link. Returns it if it is a folder to search. */
  #visit(folder: Folder, entry: Dirent, state: State): Folder | undefined {
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    if (isLink || !(isFolder ? state.mayHold : state.matches)) return undefined
    const at = path.join(folder.path, entry.name)
    const exclusion = nextExclusion(folder.exclusion, entry.name, isFolder)
    const real = path.join(folder.real, entry.name)
    if (exclusion.line !== undefined) this.excluded.push({ path: at, line: exclusion.line })
    else if (isFolder) return this.#enter({ path: at, real, state, exclusion })
    else if (state.matches === 'hidden') this.#skip(at, this.#whyHidden(at))
    else if (entry.isFile()) this.matches.push({ path: at, real })
    else this.#skip(at, notAFile(entry))
    return undefined
  }

  async #visitLink(folder: Folder, entry: Dirent, state: State): Promise<void> {
    const at = path.join(folder.path, entry.name)
    const { line } = nextExclusion(folder.exclusion, entry.name, false)
    if (line !== undefined) return void this.excluded.push({ path: at, line })
    if (state.matches === 'hidden') return this.#skip(at, this.#whyHidden(at))
    const target = await follow(path.join(folder.real, entry.name))
    if (target.kind === 'unsendable' && state.matches) this.#skip(at, target)
    const isFolder = target.kind === 'folder'
    if (!isFolder && (target.kind !== 'file' || !state.matches)) return
    const exclusion = combined([
      this.#context.exclusions.at([target.real], isFolder),
      nextExclusion(folder.exclusion, entry.name, isFolder),
    ])
    if (exclusion.line !== undefined) this.excluded.push({ path: at, line: exclusion.line })
    else if (!isWithin(target.real, this.#boundary.real)) this.#skip(at, leadsOutOf(this.#boundary))
    else if (!isFolder) this.matches.push({ path: at, real: target.real })
    else if (isWithin(folder.real, target.real)) {
      this.#skip(at, { reason: 'link-loop', why: text`is a link to a folder that contains it` })
    } else if (state.mayHold) {
      const linked = this.#enter({ path: at, real: target.real, state, exclusion })
      if (linked) this.#links.push(linked)
    }
  }

  #enter(folder: Folder): Folder | undefined {
    const isHidden = folder.state.mayHold !== 'visible'
    // Every checkout has a `.git`, and nobody means it.
    if (isHidden && path.basename(folder.path) === '.git') return undefined
    const why = isHidden ? 'is a hidden folder' : whyCredentials(`${this.#context.display(folder.path)}/`)
    if (why === undefined) return folder
    const reason = isHidden ? 'hidden' : 'credentials'
    const skipped = { path: `${folder.path}${path.sep}`, reason, why: words(why) } as const
    return { ...folder, closed: { ...skipped, entriesLeft: maxEntriesInClosedFolder } }
  }

  #whyHidden(at: string): Omit<Skipped, 'path'> {
    const why = whyCredentials(this.#context.display(at))
    return why === undefined
      ? { reason: 'hidden', why: text`is a hidden file` }
      : { reason: 'credentials', why: words(why) }
  }

  #skip(at: string, { reason, why }: Omit<Skipped, 'path'>): void {
    this.skipped.push({ path: at, reason, why })
  }
}

export function leadsOutOf(boundary: Boundary): Omit<Skipped, 'path'> {
  return { reason: 'link-outside', why: text`is a link that leads out of ${boundary.name}` }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path)
}

function tooManyMatches({ display, options: { maxFiles } }: SearchContext, root: string): ProblemError {
  return new ProblemError({
    title: 'More files than allowed',
    text: text`More than ${maxMatches(maxFiles)} files below ${display(root)} match, ${code('max-files')} allows ${maxFiles}.
Write a narrower pattern, or raise ${code('max-files')} if all of them are meant.`,
  })
}
