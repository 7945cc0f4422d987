import { closestMatch } from 'leven'
import { notice, type Problem, warning } from '../problem.ts'
import { code, list, text } from '../text/text.ts'

/** More edits would also find other words: a comment may hold JSON or code. */
const maxEdits = 2
const maxReported = 3

/** What other tools call a placeholder. */
const otherTools =
  /^(files?|source|subject|title|(file_?)?name|path|size|count|branch|ref|tag|sha|commit|(run_?|job_?)?(url|link)|repo(sitory)?|workflow)$/i

/** https://docs.github.com/en/actions/reference/workflows-and-actions/contexts */
const expression =
  /(?<!\$)\{\{ ?((?:env|github|inputs|job|matrix|needs|runner|secrets|steps|vars)\.[^{}\n]{1,100})\}\}/g

/**
 * What to know about words in braces that are almost placeholders or expressions (a warning), or placeholders of other tools (a
 * notice).
 *
 * @param input the name of the input
 * @param known the placeholders of this input, without braces
 */
export function placeholderProblems(input: string, typed: string, known: readonly string[]): readonly Problem[] {
  const title = `Unknown placeholder in ${input}`
  const expressions = Array.from(typed.matchAll(expression), ([shown]) => shown)
  const shownExpressions = list(expressions, { max: maxReported })
  const missing = text`${shownExpressions}: an expression begins with ${code('$')}: ${`$${expressions[0]}`}.`
  const problems = expressions.length === 0 ? [] : [warning(title, missing)]
  const found = [...typed.matchAll(/(\$\{|\{\{|\{)([^{}\n]{1,20})\}\}?/g)].flatMap(([shown, open, word = '']) => {
    const isPlain = open === '{'
    if (isPlain && known.includes(word)) return []
    const isAlmost = isPlain && closestMatch(word.toLowerCase(), known, { maxDistance: maxEdits }) !== undefined
    return isAlmost || otherTools.test(word.trim()) ? [{ shown, isAlmost }] : []
  })
  if (found.length === 0) return problems
  const unknown = list([...new Set(found.map(({ shown }) => shown))], { max: maxReported })
  const names = known.map((name) => code(`{${name}}`))
  const placeholders = text`the placeholders of ${code(input)} are ${list(names)}`
  const problem = found.some(({ isAlmost }) => isAlmost) ? warning : notice
  const explanation = text`${unknown}: ${placeholders}, in single braces and without ${code('$')}. Other braces are posted as typed.`
  return [...problems, problem(title, explanation)]
}
