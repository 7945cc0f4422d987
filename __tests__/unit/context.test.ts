import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type RunContext, readContext, reasonForNoSecrets, sourceOf, warnOfReleaseEvent } from '../../src/context.ts'
import { quoted } from '../../src/text/text.ts'

function context(more: Partial<RunContext>): RunContext {
  return {
    actor: 'octocat',
    eventName: 'push',
    ref: 'refs/heads/main',
    runId: 42,
    runAttempt: 1,
    job: 'reports',
    step: '__run',
    serverUrl: 'https://github.com',
    repository: 'octo/app',
    payload: {},
    ...more,
  }
}

const token = 'xoxb-made-up-for-this-test'

describe('what a run is for', () => {
  test.each<[string, Partial<RunContext>, object]>([
    ['a push to a branch', { ref: 'refs/heads/feature/a/b' }, { kind: 'branch', name: 'feature/a/b' }],
    ['a pushed tag', { ref: 'refs/tags/v1.2' }, { kind: 'tag', name: 'v1.2' }],
    [
      'a release',
      {
        eventName: 'release',
        ref: 'refs/tags/v1.2',
        payload: {
          release: { tag_name: 'v1.2', name: 'Spring', html_url: 'https://github.com/octo/app/releases/tag/v1.2' },
        },
      },
      { kind: 'release', tag: 'v1.2', name: 'Spring', url: 'https://github.com/octo/app/releases/tag/v1.2' },
    ],
    [
      'a release without a name',
      { eventName: 'release', payload: { release: { tag_name: 'v1.2', name: null, html_url: null } } },
      { kind: 'release', tag: 'v1.2' },
    ],
    [
      'a pull request, by its number and not its title',
      {
        eventName: 'pull_request',
        ref: 'refs/pull/7/merge',
        payload: { pull_request: { number: 7, title: '<!channel>' } },
      },
      { kind: 'pull-request', number: 7 },
    ],
    ['a schedule', { eventName: 'schedule', payload: { schedule: '0 5 * * *' } }, { kind: 'schedule', ref: 'main' }],
    ['a manual run', { eventName: 'workflow_dispatch' }, { kind: 'manual', ref: 'main' }],
    ['a manual run without a ref', { eventName: 'workflow_dispatch', ref: undefined }, { kind: 'manual' }],
    [
      'a run that follows another, by the branch of that one',
      { eventName: 'workflow_run', payload: { workflow_run: { head_branch: 'feature' } } },
      { kind: 'branch', name: 'feature' },
    ],
    [
      'a pull request of a merge queue',
      { eventName: 'merge_group', ref: `refs/heads/gh-readonly-queue/main/pr-123-${'0a'.repeat(20)}` },
      { kind: 'pull-request', number: 123 },
    ],
    [
      'a branch that is named nearly like that of a merge queue',
      { ref: 'refs/heads/gh-readonly-queue/main/pr-123-x' },
      { kind: 'branch', name: 'gh-readonly-queue/main/pr-123-x' },
    ],
    [
      'a comment on a pull request',
      { eventName: 'issue_comment', payload: { issue: { number: 7, pull_request: { url: 'x' } } } },
      { kind: 'pull-request', number: 7 },
    ],
    [
      'a comment on an issue',
      { eventName: 'issue_comment', payload: { issue: { number: 7 } } },
      { kind: 'branch', name: 'main' },
    ],
    ['an event without a ref', { eventName: 'repository_dispatch', ref: undefined }, { kind: 'run' }],
    [
      'a payload of another shape',
      { payload: { release: 'x', pull_request: { number: '7' } } },
      { kind: 'branch', name: 'main' },
    ],
  ])('is %s', (_what, given, origin) => {
    expect(sourceOf(context(given), token).origin).toEqual(origin)
  })
})

describe('a run that follows another is for that one', () => {
  const followed = {
    id: 7,
    run_attempt: 2,
    html_url: 'https://github.com/octo/app/actions/runs/7',
    head_branch: 'main',
    head_repository: { full_name: 'octo/app' },
    pull_requests: [],
  }
  const run = { id: 7, attempt: 2, url: followed.html_url }
  const branch = { kind: 'branch', name: 'main' }
  const own = { id: 42, attempt: 1, url: 'https://github.com/octo/app/actions/runs/42/attempts/1' }

  test.each<[string, object, object]>([
    ['of the repository', {}, { origin: branch, repository: 'octo/app', run }],
    [
      'of a fork, which is named',
      { head_repository: { full_name: 'someone/app' } },
      { origin: branch, repository: 'someone/app', run },
    ],
    ['of a fork that was deleted', { head_repository: null }, { origin: branch, run }],
    [
      'for a pull request',
      { pull_requests: [{ number: 5 }], head_branch: 'feature' },
      { origin: { kind: 'pull-request', number: 5 }, repository: 'octo/app', run },
    ],
    [
      'for a merge queue',
      { head_branch: `gh-readonly-queue/main/pr-5-${'0a'.repeat(20)}` },
      { origin: { kind: 'pull-request', number: 5 }, repository: 'octo/app', run },
    ],
    ['without a branch', { head_branch: null }, { origin: { kind: 'run' }, repository: 'octo/app', run }],
    [
      'of an unusual shape, with a link to the run that posts',
      { html_url: 7, pull_requests: [null], head_repository: 7 },
      { origin: branch, repository: 'octo/app', run: own },
    ],
  ])('%s', (_what, more, source) => {
    const payload = { workflow_run: { ...followed, ...more } }
    expect(sourceOf(context({ eventName: 'workflow_run', payload }), token)).toEqual(source)
  })
})

