/** Characters that print nothing, change the direction of the text or look like a space; not those that join or vary others. */
const invisible =
  /[[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]--[ \u200c\u200d\p{Variation_Selector}]]/gv

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text on one line, with every invisible character written as an escape: no name can hide or reorder what is around it. */
export function escapeInvisible(text: string): string {
  return text.replace(
    invisible,
    (character) => escapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** At most `maxLength` characters: the middle of a longer text is replaced by `…`. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // Of a text of megabytes only its two ends are looked at. A character is at most two units of a string.
  const ends =
    text.length > 2 * maxLength
      ? [text.slice(0, 2 * maxLength), text.slice(-2 * maxLength)]
      : [text]
  const characters = ends.flatMap((end) => [...end])
  if (characters.length <= maxLength) return text
  const half = Math.floor((maxLength - 1) / 2)
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}

/** Control characters, and those that break lines or change the direction of the text without being seen. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text on one line and in one direction. */
export function replaceControls(text: string, replacement: ' ' | '_'): string {
  return text.replace(controls, replacement)
}
