import path from 'node:path'
import { minimatch } from 'minimatch'
import { type Disk, follow, someNames } from './disk.ts'
import { type PatternLine, type Place, visibleMatcher } from './patterns.ts'
import type { Excluded, PassedOver } from './walk.ts'
import { counted, quoted, some } from './wording.ts'

/** A line that matched nothing, and what the search met. */
export interface Unmatched {
  readonly line: PatternLine
  readonly places: readonly Place[]
  readonly passedOver: readonly PassedOver[]
  readonly excluded: readonly Excluded[]
  readonly disk: Disk
  readonly workspace: string
  /** Absolute path → what people call it; `.` for the workspace. */
  readonly display: (path: string) => string
}

const mostCounted = 1000
const mostLookedAt = 5000

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

async function searched({ display }: Unmatched, { root, segments }: Place): Promise<Searched> {
  const target = await follow(root)
  const folder = target.kind === 'folder' ? root : await nearestFolder(path.dirname(root))
  const entries = await describeEntries(folder)
  const where = display(folder) === '.' ? 'the workspace' : quoted(display(folder))
  if (target.kind === 'absent') {
    const missing = path.relative(folder, root).split(path.sep)
    const first = quoted(display(path.join(folder, missing[0] ?? '')))
    return { text: `There is no ${first}: ${where} holds ${entries}.`, folder, missing }
  }
  if (target.kind === 'file' && segments.length === 0) {
    return { text: `${quoted(display(root))} is there.`, folder, missing: [] }
  }
  const file = target.kind === 'file' ? `${quoted(display(root))} is a file, not a folder. ` : ''
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
  return `${count}: ${some(visibleFirst(names).map(quoted))}`
}

function visibleFirst(names: readonly string[]): readonly string[] {
  const sorted = names.toSorted()
  const isHidden = (name: string) => name.startsWith('.')
  return [...sorted.filter((name) => !isHidden(name)), ...sorted.filter(isHidden)]
}

function whatWasLeftOut({ passedOver, excluded, display }: Unmatched): readonly string[] {
  const left = passedOver.map(({ path: at, why }) => `${quoted(display(at))} ${why}`)
  const ways = passedOver.some(({ reason }) => reason === 'hidden')
    ? ' To send hidden files, write the dot in the pattern or set `include-hidden-files: true`.'
    : ''
  return [
    ...(left.length === 0 ? [] : [`Left out: ${some(left, '; ')}.${ways}`]),
    ...[...Map.groupBy(excluded, (one) => one.line)].map(
      ([line, paths]) => `${quoted(line)} excludes ${some(paths.map(({ path: at }) => quoted(display(at))))}.`,
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
    return `${quoted(variable[0])} stands for itself here: no shell reads this text. Write ${quoted(expressionFor(name))}.`
  }
  if (/^(["']).*\1$/.test(pattern)) {
    return 'The quotes are taken as part of the name: leave them out.'
  }
  if (/^- /.test(pattern)) {
    return 'The `- ` is taken as part of the name: this is text with one pattern per line, not a list.'
  }
  if (sep === '/' && pattern.includes('\\')) {
    return `\`\\\` takes the meaning from the character after it. Write folders with \`/\`: ${quoted(pattern.replaceAll('\\', '/'))}.`
  }
  if (/,(?![^{]*\})/.test(pattern)) {
    return 'The comma is taken as part of the name: write one pattern per line.'
  }
  if (/[*?\]]\/$/.test(pattern)) {
    return `A wildcard with \`/\` at the end matches folders only. For the files in them write ${quoted(`${pattern}**`)}.`
  }
  return undefined
}

/** What GitHub offers in place of a variable of the shell. */
function expressionFor(variable: string): string {
  if (variable === 'HOME') {
    return '~'
  }
  const [, context, property] = /^(GITHUB|RUNNER)_(\w+)$/.exec(variable) ?? []
  return context === undefined || property === undefined
    ? `\${{ env.${variable} }}`
    : `\${{ ${context.toLowerCase()}.${property.toLowerCase()} }}`
}

/** Looks for files that the pattern would match if it were written a little differently. */
async function mistakeOnDisk(
  unmatched: Unmatched,
  { root, segments }: Place,
  { folder, missing }: Searched,
): Promise<string | undefined> {
  const { display, workspace } = unmatched
  if (folder === workspace && (await someNames(workspace, 1))?.length === 0) {
    return 'Nothing was put into the workspace yet: is the checkout missing, or the download of an artifact of another job?'
  }
  const wanted = [...missing.map((name) => minimatch.escape(name)), ...segments]
  const last = wanted.at(-1)
  const isFolder = folder === root || missing.length > 0
  if (last === undefined || !isFolder) {
    return undefined
  }
  const sameButCase = await filesLike(unmatched, folder, wanted)
  if (sameButCase.length > 0) {
    return `Upper and lower case matter: there is ${some(sameButCase)}.`
  }
  const deeper = await filesLike(unmatched, folder, ['**', last])
  if (deeper.length > 0 && missing.length === 0 && !segments.includes('**')) {
    return `\`*\` stays in its folder, \`**\` looks into those below. Further down there is ${some(deeper)}.`
  }
  const elsewhere = deeper.length > 0 ? deeper : await filesLike(unmatched, workspace, ['**', last])
  // Below a missing folder any file fits a pattern such as `**`.
  if (elsewhere.length > 0 && last !== '**' && last !== '*') {
    return `Elsewhere there is ${some(elsewhere)}.`
  }
  return missing.length === 0
    ? undefined
    : `Was ${quoted(display(root))} made in another job? Then download its artifact first. If not, the step that makes it is missing or comes later.`
}

/** Names of the files below a folder that fit, upper and lower case taken as the same. */
async function filesLike(
  { disk, display }: Unmatched,
  folder: string,
  glob: readonly string[],
): Promise<readonly string[]> {
  const { matches } = visibleMatcher(glob, true)
  const paths = await filesBelow(disk, folder)
  return paths.filter(matches).map((relative) => quoted(display(path.join(folder, relative))))
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
