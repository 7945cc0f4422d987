import { isError, problemsOfError } from '../problem.ts'
import type { Log } from './log.ts'
import { type RenderedOutputs, renderOutputs, setOutputs } from './outputs.ts'
import { logReport } from './run-log.ts'
import { problemsOf, type RunReport } from './run-report.ts'
import { renderSummary, writeSummary } from './summary.ts'

/** Sets the outputs and writes summary, log and annotations. Returns whether the step succeeds. */
export async function writeReport(run: RunReport, log: Log): Promise<boolean> {
  const outputs = renderOutputs(run)
  const report = { ...run, problems: [...run.problems, ...outputs.problems] }
  const written = withOutputs(report, outputs)
  await writeSummary(renderSummary(written, stepId(process.env)), log)
  logReport(log, written)
  return !problemsOf(written).some(isError)
}

/** Without the outputs, later steps would go on as if nothing had been posted: that is a problem. */
function withOutputs(run: RunReport, outputs: RenderedOutputs): RunReport {
  try {
    setOutputs(run, outputs)
    return run
  } catch (error) {
    return { ...run, problems: [...run.problems, ...problemsOfError(error)] }
  }
}

/** The `id` of the step, if the workflow gives it one: names that the runner makes up begin with two underscores. */
function stepId(environment: NodeJS.ProcessEnv): string | undefined {
  const id = environment['GITHUB_ACTION']
  return id === undefined || id === '' || id.startsWith('__') ? undefined : id
}
