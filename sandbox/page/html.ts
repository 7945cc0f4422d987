/** Markup that `html` made. */
export interface Html {
  readonly markup: string
}

/** A string is text, whatever it looks like. */
export type Content = Html | string | number | false | readonly Content[] | undefined

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function markupOf(content: Content): string {
  if (content === undefined || content === false) return ''
  if (Array.isArray(content)) return content.map(markupOf).join('')
  return typeof content === 'object' && 'markup' in content
    ? content.markup
    : escaped(String(content))
}

/** Markup with what is inserted escaped. Attributes need double quotes. */
export const html = (parts: TemplateStringsArray, ...inserted: readonly Content[]): Html => ({
  markup: parts.map((part, index) => part + markupOf(inserted[index])).join(''),
})
