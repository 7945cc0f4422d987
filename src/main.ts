import * as core from '@actions/core'
import { isInFork, type RunContext, readContext, reasonForNoSecrets, warnOfReleaseEvent } from './context.ts'
import { Deadline, systemClock } from './deadline.ts'
import { deliver } from './delivery/deliver.ts'
import { planDelivery } from './delivery/plan.ts'
import { diskContent, warnOfGrownFiles } from './files/content.ts'
import type { SearchResult } from './files/files.ts'
import { findFiles } from './files/find.ts'
import { applyIfNoFilesFound } from './files/if-no-files-found.ts'
import { type Inputs, maskSecrets, readInputs } from './inputs/inputs.ts'
import { checkProxies } from './inputs/proxy.ts'
import { isError, type Problem, problemsOfError } from './problem.ts'
import { runnerLog as log } from './report/log.ts'
import { requireOutputFile } from './report/outputs.ts'
import { logServiceEvents } from './report/progress.ts'
import { writeReport } from './report/report.ts'
import { logFiles } from './report/run-log.ts'
import type { RunReport } from './report/run-report.ts'
import { runnerPaths } from './report/runner-file.ts'
import { createService } from './service/create-service.ts'

/** Bytes: smaller files are skipped. Slack's getUploadURLExternal responds missing_argument to a length of 0. */
const minFileBytes = { external: 1, 'files.upload': 0 } as const

type RunResult = Omit<RunReport, 'milliseconds'>

/** The whole run: inputs → files → delivery → report. */
export async function run(): Promise<void> {
  const start = performance.now()
  const faults: Problem[] = []
  const addFault = (error: unknown) => faults.push(...problemsOfError(error))
  // An exception outside of the run, such as in a listener, is a problem of its own, whatever was posted.
  process.on('uncaughtException', addFault)
  const result = await orFailed(checkRun)
  const problems = [...result.problems, ...faults]
  const succeeded = writeReport({ ...result, problems, milliseconds: performance.now() - start })
  if (!succeeded) process.exitCode = 1
  process.off('uncaughtException', addFault).on('uncaughtException', (error) => {
    process.exitCode = 1
    for (const problem of problemsOfError(error)) log.problem(problem)
  })
}

/** A run without secrets is skipped. */
async function checkRun(): Promise<RunResult> {
  const { hasToken } = maskSecrets(process.env)
  requireOutputFile()
  // First, because @actions/github makes an agent for the proxy when it is imported.
  checkProxies(process.env)
  const { context, problems } = await readContext()
  const noSecrets = hasToken ? undefined : reasonForNoSecrets(context)
  // Inputs that are made from secrets are empty too and would fail the checks, so none is read.
  if (noSecrets) return withStatus('skipped', [...problems, noSecrets])
  const result = await orFailed(async () => {
    const read = readInputs({ environment: process.env, inFork: isInFork(context) })
    return withProblems(read.problems, await runWith(read.inputs, context))
  })
  return withProblems([...problems, ...warnOfReleaseEvent(context)], result)
}

async function runWith(inputs: Inputs, context: RunContext): Promise<RunResult> {
  using deadline = startDeadline(inputs.timeoutMilliseconds)
  const result = await orFailed(async () => {
    const { signal } = deadline
    const options = { ...inputs, ...runnerPaths(process.env), minFileBytes: minFileBytes[inputs.method], signal }
    const found = await deadline.race(findFiles(inputs.files, options))
    return deliverFiles(applyIfNoFilesFound(found, inputs.ifNoFilesFound), inputs, context, deadline)
  })
  return { ...result, dryRun: inputs.dryRun }
}

/** The time limit of the run. A signal of the runner and an exception outside of the run end it early. */
function startDeadline(milliseconds: number): Deadline {
  const deadline = new Deadline(systemClock, milliseconds)
  // The runner cancels a step with SIGINT, and with SIGTERM some seconds later. SIGHUP comes from a terminal that is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => deadline.cancel())
  process.on('uncaughtException', (error) => {
    for (const problem of problemsOfError(error)) deadline.abort(problem)
  })
  return deadline
}

async function deliverFiles(
  found: SearchResult,
  inputs: Inputs,
  context: RunContext,
  deadline: Deadline,
): Promise<RunResult> {
  const onEvent = logServiceEvents()
  const content = diskContent(inputs.token)
  using connection = createService({ ...inputs, content, deadline, onEvent, maskSecret: core.setSecret })
  const { name, service } = connection
  logFiles(found)
  const known = { found, service: name }
  if (found.problems.some(isError)) return { ...withStatus('failed', found.problems), ...known }
  if (found.files.length === 0) return { ...withStatus('skipped', found.problems), ...known }
  if (inputs.comment === '') log.info('The comment is empty: no text is posted with the files')
  const { plan, problems } = await planDelivery(found.files, inputs, context, { content, deadline })
  const delivery = await deliver(plan, service, { deadline, onEvent })
  const all = [...found.problems, ...problems, ...warnOfGrownFiles(content)]
  return { ...withStatus(delivery.status, all), ...known, delivery }
}

function withStatus(status: RunResult['status'], problems: readonly Problem[]): RunResult {
  return { status, dryRun: false, problems }
}

function withProblems(first: readonly Problem[], result: RunResult): RunResult {
  return { ...result, problems: [...first, ...result.problems] }
}

/** The result of the step, or of the error that it ends with. */
function orFailed(step: () => Promise<RunResult>): Promise<RunResult> {
  return step().catch((error: unknown) => withStatus('failed', problemsOfError(error)))
}
