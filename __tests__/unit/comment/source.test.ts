import { describe, expect, test } from '@jest/globals'
import { linkToPost, sourceOf, subjectOf } from '../../../src/comment/source.ts'
import type { RunContext } from '../../../src/context.ts'
import { tokenRemover } from '../../../src/text/token.ts'
import { runContext } from '../../support/context.ts'

const attemptUrl = (attempt: number) =>
  `https://github.com/octo/app/actions/runs/42/attempts/${attempt}`
const labelsOf = (given: Partial<RunContext>) =>
  sourceOf(runContext(given)).map(({ label }) => label)

/** Of `workflow_run`. */
const followed = {
  id: 7,
  run_attempt: 2,
  html_url: 'https://github.com/octo/app/actions/runs/7',
  head_branch: 'main',
  head_repository: { full_name: 'octo/app' },
  pull_requests: [],
}

describe('the source of', () => {
  const queue = `gh-readonly-queue/main/pr-123-${'0a'.repeat(20)}`
  const longer = `${queue}${'0'.repeat(25)}`
  const nested = `x/${queue}`
  const pull = { number: 7 }
  test.each<[Partial<RunContext>, string]>([
    [{ ref: 'refs/heads/feature/a/b' }, '@feature/a/b'],
    [{ ref: 'refs/tags/v1.2' }, '@v1.2'],
    [{ payload: { pull_request: pull } }, '#7'],
    // A comment on a pull request, and on an issue.
    [{ payload: { issue: { ...pull, pull_request: {} } } }, '#7'],
    [{ payload: { issue: pull } }, '@main'],
    [{ eventName: 'schedule' }, '@main, scheduled'],
    [{ eventName: 'workflow_dispatch' }, '@main, manual'],
    [{ ref: `refs/heads/${queue}` }, '#123'],
    [{ ref: `refs/heads/${longer}` }, `@${longer}`],
    [{ ref: `refs/heads/${nested}` }, `@${nested}`],
    // The event of a deployment carries another run.
    [{ eventName: 'deployment_status', payload: { workflow_run: followed } }, '@main'],
    [{ ref: undefined }, ', run 42'],
    [{ ref: 'refs/pull/7/merge' }, ', run 42'],
    [{ payload: { release: 'x', pull_request: { number: '7' } } }, '@main'],
  ])('%j is octo/app%s', (given, label) => {
    expect(labelsOf(given)).toEqual([`octo/app${label}`])
  })

  test('a run outside of GitHub Actions is a workflow run', () => {
    const outside = { repository: undefined, runId: Number.NaN, ref: undefined }
    expect(labelsOf(outside)).toEqual(['a workflow run'])
  })
})

describe('the source of a release', () => {
  const url = 'https://github.com/octo/app/releases/tag/v1.2'
  const release = (tag: string, name: string | null = null) => ({
    eventName: 'release',
    payload: { release: { tag_name: tag, name, html_url: url } },
  })

  const saying = ['v1.2', '(v1.2)', 'v1.2, the second', 'v1.2: Spring', 'Release v1.2']
  const others = ['v1.2-rc1', 'v1.2.3', '3.1.2', 'Rev1.2', 'Backports of v1.20']
  test.each<readonly [string, string | null, string]>([
    ['v1.2', null, 'v1.2'],
    ['v1', 'Spring', 'Spring (v1)'],
    ...others.map((name) => ['v1.2', name, `${name} (v1.2)`] as const),
    ...saying.map((name) => ['v1.2', name, name] as const),
  ])('is its name, with the tag %s if the name does not say it: %s', (tag, name, title) => {
    expect(sourceOf(runContext(release(tag, name)))).toEqual([
      { label: `octo/app ${title}`, url },
      { label: 'run', url: attemptUrl(1) },
    ])
  })

  test('names another attempt than the first', () => {
    expect(labelsOf({ ...release('v1'), runAttempt: 2 })).toEqual(['octo/app v1', 'attempt 2'])
  })
})

