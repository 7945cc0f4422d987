import path from 'node:path'
import leven, { closestMatch } from 'leven'
import { minimatch } from 'minimatch'
import { notice, type Problem } from '../problem.ts'
import { formatCount } from '../text/format.ts'
import { code, join, list, type Text, text, words } from '../text/text.ts'
import type { UnnamedFile } from './allowed.ts'
import { follow, ignoreCase, isWithin, resolved } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { exclusionAt, initialState, stateAt } from './matcher.ts'
import type { Glob, Pattern, PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { maxExplained, skipAdvice } from './search-problems.ts'
import { walk } from './walk.ts'

const maxListed = 5000
const maxNamed = 3
const maxElsewhere = 10
const maxEdits = 2
/** Names at the end of a pattern that are looked for in other folders. */
const maxEnd = 4

/** A line, and for each of its patterns what was found. */
export interface SearchedLine {
  readonly line: PatternLine
  /** It names one file or folder, which is not an empty file. */
  readonly literal: boolean
  readonly searches: readonly SearchedPattern[]
}

export interface SearchedPattern {
  readonly pattern: Pattern
  readonly files: readonly UnnamedFile[]
  readonly skipped: readonly SkippedFile[]
}

/** Lines without a file, and alternatives of a line that match none. Those that people will read are explained. */
export async function explainUnmatched(context: SearchContext, searched: readonly SearchedLine[]) {
  const isEmpty = ({ searches }: SearchedLine) => searches.every(({ files }) => files.length === 0)
  // What names one file comes first, because it can be an error beside files that other lines find.
  const byWeight = searched.filter(isEmpty).sort((a, b) => Number(b.literal) - Number(a.literal))
  const explained = new Set(byWeight.slice(0, maxExplained))
  const unmatched: UnmatchedPattern[] = []
  for (const searchedLine of searched) {
    const { line, literal, searches } = searchedLine
    const alternative = searches.find(({ files }) => files.length === 0)
    if (isEmpty(searchedLine)) {
      const explanation = explained.has(searchedLine) ? await explainLine(context, searchedLine) : undefined
      unmatched.push({ pattern: line.text, literal, explanation })
    } else if (alternative) {
      // `{unit,api}/*.csv` that finds nothing in `api`.
      const explanation = [text`${line.text} finds other files, but none for this alternative.`]
      unmatched.push({ pattern: alternative.pattern.text, literal: false, explanation })
    }
  }
  return unmatched
}

/** The pattern that also searches the folders below, all of them. */
function deeper(pattern: Pattern): Pattern {
  const segments = ['**', (pattern.segments.at(-1) ?? '').replaceAll('**', '*')]
  const above = pattern.text.split('/').slice(0, -pattern.segments.length)
  return { ...pattern, segments, text: [...above, ...segments].join('/') }
}

/** `reports/**.csv` finds files, and none in the folders below. */
export async function explainShallow(context: SearchContext, searched: SearchedLine): Promise<readonly Problem[]> {
  const { line, searches } = searched
  const search = searches.find(
    ({ files, pattern }) => files.length > 0 && /[^*]\*\*|\*\*[^*]/.test(pattern.segments.at(-1) ?? ''),
  )
  if (search === undefined) return []
  const instead = deeper(search.pattern)
  const { matches } = await walk(context, instead)
  const missed = matches.map(({ path: at }) => at).filter((at) => path.dirname(at) !== instead.root)
  if (missed.length === 0) return []
  const explanation = text`${line.text} leaves out ${pathList(missed, context)}: ${code('**')} searches folders only between slashes. To search them too, write ${instead.text}.`
  return [notice('A pattern leaves out the folders below', explanation, 'nothingFound')]
}

/** What was probably meant: what the disk says before what the text says. It says all that there is to say. */
const corrections = [onlyFolders, nameTypo, extensionTypo, otherLanguage, severalPatterns, otherStart]

async function explainLine(context: SearchContext, { line, searches }: SearchedLine): Promise<readonly Text[]> {
  const [first] = searches
  if (first === undefined) return [text`It matches no path at all.`]
  const skipped = searches.flatMap((search) => search.skipped)
  // Whether a hidden folder holds what was meant is not known. Anything else was meant.
  const isMeant = skipped.some(({ path: at, reason }) => reason !== 'hidden' || !at.endsWith('/'))
  if (isMeant) return [describeSkipped(skipped)]
  const missing = await lookAround(context, first.pattern, searches.length === 1 ? line.pattern : first.pattern.text)
  for (const correct of corrections) {
    const meant = await correct(missing)
    if (meant) return [meant]
  }
  const hidden = skipped.length > 0 ? text`Skipped: ${describeSkipped(skipped)}` : []
  const hint = (await nearby(missing)) ?? question(missing)
  return [describePlace(missing), hidden, hint].filter((part) => part.length > 0)
}

/** A pattern that finds no file, and what is around it. */
type Missing = Awaited<ReturnType<typeof lookAround>>

/** @param written what the user wrote; of a line with alternatives, the first of them */
async function lookAround(context: SearchContext, pattern: Pattern, written: string) {
  const { root, segments, text: alternative } = pattern
  const { kind: target } = await follow(root)
  /** The folder before the first wildcard, or the nearest above it that exists. */
  let folder = root
  while ((await follow(folder)).kind !== 'folder' && path.dirname(folder) !== folder) folder = path.dirname(folder)
  /** The names in the folder; undefined if they cannot be read. */
  const names = (await context.entriesOf(folder).catch(() => undefined))?.map(({ name }) => name)
  /** If `target` is absent: the name that the folder lacks, and those below it. */
  const absent = path.relative(folder, root).split(path.sep)
  const { workspace: top } = context.options
  /** On a runner of one's own, what lies outside belongs to other jobs: nothing there is named or searched for a hint. */
  const isInWorkspace = isWithin(await resolved(folder), context.realWorkspace)
  const workspace = await listBelow(context, isInWorkspace ? [folder, top] : [top])
  const isName = segments.length === 0
  const isTyped = isName && (path.sep === '\\' || !alternative.includes('\\'))
  const typed = isTyped ? root.split(path.sep).map((name) => minimatch.escape(name)) : alternative.split(/[\\/]/)
  const paths = [...workspace.files, ...(isName ? workspace.folders : [])]
  /** The most names at the end that fit something in the workspace, what they fit, and what the user wrote before them. */
  let ending = typed.filter((name) => !/^\.{0,2}$/.test(name)).slice(-maxEnd)
  let fits: readonly string[] = []
  // Any file fits a `*`.
  for (; /[^,*]/.test(ending.join()); ending = ending.slice(1)) {
    fits = await matching(context, paths, { root: top, segments: ['**', ...ending] })
    if (fits.length > 0) break
  }
  const parts = written.split(/([\\/]+)/)
  const beginning = parts.slice(0, fits.length > 0 ? -2 * ending.length : undefined).join('')
  const place = { target, folder, names, absent, isInWorkspace }
  return { ...place, context, pattern, written, workspace, ending, fits, beginning }
}

/** Those that a pattern matches if upper and lower case are the same. */
async function matching({ checkpoint }: SearchContext, paths: readonly string[], glob: Glob) {
  await checkpoint()
  const start = initialState(glob, { dot: false, ignoreCase: true })
  return paths.filter((at) => stateAt(start, at).matches).sort()
}

function describePlace({ absent, context, folder, isInWorkspace, names, pattern, target }: Missing): Text {
  const { display, nameOf, removeToken } = context
  if (target === 'file') return text`${display(pattern.root)} is a file, not a folder.`
  const holds = isInWorkspace ? text`holds ${describeNames(names?.map(removeToken))}` : text`is outside the workspace`
  if (target === 'folder') return text`Searched ${nameOf(folder)}, which ${holds}.`
  const where = isInWorkspace ? text`: ${nameOf(folder)} ${holds}` : []
  return text`There is no ${display(path.join(folder, absent[0] ?? ''))}${where}.`
}

function describeNames(names: readonly string[] | undefined): Text {
  if (!names?.length) return words(names ? 'nothing' : 'entries that cannot be read')
  const isHidden = (name: string) => Number(name.startsWith('.'))
  const shown = [...names].sort().sort((a, b) => isHidden(a) - isHidden(b))
  return text`${words(formatCount(names.length, 'entry', 'entries'))}: ${list(shown, { max: maxNamed })}`
}

function describeSkipped(skipped: readonly SkippedFile[]): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([text`${list(items, { max: maxNamed, separator: '; ' })}.`, ...advice], ' ')
}

