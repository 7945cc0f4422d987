import { shorten, underscoreControls } from '../text/sanitize.ts'
import type { FoundFile } from './files.ts'

/**
 * The names of files in the channel, one for each path and in that order: the base name with its extension, control
 * characters as `_`.
 *
 * Equal names get the shortest end of their folders that tells them apart: `coverage (unit).csv`. The folder stands before
 * the extension because the service takes the kind of a file from it, and without `/` because servers cut a name there.
 *
 * @param paths with `/`, all different.
 */
export function uniqueFileNames(paths: readonly string[]): readonly string[] {
  const files = paths.map((path) => {
    const [base = '', ...folders] = path.split('/').filter(Boolean).map(underscoreControls).reverse()
    return { base, folders, shown: 0 }
  })
  const nameOf = ({ base, folders, shown }: (typeof files)[number]) =>
    shown === 0 ? base : beforeExtension(base, ` (${folders.slice(0, shown).reverse().join(' - ')})`)
  for (;;) {
    const byName = Map.groupBy(files, (file) => sameName(nameOf(file)))
    const duplicates = [...byName.values()].filter((group) => group.length > 1).flat()
    const longer = duplicates.filter(({ folders, shown }) => shown < folders.length)
    if (longer.length === 0) return numbered(files.map(nameOf))
    for (const file of longer) file.shown += 1
  }
}

/** Folders that differ in nothing a name can show, such as in control characters. */
function numbered(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    // Of as many names as there are files, one is free.
    for (const index of names.keys()) {
      if (index > 0) free = beforeExtension(name, ` (${index + 1})`)
      if (!taken.has(sameName(free))) break
    }
    taken.add(sameName(free))
    return free
  })
}

function beforeExtension(name: string, addition: string): string {
  const extension = /(?<=.)(\.tar)?\.[^.\s]+$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, name.length - extension.length)}${addition}${extension}`
}

/** The two ways to write `é` look the same to people. */
function sameName(name: string): string {
  return name.normalize('NFC')
}

export const titlePlaceholders = ['name', 'subject']
/** The title that is the name: nothing has to be sent for it. */
const nameOnly = '{name}'
/** Characters. */
const maxTitleLength = 255

/** The files with the titles that people see in the channel. Without a title, they see the name. */
export function withTitles(files: readonly FoundFile[], template: string, subject: string): readonly FoundFile[] {
  return files.map((file) =>
    template === nameOnly && file.key === undefined ? file : { ...file, title: fileTitle(file, template, subject) },
  )
}

/** A key is never shortened: a later attempt finds the file by it. */
function fileTitle({ key, name }: FoundFile, template: string, subject: string): string {
  const end = key === undefined ? '' : ` · ${key}`
  const title = template.replace(/\{(name|subject)\}/g, (_, placeholder) => (placeholder === 'name' ? name : subject))
  return shorten(underscoreControls(title), maxTitleLength - end.length) + end
}

/** The key that a title ends in, if it ends in one. */
export function keyIn(title: string): string | undefined {
  return / · ([0-9a-f]{10})$/.exec(title)?.[1]
}
