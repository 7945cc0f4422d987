import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { text } from '../text/text.ts'
import { type Match, reasonForPath } from './allowed.ts'
import { follow, ignoreCase, isWithin, reasonNotAFile, reasonNotFound, resolved, type Target } from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import { combined, type Exclusion, exclusionAt, Matcher, nextExclusion, type State } from './matcher.ts'
import type { Pattern } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { tooManyFiles } from './search-problems.ts'

interface Folder extends Match {
  readonly state: State
  readonly exclusion: Exclusion
}

const foldersAtOnce = 8

/** Everything that a pattern matches. No file of it is opened. */
export async function walk(context: SearchContext, pattern: Pattern) {
  const { foldersOnly, root, segments } = pattern
  const target = await follow(root)
  const isFile = target.kind === 'file'
  // A wildcard with `/` at its end matches folders, and only files are sent.
  const isNothing = target.kind === 'absent' || (segments.length > 0 ? foldersOnly || isFile : foldersOnly && isFile)
  if (isNothing) return { matches: [], skipped: [] }
  const below = segments.length === 0 && !isFile ? ['**'] : segments
  const matcher = new Matcher({ root, segments: below }, { dot: context.options.includeHiddenFiles, ignoreCase })
  const walker = new Walker(context, await startOf(context, root, target))
  const forEach = async (folders: readonly Folder[], look: (folder: Folder) => Promise<readonly Folder[]>) =>
    (await pMap(folders, look, { concurrency: foldersAtOnce })).flat()
  const exclusion = exclusionAt(context.exclusion, path.dirname(root), true)
  const start = { path: root, real: root, state: matcher.at(root), exclusion }
  for (let level = walker.resolve(start, target); level.length > 0; ) {
    level = await forEach(walker.notSearched(level), (folder) => walker.search(folder))
    // Links come last, so that a folder is found by its own path where that matches too.
    if (level.length > 0) continue
    const links = walker.links.splice(0).sort(byPath)
    level = await forEach(links, async (link) => walker.resolve(link, await follow(link.real)))
  }
  const { matches, skipped } = walker
  return { matches, skipped: skipped.sort(byPath) }
}

/** Where the search begins, links resolved, and the folder that links must not leave. */
async function startOf({ options, realWorkspace }: SearchContext, root: string, target: Target) {
  if (!('real' in target)) return { root, realRoot: root, boundary: root }
  const { kind, real: realRoot } = target
  const folders = [options.workspace, realWorkspace]
  const isInWorkspace = [root, realRoot].some((at) => folders.some((folder) => isWithin(at, folder)))
  const own = kind === 'file' ? await resolved(path.dirname(root)) : realRoot
  return { root, realRoot, boundary: isInWorkspace ? realWorkspace : own }
}

class Walker {
  readonly matches: Match[] = []
  readonly skipped: SkippedFile[] = []
  readonly #context: SearchContext
  readonly #start: Awaited<ReturnType<typeof startOf>>
  readonly #searched = new Set<string>()
  /** To files and folders, each with the exclusion of the folder that it is in. */
  readonly links: Folder[] = []

  constructor(context: SearchContext, start: Awaited<ReturnType<typeof startOf>>) {
    this.#context = context
    this.#start = start
  }

  /**
   * What bounds a walk through links is the identity of a state: with `a -> .`, the pattern and the exclusions stand in `a/a/a` where
   * they stood in `a/a`, and the folder is the same.
   */
  notSearched(folders: readonly Folder[]): readonly Folder[] {
    return folders.filter(({ exclusion, real, state }) => {
      const states = [state, ...exclusion.pending].map(({ id }) => id)
      const key = JSON.stringify([states, real])
      const isNew = !this.#searched.has(key)
      this.#searched.add(key)
      return isNew
    })
  }

