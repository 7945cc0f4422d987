// A test runner for Stryker. It loads the unit tests once, and then switches one mutant after the other on in the loaded code: a
// mutant takes as long as the tests that run it. Stryker's runner for jest loads every test file anew for each mutant.
import { glob } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core'
import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { cleanUps, tests } from './globals.ts'

const globals = new URL('globals.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
})

class LoadedTests implements TestRunner {
  readonly #patterns: readonly string[]
  readonly #slow: RegExp
  readonly #context: InstrumenterContext = {}
  /** Milliseconds of each test: a quick test that fails makes a slow one needless. */
  readonly #durations = new Map<string, number>()
  #loaded = false
  /** What the running test did not catch: it fails. */
  #uncaught: unknown

  constructor(options: StrykerOptions) {
    this.#patterns = options['loadedTests'] as readonly string[]
    this.#slow = new RegExp(String(options['slowTests']))
    Object.assign(globalThis, { __stryker__: this.#context })
    // What a mutant leaves behind must not end the process.
    process.on('unhandledRejection', () => undefined)
    process.on('uncaughtException', (error) => {
      this.#uncaught = error
    })
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  async dryRun({ coverageAnalysis }: DryRunOptions): Promise<DryRunResult> {
    await this.#load()
    const results = await this.#run(undefined, false)
    const { mutantCoverage } = this.#context
    return {
      status: DryRunStatus.Complete,
      tests: results,
      ...(coverageAnalysis !== 'off' && mutantCoverage && { mutantCoverage }),
    }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, disableBail, hitLimit, mutantActivation, testFilter } = options
    if (mutantActivation === 'static') this.#context.activeMutant = activeMutant.id
    await this.#load()
    this.#context.activeMutant = activeMutant.id
    if (hitLimit !== undefined) Object.assign(this.#context, { hitCount: 0, hitLimit })
    const results = await this.#run(testFilter, !disableBail)
    delete this.#context.activeMutant
    const endless = determineHitLimitReached(this.#context.hitCount, this.#context.hitLimit)
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: results })
  }

  async dispose(): Promise<void> {
    for (const cleanUp of cleanUps) await cleanUp()
  }

  async #load(): Promise<void> {
    if (this.#loaded) return
    this.#loaded = true
    const files = new Set<string>()
    for await (const file of glob(this.#patterns)) if (!this.#slow.test(file)) files.add(resolve(file))
    for (const file of [...files].sort()) await import(pathToFileURL(file).href)
  }

  async #run(filter: readonly string[] | undefined, bail: boolean): Promise<TestResult[]> {
    const wanted = filter && new Set(filter)
    const chosen = tests
      .filter(({ id }) => wanted?.has(id) ?? true)
      .sort((a, b) => (this.#durations.get(a.id) ?? 0) - (this.#durations.get(b.id) ?? 0))
    const results: TestResult[] = []
    for (const { id, run } of chosen) {
      this.#context.currentTestId = id
      const start = performance.now()
      this.#uncaught = undefined
      const failure = await Promise.resolve()
        .then(run)
        .then(
          () => (this.#uncaught === undefined ? undefined : String(this.#uncaught)),
          (error: unknown) => String(error),
        )
      const timeSpentMs = performance.now() - start
      const base = { id, name: id, timeSpentMs }
      if (failure === undefined) this.#durations.set(id, timeSpentMs)
      results.push(
        failure === undefined
          ? { ...base, status: TestStatus.Success }
          : { ...base, status: TestStatus.Failed, failureMessage: failure },
      )
      if (failure !== undefined && bail) break
    }
    delete this.#context.currentTestId
    return results
  }
}

function createRunner(options: StrykerOptions): TestRunner {
  return new LoadedTests(options)
}
createRunner.inject = [commonTokens.options] as [typeof commonTokens.options]

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'loaded-tests', createRunner)]
