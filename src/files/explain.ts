import path from 'node:path'
import { closestMatch } from 'leven'
import { formatCount } from '../text/format.ts'
import { code, join, list, type Text, text, words } from '../text/text.ts'
import { follow, ignoreCase, isWithin, resolved, type Target } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { mistakeInText } from './line-mistakes.ts'
import { exclusionAt, Matcher } from './matcher.ts'
import type { Glob, Pattern, PatternLine } from './patterns.ts'
import { memoize, type SearchContext } from './search-context.ts'
import { type SearchedLine, type SearchedPattern, skipAdvice } from './search-problems.ts'

/** What is below a folder, up to a limit. */
interface Listing {
  readonly folder: string
  /** Of its entries; undefined if it cannot be read. */
  readonly names: readonly string[] | undefined
  /** The names that lead there from the folder, without what is excluded. */
  readonly files: readonly (readonly string[])[]
  readonly folders: readonly (readonly string[])[]
}

/** What an explanation is made from. */
interface Facts extends SearchContext {
  readonly line: PatternLine
  readonly pattern: Pattern
  /** What the start of the pattern leads to. */
  readonly target: Target['kind'] | undefined
  /** On a runner of one's own, what lies outside belongs to other jobs: nothing there is named or searched for a hint. */
  readonly isInWorkspace: boolean
  /** Of the folder before the first wildcard, or the nearest above it that exists. Empty outside the workspace. */
  readonly near: Listing
  readonly workspace: Listing
}

type Explained = Pick<UnmatchedPattern, 'explanation' | 'isCorrection'>

/** Beyond this number, explanations repeat themselves. */
const maxExplained = 10
const maxListed = 5000
const maxNamed = 3
const maxEdits = 2

/** Lines without a file, and alternatives of a line that match none. Those that people will read are explained. */
export async function explainUnmatched(
  context: SearchContext,
  searched: readonly SearchedLine[],
): Promise<readonly UnmatchedPattern[]> {
  // What it lists, it lists once for all lines.
  const listed = memoize((folder) => listBelow(context, folder))
  let explained = 0
  let literals = 0
  const unmatched: UnmatchedPattern[] = []
  for (const one of searched) {
    const { line, searches } = one
    // A file that is named and empty exists.
    const literal = one.literal && !searches.some(({ skipped }) => skipped.some(({ reason }) => reason === 'empty'))
    const empty = searches.filter(({ files }) => files.length === 0)
    if (empty.length < searches.length) unmatched.push(...alternativesWithout(line, empty))
    else if (++explained <= maxExplained || (literal && ++literals <= maxExplained)) {
      unmatched.push({ pattern: line.text, literal, ...(await explainLine(context, one, listed)) })
    } else unmatched.push({ pattern: line.text, literal })
  }
  return unmatched
}

/** `{unit,api}/*.csv` that finds nothing in `api`. */
function alternativesWithout({ text: written }: PatternLine, [first, ...others]: readonly SearchedPattern[]) {
  if (first === undefined) return []
  const more = text`this one and ${others.length} more of its alternatives`
  const which = others.length === 0 ? text`this alternative` : more
  const explanation = text`${written} finds other files, but none for ${which}.`
  return [{ pattern: first.pattern.text, literal: false, explanation: [explanation] }]
}

async function explainLine(
  context: SearchContext,
  { line, searches }: SearchedLine,
  listed: (folder: string) => Promise<Listing>,
): Promise<Explained> {
  const inText = mistakeInText(line.text, path)
  if (inText) return { explanation: [inText], isCorrection: true }
  const [first] = searches
  if (first === undefined) return { explanation: [text`It matches no path at all.`] }
  const { pattern } = first
  const nearest = await nearestFolder(pattern.root)
  const folder = nearest ?? path.parse(pattern.root).root
  const isInWorkspace = nearest !== undefined && isWithin(await resolved(nearest), context.realWorkspace)
  const facts: Facts = {
    ...context,
    line,
    pattern,
    target: (await follow(pattern.root)).kind,
    isInWorkspace,
    near: isInWorkspace ? await listed(folder) : { folder, names: [], files: [], folders: [] },
    workspace: await listed(context.options.workspace),
  }
  const where = nearest === undefined ? text`There is no drive or share ${folder}.` : describePlace(facts)
  return explain(facts, where, searches)
}

