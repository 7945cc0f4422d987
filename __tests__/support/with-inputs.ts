import { expect } from '@jest/globals'
import { type Inputs, readInputs } from '../../src/inputs/inputs.ts'
import { isError, type Problem, ProblemError } from '../../src/problem.ts'
import { quoted } from '../../src/text/text.ts'
import { withEnvironment } from './environment.ts'
import { visible } from './grid.ts'

export type GivenInputs = Readonly<Record<string, string>>

/** Calls `read` in a step with these inputs. */
export function withInputs<Result>(inputs: GivenInputs, read: () => Result): Result {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  return withEnvironment(given, read)
}

export const madeUpToken = 'xoxb-made-up-token'

/** Reads inputs, with a token, a channel and files by default. */
function readStep(given: GivenInputs, environment: NodeJS.ProcessEnv) {
  const required = { token: madeUpToken, channels: 'C0123456789', files: '*.csv' }
  return withInputs({ ...required, ...given }, () =>
    withEnvironment(environment, () => readInputs()),
  )
}

export function inputsOf(given: GivenInputs, environment: NodeJS.ProcessEnv = {}): Inputs {
  return readStep(given, environment).inputs
}

/** `title: text` of each problem, with its level unless that is error. */
export function inputProblems(
  given: GivenInputs,
  environment: NodeJS.ProcessEnv = {},
): readonly string[] {
  const describe = (problem: Problem) =>
    `${isError(problem) ? '' : `${problem.level}: `}${problem.title}: ${quoted(problem.text)}`
  try {
    return readStep(given, environment).problems.map(describe)
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(describe)
    throw error
  }
}

/** The error of the input `name`, after its name. It must be the only error. */
export function refusal(name: string, value: string, others: GivenInputs = {}): string {
  const problems = inputProblems({ ...others, [name]: value })
  const [problem = '', ...more] = problems.filter((one) => !one.startsWith('warning: '))
  expect(more).toEqual([])
  const start = `Invalid input: ${name}: \`${name}\` `
  expect(problem.slice(0, start.length)).toBe(start)
  return problem.slice(start.length)
}

/**
 * Each error, with `…` for the value, and below it the values (one per line, `⏎` for a line break)
 * that get it.
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
