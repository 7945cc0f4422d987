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

describe('the source is', () => {
  const queue = `refs/heads/gh-readonly-queue/main/pr-123-${'0a'.repeat(20)}`
  const longer = `gh-readonly-queue/a/pr-1-${'0'.repeat(65)}`
  const nested = `x/gh-readonly-queue/a/pr-1-${'0'.repeat(40)}`
  const event = (eventName: string, payload: RunContext['payload'] = {}) => ({ eventName, payload })
  test.each<[string, Partial<RunContext>, string]>([
    ['a branch', { ref: 'refs/heads/feature/a/b' }, 'octo/app@feature/a/b'],
    ['a tag', { ref: 'refs/tags/v1.2' }, 'octo/app@v1.2'],
    [
      'the number of a pull request',
      event('pull_request', { pull_request: { number: 7 } }),
      'octo/app#7',
    ],
    ['a schedule', event('schedule', { schedule: '0 5 * * *' }), 'octo/app@main, scheduled'],
    ['a manual run', event('workflow_dispatch'), 'octo/app@main, manual'],
    ['the pull request of a merge queue', { ref: queue }, 'octo/app#123'],
    ['one that ends otherwise', { ref: `refs/heads/${longer}` }, `octo/app@${longer}`],
    ['one that begins otherwise', { ref: `refs/heads/${nested}` }, `octo/app@${nested}`],
    [
      'the pull request of a comment',
      event('issue_comment', { issue: { number: 7, pull_request: {} } }),
      'octo/app#7',
    ],
    [
      'the branch, for an event that carries another run',
      event('deployment_status', { workflow_run: followed }),
      'octo/app@main',
    ],
    [
      'the branch, for a comment on an issue',
      event('issue_comment', { issue: { number: 7 } }),
      'octo/app@main',
    ],
    [
      'the run, without a ref',
      { eventName: 'repository_dispatch', ref: undefined },
      'octo/app, run 42',
    ],
    ['the run, with another ref', { ref: 'refs/pull/7/merge' }, 'octo/app, run 42'],
    [
      'the branch, with an odd payload',
      { payload: { release: 'x', pull_request: { number: '7' } } },
      'octo/app@main',
    ],
    [
      'a run, outside of GitHub Actions and without a ref',
      { repository: undefined, runId: Number.NaN, ref: undefined },
      'a workflow run',
    ],
  ])('%s', (_what, given, label) => {
    expect(labelsOf(given)).toEqual([label])
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

  test.each<[string, object, string]>([
    ['of the repository', {}, 'octo/app@main'],
    [
      'of a fork, which is named',
      { head_repository: { full_name: 'someone/app' } },
      'someone/app@main',
    ],
    ['of a fork that was deleted', { head_repository: null }, 'main'],
    [
      'for a pull request',
      { event: 'pull_request', pull_requests: [pullRequest(1)] },
      'octo/app#5',
    ],
    [
      'for a push to its branch',
      { event: 'push', pull_requests: [pullRequest(1)] },
      'octo/app@main',
    ],
    [
      'for several',
      { event: 'pull_request', pull_requests: [pullRequest(2, 9), pullRequest(1)] },
      'octo/app#5',
    ],
    [
      'for a merge queue',
      { head_branch: `gh-readonly-queue/main/pr-5-${'0a'.repeat(20)}` },
      'octo/app#5',
    ],
    ['without a branch', { head_branch: null }, 'octo/app, run 7'],
  ])('%s', (_what, more, label) => {
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
  const titled = { title: 'Return Vec<T>', html_url: url }

  test.each<[string, RunContext['payload'], string]>([
    ['the title of a pull request', { pull_request: titled }, 'Return Vec<T>'],
    ['the title of an issue', { issue: titled, comment: { body: 'x' } }, 'Return Vec<T>'],
    ['the title of a discussion', { discussion: titled, comment: { body: 'x' } }, 'Return Vec<T>'],
    ['the title of a milestone', { milestone: titled }, 'Return Vec<T>'],
    [
      'the title of an issue that gets a milestone',
      { issue: titled, milestone: { title: 'v2' } },
      'Return Vec<T>',
    ],
    [
      'the first line of the commit of a merge queue',
      { merge_group: { head_commit: { message: 'Fix it (#7)\n\nWhy', url } } },
      'Fix it (#7)',
    ],
    [
      'the name of a release',
      { release: { name: 'Spring', tag_name: 'v1', html_url: url } },
      'Spring',
    ],
    [
      'the tag of a release without a name',
      { release: { name: null, tag_name: 'v1', html_url: url } },
      'v1',
    ],
    [
      'the first line of a commit',
      { head_commit: { message: 'Bump a from 1 -> 2\n\nWhy', url } },
      'Bump a from 1 -> 2',
    ],
    [
      'what the run is for that it follows',
      { workflow_run: { display_title: 'Fix it', html_url: url } },
      'Fix it',
    ],
  ])('%s, with a link', (_, payload, label) => {
    expect(of(payload)).toEqual({ label, url })
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
