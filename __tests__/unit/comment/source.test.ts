import { describe, expect, test } from '@jest/globals'
import { linkToPost, sourceOf, subjectOf } from '../../../src/comment/source.ts'
import type { RunContext } from '../../../src/context.ts'
import { tokenRemover } from '../../../src/text/token.ts'
import { runContext } from '../../support/context.ts'
import { grid } from '../../support/grid.ts'

const attemptUrl = (attempt: number) =>
  `https://github.com/octo/app/actions/runs/42/attempts/${attempt}`
const labelsOf = (given: Partial<RunContext>) =>
  sourceOf(runContext(given)).map(({ label }) => label)

/** A run that `workflow_run` follows. */
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
  test('a run is what it is for', async () => {
    const runs = `
{"ref":"refs/heads/feature/a/b"}
{"ref":"refs/tags/v1.2"}
{"payload":{"pull_request":{"number":7}}}
{"payload":{"issue":{"number":7,"pull_request":{}}}}
{"payload":{"issue":{"number":7}}}
{"eventName":"schedule"}
{"eventName":"workflow_dispatch"}
{"ref":"refs/heads/${queue}"}
{"ref":"refs/heads/${queue}${'0'.repeat(25)}"}
{"ref":"refs/heads/x/${queue}"}
{"eventName":"deployment_status","payload":{"workflow_run":{"id":7,"head_branch":"x"}}}
{"ref":null}
{"ref":"refs/pull/7/merge"}
{"payload":{"release":"x","pull_request":{"number":"7"}}}
`
    const labels = (run: string) => {
      const { ref = 'refs/heads/main', ...given } = JSON.parse(run)
      return labelsOf({ ref: ref ?? undefined, ...given }).join()
    }
    expect(await grid(runs, labels)).toMatchInlineSnapshot(`
"{"ref":"refs/heads/feature/a/b"}
    octo/app@feature/a/b
{"ref":"refs/tags/v1.2"}
    octo/app@v1.2
{"payload":{"pull_request":{"number":7}}}
    octo/app#7
{"payload":{"issue":{"number":7,"pull_request":{}}}}
    octo/app#7
{"payload":{"issue":{"number":7}}}
    octo/app@main
{"eventName":"schedule"}
    octo/app@main, scheduled
{"eventName":"workflow_dispatch"}
    octo/app@main, manual
{"ref":"refs/heads/gh-readonly-queue/main/pr-123-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}
    octo/app#123
{"ref":"refs/heads/gh-readonly-queue/main/pr-123-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0000000000000000000000000"}
    octo/app@gh-readonly-queue/main/pr-123-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0000000000000000000000000
{"ref":"refs/heads/x/gh-readonly-queue/main/pr-123-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}
    octo/app@x/gh-readonly-queue/main/pr-123-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a
{"eventName":"deployment_status","payload":{"workflow_run":{"id":7,"head_branch":"x"}}}
    octo/app@main
{"ref":null}
    octo/app, run 42
{"ref":"refs/pull/7/merge"}
    octo/app, run 42
{"payload":{"release":"x","pull_request":{"number":"7"}}}
    octo/app@main"
`)
  })

  test('a run outside of GitHub Actions is a workflow run', () => {
    const outside = { repository: undefined, runId: Number.NaN, ref: undefined }
    expect(labelsOf(outside)).toEqual(['a workflow run'])
    expect(subjectOf(runContext({ ...outside, workflow: '' }))).toEqual({ label: 'a workflow run' })
  })
})

describe('the source of a release', () => {
  const url = 'https://github.com/octo/app/releases/tag/v1.2'
  const release = (tag: string, name: string | null = null) => ({
    eventName: 'release',
    payload: { release: { tag_name: tag, name, html_url: url } },
  })

  test('is its name, with the tag if the name does not say it', async () => {
    const names = `
v1.2
(v1.2)
v1.2, the second
v1.2: Spring
Release v1.2
v1.2-rc1
v1.2.3
3.1.2
Rev1.2
Backports of v1.20
`
    const labels = (name: string | null) => {
      const [title, run] = sourceOf(runContext(release('v1.2', name)))
      expect([title?.url, run]).toEqual([url, { label: 'run', url: attemptUrl(1) }])
      return title?.label
    }
    expect(await grid(names, labels)).toMatchInlineSnapshot(`
"v1.2
    octo/app v1.2
(v1.2)
    octo/app (v1.2)
v1.2, the second
    octo/app v1.2, the second
v1.2: Spring
    octo/app v1.2: Spring
Release v1.2
    octo/app Release v1.2
v1.2-rc1
    octo/app v1.2-rc1 (v1.2)
v1.2.3
    octo/app v1.2.3 (v1.2)
3.1.2
    octo/app 3.1.2 (v1.2)
Rev1.2
    octo/app Rev1.2 (v1.2)
Backports of v1.20
    octo/app Backports of v1.20 (v1.2)"
`)
    expect(labels(null)).toBe('octo/app v1.2')
  })

  test('names another attempt than the first', () => {
    expect(labelsOf({ ...release('v1'), runAttempt: 2 })).toEqual(['octo/app v1', 'attempt 2'])
  })
})

