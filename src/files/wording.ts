const mostNamed = 3

/** The first few of many, and how many more there are. */
export function some(texts: readonly string[], separator = ', '): string {
  const rest = texts.length - mostNamed
  return rest <= 0 ? texts.join(separator) : `${texts.slice(0, mostNamed).join(separator)} and ${rest} more`
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

// Control characters would break a text over lines; the others turn it around or break lines without being seen.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** With `_` for what does not stand in a line of text: every control character, and those that change its direction. */
export function printable(text: string): string {
  return text.replace(unprintable, '_')
}

/** A path or a pattern inside a sentence. */
export function quoted(text: string): string {
  return `\`${printable(text)}\``
}
