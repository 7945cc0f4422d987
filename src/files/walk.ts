import path from 'node:path'
import pMap from 'p-map'
import { ProblemError } from '../problem.ts'
import { credentialsAt } from './credentials.ts'
import { barredBy, type Disk, follow, isWithin } from './disk.ts'
import type { LeftOutReason } from './files.ts'
import type { Matcher } from './patterns.ts'
import { quoted } from './wording.ts'

/** A path that matched and may be a file to send. */
export interface Candidate {
  /** Absolute, as it was reached: what people recognise. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

export interface PassedOver {
  /** Absolute; ends in a separator when it is a whole folder. */
  readonly path: string
  readonly reason: LeftOutReason
  readonly why: string
}

export interface Excluded {
  readonly path: string
  /** The line with `!`. */
  readonly line: string
}

export interface Walked {
  readonly candidates: readonly Candidate[]
  readonly passedOver: readonly PassedOver[]
  readonly excluded: readonly Excluded[]
}

export interface Walk {
  readonly disk: Disk
  /** Absolute, as written. */
  readonly root: string
  readonly realRoot: string
  /** The folder that links must not leave: its real path, and what people call it. */
  readonly boundary: { readonly real: string; readonly name: string }
  /** What the pattern matches. */
  readonly visible: Matcher
  /** What it would match if names with a leading dot were not special. */
  readonly all: Matcher
  /** The line that excludes a path. */
  readonly exclusion: (path: string, real: string) => string | undefined
  /** Names as in `FoundFile.displayPath`. */
  readonly display: (path: string) => string
}

interface Folder {
  readonly path: string
  readonly real: string
  /** To the root, with `/`. */
  readonly relative: string
  /** Real paths of the folders whose links led here. */
  readonly linkedFrom: readonly string[]
}

interface Visited {
  readonly candidates: Candidate[]
  readonly passedOver: PassedOver[]
  readonly excluded: Excluded[]
  readonly folders: Folder[]
  /** Reported only if they hold something that matches. */
  readonly closed: { readonly folder: Folder; readonly reason: LeftOutReason; readonly why: string }[]
}

const parallel = 16
// Folders that link to each other can be reached in more ways than any disk has files.
const mostLinkedFolders = 10_000
const mostEntriesInClosedFolder = 1000

/** All files below the root that match, level by level. Nothing of it is opened. */
export async function walk(search: Walk): Promise<Walked> {
  const visits: Visited[] = []
  let level: Folder[] = [{ path: search.root, real: search.realRoot, relative: '', linkedFrom: [] }]
  let linkedFolders = 0
  while (level.length > 0) {
    linkedFolders += level.filter((folder) => folder.linkedFrom.length > 0).length
    if (linkedFolders > mostLinkedFolders) {
      throw new ProblemError({
        title: 'Links make too many folders',
        text:
          `More than ${mostLinkedFolders} folders below ${quoted(search.display(search.root))} are reached through links.\n` +
          'Name the folders you want, or leave the links out with `!`.',
      })
    }
    const visited = await pMap(level, (folder) => visit(search, folder), { concurrency: parallel })
    visits.push(...visited)
    level = visited.flatMap((one) => one.folders)
  }
  const closed = visits.flatMap((one) => one.closed)
  const holding = await pMap(closed, ({ folder }) => holdsMatch(search, folder), { concurrency: parallel })
  return {
    candidates: visits.flatMap((one) => one.candidates),
    passedOver: [
      ...visits.flatMap((one) => one.passedOver),
      ...closed
        .filter((_, index) => holding[index])
        .map(({ folder, reason, why }) => ({ path: `${folder.path}${path.sep}`, reason, why })),
    ],
    excluded: visits.flatMap((one) => one.excluded),
  }
}

