import { isError, problemsOfError, uniqueProblems } from '../problem.ts'
import type { Log } from './log.ts'
import { renderOutputs, setOutputs } from './outputs.ts'
import { logReport } from './run-log.ts'
import { describeRun, type Report, type RunReport } from './run-report.ts'
import { renderSummary, writeSummary } from './summary.ts'

/** Sets the outputs and writes summary, log and annotations. Returns whether the step succeeds. */
export async function writeReport(run: RunReport, log: Log): Promise<boolean> {
  const report = withOutputs(describeRun(run))
  await writeSummary(renderSummary(report, stepId(process.env)), log)
  logReport(log, report)
  return !report.problems.some(isError)
}

/** Without the outputs, later steps would go on as if nothing had been posted: that is a problem. */
function withOutputs(report: Report): Report {
  const { problems, values } = renderOutputs(report)
  try {
    setOutputs(report, values)
    return { ...report, problems: [...report.problems, ...problems] }
  } catch (error) {
    return { ...report, problems: uniqueProblems([...report.problems, ...problemsOfError(error)]) }
  }
}

/** The `id` of the step, if the workflow gives it one: names that the runner makes up begin with two underscores. */
function stepId(environment: NodeJS.ProcessEnv): string | undefined {
  const id = environment['GITHUB_ACTION']
  return id === undefined || id === '' || id.startsWith('__') ? undefined : id
}
