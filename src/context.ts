import * as core from '@actions/core'
import type { context as githubContext } from '@actions/github'
import { type Json, objectIn } from './json.ts'
import { fatal, notice, type Problem } from './problem.ts'
import { text } from './text/text.ts'

type Known = 'actor' | 'eventName' | 'runAttempt' | 'runId' | 'serverUrl' | 'workflow'

export interface RunContext extends Readonly<Pick<typeof githubContext, Known>> {
  /** `refs/heads/main` */
  readonly ref: string | undefined
  /** `owner/name` */
  readonly repository: string | undefined
  /** Untrusted. */
  readonly payload: Json
}

/** Outside of GitHub Actions, the command would show the secret. */
export function maskSecret(secret: string): void {
  if (secret !== '' && process.env['GITHUB_ACTIONS'] === 'true') core.setSecret(secret)
}

/** Imports `@actions/github` late, because it reads the event when it is imported. */
export async function readContext(): Promise<RunContext> {
  const { context } = await import(/* webpackMode: "eager" */ '@actions/github').catch(refuseEvent)
  return { ...context, repository: process.env['GITHUB_REPOSITORY'] }
}

function refuseEvent(): never {
  const path = process.env['GITHUB_EVENT_PATH'] ?? ''
  const explanation = text`${path}, the file of \`GITHUB_EVENT_PATH\`, cannot be read as JSON.\nDoes an earlier step change this file or this variable? Leave both to the runner.`
  throw fatal('The event of the run cannot be read', explanation)
}

const pullRequestEvents = ['pull_request', 'pull_request_review', 'pull_request_review_comment']
/**
 * Dependabot's runs on these events get no secrets.
 * https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot
 */
const dependabotEvents = [...pullRequestEvents, 'push', 'create', 'deployment', 'deployment_status']

/**
 * Runs on `pull_request_target` or `workflow_run` are on the base branch and get secrets.
 * https://docs.github.com/en/actions/reference/security/secure-use#using-secrets
 */
export function reasonForNoSecrets({ actor, eventName, payload }: RunContext): Problem | undefined {
  const isDependabot = actor === 'dependabot[bot]' && dependabotEvents.includes(eventName)
  const pullRequest = pullRequestEvents.includes(eventName)
    ? objectIn(payload, 'pull_request')
    : undefined
  // `repo` is null if the fork was deleted.
  const head = objectIn(objectIn(pullRequest, 'head'), 'repo')?.['full_name']
  const base = objectIn(objectIn(pullRequest, 'base'), 'repo')?.['full_name']
  const isFromFork = head !== base
  if (!isDependabot && !isFromFork) return undefined
  const why = isDependabot
    ? text`was started by Dependabot and gets only Dependabot's secrets`
    : text`is for a pull request from a fork and gets no secrets`
  const remedy = isDependabot
    ? text`Add the token to them (Settings, Secrets and variables, Dependabot). Or`
    : text`Instead,`
  const explanation = text`This run ${why}: there is no token, and nothing is posted.\n${remedy} post the files from a workflow on \`workflow_run\` that downloads this run's artifacts and runs none of its code.\nChannel IDs aren't secret: keep them in \`vars\`.`
  return notice('Skipped: this run gets no secrets', explanation, 'forks')
}
