import { expect, test } from '@jest/globals'
import {
  errorProblem,
  ProblemError,
  problemsOfError,
  uniqueProblems,
  warning,
} from '../../src/problem.ts'
import { quoted, text } from '../../src/text/text.ts'

const error = errorProblem('x', text`See ${'a'}.`)

test('an error with problems has them, and their texts as its message', () => {
  const thrown = new ProblemError(error, warning('y', text`b`))
  expect([thrown.name, thrown.message]).toEqual(['ProblemError', 'See `a`.\nb'])
  expect(problemsOfError(thrown)).toEqual([error, warning('y', text`b`)])
})

test.each([new Error('broken'), 'broken'])(
  'any other error is a bug in the action: %s',
  (thrown) => {
    const [problem, ...others] = problemsOfError(thrown)
    expect([problem?.title, problem?.level, others]).toEqual(['The action failed', 'error', []])
    expect(quoted(problem?.text ?? [])).toMatch(
      /^`broken`\nThis is a bug in the action\. Please report it/,
    )
  },
)

test('a problem is unique by its level, its title and its text', () => {
  const others = [warning('x', error.text), { ...error, title: 'y' }, { ...error, text: text`b` }]
  expect(uniqueProblems([error, ...others, { ...error }, ...others])).toEqual([error, ...others])
})
