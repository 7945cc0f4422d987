import type { RunContext } from '../../src/context.ts'

/** The context of a push to a branch, unless said otherwise. */
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
