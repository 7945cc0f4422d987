import path from 'node:path'
import { code, join, list, type Text, text, words } from '../text/text.ts'
import { follow, isWithin, someNames } from './disk.ts'
import { Matcher } from './matcher.ts'
import { misspelledExtension, misspelledName, mistakenRoot } from './misspelling.ts'
import type { Pattern, PatternLine } from './patterns.ts'
import { resolved, type SearchContext } from './search-context.ts'
import { type Excluded, eachFolder, type Skipped } from './walk.ts'

/** A line that matched nothing, and what the search met. */
export interface Unmatched {
  readonly context: SearchContext
  readonly line: PatternLine
  readonly patterns: readonly Pattern[]
  readonly skipped: readonly Skipped[]
  readonly excluded: readonly Excluded[]
}

const maxCounted = 1000
const maxSearched = 5000
const maxNamed = 3

/** Why a line matched nothing, for somebody who has read no documentation: one to four lines. */
export async function explain(unmatched: Unmatched): Promise<Text> {
  const { excluded, line, patterns, skipped } = unmatched
  const [pattern] = patterns
  if (pattern === undefined) return text`It matches no path at all.`
  const place = await searchedPlace(unmatched, pattern)
  const inText = mistakeInText(line.text, path)
  // Outside the workspace, some folders always belong to other users: that they cannot be read says nothing about the line.
  const relevant = skipped.filter(({ reason }) => place.isInWorkspace || reason !== 'unreadable')
  const nothingMet = inText === undefined && relevant.length === 0 && excluded.length === 0
  const suggestion = nothingMet ? await misspelling(unmatched, pattern, place) : undefined
  if (suggestion) return suggestion
  const mistake = inText ?? (nothingMet ? await mistakeOnDisk(unmatched, pattern, place) : undefined)
  return join([place.text, ...whatWasSkipped(unmatched), ...(mistake === undefined ? [] : [mistake])], '\n')
}

interface SearchedPlace {
  readonly text: Text
  /** Absolute: the folder before the first wildcard, or the nearest above it that exists. */
  readonly folder: string
  /** Whether folders between it and the start of the pattern are missing. */
  readonly isAbove: boolean
  /** On a runner of one's own, what lies outside belongs to other jobs: nothing there is named or searched for a hint. */
  readonly isInWorkspace: boolean
}

async function searchedPlace({ context }: Unmatched, { root, segments }: Pattern): Promise<SearchedPlace> {
  const { display } = context
  const target = await follow(root)
  const folder = target.kind === 'folder' ? root : await nearestFolder(path.dirname(root))
  if (folder === undefined) {
    const drive = path.parse(root).root
    return { text: text`There is no drive or share ${drive}.`, folder: drive, isAbove: true, isInWorkspace: false }
  }
  const isInWorkspace = isWithin(await resolved(folder), context.realWorkspace)
  const entries = isInWorkspace ? await describeEntries(context, folder) : undefined
  const where = display(folder) === '.' ? text`the workspace` : text`${display(folder)}`
  if (target.kind === 'absent') {
    const [first = ''] = path.relative(folder, root).split(path.sep)
    const missing = text`There is no ${display(path.join(folder, first))}`
    const place = entries ? text`${missing}: ${where} holds ${entries}.` : text`${missing}.`
    return { text: place, folder, isAbove: true, isInWorkspace }
  }
  if (target.kind === 'file' && segments.length === 0) {
    return { text: text`${display(root)} exists.`, folder, isAbove: false, isInWorkspace }
  }
  const file = target.kind === 'file' ? text`${display(root)} is a file, not a folder. ` : []
  const details = entries ? text`holds ${entries}` : text`is outside the workspace`
  return { text: text`${file}Searched ${where}, which ${details}.`, folder, isAbove: false, isInWorkspace }
}

async function nearestFolder(at: string): Promise<string | undefined> {
  const target = await follow(at)
  if (target.kind === 'folder') return at
  return path.dirname(at) === at ? undefined : nearestFolder(path.dirname(at))
}

