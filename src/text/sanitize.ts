/**
 * Characters that print nothing, change the direction of the text or look like a space. Those that
 * join or vary others, as in emoji, are not among them.
 */
const invisible =
  /[[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]--[ \u200c\u200d\p{Variation_Selector}]]/gv

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * The text on one line, with an escape for each invisible character: no name can hide or reorder
 * the text around it.
 */
export function escapeInvisible(text: string): string {
  return text.replace(
    invisible,
    (character) => escapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** At most `maxLength` UTF-16 units: the middle of a longer text is replaced by `…`. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = Math.floor((maxLength - 1) / 2)
  // An emoji has two units: half of one is left out, too.
  return `${text.slice(0, half)}…${text.slice(-half)}`.replace(/\p{Surrogate}/gu, '')
}

/** Control characters, and invisible ones that break lines or change the direction of the text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The text on one line and in one direction. */
export function replaceControls(text: string, replacement: ' ' | '_'): string {
  return text.replace(controls, replacement)
}
