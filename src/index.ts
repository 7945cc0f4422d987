import { main } from './main.ts'
// Last: after a flag changes, Node compiles its own modules anew instead of taking them from its cache.
import './v8-flags.ts'

/** Time for what still hangs, such as a thread that waits for a name server and keeps even `process.exit` from returning. */
const patienceMilliseconds = 1_000

try {
  await main()
} catch (error) {
  // What main itself could not tell: the outputs or the log cannot be written.
  console.error(error)
  process.exitCode = 1
}
const end = process.exitCode ? () => process.kill(process.pid, 'SIGKILL') : () => process.exit()
setTimeout(end, patienceMilliseconds).unref()
