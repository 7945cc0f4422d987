import path from 'node:path'
import { closestMatch } from 'leven'
import { formatCount } from '../text/format.ts'
import { code, join, list, type Text, text, words } from '../text/text.ts'
import { follow, ignoreCase, isWithin, memoize, resolved, type Target } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { mistakeInText } from './line-mistakes.ts'
import { Matcher } from './matcher.ts'
import type { Glob, Pattern, PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import type { SearchedLine } from './search-problems.ts'
import type { Excluded } from './walk.ts'

type Explanation = Required<Pick<UnmatchedPattern, 'explanation' | 'isAboutText'>>

/** What is below a folder, up to a limit. */
interface Listing {
  readonly folder: string
  /** Of its entries; undefined if it cannot be read. */
  readonly names: readonly string[] | undefined
  /** The names that lead there from the folder. */
  readonly files: readonly (readonly string[])[]
  readonly folders: readonly (readonly string[])[]
}

/** What an explanation is made from. */
interface Facts {
  readonly context: SearchContext
  readonly line: PatternLine
  readonly pattern: Pattern
  readonly place: Place
  /** Below the folder of the place. Empty outside the workspace. */
  readonly near: Listing
  readonly workspace: Listing
}

const maxListed = 5000
const maxNamed = 3
const maxEdits = 2

/** Explains lines that matched nothing. What it lists, it lists once for all lines. */
export function explainer(context: SearchContext): (unmatched: SearchedLine) => Promise<Explanation> {
  const listed = memoize((folder) => listBelow(context, folder))
  return async (unmatched) => {
    const inText = mistakeInText(unmatched.line.text, path)
    if (inText) return { explanation: inText, isAboutText: true }
    const [first] = unmatched.searches
    const explanation = first
      ? await explain(context, unmatched, first.pattern, listed)
      : text`It matches no path at all.`
    return { explanation, isAboutText: false }
  }
}

async function explain(
  context: SearchContext,
  { line, searches }: SearchedLine,
  pattern: Pattern,
  listed: (folder: string) => Promise<Listing>,
): Promise<Text> {
  const skipped = searches.flatMap((search) => search.skipped)
  const excluded = searches.flatMap((search) => search.excluded)
  const place = await placeOf(context, pattern)
  const nothing = { folder: place.folder, names: [], files: [], folders: [] }
  const near = place.isInWorkspace ? await listed(place.folder) : nothing
  const facts = { context, line, pattern, place, near, workspace: await listed(context.options.workspace) }
  const where = describePlace(facts)
  // Outside the workspace, some folders always belong to other users: that they cannot be read says nothing about the line.
  const relevant = skipped.filter(({ reason }) => place.isInWorkspace || reason !== 'unreadable')
  const met = whatWasMet(skipped, excluded)
  if (relevant.length > 0 || excluded.length > 0) return join([where, ...met], '\n')
  const correction = firstOf(corrections, facts)
  if (correction) return correction
  const hint = firstOf(hints, facts)
  return join([where, ...met, ...(hint ? [hint] : [])], '\n')
}

function firstOf(rules: readonly ((facts: Facts) => Text | undefined)[], facts: Facts): Text | undefined {
  for (const rule of rules) {
    const found = rule(facts)
    if (found) return found
  }
  return undefined
}

/** Where a pattern was searched. */
interface Place {
  readonly target: Target['kind'] | undefined
  /** Absolute: the folder before the first wildcard, or the nearest above it that exists; otherwise its drive. */
  readonly folder: string
  readonly driveExists: boolean
  /** On a runner of one's own, what lies outside belongs to other jobs: nothing there is named or searched for a hint. */
  readonly isInWorkspace: boolean
}

async function placeOf({ realWorkspace }: SearchContext, { root }: Pattern): Promise<Place> {
  const target = (await follow(root)).kind
  const folder = target === 'folder' ? root : await nearestFolder(path.dirname(root))
  if (folder === undefined) return { target, folder: path.parse(root).root, driveExists: false, isInWorkspace: false }
  return { target, folder, driveExists: true, isInWorkspace: isWithin(await resolved(folder), realWorkspace) }
}

async function nearestFolder(at: string): Promise<string | undefined> {
  const target = await follow(at)
  if (target.kind === 'folder') return at
  return path.dirname(at) === at ? undefined : nearestFolder(path.dirname(at))
}

function describePlace({ context: { display, removeToken }, near, pattern, place }: Facts): Text {
  const { driveExists, folder, isInWorkspace, target } = place
  const { root, segments } = pattern
  if (!driveExists) return text`There is no drive or share ${folder}.`
  const where = nameOf(display(folder))
  const entries = isInWorkspace ? describeEntries(near, removeToken) : undefined
  if (target === 'absent') {
    const [first = ''] = path.relative(folder, root).split(path.sep)
    const name = display(path.join(folder, first))
    const isClass = /\[.\]/.test(pattern.text) && !pattern.text.includes(path.basename(root))
    const missing = isClass
      ? text`There is no ${pattern.text}, and no ${name}, which it means as a pattern`
      : text`There is no ${name}`
    return entries ? text`${missing}: ${where} holds ${entries}.` : text`${missing}.`
  }
  if (target === 'file' && pattern.foldersOnly && segments.length === 0) {
    return text`${display(root)} is a file, and ${code('/')} at the end matches folders only: remove it.`
  }
  if (target === 'file' && segments.length === 0) return text`${display(root)} exists.`
  const file = target === 'file' ? text`${display(root)} is a file, not a folder. ` : []
  return text`${file}Searched ${where}, which ${entries ? text`holds ${entries}` : text`is outside the workspace`}.`
}

function nameOf(shown: string): Text {
  return shown === '.' ? text`the workspace` : text`${shown}`
}

function describeEntries({ names }: Listing, removeToken: (text: string) => string): Text {
  if (names === undefined) return text`entries that cannot be read`
  if (names.length === 0) return text`nothing`
  const isHidden = (name: string) => name.startsWith('.')
  const sorted = names.toSorted()
  const visibleFirst = [...sorted.filter((name) => !isHidden(name)), ...sorted.filter(isHidden)]
  const count = words(formatCount(names.length, 'entry', 'entries'))
  return text`${count}: ${list(visibleFirst.map(removeToken), { max: maxNamed })}`
}

function whatWasMet(skipped: readonly SkippedFile[], excluded: readonly Excluded[]): readonly Text[] {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const ways = skipped.some(({ reason }) => reason === 'hidden')
    ? text` To send hidden files, write the dot in the pattern or set ${code('include-hidden-files: true')}.`
    : []
  const archive = skipped.some(({ reason }) => reason === 'credentials')
    ? text` To send one of them anyway, put it into an archive: archives are not opened.`
    : []
  const byLine = [...Map.groupBy(excluded, (one) => one.line)].map(([line, those]) => {
    const paths = those.map(({ path: at }) => at)
    return text`${line} excludes ${list(paths, { max: maxNamed })}.`
  })
  const all = text`Skipped: ${list(items, { max: maxNamed, separator: '; ' })}.${ways}${archive}`
  return [...(items.length === 0 ? [] : [all]), ...byLine].slice(0, 2)
}

/** What was probably meant. Each says all that there is to say. */
const corrections: readonly ((facts: Facts) => Text | undefined)[] = [
  ({ context: { options }, line, pattern, workspace }) => {
    if (isWithin(pattern.root, options.workspace)) return undefined
    const [, relative = '', first = ''] = /^\/+(([^/]+).*)$/s.exec(line.pattern) ?? []
    if (relative === '') return undefined
    const start = path.relative(options.workspace, path.join(options.workingDirectory, first))
    const isThere = [...workspace.files, ...workspace.folders].some((names) => names.join(path.sep) === start)
    const root = options.workingDirectory
    if (!isThere && filesLike(workspace, { root, segments: relative.split('/') }).length === 0) return undefined
    return text`A leading ${code('/')} is the root of the runner's disk. Did you mean ${relative}?`
  },
  ({ context: { display }, near, pattern }) => {
    const matcher = new Matcher(pattern, { dot: false, ignoreCase })
    const folders = matching(near, near.folders, matcher)
    if (folders.length === 0) return undefined
    const shown = list(folders.map(display), { max: maxNamed })
    return text`It matches only folders: ${shown}. For the files in them write ${`${pattern.text}/**`}.`
  },
  (facts) => (hasFilesLike(facts) || isMissing(facts) ? undefined : misspelledExtension(facts)),
  (facts) => (hasFilesLike(facts) || !isMissing(facts) ? undefined : misspelledName(facts)),
]

/** What may help, after the description of the place. */
const hints: readonly ((facts: Facts) => Text | undefined)[] = [
  ({ context: { options }, near }) =>
    near.folder === options.workspace && near.names?.length === 0
      ? text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
      : undefined,
  (facts) => {
    const { context, near, pattern } = facts
    if (!isSearchable(facts) || ignoreCase) return undefined
    const files = filesLike(near, pattern).map(context.display)
    if (files.length === 0) return undefined
    return text`Upper and lower case matter: there is ${list(files, { max: maxNamed })}.`
  },
  (facts) => {
    const { context, near, pattern } = facts
    if (!isSearchable(facts) || isMissing(facts) || pattern.segments.includes('**')) return undefined
    const deeper = filesLike(near, anywhere(near.folder, pattern)).map(context.display)
    if (deeper.length === 0) return undefined
    return text`${code('*')} stays in its folder, ${code('**')} searches those below too. Further down there is ${list(deeper, { max: maxNamed })}.`
  },
  ({ context: { options }, near, place }) =>
    place.target === 'folder' && near.names?.length === 0 && place.isInWorkspace && options.ifNoFilesFound !== 'ignore'
      ? text`Did the step that writes its files run, and before this one?`
      : undefined,
  (facts) => {
    const { context, near, pattern, workspace } = facts
    const last = pattern.segments.at(-1)
    // Below a missing folder any file fits a pattern such as `**`.
    if (!isSearchable(facts) || last === '**' || last === '*') return undefined
    const below = filesLike(near, anywhere(near.folder, pattern))
    const files = below.length > 0 ? below : filesLike(workspace, anywhere(workspace.folder, pattern))
    if (files.length === 0) return undefined
    return text`Elsewhere there is ${list(files.map(context.display), { max: maxNamed })}.`
  },
  (facts) => {
    const { context, pattern } = facts
    if (!isMissing(facts) || context.options.ifNoFilesFound === 'ignore') return undefined
    return text`Was ${context.display(pattern.root)} made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.`
  },
]

/** Whether folders between the place and the start of the pattern, or the file itself, are missing. */
function isMissing({ place }: Facts): boolean {
  return place.target === 'absent'
}

function isSearchable(facts: Facts): boolean {
  const { pattern, place } = facts
  return (
    (place.folder === pattern.root || isMissing(facts)) &&
    (pattern.segments.at(-1) ?? path.basename(pattern.root)) !== ''
  )
}

/** Whether there are files of these names in other case: that is another mistake than a wrong letter. */
function hasFilesLike({ near, pattern, place }: Facts): boolean {
  return !place.isInWorkspace || filesLike(near, pattern).length > 0
}

/** The extension that a pattern was probably meant to have. */
function misspelledExtension({ context: { display }, near, pattern: { root, segments } }: Facts): Text | undefined {
  const [, stem = '', extension = ''] = /^(.*)\.([a-z\d]+)$/i.exec(segments.at(-1) ?? '') ?? []
  if (extension === '') return undefined
  const files = filesLike(near, { root, segments: [...segments.slice(0, -1), `${stem}.*`] })
  const byExtension = Map.groupBy(files, (file) => path.extname(file).slice(1))
  const maxDistance = Math.min(maxEdits, extension.length - 1)
  const meant = closestMatch(extension, [...byExtension.keys()].filter(Boolean).sort(), { maxDistance })
  if (meant === undefined) return undefined
  const where = text`${words(segments.length === 1 ? 'in' : 'below')} ${nameOf(display(root))}`
  const count = byExtension.get(meant)?.length ?? 0
  return text`There are no ${`.${extension}`} files ${where}, but ${count} ${`.${meant}`} ${words(count === 1 ? 'file' : 'files')}. Did you mean ${`${stem}.${meant}`}?`
}

/** The entry of a folder whose name is almost that of the one that is missing. */
function misspelledName({ context, near, pattern: { root, segments }, workspace }: Facts): Text | undefined {
  const { display, removeToken } = context
  const missing = path.relative(near.folder, root).split(path.sep)
  const [name = ''] = missing
  const isFolder = missing.length > 1 || segments.length > 0
  // A file of exactly this name is more likely meant than one of a similar name.
  if (!isFolder && filesLike(workspace, anywhere(workspace.folder, { root, segments })).length > 0) return undefined
  const entries = (isFolder ? near.folders : near.files).filter((names) => names.length === 1).flat()
  const meant = closestName(name, entries)
  if (meant === undefined || removeToken(meant) !== meant) return undefined
  const at = (one: string) => display(path.join(near.folder, one))
  return text`There is no ${words(isFolder ? 'folder ' : '')}${at(name)}. Did you mean ${at(meant)}?`
}

/** Names that differ in case or in a number only are no misspelling: case is explained elsewhere, and `part-2` is not `part-1`. */
function closestName(name: string, names: readonly string[]): string | undefined {
  const sameWords = (one: string) => one.toLowerCase().replace(/\d+/g, '')
  const similar = names.filter(
    (one) => one.startsWith('.') === name.startsWith('.') && sameWords(one) !== sameWords(name),
  )
  const stem = name.replace(/\.[^.]*$/, '')
  return closestMatch(name, similar, { maxDistance: Math.min(maxEdits, Math.floor(stem.length / 3)) })
}

/** The last part of a pattern, in any folder below one. */
function anywhere(folder: string, { root, segments }: Glob): Glob {
  // The name of a missing file is not a pattern.
  const literally = (name: string) => name.replaceAll('\\', '\\\\').replace(/[*?[]/g, '[$&]')
  return { root: folder, segments: ['**', segments.at(-1) ?? literally(path.basename(root))] }
}

/** The files that a pattern matches if upper and lower case are the same: absolute paths, in order. */
function filesLike(listing: Listing, glob: Glob): readonly string[] {
  return matching(listing, listing.files, new Matcher(glob, { dot: false, ignoreCase: true }))
}

function matching({ folder }: Listing, paths: Listing['files'], matcher: Matcher): readonly string[] {
  const start = matcher.at(folder)
  return paths
    .filter((names) => names.reduce((state, name) => state.next(name), start).matches === 'visible')
    .map((names) => path.join(folder, ...names))
    .sort()
}

const dependencyFolder = /^(node|bower|jspm)_(modules|components|packages)$/

/** Level by level, so that what is near is found in a large tree too. */
async function listBelow({ checkpoint, list: entriesIn }: SearchContext, folder: string): Promise<Listing> {
  const files: (readonly string[])[] = []
  const folders: (readonly string[])[] = []
  const entriesOf = (names: readonly string[]) => entriesIn(path.join(folder, ...names)).catch(() => undefined)
  const top = await entriesOf([])
  const level: (readonly string[])[] = [[]]
  for (const above of level) {
    if (files.length + folders.length >= maxListed) break
    await checkpoint()
    for (const entry of (await entriesOf(above)) ?? []) {
      const names = [...above, entry.name]
      if (entry.isFile()) files.push(names)
      if (!entry.isDirectory()) continue
      folders.push(names)
      if (!dependencyFolder.test(entry.name)) level.push(names)
    }
  }
  return { folder, names: top?.map(({ name }) => name), files, folders }
}