async function describeEntries({ removeToken }: SearchContext, folder: string): Promise<Text> {
  const names = await someNames(folder, maxCounted)
  if (names === undefined) return text`entries that cannot be read`
  if (names.length === 0) return text`nothing`
  const count =
    names.length === maxCounted
      ? text`${maxCounted} entries or more`
      : text`${names.length} ${words(names.length === 1 ? 'entry' : 'entries')}`
  const shown = visibleFirst(names).map(removeToken)
  return text`${count}: ${list(shown, { max: maxNamed })}`
}

function visibleFirst(names: readonly string[]): readonly string[] {
  const sorted = names.toSorted()
  const isHidden = (name: string) => name.startsWith('.')
  return [...sorted.filter((name) => !isHidden(name)), ...sorted.filter(isHidden)]
}

function whatWasSkipped({ context, excluded, skipped }: Unmatched): readonly Text[] {
  const { display } = context
  const items = skipped.map(({ path: at, why }) => text`${display(at)} ${why}`)
  const ways = skipped.some(({ reason }) => reason === 'hidden')
    ? text` To send hidden files, write the dot in the pattern or set ${code('include-hidden-files: true')}.`
    : []
  return [
    ...(items.length === 0 ? [] : [text`Skipped: ${list(items, { max: maxNamed, separator: '; ' })}.${ways}`]),
    ...[...Map.groupBy(excluded, (one) => one.line)].map(
      ([line, those]) =>
        text`${line} excludes ${list(
          those.map(({ path: at }) => display(at)),
          { max: maxNamed },
        )}.`,
    ),
  ].slice(0, 2)
}

/**
 * The mistake that the text of a pattern shows, if it shows one.
 *
 * Only for patterns that match nothing: each of these texts can be a right one.
 */
