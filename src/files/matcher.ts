import { sep } from 'node:path'
import { GLOBSTAR, Minimatch } from 'minimatch'
import { grammar, type Pattern } from './patterns.ts'

type Segment = string | RegExp | typeof GLOBSTAR

/** The segments of a pattern that a path has reached: how many it has passed, in ascending order. */
export type Positions = readonly number[]

/**
 * Matches paths segment by segment, so that a walk looks at each name once and knows which folders to enter. The time is
 * linear in the length of the path, whatever the pattern: minimatch itself backtracks for each `*` in a segment.
 */
export class Matcher {
  readonly #segments: readonly Segment[]
  readonly #dot: boolean
  readonly #ignoreCase: boolean

  /** @param options `dot`: wildcards also match names that begin with a dot, as in @actions/glob. */
  constructor(
    { root, segments }: Pick<Pattern, 'root' | 'segments'>,
    { dot, ignoreCase }: { readonly dot: boolean; readonly ignoreCase: boolean },
  ) {
    this.#dot = dot
    this.#ignoreCase = ignoreCase
    // A last `**` matches what is below the folder, not the folder itself.
    const glob = segments.at(-1) === '**' ? [...segments, '*'] : segments
    const { set } = new Minimatch(glob.join('/'), { ...grammar, dot, nocase: ignoreCase })
    this.#segments = [
      ...namesIn(root).map((name) => this.#fold(name)),
      ...(set[0] ?? []).map((one) =>
        typeof one === 'string' ? this.#fold(one) : one instanceof RegExp ? inLinearTime(one) : one,
      ),
    ]
  }

  /** Where an absolute path is in the pattern. */
  at(path: string): Positions {
    return namesIn(path).reduce((positions, name) => this.next(positions, name), this.start)
  }

  /** Before the first name of an absolute path. */
  get start(): Positions {
    return this.#reach([], 0)
  }

  /** Where an entry of a folder is, if the folder is at `positions`. */
  next(positions: Positions, name: string): Positions {
    const reached: number[] = []
    for (const position of positions) {
      const segment = this.#segments[position]
      if (segment === GLOBSTAR) {
        if (this.#dot || !name.startsWith('.')) this.#reach(reached, position)
      } else if (segment instanceof RegExp ? segment.test(name) : segment === this.#fold(name)) {
        this.#reach(reached, position + 1)
      }
    }
    return reached
  }

  matches(positions: Positions): boolean {
    return positions.at(-1) === this.#segments.length
  }

  /** Whether something below a folder at `positions` may match. */
  mayHold(positions: Positions): boolean {
    const [first] = positions
    return first !== undefined && first < this.#segments.length
  }

  /** Adds a position, and the one after it if `**` stands for no folder at all. */
  #reach(positions: number[], position: number): Positions {
    if (position > (positions.at(-1) ?? -1)) {
      positions.push(position)
      if (this.#segments[position] === GLOBSTAR) this.#reach(positions, position + 1)
    }
    return positions
  }

  #fold(name: string): string {
    return this.#ignoreCase ? name.toLowerCase() : name
  }
}

/** The names in an absolute path. The first is empty, or the drive on Windows. */
export function namesIn(path: string): readonly string[] {
  return path.split(sep).filter((name, index) => name !== '' || index === 0)
}

const star = '[^/]*?'

/**
 * The same expression without backtracking: each `*` takes the shortest text after which the next part matches, and keeps
 * it. That is never wrong because everything between two `*` has a fixed length. JavaScript has no atomic groups, but a
 * lookahead that is captured and then consumed is one.
 */
function inLinearTime(expression: RegExp): RegExp {
  const [first = '', ...parts] = expression.source.split(star)
  const last = parts.pop()
  if (last === undefined || parts.length === 0) return expression
  const middle = parts.map((part, index) => `(?=(${star}${part}))\\${index + 1}`)
  return new RegExp(`${first}${middle.join('')}${star}${last}`, expression.flags)
}
