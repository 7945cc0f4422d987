import * as core from '@actions/core'
import { deliver, type Plan } from './delivery/deliver.ts'
import { otherReleaseEvent, whyNoSecrets } from './event.ts'
import { leaveOutSmall } from './files/empty.ts'
import type { FoundFile, FoundFiles } from './files/files.ts'
import { findFiles } from './files/find.ts'
import { missingFiles } from './files/missing.ts'
import { renderComment } from './message/comment.ts'
import { type RunSource, readRunContext, runSource } from './message/source.ts'
import { type Problem, ProblemError, problemIn } from './problem.ts'
import { tellEnd, tellFound } from './report/lines.ts'
import { type Log, runnerLog } from './report/log.ts'
import { renderOutputs, setOutputs } from './report/outputs.ts'
import { tellServiceEvents } from './report/progress.ts'
import type { RunReport } from './report/run-report.ts'
import { renderSummary, writeSummary } from './report/summary.ts'
import { connect } from './service/connect.ts'
import { type MessagingService, NotOfferedError } from './service/service.ts'
import { apiUrl } from './service/web-api.ts'
import { checkProxies, keepSecrets, readSettings, type Settings, SettingsError, strayInputs } from './settings.ts'
import { Budget, systemClock } from './time.ts'
import { startWatchdog } from './watchdog.ts'

/** The whole run: settings → files → message → service → delivery → report. */
export async function main(): Promise<void> {
  const begin = performance.now()
  const report = newReport()
  try {
    await run(report, runnerLog)
  } catch (error) {
    report.status = 'failed'
    report.problems.push(...problemsIn(error))
  }
  report.milliseconds = performance.now() - begin
  const outputs = renderOutputs(report)
  report.warnings.push(...outputs.warnings)
  try {
    setOutputs(outputs)
  } catch (error) {
    // Later steps would go on as if nothing had been posted.
    process.exitCode = 1
    report.problems.push({
      title: 'The outputs could not be written',
      text: `${error instanceof Error ? error.message : String(error)}\nWhat was posted stands in the log.`,
    })
  }
  await writeSummary(renderSummary(report), runnerLog)
  tellEnd(runnerLog, report)
  const green = ['posted', 'accepted', 'skipped', 'dry-run'].includes(report.status) && report.problems.length === 0
  if (!green) process.exitCode = 1
  // The report is written: what fails from now on is reported by itself.
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => {
    process.exitCode = 1
    runnerLog.error(problemIn(error))
  })
}

/** The report while it is being written: what is known stays known when something fails. */
type Draft = { -readonly [part in keyof RunReport]: RunReport[part] } & {
  problems: Problem[]
  warnings: Problem[]
  notices: Problem[]
}

function newReport(): Draft {
  return {
    status: 'failed',
    dryRun: false,
    findings: [],
    problems: [],
    warnings: [],
    notices: [],
    milliseconds: 0,
  }
}

async function run(report: Draft, log: Log): Promise<void> {
  const { hasToken } = keepSecrets(process.env)
  // First, because @actions/github makes an agent for the proxy when it is imported.
  checkProxies(process.env)
  const { context, notices } = await readRunContext()
  report.notices.push(...notices)
  // Before the other inputs are judged: a run without secrets may lack what they are made of too.
  const noSecrets = hasToken ? undefined : whyNoSecrets(context)
  if (noSecrets) {
    report.status = 'skipped'
    report.notices.push(noSecrets)
    return
  }
  const settings = readSettings(process.env)
  report.dryRun = settings.dryRun
  report.warnings.push(...strayInputs(process.env), ...otherReleaseEvent(context))

  const budget = new Budget(systemClock, settings.timeoutMilliseconds)
  const cancel = () => budget.cancel()
  // The runner cancels a step by SIGINT, and by SIGTERM some seconds later. Until the end: a report is still written.
  process.on('SIGINT', cancel).on('SIGTERM', cancel)
  // An exception outside of this function, such as in a listener, ends the run in order. It is an error whatever was posted.
  process.on('uncaughtException', (error) => {
    const problem = problemIn(error)
    report.problems.push(problem)
    budget.fail(problem)
  })
  const { comment, files } = settings
  startWatchdog({ isOver: () => budget.remaining() === 0, length: comment.length + files.length })
  try {
    const found = await budget.settle(
      findFiles(settings.files, {
        ...settings,
        commandFiles: commandFiles(process.env),
        signal: budget.stopping,
      }),
    )
    await deliverByAny(methodsOf(settings), { settings, found, source: runSource(context), budget }, report, log)
  } finally {
    budget.close()
  }
}

