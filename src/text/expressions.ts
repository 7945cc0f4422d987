// Where a value should be: an expression of GitHub, or what one without a value came out as.
import { parseText } from '../json.ts'
import { type Text, text } from './text.ts'

/** Removes quotes around a value. YAML does it too; a variable or a form keeps them. */
export function unquoted(value: string): string {
  const typed = value.trim()
  return (parseText(typed) ?? /^(['"])([^'"]*)\1$/.exec(typed)?.[2])?.trim() ?? value
}

/**
 * What is wrong with `null`, which an expression came out as, or with an expression itself.
 *
 * @param wrong what the rule of the input says about the value
 */
export function noTextProblem(value: string, wrong: Text | undefined): Text | undefined {
  if (/^(null|undefined|Array|Object)$/.test(value)) {
    return text`${wrong ?? text`is ${value}.`} An expression returned this: does what it names exist, and is it text?`
  }
  if (value.startsWith('${{')) {
    return text`is an expression, not its value: GitHub evaluates it only in a workflow file. Write it there, and store only its value in a secret or variable.`
  }
  const expression = expressionOf(value)
  return expression === undefined ? wrong : text`is not a GitHub expression. Write ${expression}.`
}

/** `!inputs.post` or `{{ contains(github.ref, 'v') }}` as an expression. */
export function expressionOf(value: string): string | undefined {
  const inner = unquoted(value)
    .replace(/^\$?\{{1,2}|\}{1,2}$/g, '')
    .trim()
  const isWhole = /^[!\w.-]+$| (?:[!=]=|&&|\|\|) |\)$/.test(inner)
  return isWhole && beginOfExpression.test(inner) ? `\${{ ${inner} }}` : undefined
}

/** A member of a context of GitHub, also after `!` or `(`, or in the call of a function. */
const beginOfExpression =
  /^[! (]*(?:\w+\(.*\b)?(?:env|github|inputs|job|matrix|needs|secrets|steps|vars)\.\w/
