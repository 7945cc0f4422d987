import { closestMatch } from 'leven'
import type { Problem } from '../problem.ts'
import { code, join, type Text, text } from './text.ts'

/** More edits would also find other words: a comment may hold JSON or code. */
const maxEdits = 2
const maxReported = 3

/**
 * A warning about words in braces that are almost placeholders.
 *
 * @param input the name of the input
 * @param known the placeholders of this input, without braces
 */
export function warnOfPlaceholders(input: string, typed: string, known: readonly string[]): readonly Problem[] {
  const words = new Set(Array.from(typed.matchAll(/\{([^{}\n]{1,20})\}/g), ([, word = '']) => word))
  const questions = [...words].flatMap((word): readonly Text[] => {
    if (known.includes(word)) return []
    const meant = closestMatch(word.toLowerCase(), known, { maxDistance: maxEdits })
    return meant === undefined ? [] : [text`${`{${word}}`} is posted as typed. Did you mean ${code(`{${meant}}`)}?`]
  })
  if (questions.length === 0) return []
  const title = `Unknown placeholder in ${input}`
  return [{ level: 'warning', title, text: join(questions.slice(0, maxReported), '\n') }]
}
