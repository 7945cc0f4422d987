export default {
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/__tests__/support/strip-types.js' },
  globalSetup: '<rootDir>/__tests__/support/setup.js',
  setupFilesAfterEnv: process.env.NODE_V8_COVERAGE ? ['<rootDir>/__tests__/support/coverage.js'] : [],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Several runs of the tests at once, on a small machine, take that long.
  testTimeout: 60_000,
  // Two tests that each start the action and a sandbox fit beside each other on a small machine.
  maxWorkers: 2,
}