describe('the source of a run that follows another is that one', () => {
  test('with what is known of it', async () => {
    const runs = `
{}
{"head_repository":{"full_name":"someone/app"}}
{"head_repository":null}
{"event":"pull_request","pull_requests":[{"number":5,"base":{"repo":{"id":1}}}]}
{"event":"push","pull_requests":[{"number":5,"base":{"repo":{"id":1}}}]}
{"event":"pull_request","pull_requests":[{"number":9,"base":{"repo":{"id":2}}},{"number":5,"base":{"repo":{"id":1}}}]}
{"head_branch":"gh-readonly-queue/main/pr-5-${'0a'.repeat(20)}"}
{"head_branch":null}
{"run_attempt":null}
`
    const label = (more: string) => {
      const workflowRun = { ...followed, ...JSON.parse(more) }
      const payload = { repository: { id: 1 }, workflow_run: workflowRun }
      const [source, ...others] = sourceOf(runContext({ eventName: 'workflow_run', payload }))
      expect([source?.url, others]).toEqual([followed.html_url, []])
      return source?.label
    }
    expect(await grid(runs, label)).toMatchInlineSnapshot(`
"{}
    octo/app@main, attempt 2
{"head_repository":{"full_name":"someone/app"}}
    someone/app@main, attempt 2
{"head_repository":null}
    main, attempt 2
{"event":"pull_request","pull_requests":[{"number":5,"base":{"repo":{"id":1}}}]}
    octo/app#5, attempt 2
{"event":"push","pull_requests":[{"number":5,"base":{"repo":{"id":1}}}]}
    octo/app@main, attempt 2
{"event":"pull_request","pull_requests":[{"number":9,"base":{"repo":{"id":2}}},{"number":5,"base":{"repo":{"id":1}}}]}
    octo/app#5, attempt 2
{"head_branch":"gh-readonly-queue/main/pr-5-0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}
    octo/app#5, attempt 2
{"head_branch":null}
    octo/app, run 7, attempt 2
{"run_attempt":null}
    octo/app@main"
`)
  })

  test('of an unusual shape, without a link', () => {
    const unusual = { id: null, html_url: 7, pull_requests: [null], head_repository: 7 }
    const payload = { workflow_run: { ...followed, ...unusual } }
    expect(labelsOf({ eventName: 'workflow_run', payload })).toEqual(['main, attempt 2'])
  })
})

test('the subject is a title or first line with a link, or else the workflow', async () => {
  const url = 'https://github.com/octo/app/7'
  const payloads = `
{"pull_request":{"title":"Fix it","html_url":"${url}"}}
{"issue":{"title":"Fix it","html_url":"${url}"},"comment":{"body":"x"}}
{"discussion":{"title":"Fix it","html_url":"${url}"},"comment":{"body":"x"}}
{"milestone":{"title":"Fix it","html_url":"${url}"}}
# An issue got a milestone.
{"issue":{"title":"Fix it","html_url":"${url}"},"milestone":{"title":"v2"}}
{"release":{"name":"Fix it","tag_name":"v1","html_url":"${url}"}}
{"release":{"name":null,"tag_name":"Fix it","html_url":"${url}"}}
{"head_commit":{"message":"Fix it\\n\\nWhy","url":"${url}"}}
# A run in a merge queue.
{"merge_group":{"head_commit":{"message":"Fix it\\n\\nWhy","url":"${url}"}}}
{"workflow_run":{"display_title":"Fix it","html_url":"${url}"}}
{}
{"issue":{"title":" "}}
{"head_commit":{"message":"\\n"}}
`
  const subject = (payload: string) =>
    payload.startsWith('# ')
      ? payload
      : JSON.stringify(subjectOf(runContext({ workflow: 'Nightly', payload: JSON.parse(payload) })))
  expect(await grid(payloads, subject)).toMatchInlineSnapshot(`
"{"pull_request":{"title":"Fix it","html_url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"issue":{"title":"Fix it","html_url":"https://github.com/octo/app/7"},"comment":{"body":"x"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"discussion":{"title":"Fix it","html_url":"https://github.com/octo/app/7"},"comment":{"body":"x"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"milestone":{"title":"Fix it","html_url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
# An issue got a milestone.
{"issue":{"title":"Fix it","html_url":"https://github.com/octo/app/7"},"milestone":{"title":"v2"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"release":{"name":"Fix it","tag_name":"v1","html_url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"release":{"name":null,"tag_name":"Fix it","html_url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"head_commit":{"message":"Fix it\\n\\nWhy","url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
# A run in a merge queue.
{"merge_group":{"head_commit":{"message":"Fix it\\n\\nWhy","url":"https://github.com/octo/app/7"}}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{"workflow_run":{"display_title":"Fix it","html_url":"https://github.com/octo/app/7"}}
    {"label":"Fix it","url":"https://github.com/octo/app/7"}
{}
    {"label":"Nightly","url":"https://github.com/octo/app/actions/runs/42/attempts/1"}
{"issue":{"title":" "}}
    {"label":"Nightly","url":"https://github.com/octo/app/actions/runs/42/attempts/1"}
{"head_commit":{"message":"\\n"}}
    {"label":"Nightly","url":"https://github.com/octo/app/actions/runs/42/attempts/1"}"
`)
})

test('a link is posted without the token, also where its label is cut', () => {
  const token = 'xoxb-made-up-for-this-test'
  const long = `${'x'.repeat(140)}${token}${'y'.repeat(1_000)}`
  const posted = linkToPost({ label: long, url: `https://x.example/${token}` }, tokenRemover(token))
  expect(posted).toEqual({
    label: `${'x'.repeat(140)}***yyyyyy…${'y'.repeat(149)}`,
    url: 'https://x.example/***',
  })
  expect(linkToPost({ label: 'x' }, tokenRemover(token))).toEqual({ label: 'x' })
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
