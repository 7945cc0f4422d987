import { isError, uniqueProblems } from '../problem.ts'
import { quoted } from '../text/text.ts'
import { runnerLog as log, logReport } from './log.ts'
import { appendToRunnerFile, setOutputs } from './outputs.ts'
import { describeRun, type RunResult } from './report.ts'
import { renderSummary } from './summary.ts'

/** Sets the outputs and writes summary, log and annotations. Returns whether the step succeeds. */
export function writeReport(run: RunResult): boolean {
  const described = describeRun(run)
  // Without the outputs, later steps would go on as if nothing had been posted: that is a problem.
  const report = { ...described, problems: uniqueProblems([...described.problems, ...setOutputs(described)]) }
  // A summary that cannot be written does not fail the step.
  const reason = appendToRunnerFile('GITHUB_STEP_SUMMARY', renderSummary(report))
  if (reason) log.info(`The job summary could not be written: ${quoted(reason)}`)
  logReport(report)
  return !report.problems.some(isError)
}
