import { quoted, type Text } from './text/text.ts'

/**
 * Something a person must know: what happened, why, and what to do next.
 *
 * One problem has one cause: it becomes one annotation, however many files or channels it affects.
 */
export interface Problem {
  /** A heading of a few words of our own, without a full stop, such as `The app is not in the channel`. */
  readonly title: string
  /**
   * What happened, to which channel or file, and what to do next: one to three lines. Never contains the token.
   * A plain string is being replaced by `Text`, which keeps the values in it apart from our words.
   */
  readonly text: string | Text
}

/** The text of a problem as the log shows it. */
export function plainText({ text }: Problem): string {
  return typeof text === 'string' ? text : quoted(text)
}

/** A problem that ends what was going on. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(plainText(problem), options)
    this.problem = problem
  }
}

/** What to tell of an error: anything but a `ProblemError` is a fault of the action itself. */
export function problemIn(error: unknown, advice = ''): Problem {
  if (error instanceof ProblemError) return error.problem
  return {
    title: 'The action failed',
    text: `${error instanceof Error ? error.message : String(error)}\nThis is a fault of the action itself: please report it, with the log of the step.${advice}`,
  }
}
