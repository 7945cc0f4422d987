import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { text } from '../text/text.ts'
import { type Match, reasonForPath, type WalkContext } from './allowed.ts'
import {
  classifyReadError,
  follow,
  ignoreCase,
  isWithin,
  notAFile,
  resolved,
  type Target,
} from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import {
  type Exclusion,
  exclusionAt,
  initialState,
  nextExclusion,
  type State,
  stateAt,
} from './matcher.ts'
import type { Pattern } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { tooManyFiles } from './search-problems.ts'

/** A path that the walk came to. */
interface Place extends Match {
  readonly state: State
  /** Of a link, that of the folder that it is in. */
  readonly exclusion: Exclusion
}

/** What a walk found, both in the order of their paths. */
export interface Walked {
  readonly matches: readonly Match[]
  readonly skipped: readonly SkippedFile[]
}

const foldersAtOnce = 8

/** Everything that a pattern matches. No file of it is opened. */
export async function walk(context: SearchContext, pattern: Pattern): Promise<Walked> {
  const { foldersOnly, root, segments } = pattern
  const target = await follow(root)
  const isFile = target.kind === 'file'
  const hasWildcard = segments.length > 0
  const needsFolder = foldersOnly || hasWildcard
  // A wildcard with `/` at its end matches folders, and only files are sent.
  const isNothing = (isFile && needsFolder) || (foldersOnly && hasWildcard)
  if (target.kind === 'absent' || isNothing) return { matches: [], skipped: [] }
  // A folder stands for everything in it.
  const below = hasWildcard || isFile ? segments : ['**']
  const start = initialState(
    { root, segments: below },
    { dot: context.options.includeHiddenFiles, ignoreCase },
  )
  const walker = new Walker(await walkContext(context, root, target))
  // Takes all out first, because a look adds the next level.
  const takeEach = (places: Place[], look: (place: Place) => Promise<void>) =>
    pMap(places.splice(0).sort(byPath), look, { concurrency: foldersAtOnce })
  const exclusion = exclusionAt(context.exclusion, path.dirname(root), true)
  walker.addTarget({ path: root, real: root, state: stateAt(start, root), exclusion }, target)
  const { folders, links, matches, skipped } = walker
  while (folders.length > 0 || links.length > 0) {
    // Links come last, so that a folder is found by its own path where that matches too.
    if (folders.length > 0) await takeEach(folders, (folder) => walker.readFolder(folder))
    else await takeEach(links, async (link) => walker.addTarget(link, await follow(link.real)))
  }
  return { matches: matches.sort(byPath), skipped: skipped.sort(byPath) }
}

async function walkContext(
  context: SearchContext,
  root: string,
  target: Target,
): Promise<WalkContext> {
  if (!('real' in target)) return { ...context, root, realRoot: root, boundary: root }
  const { options, realWorkspace } = context
  const { kind, real: realRoot } = target
  const folders = [options.workspace, realWorkspace]
  const isInWorkspace = [root, realRoot].some((at) =>
    folders.some((folder) => isWithin(at, folder)),
  )
  const ownFolder = kind === 'file' ? await resolved(path.dirname(root)) : realRoot
  return { ...context, root, realRoot, boundary: isInWorkspace ? realWorkspace : ownFolder }
}

class Walker {
  readonly matches: Match[] = []
  readonly skipped: SkippedFile[] = []
  /** They are still to be read. */
  readonly folders: Place[] = []
  /** They lead to files and folders, and are still to be followed. */
  readonly links: Place[] = []
  readonly #context: WalkContext
  readonly #seen = new Set<string>()

  constructor(context: WalkContext) {
    this.#context = context
  }

  /** Adds the entries of a folder. */
  async readFolder(folder: Place): Promise<void> {
    const { checkpoint, display, entriesOf } = this.#context
    // This ends a walk through a link such as `a -> .`: `a/a/a` is the same folder as `a/a`, with
    // the same states of pattern and exclusions, so it holds nothing new.
    const states = [folder.state, ...folder.exclusion.pending].map(({ id }) => id)
    const key = JSON.stringify([states, folder.real])
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    await checkpoint()
    const entries = await entriesOf(folder.real).catch((error: unknown) => {
      this.#skip(`${folder.path}${path.sep}`, classifyReadError(error, display(folder.path)))
      return []
    })
    for (const entry of entries) {
      await checkpoint()
      this.#addEntry(folder, entry)
    }
  }

  #addEntry(folder: Place, entry: Dirent): void {
    const { name } = entry
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const state = folder.state.next(name)
    if (!state.matches && !(state.mayHold && (isFolder || isLink))) return
    const place = { path: path.join(folder.path, name), real: path.join(folder.real, name), state }
    if (isLink) {
      this.links.push({ ...place, exclusion: folder.exclusion })
      return
    }
    const kind = isFolder ? 'folder' : 'file'
    const target: Target =
      isFolder || entry.isFile()
        ? { kind, real: place.real }
        : { kind: 'unusable', notSent: notAFile }
    this.#add({ ...place, exclusion: nextExclusion(folder.exclusion, name, isFolder) }, target)
  }

  /** Adds what a link, or the beginning of a pattern, leads to. */
  addTarget(link: Place, target: Target): void {
    const isFolder = target.kind === 'folder'
    const real = 'real' in target ? target.real : link.real
    const ofTarget = exclusionAt(this.#context.exclusion, real, isFolder)
    const ofLink = nextExclusion(link.exclusion, path.basename(link.path), isFolder)
    const both = { pending: [...new Set([...ofTarget.pending, ...ofLink.pending])] }
    const exclusion = [ofTarget, ofLink].find(({ notSent }) => notSent) ?? both
    this.#add({ ...link, real, exclusion }, target, link.real)
  }

  /** Notes a file that matches, a folder that may hold one, or why it is left out. */
  #add(place: Place, target: Target, link?: string): void {
    const { display, options, root } = this.#context
    const { path: at, real, state } = place
    const isFolder = target.kind === 'folder'
    const visibility = isFolder ? state.mayHold : state.matches
    // Every checkout has a `.git`, and nobody means it.
    if (at !== root && (!visibility || (isFolder && path.basename(at) === '.git'))) return
    const isHidden = visibility === 'hidden'
    const notSent = reasonForPath(this.#context, { ...place, target, link, isHidden })
    if (notSent) {
      // One line stands for all that is below.
      const isWhole = isFolder && ['hidden', 'credentials'].includes(notSent.reason)
      this.#skip(isWhole ? `${at}${path.sep}` : at, notSent)
    } else if (isFolder) this.folders.push(place)
    else this.matches.push({ path: at, real })
    // `max-files` counts neither duplicates nor skipped files, which are known later. This limit
    // only protects the memory, and skipped files are not limited.
    const max = 2 * options.maxFiles + 5_000
    if (this.matches.length <= max) return
    throw tooManyFiles(text`More than ${max} files below ${display(root)} match`, options.maxFiles)
  }

  #skip(at: string, notSent: NotSent): void {
    this.skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
