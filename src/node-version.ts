/** As in `action.yml`. Runners from 2.327.1 on have it. */
const oldestNode = 24

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.log(
    `::error title=This Node is too old::The action was started on Node ${process.versions.node}, and needs Node ${oldestNode} or later.%0AOn GitHub, update the runner to 2.327.1 or later; on 32-bit ARM, use another machine. On act, Gitea and Forgejo, run actions/setup-node with node-version ${oldestNode} before this step.`,
  )
  process.exit(1)
}
