import { data, Evaluator, Lexer, Parser } from '@actions/expressions'

/** Evaluates the expressions in a text. */
export function evaluate(text: string, contexts: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => {
    const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), []).parse()
    return new Evaluator(tree, JSON.parse(JSON.stringify(contexts), data.reviver))
      .evaluate()
      .coerceString()
  })
}
