import { describe, expect, test } from '@jest/globals'
import { ProblemError } from '../../../../src/problem.ts'
import { resolveChannels } from '../../../../src/service/slack/channels.ts'
import { quoted } from '../../../../src/text/text.ts'
import { grid } from '../../../support/grid.ts'
import { type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const user = 'U0123ABCD'
const refusal = (error: string, more = {}): Reply => ({ ok: false, error, ...more })

/** `replies` are to `conversations.open` or `users.conversations`. */
async function resolve(
  requested: readonly string[],
  replies: readonly Reply[] = [],
  {
    create = true,
    identity = { ok: true },
  }: { readonly create?: boolean; readonly identity?: Reply } = {},
) {
  const { api, play, requests } = scriptedService({
    'conversations.open': replies,
    'users.conversations': replies,
    'auth.test': [identity],
  })
  const channels = await play(resolveChannels(api, requested, { create }))
  return { channels, ids: channels.map(({ id }) => id), forms: requests.map(({ form }) => form) }
}

/** Title and lines of each problem. */
async function problems(
  ...given: Parameters<typeof resolve>
): Promise<readonly (readonly string[])[]> {
  const error = await resolve(...given).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw error
  return error.problems.map(({ text, title }) => [String(title), ...quoted(text).split('\n')])
}

describe('The channels that a user wrote', () => {
  test.each(['u0123ABCD', 'U0123abcd', 'XU0123ABCD', 'U0123ABC'])(
    'are taken as they are: %s',
    async (id) => {
      const { channels, forms } = await resolve([id])
      expect({ channels, forms }).toEqual({ channels: [{ id, requested: id }], forms: [] })
    },
  )

  test('become a direct conversation if it is a user ID', async () => {
    const id = 'W01234567'
    const { channels, forms } = await resolve([id], [{ ok: true, channel: { id: 'D1' } }])
    expect(channels).toEqual([{ id: 'D1', requested: id }])
    expect(forms).toEqual([{ users: id }])
  })

  test('are each kept once, the first of them', async () => {
    const { channels } = await resolve(
      ['D1', user, 'C1', 'D1'],
      [{ ok: true, channel: { id: 'D1' } }],
    )
    expect(channels).toEqual([
      { id: 'D1', requested: 'D1' },
      { id: 'C1', requested: 'C1' },
    ])
  })
})

describe('A direct conversation', () => {
  test('is opened again after an outage', async () => {
    expect(
      (await resolve([user], [response(500), { ok: true, channel: { id: 'D1' } }])).channels,
    ).toMatchObject([{ id: 'D1' }])
  })

  test('that does not exist is not created in a dry run, which shows the user ID', async () => {
    for (const reply of [{ ok: true }, refusal('channel_not_found')]) {
      const { channels, forms } = await resolve([user], [reply], { create: false })
      expect(channels).toEqual([{ id: user, requested: user }])
      expect(forms).toEqual([{ users: user, prevent_creation: 'true' }])
    }
    expect((await problems([user], [refusal('user_not_found')], { create: false }))[0]?.[0]).toBe(
      'Cannot message this user',
    )
  })

  test('that the service does not name is the user ID', async () => {
    const { channels } = await resolve([user], [{ ok: true, channel: { id: 'a b' } }])
    expect(channels).toEqual([{ id: user, requested: user }])
  })

  test('that the token may not open: the ID or the one scope that is needed', async () => {
    const advice = `Add the scope \`im:write\` to the app, reinstall the app, and store the new token in the secret. Or write the ID of the direct conversation instead of \`${user}\`: \`D…\`, at the bottom of the details of that person's conversation with the app.`
    const remedyOf = async (reply: Reply) => (await problems([user], [reply]))[0]?.[2]
    const [[title, what, remedy] = []] = await problems([user], [refusal('missing_scope')])
    expect(title).toBe('The token lacks a scope')
    expect(what).toContain(`The direct conversation with \`${user}\` could not be opened: `)
    expect(remedy).toBe(advice)
    const needed = 'channels:write,groups:write,mpim:write,im:write'
    expect(await remedyOf(refusal('missing_scope', { needed }))).toBe(advice)
    expect(await remedyOf(refusal('channel_not_found'))).toContain('No such channel')
  })
})

const listed = [
  { id: 'C1', name: 'general', is_private: false },
  { id: 'C2', name: 'releases', is_private: false },
  { id: 'C3', name: '\u00fcbersicht', is_private: false },
  { id: 'G4', name: 'secret-plans', is_private: true },
  // This channel may be private.
  { id: 'C5', name: 'quiet-plans' },
  { id: 'C6', name: 'eng--alerts', is_private: false },
]
const page = (entries: readonly object[], nextCursor = '') => ({
  ok: true,
  channels: entries,
  response_metadata: { next_cursor: nextCursor },
})
describe('A name in channels', () => {
  test('becomes an ID, by one listing for all names, and a channel is kept once', async () => {
    const { channels, forms } = await resolve(['#releases', 'C9', '#general', 'C1'], [page(listed)])
    expect(channels).toEqual([
      { id: 'C2', requested: '#releases' },
      { id: 'C9', requested: 'C9' },
      { id: 'C1', requested: '#general' },
    ])
    expect(forms).toEqual([
      { types: 'public_channel,private_channel', exclude_archived: 'true', limit: '999' },
    ])
  })

  test('is looked for again after an outage', async () => {
    expect((await resolve(['#releases'], [response(500), page(listed)])).ids).toEqual(['C2'])
  })

  test('compares in lower case, whatever its accents, and is looked for where the token may list', async () => {
    const replies: Readonly<Record<string, Reply>> = {
      all: page(listed),
      // Only an empty cursor ends the list.
      'nothing, then a': page([], 'a'),
      'the first, then b': page(listed.slice(0, 1), 'b'),
      'the others': page(listed.slice(1)),
    }
    const lines = `
#General: all
#u\u0308bersicht: all
#\u00dcbersicht: all
#secret-plans: all
#general #releases: nothing, then a; the first, then b; the others
#general: missing_scope; all
#general: invalid_types; all
#releases: missing_argument; the first, then b; the others
`
    const identity = { ok: true, team_id: 'T1', is_enterprise_install: true }
    const shown = await grid(lines, async (line) => {
      const [names = '', script = ''] = line.split(': ')
      const given = script.split('; ').map((reply) => replies[reply] ?? refusal(reply))
      const { forms, ids } = await resolve(names.split(' '), given, { identity })
      const requests = forms.map(({ cursor, team_id: team, types }) =>
        [types ?? 'identity', cursor, team].filter(Boolean).join(' '),
      )
      return `${ids.join(' ')} by ${requests.join('; ')}`
    })
    expect(shown).toMatchInlineSnapshot(`
"#General: all
    C1 by public_channel,private_channel
#übersicht: all
    C3 by public_channel,private_channel
#Übersicht: all
    C3 by public_channel,private_channel
#secret-plans: all
    G4 by public_channel,private_channel
#general #releases: nothing, then a; the first, then b; the others
    C1 C2 by public_channel,private_channel; public_channel,private_channel a; public_channel,private_channel b
#general: missing_scope; all
    C1 by public_channel,private_channel; public_channel
#general: invalid_types; all
    C1 by public_channel,private_channel; public_channel
#releases: missing_argument; the first, then b; the others
    C2 by public_channel,private_channel; identity; public_channel,private_channel T1; public_channel,private_channel b T1"
`)
  })
})

test('What is needed to post has no limit of its own', async () => {
  const late = [
    { ...page(listed), after: 20_000 },
    { ok: true, channel: { id: 'D1' }, after: 20_000 },
  ]
  const found = late.map((reply, index) => resolve([['#general', user][index] ?? ''], [reply]))
  expect((await Promise.all(found)).flatMap(({ ids }) => ids)).toEqual(['C1', 'D1'])
})

describe('A list of channels', () => {
  const pages = (count: number) => Array.from({ length: count }, (_, index) => page([], `${index}`))

  test('may have 200 pages, of any length', async () => {
    const long = Array.from({ length: 200_000 }, (_, index) => ({ id: `C1${index}`, name: 'x' }))
    const given = [...pages(198), page(long, 'last'), page(listed)]
    expect(await resolve(['#general'], given)).toMatchObject({ ids: ['C1'] })
  })

  test.each([
    ['names the same page again', [page(listed, 'a')]],
    ['names pages in turn', [page(listed, 'a'), page([], 'b'), page([], 'a'), page([], 'b')]],
    ['has more pages', [...pages(200), page(listed)]],
  ])('that %s does not end, and no channel is called missing', async (_, given) => {
    expect(await problems(['#ops', '#general'], given)).toEqual([
      [
        'The list of channels does not end',
        'The service always names another page, so no channel can be looked up by its name.',
        "Write the channel ID instead: it's at the bottom of the channel's details (click the channel name).",
      ],
    ])
  })
})

describe('A name is refused', () => {
  const title = 'No channel with this name was found'
  const invite =
    "Check the spelling, or invite the app: type `/invite @name-of-the-app` in the channel. Or is the channel archived? The channel ID works too: it's at the bottom of the channel's details (click the channel name)."

  test('with the name of the app, if it is one', async () => {
    const nameOf = async (identity: Reply) => {
      const [[, , invitation = ''] = []] = await problems(['#ops'], [page(listed)], { identity })
      return /\/invite @([\w-]+)/.exec(invitation)?.[1]
    }
    const identity = { ok: true, bot_id: 'B1', user: 'reporter' }
    expect(await nameOf(identity)).toBe('reporter')
    expect(await nameOf({ ...identity, after: 4_900 })).toBe('reporter')
    const others = [
      { ...identity, bot_id: undefined },
      { ...identity, after: 5_100 },
      refusal('invalid_auth'),
    ]
    for (const other of [...others, response(500), response(429, '', { 'retry-after': '1' })]) {
      expect(await nameOf(other)).toBe('name-of-the-app')
    }
  })

  test('that is not there, with the nearest name of a public channel', async () => {
    const names =
      '#relases\n#secret-plan\n#quiet-plan\n#ops\n#relases #general #ops\n#-releases\n#releases-\n#a--b\n#eng--alert'
    const said = async (requested: string) => {
      const found = await problems(requested.split(' '), [page(listed)])
      expect([found.length, found[0]?.[0], found[0]?.at(-1)]).toEqual([1, title, invite])
      return found[0]?.slice(1, -1).join('⏎')
    }
    expect(await grid(names, said)).toMatchInlineSnapshot(`
"#relases
    The app is in no channel called \`#relases\`. Did you mean \`#releases\`?
#secret-plan
    The app is in no channel called \`#secret-plan\`.
#quiet-plan
    The app is in no channel called \`#quiet-plan\`.
#ops
    The app is in no channel called \`#ops\`.
#relases #general #ops
    The app is in no channel called \`#relases\`. Did you mean \`#releases\`?⏎The app is in no channel called \`#ops\`.
#-releases
    The app is in no channel called \`#-releases\`. Was an expression in it empty?
#releases-
    The app is in no channel called \`#releases-\`. Was an expression in it empty?
#a--b
    The app is in no channel called \`#a--b\`. Was an expression in it empty?
#eng--alert
    The app is in no channel called \`#eng--alert\`. Did you mean \`#eng--alerts\`?"
`)
  })

  test('with what is known, and what to do', async () => {
    const other = { id: 'C7', name: 'general', is_private: false, is_ext_shared: true }
    const replies: Readonly<Record<string, Reply>> = {
      'public channels': page(listed.slice(0, 2)),
      'another general': page([...listed, other]),
      'twelve of them': page(
        Array.from({ length: 12 }, (_, index) => ({ ...other, id: `C${index}` })),
      ),
      'no list': { ok: true, channels: 'x' },
      'odd entries': page([
        null,
        7,
        { name: 'a' },
        { id: 'C1' },
        { id: 'a b', name: 'a' },
      ] as object[]),
    }
    const lines = `
#secret-plans: missing_scope, public channels
#general #x: another general
#general: twelve of them
#a #b: missing_scope
#a: missing_argument
#a: no list
#a: odd entries
`
    const shown = await grid(lines, async (line) => {
      const [names = '', script = ''] = line.split(': ')
      const given = script.split(', ').map((reply) => replies[reply] ?? refusal(reply))
      return (await problems(names.split(' '), given)).flat().join('⏎')
    })
    expect(shown).toMatchInlineSnapshot(`
"#secret-plans: missing_scope, public channels
    No channel with this name was found⏎The app is in no public channel called \`#secret-plans\`.⏎Private channels were not looked up: add the scope \`groups:read\` to the app, or write the channel ID.⏎Check the spelling, or invite the app: type \`/invite @name-of-the-app\` in the channel. Or is the channel archived? The channel ID works too: it's at the bottom of the channel's details (click the channel name).
#general #x: another general
    No channel with this name was found⏎The app is in no channel called \`#x\`.⏎Check the spelling, or invite the app: type \`/invite @name-of-the-app\` in the channel. Or is the channel archived? The channel ID works too: it's at the bottom of the channel's details (click the channel name).⏎Several channels have the same name⏎\`#general\` is the name of \`C1\`, \`C7\`: a channel of another organization can have the name of your own.⏎Write the ID of the one that you mean.
#general: twelve of them
    Several channels have the same name⏎\`#general\` is the name of \`C0\`, \`C1\`, \`C2\`, \`C3\`, \`C4\`, \`C5\`, \`C6\`, \`C7\`, \`C8\`, \`C9\` and 2 more: a channel of another organization can have the name of your own.⏎Write the ID of the one that you mean.
#a #b: missing_scope
    The token lacks a scope⏎\`#a\`, \`#b\` could not be looked up: \`chat.example:8443\` responded \`missing_scope\` to \`users.conversations\`.⏎Write the channel ID instead: it's at the bottom of the channel's details (click the channel name). Or add the scope \`channels:read\` to the app, for private channels also \`groups:read\`, reinstall the app, and store the new token in the secret.
#a: missing_argument
    A required argument is missing⏎\`#a\` could not be looked up: \`chat.example:8443\` responded \`missing_argument\` to \`users.conversations\`.⏎Is the file empty? Empty files are not accepted. Otherwise check \`channels\` and \`comment\`.
#a: no list
    No channel with this name was found⏎The app is in no channel called \`#a\`.⏎Check the spelling, or invite the app: type \`/invite @name-of-the-app\` in the channel. Or is the channel archived? The channel ID works too: it's at the bottom of the channel's details (click the channel name).
#a: odd entries
    No channel with this name was found⏎The app is in no channel called \`#a\`.⏎Check the spelling, or invite the app: type \`/invite @name-of-the-app\` in the channel. Or is the channel archived? The channel ID works too: it's at the bottom of the channel's details (click the channel name)."
`)
  })
})
