import type { RunContext } from '../../src/context.ts'

/** By default, the context of a push to a branch. */
export function runContext(more: Partial<RunContext> = {}): RunContext {
  return {
    actor: 'octocat',
    eventName: 'push',
    ref: 'refs/heads/main',
    runId: 42,
    runAttempt: 1,
    serverUrl: 'https://github.com',
    workflow: 'CI',
    repository: 'octo/app',
    payload: {},
    ...more,
  }
}
