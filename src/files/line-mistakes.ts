import type path from 'node:path'
import { code, type Text, text, words } from '../text/text.ts'

/**
 * The mistake that the text of a pattern shows, if it shows one, and what to write.
 *
 * Only for patterns that match nothing: each of these texts can be a right one.
 */
export function mistakeInText(pattern: string, { sep }: Pick<path.PlatformPath, 'sep'>): Text | undefined {
  for (const mistake of mistakes) {
    const found = mistake(pattern, sep)
    if (found) return found
  }
  return undefined
}

const mistakes: readonly ((pattern: string, sep: string) => Text | undefined)[] = [
  (pattern) =>
    pattern.includes('${{')
      ? text`An expression is still in the text: GitHub replaces expressions only in the workflow file itself.`
      : undefined,
  (pattern) => {
    const [, before] = /^(.*?)\s+#(?:\s.*)?$/.exec(pattern) ?? []
    return before === undefined
      ? undefined
      : text`The text after ${code('#')} is taken as part of the name: only a whole line can be a comment. Write ${before}.`
  },
  (pattern) => {
    const variable = /\$\{?(?:env:)?(\w+)\}?|%(\w+)%/.exec(pattern)
    if (variable === null) return undefined
    const expression = expressionFor(variable[1] ?? variable[2] ?? '')
    return text`${variable[0]} is taken literally: no shell reads this text. Write ${expression}.`
  },
  (pattern) =>
    isJsonList(pattern)
      ? text`${code('files')} is text, not a JSON list. Write one pattern per line, without ${code('[')}, ${code(']')}, quotes and commas.`
      : undefined,
  (pattern) =>
    /^- /.test(pattern)
      ? text`The ${code('- ')} is taken as part of the name: this is text with one pattern per line, not a list.`
      : undefined,
  (pattern) => {
    const separator = separatorIn(pattern)
    return separator && text`The ${words(separator)} is taken as part of the name: write one pattern per line.`
  },
  (pattern) =>
    /^(["']).*\1$/.test(pattern) ? text`The quotes are taken as part of the name: remove them.` : undefined,
  (pattern) => {
    if (/!\([^()]*\)/.test(pattern)) {
      return text`${code('!( )')} is not supported. To exclude files, add a line that begins with ${code('!')}.`
    }
    const braces = pattern.replace(/[@+?*]\(([^()]*)\)|\(([^()|]*\|[^()]*)\)/g, (_, one = '', other = '') => {
      const alternatives: string = one || other
      return alternatives.includes('|') ? `{${alternatives.replaceAll('|', ',')}}` : alternatives
    })
    return braces === pattern ? undefined : text`${code('( )')} is taken as part of the name. Write ${braces}.`
  },
  (pattern, sep) => {
    const glob = pattern
      .replace(/^\^|\$$/g, '')
      .replace(/\.[*+]\??/g, '*')
      .replaceAll('\\.', '.')
    return sep === '/' && /\.[*+].*\\\./.test(pattern)
      ? text`This looks like a regular expression, and patterns are globs: ${code('*')} alone matches any name. Write ${glob}.`
      : undefined
  },
  (pattern, sep) =>
    sep === '/' && pattern.includes('\\')
      ? text`${code('\\')} makes the character after it literal. Write folders with ${code('/')}: ${pattern.replaceAll('\\', '/')}.`
      : undefined,
  (pattern) =>
    /,(?![^{]*\})/.test(pattern)
      ? text`The comma is taken as part of the name: write one pattern per line.`
      : undefined,
  (pattern, sep) => {
    const withSlashes = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern
    return /[*?\]]\/$/.test(withSlashes)
      ? text`A wildcard with ${code('/')} at the end matches folders only. For the files in them write ${`${withSlashes}**`}.`
      : undefined
  },
  (pattern) =>
    pattern.split('/').some((name) => Buffer.byteLength(name) > 255)
      ? text`No name of a file has more than 255 bytes. If this is a list, write one pattern per line.`
      : undefined,
]

/** A JSON list, or a line of one. */
function isJsonList(pattern: string): boolean {
  return /^\[\s*["']|^\[.*[/.,].*\]$|^["'].*["'],$|^\[$|^\]$/.test(pattern)
}

/** What stands between several patterns on one line. A single name with a space, such as `Test Results.csv`, is none. */
function separatorIn(pattern: string): 'semicolon' | 'space' | undefined {
  const unquoted = pattern.replace(/["']/g, '')
  const areSeveral = (parts: readonly string[]) => {
    if (parts.length < 2 || parts.some((part) => part.includes(','))) return false
    const folder = /^[^/]*\//.exec(parts[0] ?? '')?.[0]
    const isInSameFolder = folder !== undefined && parts.every((part) => part.startsWith(folder))
    return isInSameFolder || parts.every((part) => /[*?]|\.[a-z]\w*$|\/$/i.test(part))
  }
  if (areSeveral(unquoted.split(/\s*;\s*/))) return 'semicolon'
  return areSeveral(unquoted.split(/\s+/)) ? 'space' : undefined
}

/** What GitHub offers in place of a variable of the shell. */
function expressionFor(variable: string): string {
  if (variable === 'HOME' || variable === 'USERPROFILE') return '~'
  const [, context, property] = /^(GITHUB|RUNNER)_(\w+)$/.exec(variable) ?? []
  return context === undefined || property === undefined
    ? `\${{ env.${variable} }}`
    : `\${{ ${context.toLowerCase()}.${property.toLowerCase()} }}`
}
