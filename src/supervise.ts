import { Deadline, systemClock } from './deadline.ts'
import { problemsOfError } from './problem.ts'
import { startWatchdog } from './watchdog.ts'

/**
 * The time limit of the run, with everything that can end the run early: a signal of the runner, an exception outside of the
 * run and, if the main thread is blocked, the watchdog.
 *
 * @param milliseconds that the run may take
 * @param inputLength characters of the inputs that can be long
 */
export function startDeadline(milliseconds: number, inputLength: number): Deadline {
  const deadline = new Deadline(systemClock, milliseconds)
  // The runner cancels a step with SIGINT, and with SIGTERM some seconds later.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => deadline.cancel())
  process.on('uncaughtException', (error) => {
    for (const problem of problemsOfError(error)) deadline.abort(problem)
  })
  startWatchdog({ isOver: () => deadline.remaining() === 0, length: inputLength })
  return deadline
}
