/** Characters. A shorter token is neither searched for nor removed: it occurs by chance. */
export const shortestToken = 8
/** Characters. A regular expression for all of a longer token would overflow the stack. */
const maxSearched = 1_000

/**
 * Returns a function that replaces the token in a text by `***`. It also finds a token that is
 * partly percent-encoded, in lower case as in a host, or written with escapes of JSON. With a very
 * long token, everything after its beginning goes, too.
 */
export function tokenRemover(token: string): (text: string) => string {
  if (token.length < shortestToken) return (text) => text
  const plain = patternOf(token, inText)
  // Made when a text needs it, which takes milliseconds.
  let escaped: RegExp | undefined
  return (text) => {
    if (!text.includes('\\')) return text.replace(plain, '***')
    escaped ??= patternOf(token, inJson)
    return text.replace(escaped, '***')
  }
}

function patternOf(token: string, shapeOf: (character: string) => string): RegExp {
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`
  const shapes = Array.from(
    token.slice(0, maxSearched),
    (character) => `(?:${shapeOf(character)}|${[...encoded(character)].map(shapeOf).join('')})`,
  )
  return new RegExp(shapes.join('') + (token.length > maxSearched ? '[^]*' : ''), 'gi')
}

const inText = (character: string) => character.replace(/\W/, '\\$&')
const inJson = (character: string) =>
  `(?:\\\\?${inText(character)}|\\\\u00${character.charCodeAt(0).toString(16)})`
