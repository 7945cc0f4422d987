import { sep } from 'node:path'
import { GLOBSTAR, Minimatch } from 'minimatch'
import type { NotSent } from './files.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

/** `hidden`: only if wildcards matched a leading dot, which they do not. */
export type Reach = 'visible' | 'hidden'

type Segment = string | typeof GLOBSTAR | { readonly any: RegExp; readonly visible: RegExp }

/**
 * Matches paths segment by segment, so that a walk looks at each name once and knows which folders to enter. The time is
 * linear in the length of the path, whatever the pattern: minimatch itself backtracks for each `*` in a segment.
 */
export class Matcher<P extends Glob = Glob> {
  static #stateCount = 0
  /** Before the first name of an absolute path. */
  readonly start: State<P>
  readonly #pattern: P
  readonly #segments: readonly Segment[]
  /** Wildcards also match names that begin with a dot, as in @actions/glob. */
  readonly #dot: boolean
  readonly #ignoreCase: boolean
  readonly #states = new Map<string, State<P>>()

  constructor(pattern: P, { dot, ignoreCase }: { readonly dot: boolean; readonly ignoreCase: boolean }) {
    const { root, segments } = pattern
    this.#pattern = pattern
    this.#dot = dot
    this.#ignoreCase = ignoreCase
    // A last `**` matches what is below the folder, not the folder itself.
    const glob = (segments.at(-1) === '**' ? [...segments, '*'] : segments).join('/').normalize('NFC')
    const compile = (options: { readonly dot: boolean }) =>
      new Minimatch(glob, { ...grammar, ...options, nocase: ignoreCase }).set[0] ?? []
    const visible = compile({ dot })
    const any = dot ? visible : compile({ dot: true })
    this.#segments = [
      ...namesIn(root).map((name) => this.#fold(name)),
      ...visible.map((segment, index): Segment => {
        if (!(segment instanceof RegExp)) return typeof segment === 'string' ? this.#fold(segment) : segment
        return { visible: inLinearTime(segment), any: inLinearTime(any[index] as RegExp) }
      }),
    ]
    const positions: Positions = new Map()
    this.#reach(positions, 0, 'visible')
    this.start = this.#stateOf(positions)
  }

  /** Where an absolute path is in the pattern. */
  at(path: string): State<P> {
    return namesIn(path).reduce((state, name) => state.next(name), this.start)
  }

  /** Where an entry of a folder is, if the folder is at `positions`. */
  #next(positions: Positions, name: string): State<P> {
    const folded = this.#fold(name)
    const isHidden = !this.#dot && name.startsWith('.')
    const reached: Positions = new Map()
    for (const [position, reach] of positions) {
      const segment = this.#segments[position]
      const here = matchSegment(segment, folded, isHidden)
      const next = segment === GLOBSTAR ? position : position + 1
      if (here) this.#reach(reached, next, here === 'hidden' ? 'hidden' : reach)
    }
    return this.#stateOf(reached)
  }

  /** The two ways to write `é` are one name. */
  #fold(name: string): string {
    const composed = /[^\0-\u02ff]/.test(name) ? name.normalize('NFC') : name
    return this.#ignoreCase ? composed.toLowerCase() : composed
  }

  /** Adds a position, and the one after it if it is a `**`, which can stand for no folder. It is visible if any way to it is. */
  #reach(positions: Positions, position: number, reach: Reach): void {
    if (positions.get(position) !== 'visible') positions.set(position, reach)
    if (this.#segments[position] === GLOBSTAR) this.#reach(positions, position + 1, reach)
  }

  #stateOf(positions: Positions): State<P> {
    const passed = [...positions]
    const key = passed.join(' ')
    const earlier = this.#states.get(key)
    if (earlier) return earlier
    const end = this.#segments.length
    const reaches = passed.filter(([position]) => position < end).map(([, reach]) => reach)
    const state: State<P> = {
      id: Matcher.#stateCount++,
      pattern: this.#pattern,
      matches: positions.get(end),
      mayHold: reaches.includes('visible') ? 'visible' : reaches[0],
      next: (name) => this.#next(positions, name),
    }
    this.#states.set(key, state)
    return state
  }
}

/** @param isHidden whether the name begins with a dot that wildcards do not match */
function matchSegment(segment: Segment | undefined, name: string, isHidden: boolean): Reach | undefined {
  if (segment === GLOBSTAR) return isHidden ? 'hidden' : 'visible'
  if (typeof segment === 'string') return segment === name ? 'visible' : undefined
  if (!segment?.any.test(name)) return undefined
  return isHidden && !segment.visible.test(name) ? 'hidden' : 'visible'
}

/** The segments of a pattern that a path can have reached: how many it has passed. */
type Positions = Map<number, Reach>

/** Where a path is in a pattern. Equal ones of a matcher are the same object. */
export interface State<P extends Glob = Glob> {
  readonly id: number
  readonly pattern: P
  /** Whether the path matches. */
  readonly matches: Reach | undefined
  /** Whether something below a folder of this path may match. */
  readonly mayHold: Reach | undefined
  /** Where an entry of a folder of this path is. */
  readonly next: (name: string) => State<P>
}

/** The names in an absolute path. On Windows, the drive is the first. */
function namesIn(path: string): readonly string[] {
  return path.split(sep).filter(Boolean)
}

/** One of the patterns that a line with `!` stands for, and what it makes of a file. */
export interface ExclusionRule extends Pattern {
  readonly notSent: NotSent
}

/** What the rules say of a path: that one excludes it, or where it is in those that may exclude something below it. */
export interface Exclusion {
  readonly notSent?: NotSent
  readonly pending: readonly State<ExclusionRule>[]
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
  return excluding
    ? { notSent: excluding.pattern.notSent, pending: [] }
    : { pending: pending.filter(({ mayHold }) => mayHold) }
}

/** What applies to something that several paths lead to. */
export function combined(exclusions: readonly Exclusion[]): Exclusion {
  const excluded = exclusions.find(({ notSent }) => notSent)
  return excluded ?? { pending: [...new Set(exclusions.flatMap(({ pending }) => pending))] }
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
