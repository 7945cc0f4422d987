import { homedir } from 'node:os'
import path from 'node:path'
import { create } from '@actions/glob'
import { type MinimatchOptions, minimatch } from 'minimatch'
import { isObject, type Json, parseJson, textIn } from '../json.ts'
import { errorProblem, ProblemError } from '../problem.ts'
import { showValue, type Text, text } from '../text/text.ts'
import { exists, pathOnDisk } from './disk.ts'

/** One line of `files`. */
export interface PatternLine {
  /** As the user wrote it, without the white space around it. */
  readonly text: string
  /** The text without the `!` of an exclusion. */
  readonly pattern: string
  readonly exclude: boolean
  /**
   * It is the path of one file, from the workspace, in which nothing is a wildcard: an object of a
   * JSON list.
   */
  readonly isPath?: true
  /** `[id]` is this text, not one of the characters `i` and `d`: a string of a JSON list. */
  readonly noClasses?: true
  /** What an object of a JSON list gives its file. */
  readonly given?: Readonly<Record<'name' | 'title', string | undefined>>
}

export interface Glob {
  /**
   * Absolute path before the first wildcard, where the search begins. Links in it are not resolved.
   */
  readonly root: string
  /**
   * The segments from the first wildcard on. Empty if the pattern has none and so names one file or
   * folder.
   */
  readonly segments: readonly string[]
}

/** One of the patterns that a line stands for: `{a,b}` is two. */
export interface Pattern extends Glob {
  /** It ends in `/`, so it matches folders only. */
  readonly foldersOnly: boolean
  /** Tried if this finds nothing: of `{a, b}`, `b` instead of ` b`. */
  readonly otherReading?: Pattern
}

const maxPatternLength = 4096
const maxAlternatives = 1000
/** minimatch needs quadratic time for a `[` that is not closed. */
const maxBrackets = 100

/**
 * The grammar of @actions/glob. The platform is always the same because paths are matched with `/`
 * on every system.
 */
export const grammar: MinimatchOptions = {
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  nocaseMagicOnly: true,
  platform: 'linux',
}

/**
 * One pattern per line; or a JSON list of lines, and of objects whose `path` names one file. An
 * object alone is a list of one.
 *
 * @throws ProblemError for a line that no path can match, and for an item of a list that is
 *   neither.
 */
export function patternLines(files: string): readonly PatternLine[] {
  const json = parseJson(files)
  const items = isObject(json) ? [json] : json
  return Array.isArray(items) ? items.flatMap(linesOfItem) : linesIn(files)
}

/** @throws ProblemError for a line that no path can match */
export function linesIn(files: string): readonly PatternLine[] {
  return textLines(files)
    .filter((line) => !line.startsWith('#'))
    .map(patternLine)
}

function textLines(lines: string): readonly string[] {
  return lines
    .split(/\r\n|\n|\r/)
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
    throw new ProblemError(
      errorProblem(
        'Invalid input: files',
        text`In \`files\`, item ${index + 1} is ${showValue(JSON.stringify(item))}. ${fault}`,
        'inputs',
      ),
    )
  }
  const path = textIn(object, 'path') ?? ''
  refuseLong(path)
  const given = { name: textIn(object, 'name'), title: textIn(object, 'title') }
  return [{ text: path, pattern: path, exclude: false, isPath: true, given }]
}

/** What to write in an object of a JSON list. Empty texts and `null` give no name and no title. */
function faultOf(object: Json): Text | undefined {
  const { name, title } = object
  if (textIn(object, 'path') === undefined) {
    const nameToo = 'filename' in object ? text`, and \`filename\` to \`name\`` : []
    return 'file' in object
      ? text`Rename \`file\` to \`path\`${nameToo}.`
      : text`A JSON list has patterns and objects with a \`path\`: \`["reports/*.csv", {"path": "coverage.csv"}]\`.`
  }
  if (name && !(typeof name === 'string' && /^(?!\.{1,2}$)[^/]{1,255}$/u.test(name)))
    return text`A \`name\` takes 1 to 255 characters without \`/\`.`
  return title && typeof title !== 'string' ? text`A \`title\` takes a text.` : undefined
}

function patternLine(line: string): PatternLine {
  // As in @actions/glob, each `!` turns the meaning of the line around.
  const pattern = line.replace(/^[!\s]+/, '')
  const marks = line.slice(0, line.length - pattern.length)
  const exclude = marks.split('!').length % 2 === 0
  if (pattern === '') {
    const advice = text`Write a pattern after the \`!\`, such as \`!reports/old/**\`.`
    throw unusablePattern(line, text`excludes nothing`, advice)
  }
  refuseLong(line)
  if (pattern.split('[').length > maxBrackets + 1) {
    const advice = text`Write \`?\` or \`*\` instead of some of them.`
    throw unusablePattern(line, text`has more than ${maxBrackets} \`[\``, advice)
  }
  return { text: line, pattern, exclude }
}

function refuseLong(line: string): void {
  if (line.length <= maxPatternLength) return
  const fault = text`has more than ${maxPatternLength} characters`
  throw unusablePattern(line, fault, text`Write one pattern per line.`)
}

