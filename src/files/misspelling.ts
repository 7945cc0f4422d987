import path from 'node:path'
import { closestMatch } from 'leven'
import { code, type Text, text, words } from '../text/text.ts'
import { exists, follow, isWithin, someNames } from './disk.ts'
import type { Pattern, PatternLine } from './patterns.ts'
import type { SearchContext } from './search-context.ts'

const maxNames = 1000
const maxEdits = 2

type Find = (pattern: Pick<Pattern, 'root' | 'segments'>) => Promise<readonly string[]>

/**
 * A pattern with a leading `/` that was meant to start in the workspace.
 *
 * @param find the files that a pattern matches
 */
export async function mistakenRoot(
  { options }: SearchContext,
  { pattern }: PatternLine,
  { root }: Pattern,
  find: Find,
): Promise<Text | undefined> {
  if (isWithin(root, options.workspace)) return undefined
  const [, relative = '', first = ''] = /^\/+(([^/]+).*)$/s.exec(pattern) ?? []
  if (relative === '') return undefined
  const isInWorkspace =
    (await exists(path.join(options.workingDirectory, first))) ||
    (await find({ root: options.workingDirectory, segments: relative.split('/') })).length > 0
  if (!isInWorkspace) return undefined
  return text`A leading ${code('/')} is the root of the runner's disk. Did you mean ${relative}?`
}

/**
 * The entry of a folder whose name is almost that of a missing one.
 *
 * @param folder absolute: it exists, and `root`, which is below it, does not
 */
export async function misspelledName(
  { display, removeToken }: SearchContext,
  folder: string,
  { root, segments }: Pattern,
): Promise<Text | undefined> {
  const missing = path.relative(folder, root).split(path.sep)
  const [name = ''] = missing
  const isFolder = missing.length > 1 || segments.length > 0
  const names = (await someNames(folder, maxNames)) ?? []
  const meant = closestName(name, names)
  if (meant === undefined || removeToken(meant) !== meant) return undefined
  const target = await follow(path.join(folder, meant))
  if (target.kind !== 'folder' && (isFolder || target.kind !== 'file')) return undefined
  const what = words(isFolder ? 'folder ' : '')
  return text`There is no ${what}${display(path.join(folder, name))}. Did you mean ${display(path.join(folder, meant))}?`
}

/** Names that differ in case or in a number only are no misspelling: case is explained elsewhere, and `part-2` is not `part-1`. */
function closestName(name: string, names: readonly string[]): string | undefined {
  const sameWords = (one: string) => one.toLowerCase().replace(/\d+/g, '')
  const candidates = names.filter(
    (one) => one.startsWith('.') === name.startsWith('.') && sameWords(one) !== sameWords(name),
  )
  const stem = name.replace(/\.[^.]*$/, '')
  return closestMatch(name, candidates, { maxDistance: Math.min(maxEdits, Math.floor(stem.length / 3)) })
}

/**
 * The extension that a pattern was probably meant to have.
 *
 * @param find the files that a pattern matches
 */
export async function misspelledExtension(
  { display }: SearchContext,
  { root, segments }: Pattern,
  find: Find,
): Promise<Text | undefined> {
  const [, stem = '', extension = ''] = /^(.*)\.([a-z\d]+)$/i.exec(segments.at(-1) ?? '') ?? []
  if (extension === '') return undefined
  const files = await find({ root, segments: [...segments.slice(0, -1), `${stem}.*`] })
  const byExtension = Map.groupBy(files, (file) => path.extname(file).slice(1))
  const maxDistance = Math.min(maxEdits, extension.length - 1)
  const meant = closestMatch(extension, [...byExtension.keys()].filter(Boolean).sort(), { maxDistance })
  if (meant === undefined) return undefined
  const where = words(segments.length === 1 ? 'in' : 'below')
  const count = byExtension.get(meant)?.length ?? 0
  const folder = display(root) === '.' ? text`the workspace` : text`${display(root)}`
  return text`There are no ${`.${extension}`} files ${where} ${folder}, but ${count} ${`.${meant}`} ${words(count === 1 ? 'file' : 'files')}. Did you mean ${`${stem}.${meant}`}?`
}