async function visit(search: Walk, folder: Folder): Promise<Visited> {
  const visited: Visited = { candidates: [], passedOver: [], excluded: [], folders: [], closed: [] }
  const entries = await search.disk.list(folder.real).catch((error: unknown) => {
    const { reason, why } = barredBy(error, folder.path)
    visited.passedOver.push({ path: `${folder.path}${path.sep}`, reason, why })
    return []
  })
  for (const entry of entries) {
    const at = path.join(folder.path, entry.name)
    const relative = folder.relative === '' ? entry.name : `${folder.relative}/${entry.name}`
    const matches = !entry.isDirectory() && search.all.matches(relative)
    const leadsOn = entry.isDirectory() || entry.isSymbolicLink()
    if (!matches && !(leadsOn && search.all.mayHold(relative))) {
      continue
    }
    const real = path.join(folder.real, entry.name)
    const line = search.exclusion(at, real)
    if (line !== undefined) {
      visited.excluded.push({ path: at, line })
    } else if (entry.isDirectory()) {
      enter(search, visited, { path: at, real, relative, linkedFrom: folder.linkedFrom })
    } else if (matches && !search.visible.matches(relative)) {
      const credentials = credentialsAt(search.display(at))
      visited.passedOver.push(
        credentials === undefined
          ? { path: at, reason: 'hidden', why: 'is a hidden file' }
          : { path: at, reason: 'credentials', why: credentials },
      )
    } else if (entry.isSymbolicLink()) {
      await visitLink(search, visited, folder, { path: at, relative, matches })
    } else {
      visited.candidates.push({ path: at, real })
    }
  }
  return visited
}

async function visitLink(
  search: Walk,
  visited: Visited,
  folder: Folder,
  link: { readonly path: string; readonly relative: string; readonly matches: boolean },
): Promise<void> {
  const target = await follow(link.path)
  const passOver = (reason: LeftOutReason, why: string) => visited.passedOver.push({ path: link.path, reason, why })
  if (target.kind === 'barred') {
    if (link.matches) {
      passOver(target.reason, target.why)
    }
    return
  }
  if (target.kind === 'absent' || (target.kind === 'file' && !link.matches)) {
    return
  }
  const line = search.exclusion(link.path, target.real)
  if (line !== undefined) {
    visited.excluded.push({ path: link.path, line })
  } else if (!isWithin(target.real, search.boundary.real)) {
    visited.passedOver.push({ path: link.path, ...leadsOut(search.boundary.name) })
  } else if (target.kind === 'file') {
    visited.candidates.push({ path: link.path, real: target.real })
  } else if ([folder.real, ...folder.linkedFrom].some((above) => isWithin(above, target.real))) {
    passOver('link-loop', 'is a link to a folder that it lies in')
  } else {
    const linkedFrom = [...folder.linkedFrom, folder.real]
    enter(search, visited, { path: link.path, real: target.real, relative: link.relative, linkedFrom })
  }
}

export function leadsOut(boundary: string): Pick<PassedOver, 'reason' | 'why'> {
  return { reason: 'link-outside', why: `is a link that leads out of ${boundary}` }
}

function enter(search: Walk, visited: Visited, folder: Folder): void {
  if (!search.visible.mayHold(folder.relative)) {
    // Every checkout has one, and nobody means it.
    if (path.basename(folder.path) !== '.git') {
      visited.closed.push({ folder, reason: 'hidden', why: 'is a hidden folder' })
    }
    return
  }
  const credentials = credentialsAt(`${search.display(folder.path)}/`)
  if (credentials === undefined) {
    visited.folders.push(folder)
  } else {
    visited.closed.push({ folder, reason: 'credentials', why: credentials })
  }
}

/** Whether a folder that is not searched holds something that matches; a large one is taken to. */
async function holdsMatch(search: Walk, closed: Folder): Promise<boolean> {
  const folders = [closed]
  let entriesLeft = mostEntriesInClosedFolder
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path: at, real, relative, linkedFrom } = folder
    const entries = await search.disk.list(real).catch(() => [])
    entriesLeft -= entries.length
    if (entriesLeft < 0) {
      return true
    }
    for (const { name, isFolder } of entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))) {
      const below = `${relative}/${name}`
      if (!isFolder && search.all.matches(below)) {
        return true
      }
      if (isFolder && search.all.mayHold(below)) {
        folders.push({ path: path.join(at, name), real: path.join(real, name), relative: below, linkedFrom })
      }
    }
  }
  return false
}