async function nearestFolder(at: string): Promise<string | undefined> {
  const target = await follow(at)
  if (target.kind === 'folder') return at
  return path.dirname(at) === at ? undefined : nearestFolder(path.dirname(at))
}

function explain(facts: Facts, where: Text, searches: readonly SearchedPattern[]): Explained {
  const skipped = searches.flatMap((search) => search.skipped)
  const met = describeSkipped(skipped)
  const roots = searches.map(({ pattern }) => facts.display(pattern.root))
  // What the pattern begins with was skipped, so nothing below it was searched.
  if (skipped.length > 0 && skipped.every((one) => roots.includes(one.path))) return { explanation: [met] }
  // Outside the workspace, some folders always belong to other users: that they cannot be read says nothing about the line.
  const isRelevant = skipped.some(({ reason }) => facts.isInWorkspace || reason !== 'unreadable')
  const meant = isRelevant ? undefined : correction(facts)
  if (meant) return { explanation: [meant], isCorrection: true }
  const below = skipped.length > 0 ? text`Skipped: ${met}` : []
  const advice = isRelevant ? onlyFolders(facts, 'Otherwise, it') : hint(facts)
  return { explanation: [where, below, advice ?? []].filter((line) => line.length > 0) }
}

function describePlace({ display, isInWorkspace, nameOf, near, pattern, removeToken, target }: Facts): Text {
  const { root, segments } = pattern
  const where = nameOf(near.folder)
  const entries = isInWorkspace ? describeEntries(near, removeToken) : undefined
  if (target === 'absent') {
    const [first = ''] = path.relative(near.folder, root).split(path.sep)
    const name = display(path.join(near.folder, first))
    const isClass = /\[.\]/.test(pattern.text) && !pattern.text.includes(first)
    const missing = isClass
      ? text`There is no ${pattern.text}, and no ${name}, which it means as a pattern`
      : text`There is no ${name}`
    return entries ? text`${missing}: ${where} holds ${entries}.` : text`${missing}.`
  }
  if (target === 'file' && segments.length === 0) return text`${display(root)} exists.`
  const file = target === 'file' ? text`${display(root)} is a file, not a folder. ` : []
  return text`${file}Searched ${where}, which ${entries ? text`holds ${entries}` : text`is outside the workspace`}.`
}

function describeEntries({ names }: Listing, removeToken: (text: string) => string): Text {
  if (names === undefined) return text`entries that cannot be read`
  if (names.length === 0) return text`nothing`
  const isHidden = (name: string) => Number(name.startsWith('.'))
  const visibleFirst = names.toSorted().sort((a, b) => isHidden(a) - isHidden(b))
  const count = words(formatCount(names.length, 'entry', 'entries'))
  return text`${count}: ${list(visibleFirst.map(removeToken), { max: maxNamed })}`
}

function describeSkipped(skipped: readonly SkippedFile[]): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([text`${list(items, { max: maxNamed, separator: '; ' })}.`, ...advice], ' ')
}

/** What was probably meant. It says all that there is to say. */
function correction(facts: Facts): Text | undefined {
  const found = trailingSlash(facts) ?? pathOfHost(facts) ?? leadingSlash(facts) ?? onlyFolders(facts, 'It')
  if (found || !facts.isInWorkspace) return found
  return facts.target === 'absent' ? misspelledName(facts) : misspelledExtension(facts)
}

function trailingSlash({ line, pattern, target }: Facts): Text | undefined {
  if (target !== 'file' || !pattern.foldersOnly || pattern.segments.length > 0) return undefined
  return text`${line.text} is a file, and ${code('/')} at the end matches folders only: remove it.`
}

