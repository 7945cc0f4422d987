import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { maskSecret, readContext, reasonForNoSecrets } from '../../src/context.ts'
import { quoted } from '../../src/text/text.ts'
import { runContext } from '../support/context.ts'
import { withEnvironment } from '../support/environment.ts'
import { grid } from '../support/grid.ts'
import { stdoutOf } from '../support/stdout.ts'
import { tree } from '../support/tree.ts'

describe('a run without a token', () => {
  /** A line like `pull_request of someone/repo by dependabot[bot]`. */
  const reasonFor = (line: string) => {
    const [, eventName = '', head, actor = 'octocat'] =
      /^(\S+)(?: of (\S+))?(?: by (\S+))?$/.exec(line) ?? []
    const repo = head === 'deleted' ? null : { full_name: head }
    const base = { repo: { full_name: 'octo-org/repo' } }
    const payload = head ? { pull_request: { head: { repo }, base } } : {}
    return reasonForNoSecrets(runContext({ actor, eventName, payload }))
  }

  test.each([
    ['for a pull request from a fork', 'pull_request of someone/repo'],
    ['for a pull request by Dependabot', 'pull_request of octo-org/repo by dependabot[bot]'],
  ])('%s gets no secrets: a notice says so, with the safe ways', (_, run) => {
    const { level, text, title } = reasonFor(run) ?? {}
    const shown = quoted(text ?? [])
    expect(shown.split('\n').length).toBeLessThanOrEqual(3)
    expect({ level, title, text: shown }).toMatchSnapshot()
    // With `pull_request_target`, the fork's code would get the secrets.
    expect(shown).not.toContain('pull_request_target')
  })

  test('gets no secrets on some events either, and is a mistake on the others', async () => {
    const runs = `
pull_request of deleted
pull_request_review of someone/repo
pull_request_review_comment of someone/repo
push by dependabot[bot]
create by dependabot[bot]
deployment by dependabot[bot]
deployment_status by dependabot[bot]
pull_request_review by dependabot[bot]
push
pull_request of octo-org/repo
pull_request_target of someone/repo
workflow_run by dependabot[bot]
`
    expect(await grid(runs, (run) => reasonFor(run)?.title)).toMatchInlineSnapshot(`
"pull_request of deleted
    Skipped: this run gets no secrets
pull_request_review of someone/repo
    Skipped: this run gets no secrets
pull_request_review_comment of someone/repo
    Skipped: this run gets no secrets
push by dependabot[bot]
    Skipped: this run gets no secrets
create by dependabot[bot]
    Skipped: this run gets no secrets
deployment by dependabot[bot]
    Skipped: this run gets no secrets
deployment_status by dependabot[bot]
    Skipped: this run gets no secrets
pull_request_review by dependabot[bot]
    Skipped: this run gets no secrets
push
    nothing
pull_request of octo-org/repo
    nothing
pull_request_target of someone/repo
    nothing
workflow_run by dependabot[bot]
    nothing"
`)
  })

  test('is a mistake if the event is not as it should be', () => {
    const payload = { pull_request: { head: 7, base: 'x' } }
    expect(reasonForNoSecrets(runContext({ eventName: 'pull_request', payload }))).toBeUndefined()
  })
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

test('a secret is masked, but not outside of GitHub, where the command would show it', () => {
  const masked = (secret: string, GithubActions?: string) =>
    withEnvironment({ GITHUB_ACTIONS: GithubActions }, () => stdoutOf(() => maskSecret(secret)))
  expect(masked('made-up', 'true')).toBe('::add-mask::made-up\n')
  expect(masked('', 'true') + masked('made-up')).toBe('')
})