interface Job {
  readonly settings: Settings
  readonly found: FoundFiles
  readonly source: RunSource
  readonly budget: Budget
}

/** Upload methods in the order of trying. */
function methodsOf({ method, slack }: Settings): readonly MessagingService['method'][] {
  if (method !== 'auto') return [method]
  return slack ? ['external'] : ['files.upload', 'external']
}

/** The next method is tried only if the server does not offer the one before; then nothing was posted by that. */
async function deliverByAny(
  methods: readonly MessagingService['method'][],
  job: Job,
  report: Draft,
  log: Log,
): Promise<void> {
  const notOffered: Problem[] = []
  const warnings = report.warnings
  for (const [index, method] of methods.entries()) {
    report.warnings = [...warnings]
    try {
      return await deliverBy(method, job, report, log)
    } catch (error) {
      if (!(error instanceof NotOfferedError)) throw error
      notOffered.push(error.problem)
      const next = methods[index + 1]
      if (next) log.info(`${job.settings.baseUrl.host} does not offer the upload method ${method}: trying ${next}`)
    }
  }
  report.status = 'failed'
  report.problems.push(noMethodOffered(job.settings, notOffered))
}

async function deliverBy(method: MessagingService['method'], job: Job, report: Draft, log: Log): Promise<void> {
  const { settings, source, budget } = job
  const { baseUrl, ifNoFilesFound } = settings
  const tell = tellServiceEvents(log, bytesOf(job.found.files))
  const { service, close } = connect(method, { ...settings, budget, tell, keepSecret: core.setSecret })
  try {
    const found = leaveOutSmall(job.found, service.limits.minFileBytes)
    report.destination = { host: baseUrl.host, method }
    const missing = ifNoFilesFound === 'ignore' ? undefined : missingFiles(found)
    // What an annotation explains is not explained once more.
    const unmatched = found.unmatched.filter((one) => !missing?.explains.includes(one))
    if (report.found?.files.length !== found.files.length) tellFound(log, { ...found, unmatched })
    report.found = { ...found, unmatched }
    if (missing && ifNoFilesFound === 'error') throw new ProblemError(missing.problem)
    if (missing) report.warnings.push(missing.problem)
    if (found.files.length === 0) {
      report.status = 'skipped'
      return
    }
    const commentFor = (files: readonly FoundFile[]) =>
      renderComment({
        template: settings.comment,
        files,
        source,
        target: settings.slack && method === 'external' ? 'slack' : 'typed',
        format: settings.commentFormat,
        allowBroadcast: settings.allowBroadcast,
      })
    // What is wrong with the comment is told before anything is sent.
    report.warnings.push(...commentFor(found.files).warnings)
    const plan: Plan = {
      files: found.files,
      channels: settings.channels,
      commentFor: (files) => commentFor(files).comment,
      ...(settings.threadTs ? { threadTs: settings.threadTs } : {}),
      ifNotConfirmed: settings.ifNotConfirmed,
      dryRun: settings.dryRun,
    }
    const { findings, report: delivery } = await deliver(plan, service, budget)
    report.status = delivery.status
    if (settings.dryRun) report.findings = findings
    report.delivery = delivery
  } finally {
    close()
  }
}

function noMethodOffered({ baseUrl }: Settings, problems: readonly Problem[]): Problem {
  const [only] = problems
  if (only && problems.length === 1) return only
  const tried = ['files.upload', 'files.getUploadURLExternal'].map((name) => apiUrl(baseUrl, name).href)
  return {
    title: 'The server offers no way to upload',
    text: `Neither ${tried.join(' nor ')} is there.\nCheck base-url: it is the address of the service itself, without /api; for Slack leave it out.`,
  }
}

/** Files by which steps talk to the runner: they hold what other steps put into the environment. */
function commandFiles(environment: NodeJS.ProcessEnv): readonly string[] {
  return [
    'GITHUB_ENV',
    'GITHUB_OUTPUT',
    'GITHUB_PATH',
    'GITHUB_STATE',
    'GITHUB_STEP_SUMMARY',
    'GITHUB_EVENT_PATH',
  ].flatMap((name) => environment[name] || [])
}

function bytesOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

function problemsIn(error: unknown): readonly Problem[] {
  return error instanceof SettingsError ? error.problems : [problemIn(error)]
}
