import { shorten, underscoreControls } from '../text/sanitize.ts'
import type { FoundFile } from './files.ts'

export const titlePlaceholders = ['name']
/** The title that is the name: nothing has to be sent for it. */
const nameOnly = '{name}'
/** Characters. */
const maxTitleLength = 255

/** The files with the titles that people see in the channel. Without a title, they see the name. */
export function withTitles(files: readonly FoundFile[], template: string): readonly FoundFile[] {
  return files.map((file) =>
    template === nameOnly && file.key === undefined ? file : { ...file, title: titleOf(file, template) },
  )
}

/** A key is never shortened: a later attempt finds the file by it. */
function titleOf({ key, name }: FoundFile, template: string): string {
  const end = key === undefined ? '' : ` · ${key}`
  return shorten(underscoreControls(template.replaceAll(nameOnly, () => name)), maxTitleLength - end.length) + end
}

/** The key that a title ends in, if it ends in one. */
export function keyIn(title: string): string | undefined {
  return / · ([0-9a-f]{10})$/.exec(title)?.[1]
}