function pathList(paths: readonly string[], { display }: SearchContext): Text {
  return list(paths.map(display), { max: maxNamed })
}

async function onlyFolders({ context, pattern, workspace }: Missing): Promise<Text | undefined> {
  const { foldersOnly, root, segments, text: alternative } = pattern
  if (segments.length === 0) return undefined
  const matched = await matching(context, workspace.folders, pattern)
  const below = await matching(context, workspace.files, { root, segments: [...segments, '**'] })
  if (!foldersOnly && (matched.length === 0 || below.length === 0)) return undefined
  const instead = alternative.endsWith('/*') ? `${alternative}*` : alternative.replace(/\/*$/, '/**')
  const which = matched.length > 0 ? text`: ${pathList(matched, context)}` : []
  return text`It matches only folders${which}. For the files in them write ${instead}.`
}

/** The name in a folder that is almost the one that is missing. */
function nameTypo({ absent, context, fits, folder, pattern, target, workspace }: Missing): Text | undefined {
  const [typed = '', ...below] = absent
  const wantsFolder = below.length > 0 || pattern.segments.length > 0
  // A file of exactly this name is more likely meant than one of a similar name.
  if (target !== 'absent' || (!wantsFolder && fits.length > 0)) return undefined
  const siblings = [...workspace.folders, ...(wantsFolder ? [] : workspace.files)]
    .filter((at) => path.dirname(at) === folder)
    .map((at) => path.basename(at))
  // `part-2` is no misspelling of `part-1`.
  const letters = (name: string) => name.toLowerCase().replace(/\d+/g, '')
  const similar = siblings.filter((name) => name[0] === typed[0] && letters(name) !== letters(typed))
  const maxDistance = Math.min(maxEdits, Math.floor(path.parse(typed).name.length / 3))
  const decoded = siblings.find((name) => name === typed.replaceAll('%20', ' '))
  const meant = decoded ?? closestMatch(typed, similar, { maxDistance })
  if (meant === undefined) return undefined
  const shown = (name: string) => context.display(path.join(folder, name))
  return text`There is no ${words(wantsFolder ? 'folder ' : '')}${shown(typed)}. Did you mean ${shown(meant)}?`
}

/** `*.cvs` where there is a `.csv` file: the letters have another order, or one is another one. */
async function extensionTypo({ context, pattern, workspace }: Missing): Promise<Text | undefined> {
  const { root, segments } = pattern
  const [, stem = '', typed] = /^(.*\.)([a-z\d]{3,})$/.exec(segments.at(-1) ?? '') ?? []
  if (typed === undefined) return undefined
  const beside = await matching(context, workspace.files, { root, segments: [...segments.slice(0, -1), `${stem}*`] })
  const extensionOf = (at: string) => path.extname(at).slice(1).toLowerCase()
  // In alphabetical order, `cvs` is `csv`.
  const letters = (extension: string) => [...extension].sort().join('')
  const isAlmost = (extension: string) => extension !== typed && leven(letters(extension), letters(typed)) < 2
  const similar = beside.map(extensionOf).filter(({ length }) => length === typed.length)
  const meant = similar.find((extension) => extension[0] === typed[0] && isAlmost(extension))
  if (meant === undefined) return undefined
  const there = beside.filter((at) => extensionOf(at) === meant)
  return text`There are no ${`.${typed}`} files, but there is ${pathList(there, context)}. Did you mean ${stem + meant}?`
}

const jsonList = text`a JSON list such as ${code('["a.csv", {"path": "b.csv"}]')}`
const noShell = text`is taken literally: no shell reads this text. Write an expression, such as ${code('${{ github.workspace }}')} or ${code('${{ env.NAME }}')}, or ${code('${{ steps.ID.outputs.NAME }}')} for what an earlier step finds out`
const wholeLanguage = text`A line is one pattern, and patterns support ${code('*')}, ${code('**')}, ${code('?')}, ${code('[a-z]')}, ${code('{a,b}')}, ${code('\\')} before a character that is meant literally (not on Windows), and ${code('!')} at the start of a line, which excludes`

/** What is no pattern, each with what to say after it. */
const otherLanguages: readonly (readonly [RegExp, Text])[] = [
  [
    /\$?\{\{(?:.*?\}\})?|\b(?:steps|needs)\.[\w-]+\.outputs\.[\w-]+|^(?:github\.workspace|runner\.temp|(?:env|vars)\.[A-Z_]+)\b/,
    text`is not replaced by GitHub: write it in the workflow file itself, in ${code('${{ }}')}`,
  ],
  [
    /^(?:Array|Object|null|undefined|true|false)$/,
    text`is what an expression came out as. Write ${code('${{ toJSON(…) }}')}`,
  ],
  [/(?<=\s)#(?:\s.*)?$/, text`is taken as part of the name: only a whole line can be a comment`],
  [/^[a-z][a-z\d]+:(?=\/|$)/i, text`begins an address: download the file in an earlier step, and write its path`],
  [
    /^(?:\$\(pwd\)|`pwd`|[$%](?:\{|env:)?(?:GITHUB_WORKSPACE|PWD)[%}]?)(?=[\\/]|$)/i,
    text`is taken literally. Remove it with the slash: patterns start in the workspace, or in ${code('working-directory')}`,
  ],
  [/\$\(.+\)|`.+`|\$\{?(?:env:)?[a-z_]\w*\}?|%[a-z_]\w*%/i, noShell],
  [
    /^[[{]\s*["']|^\[(?=.*[,/].*\]$)/,
    text`looks like a list, but is not valid JSON: write one pattern per line, or ${jsonList}`,
  ],
  [/(?<=^[^\\]*\.\w+)\\n/, text`is two characters in an expression: a line break is ${code('fromJSON(\'"\\n"\')')}`],
  [/^-/, text`has no meaning at the start of a line: remove it, or write ${code('!')} to exclude`],
  [
    /^(?:(["'])(?:(?!\1).)*\1|[“„‘«][^“„‘«”’»]*[“”‘’»])$/,
    text`is taken with its quotes as part of the name: remove them`,
  ],
  [/[!@+]\(|\||&&|^\^|\$$|\.[*+](?=[\w\\])|[“”„‘’«»]/, text`has no special meaning here. ${wholeLanguage}`],
  [/\{[^}]*$|\[[^\]]*$/, text`is not closed. ${wholeLanguage}`],
]

function otherLanguage({ beginning }: Missing): Text | undefined {
  const [form, why] = otherLanguages.find(([other]) => other.test(beginning)) ?? []
  const [what] = form?.exec(beginning) ?? []
  return what === undefined || why === undefined ? undefined : text`${what.trim()} ${why}.`
}

/** Several patterns on one line: each part has a dot or a wildcard in its last name, or exists. The disk knows no name with the separator. */
function severalPatterns({ beginning, context, workspace, written }: Missing): Text | undefined {
  if (!/[\s,;]/.test(beginning)) return undefined
  const exists = (part: string) =>
    [...workspace.folders, ...workspace.files].includes(path.join(context.workingDirectory, part))
  const parts = written.match(/"[^"]*"|'[^']*'|[^\s,;]+/g) ?? []
  if (!parts.every((part) => /[.*][^/]*$/.test(part) || exists(part))) return undefined
  return text`If these are several patterns, write one per line below ${code('files: |')} (${code('files: >')} joins the lines), or ${jsonList}.`
}

const rootOfDisk = text`A leading ${code('/')} is the root of the runner's disk: did an expression before it come out empty?`
const literally = text`${code('\\')} makes the character after it literal. Write ${code('/')} between folders.`

/** What does not begin in the workspace. */
function otherStart({ context, ending, fits, folder, target, written }: Missing): Text | undefined {
  if (target === 'folder') return undefined
  const isRoot = written.startsWith('/') && folder === path.parse(folder).root
  if (!isRoot && (path.sep === '\\' || !written.includes('\\'))) return undefined
  const why = isRoot ? rootOfDisk : literally
  // Any folder may have a file that fits a wildcard.
  const isSpecific = fits.length > 0 && (ending.length > 1 || /^[^*?]+$/.test(ending.join()))
  if (isSpecific) return text`${why} In the workspace there is ${pathList(fits, context)}.`
  return isRoot ? text`${why} For files of the workspace, write ${written.replace(/^\/+/, '')}.` : why
}

async function nearby({ context, fits, names, pattern, target }: Missing): Promise<Text | undefined> {
  const { root, segments } = pattern
  if (target === 'folder' && names?.length === 0) return undefined
  const others = fits.filter((at) => at !== root)
  const inOtherCase = ignoreCase ? [] : await matching(context, others, pattern)
  if (inOtherCase.length > 0) return text`Upper and lower case matter: there is ${pathList(inOtherCase, context)}.`
  const below = others.filter((at) => isWithin(at, root))
  if (target === 'folder' && segments.length > 0 && below.length > 0 && !segments.includes('**')) {
    return text`${code('*')} stays in its folder. To search those below too, write ${deeper(pattern).text}: there is ${pathList(below, context)}.`
  }
  const there = below.length > 0 ? below : others
  if (there.length === 0 || there.length > maxElsewhere) return undefined
  return text`Elsewhere there is ${pathList(there, context)}.`
}

function question({ context, folder, names, pattern, target, written }: Missing): Text {
  if (names?.length === 0 && folder === context.options.workspace) {
    return text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
  }
  if (target === 'file') return []
  if (target === 'folder') return text`Did the step that writes the files run, and before this one?`
  if (!/[\\/*?]|\.\w+$|^[^\s,]+$/.test(written))
    return text`${code('files')} takes paths, and a text goes into ${code('comment')}.`
  return text`Was ${context.display(pattern.root)} made in another job? Then download its artifact first. Otherwise look at the step that should write it: did it fail, was it skipped, does it come later?`
}

/** Level by level up to a limit, without what is excluded. */
async function listBelow({ checkpoint, entriesOf, exclusion }: SearchContext, starts: readonly string[]) {
  const files: string[] = []
  const folders: string[] = []
  const level = new Set(starts)
  for (const above of level) {
    const left = maxListed - files.length - folders.length
    const entries = left > 0 ? await entriesOf(above).catch(() => []) : []
    for (const entry of entries.slice(0, left).filter((item) => item.isFile() || item.isDirectory())) {
      await checkpoint()
      const at = path.join(above, entry.name)
      const isFolder = entry.isDirectory()
      if (exclusionAt(exclusion, at, isFolder).notSent) continue
      if (isFolder) folders.push(at)
      else files.push(at)
      // Hidden folders and packages hold much that nobody means.
      if (isFolder && !/^(?:\.|(?:node|bower)_(?:modules|components)$)/.test(entry.name)) level.add(at)
    }
  }
  return { files, folders }
}
