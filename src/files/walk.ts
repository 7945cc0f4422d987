import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { text } from '../text/text.ts'
import { type Match, reasonForPath } from './allowed.ts'
import { follow, ignoreCase, isWithin, reasonNotAFile, reasonNotFound, resolved, type Target } from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import { combined, type Exclusion, exclusionAt, initialState, nextExclusion, type State, stateAt } from './matcher.ts'
import type { Pattern } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { tooManyFiles } from './search-problems.ts'

interface Folder extends Match {
  readonly state: State
  /** The state if wildcards match no leading dot, unless hidden files are wanted. */
  readonly visible: State
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
  const stateAtRoot = (dot: boolean) => stateAt(initialState({ root, segments: below }, { dot, ignoreCase }), root)
  const state = stateAtRoot(true)
  const visible = context.options.includeHiddenFiles ? state : stateAtRoot(false)
  const walker = new Walker(context, await startOf(context, root, target))
  const forEach = async (folders: readonly Folder[], look: (folder: Folder) => Promise<readonly Folder[]>) =>
    (await pMap(folders, look, { concurrency: foldersAtOnce })).flat()
  const exclusion = exclusionAt(context.exclusion, path.dirname(root), true)
  const start = { path: root, real: root, state, visible, exclusion }
  for (let level = walker.resolve(start, target); level.length > 0; ) {
    level = await forEach(level, (folder) => walker.search(folder))
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

  /** Looks at the entries of a folder, and returns the folders in it to search. */
  async search(folder: Folder): Promise<readonly Folder[]> {
    const { checkpoint, display, entriesOf } = this.#context
    // What bounds a walk through links is the identity of a state: with `a -> .`, the pattern and the exclusions stand in
    // `a/a/a` where they stood in `a/a`, and the folder is the same.
    const states = [folder.state, folder.visible, ...folder.exclusion.pending].map(({ id }) => id)
    const key = JSON.stringify([states, folder.real])
    if (this.#searched.has(key)) return []
    this.#searched.add(key)
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
    const { name } = entry
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const state = folder.state.next(name)
    if (!state.matches && !(state.mayHold && (isFolder || isLink))) return []
    const item = {
      path: path.join(folder.path, name),
      real: path.join(folder.real, name),
      state,
      visible: folder.visible.next(name),
      exclusion: isLink ? folder.exclusion : nextExclusion(folder.exclusion, name, isFolder),
    }
    if (!isLink) return this.#take(item, isFolder, isFolder || entry.isFile() ? undefined : reasonNotAFile(entry))
    this.links.push(item)
    return []
  }

  /** Returns the folder that a link, or the beginning of a pattern, leads to, if it is to be searched. */
  resolve(link: Folder, target: Target): readonly Folder[] {
    const isFolder = target.kind === 'folder'
    const real = 'real' in target ? target.real : link.real
    const exclusion = combined([
      exclusionAt(this.#context.exclusion, real, isFolder),
      nextExclusion(link.exclusion, path.basename(link.path), isFolder),
    ])
    return this.#take({ ...link, real, exclusion }, isFolder, this.#reasonForLink(link, target))
  }

  /** A link leads to a folder that contains it, or to something hidden, below the deepest folder that it shares with the start. */
  #reasonForLink(link: Match, target: Target): NotSent | undefined {
    if ('reason' in target) return target
    const { realRoot, root } = this.#start
    if (!('real' in target) || link.path === root) return undefined
    const { real } = target
    if (isWithin(link.real, real)) return { reason: 'link-broken', why: text`is a link to a folder that contains it` }
    const names = path.relative(realRoot, real).split(path.sep)
    const isHidden = names.some((name) => name.startsWith('.') && name !== '..')
    if (!isHidden || this.#context.options.includeHiddenFiles) return undefined
    return { reason: 'link-hidden', why: text`is a link to ${this.#context.display(real)}, which is hidden` }
  }

  /** Adds a file that matches. Returns a folder that may hold one. */
  #take(item: Folder, isFolder: boolean, otherwise: NotSent | undefined): readonly Folder[] {
    const { boundary, root } = this.#start
    const { display, options } = this.#context
    const { path: at, real, state, visible } = item
    const question = isFolder ? 'mayHold' : 'matches'
    // Every checkout has a `.git`, and nobody means it.
    if (at !== root && (!state[question] || (isFolder && path.basename(at) === '.git'))) return []
    const candidate = { ...item, boundary, isFolder, isHidden: state[question] !== visible[question] }
    const notSent = reasonForPath(this.#context, candidate) ?? otherwise
    if (notSent) {
      this.#skip(isFolder && ['hidden', 'credentials'].includes(notSent.reason) ? `${at}${path.sep}` : at, notSent)
      return []
    }
    if (isFolder) return [item]
    // Files that are skipped or the same do not count for `max-files`. Beyond this many matches, memory matters more.
    const max = 2 * options.maxFiles + 5_000
    if (this.matches.push({ path: at, real }) <= max) return []
    throw tooManyFiles(text`More than ${max} files below ${display(root)} match`, options.maxFiles)
  }

  #skip(at: string, notSent: NotSent): void {
    this.skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
