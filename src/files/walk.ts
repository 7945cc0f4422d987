import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { text } from '../text/text.ts'
import { type Match, reasonForPath } from './allowed.ts'
import { follow, ignoreCase, isWithin, reasonNotAFile, reasonNotFound, resolved, type Target } from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import { type Exclusion, exclusionAt, initialState, nextExclusion, type State, stateAt } from './matcher.ts'
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
  const walker = new Walker(await walkContext(context, root, target))
  const forEach = (items: Folder[], look: (item: Folder) => Promise<void>) =>
    pMap(items.splice(0).sort(byPath), look, { concurrency: foldersAtOnce })
  const exclusion = exclusionAt(context.exclusion, path.dirname(root), true)
  walker.resolve({ path: root, real: root, state, visible, exclusion }, target)
  const { folders, links, matches, skipped } = walker
  while (folders.length > 0 || links.length > 0) {
    // Links come last, so that a folder is found by its own path where that matches too.
    if (folders.length > 0) await forEach(folders, (folder) => walker.search(folder))
    else await forEach(links, async (link) => walker.resolve(link, await follow(link.real)))
  }
  return { matches: matches.sort(byPath), skipped: skipped.sort(byPath) }
}

/** The context of one walk: also where it begins, links resolved, and the folder that links must not leave. */
async function walkContext(context: SearchContext, root: string, target: Target) {
  if (!('real' in target)) return { ...context, root, realRoot: root, boundary: root }
  const { options, realWorkspace } = context
  const { kind, real: realRoot } = target
  const folders = [options.workspace, realWorkspace]
  const isInWorkspace = [root, realRoot].some((at) => folders.some((folder) => isWithin(at, folder)))
  const own = kind === 'file' ? await resolved(path.dirname(root)) : realRoot
  return { ...context, root, realRoot, boundary: isInWorkspace ? realWorkspace : own }
}

type WalkContext = Awaited<ReturnType<typeof walkContext>>

class Walker {
  readonly matches: Match[] = []
  readonly skipped: SkippedFile[] = []
  /** They are still to be searched. */
  readonly folders: Folder[] = []
  /** They lead to files and folders, and are still to be followed. Each with the exclusion of the folder that it is in. */
  readonly links: Folder[] = []
  readonly #context: WalkContext
  readonly #searched = new Set<string>()

  constructor(context: WalkContext) {
    this.#context = context
  }

  /** Looks at the entries of a folder. */
  async search(folder: Folder): Promise<void> {
    const { checkpoint, display, entriesOf } = this.#context
    // What bounds a walk through links is the identity of a state: with `a -> .`, the pattern and the exclusions stand in
    // `a/a/a` where they stood in `a/a`, and the folder is the same.
    const states = [folder.state, folder.visible, ...folder.exclusion.pending].map(({ id }) => id)
    const key = JSON.stringify([states, folder.real])
    if (this.#searched.has(key)) return
    this.#searched.add(key)
    await checkpoint()
    const entries = await entriesOf(folder.real).catch((error: unknown) => {
      this.#skip(`${folder.path}${path.sep}`, reasonNotFound(error, display(folder.path)))
      return []
    })
    for (const entry of entries) {
      await checkpoint()
      this.#sort(folder, entry)
    }
  }

  /** Tells files, folders and links apart. */
  #sort(folder: Folder, entry: Dirent): void {
    const { name } = entry
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const state = folder.state.next(name)
    if (!state.matches && !(state.mayHold && (isFolder || isLink))) return
    const item = {
      path: path.join(folder.path, name),
      real: path.join(folder.real, name),
      state,
      visible: folder.visible.next(name),
      exclusion: isLink ? folder.exclusion : nextExclusion(folder.exclusion, name, isFolder),
    }
    if (isLink) this.links.push(item)
    else this.#take(item, isFolder, isFolder || entry.isFile() ? undefined : reasonNotAFile(entry))
  }

  /** Takes what a link, or the beginning of a pattern, leads to. */
  resolve(link: Folder, target: Target): void {
    const isFolder = target.kind === 'folder'
    const real = 'real' in target ? target.real : link.real
    const ofTarget = exclusionAt(this.#context.exclusion, real, isFolder)
    const ofLink = nextExclusion(link.exclusion, path.basename(link.path), isFolder)
    const both = { pending: [...new Set([...ofTarget.pending, ...ofLink.pending])] }
    const exclusion = [ofTarget, ofLink].find(({ notSent }) => notSent) ?? both
    this.#take({ ...link, real, exclusion }, isFolder, this.#reasonForLink(link, target))
  }

  /** A link leads to a folder that contains it, or to something hidden, below the deepest folder that it shares with the start. */
  #reasonForLink(link: Match, target: Target): NotSent | undefined {
    if ('reason' in target) return target
    const { display, options, realRoot, root } = this.#context
    if (!('real' in target) || link.path === root) return undefined
    const { real } = target
    if (isWithin(link.real, real)) return { reason: 'link-broken', why: text`is a link to a folder that contains it` }
    const names = path.relative(realRoot, real).split(path.sep)
    const isHidden = names.some((name) => name.startsWith('.') && name !== '..')
    if (!isHidden || options.includeHiddenFiles) return undefined
    return { reason: 'link-hidden', why: text`is a link to ${display(real)}, which is hidden` }
  }

  /** Notes a file that matches, a folder that may hold one, or why it is left out. */
  #take(item: Folder, isFolder: boolean, otherwise: NotSent | undefined): void {
    const { boundary, display, options, root } = this.#context
    const { path: at, real, state, visible } = item
    const question = isFolder ? 'mayHold' : 'matches'
    if (at !== root && !state[question]) return
    // Every checkout has a `.git`, and nobody means it.
    if (at !== root && isFolder && path.basename(at) === '.git') return
    const candidate = { ...item, boundary, isFolder, isHidden: state[question] !== visible[question] }
    const notSent = reasonForPath(this.#context, candidate) ?? otherwise
    const isWhole = isFolder && ['hidden', 'credentials'].includes(`${notSent?.reason}`)
    if (notSent) this.#skip(isWhole ? `${at}${path.sep}` : at, notSent)
    else if (isFolder) this.folders.push(item)
    else this.matches.push({ path: at, real })
    // Files that are skipped or the same do not count for `max-files`. Beyond this many matches, memory matters more.
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
