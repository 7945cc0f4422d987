import { sep } from 'node:path'
import { GLOBSTAR, Minimatch, type MinimatchOptions } from 'minimatch'
import type { NotSent } from './files.ts'
import { memoize } from './memoize.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

// `.out/a.csv` is `hidden` for `**/*.csv`: it matches only if wildcards match a leading dot.
// `a.csv` is `visible`, and so is `.out/a.csv` for `.out/*.csv`, which writes the dot.
export type Visibility = 'visible' | 'hidden'

/**
 * How far into a pattern a path has come. Paths that are equally far have the same object, and so
 * the same `id`.
 */
export interface State<P extends Glob = Glob> {
  readonly id: number
  readonly pattern: P
  /** Whether the path matches. */
  readonly matches: Visibility | undefined
  /** Whether something below a folder of this path may match. */
  readonly mayHold: Visibility | undefined
  /** Where an entry of a folder of this path is. */
  readonly next: (name: string) => State<P>
}

// The segments of the pattern at which the next name of a path can be. After `reports`, it is at 1
// or 2 of `reports/**/*.csv`: a folder for `**`, or a file for `*.csv`. At 3, the path matches.
type Positions = Readonly<Record<Visibility, readonly number[]>>

let stateCount = 0

/**
 * Matches paths name by name, so that a walk looks at each name once and knows which folders to
 * enter. The time is linear in the length of the path, whatever the pattern.
 *
 * @param dot wildcards also match names with a leading dot: nothing is hidden
 * @returns the state at the root of the disk
 */
export function initialState<P extends Glob>(
  pattern: P,
  { dot, ignoreCase }: { readonly dot: boolean; readonly ignoreCase: boolean },
): State<P> {
  const { root, segments: wildcards } = pattern
  // A last `**` matches what is below the folder, not the folder itself.
  const glob = (wildcards.at(-1) === '**' ? [...wildcards, '*'] : wildcards)
    .join('/')
    .normalize('NFC')
  const segmentsWith = (options: MinimatchOptions) => {
    const compiled =
      new Minimatch(glob, { ...grammar, nocase: ignoreCase, ...options }).set[0] ?? []
    return [...namesIn(root), ...compiled].map((segment) =>
      typeof segment === 'string' ? foldName(segment, ignoreCase) : segment,
    )
  }
  const segments = segmentsWith({ dot })
  const segmentsForHidden = segmentsWith({ dot: true })
  const isGlobstar = (position: number) => segments[position] === GLOBSTAR
  /** The positions after a name, from those that it fits: a `**` stays where it is. */
  const positionsAfter = (name: string, from: readonly number[], isHidden: boolean) =>
    from
      .filter((position) => {
        const segment = (isHidden ? segmentsForHidden : segments)[position]
        if (segment === GLOBSTAR) return isHidden || dot || !name.startsWith('.')
        return typeof segment === 'object' ? segment.test(name) : segment === name
      })
      .map((position) => (isGlobstar(position) ? position : position + 1))
  const stateOf = memoize(({ visible, hidden }: Positions): State<P> => {
    const visibility = (fits: (position: number) => boolean) =>
      visible.some(fits) ? 'visible' : hidden.some(fits) ? 'hidden' : undefined
    return {
      id: stateCount++,
      pattern,
      matches: visibility((position) => position === segments.length),
      mayHold: visibility((position) => position < segments.length),
      next: (name) => {
        const folded = foldName(name, ignoreCase)
        // `.out` leads from a visible position to a hidden one, and no name leads back. Sorted,
        // because `memoize` compares the JSON.
        const beforeHidden = folded.startsWith('.')
          ? [...visible, ...hidden].sort((a, b) => a - b)
          : hidden
        return stateAfter({
          visible: positionsAfter(folded, visible, false),
          hidden: positionsAfter(folded, beforeHidden, true),
        })
      },
    }
  })
  /** A `**` can stand for no folder. minimatch makes one of two that follow each other. */
  const withNext = (positions: readonly number[]) =>
    new Set(
      positions.flatMap((position) => (isGlobstar(position) ? [position, position + 1] : position)),
    )
  const stateAfter = memoize((reached: Positions) => {
    const visible = withNext(reached.visible)
    const hidden = withNext(reached.hidden).difference(visible)
    return stateOf({ visible: [...visible], hidden: [...hidden] })
  })
  return stateAfter({ visible: [0], hidden: [] })
}

/** The two ways to write `é` are one name. Below U+0300, every text is in NFC already. */
function foldName(name: string, ignoreCase: boolean): string {
  const composed = /[^\0-\u02ff]/.test(name) ? name.normalize('NFC') : name
  return ignoreCase ? composed.toLowerCase() : composed
}

/** Where an absolute path is, from the root of the disk on. */
export function stateAt<P extends Glob>(start: State<P>, path: string): State<P> {
  return namesIn(path).reduce((state, name) => state.next(name), start)
}

/** The names in an absolute path. On Windows, the drive is the first. */
function namesIn(path: string): readonly string[] {
  return path.split(sep).filter(Boolean)
}

/**
 * Whether a line with `!` excludes a path. If none does: how far the path has come in those that
 * may exclude something below it.
 */
export interface Exclusion {
  readonly notSent?: NotSent
  readonly pending: readonly State<Pattern & { readonly notSent: NotSent }>[]
}

/**
 * What applies to an absolute path. An excluded folder excludes everything below it, whatever the
 * order of the lines.
 */
export function exclusionAt(start: Exclusion, path: string, isFolder: boolean): Exclusion {
  return namesIn(path).reduce(
    (exclusion, name, index, { length }) =>
      nextExclusion(exclusion, name, isFolder || index < length - 1),
    start,
  )
}

/** What applies to an entry of a folder, from what applies to the folder. */
export function nextExclusion(folder: Exclusion, name: string, isFolder: boolean): Exclusion {
  if (folder.pending.length === 0) return folder
  const pending = folder.pending.map((state) => state.next(name))
  const excluding = pending.find(
    ({ matches, pattern }) => matches && (isFolder || !pattern.foldersOnly),
  )
  if (excluding) return { notSent: excluding.pattern.notSent, pending: [] }
  return { pending: pending.filter(({ mayHold }) => mayHold) }
}
