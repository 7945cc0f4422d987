import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { code, text, words } from '../text/text.ts'
import { credential, reasonByName } from './credentials.ts'
import { follow, isWithin, reasonNotAFile, reasonNotFound } from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import type { State } from './matcher.ts'
import { combined, type Exclusion, exclusionAt, nextExclusion } from './matcher.ts'
import type { SearchContext } from './search-context.ts'

/** Something that matches and may be a file to send. */
export interface Match {
  /** Absolute, as it was reached: what people recognize. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export interface Walked {
  readonly matches: readonly Match[]
  readonly skipped: readonly SkippedFile[]
}

export interface Folder extends Match {
  readonly state: State
  readonly exclusion: Exclusion
  /** It is only searched for anything that matches. */
  readonly closed?: ClosedFolder
}

/** A hidden folder or one of credentials: it is reported, as a whole, if it holds something that matches. */
interface ClosedFolder extends SkippedFile {
  entriesLeft: number
}

const foldersAtOnce = 16
const maxEntriesInClosedFolder = 1000

/**
 * All files below a folder that match. None of them is opened.
 *
 * @param boundary the real path of the folder that links must not leave
 */
export async function walk(context: SearchContext, start: Folder, boundary: string): Promise<Walked> {
  const walker = new Walker(context, boundary, start.path)
  const forEach = async (folders: readonly Folder[], look: (folder: Folder) => Promise<readonly Folder[]>) =>
    (await pMap(folders, look, { concurrency: foldersAtOnce })).flat()
  for (let level = [start]; level.length > 0; ) {
    level = await forEach(walker.withoutKnown(level), (folder) => walker.list(folder))
    // Links come last, so that a folder is found by its own path where that matches too.
    if (level.length === 0) level = await forEach(walker.links.splice(0).sort(byPath), (link) => walker.follow(link))
  }
  return { matches: walker.matches, skipped: walker.skipped.sort(byPath) }
}

class Walker implements Walked {
  readonly matches: Match[] = []
  readonly skipped: SkippedFile[] = []
  readonly #context: SearchContext
  readonly #boundary: string
  readonly #root: string
  readonly #known = new Set<string>()
  /** To files and folders, each with the exclusion of the folder that it is in. */
  readonly links: Folder[] = []

  constructor(context: SearchContext, boundary: string, root: string) {
    this.#context = context
    this.#boundary = boundary
    this.#root = root
  }

  /** Linked folders can be reached in more ways than a disk has files: below two equal ones, the same is found. */
  withoutKnown(folders: readonly Folder[]): readonly Folder[] {
    return folders.filter(({ closed, exclusion, real, state }) => {
      const states = [state, ...exclusion.pending].map(({ id }) => id)
      const key = JSON.stringify([closed?.path, states, real])
      const isNew = !this.#known.has(key)
      this.#known.add(key)
      return isNew
    })
  }

  /** Looks at the entries of a folder, and returns the folders in it to search. */
  async list(folder: Folder): Promise<readonly Folder[]> {
    const { checkpoint, list } = this.#context
    await checkpoint()
    const entries = await list(folder.real).catch((error: unknown) => {
      if (!folder.closed) this.#skip(`${folder.path}${path.sep}`, reasonNotFound(error, folder.path))
      return []
    })
    if (folder.closed) return this.#listClosed(folder, folder.closed, entries)
    const folders: Folder[] = []
    for (const entry of entries) {
      await checkpoint()
      folders.push(...this.#visit(folder, entry))
    }
    return folders
  }

  /** A large folder is taken to hold something that matches. */
  #listClosed(folder: Folder, closed: ClosedFolder, entries: readonly Dirent[]): readonly Folder[] {
    if (closed.entriesLeft < 0) return []
    closed.entriesLeft -= entries.length
    const below = entries.map((entry) => ({ entry, state: folder.state.next(entry.name) }))
    if (closed.entriesLeft < 0 || below.some(({ entry, state }) => !entry.isDirectory() && state.matches)) {
      closed.entriesLeft = -1
      const { entriesLeft, ...skipped } = closed
      this.skipped.push(skipped)
      return []
    }
    return below
      .filter(({ entry, state }) => entry.isDirectory() && state.mayHold)
      .map(({ entry, state }) => ({ ...folder, real: path.join(folder.real, entry.name), state }))
  }

