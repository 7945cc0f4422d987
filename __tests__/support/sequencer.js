import { readFileSync } from 'node:fs'

/**
 * The order of the test files, in a fresh clone as later: first those that wait on a faster clock,
 * as the last would be waited for alone, then the others that start the action, as a start takes
 * longer the more memory the worker has, then by size.
 */
export default class Sequencer {
  sort(tests) {
    const sources = new Map(tests.map((test) => [test, readFileSync(test.path, 'utf8')]))
    const weightOf = (test) => {
      const source = sources.get(test)
      const startsTheAction = test.context.config.displayName.name === 'bundle'
      const waits = source.includes('withClock(')
      return (waits ? 2e9 : startsTheAction ? 1e9 : 0) + source.length
    }
    return tests.toSorted((one, other) => weightOf(other) - weightOf(one))
  }

  cacheResults() {}
}
