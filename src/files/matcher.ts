import path from 'node:path'
import { GLOBSTAR, Minimatch } from 'minimatch'
import { memoize } from './memoize.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

// `.out/a.csv` is `hidden` for `**/*.csv`: it matches only if wildcards match a leading dot.
// `a.csv` is `visible`, and so is `.out/a.csv` for `.out/*.csv`, which writes the dot.
export type Visibility = 'visible' | 'hidden'

/** How far into a pattern a path has come. Paths that are equally far have the same `id`. */
export interface State {
  readonly id: string
  /** Whether the path matches. */
  readonly matches: Visibility | undefined
  /** Whether something below a folder of this path may match. */
  readonly mayHold: Visibility | undefined
  /** Where an entry of a folder of this path is. */
  readonly next: (name: string) => State
}

/** Half of a state: where wildcards match a leading dot, or where they don't. */
interface Position {
  readonly id: number
  readonly matches: boolean
  readonly mayHold: boolean
  readonly next: (name: string) => Position
}

interface Meaning {
  /** Wildcards match a leading dot too. */
  readonly dot: boolean
  readonly ignoreCase: boolean
}

/**
 * The state at the root of the disk. From there, a walk looks at each name once, and knows which
 * folders to enter. With `dot`, nothing is hidden.
 */
export function initialState(pattern: Glob, meaning: Meaning): State {
  const visible = initialPosition(pattern, meaning)
  const all = meaning.dot ? visible : initialPosition(pattern, { ...meaning, dot: true })
  return stateOf(visible, all)
}

function stateOf(visible: Position, all: Position): State {
  const visibility = (which: 'matches' | 'mayHold') =>
    visible[which] ? 'visible' : all[which] ? 'hidden' : undefined
  return {
    id: `${visible.id} ${all.id}`,
    matches: visibility('matches'),
    mayHold: visibility('mayHold'),
    next: (name) => stateOf(visible.next(name), all.next(name)),
  }
}

let positionCount = 0

// `/srv/**/*.csv` has the parts `srv`, `**` and `*.csv`. After `/srv`, the next name can be a folder
// for `**`, part 1, or a file for `*.csv`, part 2: the position is `[1, 2]`. After `/srv/a.csv` it
// is `[1, 2, 3]`, and 3 is the end: the path matches. Each name takes one step, so the time is
// linear in the length of the path, whatever the pattern.
function initialPosition({ root, segments }: Glob, { dot, ignoreCase }: Meaning): Position {
  // A last `**` matches what is below the folder, not the folder itself.
  const glob = (segments.at(-1) === '**' ? [...segments, '*'] : segments).join('/').normalize('NFC')
  const [wildcards = []] = new Minimatch(glob, { ...grammar, nocase: ignoreCase, dot }).set
  const parts = [...namesIn(root), ...wildcards].map((part) =>
    typeof part === 'string' ? foldName(part, ignoreCase) : part,
  )
  const fits = (name: string, index: number) => {
    const part = parts[index]
    if (part === GLOBSTAR) return dot || !name.startsWith('.')
    return typeof part === 'object' ? part.test(name) : part === name
  }
  const positionAt = memoize(
    (indexes: readonly number[]): Position => ({
      id: positionCount++,
      matches: indexes.includes(parts.length),
      mayHold: indexes.some((index) => index < parts.length),
      next: (name) => {
        const folded = foldName(name, ignoreCase)
        const fitting = indexes.filter((index) => fits(folded, index))
        return positionFrom(fitting.map((index) => (parts[index] === GLOBSTAR ? index : index + 1)))
      },
    }),
  )
  // A `**` can stand for no folder. minimatch makes one of two that follow each other.
  const positionFrom = (indexes: readonly number[]) => {
    const withNext = indexes.flatMap((index) =>
      parts[index] === GLOBSTAR ? [index, index + 1] : index,
    )
    return positionAt([...new Set(withNext)])
  }
  return positionFrom([0])
}

/** The two ways to write `é` are one name. Below U+0300, every text is in NFC already. */
function foldName(name: string, ignoreCase: boolean): string {
  const composed = /[^\0-\u02ff]/.test(name) ? name.normalize('NFC') : name
  return ignoreCase ? composed.toLowerCase() : composed
}

/** Where an absolute path is, from the root of the disk on. */
export function stateAt<Place extends { readonly next: (name: string) => Place }>(
  start: Place,
  at: string,
): Place {
  return namesIn(at).reduce((place, name) => place.next(name), start)
}

/** The names in an absolute path. On Windows, the drive is the first. */
function namesIn(at: string): readonly string[] {
  return at.split(path.sep).filter(Boolean)
}

/** Whether a line with `!` excludes an absolute path. */
export type Excludes = (path: string, isFolder: boolean) => boolean

/**
 * `old` excludes `old`, and `old/a/b.csv` with it; `old/` only if it is a folder. A folder keeps the
 * patterns that may exclude something in it, so that most of 1,000 are soon left behind.
 */
export function exclusionBy(patterns: readonly Pattern[], ignoreCase: boolean): Excludes {
  const starts = patterns.map((pattern) => ({
    position: initialPosition(pattern, { dot: true, ignoreCase }),
    foldersOnly: pattern.foldersOnly,
  }))
  /** What a folder keeps; undefined if it is excluded, and so all that is below it. */
  type Kept = typeof starts | undefined
  const enter = (folder: Kept, name: string, isFolder: boolean): Kept => {
    const next = folder?.map((kept) => ({ ...kept, position: kept.position.next(name) })) ?? []
    const isExcluded = next.some(
      ({ foldersOnly, position }) => position.matches && (isFolder || !foldersOnly),
    )
    return folder && !isExcluded ? next.filter(({ position }) => position.mayHold) : undefined
  }
  const keptIn = memoize((folder: string): Kept => {
    const above = path.dirname(folder)
    return above === folder
      ? starts.map((kept) => ({ ...kept, position: stateAt(kept.position, folder) }))
      : enter(keptIn(above), path.basename(folder), true)
  })
  return (at, isFolder) => !enter(keptIn(path.dirname(at)), path.basename(at), isFolder)
}
