import path from 'node:path'
import { minimatch } from 'minimatch'
import { type Disk, follow, someNames } from './disk.ts'
import { matcher, type PatternLine, type Place } from './patterns.ts'
import type { Excluded, PassedOver } from './walk.ts'

/** A line that matched nothing, and what the search met. */
export interface Unmatched {
  readonly line: PatternLine
  readonly places: readonly Place[]
  readonly passedOver: readonly PassedOver[]
  readonly excluded: readonly Excluded[]
  readonly disk: Disk
  /** Absolute path → what people call it; `.` for the workspace. */
  readonly display: (path: string) => string
}

const mostCounted = 1000
const mostLookedAt = 5000
const mostNamed = 3

/** Why a line matched nothing, for somebody who has read no documentation: one to four lines. */
export async function explain(unmatched: Unmatched): Promise<string> {
  const { line, places, passedOver, excluded } = unmatched
  const [place] = places
  if (place === undefined) {
    return 'It stands for no path at all.'
  }
  const ground = await searched(unmatched, place)
  const mistake =
    mistakeInText(line.pattern, path) ??
    (passedOver.length > 0 || excluded.length > 0 ? undefined : await mistakeOnDisk(unmatched, place, ground))
  return [ground.text, ...whatWasLeftOut(unmatched), ...(mistake === undefined ? [] : [mistake])].join('\n')
}

interface Searched {
  readonly text: string
  /** Absolute: the folder before the first wildcard, or the nearest above it that is there. */
  readonly folder: string
  /** The names below it that lead to where the pattern begins and are not there. */
  readonly missing: readonly string[]
}

async function searched({ display }: Unmatched, { root }: Place): Promise<Searched> {
  const target = await follow(root)
  const folder = target.kind === 'folder' ? root : await nearestFolder(path.dirname(root))
  const entries = await describeEntries(folder)
  const where = display(folder) === '.' ? 'the workspace' : `\`${display(folder)}\``
  if (target.kind === 'absent') {
    const missing = path.relative(folder, root).split(path.sep)
    return { text: `There is no \`${display(root)}\`; ${where} holds ${entries}.`, folder, missing }
  }
  const file = target.kind === 'file' ? `\`${display(root)}\` is a file. ` : ''
  return { text: `${file}Searched ${where}, which holds ${entries}.`, folder, missing: [] }
}

async function nearestFolder(at: string): Promise<string> {
  const target = await follow(at)
  return target.kind === 'folder' || path.dirname(at) === at ? at : nearestFolder(path.dirname(at))
}

async function describeEntries(folder: string): Promise<string> {
  const names = await someNames(folder, mostCounted)
  if (names === undefined) {
    return 'entries that cannot be read'
  }
  if (names.length === 0) {
    return 'nothing'
  }
  const count =
    names.length === mostCounted ? `${mostCounted} entries or more` : counted(names.length, 'entry', 'entries')
  return `${count}: ${some(names.toSorted())}`
}

function whatWasLeftOut({ passedOver, excluded, display }: Unmatched): readonly string[] {
  const left = passedOver.map(({ path: at, why }) => `\`${display(at)}\` ${why}`)
  const ways = passedOver.some(({ reason }) => reason === 'hidden')
    ? ' To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.'
    : ''
  return [
    ...(left.length === 0 ? [] : [`Left out: ${some(left, '; ')}.${ways}`]),
    ...[...Map.groupBy(excluded, (one) => one.line)].map(
      ([line, paths]) => `\`${line}\` excludes ${some(paths.map(({ path: at }) => `\`${display(at)}\``))}.`,
    ),
  ].slice(0, 2)
}

/**
 * The mistake that the text of a pattern shows, if it shows one.
 *
 * Only for patterns that match nothing: each of these texts can be a right one.
 */
export function mistakeInText(pattern: string, { sep }: Pick<path.PlatformPath, 'sep'>): string | undefined {
  if (pattern.includes('${{')) {
    return 'An expression is still in the text: GitHub fills expressions in only where the workflow file itself writes them.'
  }
  const variable = /\$\{?(?:env:)?(\w+)\}?|%(\w+)%/.exec(pattern)
  if (variable !== null) {
    const name = variable[1] ?? variable[2] ?? ''
    return `\`${variable[0]}\` stands for itself here: no shell reads this text. Write \`${expressionFor(name)}\`.`
  }
  if (/^(["']).*\1$/.test(pattern)) {
    return 'The quotes are taken as part of the name: leave them out.'
  }
  if (/^- /.test(pattern)) {
    return 'The `- ` is taken as part of the name: this is text with one pattern per line, not a list.'
  }
  if (sep === '/' && pattern.includes('\\')) {
    return `\`\\\` takes the meaning from the character after it. Write folders with \`/\`: \`${pattern.replaceAll('\\', '/')}\`.`
  }
  if (/,(?![^{]*\})/.test(pattern)) {
    return 'The comma is taken as part of the name: write one pattern per line.'
  }
  if (/[*?\]]\/$/.test(pattern)) {
    return `A wildcard with \`/\` at the end matches folders only. For the files in them write \`${pattern}**\`.`
  }
  return undefined
}

function expressionFor(variable: string): string {
  const context = /^(GITHUB_WORKSPACE|RUNNER_TEMP)$/.exec(variable)
  return context === null ? `\${{ env.${variable} }}` : `\${{ ${variable.toLowerCase().replace('_', '.')} }}`
}

/** Looks for files that the pattern would match if it were written a little differently. */
async function mistakeOnDisk(
  { disk, display }: Unmatched,
  { root, segments, foldersOnly }: Place,
  { folder, missing }: Searched,
): Promise<string | undefined> {
  const wanted = [...missing.map((name) => minimatch.escape(name)), ...segments]
  if (foldersOnly || wanted.length === 0) {
    return undefined
  }
  const paths = await filesBelow(disk, folder)
  const like = (glob: readonly string[]) => {
    const { matches } = matcher(glob, false, true)
    return paths.filter(matches).map((relative) => `\`${display(path.join(folder, relative))}\``)
  }
  const otherCase = like(wanted)
  if (otherCase.length > 0) {
    return `Upper and lower case differ: ${some(otherCase)}.`
  }
  const deeper = like(['**', wanted.at(-1) ?? '*'])
  if (deeper.length > 0) {
    return missing.length === 0 && segments.length > 0
      ? `\`*\` does not look into folders, \`**\` does. Further down: ${some(deeper)}.`
      : `Elsewhere there is ${some(deeper)}.`
  }
  return missing.length === 0
    ? undefined
    : `Was \`${display(root)}\` made in another job? Download its artifact here first. Otherwise a step that makes it is missing, such as the checkout or the build.`
}

/** Paths of files, relative with `/`, as far as a bounded look shows them. Links and hidden names are not followed. */
async function filesBelow(disk: Disk, start: string): Promise<readonly string[]> {
  const files: string[] = []
  const folders = ['']
  for (let looked = 0; looked < mostLookedAt; ) {
    const folder = folders.shift()
    if (folder === undefined) {
      break
    }
    const entries = await disk.list(path.join(start, folder)).catch(() => [])
    looked += entries.length + 1
    for (const entry of entries) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) {
        files.push(relative)
      } else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') {
        folders.push(relative)
      }
    }
  }
  return files.sort()
}

function some(texts: readonly string[], separator = ', '): string {
  const rest = texts.length - mostNamed
  return rest <= 0 ? texts.join(separator) : `${texts.slice(0, mostNamed).join(separator)} and ${rest} more`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
