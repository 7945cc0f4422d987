/** Characters. A shorter text occurs by chance. */
export const shortestToken = 8
/** Characters. A regular expression for all of a longer token would overflow the stack. */
const maxSearched = 1_000

/**
 * Returns a function that replaces the token in a text by `***`. It also finds a token that is partly percent-encoded, in
 * the lower case of a URL's host, or written with escapes of JSON. A token of less than 8 characters is not replaced. With
 * a very long token, the rest of the text is removed too.
 */
export function tokenRemover(token: string): (text: string) => string {
  if (token.length < shortestToken) return (text) => text
  const plain = patternOf(token, (character) => `(?:${inText(character)}|%${hexOf(character)})`)
  // Slower by milliseconds, which every start of the action would notice.
  const escaped = patternOf(token, (character) => {
    const percentEncoded = `%${hexOf(character)}`
    return `(?:${inJson(character)}|${[...percentEncoded].map(inJson).join('')})`
  })
  return (text) => text.replace(text.includes('\\u') ? escaped : plain, '***')
}

function patternOf(token: string, shapeOf: (character: string) => string): RegExp {
  const start = [...token.slice(0, maxSearched)].map(shapeOf).join('')
  return new RegExp(token.length > maxSearched ? `${start}[^]*` : start, 'gi')
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16)
const inText = (character: string) => `\\\\?${character.replace(/\W/, '\\$&')}`
const inJson = (character: string) => `(?:${inText(character)}|\\\\u00${hexOf(character)})`
