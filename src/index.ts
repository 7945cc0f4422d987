/** The oldest Node that has everything that the bundle calls. Runners from 2.327.1 on bring Node 24, which `action.yml` names. */
const oldestNode = 22
/** For what still hangs, such as a thread that waits for a DNS server: it keeps even `process.exit` from returning. */
const maxExitMilliseconds = 1_000

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  // Checked before anything else is loaded, because that can fail on such a Node with an error that helps nobody.
  console.log(
    `::error title=This Node is too old::The action was started on Node ${process.versions.node}, and needs Node ${oldestNode} or later.%0AUpdate the runner to 2.327.1 or later, which brings Node 24. If another program starts the action, give it Node 24.`,
  )
  process.exitCode = 1
} else {
  await run()
}

async function run(): Promise<void> {
  try {
    const { main } = await import(/* webpackMode: "eager" */ './main.ts')
    // Last: after a flag changes, Node compiles its own modules anew instead of taking them from its cache.
    await import(/* webpackMode: "eager" */ './v8-flags.ts')
    await main()
  } catch (error) {
    // What main could not report itself: the log cannot be written.
    console.error(error)
    process.exitCode = 1
  }
  const end = process.exitCode ? () => process.kill(process.pid, 'SIGKILL') : () => process.exit()
  setTimeout(end, maxExitMilliseconds).unref()
}
