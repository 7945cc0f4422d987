import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../../src/problem.ts'
import { resolveChannels } from '../../../../src/service/slack/channels.ts'
import { type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const user = 'U0123ABCD'
const method = 'conversations.open'

async function resolve(requested: readonly string[], replies: readonly Reply[] = [], create = true) {
  const { api, play, requests } = scriptedService({ [method]: replies })
  const channels = await play(resolveChannels(api, requested, { create }))
  return { channels, forms: requests.map(({ form }) => form) }
}

async function problemOf(replies: readonly Reply[], create = true): Promise<readonly string[]> {
  const error = await resolve([user], replies, create).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return [String(error.problems[0]?.title), ...error.message.split('\n')]
}

const refusal = (error: string, more = {}): Reply => ({ ok: false, error, ...more })

describe('The channels that a user wrote', () => {
  test.each(['C0123456789', 'general', 'U123', 'u0123ABCD', 'U0123abcd', 'XU0123ABCD', 'U0123ABC', '42'])(
    'are taken as they are: %s',
    async (id) => {
      expect(await resolve([id])).toEqual({ channels: [{ id, requested: id }], forms: [] })
    },
  )

  test.each([user, 'W01234567'])('become a direct conversation if it is a user ID: %s', async (id) => {
    const { channels, forms } = await resolve([id], [{ ok: true, channel: { id: 'D1' } }])
    expect(channels).toEqual([{ id: 'D1', requested: id }])
    expect(forms).toEqual([{ users: id }])
  })

  test('are each kept once, the first of them', async () => {
    const { channels } = await resolve(['D1', user, 'C1', 'D1'], [{ ok: true, channel: { id: 'D1' } }])
    expect(channels).toEqual([
      { id: 'D1', requested: 'D1' },
      { id: 'C1', requested: 'C1' },
    ])
  })
})

describe('A direct conversation', () => {
  test('is opened again after an outage', async () => {
    expect((await resolve([user], [response(500), { ok: true, channel: { id: 'D1' } }])).channels).toMatchObject([
      { id: 'D1' },
    ])
  })

  test('that does not exist is not created in a dry run, which shows the user ID', async () => {
    for (const reply of [{ ok: true }, refusal('channel_not_found')]) {
      const { channels, forms } = await resolve([user], [reply], false)
      expect(channels).toEqual([{ id: user, requested: user }])
      expect(forms).toEqual([{ users: user, prevent_creation: 'true' }])
    }
    expect((await problemOf([refusal('user_not_found')], false))[0]).toBe(
      'There is no direct conversation with this user',
    )
  })

  test('that the service does not name is a problem', async () => {
    for (const reply of [{ ok: true }, { ok: true, channel: { id: 'a b' } }]) {
      expect(await problemOf([reply])).toEqual([
        'The direct conversation could not be opened',
        `The service responded ok for \`${user}\`, but named no conversation.`,
        'Write the ID of the direct conversation instead: `D…`, at the bottom of its details.',
      ])
    }
  })

  test('that the token may not open: the ID or the scope that is needed', async () => {
    const advice = (scope: string) =>
      `Add the scope \`${scope}\` to the app, reinstall the app, and store the new token in the secret. Or write the ID of the direct conversation instead of \`${user}\`: \`D…\`, which that person sees at the bottom of its details.`
    const [title, what, remedy] = await problemOf([refusal('missing_scope')])
    expect(title).toBe('The token lacks a scope')
    expect(what).toContain(`The direct conversation with \`${user}\` could not be opened: `)
    expect(remedy).toBe(advice('im:write'))
    expect((await problemOf([refusal('missing_scope', { needed: 'mpim:write' })]))[2]).toBe(advice('mpim:write'))
    expect((await problemOf([refusal('channel_not_found')]))[2]).toContain('No channel with this ID')
  })
})
