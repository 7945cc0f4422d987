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

export interface Walked {
  readonly matches: readonly Match[]
  readonly skipped: readonly SkippedFile[]
}

interface Folder extends Match {
  readonly state: State
  readonly exclusion: Exclusion
}

const foldersAtOnce = 8

/** Everything that a pattern matches. No file of it is opened. */
export async function walk(context: SearchContext, pattern: Pattern): Promise<Walked> {
  const { foldersOnly, root, segments } = pattern
  const target = await follow(root)
  const isFile = target.kind === 'file'
  // A wildcard with `/` at its end matches folders, and only files are sent.
  const isNothing = target.kind === 'absent' || (segments.length > 0 ? foldersOnly || isFile : foldersOnly && isFile)
  if (isNothing) return { matches: [], skipped: [] }
  const below = segments.length === 0 && !isFile ? ['**'] : segments
  const matcher = new Matcher({ root, segments: below }, { dot: context.options.includeHiddenFiles, ignoreCase })
  const realRoot = 'real' in target ? target.real : root
  const walker = new Walker(context, { root, realRoot, boundary: await boundaryOf(context, root, target) })
  const start = { path: root, real: root, state: matcher.at(root) }
  const forEach = async (folders: readonly Folder[], look: (folder: Folder) => Promise<readonly Folder[]>) =>
    (await pMap(folders, look, { concurrency: foldersAtOnce })).flat()
  const exclusion = exclusionAt(context.exclusion, path.dirname(root), true)
  for (let level = walker.arrive({ ...start, exclusion }, target); level.length > 0; ) {
    level = await forEach(walker.withoutKnown(level), (folder) => walker.list(folder))
    // Links come last, so that a folder is found by its own path where that matches too.
    if (level.length > 0) continue
    level = await forEach(walker.links.splice(0).sort(byPath), async (link) =>
      walker.arrive(link, await follow(link.real)),
    )
  }
  const { matches, skipped } = walker
  return { matches, skipped: skipped.sort(byPath) }
}

/** The folder that links must not leave. */
async function boundaryOf({ options, realWorkspace }: SearchContext, root: string, target: Target): Promise<string> {
  if (!('real' in target)) return root
  const belongsToWorkspace = [root, target.real].some((at) =>
    [options.workspace, realWorkspace].some((folder) => isWithin(at, folder)),
  )
  if (belongsToWorkspace) return realWorkspace
  return target.kind === 'file' ? resolved(path.dirname(root)) : target.real
}

/** Where the search begins: the folder before the first wildcard. */
interface Start {
  readonly root: string
  /** Links resolved. */
  readonly realRoot: string
  /** The folder that links must not leave. */
  readonly boundary: string
}

class Walker implements Walked {
  readonly matches: Match[] = []
  readonly skipped: SkippedFile[] = []
  readonly #context: SearchContext
  readonly #start: Start
  readonly #known = new Set<string>()
  /** To files and folders, each with the exclusion of the folder that it is in. */
  readonly links: Folder[] = []

  constructor(context: SearchContext, start: Start) {
    this.#context = context
    this.#start = start
  }

  /** Linked folders can be reached in more ways than a disk has files: below two equal ones, the same is found. */
  withoutKnown(folders: readonly Folder[]): readonly Folder[] {
    return folders.filter(({ exclusion, real, state }) => {
      const states = [state, ...exclusion.pending].map(({ id }) => id)
      const key = JSON.stringify([states, real])
      const isNew = !this.#known.has(key)
      this.#known.add(key)
      return isNew
    })
  }

  /** Looks at the entries of a folder, and returns the folders in it to search. */
  async list(folder: Folder): Promise<readonly Folder[]> {
    const { checkpoint, display, entriesOf } = this.#context
    await checkpoint()
    const entries = await entriesOf(folder.real).catch((error: unknown) => {
      this.#skip(`${folder.path}${path.sep}`, reasonNotFound(error, display(folder.path)))
      return []
    })
    const folders: Folder[] = []
    for (const entry of entries) {
      await checkpoint()
      folders.push(...this.#visit(folder, entry))
    }
    return folders
  }

  #visit(folder: Folder, entry: Dirent): readonly Folder[] {
    const state = folder.state.next(entry.name)
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const isWanted = (!isFolder && state.matches) || ((isFolder || isLink) && state.mayHold)
    if (!isWanted) return []
    const found = { path: path.join(folder.path, entry.name), real: path.join(folder.real, entry.name), state }
    if (isLink) {
      this.links.push({ ...found, exclusion: folder.exclusion })
      return []
    }
    const exclusion = nextExclusion(folder.exclusion, entry.name, isFolder)
    return this.#admit(
      { ...found, exclusion },
      isFolder,
      isFolder || entry.isFile() ? undefined : reasonNotAFile(entry),
    )
  }

  /** Returns the folder that a link, or the beginning of a pattern, leads to, if it is to be searched. */
  arrive(link: Folder, target: Target): readonly Folder[] {
    const { path: at, state } = link
    const isFolder = target.kind === 'folder'
    if (!isFolder && !state.matches && at !== this.#start.root) return []
    const real = 'real' in target ? target.real : link.real
    const exclusion = combined([
      exclusionAt(this.#context.exclusion, real, isFolder),
      nextExclusion(link.exclusion, path.basename(at), isFolder),
    ])
    const isLoop = isFolder && at !== this.#start.root && isWithin(link.real, real)
    const loop: NotSent = { reason: 'link-broken', why: text`is a link to a folder that contains it` }
    const otherwise = 'reason' in target ? target : isLoop ? loop : this.#reasonForHidden(link, real)
    return this.#admit({ ...link, real, exclusion }, isFolder, otherwise)
  }

  /** A link that a wildcard matches leads to something hidden, below the deepest folder that it shares with the start. */
  #reasonForHidden({ path: at }: Match, real: string): NotSent | undefined {
    const { realRoot, root } = this.#start
    const names = path.relative(realRoot, real).split(path.sep)
    const isHidden = names.some((name) => name.startsWith('.') && name !== '..')
    if (!isHidden || at === root || this.#context.options.includeHiddenFiles) return undefined
    return { reason: 'link-hidden', why: text`is a link to ${this.#context.display(real)}, which is hidden` }
  }

  /** Matches a file, and returns a folder that is to be searched, unless it must not be sent. */
  #admit(found: Folder, isFolder: boolean, otherwise: NotSent | undefined): readonly Folder[] {
    const { path: at, state } = found
    const isHidden = (isFolder ? state.mayHold : state.matches) === 'hidden'
    // Every checkout has a `.git`, and nobody means it.
    const isGit = path.basename(at) === '.git' && at !== this.#start.root
    if (isFolder && (!state.mayHold || isGit)) return []
    const candidate = { ...found, isFolder, isHidden, boundary: this.#start.boundary }
    const notSent = reasonForPath(this.#context, candidate) ?? otherwise
    if (notSent === undefined && isFolder) return [found]
    if (notSent === undefined) this.#match(found)
    else this.#skip(isFolder && ['hidden', 'credentials'].includes(notSent.reason) ? `${at}${path.sep}` : at, notSent)
    return []
  }

  #match({ path: at, real }: Match): void {
    const { display, options } = this.#context
    // Files that are skipped or the same do not count for `max-files`. Beyond this many matches, memory matters more.
    const max = 2 * options.maxFiles + 5_000
    if (this.matches.push({ path: at, real }) <= max) return
    throw tooManyFiles(text`More than ${max} files below ${display(this.#start.root)} match`, options.maxFiles)
  }

  #skip(at: string, notSent: NotSent): void {
    this.skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
