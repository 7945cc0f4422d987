import { quoted, type Text, text } from './text/text.ts'

export const helpPages = {
  inputs: 'docs/inputs.md',
  patterns: 'docs/files.md#patterns',
  scopes: 'docs/setup.md#scopes',
  token: 'docs/setup.md#2-store-the-token',
  channelId: 'docs/setup.md#3-find-the-channel-id',
  channels: 'docs/setup.md#4-invite-the-app',
  nothingFound: 'docs/files.md#when-nothing-matches',
  skippedFiles: 'docs/files.md#skipped-files',
  forks: 'docs/recipes.md#pull-requests-from-forks',
  proxies: 'docs/setup.md#proxies-and-company-certificates',
  unknown: 'docs/delivery.md#what-each-status-means',
  partial: 'docs/outputs.md#send-the-rest-after-partial',
  errors: 'docs/errors.md',
} as const

type Page = keyof typeof helpPages

/** Something to know. One cause is one problem, however many files or channels it affects. */
export interface Problem {
  /** An error fails the step. */
  readonly level: 'error' | 'warning' | 'notice'
  /** A few words of our own, without a full stop. */
  readonly title: string
  /** One to three lines: what happened, where, and what to do next. Never contains the token. */
  readonly text: Text
  /** Only one that says more. */
  readonly page?: Page | undefined
}

function problemMaker(level: Problem['level']) {
  return (title: string, explanation: Text, page?: Page): Problem => ({
    level,
    title,
    text: explanation,
    page,
  })
}

export const errorProblem = problemMaker('error')

export const warning = problemMaker('warning')

/** Nobody's mistake. */
export const notice = problemMaker('notice')

/** Problems that end the work. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problems: readonly Problem[]

  constructor(...problems: readonly Problem[]) {
    super(problems.map((problem) => quoted(problem.text)).join('\n'))
    this.problems = problems
  }
}

export function fatal(...problem: Parameters<typeof errorProblem>): ProblemError {
  return new ProblemError(errorProblem(...problem))
}

/** An error without problems is a bug in the action. */
export function problemsOfError(error: unknown): readonly Problem[] {
  if (error instanceof ProblemError) return error.problems
  const message = error instanceof Error ? error.message : String(error)
  const explanation = text`${message}\nThis is a bug in the action. Please report it with the log of the step. Before you run the step again, check the channels: something may have been posted.`
  return [errorProblem('The action failed', explanation)]
}

export function isError({ level }: Problem): boolean {
  return level === 'error'
}

export function uniqueProblems(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = (problem: Problem) => `${problem.level}\n${problem.title}\n${quoted(problem.text)}`
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()]
}