  #visit(folder: Folder, entry: Dirent): readonly Folder[] {
    const state = folder.state.next(entry.name)
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const isWanted = (!isFolder && state.matches) || ((isFolder || isLink) && state.mayHold)
    if (!isWanted) return []
    const at = path.join(folder.path, entry.name)
    const real = path.join(folder.real, entry.name)
    const exclusion = nextExclusion(folder.exclusion, entry.name, isFolder)
    if (exclusion.notSent) this.#skip(at, exclusion.notSent)
    else if (isFolder) return this.#enter({ path: at, real, state, exclusion })
    else if (state.matches === 'hidden') this.#skip(at, this.#hiddenFile(at))
    else if (isLink) this.links.push({ path: at, real, state, exclusion: folder.exclusion })
    else if (entry.isFile()) this.#match(at, real)
    else this.#skip(at, reasonNotAFile(entry))
    return []
  }

  /** Returns the folder that a link leads to, if it is to be searched. */
  async follow(link: Folder): Promise<readonly Folder[]> {
    const { path: at, real, state } = link
    const target = await follow(real)
    const isFolder = target.kind === 'folder'
    if (!isFolder && !state.matches) return []
    if ('reason' in target) this.#skip(at, target)
    if (!('real' in target)) return []
    const exclusion = combined([
      exclusionAt(this.#context.exclusion, [target.real], isFolder),
      nextExclusion(link.exclusion, path.basename(at), isFolder),
    ])
    if (exclusion.notSent) this.#skip(at, exclusion.notSent)
    else if (!isWithin(target.real, this.#boundary)) this.#skip(at, leadsOutOf(this.#context, this.#boundary))
    else if (!isFolder) this.#match(at, target.real)
    else if (isWithin(real, target.real)) {
      this.#skip(at, { reason: 'link-loop', why: text`is a link to a folder that contains it` })
    } else if (state.mayHold) return this.#enter({ path: at, real: target.real, state, exclusion })
    return []
  }

  #enter(folder: Folder): readonly Folder[] {
    const isHidden = folder.state.mayHold !== 'visible'
    // Every checkout has a `.git`, and nobody means it.
    if (isHidden && path.basename(folder.path) === '.git') return []
    const shown = `${this.#context.display(folder.path)}/`
    const byName = isHidden ? undefined : reasonByName(shown)
    const why = isHidden ? hidden('folder') : byName && credential(byName)
    return [why ? { ...folder, closed: { path: shown, ...why, entriesLeft: maxEntriesInClosedFolder } } : folder]
  }

  #hiddenFile(at: string): NotSent {
    const byName = reasonByName(this.#context.display(at))
    return byName ? credential(byName) : hidden('file')
  }

  #match(at: string, real: string): void {
    // Files that are skipped or the same do not count for `max-files`. Beyond this many matches, memory matters more.
    const max = 2 * this.#context.options.maxFiles + 5_000
    if (this.matches.push({ path: at, real }) > max) throw tooManyMatches(this.#context, this.#root, max)
  }

  #skip(at: string, notSent: NotSent): void {
    this.skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

function hidden(what: string): NotSent {
  return { reason: 'hidden', why: words(`is a hidden ${what}`) }
}

export function leadsOutOf({ nameOf }: SearchContext, boundary: string): NotSent {
  return { reason: 'link-outside', why: text`is a link that leads out of ${nameOf(boundary)}` }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}

function tooManyMatches({ display, options }: SearchContext, root: string, max: number): ProblemError {
  return new ProblemError({
    title: 'More files than allowed',
    text: text`More than ${max} files below ${display(root)} match, ${code('max-files')} allows ${options.maxFiles}.
Write a narrower pattern, or raise ${code('max-files')} if all of them are meant.`,
  })
}
