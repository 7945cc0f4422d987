import type { Dirent } from 'node:fs'
import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { code, type Text, text, words } from '../text/text.ts'
import { follow, isWithin, notAFile, unsendable } from './disk.ts'
import type { Exclusion } from './exclusions.ts'
import type { SkipReason } from './files.ts'
import { whyCredentials } from './filter.ts'
import type { Matcher, Positions } from './matcher.ts'
import type { SearchContext } from './search-context.ts'

/** A path that matched and may be a file to send. */
export interface Candidate {
  /** Absolute, as it was reached: what people recognize. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export interface Skipped {
  /** Absolute; ends in a separator if it is a whole folder. */
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
  readonly candidates: readonly Candidate[]
  readonly skipped: readonly Skipped[]
  readonly excluded: readonly Excluded[]
}

export interface Search {
  readonly context: SearchContext
  /** Absolute, as written. */
  readonly root: string
  readonly realRoot: string
  /** The folder that links must not leave: its real path, and what people call it. */
  readonly boundary: { readonly real: string; readonly name: Text }
  /** What the pattern matches. */
  readonly visible: Matcher
  /** What it would match if names with a leading dot were not special. */
  readonly all: Matcher
  /** Where the root is in both. */
  readonly start: { readonly visible: Positions; readonly all: Positions }
  readonly exclusion: Exclusion
}

interface Folder {
  readonly path: string
  readonly real: string
  readonly visible: Positions
  readonly all: Positions
  readonly exclusion: Exclusion
  /** Real paths of the folders whose links led here. */
  readonly linkedFrom: readonly string[]
}

/** What a walk has come across so far. */
interface Visited {
  readonly candidates: Candidate[]
  readonly skipped: Skipped[]
  readonly excluded: Excluded[]
  /** Reported only if they hold something that matches. */
  readonly closed: { readonly folder: Folder; readonly reason: SkipReason; readonly why: Text }[]
}

const parallel = 16
// Folders that link to each other can be reached in more ways than any disk has files.
const maxLinkedFolders = 10_000
const maxEntriesInClosedFolder = 1000
// Of the files that match, some can still be skipped, or be the same file; but not so many.
const maxCandidates = (maxFiles: number) => 2 * maxFiles + 5_000

/**
 * Lists folders level by level, beginning with one. Returns whether it came to the end.
 *
 * @param visit looks at the entries of a folder and returns the folders to list next.
 */
export async function eachFolder<Place extends { readonly real: string }>(
  { disk, checkpoint }: Pick<SearchContext, 'disk' | 'checkpoint'>,
  start: Place,
  visit: (folder: Place, entries: readonly Dirent[]) => Promise<readonly Place[]>,
  options: { readonly unreadable?: (folder: Place, error: unknown) => void; readonly maxEntries?: number } = {},
): Promise<boolean> {
  let entriesLeft = options.maxEntries ?? Number.POSITIVE_INFINITY
  for (let level: readonly Place[] = [start]; level.length > 0; ) {
    const next = await pMap(
      level,
      async (folder) => {
        if (entriesLeft < 0) return []
        await checkpoint()
        const entries = await disk.list(folder.real).catch((error: unknown) => {
          options.unreadable?.(folder, error)
          return []
        })
        entriesLeft -= entries.length
        return entriesLeft < 0 ? [] : visit(folder, entries)
      },
      { concurrency: options.maxEntries === undefined ? parallel : 1 },
    )
    level = next.flat()
  }
  return entriesLeft >= 0
}

/** All files below the root that match. None of them is opened. */
export async function walk(search: Search): Promise<Walked> {
  const { context } = search
  const visited: Visited = { candidates: [], skipped: [], excluded: [], closed: [] }
  let linkedFolders = 0
  const start: Folder = {
    path: search.root,
    real: search.realRoot,
    ...search.start,
    exclusion: search.exclusion,
    linkedFrom: [],
  }
  await eachFolder(
    context,
    start,
    async (folder, entries) => {
      const folders: Folder[] = []
      for (const entry of entries) {
        await context.checkpoint()
        const next = await visit(search, visited, folder, entry)
        if (next) folders.push(next)
      }
      linkedFolders += folders.filter(({ linkedFrom }) => linkedFrom.length > 0).length
      if (linkedFolders > maxLinkedFolders) throw tooManyLinks(context.display(search.root))
      if (visited.candidates.length > maxCandidates(context.options.maxFiles)) throw tooManyCandidates(search)
      return folders
    },
    {
      unreadable: (folder, error) => {
        const { reason, why } = unsendable(error, folder.path)
        visited.skipped.push({ path: `${folder.path}${path.sep}`, reason, why })
      },
    },
  )
  for (const { folder, reason, why } of visited.closed) {
    if (await holdsMatch(search, folder)) visited.skipped.push({ path: `${folder.path}${path.sep}`, reason, why })
  }
  return { ...visited, skipped: visited.skipped.sort(byPath), excluded: visited.excluded.sort(byPath) }
}

