/** The Node of `action.yml`. Runners from 2.327.1 on bring it; github.com accepts only newer ones. */
const oldestNode = 24

const remedy =
  process.arch === 'arm'
    ? 'On Linux for 32-bit ARM, the runner has only Node 20: use a 64-bit system.'
    : 'Update the runner, which brings Node 24 (on GitHub Enterprise Server to 2.327.1 or later). If another program starts the action, give it Node 24.'

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.log(
    `::error title=This Node is too old::The action was started on Node ${process.versions.node}, and needs Node ${oldestNode} or later.%0A${remedy}`,
  )
  process.exit(1)
}
