import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../../src/problem.ts'
import { resolveChannels } from '../../../../src/service/slack/channels.ts'
import { quoted } from '../../../../src/text/text.ts'
import { type Reply, scriptedService } from '../../../support/scripted-service.ts'

const channels = [
  { id: 'C1', name: 'general', is_private: false },
  { id: 'C2', name: 'releases', is_private: false },
  { id: 'C3', name: '\u00fcbersicht', is_private: false },
  { id: 'G4', name: 'secret-plans', is_private: true },
]
const page = (entries: readonly object[], nextCursor = '') => ({
  ok: true,
  channels: entries,
  response_metadata: { next_cursor: nextCursor },
})
const refusal = (error: string, more = {}) => ({ ok: false, error, ...more })

async function resolve(requested: readonly string[], replies: readonly Reply[], identity: Reply = { ok: true }) {
  const { api, play, requests } = scriptedService({ 'users.conversations': replies, 'auth.test': [identity] })
  const resolved = await play(resolveChannels(api, requested, { create: true }))
  return { ids: resolved.map(({ id }) => id), resolved, forms: requests.map(({ form }) => form) }
}

/** Title, and lines of the text, of each problem. */
async function problems(requested: readonly string[], replies: readonly Reply[]) {
  const error = await resolve(requested, replies).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return error.problems.map(({ text, title }) => [String(title), ...quoted(text).split('\n')])
}

describe('A name in channels', () => {
  test('becomes an ID, by one listing for all names, and a channel is kept once', async () => {
    const { forms, resolved } = await resolve(['#releases', 'C9', '#general', 'C1'], [page(channels)])
    expect(resolved).toEqual([
      { id: 'C2', requested: '#releases' },
      { id: 'C9', requested: 'C9' },
      { id: 'C1', requested: '#general' },
    ])
    expect(forms).toEqual([{ types: 'public_channel,private_channel', exclude_archived: 'true', limit: '999' }])
  })

  test('is not looked up if there is none', async () => {
    expect((await resolve(['C1', 'general'], [])).forms).toEqual([])
  })

  test.each(['#General', '#RELEASES', '#u\u0308bersicht', '#\u00dcbersicht', '#secret-plans'])(
    'compares in lower case, whatever the form of its accents: %s',
    async (name) => {
      expect((await resolve([name], [page(channels)])).ids).toHaveLength(1)
    },
  )

  test('is looked for on all pages: only an empty cursor ends the list', async () => {
    const replies = [page([], 'a'), page(channels.slice(0, 1), 'b'), page(channels.slice(1))]
    const { forms, ids } = await resolve(['#general', '#releases'], replies)
    expect(ids).toEqual(['C1', 'C2'])
    expect(forms.map(({ cursor }) => cursor)).toEqual([undefined, 'a', 'b'])
  })

  test('is looked for on 50 pages at most', async () => {
    const [[title, ...lines] = []] = await problems(['#x'], [page(channels, 'again')])
    expect(title).toBe('No channel of the app has this name')
    expect(lines.at(-1)).toBe('Only the first 200 channels were looked up.')
  })

  test('is looked for among public channels if the token may not list private ones', async () => {
    const { forms, ids } = await resolve(['#general'], [refusal('missing_scope'), page(channels)])
    expect(ids).toEqual(['C1'])
    expect(forms.map(({ types }) => types)).toEqual(['public_channel,private_channel', 'public_channel'])
  })

  test('is looked for in the workspace of an organization-wide token', async () => {
    const identity = { ok: true, team_id: 'T1', is_enterprise_install: true }
    const replies = [refusal('missing_argument'), page(channels.slice(0, 1), 'a'), page(channels.slice(1))]
    const { forms, ids } = await resolve(['#releases'], replies, identity)
    expect(ids).toEqual(['C2'])
    expect(forms.map(({ cursor, team_id: team }) => [team, cursor])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['T1', undefined],
      ['T1', 'a'],
    ])
  })
})

describe('A name is refused', () => {
  const title = 'No channel of the app has this name'
  const invite =
    "Check the spelling, or invite the app: type `/invite @name-of-the-app` in the channel. Or is the channel archived? The channel ID works too: it is shown at the bottom of the channel's details (click the channel name)."

  test.each([
    ['#relases', ' Did you mean `#releases`?'],
    ['#generall', ' Did you mean `#general`?'],
    ['#secret-plan', ''],
    ['#ops', ''],
  ])('that is not there, with the nearest name of a public channel: %s', async (name, question) => {
    expect(await problems([name], [page(channels)])).toEqual([
      [title, `No channel that the app is in has the name \`${name}\`.${question}`, invite],
    ])
  })

  test('together with others that are not there', async () => {
    expect(await problems(['#relases', '#general', '#ops'], [page(channels)])).toEqual([
      [
        title,
        'No channel that the app is in has the name `#relases`. Did you mean `#releases`?',
        'No channel that the app is in has the name `#ops`.',
        invite,
      ],
    ])
  })

  test('that may be that of a private channel, with the scope that would find it', async () => {
    expect(await problems(['#secret-plans'], [refusal('missing_scope'), page(channels.slice(0, 2))])).toEqual([
      [
        title,
        'No channel that the app is in has the name `#secret-plans`.',
        invite,
        'Private channels were not looked up: that needs the scope `groups:read`.',
      ],
    ])
  })

  test('that several channels have, with their IDs', async () => {
    const other = { id: 'C7', name: 'general', is_private: false, is_ext_shared: true }
    expect(await problems(['#general', '#x'], [page([...channels, other])])).toEqual([
      [title, expect.any(String), invite],
      [
        'Several channels have the same name',
        '`#general` is the name of `C1`, `C7`: a channel of another organization can have the name of your own.',
        'Write the ID of the one that you mean.',
      ],
    ])
  })

  test('if the token may not list channels, with the scopes', async () => {
    const [[scope, what, remedy] = []] = await problems(['#a', '#b'], [refusal('missing_scope')])
    expect(scope).toBe('The token lacks a scope')
    expect(what).toContain('`#a`, `#b` could not be looked up: ')
    expect(remedy).toBe(
      "Write the channel ID instead: it is shown at the bottom of the channel's details (click the channel name). Or add the scope `channels:read` to the app, for private channels also `groups:read`, reinstall the app, and store the new token in the secret.",
    )
  })

  test.each(['invalid_auth', 'unknown_method', 'missing_argument'])('if the list is refused with %s', async (code) => {
    const [[, what] = []] = await problems(['#a'], [refusal(code)])
    expect(what).toContain('`#a` could not be looked up: ')
    expect(what).toContain(`\`${code}\``)
  })

  test.each([
    { ok: true },
    { ok: true, channels: 'x' },
    page([null, 7, { name: 'a' }, { id: 'C1' }, { id: 'a b', name: 'a' }] as object[]),
  ])('if the list has another form: %j', async (reply) => {
    expect((await problems(['#a'], [reply]))[0]?.[0]).toBe(title)
  })
})
