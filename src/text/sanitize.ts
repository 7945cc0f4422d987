/** Characters that print nothing, look like a space or change the direction, except in emoji. */
const invisible =
  /[[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]--[ \u200c\u200d\p{Variation_Selector}]]/gv

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Keeps a name from hiding or reordering the text around it. */
export function escapeInvisible(text: string): string {
  return text.replace(
    invisible,
    (character) => escapes[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** At most `maxLength` UTF-16 units. `…` replaces the middle of a longer text. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const half = Math.floor((maxLength - 1) / 2)
  // Half of an emoji, which has two units, is left out, but only there: elsewhere, the parts of a
  // token could be around it.
  return `${text.slice(0, half)}…${text.slice(-half)}`.replace(
    /\p{Surrogate}?…\p{Surrogate}?/gu,
    '…',
  )
}

/** Control characters, and those that break lines or change the direction. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Puts the text on one line, in one direction. */
export function replaceControls(text: string, replacement: ' ' | '_'): string {
  return text.replace(controls, replacement)
}
