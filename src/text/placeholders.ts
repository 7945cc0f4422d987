import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { code, join, list, text } from './text.ts'

/** More edits would also find other words: a comment may hold JSON or code. */
const maxEdits = 2
const maxReported = 3

/** What other tools call a placeholder. */
const otherTools =
  /^(files?|source|(file_?)?name|path|size|count|branch|ref|tag|sha|commit|(run_?|job_?)?(url|link)|repo(sitory)?|workflow)$/i

/**
 * A warning about words in braces that are almost placeholders, and a notice about those of other tools.
 *
 * @param input the name of the input
 * @param known the placeholders of this input, without braces
 */
export function warnOfPlaceholders(input: string, typed: string, known: readonly string[]): readonly Problem[] {
  const meant = new Map<string, string>()
  const foreign = new Set<string>()
  for (const [shown, open, word = ''] of typed.matchAll(/(\$\{|\{\{|\{)([^{}\n]{1,20})\}\}?/g)) {
    const plain = open === '{'
    const match = plain && !known.includes(word) && closestMatch(word.toLowerCase(), known, { maxDistance: maxEdits })
    if (match) meant.set(`{${word}}`, match)
    else if (plain ? !known.includes(word) && otherTools.test(word) : otherTools.test(word.trim())) foreign.add(shown)
  }
  const title = `Unknown placeholder in ${input}`
  const questions = Array.from(
    meant,
    ([shown, match]) => text`${shown} is posted as typed. Did you mean ${code(`{${match}}`)}?`,
  )
  const names = list(
    known.map((name) => code(`{${name}}`)),
    { separator: ' and ' },
  )
  const placeholders =
    known.length === 1
      ? text`the only placeholder of ${code(input)} is ${names}`
      : text`the placeholders of ${code(input)} are ${names}`
  const explanation = text`${list([...foreign], { max: maxReported })}: ${placeholders}, in single braces and without ${code('$')}. Other braces are posted as typed.`
  const problems: Problem[] = []
  if (meant.size > 0) problems.push(warning(title, join(questions.slice(0, maxReported), '\n')))
  if (foreign.size > 0) problems.push(notice(title, explanation))
  return problems
}
