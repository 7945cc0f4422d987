/** Characters. A shorter text occurs by chance. */
export const shortestToken = 8
/** Characters. A regular expression for all of a longer token would overflow the stack. */
const maxSearched = 1_000

/**
 * Returns a function that replaces the token in a text by `***`. It also finds a token that is partly percent-encoded, in
 * the lower case of a URL's host, or written with escapes of JSON. A token of less than 8 characters is not replaced. With a very long token, the rest of
 * the text is removed too.
 */
export function tokenRemover(token: string): (text: string) => string {
  if (token.length < shortestToken) return (text) => text
  const escapeOf = (character: string) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const inJson = (character: string) => `(?:\\\\?${character.replace(/\W/, '\\$&')}|${escapeOf(character)})`
  const shapeOf = (character: string) => {
    const percentEncoded = `%${character.charCodeAt(0).toString(16)}`
    return `(?:${inJson(character)}|${[...percentEncoded].map(inJson).join('')})`
  }
  const start = [...token.slice(0, maxSearched)].map(shapeOf).join('')
  const pattern = new RegExp(token.length > maxSearched ? `${start}[^]*` : start, 'gi')
  return (text) => text.replace(pattern, '***')
}
