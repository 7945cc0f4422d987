import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type RunContext, readContext, sourceOf } from '../../src/context.ts'

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
    expect(source.origin).not.toHaveProperty('url')
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
