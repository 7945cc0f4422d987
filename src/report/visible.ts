/** Characters that print nothing or turn the direction of the text; not those that join emoji and letters. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The text on one line with everything in it to be seen: a name cannot hide behind, or draw over, what stands around it. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (one) => SHORT[one] ?? `\\u{${one.codePointAt(0)?.toString(16)}}`)
}

/** A text of at most `limit` characters: of a longer one the middle is left out. */
export function shorten(text: string, limit: number): string {
  const characters = [...text]
  if (characters.length <= limit) return text
  const half = Math.floor((limit - 1) / 2)
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}
