import type { Problem } from './problem.ts'

/** What of an event tells whether its run gets secrets. */
export interface RunEvent {
  readonly actor: string
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Why a run gets no secrets, if it is one of those: a pull request from a fork, or by Dependabot.
 * https://docs.github.com/en/actions/reference/security/secure-use#using-secrets
 */
export function whyNoSecrets({ actor, payload }: RunEvent): Problem | undefined {
  const pullRequest = objectIn(payload, 'pull_request')
  const dependabot = 'dependabot[bot]'
  if (actor === dependabot || objectIn(pullRequest, 'user')?.['login'] === dependabot) {
    return skipped(
      'a run by Dependabot',
      'Dependabot has secrets of its own: store the token there too (Settings, Secrets, Dependabot), or',
    )
  }
  if (pullRequest === undefined) return undefined
  // The repository of the head is null when the fork was deleted.
  const head = objectIn(objectIn(pullRequest, 'head'), 'repo')?.['full_name']
  const base = objectIn(objectIn(pullRequest, 'base'), 'repo')?.['full_name']
  return head === base ? undefined : skipped('a pull request from a fork', 'To post its files anyway,')
}

function skipped(run: string, first: string): Problem {
  return {
    title: 'Skipped: this run gets no secrets',
    text: [
      `This is ${run}: GitHub gives it no secrets, so there is no token, and nothing is posted.`,
      `${first} post them from a workflow on workflow_run that downloads this run's artifacts. Channel identifiers are no secrets: keep them in vars.`,
    ].join('\n'),
  }
}

function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof member === 'object' && member !== null ? (member as Readonly<Record<string, unknown>>) : undefined
}