describe('the source of a run that follows another is that one', () => {
  const repository = { id: 1 }
  const pullRequest = (id: number, number = 5) => ({ number, base: { repo: { id } } })

  test.each<[more: object, label: string]>([
    [{}, 'octo/app@main'],
    // Of a fork, which may have been deleted.
    [{ head_repository: { full_name: 'someone/app' } }, 'someone/app@main'],
    [{ head_repository: null }, 'main'],
    [{ event: 'pull_request', pull_requests: [pullRequest(1)] }, 'octo/app#5'],
    [{ event: 'push', pull_requests: [pullRequest(1)] }, 'octo/app@main'],
    [{ event: 'pull_request', pull_requests: [pullRequest(2, 9), pullRequest(1)] }, 'octo/app#5'],
    // Of a merge queue.
    [{ head_branch: `gh-readonly-queue/main/pr-5-${'0a'.repeat(20)}` }, 'octo/app#5'],
    [{ head_branch: null }, 'octo/app, run 7'],
  ])('%j: %s', (more, label) => {
    const given = {
      eventName: 'workflow_run',
      payload: { repository, workflow_run: { ...followed, ...more } },
    }
    expect(sourceOf(runContext(given))).toEqual([
      { label: `${label}, attempt 2`, url: followed.html_url },
    ])
  })

  test('of an unusual shape, without a link', () => {
    const unusual = { id: null, html_url: 7, pull_requests: [null], head_repository: 7 }
    const payload = { workflow_run: { ...followed, ...unusual } }
    expect(labelsOf({ eventName: 'workflow_run', payload })).toEqual(['main, attempt 2'])
  })
})

describe('the subject is', () => {
  const url = 'https://github.com/octo/app/7'
  const of = (payload: RunContext['payload']) =>
    subjectOf(runContext({ workflow: 'Nightly', payload }))
  const titled = { title: 'Fix it', html_url: url }
  const commit = { message: 'Fix it\n\nWhy', url }

  test.each<RunContext['payload']>([
    { pull_request: titled },
    { issue: titled, comment: { body: 'x' } },
    { discussion: titled, comment: { body: 'x' } },
    { milestone: titled },
    // An issue that gets a milestone.
    { issue: titled, milestone: { title: 'v2' } },
    { release: { name: 'Fix it', tag_name: 'v1', html_url: url } },
    { release: { name: null, tag_name: 'Fix it', html_url: url } },
    { head_commit: commit },
    // Of a merge queue.
    { merge_group: { head_commit: commit } },
    { workflow_run: { display_title: 'Fix it', html_url: url } },
  ])('the title or first line, with a link: %j', (payload) => {
    expect(of(payload)).toEqual({ label: 'Fix it', url })
  })

  test.each<RunContext['payload']>([
    {},
    { issue: { title: ' ' } },
    { head_commit: { message: '\n' } },
  ])('the workflow, with a link to the run, if the event has none: %j', (payload) => {
    expect(of(payload)).toEqual({ label: 'Nightly', url: attemptUrl(1) })
  })
})

test('a link is posted without the token, also where its label is cut', () => {
  const token = 'xoxb-made-up-for-this-test'
  const long = `${'x'.repeat(140)}${token}${'y'.repeat(1_000)}`
  const posted = linkToPost({ label: long, url: `https://x.example/${token}` }, tokenRemover(token))
  expect(posted).toEqual({
    label: `${'x'.repeat(140)}***yyyyyy…${'y'.repeat(149)}`,
    url: 'https://x.example/***',
  })
})

test('the link to a run is of its attempt, on its server', () => {
  const urlOf = (more: Partial<RunContext>) => sourceOf(runContext(more))[0]?.url
  expect(urlOf({ runAttempt: 2 })).toBe(attemptUrl(2))
  expect(urlOf({ runAttempt: Number.NaN })).toBe(attemptUrl(1))
  expect(urlOf({ serverUrl: 'https://github.corp.example' })).toBe(
    'https://github.corp.example/octo/app/actions/runs/42/attempts/1',
  )
  expect(urlOf({ runId: Number.NaN })).toBeUndefined()
})
