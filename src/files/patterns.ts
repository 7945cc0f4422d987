import { homedir } from 'node:os'
import { type PlatformPath, parse, sep } from 'node:path'
import { Minimatch, type MinimatchOptions, minimatch } from 'minimatch'
// By their path, because the package exports only its search. That drops broken links, loops and undecodable names without
// a word, ends at the first folder that it may not read, and follows links out of the workspace before anyone can look.
import { MatchKind } from '../../node_modules/@actions/glob/lib/internal-match-kind.js'
import { Pattern } from '../../node_modules/@actions/glob/lib/internal-pattern.js'
import { ProblemError } from '../problem.ts'
import { quoted } from './wording.ts'

/** One line of the patterns. */
export interface PatternLine {
  /** As it was written, without the white space around it. */
  readonly text: string
  /** The text without the `!` of an exclusion. */
  readonly pattern: string
  readonly exclude: boolean
}

/** Where a glob begins, and what is below that. */
export interface Place {
  /** Absolute path of the file or folder before the first wildcard; not resolved, links are still in it. */
  readonly root: string
  /** Segments from the first wildcard on; empty when the glob is a plain path. */
  readonly segments: readonly string[]
  /** It ends in `/` after a wildcard, so it can match folders only. */
  readonly foldersOnly: boolean
}

/** Takes a path below `Place.root`: relative, with `/` on every system. */
export interface Matcher {
  readonly matches: (relative: string) => boolean
  /** Whether something below that folder may match. */
  readonly mayHold: (relative: string) => boolean
}

const longestPattern = 4096
const mostAlternatives = 1000

/** Patterns of `@actions/glob` are absolute: what is below a place is matched as if it lay here. */
const anchor = parse(process.cwd()).root

// The grammar of @actions/glob, for what it has no word for: no `+(a|b)`. Braces are expanded before.
// The platform is always the same because paths are matched with `/` only.
const grammar: MinimatchOptions = { nobrace: true, nocomment: true, noext: true, nonegate: true, platform: 'linux' }

/** @throws ProblemError for a line that no path can match, and when nothing is left but exclusions. */
export function patternLines(lines: string): readonly PatternLine[] {
  const parsed = lines
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(patternLine)
  if (parsed.every((line) => line.exclude)) {
    throw new ProblemError({
      title: 'No pattern says which files to send',
      text:
        parsed.length === 0
          ? '`files` holds no pattern. Write one per line, such as `reports/**/*.csv`.'
          : '`files` holds only lines with `!`, which leave files out. Add what to send, such as `reports/**/*.csv`.',
    })
  }
  return parsed
}

function patternLine(text: string): PatternLine {
  const exclude = text.startsWith('!')
  const pattern = exclude ? text.slice(1).trim() : text
  if (pattern === '') {
    throw wrong(text, 'says nothing to leave out', 'Write a pattern after the `!`, such as `!reports/old/**`.')
  }
  if (pattern.includes('\0')) {
    throw wrong(text, 'holds a NUL character', 'No file name can; leave it out.')
  }
  if (pattern.length > longestPattern) {
    throw wrong(`${text.slice(0, 60)}…`, `has more than ${longestPattern} characters`, 'Write one pattern per line.')
  }
  return { text, pattern, exclude }
}

/** `{a,b}` and `{1..3}` written out. On Windows `\` separates folders, elsewhere it escapes the character after it. */
export function alternatives(line: PatternLine, path: PlatformPath): readonly string[] {
  const pattern = path.sep === '\\' ? line.pattern.replaceAll('\\', '/') : line.pattern
  const expanded = minimatch
    .braceExpand(pattern, { braceExpandMax: mostAlternatives + 1 })
    .filter((glob) => glob !== '')
  if (expanded.length > mostAlternatives) {
    throw wrong(
      line.text,
      `stands for more than ${mostAlternatives} patterns`,
      'Use `*` in place of some of the `{ }`.',
    )
  }
  return expanded
}

/**
 * @param base absolute: what a relative pattern starts from.
 * @param exists whether there is anything at this path. A folder called `build[1]` is meant when it is there.
 */
export async function place(
  line: PatternLine,
  glob: string,
  base: string,
  path: PlatformPath,
  exists: (path: string) => Promise<boolean>,
): Promise<Place> {
  const anchor = path.parse(glob).root
  const segments = glob
    .slice(anchor.length)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const fromHome = anchor === '' && segments[0] === '~'
  let root = fromHome ? homedir() : path.resolve(base, anchor)
  let next = fromHome ? 1 : 0
  for (; next < segments.length; next++) {
    const segment = segments[next] ?? ''
    const isPlain = !/[*?]/.test(segment) && (await exists(path.join(root, segment)))
    const plain = isPlain ? segment : withoutWildcards(segment)
    if (plain === undefined) {
      break
    }
    root = path.join(root, plain)
  }
  const rest = segments.slice(next)
  if (rest.some((segment) => ['.', '..'].includes(withoutWildcards(segment) ?? segment))) {
    throw wrong(line.text, 'has `..` after a wildcard', 'Write `..` only before the first wildcard.')
  }
  return { root, segments: rest, foldersOnly: rest.length > 0 && glob.endsWith('/') }
}

/** The name that a segment stands for, without its escapes; undefined when it holds a wildcard. */
function withoutWildcards(segment: string): string | undefined {
  const parsed = new Minimatch(segment, grammar).set[0]?.[0]
  return typeof parsed === 'string' ? parsed : undefined
}

/** What a glob matches: as `@actions/glob` has it, so that wildcards take names that begin with a dot too. */
export function matcher(segments: readonly string[]): Matcher {
  // Of a last `**` the pattern would say that it matches the folder itself.
  const glob = segments.at(-1) === '**' ? [...segments, '*'] : segments
  const pattern = new Pattern(anchor + glob.join('/'))
  const absolute = (relative: string) => anchor + relative.replaceAll('/', sep)
  return {
    matches: (relative) => pattern.match(absolute(relative)) === MatchKind.All,
    mayHold: (relative) => pattern.partialMatch(absolute(relative)),
  }
}

/** The same, but wildcards take no name that begins with a dot. */
export function visibleMatcher(segments: readonly string[], ignoreCase: boolean): Matcher {
  const glob = new Minimatch(segments.join('/'), { ...grammar, nocase: ignoreCase })
  return {
    matches: (relative) => glob.match(relative),
    mayHold: (relative) => glob.match(relative, true),
  }
}

function wrong(pattern: string, what: string, instead: string): ProblemError {
  return new ProblemError({ title: 'A pattern cannot be used', text: `${quoted(pattern)} ${what}.\n${instead}` })
}
