import { shorten, underscoreControls } from '../text/sanitize.ts'
import type { FoundFile } from './files.ts'

export const titlePlaceholders = ['name']
/** The title that is the name: nothing has to be sent for it. */
const nameOnly = '{name}'
/** Characters. */
const maxTitleLength = 255

/** The files with the titles that people see in the channel. Without a title, they see the name. */
export function withTitles(files: readonly FoundFile[], template: string): readonly FoundFile[] {
  if (template === nameOnly) return files
  return files.map((file) => ({ ...file, title: titleOf(file, template) }))
}

function titleOf({ name }: FoundFile, template: string): string {
  return shorten(underscoreControls(template.replaceAll(nameOnly, () => name)), maxTitleLength)
}
