import { namesIn, type State } from './matcher.ts'
import type { Pattern } from './patterns.ts'

/** A line with `!` and one of the patterns that it stands for. */
export interface ExclusionRule extends Pattern {
  readonly line: string
}

/** What the rules say of a path: the line that excludes it, or where it is in the rules that may exclude something below it. */
export interface Exclusion {
  readonly line?: string
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
  if (folder.line !== undefined || folder.pending.length === 0) return folder
  const pending = folder.pending.map((state) => state.next(name))
  const excluding = pending.find(({ matcher, matches }) => matches && (isFolder || !matcher.pattern.foldersOnly))
  return excluding
    ? { line: excluding.matcher.pattern.line, pending: [] }
    : { pending: pending.filter(({ mayHold }) => mayHold) }
}

/** What applies to something that several paths lead to. */
export function combined(exclusions: readonly Exclusion[]): Exclusion {
  const excluded = exclusions.find(({ line }) => line !== undefined)
  return excluded ?? { pending: [...new Set(exclusions.flatMap(({ pending }) => pending))] }
}
