import { sep } from 'node:path'
import { GLOBSTAR, Minimatch, type MinimatchOptions } from 'minimatch'
import type { NotSent } from './files.ts'
import { memoize } from './memoize.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

/** `hidden`: only if a wildcard matches a name that begins with a dot. */
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

/** How many segments a path can have passed, without hidden names and with them. */
type Positions = Readonly<Record<Visibility, readonly number[]>>

let stateCount = 0

/**
 * Matches paths segment by segment, so that a walk looks at each name once and knows which folders
 * to enter. The time is linear in the length of the path, whatever the pattern.
 *
 * @param dot wildcards match names that begin with a dot as any other, as in @actions/glob: nothing
 *   is hidden.
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
      typeof segment === 'string' ? fold(segment, ignoreCase) : segment,
    )
  }
  const segments = segmentsWith({ dot })
  const withHidden = dot ? segments : segmentsWith({ dot: true })
  const isAny = (position: number) => segments[position] === GLOBSTAR
  /** Where a name leads from each of the positions that it fits. */
  const advance = (positions: readonly number[], name: string, among: typeof segments) =>
    positions
      .filter((position) => {
        const segment = among[position]
        if (segment === GLOBSTAR) return among === withHidden || !name.startsWith('.')
        return typeof segment === 'object' ? segment.test(name) : segment === name
      })
      .map((position) => (isAny(position) ? position : position + 1))
  const stateOf = memoize(({ visible, hidden }: Positions): State<P> => {
    const visibility = (fits: (position: number) => boolean) =>
      visible.some(fits) ? 'visible' : hidden.some(fits) ? 'hidden' : undefined
    return {
      id: stateCount++,
      pattern,
      matches: visibility((position) => position === segments.length),
      mayHold: visibility((position) => position < segments.length),
      next: (name) => {
        const folded = fold(name, ignoreCase)
        const beforeHidden = folded.startsWith('.')
          ? [...visible, ...hidden].sort((a, b) => a - b)
          : hidden
        return stateFrom({
          visible: advance(visible, folded, segments),
          hidden: advance(beforeHidden, folded, withHidden),
        })
      },
    }
  })
  /** A `**` can stand for no folder. */
  const withNextOfAny = (positions: readonly number[]) =>
    new Set(
      positions.flatMap((position) => (isAny(position) ? [position, position + 1] : [position])),
    )
  const stateFrom = memoize((reached: Positions) => {
    const visible = withNextOfAny(reached.visible)
    const hidden = withNextOfAny(reached.hidden).difference(visible)
    return stateOf({ visible: [...visible], hidden: [...hidden] })
  })
  return stateFrom({ visible: [0], hidden: [] })
}

/** The two ways to write `é` are one name. */
function fold(name: string, ignoreCase: boolean): string {
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
