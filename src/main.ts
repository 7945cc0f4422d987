import { maskSecret, readContext, reasonForNoSecrets } from './context.ts'
import { Deadline, systemClock } from './deadline.ts'
import { deliver } from './delivery/deliver.ts'
import { planDelivery } from './delivery/plan.ts'
import { diskContent, grownFileWarnings } from './files/content.ts'
import { findFiles } from './files/find.ts'
import { applyIfNoFilesFound } from './files/if-no-files-found.ts'
import { isProtected } from './hosts.ts'
import { isTextAlone, maskInputs, readInputs, unencryptedNotice } from './inputs/inputs.ts'
import { certificateWarnings, checkProxies } from './inputs/proxy.ts'
import { isError, problemsOfError } from './problem.ts'
import { runnerLog as log, logFiles, logReport } from './report/log.ts'
import { requireOutputFile, setOutputs } from './report/outputs.ts'
import { logServiceEvents } from './report/progress.ts'
import { describeRun, type RunResult } from './report/report.ts'
import { writeSummary } from './report/summary.ts'
import { createService } from './service/create-service.ts'

type AddFacts = (facts: Partial<RunResult>) => void

/** Posts the files, and reports what is known however that ends. */
export async function run(): Promise<void> {
  let known: RunResult = { status: 'failed', dryRun: false, problems: [] }
  let isReported = false
  const add: AddFacts = ({ problems = [], ...facts }) => {
    known = { ...known, ...facts, problems: [...known.problems, ...problems] }
  }
  try {
    using deadline = new Deadline(systemClock)
    // The runner sends SIGINT, and SIGTERM some seconds later; a closed terminal sends SIGHUP.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => deadline.cancel())
    // Errors thrown in event listeners end up here.
    process.on('uncaughtException', (error) => {
      const problems = problemsOfError(error)
      deadline.abort(...problems)
      if (!isReported) return add({ problems })
      // Only the log is left.
      process.exitCode = 1
      for (const problem of problems) log.problem(problem)
    })
    await postFiles(add, deadline)
  } catch (error) {
    add({ problems: problemsOfError(error) })
  }
  const report = setOutputs(describeRun(known))
  writeSummary(report)
  logReport(report)
  if (report.problems.some(isError)) process.exitCode = 1
  isReported = true
}

/** Inputs → files → delivery. If no status is added, the run failed. */
async function postFiles(add: AddFacts, deadline: Deadline): Promise<void> {
  const hasToken = maskInputs()
  requireOutputFile()
  // Before @actions/github is imported, which makes an agent for the proxy.
  checkProxies()
  const context = await readContext()
  const noSecrets = hasToken ? undefined : reasonForNoSecrets(context)
  // Inputs made from secrets are empty too, and would fail the checks.
  if (noSecrets) return add({ status: 'skipped', problems: [noSecrets] })
  add({ problems: certificateWarnings() })
  const { inputs, problems: warnings } = readInputs()
  add({ dryRun: inputs.dryRun, problems: warnings })

  deadline.start(inputs.timeoutMilliseconds)
  const { signal } = deadline
  const skipEmptyFiles = inputs.method === 'external'
  const search = findFiles(inputs.files, { ...inputs, skipEmptyFiles, signal })
  const matches = await deadline.waitFor(search)
  const selection = applyIfNoFilesFound(
    matches,
    isTextAlone(inputs) ? 'ignore' : inputs.ifNoFilesFound,
  )
  logFiles(selection)
  add({ found: selection })
  if (selection.problems.some(isError)) return
  if (selection.files.length === 0 && inputs.ifNoFilesFound !== 'comment')
    return add({ status: 'skipped' })

  if (!isProtected(inputs.baseUrl)) log.problem(unencryptedNotice)
  const content = diskContent(inputs.token)
  const onEvent = logServiceEvents()
  using connection = createService({ ...inputs, content, deadline, onEvent, maskSecret })
  const planned = planDelivery(selection.files, inputs, context)
  add({ problems: planned.problems })
  const delivery = await deliver(planned.plan, connection.service, { deadline, onEvent })
  add({ status: delivery.status, delivery, problems: grownFileWarnings(content) })
}
