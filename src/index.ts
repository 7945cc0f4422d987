// First, since on an old Node the other modules fail with an obscure error.
import './node-version.ts'
import { run } from './main.ts'
import { errorProblem } from './problem.ts'
import { runnerLog } from './report/log.ts'
import { text } from './text/text.ts'
// Last, since after a flag changed, Node compiles its own modules without its cache.
import './v8-flags.ts'

/** Milliseconds from the report to the forced end. A slow DNS lookup may end by itself. */
const maxExitTime = () => (process.exitCode ? 1_000 : 30_000)

// Post the files even if the log cannot be written (full disk).
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

run()
  .catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
  .finally(() => setTimeout(end, maxExitTime()).unref())

/**
 * `process.exit` does not return if a thread of Node hangs (findings/node-exit-waits.sh). Then the
 * process is killed, which fails the step.
 */
function end(): void {
  const threadHangs = process
    .getActiveResourcesInfo()
    .some((name) => /^(FSReq|GetAddrInfoReq)/.test(name))
  if (!threadHangs) process.exit()
  if (!process.exitCode) {
    runnerLog.problem(
      errorProblem(
        'Had to force-quit',
        text`The run itself succeeded: the outputs say what was posted. But a thread of Node hangs, for example in a DNS lookup, so the process can only end as failed.\nDo not run the step again, unless you want to post again.`,
      ),
    )
  }
  process.kill(process.pid, 'SIGKILL')
}
