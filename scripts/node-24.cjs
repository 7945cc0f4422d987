// Loaded before the scripts of package.json. An older Node can run this file, and none of the others.
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `This is Node ${process.versions.node}, and Node 24 is needed. npm ci installs it for these scripts, unless npm is set to leave out ` +
      'install scripts or development packages. Run: npm ci --ignore-scripts=false --include=dev',
  )
  process.exit(1)
}
