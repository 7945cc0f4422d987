import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { context as githubContext } from '@actions/github'
import { isObject, type Json, listIn, numberIn, objectIn, textIn } from './json.ts'
import { notice, type Problem, warning } from './problem.ts'
import { code, type Text, text } from './text/text.ts'
import { tokenRemover } from './text/token.ts'

type KnownContext = Pick<
  typeof githubContext,
  'action' | 'actor' | 'eventName' | 'job' | 'runAttempt' | 'runId' | 'serverUrl'
>

/**
 * The run, as `@actions/github` knows it. `action` is the ID of the step, or the name that the runner gives it. All steps of a
 * composite action have that of the step that uses the composite action.
 */
export interface RunContext extends Readonly<KnownContext> {
  /** Such as `refs/heads/main`. */
  readonly ref: string | undefined
  /** `owner/name` */
  readonly repository: string | undefined
  /** The folder for temporary files of the job. */
  readonly temp?: string | undefined
  /** Text from outside. */
  readonly payload: Json
}

/** Text from outside, and where it leads. */
export interface Link {
  readonly label: string
  readonly url?: string | undefined
}

interface WorkflowRun {
  readonly id: number
  readonly attempt: number
  /** Of this attempt, if the run is the one that posts. */
  readonly url: string
}

/** The context of the run. If the event file cannot be read, the run goes on without the event, and a warning says why. */
export async function readContext(): Promise<{ readonly context: RunContext; readonly problems: readonly Problem[] }> {
  const path = process.env['GITHUB_EVENT_PATH']
  const reason = path ? reasonForNoEvent(path) : undefined
  // The package would throw. The variable is set again, because the file must not be sent either.
  if (reason) delete process.env['GITHUB_EVENT_PATH']
  // The package reads the event when it is imported, so it is not imported at the top of this file.
  const { context } = await import(/* webpackMode: "eager" */ '@actions/github')
  if (reason) process.env['GITHUB_EVENT_PATH'] = path
  const known = { ...context, repository: process.env['GITHUB_REPOSITORY'], temp: process.env['RUNNER_TEMP'] }
  return { context: known, problems: reason ? [warning('The run continues without its event', reason)] : [] }
}

function reasonForNoEvent(path: string): Text | undefined {
  try {
    if (isObject(JSON.parse(readFileSync(path, 'utf8')))) return undefined
  } catch {}
  return text`The event file ${path} cannot be read, or does not hold a JSON object. The comment names no release or pull request.\nThe runner writes this file, and ${code('GITHUB_EVENT_PATH')} names it. Does a step change it?`
}

/**
 * What the run is for, with links, for `{source}`. No part of it contains the token, because it is posted.
 *
 * The repository comes first: many can post to one channel. What follows is GitHub's own short form, because a phone shows
 * about 45 characters per line: with the default comment, `octo-org/octo-repo@main` fits, and a whole sentence does not.
 */
export function sourceOf(context: RunContext, token: string): readonly Link[] {
  const removeToken = tokenRemover(token)
  const repository = removeToken(context.repository ?? '')
  const run = repository === '' ? undefined : runOf(context, repository)
  const followed = objectIn(context.payload, 'workflow_run')
  if (followed) return [followedLink(followed, { repository, run }, removeToken)]
  const release = objectIn(context.payload, 'release')
  const tag = nameIn(release, 'tag_name', removeToken)
  if (tag === undefined) return [eventLink(context, { repository, run }, removeToken)]
  const title = releaseTitle(tag, nameIn(release, 'name', removeToken))
  const label = repository === '' ? title : `${repository} ${title}`
  return [
    { label, url: urlIn(release, 'html_url', removeToken) },
    ...(run ? [{ label: attemptOf(run) || 'run', url: run.url }] : []),
  ]
}

type RemoveToken = ReturnType<typeof tokenRemover>

/** A run, and the repository that it is for: empty if it is unknown. */
interface Source {
  readonly repository: string
  readonly run: WorkflowRun | undefined
}

