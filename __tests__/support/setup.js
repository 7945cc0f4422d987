// Tests have to run on the runtime that the runner will use: what passes elsewhere proves nothing.
export default function setup() {
  const major = Number(process.versions.node.split('.')[0])
  if (major !== 24) {
    throw new Error(
      `The tests run on Node ${process.versions.node}, the action on Node 24. Run them by "npm test" after "npm ci" ` +
        '(without --ignore-scripts: the install script of the "node" package fetches Node 24).',
    )
  }
  // npm, which some tests run, would leave a cache in the temp folder.
  process.env.NODE_DISABLE_COMPILE_CACHE = '1'
}
