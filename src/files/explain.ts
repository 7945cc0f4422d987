import type { Dirent } from 'node:fs'
import path from 'node:path'
import leven, { closestMatch } from 'leven'
import { minimatch } from 'minimatch'
import { formatCount } from '../text/format.ts'
import { code, join, list, type Text, text, words } from '../text/text.ts'
import type { UnnamedFile } from './allowed.ts'
import { follow, ignoreCase, isWithin, resolved } from './disk.ts'
import type { SkippedFile, UnmatchedPattern } from './files.ts'
import { exclusionAt, Matcher } from './matcher.ts'
import type { Glob, Pattern, PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'
import { skipAdvice } from './search-problems.ts'
import type { Walked } from './walk.ts'

/** Beyond this number, explanations repeat themselves. */
const maxExplained = 10
const maxListed = 5000
const maxNamed = 3
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

export interface SearchedPattern extends Omit<Walked, 'matches'> {
  readonly pattern: Pattern
  readonly files: readonly UnnamedFile[]
}

/** Lines without a file, and alternatives of a line that match none. Those that people will read are explained. */
export async function explainUnmatched(
  context: SearchContext,
  searched: readonly SearchedLine[],
): Promise<readonly UnmatchedPattern[]> {
  const empty = searched.filter(({ searches }) => searches.every(({ files }) => files.length === 0))
  // What names one file comes first, because it can be an error beside files that other lines find.
  const explained = empty.sort((a, b) => Number(b.literal) - Number(a.literal)).slice(0, maxExplained)
  const unmatched: UnmatchedPattern[] = []
  for (const one of searched) {
    const { line, literal, searches } = one
    const alternative = searches.find(({ files }) => files.length === 0)
    if (empty.includes(one)) {
      const explanation = explained.includes(one) ? await explainLine(context, one) : {}
      unmatched.push({ pattern: line.text, literal, ...explanation })
    } else if (alternative) {
      // `{unit,api}/*.csv` that finds nothing in `api`.
      const explanation = [text`${line.text} finds other files, but none for this alternative.`]
      unmatched.push({ pattern: alternative.pattern.text, literal: false, explanation })
    }
  }
  return unmatched
}

/** What was probably meant: what the disk says before what the text says. It says all that there is to say. */
const corrections = [trailingSlash, onlyFolders, nameTypo, extensionTypo, otherLanguage, severalPatterns, otherStart]

async function explainLine(
  context: SearchContext,
  { line, searches }: SearchedLine,
): Promise<Pick<UnmatchedPattern, 'explanation' | 'isCorrection'>> {
  const [first] = searches
  if (first === undefined) return { explanation: [text`It matches no path at all.`] }
  const skipped = searches.flatMap((search) => search.skipped)
  // Whether a hidden folder holds what was meant is not known. Anything else was meant.
  const isMeant = skipped.some(({ path: at, reason }) => reason !== 'hidden' || !at.endsWith('/'))
  if (isMeant) return { explanation: [describeSkipped(skipped)] }
  const facts = await factsAbout(context, line, first.pattern)
  for (const correct of corrections) {
    const meant = await correct(facts)
    if (meant) return { explanation: [meant], isCorrection: true }
  }
  const hidden = skipped.length > 0 ? text`Skipped: ${describeSkipped(skipped)}` : []
  const hint = (await nearby(facts)) ?? question(facts)
  return { explanation: [describePlace(facts), hidden, hint].filter((part) => part.length > 0) }
}

type Facts = Awaited<ReturnType<typeof factsAbout>>

async function factsAbout(context: SearchContext, line: PatternLine, pattern: Pattern) {
  const { list: entriesIn, options, realWorkspace, workingDirectory } = context
  const { root, segments, text: written } = pattern
  const { kind: target } = await follow(root)
  /** The folder before the first wildcard, or the nearest above it that exists. */
  const folder = await nearestFolder(root)
  /** Undefined if the folder cannot be read. */
  const names = (await entriesIn(folder).catch(() => undefined))?.map(({ name }) => name)
  /** On a runner of one's own, what lies outside belongs to other jobs: nothing there is named or searched for a hint. */
  const isInWorkspace = isWithin(await resolved(folder), realWorkspace)
  const { files, folders } = await listBelow(context, [...(isInWorkspace ? [folder] : []), options.workspace])
  const isRelative = isWithin(root, options.workspace) && (path.sep === '\\' || !written.includes('\\'))
  const start = isRelative
    ? namesIn(path.relative(workingDirectory, root)).map((name) => minimatch.escape(name))
    : namesIn(written)
  /** The names of the pattern, also where `\` separates them. */
  const typed = isRelative ? [...start, ...segments] : start
  const paths = segments.length === 0 ? [...files, ...folders] : files
  /** The most names at the end of the pattern that fit something in the workspace, in any case, and what they fit. */
  const { end, found } = await longestEnd(context, typed, paths)
  /** The names before them, which the disk does not know. */
  const unknown = end.length === 0 ? line.pattern : typed.slice(0, -end.length).join('/')
  return { ...context, line, pattern, target, folder, names, isInWorkspace, files, folders, typed, end, found, unknown }
}

/** The folder, or the nearest one above it that exists. */
async function nearestFolder(at: string): Promise<string> {
  const { kind } = await follow(at)
  return kind === 'folder' || path.dirname(at) === at ? at : nearestFolder(path.dirname(at))
}

function namesIn(written: string): readonly string[] {
  return written.split(/[\\/]/).filter((name) => name !== '' && name !== '.')
}

async function longestEnd(context: SearchContext, typed: readonly string[], paths: readonly string[]) {
  for (let end = typed.slice(-maxEnd); end.length > 0; end = end.slice(1)) {
    // Any file fits a `*`.
    if (/^\*+$/.test(end.join())) break
    const found = await matching(context, paths, { root: context.options.workspace, segments: ['**', ...end] })
    if (found.length > 0) return { end, found }
  }
  return { end: [], found: [] }
}

/** Those that a pattern matches if upper and lower case are the same. */
async function matching(
  { checkpoint }: SearchContext,
  paths: readonly string[],
  glob: Glob,
): Promise<readonly string[]> {
  const matcher = new Matcher(glob, { dot: false, ignoreCase: true })
  const found: string[] = []
  for (const at of paths) {
    await checkpoint()
    if (matcher.at(at).matches === 'visible') found.push(at)
  }
  return found.sort()
}

function describePlace(facts: Facts): Text {
  const { display, folder, isInWorkspace, nameOf, pattern, target } = facts
  if (target === 'file') return text`${display(pattern.root)} is a file, not a folder.`
  const holds = isInWorkspace ? text`holds ${describeEntries(facts)}` : text`is outside the workspace`
  if (target === 'folder') return text`Searched ${nameOf(folder)}, which ${holds}.`
  const [first = ''] = path.relative(folder, pattern.root).split(path.sep)
  const name = display(path.join(folder, first))
  return isInWorkspace ? text`There is no ${name}: ${nameOf(folder)} ${holds}.` : text`There is no ${name}.`
}

function describeEntries({ names, removeToken }: Facts): Text {
  if (names === undefined) return text`entries that cannot be read`
  if (names.length === 0) return text`nothing`
  const isHidden = (name: string) => Number(name.startsWith('.'))
  const sorted = names.slice(0, maxListed).sort()
  const shown = sorted.sort((a, b) => isHidden(a) - isHidden(b)).slice(0, maxNamed)
  const more = names.length > shown.length ? text` and ${names.length - shown.length} more` : []
  return text`${words(formatCount(names.length, 'entry', 'entries'))}: ${list(shown.map(removeToken))}${more}`
}

function describeSkipped(skipped: readonly SkippedFile[]): Text {
  const items = skipped.map(({ path: at, why }) => text`${at} ${why}`)
  const advice = new Set(skipped.map(({ reason }) => skipAdvice[reason] ?? []))
  return join([text`${list(items, { max: maxNamed, separator: '; ' })}.`, ...advice], ' ')
}

function pathList(paths: readonly string[], { display }: Facts): Text {
  return list(paths.map(display), { max: maxNamed })
}

function trailingSlash({ line, pattern, target }: Facts): Text | undefined {
  const { foldersOnly, segments, text: written } = pattern
  const slash = text`${code('/')} at the end matches folders only`
  if (foldersOnly && segments.length > 0) return text`${slash}. For the files in them write ${`${written}**`}.`
  return foldersOnly && target === 'file' ? text`${line.text} is a file, and ${slash}: remove it.` : undefined
}

async function onlyFolders(facts: Facts): Promise<Text | undefined> {
  const { files, folders, pattern } = facts
  const { root, segments } = pattern
  const matched = segments.length === 0 ? [] : await matching(facts, folders, pattern)
  const isEmpty = (await matching(facts, files, { root, segments: [...segments, '**'] })).length === 0
  if (matched.length === 0 || isEmpty) return undefined
  const instead = `${pattern.text}${segments.at(-1) === '*' ? '*' : '/**'}`
  return text`It matches only folders: ${pathList(matched, facts)}. For the files in them write ${instead}.`
}

/** The name in a folder that is almost the one that is missing. */
function nameTypo({ display, end, files, folder, folders, pattern, target }: Facts): Text | undefined {
  const missing = path.relative(folder, pattern.root).split(path.sep)
  const wantsFolder = missing.length > 1 || pattern.segments.length > 0
  // A file of exactly this name is more likely meant than one of a similar name.
  if (target !== 'absent' || (!wantsFolder && end.length > 0)) return undefined
  const [name = ''] = missing
  // `part-2` is no misspelling of `part-1`.
  const letters = (one: string) => one.toLowerCase().replace(/\d+/g, '')
  const similar = [...folders, ...(wantsFolder ? [] : files)]
    .filter((at) => path.dirname(at) === folder)
    .map((at) => path.basename(at))
    .filter((one) => one[0] === name[0] && letters(one) !== letters(name))
  const maxDistance = Math.min(maxEdits, Math.floor(path.parse(name).name.length / 3))
  const meant = closestMatch(name, similar, { maxDistance })
  if (meant === undefined) return undefined
  const at = (one: string) => display(path.join(folder, one))
  return text`There is no ${words(wantsFolder ? 'folder ' : '')}${at(name)}. Did you mean ${at(meant)}?`
}

/** `*.cvs` where there is a `.csv` file: the letters have another order, or one is another one. */
async function extensionTypo(facts: Facts): Promise<Text | undefined> {
  const { files, pattern } = facts
  const { root, segments } = pattern
  const [, stem = '', typed] = /^(.*\.)([a-z\d]{3,})$/.exec(segments.at(-1) ?? '') ?? []
  if (typed === undefined) return undefined
  const beside = await matching(facts, files, { root, segments: [...segments.slice(0, -1), `${stem}*`] })
  const byExtension = Map.groupBy(beside, (at) => path.extname(at).slice(1).toLowerCase())
  const letters = (extension: string) => [...extension].sort().join('')
  const isAlmost = (one: string) =>
    one !== typed && one[0] === typed[0] && one.length === typed.length && leven(letters(one), letters(typed)) < 2
  const [meant, those = []] = [...byExtension].find(([extension]) => isAlmost(extension)) ?? []
  if (meant === undefined) return undefined
  return text`There are no ${`.${typed}`} files, but there is ${pathList(those, facts)}. Did you mean ${stem + meant}?`
}

const jsonList = '["a.csv", {"path": "b.csv"}]'

/** What is no pattern, each with what to say after it. */
const otherLanguages: readonly (readonly [RegExp, Text])[] = [
  [/\$\{\{/, text`begins an expression: GitHub replaces expressions only in the workflow file itself`],
  [/(?<=\s)#(?:\s.*)?$/, text`is taken as part of the name: only a whole line can be a comment`],
  [
    /^[a-z][a-z\d]+:(?=\/|$)/i,
    text`begins an address, and files are sent from the disk of the runner: download it in an earlier step, and write its path`,
  ],
  [
    /\$\(.+\)|`.+`/,
    text`is taken literally: no shell reads this text. Run it in an earlier step, and write its output, such as ${'${{ steps.ID.outputs.NAME }}'}`,
  ],
  [
    /\$\{?(?:env:)?[a-z_]\w*\}?|%[a-z_]\w*%/i,
    text`is taken literally: no shell reads this text. Write an expression, such as ${'${{ github.workspace }}'} or ${'${{ env.NAME }}'}`,
  ],
  [
    /^[[{]\s*["']/,
    text`looks like JSON, and is no JSON list: write one pattern per line, or a list such as ${code(jsonList)}`,
  ],
  [/(?<=^[^\\]*\.\w+)\\n/, text`is two characters in an expression: a line break is ${code('fromJSON(\'"\\n"\')')}`],
  [/^- /, text`begins an item of a YAML list, and ${code('files')} is text: remove it, and write one pattern per line`],
  [/^(["'])(?:(?!\1).)*\1$/, text`is taken with its quotes as part of the name: remove them`],
]

function otherLanguage({ unknown }: Facts): Text | undefined {
  const found = otherLanguages
    .map(([form, why]) => ({ what: form.exec(unknown)?.[0], why }))
    .find(({ what }) => what !== undefined)
  return found?.what === undefined ? undefined : text`${found.what.trim()} ${found.why}.`
}

/** Several patterns on one line: each part has a dot or a wildcard in its last name, or exists. The disk knows no name with the separator. */
function severalPatterns({ files, folders, line, unknown, workingDirectory }: Facts): Text | undefined {
  if (!/[\s,;]/.test(unknown)) return undefined
  const exists = (part: string) => [...folders, ...files].includes(path.join(workingDirectory, part))
  const parts = line.pattern.split(/[\s,;]+/).filter(Boolean)
  if (!parts.every((part) => /[.*][^/]*$/.test(part) || exists(part))) return undefined
  return text`If these are several patterns, write one per line, or a JSON list such as ${code(jsonList)}.`
}

/** The end of the pattern finds what is in the workspace, and its beginning leads elsewhere. */
async function otherStart(facts: Facts): Promise<Text | undefined> {
  const { end, folders, found, line, target, typed, workingDirectory } = facts
  const reason = reasonForStart(facts, line.pattern)
  if (reason === undefined) return undefined
  const isSpecific = target !== 'folder' && (end.length > 1 || !/[*?]/.test(end.join()))
  for (let rest = isSpecific ? end : []; rest.length > 0; rest = rest.slice(1)) {
    const there = await matching(facts, found, { root: workingDirectory, segments: rest })
    if (there.length > 0) return text`${reason} Did you mean ${rest.join('/')}? There is ${pathList(there, facts)}.`
  }
  const isFolder = line.pattern.startsWith('/') && folders.includes(path.join(workingDirectory, typed[0] ?? ''))
  if (isFolder && target !== 'folder') return text`${reason} Did you mean ${typed.join('/')}?`
  const isEscape = path.sep === '/' && line.pattern.includes('\\')
  return isEscape ? text`${reason} Write a path from the workspace, with ${code('/')} between folders.` : undefined
}

function reasonForStart({ display, options, workingDirectory }: Facts, pattern: string): Text | undefined {
  if (pattern.startsWith('~')) return text`${code('~')} is the home folder of the runner.`
  if (pattern.startsWith('/')) return text`A leading ${code('/')} is the root of the runner's disk.`
  if (/^[a-z]:[\\/]/i.test(pattern)) return text`This is a path of a Windows runner.`
  if (pattern.includes('\\')) return text`${code('\\')} makes the character after it literal.`
  if (workingDirectory === options.workspace) return undefined
  return text`Patterns start from ${code('working-directory')}, which is ${display(workingDirectory)}.`
}

async function nearby(facts: Facts): Promise<Text | undefined> {
  const { found, names, pattern, target } = facts
  const { root, segments, text: written } = pattern
  const last = segments.at(-1)
  if (target === 'folder' && names?.length === 0) return undefined
  const others = found.filter((at) => at !== root)
  const inOtherCase = ignoreCase ? [] : await matching(facts, others, pattern)
  if (inOtherCase.length > 0) return text`Upper and lower case matter: there is ${pathList(inOtherCase, facts)}.`
  const below = others.filter((at) => isWithin(at, root))
  if (target === 'folder' && last !== undefined && below.length > 0 && !segments.includes('**')) {
    const start = written.split('/').slice(0, -segments.length)
    const deep = [...start, '**', last.replaceAll('**', '*')].join('/')
    return text`${code('*')} stays in its folder. To search those below too, write ${deep}: there is ${pathList(below, facts)}.`
  }
  const there = below.length > 0 ? below : others
  return there.length > 0 ? text`Elsewhere there is ${pathList(there, facts)}.` : undefined
}

function question({ display, folder, names, options, pattern, target }: Facts): Text {
  if (names?.length === 0 && folder === options.workspace) {
    return text`Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?`
  }
  if (target === 'file') return []
  if (target === 'folder') return text`Did the step that writes the files run, and before this one?`
  return text`Was ${display(pattern.root)} made in another job? Then download its artifact first. Otherwise look at the step that should write it: did it fail, was it skipped, does it come later?`
}

/** Absolute paths, level by level up to a limit, without what is excluded. */
async function listBelow({ checkpoint, exclusion, list: entriesIn }: SearchContext, starts: readonly string[]) {
  const listed: { readonly at: string; readonly isFolder: boolean }[] = []
  const level = new Set(starts)
  for (const above of level) {
    const left = maxListed - listed.length
    const entries: readonly Dirent[] = left > 0 ? await entriesIn(above).catch(() => []) : []
    for (const entry of entries.slice(0, left).filter((one) => one.isFile() || one.isDirectory())) {
      await checkpoint()
      const at = path.join(above, entry.name)
      const isFolder = entry.isDirectory()
      if (exclusionAt(exclusion, at, isFolder).notSent) continue
      listed.push({ at, isFolder })
      // Hidden folders and packages hold much that nobody means.
      if (isFolder && !/^(?:\.|(?:node|bower)_(?:modules|components)$)/.test(entry.name)) level.add(at)
    }
  }
  const paths = (ofFolders: boolean) => listed.flatMap(({ at, isFolder }) => (isFolder === ofFolders ? [at] : []))
  return { files: paths(false), folders: paths(true) }
}
