/**
 * Something that a person has to know about, in the words that person reads.
 *
 * One problem has one cause: it becomes one annotation, whatever the number of files or channels it touches.
 */
export interface Problem {
  /** What happened, as a heading of a few words without a full stop, such as `The app is not in the channel`. */
  readonly title: string
  /**
   * What happened, to which channel or file, and what to do next: one to three lines of plain text, separated by `\n`.
   * Never a token. May contain text of the service or of file names: whoever prints it makes it harmless.
   */
  readonly text: string
}

/** A problem that ends what was going on. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.text, options)
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
