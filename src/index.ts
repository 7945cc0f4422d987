// First: on an old Node, the other modules would fail with an error that helps nobody.
import './node-version.ts'
import { run } from './main.ts'
import { errorProblem } from './problem.ts'
import { runnerLog } from './report/log.ts'
import { text } from './text/text.ts'
// Last: after a flag changed, Node compiles its own modules anew and does not use its cache.
import './v8-flags.ts'

/**
 * Milliseconds. Whatever keeps the process alive after the report has this time, and after a run
 * that succeeded more: a DNS lookup ends by itself, and the step must not fail because of it.
 */
const maxExitTime = () => (process.exitCode ? 1_000 : 30_000)

// A log that cannot be written, such as to a full disk, must not keep the files from being posted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

run()
  .catch((error: unknown) => {
    // What the run could not report itself: the log cannot be written.
    console.error(error)
    process.exitCode = 1
  })
  .finally(() => setTimeout(end, maxExitTime()).unref())

/**
 * Ends the process. If a thread of Node hangs, `process.exit` would not return
 * (findings/node-exit-waits.sh): then the process is killed, and the step fails.
 */
function end(): void {
  const threadHangs = process
    .getActiveResourcesInfo()
    .some((name) => /^(FSReq|GetAddrInfoReq)/.test(name))
  if (!threadHangs) process.exit()
  if (!process.exitCode) {
    runnerLog.problem(
      errorProblem(
        'The process of the step had to be killed',
        text`The run itself succeeded: the outputs say what was posted. But a thread of Node hangs, such as in a DNS lookup, so the process can only end as failed.\nDo not run the step again, unless you want to post again.`,
      ),
    )
  }
  process.kill(process.pid, 'SIGKILL')
}
