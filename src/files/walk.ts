import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { text } from '../text/text.ts'
import { type Match, reasonForPath, type WalkContext } from './allowed.ts'
import { classifyReadError, follow, isWithin, notAFile, resolved, type Target } from './disk.ts'
import type { NotSent, SkippedFile } from './files.ts'
import { initialState, type State, stateAt } from './matcher.ts'
import type { Pattern } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { tooManyFiles } from './search-problems.ts'

interface Place {
  readonly path: string
  /** The path in its real folder. A last symlink is not resolved. Of the root, its path. */
  readonly ownPath: string
  readonly state: State
}

interface Folder extends Match {
  readonly state: State
}

/** Both lists are in the order of their paths. */
export interface Walked {
  readonly matches: readonly Match[]
  readonly skipped: readonly SkippedFile[]
}

const foldersAtOnce = 8

/** Finds what a pattern matches, without opening a file. */
export async function walk(context: SearchContext, pattern: Pattern): Promise<Walked> {
  const { foldersOnly, root, segments } = pattern
  const target = await follow(root)
  const isFile = target.kind === 'file'
  const hasWildcard = segments.length > 0
  // `a.csv/` and `a.csv/*` lead through a file. A wildcard sends no folders: `reports/*/`.
  const isNothing = (isFile && (foldersOnly || hasWildcard)) || (foldersOnly && hasWildcard)
  if (target.kind === 'absent' || isNothing) return { matches: [], skipped: [] }
  // A folder `r` is read as `r/**`, by the same rules.
  const below = hasWildcard || isFile ? segments : ['**']
  const dot = context.options.includeHiddenFiles
  const start = initialState({ root, segments: below }, { dot })
  const walker = new Walker(await walkContext(context, root, target))
  return walker.walkFrom({ path: root, ownPath: root, state: stateAt(start, root) }, target)
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
  if (isInWorkspace) return { ...context, root, realRoot, boundary: realWorkspace }
  // A root that links to a folder may lead anywhere, one to a file only into its own folder.
  const boundary = kind === 'file' ? await resolved(path.dirname(root)) : realRoot
  return { ...context, root, realRoot, boundary }
}

class Walker {
  readonly #context: WalkContext
  readonly #matches: Match[] = []
  readonly #skipped: SkippedFile[] = []
  readonly #foldersToRead: Folder[] = []
  readonly #linksToFollow: Place[] = []
  readonly #read = new Set<string>()

  constructor(context: WalkContext) {
    this.#context = context
  }

  /**
   * First reads all folders, level by level. Next follows the links in them, so that a folder is
   * found by its own path if that matches, too. Then again, where these lead.
   */
  async walkFrom(root: Place, target: Target): Promise<Walked> {
    this.#judge(root, target)
    do {
      while (this.#foldersToRead.length > 0)
        await takeEach(this.#foldersToRead, (folder) => this.#readFolder(folder))
      await takeEach(this.#linksToFollow, async (link) =>
        this.#judge(link, await follow(link.ownPath)),
      )
    } while (this.#foldersToRead.length > 0)
    return { matches: this.#matches.sort(byPath), skipped: this.#skipped.sort(byPath) }
  }

  async #readFolder(folder: Folder): Promise<void> {
    const { checkpoint, display, entriesOf } = this.#context
    // With the links `x/y -> ../y` and `y/x -> ../x`, `x/y/x` is `x` again.
    // In the same state it holds nothing new.
    const key = `${folder.state.id} ${folder.real}`
    if (this.#read.has(key)) return
    this.#read.add(key)
    await checkpoint()
    const entries = await entriesOf(folder.real).catch((error: unknown) => {
      // A fault of the machine is thrown.
      this.#skip(`${folder.path}${path.sep}`, classifyReadError(error, display(folder.path)))
      return []
    })
    for (const [index, entry] of entries.entries()) {
      // Waiting at each entry would take a tenth of the time.
      if (index % 100 === 99) await checkpoint()
      this.#addEntry(folder, entry)
    }
  }

  #addEntry(folder: Folder, entry: Dirent): void {
    const { name } = entry
    const isFolder = entry.isDirectory()
    const isLink = entry.isSymbolicLink()
    const state = folder.state.next(name)
    if (!state.matches && !(state.mayHold && (isFolder || isLink))) return
    const ownPath = path.join(folder.real, name)
    const place = { path: path.join(folder.path, name), ownPath, state }
    if (isLink) this.#linksToFollow.push(place)
    else if (isFolder || entry.isFile())
      this.#judge(place, { kind: isFolder ? 'folder' : 'file', real: ownPath })
    else this.#judge(place, { kind: 'unusable', notSent: notAFile })
  }

  /** First, can it match, or hold a match? Next, may it be sent? */
  #judge(place: Place, target: Target): void {
    const { nameOf, options, root } = this.#context
    const { path: at, ownPath, state } = place
    const real = 'real' in target ? target.real : ownPath
    const isFolder = target.kind === 'folder'
    const fits = isFolder ? state.mayHold : state.matches
    // Only a root `.git` is reported as skipped. Nobody means another folder `.git`.
    if (at !== root && (!fits || (isFolder && path.basename(at) === '.git'))) return
    const isHidden = fits && state.isHidden(isFolder)
    const notSent = reasonForPath(this.#context, { path: at, ownPath, real, target, isHidden })
    if (notSent) {
      this.#skip(isFolder ? `${at}${path.sep}` : at, notSent)
    } else if (isFolder) this.#foldersToRead.push({ path: at, real, state })
    else this.#matches.push({ path: at, real })
    // Of one pattern, for the memory. The real limit comes after duplicates and skipped files.
    const max = 2 * options.maxFiles + 5_000
    if (this.#matches.length <= max) return
    throw tooManyFiles(text`More than ${max} files below ${nameOf(root)} match`, options.maxFiles)
  }

  #skip(at: string, notSent: NotSent): void {
    this.#skipped.push({ path: this.#context.display(at), ...notSent })
  }
}

/** First empties the list, since `look` adds the next level to it. */
async function takeEach<At extends { readonly path: string }>(
  places: At[],
  look: (place: At) => Promise<void>,
): Promise<void> {
  await pMap(places.splice(0).sort(byPath), look, { concurrency: foldersAtOnce })
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1
}
