import { homedir } from 'node:os'
import path from 'node:path'
import { create } from '@actions/glob'
import { type MinimatchOptions, minimatch } from 'minimatch'
import { isObject, type Json, parseJson, textIn } from '../json.ts'
import { fatal, type ProblemError } from '../problem.ts'
import { showValue, type Text, text } from '../text/text.ts'
import { errorCode, exists, pathOnDisk } from './disk.ts'

export interface PatternLine {
  /** As typed, trimmed. */
  readonly text: string
  /** Without the `!` of an exclusion. */
  readonly pattern: string
  readonly exclude: boolean
  /** A JSON object has the path of one file, from the workspace, without wildcards. */
  readonly isPath?: true
  /** In a JSON list, `[id]` is this text, not one of the characters `i` and `d`. */
  readonly noClasses?: true
  /** From a JSON object. */
  readonly given?: Readonly<Record<'name' | 'title', string | undefined>>
}

/** `reports/*.csv` has the root `reports` and the segment `*.csv`. */
export interface Glob {
  /** The absolute path before the first wildcard. Symlinks are not resolved. */
  readonly root: string
  /** From the first wildcard on. None if the pattern names one file or folder. */
  readonly segments: readonly string[]
}

export interface Pattern extends Glob {
  /** The pattern ends in `/`. */
  readonly foldersOnly: boolean
  /** Tried if this finds nothing. For ` b` of `{a, b}`, it is `b`. */
  readonly otherReading?: Pattern
}

const maxPatternLength = 4096
const maxAlternatives = 1000
/** minimatch takes quadratic time for a `[` that is not closed. */
const maxBrackets = 100

/** The grammar of @actions/glob. Paths are matched with `/` on every system. */
export const grammar: MinimatchOptions = {
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  nocaseMagicOnly: true,
  platform: 'linux',
}

/**
 * @param files one pattern per line; or a JSON list of patterns, and of objects whose `path` names
 *   one file. An object alone is a list of one.
 * @throws ProblemError for a line that no path can match, and for an item that is neither
 */
export function patternLines(files: string): readonly PatternLine[] {
  const json = parseJson(files)
  const items = isObject(json) ? [json] : json
  return Array.isArray(items) ? items.flatMap(linesOfItem) : linesIn(files)
}

export function linesIn(files: string): readonly PatternLine[] {
  return textLines(files)
    .filter((line) => !line.startsWith('#'))
    .map(patternLine)
}

