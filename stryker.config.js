/** One folder of `src/`, or the files beside the folders, against its own unit tests: see `scripts/mutation/run.ts`. */
const folder = process.env.FOLDER ?? 'service'
const files = folder === '.' ? '*' : `${folder}/**/*`

/** Only the bundle runs them, in the tests of `__tests__/action/`. */
const withoutUnitTests = ['index', 'main', 'node-version', 'v8-flags'].map((name) => `!src/${name}.ts`)

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [`src/${files}.ts`, ...withoutUnitTests],
  plugins: ['./scripts/mutation/runner.ts'],
  testRunner: 'loaded-tests',
  loadedTests: [`__tests__/unit/${files}.test.ts`],
  // They take seconds, for every mutant that the other tests let pass.
  slowTests: '-faults|-random|-rerun|-speed|v8-flags',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  cleanTempDir: 'always',
  // Stryker would rewrite it by an API that TypeScript 7 does not have.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `coverage/mutation-${folder}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  warnings: { unknownOptions: false, slow: false },
}
