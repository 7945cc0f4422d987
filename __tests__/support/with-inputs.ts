import { expect } from '@jest/globals'
import { type Inputs, readInputs } from '../../src/inputs/inputs.ts'
import { isError, type Problem, ProblemError, titleOf } from '../../src/problem.ts'
import { quoted } from '../../src/text/text.ts'
import { withEnvironment } from './environment.ts'
import { visible } from './grid.ts'

export type GivenInputs = Readonly<Record<string, string>>

/** What `read` returns in a step that has these inputs under `with:`. */
export function withInputs<Result>(inputs: GivenInputs, read: () => Result): Result {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  return withEnvironment(given, read)
}

export const madeUpToken = 'xoxb-made-up-token'

/** What `readInputs` returns for such a step, which has a token, a channel and files besides. */
function readStep(given: GivenInputs, environment: NodeJS.ProcessEnv, inFork: boolean) {
  const required = { token: madeUpToken, channels: 'C0123456789', files: '*.csv' }
  return withInputs({ ...required, ...given }, () =>
    withEnvironment(environment, () => readInputs({ inFork })),
  )
}

export function inputsOf(given: GivenInputs, environment: NodeJS.ProcessEnv = {}): Inputs {
  return readStep(given, environment, false).inputs
}

/** `title: text` of each problem of the inputs of such a step, with its level if it is no error. */
export function inputProblems(
  given: GivenInputs,
  environment: NodeJS.ProcessEnv = {},
  inFork = false,
): readonly string[] {
  const describe = (problem: Problem) =>
    `${isError(problem) ? '' : `${problem.level}: `}${quoted(titleOf(problem))}: ${quoted(problem.text)}`
  try {
    return readStep(given, environment, inFork).problems.map(describe)
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(describe)
    throw error
  }
}

/** The text after the name of the input `name`, which is the only one with an error. */
export function refusal(name: string, value: string, others: GivenInputs = {}): string {
  const problems = inputProblems({ ...others, [name]: value })
  const [problem = '', ...more] = problems.filter((one) => !one.startsWith('warning: '))
  expect(more).toEqual([])
  const start = `Invalid input: ${name}: \`${name}\` `
  expect(problem.slice(0, start.length)).toBe(start)
  return problem.slice(start.length)
}

/**
 * What is said of each of the values, which are one a line (`⏎` is a line break), and below it the
 * values of which it is said. There, `…` is the value.
 */
export function refusals(name: string, values: string, others: GivenInputs = {}): string {
  const said = Map.groupBy(values.trim().split('\n'), (value) => {
    const given = value.replaceAll('⏎', '\n')
    return refusal(name, given, others).replaceAll(`\`${given}\``, '`…`')
  })
  return Array.from(said, ([text, alike]) => [text, ...alike.map(visible)].join('\n    ')).join(
    '\n',
  )
}

/** A row of a table for each of the values. */
export const rows = (values: readonly string[], text: string | ((value: string) => string)) =>
  values.map((value) => [value, typeof text === 'string' ? text : text(value)] as const)
