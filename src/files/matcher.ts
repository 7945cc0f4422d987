import { sep } from 'node:path'
import { GLOBSTAR, Minimatch } from 'minimatch'
import type { NotSent } from './files.ts'
import { memoize } from './memoize.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

/** Where a path is in a pattern. Equal ones that come from the same start are the same object. */
export interface State<P extends Glob = Glob> {
  readonly id: number
  readonly pattern: P
  /** Whether the path matches. */
  readonly matches: boolean
  /** Whether something below a folder of this path may match. */
  readonly mayHold: boolean
  /** Where an entry of a folder of this path is. */
  readonly next: (name: string) => State<P>
}

let stateCount = 0

/**
 * Matches paths segment by segment, so that a walk looks at each name once and knows which folders to enter. The time is
 * linear in the length of the path, whatever the pattern: minimatch itself backtracks for each `*` in a segment.
 *
 * @param dot wildcards also match names that begin with a dot, as in @actions/glob.
 * @returns the state at the root of the disk
 */
export function initialState<P extends Glob>(
  pattern: P,
  { dot, ignoreCase }: { readonly dot: boolean; readonly ignoreCase: boolean },
): State<P> {
  const { root, segments: wildcards } = pattern
  /** The two ways to write `é` are one name. */
  const fold = (name: string) => {
    const composed = /[^\0-\u02ff]/.test(name) ? name.normalize('NFC') : name
    return ignoreCase ? composed.toLowerCase() : composed
  }
  // A last `**` matches what is below the folder, not the folder itself.
  const glob = (wildcards.at(-1) === '**' ? [...wildcards, '*'] : wildcards).join('/').normalize('NFC')
  const compiled = new Minimatch(glob, { ...grammar, dot, nocase: ignoreCase }).set[0] ?? []
  const segments = [...namesIn(root), ...compiled].map((segment) => {
    if (segment instanceof RegExp) return inLinearTime(segment)
    return typeof segment === 'string' ? fold(segment) : segment
  })
  const isAny = (position: number) => segments[position] === GLOBSTAR
  const fits = (name: string, position: number) => {
    const segment = segments[position]
    if (isAny(position)) return dot || !name.startsWith('.')
    return segment instanceof RegExp ? segment.test(name) : segment === name
  }
  /** @param positions how many segments the path can have passed, in ascending order */
  const stateOf = memoize(
    (positions: readonly number[]): State<P> => ({
      id: stateCount++,
      pattern,
      matches: positions.at(-1) === segments.length,
      mayHold: positions.some((position) => position < segments.length),
      next: (name) => {
        const folded = fold(name)
        const passed = positions.filter((position) => fits(folded, position))
        return stateFrom(passed.map((position) => (isAny(position) ? position : position + 1)))
      },
    }),
  )
  /** A `**` can stand for no folder. */
  const stateFrom = memoize((positions: readonly number[]) =>
    stateOf([...new Set(positions.flatMap((position) => (isAny(position) ? [position, position + 1] : [position])))]),
  )
  return stateFrom([0])
}

/** Where an absolute path is, from the root of the disk on. */
export function stateAt<P extends Glob>(start: State<P>, path: string): State<P> {
  return namesIn(path).reduce((state, name) => state.next(name), start)
}

/** The names in an absolute path. On Windows, the drive is the first. */
function namesIn(path: string): readonly string[] {
  return path.split(sep).filter(Boolean)
}

/** What the rules say of a path: that one excludes it, or where it is in those that may exclude something below it. */
export interface Exclusion {
  readonly notSent?: NotSent
  readonly pending: readonly State<Pattern & { readonly notSent: NotSent }>[]
}

/** What applies to an absolute path. An excluded folder excludes everything below it, whatever the order of the lines. */
export function exclusionAt(start: Exclusion, path: string, isFolder: boolean): Exclusion {
  return namesIn(path).reduce(
    (exclusion, name, index, { length }) => nextExclusion(exclusion, name, isFolder || index < length - 1),
    start,
  )
}

/** What applies to an entry of a folder, from what applies to the folder. */
export function nextExclusion(folder: Exclusion, name: string, isFolder: boolean): Exclusion {
  if (folder.pending.length === 0) return folder
  const pending = folder.pending.map((state) => state.next(name))
  const excluding = pending.find(({ matches, pattern }) => matches && (isFolder || !pattern.foldersOnly))
  if (excluding) return { notSent: excluding.pattern.notSent, pending: [] }
  return { pending: pending.filter(({ mayHold }) => mayHold) }
}

const star = '[^/]*?'

/**
 * The same expression without backtracking: each `*` takes the shortest text after which the next part matches, and keeps
 * it. That is never wrong: of `*ab*c`, the first `ab` of `xabyabc` will do, because the second `*` takes whatever comes after it, `yab`.
 * JavaScript has no atomic groups, but a lookahead that is captured and then consumed is one.
 */
function inLinearTime(expression: RegExp): RegExp {
  const parts = expression.source.split(star)
  const source = parts.reduce((before, part, index) => `${before}(?=(${star}${part}))\\${index}`)
  return new RegExp(source, expression.flags)
}
