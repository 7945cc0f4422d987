import { describe, expect, test } from '@jest/globals'
import type { CheckResult } from '../../../../src/service/service.ts'
import { checkChannels, checkToken } from '../../../../src/service/slack/preflight.ts'
import { quoted } from '../../../../src/text/text.ts'
import { host, type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

/** `subject: result: note`, or the first line of the problem. */
const show = (checks: readonly CheckResult[]) =>
  checks.map(({ note, problem, result, subject }) => {
    const [shown] = quoted((result === 'failed' && problem?.text) || (note ?? [])).split('\n')
    return [subject, result, shown].filter(Boolean).join(': ')
  })
const problemsIn = (checks: readonly CheckResult[]) => [
  ...new Set(checks.flatMap(({ problem }) => problem ?? [])),
]

describe('The token is checked', () => {
  async function check(reply: Reply, posts: 'files' | 'comment' = 'files') {
    const { api, play, requests } = scriptedService({ 'auth.test': [reply] })
    const checks = await play(checkToken(api, posts))
    return { problems: problemsIn(checks), shown: show(checks), requests }
  }
  const who = { ok: true, user: 'reporter', team: 'Example' }
  const scopes = (granted: string) => response(200, who, { 'x-oauth-scopes': granted })

  const unseen =
    'the step cannot see whether a message is visible, and there is no ts and no permalink'
  test.each<[Reply, string[]]>([
    [scopes('files:write,files:read'), ['scopes: ok: `files:write` and `files:read`']],
    [scopes('files:write'), [`scopes: ok: without \`files:read\`, ${unseen}`]],
    [
      scopes('files:read,im:read'),
      ['scopes: failed: The files cannot be posted: the token has `files:read`, `im:read`.'],
    ],
    [scopes(''), ['scopes: failed: The files cannot be posted: the token has no scope.']],
    [who, ['scopes: unknown: the service did not report the scopes of the token']],
    // Of a classic app, whose scopes are others.
    [
      scopes('identify,bot:basic'),
      ['scopes: unknown: the service did not report the scopes of the token'],
    ],
  ])('with the response %j', async (reply, expected) => {
    expect((await check(reply)).shown).toEqual([
      'token: ok: user `reporter` in workspace `Example`',
      ...expected,
    ])
  })

  test.each([
    ['chat:write,files:write', 'ok: `chat:write`'],
    ['files:write', 'failed: The comment cannot be posted: the token has `files:write`.'],
  ])('for a comment without files, with the scopes %s', async (scopes, expected) => {
    const reply = response(
      200,
      { ok: true, user: 'reporter', team: 'Example' },
      { 'x-oauth-scopes': scopes },
    )
    expect((await check(reply, 'comment')).shown[1]).toBe(`scopes: ${expected}`)
  })

  test('and names the scope that it lacks', async () => {
    const { problems } = await check(scopes('files:read'))
    expect(quoted(problems[0]?.text ?? [])).toContain('Add the scope `files:write`')
  })

  test('also if the service does not say whose it is', async () => {
    expect((await check({ ok: true })).shown[0]).toBe(
      'token: ok: user unknown in workspace unknown',
    )
  })

  const failed = 'failed: The token could not be checked'
  test.each<[Reply, string, string, number]>([
    [response(404), 'unknown', ' to `auth.test` with HTTP status 404', 1],
    [response(500), failed, ' to `auth.test` with HTTP status 500.', 6],
  ])(
    'and has failed unless the service accepts it, or does not offer the check: %j',
    async (reply, result, responded, attempts) => {
      const { requests, shown } = await check(reply)
      expect([shown, requests.length]).toEqual([
        [`token: ${result}: \`${host}\` responded${responded}`],
        attempts,
      ])
    },
  )
})

describe('The channels are checked', () => {
  const all = 'files:write,channels:read,groups:read,im:read'
  const dryRun = { dryRun: true, posts: 'files' as 'files' | 'comment' }
  async function check(
    ids: readonly string[],
    replies: readonly Reply[],
    scopes?: string,
    options = dryRun,
  ) {
    const granted = scopes === undefined ? {} : { 'x-oauth-scopes': scopes }
    const identity = response(200, { ok: true, bot_id: 'B1', user: 'reporter' }, granted)
    const { api, play, requests } = scriptedService({
      'auth.test': [identity],
      'conversations.info': replies,
    })
    await play(api.call('auth.test', {}, { safeToRepeat: true }))
    const channels = ids.map((id) => ({ id, requested: `@${id}` }))
    const checks = await play(checkChannels(api, channels, options))
    const forms = requests.filter(({ method }) => method !== 'auth.test').map(({ form }) => form)
    return { checks, problems: problemsIn(checks), shown: show(checks), forms }
  }
  const channel = (more: object) => ({ ok: true, channel: more })
  const refusal = (error: string) => ({ ok: false, error })

  test.each<[Reply, string]>([
    [channel({ id: 'C1', name: 'general', is_private: false, is_member: true }), 'ok: `#general`'],
    // A report may be public: no private name gets into it, and none of which that is unknown.
    [channel({ id: 'C1', name: 'secret', is_private: true, is_member: true }), 'ok'],
    [
      channel({ name: 'secret', is_private: true, is_member: false }),
      'failed: The files cannot be posted to `@C1`.',
    ],
    [{ ok: true }, 'ok'],
    [
      channel({ id: 'C1', is_member: false, name: 'a', is_private: false }),
      'failed: The files cannot be posted to `@C1` (`#a`).',
    ],
    [channel({ is_member: false, is_im: true }), 'ok'],
    [refusal('channel_not_found'), 'failed: The files cannot be posted to `@C1`.'],
    [refusal('missing_scope'), 'unknown: the token lacks `channels:read` and `groups:read`'],
    [refusal('tea_time'), `unknown: \`${host}\` responded \`tea_time\` to \`conversations.info\``],
  ])('one with the response %j', async (reply, expected) => {
    const { forms, shown } = await check(['C1'], [reply], all)
    expect(shown).toEqual([`@C1: ${expected}`])
    expect(forms).toEqual([{ channel: 'C1' }])
  })

  test('and a problem names the app to invite', async () => {
    const { problems } = await check(['C1', 'C2'], [channel({ is_member: false })], all, {
      ...dryRun,
      dryRun: false,
    })
    expect(JSON.stringify(problems)).toContain('/invite @reporter')
  })

  test.each([
    ['C1', 'files:write', '`channels:read` and `groups:read`'],
    ['D1', 'channels:read,groups:read', '`im:read`'],
  ])('not without a scope for it: %s', async (id, scopes, expected) => {
    const { forms, shown } = await check([id], [], scopes)
    expect(shown).toEqual([`@${id}: unknown: the token lacks ${expected}`])
    expect(forms).toEqual([])
  })

  test('which says the one scope that lacks for its kind of channel', async () => {
    const { shown } = await check(['C1'], [refusal('missing_scope')], 'channels:read')
    expect(shown).toEqual(['@C1: unknown: the token lacks `groups:read`'])
  })

  test.each([
    ['C1', undefined],
    ['CD1', 'channels:read'],
  ])(
    'and one that is not found may be there if the token lacks a scope: %s, %s',
    async (id, scopes) => {
      const { forms, shown } = await check([id], [refusal('channel_not_found')], scopes)
      expect(shown).toEqual([
        `@${id}: unknown: \`${host}\` responded \`channel_not_found\` to \`conversations.info\``,
      ])
      expect(forms).toHaveLength(1)
    },
  )

  test('a user is not looked up in a dry run', async () => {
    const users = ['U0123ABCD', 'W0123ABCD']
    const shown = users.map((user) => `@${user}: ok: a direct conversation will be opened`)
    expect(await check(users, [])).toMatchObject({ shown, forms: [] })
    expect(
      (await check(users.slice(0, 1), [channel({})], all, { ...dryRun, dryRun: false })).forms,
    ).toHaveLength(1)
  })

  test('those with the same problem share it', async () => {
    const replies = [{ is_archived: true }, { is_member: false }, { is_archived: true }, {}].map(
      channel,
    )
    const { checks, problems } = await check(['C1', 'C2', 'C3', 'C4'], replies, all)
    expect(checks.map(({ result }) => result)).toEqual(['failed', 'failed', 'failed', 'ok'])
    expect(problems.map(({ title }) => title)).toEqual([
      'The channel is archived',
      'The app is not in the channel',
    ])
    expect(quoted(problems[0]?.text ?? [])).toContain('cannot be posted to `@C1`, `@C3`.')
  })

  test('with a warning in a dry run for those that could not be', async () => {
    const { problems } = await check(['C1', 'C2'], [], 'files:write')
    expect(problems).toMatchObject([{ level: 'warning', title: 'A channel could not be checked' }])
    expect(quoted(problems[0]?.text ?? [])).toContain(
      '`@C1`, `@C2`: the token lacks `channels:read` and `groups:read`.',
    )
    const posting = { ...dryRun, dryRun: false }
    expect((await check(['C1'], [], 'files:write', posting)).problems).toEqual([])
  })

  test('only the first of a token that may not', async () => {
    const missing = response(200, refusal('missing_scope'), { 'x-oauth-scopes': 'files:write' })
    expect((await check(['C1', 'C2', 'C3'], [missing])).forms).toHaveLength(1)
  })

  test('no more than 20', async () => {
    const ids = Array.from({ length: 22 }, (_, index) => `C${index}`)
    const { forms, shown } = await check(ids, [channel({})], all)
    expect(forms).toHaveLength(20)
    expect(shown.slice(19)).toEqual([
      '@C19: ok',
      '@C20: unknown: only the first 20 channels are checked',
      '@C21: unknown: only the first 20 channels are checked',
    ])
    expect((await check([], [])).shown).toEqual([])
  })
})