function runOf({ runAttempt, runId, serverUrl }: RunContext, repository: string): WorkflowRun | undefined {
  if (!Number.isSafeInteger(runId)) return undefined
  const attempt = Number.isSafeInteger(runAttempt) ? runAttempt : 1
  return { id: runId, attempt, url: `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${attempt}` }
}

function attemptOf({ attempt }: WorkflowRun): string {
  return attempt > 1 ? `attempt ${attempt}` : ''
}

function runLink(run: WorkflowRun | undefined, ...parts: readonly string[]): Link {
  return { label: [...parts, run ? attemptOf(run) : ''].filter(Boolean).join(', '), url: run?.url }
}

/** On workflow_run, the run that posts is on the default branch, so the source is the run that it follows, maybe of a fork. */
function followedLink(followed: Json, own: Source, removeToken: RemoveToken): Link {
  const url = urlIn(followed, 'html_url', removeToken)
  const id = numberIn(followed, 'id')
  const followedRun = url && id !== undefined && { id, attempt: numberIn(followed, 'run_attempt') ?? 1, url }
  const run = followedRun || own.run

  const number = numberIn(listIn(followed, 'pull_requests').find(isObject), 'number')
  if (number !== undefined) return runLink(run, `${own.repository}#${number}`)

  const head = nameIn(objectIn(followed, 'head_repository'), 'full_name', removeToken)
  // It is null if the fork was deleted.
  const repository = followed['head_repository'] === null ? '' : (head ?? own.repository)
  return refLink({ repository, run }, nameIn(followed, 'head_branch', removeToken))
}

function eventLink({ eventName, payload, ref = '' }: RunContext, own: Source, removeToken: RemoveToken): Link {
  const { repository, run } = own
  const issue = objectIn(payload, 'issue')
  // A comment on a pull request is an event of an issue that has this member.
  const pullRequest = objectIn(payload, 'pull_request') ?? (objectIn(issue, 'pull_request') && issue)
  const number = numberIn(pullRequest, 'number')
  if (number !== undefined) return runLink(run, `${repository}#${number}`)

  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(removeToken(ref)) ?? []
  if (eventName === 'schedule') return runLink(run, atRef(repository, name), 'scheduled')
  if (eventName === 'workflow_dispatch') return runLink(run, atRef(repository, name), 'manual')
  return refLink(own, name)
}

function refLink({ repository, run }: Source, name: string | undefined): Link {
  if (name === undefined) return runLink(run, repository, run ? `run ${run.id}` : 'a workflow run')
  // A merge queue tests a pull request on a branch such as `gh-readonly-queue/main/pr-7-<commit>`.
  const [, number] = /^gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]{40,64}$/s.exec(name) ?? []
  return runLink(run, number ? `${repository}#${number}` : atRef(repository, name))
}

function atRef(repository: string, name = ''): string {
  return repository === '' || name === '' ? repository + name : `${repository}@${name}`
}

/** The name of the release, with its tag if the name does not contain it as a whole version: `v1.20` does not contain `v1.2`. */
function releaseTitle(tag: string, name: string | undefined): string {
  if (name === undefined) return tag
  const parts = name.split(tag.replace(/^v(?=\d)/i, ''))
  const hasTag = parts.slice(1).some((after, index) => {
    const before = parts[index]?.replace(/v$/i, '') ?? ''
    return !/[\p{L}\p{N}.]$/u.test(before) && !/^[.+-]?[\p{L}\p{N}]/u.test(after)
  })
  return hasTag ? name : `${name} (${tag})`
}

/** Characters. A longer name of a release, tag or branch is cut: it would fill the comment, and memory. */
const maxNameLength = 300
/** Characters. A longer URL is left out, as one with the token is, because a shortened one leads elsewhere. */
const maxUrlLength = 3_000