describe('the token', () => {
  test('is removed from every name before it is cut, and a URL that contains it is left out', () => {
    const release = {
      tag_name: `v1-${token}`,
      name: `${'x'.repeat(280)}${token}`,
      html_url: `https://x.example/${token}`,
    }
    const source = sourceOf(context({ payload: { release }, repository: `octo/${token}` }), token)
    expect(JSON.stringify(source)).not.toContain('xoxb')
    expect(source).toMatchObject({ origin: { tag: 'v1-***', name: `${'x'.repeat(280)}***` }, repository: 'octo/***' })
    expect(source.origin).toHaveProperty('url', undefined)
  })

  test.each([{ ref: `refs/heads/${token}` }, { payload: { workflow_run: { head_branch: token } } }])(
    'is removed from the name of a branch: %j',
    (given) => {
      expect(sourceOf(context(given), token).origin).toEqual({ kind: 'branch', name: '***' })
    },
  )
})

describe('the link to a run', () => {
  test('is of the attempt, and of the first if it is unknown', () => {
    const urlOf = (runAttempt: number) => sourceOf(context({ runAttempt }), token).run?.url
    expect(urlOf(2)).toBe('https://github.com/octo/app/actions/runs/42/attempts/2')
    expect(urlOf(Number.NaN)).toBe('https://github.com/octo/app/actions/runs/42/attempts/1')
  })

  test('leads to the server of the run, GitHub Enterprise Server too', () => {
    expect(sourceOf(context({ serverUrl: 'https://github.corp.example' }), token).run).toEqual({
      id: 42,
      attempt: 1,
      url: 'https://github.corp.example/octo/app/actions/runs/42/attempts/1',
    })
  })

  test.each([{ repository: undefined }, { runId: Number.NaN }])('is none outside of a run: %j', (given) => {
    expect(sourceOf(context(given), token).run).toBeUndefined()
  })
})

describe('a run without a token', () => {
  const fork = { head: { repo: { full_name: 'someone/repo' } }, base: { repo: { full_name: 'octo-org/repo' } } }
  const own = { head: { repo: { full_name: 'octo-org/repo' } }, base: { repo: { full_name: 'octo-org/repo' } } }
  const deleted = { head: { repo: null }, base: { repo: { full_name: 'octo-org/repo' } } }
  const run = (eventName: string, pullRequest: object | undefined, actor = 'octocat') =>
    reasonForNoSecrets(context({ actor, eventName, payload: pullRequest ? { pull_request: pullRequest } : {} }))

  test.each([
    ['for a pull request from a fork', run('pull_request', fork)],
    ['for a pull request from a fork that is gone', run('pull_request', deleted)],
    ['for the review of a pull request from a fork', run('pull_request_review', fork)],
    ['for a pull request by Dependabot', run('pull_request', own, 'dependabot[bot]')],
    ['for a push by Dependabot', run('push', undefined, 'dependabot[bot]')],
  ])('%s gets no secrets: a notice says so, with the safe ways', (_, why) => {
    const shown = quoted(why?.text ?? [])
    expect(shown.split('\n').length).toBeLessThanOrEqual(3)
    expect({ title: why?.title, text: shown }).toMatchSnapshot()
    // With the code of the fork it would hand the secrets to it.
    expect(shown).not.toContain('pull_request_target')
  })

  test.each([
    ['for a pull request of the same repository', run('pull_request', own)],
    ['on pull_request_target, which gets secrets', run('pull_request_target', fork)],
    ['for a push', run('push', undefined)],
    [
      'on workflow_run after a run by Dependabot, which gets secrets',
      run('workflow_run', undefined, 'dependabot[bot]'),
    ],
    ['for an event that is not as it should be', run('pull_request', { head: 7, base: 'x' } as object)],
  ])('%s is a mistake', (_, why) => {
    expect(why).toBeUndefined()
  })
})

describe('a run for the release event', () => {
  const warningsFor = (action: unknown, eventName = 'release') =>
    warnOfReleaseEvent(context({ eventName, payload: { action } })).map(({ level, text }) => [level, quoted(text)])

  test.each(['created', 'deleted', 'edited', 'unpublished'])('%s warns that one release triggers several', (action) => {
    expect(warningsFor(action)).toEqual([
      [
        'warning',
        `This run is for the release event \`${action}\`. One release triggers several events, and each starts a run that posts the files.\nWrite \`on: { release: { types: [published] } }\` in the workflow: that event occurs once per release.`,
      ],
    ])
    expect(warningsFor(action, 'issues')).toEqual([])
  })

  // With one of the last two, a workflow chooses between releases and prereleases.
  test.each(['published', 'released', 'prereleased', undefined, ['created']])('%s warns of nothing', (action) => {
    expect(warningsFor(action)).toEqual([])
  })
})

test('the context is read from the event file and the environment of the runner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-'))
  const given = {
    GITHUB_EVENT_PATH: join(folder, 'event.json'),
    GITHUB_EVENT_NAME: 'release',
    GITHUB_REF: 'refs/tags/v1.2',
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_RUN_ATTEMPT: '3',
    GITHUB_RUN_ID: '42',
    GITHUB_SERVER_URL: 'https://github.corp.example',
  }
  writeFileSync(given.GITHUB_EVENT_PATH, JSON.stringify({ release: { tag_name: 'v1.2' } }))
  const before = { ...process.env }
  Object.assign(process.env, given)
  try {
    expect(sourceOf((await readContext()).context, token)).toEqual({
      origin: { kind: 'release', tag: 'v1.2' },
      repository: 'octo/app',
      run: { id: 42, attempt: 3, url: 'https://github.corp.example/octo/app/actions/runs/42/attempts/3' },
    })
  } finally {
    process.env = before
    rmSync(folder, { recursive: true })
  }
})