/** Looks at an entry of a folder. Returns it if it is a folder to search. */
async function visit(search: Search, visited: Visited, folder: Folder, entry: Dirent): Promise<Folder | undefined> {
  const isFolder = entry.isDirectory()
  const all = search.all.next(folder.all, entry.name)
  const matches = !isFolder && search.all.matches(all)
  const leadsOn = (isFolder || entry.isSymbolicLink()) && search.all.mayHold(all)
  if (!matches && !leadsOn) return undefined
  const at = path.join(folder.path, entry.name)
  const exclusion = search.context.exclusions.next(folder.exclusion, entry.name, isFolder)
  if (exclusion.line !== undefined) {
    visited.excluded.push({ path: at, line: exclusion.line })
    return undefined
  }
  const real = path.join(folder.real, entry.name)
  const visible = search.visible.next(folder.visible, entry.name)
  const found: Folder = { path: at, real, visible, all, exclusion, linkedFrom: folder.linkedFrom }
  if (isFolder) return enter(search, visited, found)
  if (matches && !search.visible.matches(visible)) {
    const why = whyCredentials(search.context.display(at))
    const hidden = { reason: 'hidden', why: text`is a hidden file` } as const
    visited.skipped.push({ path: at, ...(why === undefined ? hidden : { reason: 'credentials', why: words(why) }) })
    return undefined
  }
  if (entry.isSymbolicLink()) return visitLink(search, visited, folder, found)
  if (entry.isFile()) visited.candidates.push({ path: at, real })
  else visited.skipped.push({ path: at, ...notAFile(entry) })
  return undefined
}

async function visitLink(search: Search, visited: Visited, folder: Folder, link: Folder): Promise<Folder | undefined> {
  const { boundary, context } = search
  const matches = search.all.matches(link.all)
  const skip = (reason: SkipReason, why: Text) => {
    visited.skipped.push({ path: link.path, reason, why })
    return undefined
  }
  const target = await follow(link.path)
  if (target.kind === 'unsendable') return matches ? skip(target.reason, target.why) : undefined
  if (target.kind === 'absent' || (target.kind === 'file' && !matches)) return undefined
  const ofTarget = context.exclusions.at([target.real], target.kind === 'folder')
  const ofLink = context.exclusions.next(folder.exclusion, path.basename(link.path), target.kind === 'folder')
  const line = ofTarget.line ?? ofLink.line
  if (line !== undefined) {
    visited.excluded.push({ path: link.path, line })
    return undefined
  }
  if (!isWithin(target.real, boundary.real)) return skip('link-outside', leadsOutOf(boundary.name))
  if (target.kind === 'file') {
    visited.candidates.push({ path: link.path, real: target.real })
    return undefined
  }
  const linkedFrom = [...folder.linkedFrom, folder.real]
  if (linkedFrom.some((above) => isWithin(above, target.real))) {
    return skip('link-loop', text`is a link to a folder that contains it`)
  }
  const exclusion = { pending: [...ofTarget.pending, ...ofLink.pending] }
  return enter(search, visited, { ...link, real: target.real, exclusion, linkedFrom })
}

export function leadsOutOf(boundary: Text): Text {
  return text`is a link that leads out of ${boundary}`
}

function enter(search: Search, visited: Visited, folder: Folder): Folder | undefined {
  if (!search.visible.mayHold(folder.visible)) {
    // Every checkout has a `.git`, and nobody means it.
    if (path.basename(folder.path) !== '.git') {
      visited.closed.push({ folder, reason: 'hidden', why: text`is a hidden folder` })
    }
    return undefined
  }
  const why = whyCredentials(`${search.context.display(folder.path)}/`)
  if (why === undefined) return folder
  visited.closed.push({ folder, reason: 'credentials', why: words(why) })
  return undefined
}

/** Whether a folder that is not searched holds something that matches; a large one is assumed to. */
async function holdsMatch({ context, all }: Search, closed: Folder): Promise<boolean> {
  let holds = false
  const start: Pick<Folder, 'real' | 'all'> = closed
  const complete = await eachFolder(
    context,
    start,
    async (folder, entries) => {
      const below = entries.map((entry) => ({
        isFolder: entry.isDirectory(),
        real: path.join(folder.real, entry.name),
        all: all.next(folder.all, entry.name),
      }))
      holds ||= below.some((one) => !one.isFolder && all.matches(one.all))
      return holds ? [] : below.filter((one) => one.isFolder && all.mayHold(one.all))
    },
    { maxEntries: maxEntriesInClosedFolder },
  )
  return holds || !complete
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : Number(a.path > b.path)
}

function tooManyLinks(root: string): ProblemError {
  return new ProblemError({
    title: 'Links make too many folders',
    text: text`More than ${maxLinkedFolders} folders below ${root} are reached through links.
Name the folders you want, or exclude the links with ${code('!')}.`,
  })
}

function tooManyCandidates({ context: { display, options }, root }: Search): ProblemError {
  return new ProblemError({
    title: 'More files than allowed',
    text: text`More than ${maxCandidates(options.maxFiles)} files below ${display(root)} match, ${code('max-files')} allows ${options.maxFiles}.
Write a narrower pattern, or raise ${code('max-files')} if all of them are meant.`,
  })
}