export function mistakeInText(pattern: string, { sep }: Pick<path.PlatformPath, 'sep'>): Text | undefined {
  if (pattern.includes('${{')) {
    return text`An expression is still in the text: GitHub replaces expressions only in the workflow file itself.`
  }
  const variable = /\$\{?(?:env:)?(\w+)\}?|%(\w+)%/.exec(pattern)
  if (variable !== null) {
    const expression = expressionFor(variable[1] ?? variable[2] ?? '')
    return text`${variable[0]} is taken literally: no shell reads this text. Write ${expression}.`
  }
  if (isJsonList(pattern)) {
    return text`${code('files')} is text, not a JSON list. Write one pattern per line, without ${code('[')}, ${code(']')}, quotes and commas.`
  }
  const separator = separatorIn(pattern)
  if (separator) return text`The ${words(separator)} is taken as part of the name: write one pattern per line.`
  if (/^(["']).*\1$/.test(pattern)) return text`The quotes are taken as part of the name: remove them.`
  if (/^- /.test(pattern)) {
    return text`The ${code('- ')} is taken as part of the name: this is text with one pattern per line, not a list.`
  }
  if (sep === '/' && pattern.includes('\\')) {
    return text`${code('\\')} makes the character after it literal. Write folders with ${code('/')}: ${pattern.replaceAll('\\', '/')}.`
  }
  if (/,(?![^{]*\})/.test(pattern)) {
    return text`The comma is taken as part of the name: write one pattern per line.`
  }
  const withSlashes = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern
  if (/[*?\]]\/$/.test(withSlashes)) {
    return text`A wildcard with ${code('/')} at the end matches folders only. For the files in them write ${`${withSlashes}**`}.`
  }
  return undefined
}

/** A JSON list, or a line of one. */
function isJsonList(pattern: string): boolean {
  return /^\[\s*["']|^\[.*[/.,].*\]$|^["'].*["'],$|^\[$|^\]$/.test(pattern)
}

/** What stands between several patterns on one line. */
function separatorIn(pattern: string): 'semicolon' | 'space' | undefined {
  const unquoted = pattern.replace(/["']/g, '')
  const areSeveral = (parts: readonly string[]) =>
    parts.length > 1 && parts.every((part) => !part.includes(',') && /[*?/]|\.\w+$/.test(part))
  if (areSeveral(unquoted.split(/\s*;\s*/))) return 'semicolon'
  return areSeveral(unquoted.split(/\s+/)) ? 'space' : undefined
}

/** What GitHub offers in place of a variable of the shell. */
function expressionFor(variable: string): string {
  if (variable === 'HOME' || variable === 'USERPROFILE') return '~'
  const [, context, property] = /^(GITHUB|RUNNER)_(\w+)$/.exec(variable) ?? []
  return context === undefined || property === undefined
    ? `\${{ env.${variable} }}`
    : `\${{ ${context.toLowerCase()}.${property.toLowerCase()} }}`
}

/** What was probably meant, if a name is almost right. It says all that there is to say. */
async function misspelling(
  { context, line }: Unmatched,
  pattern: Pattern,
  { folder, isAbove, isInWorkspace }: SearchedPlace,
): Promise<Text | undefined> {
  const rooted = await mistakenRoot(context, line, pattern, (one) => filesLike(context, one.root, one))
  if (rooted) return rooted
  if (!isInWorkspace) return undefined
  if ((await filesLike(context, folder, pattern)).length > 0) return undefined
  if (!isAbove) return misspelledExtension(context, pattern, (one) => filesLike(context, folder, one))
  const { root, segments } = pattern
  const name = path.basename(root)
  // A file of exactly this name is more likely meant than one of a similar name.
  if (segments.length === 0 && path.dirname(root) === folder) {
    const sameName = { root: context.options.workspace, segments: ['**', literally(name)] }
    if ((await filesLike(context, context.options.workspace, sameName)).length > 0) return undefined
  }
  return misspelledName(context, folder, pattern)
}

/** Looks for files that the pattern would match if it were written a little differently. */
async function mistakeOnDisk(
  { context }: Unmatched,
  { root, segments }: Pattern,
  { folder, isAbove, isInWorkspace }: SearchedPlace,
): Promise<Text | undefined> {
  const { display, ignoreCase, options } = context
  if (folder === options.workspace && (await someNames(folder, 1))?.length === 0) {
    return text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
  }
  const last = segments.at(-1) ?? path.basename(root)
  const isFolder = folder === root || isAbove
  if (!isFolder || last === '') return undefined
  if (isInWorkspace && !ignoreCase) {
    const sameButCase = await filesLike(context, folder, { root, segments })
    if (sameButCase.length > 0)
      return text`Upper and lower case matter: there is ${list(sameButCase, { max: maxNamed })}.`
  }
  // The name of a missing file is not a pattern.
  const anywhere = (below: string) =>
    filesLike(context, below, { root: below, segments: ['**', segments.length === 0 ? literally(last) : last] })
  const deeper = isInWorkspace ? await anywhere(folder) : []
  if (deeper.length > 0 && !isAbove && !segments.includes('**')) {
    return text`${code('*')} stays in its folder, ${code('**')} searches those below too. Further down there is ${list(deeper, { max: maxNamed })}.`
  }
  const elsewhere = deeper.length > 0 ? deeper : await anywhere(options.workspace)
  // Below a missing folder any file fits a pattern such as `**`.
  if (elsewhere.length > 0 && last !== '**' && last !== '*') {
    return text`Elsewhere there is ${list(elsewhere, { max: maxNamed })}.`
  }
  if (!isAbove || options.ifNoFilesFound === 'ignore') return undefined
  return text`Was ${display(root)} made in another job? Then download its artifact first. If not, the step that makes it failed, was skipped, is missing or comes later.`
}

function literally(name: string): string {
  return name.replaceAll('\\', '\\\\').replace(/[*?[]/g, '[$&]')
}

const dependencyFolder = /^(node|bower|jspm)_(modules|components|packages)$/

/** The files below a folder that a pattern matches if upper and lower case are the same, as people read them. */
async function filesLike(
  context: SearchContext,
  folder: string,
  pattern: Pick<Pattern, 'root' | 'segments'>,
): Promise<readonly string[]> {
  const matcher = new Matcher(pattern, { dot: false, ignoreCase: true })
  const found: string[] = []
  await eachFolder(
    context,
    { real: folder, positions: matcher.at(folder) },
    async (place, entries) => {
      const folders = []
      for (const entry of entries) {
        const positions = matcher.next(place.positions, entry.name)
        if (entry.isFile() && matcher.matches(positions)) found.push(path.join(place.real, entry.name))
        if (entry.isDirectory() && matcher.mayHold(positions) && !dependencyFolder.test(entry.name)) {
          folders.push({ real: path.join(place.real, entry.name), positions })
        }
      }
      return folders
    },
    { maxEntries: maxSearched },
  )
  return found.sort().map(context.display)
}
