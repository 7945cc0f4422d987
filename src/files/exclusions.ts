import { Matcher, namesIn, type State } from './matcher.ts'
import type { Pattern } from './patterns.ts'

/** A line with `!` and one of the patterns that it stands for. */
export interface ExclusionRule extends Pattern {
  readonly line: string
}

/** What the rules say of a path: the line that excludes it, or where it is in the rules that may exclude something below it. */
export interface Exclusion {
  readonly line?: string
  readonly pending: readonly PendingRule[]
}

interface PendingRule {
  readonly rule: ExclusionRule
  readonly state: State
  /** Equal for the same rule in the same state. */
  readonly key: string
}

/** The lines with `!`. An excluded folder excludes everything below it, whatever the order of the lines. */
export class Exclusions {
  readonly #rules: readonly PendingRule[]

  constructor(rules: readonly ExclusionRule[], ignoreCase: boolean) {
    this.#rules = rules.map((rule, index) => {
      const state = new Matcher(rule, { dot: true, ignoreCase }).start
      return { rule, state, key: `${index}` }
    })
  }

  /** @param paths absolute: the ways to write one path, with and without its links. */
  at(paths: readonly string[], isFolder: boolean): Exclusion {
    return combined([...new Set(paths)].map((path) => this.#at(namesIn(path), isFolder)))
  }

  #at(names: readonly string[], isFolder: boolean): Exclusion {
    let exclusion: Exclusion = { pending: this.#rules }
    for (const [index, name] of names.entries()) {
      exclusion = nextExclusion(exclusion, name, isFolder || index < names.length - 1)
    }
    return exclusion
  }
}

/** What applies to an entry of a folder, from what applies to the folder. */
export function nextExclusion(folder: Exclusion, name: string, isFolder: boolean): Exclusion {
  if (folder.line !== undefined || folder.pending.length === 0) return folder
  const pending: PendingRule[] = []
  for (const { key, rule, state } of folder.pending) {
    const next = state.next(name)
    if (next.matches && (isFolder || !rule.foldersOnly)) return { line: rule.line, pending: [] }
    if (next.mayHold) pending.push({ rule, state: next, key: `${key.split(':', 1)}:${next.id}` })
  }
  return { pending }
}

/** What applies to something that several paths lead to. */
export function combined(exclusions: readonly Exclusion[]): Exclusion {
  const excluded = exclusions.find(({ line }) => line !== undefined)
  if (excluded) return excluded
  const pending = exclusions.flatMap((one) => one.pending).map((rule) => [rule.key, rule] as const)
  return { pending: [...new Map(pending).values()] }
}
