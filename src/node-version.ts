/** The Node of `action.yml`. Runners from 2.327.1 on bring it. */
const oldestNode = 24

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.log(
    `::error title=This Node is too old::The action was started on Node ${process.versions.node}, and needs Node ${oldestNode} or later.%0AUpdate the runner to 2.327.1 or later, which brings Node 24; on 32-bit ARM, no runner does: use another machine. If another program starts the action, give it Node 24.`,
  )
  process.exit(1)
}