/**
 * In a job with `container:`, expressions such as `runner.temp` are paths of the host, whose folder `_work` or `work` is `/__w` there:
 * https://github.com/actions/runner/issues/2058
 */
function pathOfHost({ display, options, pattern, target }: Facts): Text | undefined {
  const [, below] = /^\/.*?\/_?work(\/.+)$/s.exec(pattern.text) ?? []
  if (target !== 'absent' || below === undefined || !options.workspace.startsWith('/__w/')) return undefined
  return text`${display(pattern.root)} is a path of the host, but the job runs in a container. There, it is ${`/__w${below}`}.`
}

function leadingSlash({ line, options, pattern, workingDirectory, workspace }: Facts): Text | undefined {
  const [, relative = '', first = ''] = /^\/+(([^/]+).*)$/s.exec(line.pattern) ?? []
  if (relative === '' || isWithin(pattern.root, options.workspace)) return undefined
  const start = path.relative(options.workspace, path.join(workingDirectory, first))
  const isThere = [...workspace.files, ...workspace.folders].some((names) => names.join(path.sep) === start)
  return isThere ? text`A leading ${code('/')} is the root of the runner's disk. Did you mean ${relative}?` : undefined
}

function onlyFolders({ display, near, pattern }: Facts, subject: string): Text | undefined {
  const { root, segments, text: written } = pattern
  const last = segments.at(-1)
  const folders = matching(near, near.folders, new Matcher(pattern, { dot: false, ignoreCase }))
  const files = filesLike(near, { root, segments: [...segments, '**'] })
  if (last === '**' || folders.length === 0 || files.length === 0) return undefined
  const shown = list(folders.map(display), { max: maxNamed })
  return text`${words(subject)} matches only folders: ${shown}. For the files in them write ${last === '*' ? `${written}*` : `${written}/**`}.`
}

/** What may help, after the description of the place. */
function hint(facts: Facts): Text | undefined {
  const { display, isInWorkspace, near, options, pattern, target } = facts
  const isEmpty = isInWorkspace && near.names?.length === 0
  if (isEmpty && near.folder === options.workspace) {
    return text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
  }
  // The description of the place already says that it is a file.
  if (target === 'file') return undefined
  const isFolder = target === 'folder'
  const found = isFolder && isEmpty ? undefined : matchesNearby(facts)
  if (found || options.ifNoFilesFound === 'ignore') return found
  if (isFolder) return text`Did the step that writes the files run, and before this one?`
  return text`Was ${display(pattern.root)} made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.`
}

function matchesNearby({ display, near, pattern, target, workspace }: Facts): Text | undefined {
  const { segments } = pattern
  const last = segments.at(-1)
  const shown = (files: readonly string[]) => list(files.map(display), { max: maxNamed })
  const mayBeFolder = target === 'absent' && last === undefined
  const paths = ({ files, folders }: Listing) => (mayBeFolder ? [...files, ...folders] : files)
  const inOtherCase = ignoreCase ? [] : filesLike(near, pattern, paths(near))
  if (inOtherCase.length > 0) return text`Upper and lower case matter: there is ${shown(inOtherCase)}.`
  const below = filesLike(near, anywhere(near.folder, pattern), paths(near))
  if (below.length > 0 && last !== undefined && target !== 'absent' && !segments.includes('**')) {
    const start = pattern.text.split('/').slice(0, -segments.length)
    const deep = [...start, '**', last.replaceAll('**', '*')].join('/')
    return text`${code('*')} stays in its folder. To search those below too, write ${deep}: there is ${shown(below)}.`
  }
  // Below a missing folder any file fits a pattern such as `**`.
  if (last === '*' || last === '**') return undefined
  const inWorkspace = filesLike(workspace, anywhere(workspace.folder, pattern), paths(workspace))
  const files = below.length > 0 ? below : inWorkspace
  return files.length === 0 ? undefined : text`Elsewhere there is ${shown(files)}.`
}

/** Of files that people send. They are no misspellings: if no `.csv` file is there, nobody means the `.cs` files. */
const knownExtensions = [
  'cov csv dat db doc docx info json jsonl lcov log md ndjson out pdf sarif sql tap toml trx tsv txt xls xlsx xml yaml yml',
  'css gif htm html jpeg jpg js mp4 png svg ts webm webp',
  '7z aab apk bin bz2 deb dmg exe gz ipa iso jar msi rpm tar tgz war whl xz zip zst',
].flatMap((line) => line.split(' '))

/** The extension that a pattern was probably meant to have. */
function misspelledExtension({ nameOf, near, pattern: { root, segments } }: Facts): Text | undefined {
  const [, stem = '', extension = ''] = /^(.*)\.([a-z\d]+)$/i.exec(segments.at(-1) ?? '') ?? []
  if (knownExtensions.includes(extension.toLowerCase())) return undefined
  const files = filesLike(near, { root, segments: [...segments.slice(0, -1), `${stem}.*`] })
  const byExtension = Map.groupBy(files, (file) => path.extname(file).slice(1))
  const maxDistance = Math.min(maxEdits, extension.length - 1)
  const known = [...byExtension.keys()].filter((one) => knownExtensions.includes(one))
  const meant = closestMatch(extension, known, { maxDistance })
  if (meant === undefined) return undefined
  const where = text`${words(segments.length === 1 ? 'in' : 'below')} ${nameOf(root)}`
  const count = byExtension.get(meant)?.length ?? 0
  return text`There are no ${`.${extension}`} files ${where}, but ${count} ${`.${meant}`} ${words(count === 1 ? 'file' : 'files')}. Did you mean ${`${stem}.${meant}`}?`
}

/** The entry of a folder whose name is almost that of the one that is missing. */
function misspelledName({ display, near, pattern, workspace }: Facts): Text | undefined {
  const { root, segments } = pattern
  const missing = path.relative(near.folder, root).split(path.sep)
  const [name = ''] = missing
  const isFolder = missing.length > 1 || segments.length > 0
  // A file of exactly this name is more likely meant than one of a similar name.
  if (!isFolder && filesLike(workspace, anywhere(workspace.folder, { root, segments })).length > 0) return undefined
  const entries = [...near.folders, ...(isFolder ? [] : near.files)].filter((names) => names.length === 1).flat()
  const meant = closestName(name, entries)
  if (meant === undefined) return undefined
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
function filesLike(listing: Listing, glob: Glob, paths = listing.files): readonly string[] {
  return matching(listing, paths, new Matcher(glob, { dot: false, ignoreCase: true }))
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
async function listBelow(context: SearchContext, folder: string): Promise<Listing> {
  const { checkpoint, exclusion, list: entriesIn } = context
  const files: (readonly string[])[] = []
  const folders: (readonly string[])[] = []
  const isExcluded = (names: readonly string[], isFolder: boolean) =>
    exclusionAt(exclusion, [path.join(folder, ...names)], isFolder).notSent !== undefined
  const entriesOf = (names: readonly string[]) => entriesIn(path.join(folder, ...names)).catch(() => undefined)
  const top = await entriesOf([])
  const level: (readonly string[])[] = [[]]
  for (const above of level) {
    if (files.length + folders.length >= maxListed) break
    await checkpoint()
    const entries = (await entriesOf(above)) ?? []
    for (const entry of entries.filter((one) => !isExcluded([...above, one.name], one.isDirectory()))) {
      const names = [...above, entry.name]
      if (entry.isFile()) files.push(names)
      if (!entry.isDirectory()) continue
      folders.push(names)
      if (!dependencyFolder.test(entry.name)) level.push(names)
    }
  }
  return { folder, names: top?.map(({ name }) => name), files, folders }
}
