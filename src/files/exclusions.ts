import { Matcher, namesIn, type Positions } from './matcher.ts'
import type { Pattern } from './patterns.ts'

/** A line with `!` and one of the patterns that it stands for. */
export interface ExclusionRule extends Pattern {
  readonly line: string
}

/** What the rules say of a path: the line that excludes it, or the rules that may exclude something below it. */
export interface Exclusion {
  readonly line?: string
  readonly pending: readonly PendingRule[]
}

interface PendingRule {
  readonly line: string
  readonly foldersOnly: boolean
  readonly matcher: Matcher
  readonly positions: Positions
}

/** The lines with `!`. An excluded folder excludes everything below it, whatever the order of the lines. */
export class Exclusions {
  readonly #rules: readonly PendingRule[]

  constructor(rules: readonly ExclusionRule[], ignoreCase: boolean) {
    this.#rules = rules.map((rule) => {
      const matcher = new Matcher(rule, { dot: true, ignoreCase })
      return { line: rule.line, foldersOnly: rule.foldersOnly, matcher, positions: matcher.start }
    })
  }

  /** @param paths absolute: the ways to write one path, with and without its links. */
  at(paths: readonly string[], isFolder: boolean): Exclusion {
    const found = [...new Set(paths)].map((path) => {
      const names = namesIn(path)
      let exclusion: Exclusion = { pending: this.#rules }
      for (const [index, name] of names.entries()) {
        exclusion = this.next(exclusion, name, isFolder || index < names.length - 1)
      }
      return exclusion
    })
    return found.find(({ line }) => line !== undefined) ?? { pending: found.flatMap(({ pending }) => pending) }
  }

  /** What applies to an entry of a folder, from what applies to the folder. */
  next(folder: Exclusion, name: string, isFolder: boolean): Exclusion {
    if (folder.line !== undefined) return folder
    const pending: PendingRule[] = []
    for (const rule of folder.pending) {
      const positions = rule.matcher.next(rule.positions, name)
      if (rule.matcher.matches(positions) && (isFolder || !rule.foldersOnly)) return { line: rule.line, pending: [] }
      if (rule.matcher.mayHold(positions)) pending.push({ ...rule, positions })
    }
    return { pending }
  }
}
