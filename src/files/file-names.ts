import { replaceControls, shorten } from '../text/sanitize.ts'
import type { FoundFile } from './files.ts'

/** Characters of a name or a title. */
const maxLength = 255
/** Room for ` (99999)`. */
const numberLength = 8
/** Matches lower case. */
export const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** A folder name that says nothing to people. */
const madeUp = new RegExp(`^${guid}$`, 'i')

/**
 * `unit/a.csv` and `api/a.csv` become `a (unit).csv` and `a (api).csv`. The extension stays last,
 * since it tells the kind of a file.
 *
 * @param paths with `/`, all different
 */
export function uniqueFileNames(paths: readonly string[]): readonly string[] {
  const files = paths.map((path) => {
    const [base = '', ...above] = replaceControls(path, '_').split('/').filter(Boolean).reverse()
    return { base, folders: above.filter((folder) => !madeUp.test(folder)), name: base, shown: 0 }
  })
  for (;;) {
    const byName = Map.groupBy(files, ({ name }) => sameName(name))
    const duplicates = [...byName.values()].filter((group) => group.length > 1).flat()
    const ambiguous = duplicates.filter(({ folders, shown }) => shown < folders.length)
    if (ambiguous.length === 0) return numbered(files.map(({ name }) => name))
    for (const file of ambiguous) {
      const { base, folders, shown } = file
      const added = folders.slice(0, shown + 1).reverse()
      const name = split(base).join(` (${added.join(' - ')})`)
      const fits = name.length <= maxLength
      Object.assign(file, fits ? { name, shown: shown + 1 } : { name: base, shown: folders.length })
    }
  }
}

function numbered(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  const lastNumbers = new Map<string, number>()
  return names.map((name) => {
    const [stem, extension] = split(name)
    const short = shorten(stem, maxLength - extension.length - numberLength)
    let free = name
    for (let number = lastNumbers.get(short) ?? 1; taken.has(sameName(free)); ) {
      number += 1
      lastNumbers.set(short, number)
      free = `${short} (${number})${extension}`
    }
    taken.add(sameName(free))
    return free
  })
}

function split(name: string): readonly [stem: string, extension: string] {
  const extension = /(?<=.)(\.tar)?\.[^.\s]{1,50}$/.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - extension.length), extension]
}

/** The two forms of `é` look the same. */
function sameName(name: string): string {
  return name.normalize('NFC')
}

export const titlePlaceholders = ['name', 'subject']

/** Adds titles that differ from the names. One in a JSON list replaces the template. */
export function withTitles(
  files: readonly FoundFile[],
  template: string,
  subject: string,
): readonly FoundFile[] {
  return files.map(({ title, ...file }) => {
    const { name } = file
    const filled = template.replace(/\{(name|subject)\}/g, (_, placeholder) =>
      placeholder === 'name' ? name : subject,
    )
    const shown = shorten(replaceControls(title ?? filled, '_'), maxLength)
    return shown === name ? file : { ...file, title: shown }
  })
}
