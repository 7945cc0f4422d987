import path from 'node:path'
import { GLOBSTAR, Minimatch, type MinimatchOptions } from 'minimatch'
import { memoize } from './memoize.ts'
import { type Glob, grammar, type Pattern } from './patterns.ts'

/** The progress of a path in a pattern. With the same `id`, two objects behave alike. */
export interface State {
  readonly id: string
  readonly matches: boolean
  /** Something below may match. */
  readonly mayHold: boolean
  /** If it fits: only because a wildcard matches a leading dot, as `**` does in `.out/a.csv`. */
  readonly isHidden: (isFolder: boolean) => boolean
  /** The state of an entry of a folder at this path. */
  readonly next: (name: string) => State
}

// A pattern is a list of parts: `/srv/**/*.csv` has `srv`, `**` and `*.csv`. A state is the steps,
// the parts that can be next. First, these are `[0]`. Next, `srv` leads to `[1, 2]`, since `**` can
// stand for no folder, then `a.csv` to `[1, 2, 3]`, where 3 is the end, or `.out` to `[1.5, 2.5]`,
// where a wildcard matched a leading dot. A .5 stays to the end.

/** The state at the disk root. With `dot`, wildcards match a leading dot: nothing is hidden. */
export function initialState(
  { root, segments }: Glob,
  { dot }: Pick<MinimatchOptions, 'dot'>,
): State {
  const ignoreCase = process.platform === 'win32'
  // A last `**` matches what is below the folder, not the folder itself.
  const glob = (segments.at(-1) === '**' ? [...segments, '*'] : segments).join('/').normalize('NFC')
  const partsWith = (dot: boolean) => {
    const [wildcards = []] = new Minimatch(glob, { ...grammar, nocase: ignoreCase, dot }).set
    return [...namesIn(root), ...wildcards].map((part) =>
      typeof part === 'string' ? foldName(part, ignoreCase) : part,
    )
  }
  const parts = partsWith(true)
  const visibleParts = dot ? parts : partsWith(false)
  const isGlobstar = (step: number) => parts[Math.floor(step)] === GLOBSTAR
  const fits = (name: string, part: (typeof parts)[number] | undefined) =>
    part === GLOBSTAR || (typeof part === 'object' ? part.test(name) : part === name)
  const reach = (steps: readonly number[]) => {
    // minimatch never leaves two `**` in a row.
    const all = new Set(steps.flatMap((step) => (isGlobstar(step) ? [step, step + 1] : step)))
    // A visible step replaces the hidden one.
    return [...all].filter((step) => !all.has(step - 0.5) || Number.isInteger(step))
  }
  const stateOf = (steps: readonly number[]): State => {
    const ends = steps.filter((step) => step >= parts.length)
    const onward = steps.filter((step) => step < parts.length)
    return {
      id: steps.join(' '),
      matches: ends.length > 0,
      mayHold: onward.length > 0,
      isHidden: (isFolder) => !(isFolder ? onward : ends).some(Number.isInteger),
      next: (name) => {
        const folded = foldName(name, ignoreCase)
        // Lists would double the time.
        let fitting = ''
        for (const step of steps) {
          const index = Math.floor(step)
          if (!fits(folded, parts[index])) continue
          const isVisible =
            name[0] !== '.' || (fits(folded, visibleParts[index]) && (dot || !isGlobstar(step)))
          fitting += `${isVisible ? step : index + 0.5} `
        }
        return stateAfter(fitting)
      },
    }
  }
  /** @param fitting steps that a name fits, .5 if hidden, a blank after each. At `**` they stay. */
  const stateAfter = memoize((fitting: string) => {
    const steps = fitting.split(' ').slice(0, -1).map(Number)
    return stateOf(reach(steps.map((step) => (isGlobstar(step) ? step : step + 1))))
  })
  return stateOf(reach([0]))
}

/** The two forms of `é` are one name. Below U+0300, every text is in NFC already. */
function foldName(name: string, ignoreCase: boolean): string {
  const composed = /[^\0-\u02ff]/.test(name) ? name.normalize('NFC') : name
  return ignoreCase ? composed.toLowerCase() : composed
}

/** @param start at the disk root */
export function stateAt(start: State, at: string): State {
  return namesIn(at).reduce((state, name) => state.next(name), start)
}

/** On Windows, the drive is the first name. */
function namesIn(at: string): readonly string[] {
  return at.split(path.sep).filter(Boolean)
}

export type Excludes = (absolute: string, isFolder: boolean) => boolean

/**
 * `old` excludes `old/a/b.csv`, too; `old/` only if it is a folder. A folder keeps the patterns
 * that may exclude something in it, because there can be 1,000.
 */
export function exclusionBy(patterns: readonly Pattern[]): Excludes {
  const starts = patterns.map((pattern) => ({
    state: initialState(pattern, { dot: true }),
    foldersOnly: pattern.foldersOnly,
  }))
  /** Undefined for an excluded folder, and all below it. */
  type Kept = typeof starts | undefined
  const enter = (folder: Kept, name: string, isFolder: boolean): Kept => {
    const next = folder?.map((kept) => ({ ...kept, state: kept.state.next(name) })) ?? []
    const isExcluded = next.some(
      ({ foldersOnly, state }) => state.matches && (isFolder || !foldersOnly),
    )
    return folder && !isExcluded ? next.filter(({ state }) => state.mayHold) : undefined
  }
  const keptIn = memoize((folder: string): Kept => {
    const above = path.dirname(folder)
    return above === folder
      ? starts.map((kept) => ({ ...kept, state: stateAt(kept.state, folder) }))
      : enter(keptIn(above), path.basename(folder), true)
  })
  return (at, isFolder) => !enter(keptIn(path.dirname(at)), path.basename(at), isFolder)
}
