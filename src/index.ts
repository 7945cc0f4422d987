// First: what is loaded after it can fail on an old Node with an error that helps nobody.
import './node-version.ts'
import { run } from './main.ts'
// Last: after a flag changes, Node compiles its own modules anew instead of taking them from its cache.
import './v8-flags.ts'

/**
 * For what still hangs, such as a thread that waits for a DNS server: it keeps even `process.exit` from returning. SIGKILL ends
 * that, but only as a failure: a success needs `process.exit`.
 */
const maxExitMilliseconds = 1_000

// A log that cannot be written, such as to a full disk, must not keep the files from being posted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

run()
  .catch((error: unknown) => {
    // What the run could not report itself: the log cannot be written.
    console.error(error)
    process.exitCode = 1
  })
  .finally(() => {
    const end = process.exitCode ? () => process.kill(process.pid, 'SIGKILL') : () => process.exit()
    setTimeout(end, maxExitMilliseconds).unref()
  })
