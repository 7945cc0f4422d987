const support = '<rootDir>/__tests__/support'

const base = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': `${support}/strip-types.js` },
  globalSetup: `${support}/setup.js`,
  setupFilesAfterEnv: process.env.NODE_V8_COVERAGE ? [`${support}/coverage.js`] : [],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
}

/** Tests that start the action. */
const startTheAction = [
  'action/*.test.ts',
  'repository/{bench,examples,live}.test.ts',
  'sandbox/demo.test.ts',
].map((path) => `**/__tests__/${path}`)

export default {
  projects: [
    {
      ...base,
      displayName: 'fast',
      testMatch: ['**/__tests__/**/*.test.ts', ...startTheAction.map((path) => `!${path}`)],
      // A test here that starts the action all the same fails. If it is to do that, it belongs to those above.
      setupFiles: [`${support}/no-bundle.js`],
    },
    { ...base, displayName: 'bundle', testMatch: startTheAction },
    // Only `npm run test:page` runs them: they need a browser.
    { ...base, displayName: 'page', testMatch: ['**/__tests__/**/*.browser.ts'] },
    // Only `npm run test:regexps` runs it: it takes 12 s, and its result depends on `src/` alone.
    { ...base, displayName: 'regexps', testMatch: ['**/__tests__/**/*.analysis.ts'] },
    // Only `npm run test:release` runs it: it takes a minute.
    { ...base, displayName: 'release', testMatch: ['**/__tests__/**/*.rehearsal.ts'] },
  ],
  testSequencer: `${support}/sequencer.js`,
  // So that a test that hangs ends. None takes that long on a machine that is busy.
  testTimeout: 300_000,
  // A worker without open handles takes 0.1 to 0.7 s to end on a busy machine. jest's default is 0.5.
  workerGracefulExitTimeout: 30_000,
  // Of one file: they wait.
  maxConcurrency: 10,
}
