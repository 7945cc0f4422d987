/** Characters. A shorter token, which occurs by chance, is neither searched for nor removed. */
export const shortestToken = 8
/** Characters. A longer regular expression would overflow the stack. */
const maxSearched = 1_000

/**
 * Replaces the token by `***`, even if it is partly percent-encoded, in lower case as in a host, or
 * has escapes of JSON. After 1,000 characters of a longer token, the rest of the text goes.
 */
export function tokenRemover(token: string): (text: string) => string {
  if (token.length < shortestToken) return (text) => text
  const plain = patternOf(token, inText)
  // Compiling it takes milliseconds.
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
