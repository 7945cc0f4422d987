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
