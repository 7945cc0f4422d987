import { describe, expect, test } from '@jest/globals'
import { apiUrl, teamOf } from '../../../src/service/web-api.ts'
import { call, type Reply, response, scriptedService } from '../../support/scripted-service.ts'

const options = { safeToRepeat: true, maxFailures: 1 }

describe('A call of the Web API', () => {
  test('is a form with the token', async () => {
    const { api, play, requests } = scriptedService({ 'files.info': [{ ok: true }] })
    const result = await play(api.call('files.info', { file: 'F1 &=ä' }, options))
    expect(await api.withApp(result)).toBe(result)
    expect(result).toMatchObject({ ...call, outcome: 'succeeded', json: { ok: true } })
    expect(requests).toEqual([
      {
        method: 'files.info',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        authorized: true,
        body: 'file=F1+%26%3D%C3%A4',
        ends: [20],
        form: { file: 'F1 &=ä' },
        at: 0,
      },
    ])
  })

  test('learns the scopes of the token, also from a refusal', async () => {
    const headers = { 'x-oauth-scopes': ' files:write, files:read,,im:read ' }
    const refusal = response(200, { ok: false, error: 'tea_time' }, headers)
    const { api, play } = scriptedService({
      'a.b': [refusal],
      'c.d': [{ ok: true }],
      'e.f': [response(200, {}, { 'x-oauth-scopes': '' })],
    })
    expect([api.scopes, api.lacks('chat:write')]).toEqual([undefined, false])
    await play(api.call('a.b', {}, options))
    expect(api.scopes).toEqual(new Set(['files:write', 'files:read', 'im:read']))
    expect([api.lacks('chat:write'), api.lacks('im:read')]).toEqual([true, false])
    await play(api.call('c.d', {}, options))
    expect(api.lacks('im:read')).toBe(false)
    await play(api.call('e.f', {}, options))
    expect(api.scopes).toEqual(new Set())
  })

  test.each(['bot:basic', 'files:write:user', 'client', 'read', 'post'])(
    'learns no scopes from those of a classic token: %s',
    async (scope) => {
      const reply = response(200, { ok: true }, { 'x-oauth-scopes': `identify,${scope}` })
      const { api, play } = scriptedService({ 'a.b': [reply] })
      await play(api.call('a.b', {}, options))
      expect([api.scopes, api.lacks('files:read')]).toEqual([undefined, false])
    },
  )
})

test.each([
  ['not_in_channel', 'builder'],
  ['no_permission', 'builder'],
  ['channel_not_found', 'builder'],
  ['is_archived', undefined],
])('A refusal with %s names the app: %s', async (error, app) => {
  const { api, play } = scriptedService({
    'a.b': [{ ok: false, error }],
    'auth.test': [{ ok: true, user: 'builder', bot_id: 'B1' }],
  })
  const result = await play(api.call('a.b', {}, options).then((refusal) => api.withApp(refusal)))
  expect(result).toMatchObject({ code: error, app })
})

const identity = { ok: true, user: 'builder', bot_id: 'B1' }
test.each<[Reply, string | undefined]>([
  [{ ...identity, after: 4_999 }, 'builder'],
  [{ ...identity, after: 5_002 }, undefined],
  [{ ok: true, user: 'a person' }, undefined],
  [{ ...identity, ok: false }, undefined],
  [response(500), undefined],
])('The app is asked for once: %j', async (reply, app) => {
  const { api, play, requests } = scriptedService({ 'auth.test': [reply] })
  expect(await play(Promise.all([api.nameApp(), api.nameApp()]))).toEqual([app, app])
  expect(requests).toHaveLength(1)
})

test('Lists need the team with an organization-wide token only', () => {
  const teamId = 'T1'
  const given = [{ team_id: teamId }, { team_id: teamId, is_enterprise_install: true }]
  expect(given.map((one) => teamOf(one))).toEqual([undefined, 'T1'])
})

test.each([
  ['https://chat.example', 'https://chat.example/api/files.info'],
  ['https://chat.example/', 'https://chat.example/api/files.info'],
  ['https://chat.example:8443/a/b//', 'https://chat.example:8443/a/b/api/files.info'],
  ['https://chat.example//a', 'https://chat.example//a/api/files.info'],
])('Below %s, a method is %s', (base, expected) => {
  const url = new URL(base)
  expect(apiUrl(url, 'files.info').href).toBe(expected)
  expect(url.href).toBe(new URL(base).href)
})