  /** Looks at the entries of a folder, and returns the folders in it to search. */
  async search(folder: Folder): Promise<readonly Folder[]> {
    const { checkpoint, display, entriesOf } = this.#context
    await checkpoint()
    const entries = await entriesOf(folder.real).catch((error: unknown) => {
      this.#skip(`${folder.path}${path.sep}`, reasonNotFound(error, display(folder.path)))
      return []
    })
    const folders: Folder[] = []
    for (const entry of entries) {
      await checkpoint()
      folders.push(...this.#sort(folder, entry))
    }
    return folders
  }

  /** Tells files, folders and links apart. Returns the entry if it is a folder to search. */
  #sort(folder: Folder, entry: Dirent): readonly Folder[] {
    const state = folder.state.next(entry.name)
    const isFolder = entry.isDirectory()
    const item = { path: path.join(folder.path, entry.name), real: path.join(folder.real, entry.name), state }
    if (entry.isSymbolicLink()) {
      if (state.matches || state.mayHold) this.links.push({ ...item, exclusion: folder.exclusion })
      return []
    }
    const exclusion = nextExclusion(folder.exclusion, entry.name, isFolder)
    if (isFolder) return this.#mayHold({ ...item, exclusion })
    if (state.matches) this.#matches({ ...item, exclusion }, entry.isFile() ? undefined : reasonNotAFile(entry))
    return []
  }

  /** Returns the folder that a link, or the beginning of a pattern, leads to, if it is to be searched. */
  resolve(link: Folder, target: Target): readonly Folder[] {
    const { path: at, state } = link
    const isFolder = target.kind === 'folder'
    if (!isFolder && !state.matches && at !== this.#start.root) return []
    const real = 'real' in target ? target.real : link.real
    const exclusion = combined([
      exclusionAt(this.#context.exclusion, real, isFolder),
      nextExclusion(link.exclusion, path.basename(at), isFolder),
    ])
    const reason = 'reason' in target ? target : undefined
    const otherwise = 'real' in target ? this.#reasonForLink(link, real) : reason
    if (isFolder) return this.#mayHold({ ...link, real, exclusion }, otherwise)
    this.#matches({ ...link, real, exclusion }, otherwise)
    return []
  }

  /** A link leads to a folder that contains it, or to something hidden, below the deepest folder that it shares with the start. */
  #reasonForLink(link: Match, real: string): NotSent | undefined {
    const { realRoot, root } = this.#start
    if (link.path === root) return undefined
    if (isWithin(link.real, real)) return { reason: 'link-broken', why: text`is a link to a folder that contains it` }
    const names = path.relative(realRoot, real).split(path.sep)
    const isHidden = names.some((name) => name.startsWith('.') && name !== '..')
    if (!isHidden || this.#context.options.includeHiddenFiles) return undefined
    return { reason: 'link-hidden', why: text`is a link to ${this.#context.display(real)}, which is hidden` }
  }

  /** Returns the folder, if it is to be searched. */
  #mayHold(folder: Folder, otherwise?: NotSent): readonly Folder[] {
    const { boundary, root } = this.#start
    const { path: at, state } = folder
    // Every checkout has a `.git`, and nobody means it.
    if (!state.mayHold || (path.basename(at) === '.git' && at !== root)) return []
    const candidate = { ...folder, boundary, isFolder: true, isHidden: state.mayHold === 'hidden' }
    const notSent = reasonForPath(this.#context, candidate) ?? otherwise
    if (notSent === undefined) return [folder]
    this.#skip(['hidden', 'credentials'].includes(notSent.reason) ? `${at}${path.sep}` : at, notSent)
    return []
  }

  #matches(file: Folder, otherwise: NotSent | undefined): void {
    const { boundary, root } = this.#start
    const { display, options } = this.#context
    const candidate = { ...file, boundary, isFolder: false, isHidden: file.state.matches === 'hidden' }
    const notSent = reasonForPath(this.#context, candidate) ?? otherwise
    if (notSent) {
      this.#skip(file.path, notSent)
      return
    }
    // Files that are skipped or the same do not count for `max-files`. Beyond this many matches, memory matters more.
    const max = 2 * options.maxFiles + 5_000
    if (this.matches.push({ path: file.path, real: file.real }) <= max) return
    throw tooManyFiles(text`More than ${max} files below ${display(root)} match`, options.maxFiles)
  }

  #skip(at: string, notSent: NotSent): void {
    this.skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
