import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import {
  isInFork,
  type RunContext,
  readContext,
  reasonForNoSecrets,
  releaseEventWarnings,
} from '../../src/context.ts'
import { quoted } from '../../src/text/text.ts'
import { runContext } from '../support/context.ts'
import { withEnvironment } from '../support/environment.ts'
import { tree } from '../support/tree.ts'

describe('a run without a token', () => {
  const pullRequest = (head: string | null, base = 'octo-org/repo') => ({
    pull_request: {
      head: { repo: head && { full_name: head } },
      base: { repo: { full_name: base } },
    },
  })
  const [own, fork, deleted] = ['octo-org/repo', 'someone/repo', null].map((head) =>
    pullRequest(head),
  )
  const dependabot = 'dependabot[bot]'
  const reasonFor = (eventName: string, payload: RunContext['payload'] = {}, actor = 'octocat') =>
    reasonForNoSecrets(runContext({ actor, eventName, payload }))

  type Run = Parameters<typeof reasonFor>

  test.each<[string, ...Run]>([
    ['for a pull request from a fork', 'pull_request', fork],
    ['for a pull request by Dependabot', 'pull_request', own, dependabot],
  ])('%s gets no secrets: a notice says so, with the safe ways', (_, ...run) => {
    const { level, text, title } = reasonFor(...run) ?? {}
    const shown = quoted(text ?? [])
    expect(shown.split('\n').length).toBeLessThanOrEqual(3)
    expect({ level, title, text: shown }).toMatchSnapshot()
    // With the code of the fork it would hand the secrets to it.
    expect(shown).not.toContain('pull_request_target')
  })

  test.each<Run>([
    ['pull_request', deleted],
    ['pull_request_review', fork],
    ['pull_request_review_comment', fork],
    ...['push', 'create', 'deployment', 'deployment_status', 'pull_request_review'].map(
      (event): Run => [event, undefined, dependabot],
    ),
  ])('gets no secrets on %s either: %j %s', (...run) => {
    expect(reasonFor(...run)?.title).toBe('Skipped: this run gets no secrets')
  })

  test.each<Run>([
    ['push'],
    ['pull_request', own],
    // These get secrets.
    ['pull_request_target', fork],
    ['workflow_run', undefined, dependabot],
    // The event is not as it should be.
    ['pull_request', { pull_request: { head: 7, base: 'x' } }],
  ])('is a mistake on %s: %j %s', (...run) => {
    expect(reasonFor(...run)).toBeUndefined()
  })
})

test.each([
  [{ repository: { fork: true } }, true],
  [{ repository: { fork: false } }, false],
  [{}, false],
])('the event says whether the repository is a fork: %j', (payload, fork) => {
  expect(isInFork(runContext({ payload }))).toBe(fork)
})

describe('a run for the release event', () => {
  const warningsFor = (action: unknown, eventName = 'release') =>
    releaseEventWarnings(runContext({ eventName, payload: { action } })).map(
      ({ level, text, title }) => [level, title, quoted(text)],
    )

  test.each(['created', 'deleted', 'edited', 'unpublished'])(
    '%s warns that one release triggers several',
    (action) => {
      expect(warningsFor(action)).toEqual([
        [
          'warning',
          'A release event other than published',
          `This run is for the release event \`${action}\`. A release triggers several events, and each starts a run that posts the files.\nTo post once per release, write \`on: { release: { types: [published] } }\`.`,
        ],
      ])
      expect(warningsFor(action, 'issues')).toEqual([])
    },
  )

  // With one of the last two, a workflow chooses between releases and prereleases.
  test.each(['published', 'released', 'prereleased', undefined, ['created']])(
    '%s warns of nothing',
    (action) => {
      expect(warningsFor(action)).toEqual([])
    },
  )
})

test('the event file is read, with the environment of the runner', async () => {
  await using folder = await tree({
    'event.json': JSON.stringify({ release: { tag_name: 'v1.2' } }),
  })
  const variables = {
    GITHUB_EVENT_PATH: join(folder.root, 'event.json'),
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_RUN_ATTEMPT: '3',
  }
  const context = await withEnvironment(variables, readContext)
  const payload = { release: { tag_name: 'v1.2' } }
  expect(context).toMatchObject({ payload, repository: 'octo/app', runAttempt: 3 })
})
