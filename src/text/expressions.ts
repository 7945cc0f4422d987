// Expressions of GitHub in place of values, and their empty results.
import { parseString } from '../json.ts'
import { type Text, text } from './text.ts'

/** Removes quotes around a value. Variables and forms keep them, unlike YAML. */
export function unquoted(value: string): string {
  const typed = value.trim()
  return (parseString(typed) ?? /^(['"])([^'"]*)\1$/.exec(typed)?.[2])?.trim() ?? value
}

/**
 * Explains a `null` or an expression in place of a value.
 *
 * @param wrong the complaint of the input's rule
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

/**
 * Asks about a sign with nothing on one side: `#-builds`, `a--b`, `app-.zip`, `a//b`, `a/.csv`.
 *
 * @param similar names of the same kind: where one has the same gap, it is meant
 */
export function questionForGap(value: string, similar: readonly string[] = []): Text | undefined {
  const [gap] = gaps.exec(value) ?? []
  if (gap === undefined || similar.some((other) => gaps.exec(other)?.[0] === gap)) return undefined
  return text`Was an expression in it empty?`
}

const gaps =
  /^#[-_]|(?<=[^-_/])(?:-+|_)(?:[./]|$)|(?<=[^-/])--(?=[^-])|\/[/-]|\{\}|(?<![^/])\.(?:csv|html|json|log|txt|xml|zip)$/

/** Completes an expression: `!inputs.post`, `{{ contains(github.ref, 'v') }}`. */
export function expressionOf(value: string): string | undefined {
  const inner = unquoted(value)
    .replace(/^\$?\{{1,2}|\}{1,2}$/g, '')
    .trim()
  const isWhole = /^[!\w.-]+$| (?:[!=]=|&&|\|\|) |\)$/.test(inner)
  return isWhole && beginOfExpression.test(inner) ? `\${{ ${inner} }}` : undefined
}

/** A member of a GitHub context, after `!` or `(`, or in a function call. */
const beginOfExpression =
  /^[! (]*(?:\w+\(.*\b)?(?:env|github|inputs|job|matrix|needs|secrets|steps|vars)\.\w/