function nameIn(json: Json | undefined, key: string, removeToken: RemoveToken): string | undefined {
  // Before the name is cut: a part of the token would not be found.
  const value = removeToken(textIn(json, key) ?? '')
  // A surrogate pair is not split.
  const start = value.slice(0, maxNameLength - 1).replace(/[\ud800-\udbff]$/, '')
  if (start.trim() === '') return undefined
  return value.length > maxNameLength ? `${start}…` : value
}

function urlIn(json: Json | undefined, key: string, removeToken: RemoveToken): string | undefined {
  const value = textIn(json, key)
  return value !== undefined && value.length <= maxUrlLength && removeToken(value) === value ? value : undefined
}

const pullRequestEvents = ['pull_request', 'pull_request_review', 'pull_request_review_comment']
/** https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot/troubleshooting-dependabot-on-github-actions */
const dependabotEvents = [...pullRequestEvents, 'push', 'create', 'deployment', 'deployment_status']

/**
 * Why the run gets no secrets, if it is for a pull request from a fork or by Dependabot. Runs on pull_request_target or
 * workflow_run are on the base branch and get secrets.
 * https://docs.github.com/en/actions/reference/security/secure-use#using-secrets
 */
export function reasonForNoSecrets({ actor, eventName, payload }: RunContext): Problem | undefined {
  if (actor === 'dependabot[bot]' && dependabotEvents.includes(eventName)) {
    return skipped(
      text`was started by Dependabot, which gets only the secrets of Dependabot`,
      text`Store the token there too (Settings, Secrets and variables, Dependabot). Or`,
    )
  }
  const pullRequest = pullRequestEvents.includes(eventName) ? objectIn(payload, 'pull_request') : undefined
  if (pullRequest === undefined) return undefined
  // The repository of the head is null if the fork was deleted.
  const head = objectIn(objectIn(pullRequest, 'head'), 'repo')?.['full_name']
  const base = objectIn(objectIn(pullRequest, 'base'), 'repo')?.['full_name']
  if (head === base) return undefined
  return skipped(text`is for a pull request from a fork, which gets no secrets`, text`Instead,`)
}

function skipped(run: Text, first: Text): Problem {
  return notice(
    'Skipped: this run gets no secrets',
    text`This run ${run}: there is no token, and nothing is posted.\n${first} post the files from a workflow on ${code('workflow_run')} that downloads the artifacts of this run and runs none of its code.\nChannel IDs are not secret: keep them in ${code('vars')}.`,
  )
}

export function isInFork({ payload }: RunContext): boolean {
  return objectIn(payload, 'repository')?.['fork'] === true
}

/** Not `released` and `prereleased`: they are how a workflow chooses between releases and prereleases. */
const otherReleaseEvents = ['created', 'deleted', 'edited', 'unpublished']

/**
 * A warning in a run for another release event than `published`.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#release
 */
export function warnOfReleaseEvent({ eventName, payload }: RunContext): readonly Problem[] {
  const action = textIn(payload, 'action')
  if (eventName !== 'release' || action === undefined || !otherReleaseEvents.includes(action)) return []
  const explanation = text`This run is for the release event ${action}. One release triggers several events, and each starts a run that posts the files.\nWrite ${code('on: { release: { types: [published] } }')} in the workflow: that event occurs once per release.`
  return [warning('A release event other than published', explanation)]
}

/**
 * The files through which steps talk to the runner, which are not sent because they hold what other steps put into the
 * environment; and the folders for files that a job keeps outside of its workspace.
 */
export function runnerPaths(environment: NodeJS.ProcessEnv): {
  readonly commandFiles: readonly string[]
  readonly knownFolders: readonly string[]
} {
  return {
    commandFiles: commandFiles.flatMap((name) => environment[name] || []),
    knownFolders: [environment['RUNNER_TEMP'] ?? '', homedir(), tmpdir()].filter((at) => isAbsolute(at)),
  }
}

const commandFiles = [
  'GITHUB_ARTIFACTS',
  'GITHUB_ARTIFACTS_LIST',
  'GITHUB_ENV',
  'GITHUB_OUTPUT',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH',
]