function textLines(lines: string): readonly string[] {
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function linesOfItem(item: unknown, index: number): readonly PatternLine[] {
  if (typeof item === 'string') {
    return textLines(item).map((line) => ({ ...patternLine(line), noClasses: true }))
  }
  const object = isObject(item) ? item : {}
  const fault = faultOf(object)
  if (fault !== undefined) {
    throw fatal(
      'Invalid input: files',
      text`In \`files\`, item ${index + 1} is ${showValue(JSON.stringify(item))}. ${fault}`,
      'inputs',
    )
  }
  const path = textIn(object, 'path') ?? ''
  refuseLong(path)
  const given = { name: textIn(object, 'name'), title: textIn(object, 'title') }
  return [{ text: path, pattern: path, exclude: false, isPath: true, noClasses: true, given }]
}

/** Empty texts and `null` give no name and no title. */
function faultOf(object: Json): Text | undefined {
  const { name, title } = object
  if (textIn(object, 'path') === undefined) {
    const nameToo = 'filename' in object ? text`, and \`filename\` to \`name\`` : []
    return 'file' in object
      ? text`Rename \`file\` to \`path\`${nameToo}.`
      : text`A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.`
  }
  if (name && !(typeof name === 'string' && /^(?!\.{1,2}$)[^/]{1,255}$/u.test(name)))
    return text`\`name\` must be 1 to 255 characters, without \`/\`.`
  return title && typeof title !== 'string' ? text`A \`title\` takes a text.` : undefined
}

function patternLine(line: string): PatternLine {
  // As in @actions/glob, a second `!` undoes the first.
  const pattern = line.replace(/^[!\s]+/, '')
  const marks = line.slice(0, line.length - pattern.length)
  const exclude = marks.split('!').length % 2 === 0
  if (pattern === '') {
    const fault = text`excludes nothing.\nWrite a pattern after the \`!\`, like \`!reports/old/**\`.`
    throw unusablePattern(line, fault)
  }
  refuseLong(line)
  if (pattern.split('[').length > maxBrackets + 1) {
    const fault = text`has more than ${maxBrackets} \`[\`.\nWrite \`?\` or \`*\` instead of some of them.`
    throw unusablePattern(line, fault)
  }
  return { text: line, pattern, exclude }
}

function refuseLong(line: string): void {
  if (line.length <= maxPatternLength) return
  const fault = text`has more than ${maxPatternLength} characters.\nWrite one pattern per line.`
  throw unusablePattern(line, fault)
}

/** A disk, and the form of its paths. */
const thisSystem = { exists, path }

/**
 * `{a,b}/*.csv` is `a/*.csv` and `b/*.csv`.
 *
 * @param base the absolute folder where relative patterns and paths start
 */
export async function patternsOf(
  line: PatternLine,
  base: string,
  checkpoint: () => Promise<void> | undefined,
  system = thisSystem,
): Promise<readonly Pattern[]> {
  const { resolve, sep } = system.path
  // On Windows, `\` separates folders. Elsewhere it is an escape.
  const typed = line.pattern.replaceAll(sep, '/')
  // `build[1]` and `{a,b}` are names if they exist.
  const mayBeName = !/[*?]|^~(?:\/|$)/.test(typed)
  const named = resolve(base, line.pattern)
  if (line.isPath || (mayBeName && (await system.exists(named)))) {
    const root = await pathOnDisk(named)
    return [{ root, segments: [], foldersOnly: !line.isPath && typed.endsWith('/') }]
  }
  const written = line.noClasses
    ? typed.replace(/(\\.)|\[/g, (_, escaped) => escaped ?? '[[]')
    : typed
  const tidied = alternatives(line, tidyBraces(written))
  return Array.fromAsync(alternatives(line, written), async (alternative, index) => {
    await checkpoint()
    const pattern = await patternOf(line, alternative, base, system)
    const other = tidied[index] ?? alternative
    if (other === alternative) return pattern
    return { ...pattern, otherReading: await patternOf(line, other, base, system) }
  })
}

/** `{a, b}` becomes `{a,b}`; and `{a}`, from `{${{ join(…) }}}` with one item, becomes `a`. */
function tidyBraces(written: string): string {
  return written.replace(/(?<![${\\])\{[^{}]+\}(?!\})/g, (braces) => {
    const items = braces.slice(1, -1).split(',')
    if (items.length > 1) return `{${items.map((item) => item.trim()).join()}}`
    return braces.includes('..') ? braces : braces.slice(1, -1)
  })
}

/** Expands `{a,b}` and `{1..3}`. */
function alternatives(line: PatternLine, written: string): readonly string[] {
  const expanded = minimatch.braceExpand(written, { braceExpandMax: maxAlternatives + 1 })
  if (expanded.length <= maxAlternatives) return expanded
  const fault = text`stands for more than ${maxAlternatives} patterns.\nWrite \`*\` instead of some of the \`{ }\`.`
  throw unusablePattern(line.text, fault)
}

/** The root of `reports/build[1]/*.csv` is `reports/build[1]` if this folder exists. */
async function patternOf(
  line: PatternLine,
  written: string,
  base: string,
  system: typeof thisSystem,
): Promise<Pattern> {
  const { join, parse, resolve } = system.path
  const { root } = parse(written)
  const inHome = /^~(?:\/|$)/.test(written)
  const segments = written
    .slice(inHome ? 1 : root.length)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  let folder = resolve(base, inHome ? homeOf(line) : root)
  const rest = [...segments]
  for (const segment of segments) {
    if (/[*?]/.test(segment)) break
    if (/[[\\]/.test(segment) && !(await system.exists(join(folder, segment)))) break
    folder = join(folder, segment)
    rest.shift()
  }
  const names = await literalNames(line, rest)
  return {
    root: await pathOnDisk(join(folder, ...names)),
    segments: rest.slice(names.length),
    foldersOnly: written.endsWith('/'),
  }
}

function homeOf(line: PatternLine): string {
  try {
    return homedir()
  } catch {
    // The user has no entry in /etc/passwd, and HOME is not set.
    throw unusablePattern(
      line.text,
      text`begins with \`~\`, but this user has no home folder.\nSet \`HOME\`, or write the path itself.`,
    )
  }
}

/** Without it, @actions/glob would start in the current folder. */
const anchor = path.parse(process.execPath).root

/** The names before the first wildcard. Those of `a[b]`, `\*`, `*.csv` are `ab` and `*`. */
async function literalNames(
  line: PatternLine,
  segments: readonly string[],
): Promise<readonly string[]> {
  if (segments.length === 0) return []
  const start = await searchRootOf(anchor + segments.join('/'))
  // @actions/glob refuses only `..` here, even as `[.].`.
  if (start === undefined) {
    const fault = text`has \`..\` after a wildcard.\nWrite \`..\` only before the first wildcard.`
    throw unusablePattern(line.text, fault)
  }
  const names = path.relative(anchor, start).split(path.sep).filter(Boolean)
  // @actions/glob takes `[!]` for the folder `!`, which the pattern does not match.
  const wrong = names.findIndex((name, index) => !minimatch(name, segments[index] ?? '', grammar))
  return wrong === -1 ? names : names.slice(0, wrong)
}

/** Undefined if @actions/glob refuses the pattern. */
function searchRootOf(pattern: string): Promise<string | undefined> {
  return create(pattern).then(
    (globber) => globber.getSearchPaths()[0],
    (error: unknown) => {
      // It asks for the current folder, wherever the pattern starts.
      if (errorCode(error) !== 'ENOENT') return undefined
      throw fatal(
        'The current folder does not exist',
        text`This step was started in a folder that was removed.
Create it again before this step, for example with a checkout.`,
      )
    },
  )
}

/** @param fault the rest of the sentence, and the advice: `is a folder.\nWrite …` */
export function unusablePattern(pattern: string, fault: Text): ProblemError {
  return fatal('A pattern cannot be used', text`${showValue(pattern)} ${fault}`, 'patterns')
}
