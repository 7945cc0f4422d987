// Loaded before the scripts of package.json, and run after npm ci. Runs on older Nodes too.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const path = (name) => join(__dirname, name)
const major = Number(process.versions.node.split('.')[0])
// A newer Node builds the same bundle, but what tests show on it may not hold on the runner.
const isWrong = major < 24 || (major > 24 && /jest\.js$/.test(process.argv[1]))
// Some shells take another Node if that of npm ci does not start, as on Alpine.
const isReplaced =
  isWrong &&
  ['node', 'node.exe'].some((name) => existsSync(path(`../node_modules/node/bin/${name}`)))

function refuse(message) {
  console.error(message)
  process.exit(1)
}

if (require.main === module) {
  // package.json prints the text, since perhaps no Node starts.
  if (isReplaced) process.exit(1)
} else if (isReplaced) {
  refuse(readFileSync(path('no-node-24.txt'), 'utf8').trim())
} else if (isWrong) {
  refuse(
    `This is Node ${process.versions.node}, and Node 24 is needed. npm ci installs it for these scripts, unless npm is set to leave out ` +
      'install scripts or development packages. Run: npm ci --ignore-scripts=false --include=dev',
  )
} else if (!existsSync(path('../node_modules/typescript'))) {
  refuse('The development packages are needed, and are not installed. Run: npm ci --include=dev')
}