/** What is on a disk, and how its paths are written. */
interface System {
  /** Whether there is anything at a path: a folder called `build[1]` is meant if it exists. */
  readonly exists: (path: string) => Promise<boolean>
  readonly path: Pick<path.PlatformPath, 'join' | 'parse' | 'resolve' | 'sep'>
}

/**
 * The patterns that a line stands for.
 *
 * @param base absolute: the folder from which a relative pattern or path starts.
 */
export async function patternsOf(
  line: PatternLine,
  base: string,
  checkpoint: () => Promise<void> | undefined,
  system: System = { exists, path },
): Promise<readonly Pattern[]> {
  const { resolve, sep } = system.path
  const literalPath = resolve(base, line.pattern)
  // On Windows, `\` separates folders. Elsewhere it is an escape.
  const typed = line.pattern.replaceAll(sep, '/')
  const written = line.noClasses
    ? typed.replace(/(\\.)|\[/g, (_, escaped) => escaped ?? '[[]')
    : typed
  const mayBeName = !/[*?]|^~(?:[\\/]|$)/.test(line.pattern)
  if (line.isPath || (mayBeName && (await system.exists(literalPath)))) {
    const root = await pathOnDisk(literalPath)
    return [{ root, segments: [], foldersOnly: !line.isPath && written.endsWith('/') }]
  }
  const compile = (alternative: string) => patternOf(line, alternative, base, system)
  const readings = alternatives(line, withoutBlanks(written))
  const patterns: Pattern[] = []
  for (const [index, alternative] of alternatives(line, written).entries()) {
    await checkpoint()
    const pattern = await compile(alternative)
    const other = readings[index] ?? alternative
    patterns.push(
      other === alternative ? pattern : { ...pattern, otherReading: await compile(other) },
    )
  }
  return patterns
}

/** `{a, b}` as `{a,b}`, and `{a}` as `a`, which an expression makes of a list with one item. */
function withoutBlanks(written: string): string {
  return written.replace(/(?<![${\\])\{[^{}]+\}(?!\})/g, (braces) => {
    const items = braces.slice(1, -1).split(',')
    if (items.length > 1) return `{${items.map((item) => item.trim()).join()}}`
    return braces.includes('..') ? braces : braces.slice(1, -1)
  })
}

/** `{a,b}` and `{1..3}` expanded. */
function alternatives(line: PatternLine, written: string): readonly string[] {
  const expanded = minimatch.braceExpand(written, { braceExpandMax: maxAlternatives + 1 })
  if (expanded.length <= maxAlternatives) return expanded
  const fault = text`stands for more than ${maxAlternatives} patterns`
  throw unusablePattern(line.text, fault, text`Write \`*\` instead of some of the \`{ }\`.`)
}

async function patternOf(
  line: PatternLine,
  written: string,
  base: string,
  system: System,
): Promise<Pattern> {
  const { join, parse, resolve } = system.path
  const { root } = parse(written)
  const segments = written
    .slice(root.length)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const inHome = segments[0] === '~' && written.startsWith('~')
  let folder = resolve(base, inHome ? homedir() : root)
  let next = inHome ? 1 : 0
  for (const segment of segments.slice(next)) {
    if (/[*?]/.test(segment)) break
    if (/[[\\]/.test(segment) && !(await system.exists(join(folder, segment)))) break
    folder = join(folder, segment)
    next += 1
  }
  const rest = segments.slice(next)
  const literal = await literalSegments(line, rest)
  const start = await pathOnDisk(join(folder, ...literal))
  return {
    root: start,
    segments: rest.slice(literal.length),
    foldersOnly: written.endsWith('/'),
  }
}

/** Where the file system begins: the patterns of @actions/glob are absolute. */
const anchor = path.parse(process.execPath).root

/** The first segments as names, as far as @actions/glob finds no wildcard in them. */
async function literalSegments(
  line: PatternLine,
  segments: readonly string[],
): Promise<readonly string[]> {
  if (segments.length === 0) return []
  const start = await searchPath(anchor + segments.join('/'))
  // Here it refuses only `..` and, in brackets, `.`: `*/..`, `*/[.].`.
  if (start === undefined) {
    const advice = text`Write \`..\` only before the first wildcard.`
    throw unusablePattern(line.text, text`has \`..\` after a wildcard`, advice)
  }
  const names = path.relative(anchor, start).split(path.sep).filter(Boolean)
  // It takes `[!]` for the name `!`, and then does not match that name.
  const other = names.findIndex(
    (name, index) => !minimatch(name, segments[index] ?? '', { ...grammar, dot: true }),
  )
  return other === -1 ? names : names.slice(0, other)
}

/** Where @actions/glob begins to search; undefined if it refuses the pattern. */
function searchPath(pattern: string): Promise<string | undefined> {
  return create(pattern).then(
    (globber) => globber.getSearchPaths()[0],
    () => undefined,
  )
}

export function unusablePattern(pattern: string, fault: Text, advice: Text): ProblemError {
  return new ProblemError(
    errorProblem('A pattern cannot be used', text`${showValue(pattern)} ${fault}.\n${advice}`),
  )
}
