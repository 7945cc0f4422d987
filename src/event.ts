import type { Problem } from './problem.ts'
import { code, text } from './text/text.ts'

/** What of a run's context tells what kind of event started it. */
export interface RunEvent {
  readonly actor: string
  readonly eventName: string
  readonly payload: Readonly<Record<string, unknown>>
}

const pullRequestEvents = ['pull_request', 'pull_request_review', 'pull_request_review_comment']
/** https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot/troubleshooting-dependabot-on-github-actions */
const dependabotEvents = [...pullRequestEvents, 'push', 'create', 'deployment', 'deployment_status']

/**
 * Why a run gets no secrets, if it is one of those: a pull request from a fork, or by Dependabot. Others, such as on
 * pull_request_target or workflow_run, stand on the base branch and get them.
 * https://docs.github.com/en/actions/reference/security/secure-use#using-secrets
 */
export function whyNoSecrets({ actor, eventName, payload }: RunEvent): Problem | undefined {
  if (actor === 'dependabot[bot]' && dependabotEvents.includes(eventName)) {
    return skipped(
      'by Dependabot, which gets only the secrets of Dependabot',
      'Store the token there too (Settings, Secrets and variables, Dependabot). Or',
    )
  }
  const pullRequest = pullRequestEvents.includes(eventName) ? objectIn(payload, 'pull_request') : undefined
  if (pullRequest === undefined) return undefined
  // The repository of the head is null when the fork was deleted.
  const head = objectIn(objectIn(pullRequest, 'head'), 'repo')?.['full_name']
  const base = objectIn(objectIn(pullRequest, 'base'), 'repo')?.['full_name']
  return head === base ? undefined : skipped('for a pull request from a fork, which gets no secrets', 'Instead,')
}

/**
 * A warning in a run for another event of a release than `published`.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#release
 */
export function otherReleaseEvent({ eventName, payload }: RunEvent): readonly Problem[] {
  const action = payload['action']
  if (eventName !== 'release' || typeof action !== 'string' || action === 'published') return []
  return [
    {
      title: 'This is not the event of a published release',
      text: text`This run is for the release event ${action}. One release fires several events, and each starts a run that posts the files.\nWrite ${code('on: { release: { types: [published] } }')} in the workflow, which comes once for each release.`,
    },
  ]
}

function skipped(run: string, first: string): Problem {
  return {
    title: 'Skipped: this run gets no secrets',
    text: [
      `This run is ${run}: there is no token, and nothing is posted.`,
      `${first} post the files from a workflow on workflow_run, which downloads the artifacts of this run and starts none of its code.`,
      'Channel identifiers are no secrets: keep them in vars.',
    ].join('\n'),
  }
}

function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof member === 'object' && member !== null ? (member as Readonly<Record<string, unknown>>) : undefined
}
