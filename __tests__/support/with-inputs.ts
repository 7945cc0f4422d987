import { type Inputs, readInputs } from '../../src/inputs/inputs.ts'
import { ProblemsError, titleOf } from '../../src/problem.ts'
import { quoted } from '../../src/text/text.ts'

export type GivenInputs = Readonly<Record<string, string>>

/** What `read` returns in a step that has these inputs under `with:`. It gets their variables, and no others. */
export function withInputs<Result>(inputs: GivenInputs, read: (environment: NodeJS.ProcessEnv) => Result): Result {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  const before = process.env
  process.env = { ...before, ...given }
  try {
    return read(given)
  } finally {
    process.env = before
  }
}

export const madeUpToken = 'xoxb-made-up-token'

/** The inputs of such a step, which has a token, a channel and files besides. */
export function inputsOf(given: GivenInputs, environment: NodeJS.ProcessEnv = {}): Inputs {
  const required = { token: madeUpToken, channels: 'C0123456789', files: '*.csv' }
  return withInputs({ ...required, ...given }, (ofStep) => readInputs({ ...ofStep, ...environment }))
}

/** `title: text` of each problem of such a step. */
export function inputProblems(given: GivenInputs, environment: NodeJS.ProcessEnv = {}): readonly string[] {
  try {
    inputsOf(given, environment)
    return []
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error
    return error.problems.map((problem) => `${quoted(titleOf(problem))}: ${quoted(problem.text)}`)
  }
}
