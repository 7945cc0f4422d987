import { InvalidInputError } from '../../src/inputs/read.ts'
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

/** The text of the `InvalidInputError` that `read` throws in such a step. */
export function refusalOf(inputs: GivenInputs, read: (environment: NodeJS.ProcessEnv) => unknown): string {
  try {
    const result = withInputs(inputs, read)
    throw new Error(`Not refused: ${JSON.stringify(result)}`)
  } catch (error) {
    if (error instanceof InvalidInputError) return quoted(error.text)
    throw error
  }
}
