import { quoted, type Text, text, words } from './text/text.ts'

/** Pages of the documentation that help, by what they are about. */
export const helpPages = {
  inputs: 'docs/inputs.md',
  token: 'docs/setup.md#2-store-the-token',
  channels: 'docs/setup.md#4-invite-the-app',
  nothingFound: 'docs/files.md#when-nothing-matches',
  skippedFiles: 'docs/files.md#skipped-files',
  unknown: 'docs/delivery.md#what-each-status-means',
  partial: 'docs/outputs.md#send-the-rest-after-partial',
  errors: 'docs/errors.md',
} as const

type Page = keyof typeof helpPages

/**
 * Something a person must know: what happened, why, and what to do next.
 *
 * One problem has one cause: it becomes one annotation, however many files or channels it affects.
 */
export interface Problem {
  /** With an error, the step fails. */
  readonly level: 'error' | 'warning' | 'notice'
  /**
   * A heading of a few words without a full stop, such as `The app is not in the channel`. A string
   * is our own words; a title that holds a value is a `Text`.
   */
  readonly title: string | Text
  /**
   * What happened, to which channel or file, and what to do next, in one to three lines. It never
   * contains the token.
   */
  readonly text: Text
  /** Where the documentation says more. An error without one leads to the page about errors. */
  readonly page?: Page | undefined
}

function problemMaker(level: Problem['level']) {
  return (title: Problem['title'], explanation: Text, page?: Page): Problem => ({
    level,
    title,
    text: explanation,
    page,
  })
}

/** A problem because of which the step fails. */
export const errorProblem = problemMaker('error')

/** A problem despite which the step can succeed. */
export const warning = problemMaker('warning')

/** Something worth knowing that is nobody's mistake. */
export const notice = problemMaker('notice')

/** One or several problems that end what was going on. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map((problem) => quoted(problem.text)).join('\n'))
    this.problems = problems
  }
}

/** What to report about an error. An error without a problem is a bug in the action. */
export function problemsOfError(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems
  const message = error instanceof Error ? error.message : String(error)
  const explanation = text`${message}\nThis is a bug in the action. Please report it with the log of the step. Before you run the step again, check the channels: something may have been posted.`
  return [errorProblem('The action failed', explanation)]
}

export function titleOf({ title }: Problem): Text {
  return typeof title === 'string' ? words(title) : title
}

/** Whether the step fails because of it. */
export function isError({ level }: Problem): boolean {
  return level === 'error'
}

/** The same problem is reported once. */
export function uniqueProblems(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = (problem: Problem) =>
    `${problem.level}\n${quoted(titleOf(problem))}\n${quoted(problem.text)}`
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()]
}
