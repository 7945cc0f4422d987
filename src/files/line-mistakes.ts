import type path from 'node:path'
import { code, type Text, text, words } from '../text/text.ts'

/**
 * The mistake that the text of a pattern shows, if it shows one, and what to write.
 *
 * Only for patterns that match nothing: each of these texts can be a right one.
 */
export function mistakeInText(pattern: string, { sep }: Pick<path.PlatformPath, 'sep'>): Text | undefined {
  return otherLanguage(pattern) ?? otherList(pattern) ?? otherGlob(pattern, sep) ?? notAName(pattern, sep)
}

/** Addresses, and expressions, comments, commands and variables, which nothing replaces in this text. */
function otherLanguage(pattern: string): Text | undefined {
  if (pattern.includes('${{')) {
    return text`An expression is still in the text: GitHub replaces expressions only in the workflow file itself.`
  }
  const [, before] = /^(.*?)\s+#(?:\s.*)?$/.exec(pattern) ?? []
  if (before !== undefined) {
    return text`The text after ${code('#')} is taken as part of the name: only a whole line can be a comment. Write ${before}.`
  }
  if (/^[a-z][a-z\d]+:\/\//i.test(pattern)) {
    return text`This is an address. Files are sent from the disk of the runner: download it in an earlier step, and write its path.`
  }
  const [command] = /\$\(.+\)|`.+`/.exec(pattern) ?? []
  if (command !== undefined) {
    return text`${command} is taken literally: no shell reads this text. Run it in an earlier step, and write its output, such as ${'${{ steps.ID.outputs.NAME }}'}.`
  }
  const [whole, one, other = ''] = /\$\{?(?:env:)?([a-z_]\w*)\}?|%([a-z_]\w*)%/i.exec(pattern) ?? []
  if (whole === undefined) return undefined
  return text`${whole} is taken literally: no shell reads this text. Write ${expressionFor(one ?? other)}.`
}

/** What GitHub offers in place of a variable of the shell. */
function expressionFor(variable: string): string {
  if (variable === 'HOME' || variable === 'USERPROFILE') return '~'
  const isInContext = /^(?:GITHUB|RUNNER)_\w/.test(variable)
  return `\${{ ${isInContext ? variable.toLowerCase().replace('_', '.') : `env.${variable}`} }}`
}

/** Below `files: >`, YAML joins the lines. */
const onePerLine = text`write one pattern per line, below ${code('files: |')}`

/** Lists that are not one pattern per line. */
function otherList(pattern: string): Text | undefined {
  // A JSON list, or a line of one.
  if (/^\[\s*["']|^\[.*[/.,].*\]$|^["'].*["'],$|^\[$|^\]$/.test(pattern)) {
    return text`${code('files')} is text, not a JSON list. Write one pattern per line, without ${code('[')}, ${code(']')}, quotes and commas.`
  }
  if (/^- /.test(pattern)) {
    return text`${code('files')} is text, not a YAML list. Remove the leading ${code('- ')}: write one pattern per line.`
  }
  const separator = separatorIn(pattern)
  if (separator) return text`The ${words(separator)} is taken as part of the name: ${onePerLine}.`
  return /^(["']).*\1$/.test(pattern) ? text`The quotes are taken as part of the name: remove them.` : undefined
}

/** What stands between several patterns on one line. A single name with a space, such as `Test Results.csv`, is none. */
function separatorIn(pattern: string): string | undefined {
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

/** Extended globs and regular expressions. */
function otherGlob(pattern: string, sep: string): Text | undefined {
  if (/!\([^()]*\)/.test(pattern)) {
    return text`${code('!( )')} is not supported. To exclude files, add a line that begins with ${code('!')}.`
  }
  const braces = pattern.replace(/[@+?*]\(([^()]*)\)|\(([^()|]*\|[^()]*)\)/g, (_, one = '', other = '') => {
    const alternatives: string = one || other
    return alternatives.includes('|') ? `{${alternatives.replaceAll('|', ',')}}` : alternatives
  })
  if (braces !== pattern) return text`${code('( )')} is taken as part of the name. Write ${braces}.`
  if (sep !== '/' || !/\.[*+].*\\\./.test(pattern)) return undefined
  const glob = pattern.replace(/^\^|\$$/g, '').replace(/\.[*+]\??/g, '*')
  return text`This looks like a regular expression, and patterns are globs: ${code('*')} alone matches any name. Write ${glob.replaceAll('\\.', '.')}.`
}

function notAName(pattern: string, sep: string): Text | undefined {
  if (sep === '/' && pattern.includes('\\')) {
    return text`${code('\\')} makes the character after it literal. Write folders with ${code('/')}: ${pattern.replaceAll('\\', '/')}.`
  }
  if (/,(?![^{]*\})/.test(pattern)) return text`The comma is taken as part of the name: ${onePerLine}.`
  const withSlashes = pattern.replaceAll(sep, '/')
  if (/[*?\]]\/$/.test(withSlashes)) {
    return text`A wildcard with ${code('/')} at the end matches folders only. For the files in them write ${`${withSlashes}**`}.`
  }
  return pattern.split('/').some((name) => Buffer.byteLength(name) > 255)
    ? text`No name of a file has more than 255 bytes. If this is a list, write one pattern per line.`
    : undefined
}
