import type { RunContext } from '../context.ts'
import { isObject, type Json, listIn, numberIn, objectIn, textIn } from '../json.ts'
import { shorten } from '../text/sanitize.ts'

/** The label is text from outside. */
export interface Link {
  readonly label: string
  readonly url?: string | undefined
}

/** GitHub's short form, `octo-org/octo-repo@main`, fits on a phone's line of 45 characters. */
export function sourceOf(context: RunContext): readonly Link[] {
  const own = ownSource(context)
  // Deployment events carry a `workflow_run`, too.
  const followed =
    context.eventName === 'workflow_run' ? objectIn(context.payload, 'workflow_run') : undefined
  if (followed) return [followedLink(context.payload, followed, own)]
  const release = objectIn(context.payload, 'release')
  const tag = nameIn(release, 'tag_name')
  if (tag === undefined) return [eventLink(context, own)]
  const title = releaseTitle(tag, nameIn(release, 'name'))
  const { attempt, repository, url } = own
  return [
    { label: `${repository} ${title}`, url: textIn(release, 'html_url') },
    { label: attempt > 1 ? `attempt ${attempt}` : 'run', url },
  ]
}

/** Members of the payload, and the key of their title. */
const titles = [
  ['workflow_run', 'display_title'],
  ['pull_request', 'title'],
  ['issue', 'title'],
  ['discussion', 'title'],
  ['milestone', 'title'],
  ['release', 'name'],
  ['release', 'tag_name'],
] as const

/** For `{subject}`. Defaults to the name of the workflow. */
export function subjectOf(context: RunContext): Link {
  const { payload, workflow } = context
  for (const [name, title] of titles) {
    const holder = objectIn(payload, name)
    const label = nameIn(holder, title)
    if (label !== undefined) return { label, url: textIn(holder, 'html_url') }
  }
  const commit =
    objectIn(payload, 'head_commit') ?? objectIn(objectIn(payload, 'merge_group'), 'head_commit')
  const [line] = (textIn(commit, 'message') ?? '').trim().split(/\r?\n/)
  if (line) return { label: line, url: textIn(commit, 'url') }
  return { label: workflow || 'a workflow run', url: ownSource(context).url }
}

interface Source {
  /** Empty for a deleted fork. */
  readonly repository: string
  readonly attempt: number
  readonly id?: number | undefined
  readonly url?: string | undefined
}

function ownSource({ repository = '', runAttempt, runId, serverUrl }: RunContext): Source {
  const attempt = runAttempt || 1
  // Outside of GitHub Actions there is no run.
  if (!runId) return { repository, attempt }
  return {
    repository,
    attempt,
    id: runId,
    url: `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${attempt}`,
  }
}

function linkTo({ attempt, url }: Source, ...parts: readonly string[]): Link {
  return {
    label: [...parts, attempt > 1 ? `attempt ${attempt}` : ''].filter(Boolean).join(', '),
    url,
  }
}

/** On `workflow_run`, the source is the run that this one follows. It may be of a fork. */
function followedLink(payload: Json, followed: Json, own: Source): Link {
  const run = {
    repository: textIn(objectIn(followed, 'head_repository'), 'full_name') ?? '',
    attempt: numberIn(followed, 'run_attempt') ?? 1,
    id: numberIn(followed, 'id'),
    url: textIn(followed, 'html_url'),
  }
  // For a push, the list has every open pull request of the branch, in other repositories, too.
  const isForOne = textIn(followed, 'event')?.startsWith('pull_request')
  const ownId = numberIn(objectIn(payload, 'repository'), 'id')
  const hasOwnBase = (pull: Json) =>
    numberIn(objectIn(objectIn(pull, 'base'), 'repo'), 'id') === ownId
  const pullRequest = isForOne
    ? listIn(followed, 'pull_requests').filter(isObject).find(hasOwnBase)
    : undefined
  const number = numberIn(pullRequest, 'number')
  if (number !== undefined) return linkTo(run, `${own.repository}#${number}`)
  return refLink(run, textIn(followed, 'head_branch'))
}

function eventLink({ eventName, payload, ref = '' }: RunContext, own: Source): Link {
  const issue = objectIn(payload, 'issue')
  // In comment events, a pull request is an issue with this member.
  const pullRequest =
    objectIn(payload, 'pull_request') ?? (objectIn(issue, 'pull_request') && issue)
  const number = numberIn(pullRequest, 'number')
  if (number !== undefined) return linkTo(own, `${own.repository}#${number}`)

  const [, name] = /^refs\/(?:heads|tags)\/(.+)$/s.exec(ref) ?? []
  return refLink(own, name, startedBy.get(eventName))
}

const startedBy = new Map([
  ['schedule', 'scheduled'],
  ['workflow_dispatch', 'manual'],
])

function refLink(source: Source, name: string | undefined, start = ''): Link {
  const { id, repository } = source
  const run = id === undefined ? 'a workflow run' : `run ${id}`
  if (name === undefined) return linkTo(source, repository, start || run)
  // A merge queue's branch is `gh-readonly-queue/main/pr-7-<commit>`.
  const [, number] = /^gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]{40,64}$/s.exec(name) ?? []
  const at = [repository, name].filter(Boolean).join('@')
  return linkTo(source, number ? `${repository}#${number}` : at, start)
}

/** `Spring (v1.2)`, but `Release v1.2` unchanged. */
function releaseTitle(tag: string, name: string | undefined): string {
  if (name === undefined) return tag
  return name.split(/[\s(),:;]+/).includes(tag) ? name : `${name} (${tag})`
}

function nameIn(json: Json | undefined, key: string): string | undefined {
  const value = textIn(json, key)
  return value?.trim() ? value : undefined
}

/** Characters. The first line of a commit is often longer. */
const maxLabelLength = 300

export function linkToPost({ label, url }: Link, removeToken: (value: string) => string): Link {
  return { label: shorten(removeToken(label), maxLabelLength), url: url && removeToken(url) }
}
