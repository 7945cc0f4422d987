import { describe, expect, test } from '@jest/globals'
import type { CheckResult } from '../../../../src/service/service.ts'
import { checkChannels, checkToken } from '../../../../src/service/slack/preflight.ts'
import { quoted } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { host, type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

/** `subject: result: note`, or the problem's first line. */
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

  test('by its scopes, for files and for a comment without them', async () => {
    const granted = `
files:write,files:read
files:write
files:read,im:read
chat:write,files:write
identify,bot:basic
`
    const show = async (scope: string) => [
      ...(await check(scopes(scope))).shown,
      (await check(scopes(scope), 'comment')).shown[1],
    ]
    expect(
      await grid(granted, async (scope) => (await show(scope)).join('⏎    ')),
    ).toMatchInlineSnapshot(`
"files:write,files:read
    token: ok: user \`reporter\` in workspace \`Example\`⏎    scopes: ok: \`files:write\` and \`files:read\`⏎    scopes: failed: The comment cannot be posted: the token has \`files:write\`, \`files:read\`.
files:write
    token: ok: user \`reporter\` in workspace \`Example\`⏎    scopes: ok: without \`files:read\`, the step cannot see whether a message is visible, and there is no ts and no permalink⏎    scopes: failed: The comment cannot be posted: the token has \`files:write\`.
files:read,im:read
    token: ok: user \`reporter\` in workspace \`Example\`⏎    scopes: failed: The files cannot be posted: the token has \`files:read\`, \`im:read\`.⏎    scopes: failed: The comment cannot be posted: the token has \`files:read\`, \`im:read\`.
chat:write,files:write
    token: ok: user \`reporter\` in workspace \`Example\`⏎    scopes: ok: without \`files:read\`, the step cannot see whether a message is visible, and there is no ts and no permalink⏎    scopes: ok: \`chat:write\`
identify,bot:basic
    token: ok: user \`reporter\` in workspace \`Example\`⏎    scopes: unknown: the service did not report the scopes of the token⏎    scopes: unknown: the service did not report the scopes of the token"
`)
    expect((await check(scopes(''))).shown[1]).toBe(
      'scopes: failed: The files cannot be posted: the token has no scope.',
    )
    // It may take its time.
    expect((await check({ ...who, after: 20_000 })).shown[1]).toBe(
      'scopes: unknown: the service did not report the scopes of the token',
    )
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

  // Reports may be public, so they contain no name of a channel that is or may be private.
  test('and what is said of each does not name a private one', async () => {
    const replies = `
{"ok":true,"channel":{"id":"C1","name":"general","is_private":false,"is_member":true}}
{"ok":true,"channel":{"id":"C1","name":"secret","is_private":true,"is_member":true}}
{"ok":true,"channel":{"name":"secret","is_private":true,"is_member":false}}
{"ok":true}
{"ok":true,"channel":{"id":"C1","is_member":false,"name":"a","is_private":false}}
{"ok":true,"channel":{"is_member":false,"is_im":true}}
{"ok":false,"error":"channel_not_found"}
{"ok":false,"error":"missing_scope"}
{"ok":false,"error":"tea_time"}
`
    const shown = await grid(replies, async (reply) => {
      const { forms, shown } = await check(['C1'], [JSON.parse(reply)], all)
      expect(forms).toEqual([{ channel: 'C1' }])
      return shown.join()
    })
    expect(shown).toMatchInlineSnapshot(`
"{"ok":true,"channel":{"id":"C1","name":"general","is_private":false,"is_member":true}}
    @C1: ok: \`#general\`
{"ok":true,"channel":{"id":"C1","name":"secret","is_private":true,"is_member":true}}
    @C1: ok
{"ok":true,"channel":{"name":"secret","is_private":true,"is_member":false}}
    @C1: failed: The files cannot be posted to \`@C1\`.
{"ok":true}
    @C1: ok
{"ok":true,"channel":{"id":"C1","is_member":false,"name":"a","is_private":false}}
    @C1: failed: The files cannot be posted to \`@C1\` (\`#a\`).
{"ok":true,"channel":{"is_member":false,"is_im":true}}
    @C1: ok
{"ok":false,"error":"channel_not_found"}
    @C1: failed: The files cannot be posted to \`@C1\`.
{"ok":false,"error":"missing_scope"}
    @C1: unknown: the token lacks \`channels:read\` and \`groups:read\`
{"ok":false,"error":"tea_time"}
    @C1: unknown: \`chat.example:8443\` responded \`tea_time\` to \`conversations.info\`"
`)
  })

  test('and a problem names the app to invite', async () => {
    const { problems } = await check(['C1', 'C2'], [channel({ is_member: false })], all, {
      ...dryRun,
      dryRun: false,
    })
    expect(JSON.stringify(problems)).toContain('/invite @reporter')
  })

  test('not without a scope for it, and one that is not found may be there if a scope lacks', async () => {
    const lines = `
C1 with files:write
D1 with channels:read,groups:read
C1 with channels:read: missing_scope
C1: channel_not_found
CD1 with channels:read: channel_not_found
`
    const shown = await grid(lines, async (line) => {
      const [given = '', error] = line.split(': ')
      const [id = '', scopes] = given.split(' with ')
      const { forms, shown } = await check([id], error ? [refusal(error)] : [], scopes)
      expect(forms).toHaveLength(error ? 1 : 0)
      return shown.join()
    })
    expect(shown).toMatchInlineSnapshot(`
"C1 with files:write
    @C1: unknown: the token lacks \`channels:read\` and \`groups:read\`
D1 with channels:read,groups:read
    @D1: unknown: the token lacks \`im:read\`
C1 with channels:read: missing_scope
    @C1: unknown: the token lacks \`groups:read\`
C1: channel_not_found
    @C1: unknown: \`chat.example:8443\` responded \`channel_not_found\` to \`conversations.info\`
CD1 with channels:read: channel_not_found
    @CD1: unknown: \`chat.example:8443\` responded \`channel_not_found\` to \`conversations.info\`"
`)
  })

  test('for 10 s', async () => {
    const late = (after: number) => ({ ...channel({ is_member: false }), after })
    const { shown } = await check(['C1', 'C2'], [late(9_900), late(10_100)], all)
    expect(shown).toEqual([
      '@C1: failed: The files cannot be posted to `@C1`.',
      '@C2: unknown: the step gave up before `chat.example:8443` accepted `conversations.info`',
    ])
  })

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
      '`@C1` (the token lacks `channels:read` and `groups:read`), `@C2` (the',
    )
    const mixed = await check(['C1', 'D1'], [], 'files:write')
    expect(quoted(mixed.problems[0]?.text ?? [])).toContain('`@D1` (the token lacks `im:read`)')
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
