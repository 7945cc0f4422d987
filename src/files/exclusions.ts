import type { NotSent } from './files.ts'
import { namesIn, type State } from './matcher.ts'
import type { Pattern } from './patterns.ts'

/** One of the patterns that a line with `!` stands for, and what it makes of a file. */
export interface ExclusionRule extends Pattern {
  readonly notSent: NotSent
}

/** What the rules say of a path: that one excludes it, or where it is in those that may exclude something below it. */
export interface Exclusion {
  readonly notSent?: NotSent
  readonly pending: readonly State<ExclusionRule>[]
}

/**
 * What applies to a path. An excluded folder excludes everything below it, whatever the order of the lines.
 *
 * @param paths absolute: the ways to write the path, with and without its links.
 */
export function exclusionAt(start: Exclusion, paths: readonly string[], isFolder: boolean): Exclusion {
  return combined(
    [...new Set(paths)].map((path) =>
      namesIn(path).reduce(
        (exclusion, name, index, { length }) => nextExclusion(exclusion, name, isFolder || index < length - 1),
        start,
      ),
    ),
  )
}

/** What applies to an entry of a folder, from what applies to the folder. */
export function nextExclusion(folder: Exclusion, name: string, isFolder: boolean): Exclusion {
  if (folder.pending.length === 0) return folder
  const pending = folder.pending.map((state) => state.next(name))
  const excluding = pending.find(({ matcher, matches }) => matches && (isFolder || !matcher.pattern.foldersOnly))
  return excluding
    ? { notSent: excluding.matcher.pattern.notSent, pending: [] }
    : { pending: pending.filter(({ mayHold }) => mayHold) }
}

/** What applies to something that several paths lead to. */
export function combined(exclusions: readonly Exclusion[]): Exclusion {
  const excluded = exclusions.find(({ notSent }) => notSent)
  return excluded ?? { pending: [...new Set(exclusions.flatMap(({ pending }) => pending))] }
}
