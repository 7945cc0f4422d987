import { closestMatch } from 'leven'
import { isObject, type Json, listIn, objectIn, textIn } from '../../json.ts'
import { errorProblem, fatal, type Problem, ProblemError } from '../../problem.ts'
import { questionForGap } from '../../text/expressions.ts'
import { join, list, type Text, text } from '../../text/text.ts'
import { type Failure, problemOf } from '../errors/failures.ts'
import { idIn } from '../record.ts'
import type { Channel } from '../service.ts'
import { teamOf, type WebApi } from '../web-api.ts'

/** https://docs.slack.dev/reference/objects/user-object/ */
export const userId = /^[UW][A-Z0-9]{8,}$/

/**
 * Names begin with `#`.
 *
 * @param create open direct conversations that do not exist yet
 */
export async function resolveChannels(
  api: WebApi,
  requested: readonly string[],
  { create }: { readonly create: boolean },
): Promise<readonly Channel[]> {
  const names = requested.filter((channel) => channel.startsWith('#'))
  const byName = names.length === 0 ? undefined : await findChannelsByName(api, names)
  const idOf = async (channel: string) =>
    userId.test(channel)
      ? await openDirectConversation(api, channel, create)
      : (byName?.get(channel) ?? channel)
  const resolved = await Promise.all(
    requested.map(async (channel) => ({ id: await idOf(channel), requested: channel })),
  )
  // An ID can be listed beside its name or its user.
  const seen = new Set<string>()
  return resolved.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** https://docs.slack.dev/reference/methods/conversations.open */
async function openDirectConversation(api: WebApi, user: string, create: boolean): Promise<string> {
  const form = { users: user, prevent_creation: create ? undefined : 'true' }
  const result = await api.call('conversations.open', form, { safeToRepeat: true })
  // Without one, a dry run shows the user ID.
  if (result.outcome === 'succeeded') return idIn(objectIn(result.json, 'channel'), 'id') ?? user
  if (!create && result.code === 'channel_not_found') return user
  const remedy = text`Add the scope ${'im:write'} to the app, reinstall the app, and store the new token in the secret. Or write the ID of the direct conversation instead of ${user}: \`D…\`, at the bottom of the details of that person's conversation with the app.`
  const what = text`The direct conversation with ${user} could not be opened`
  throw new ProblemError(problemOf(result, what, result.code === 'missing_scope' ? { remedy } : {}))
}

/** The largest page. https://docs.slack.dev/reference/methods/users.conversations */
const pageSize = 999
const maxPages = 200

interface ChannelList {
  readonly channels: readonly Json[]
  /** The reason if channels can be missing. */
  readonly incomplete?: Text
}

/** Names → IDs, by one list of the app's channels, without the archived ones. */
async function findChannelsByName(
  api: WebApi,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const listing = await listChannels(api, names)
  const byName = Map.groupBy(listing.channels, (channel) => nameKey(textIn(channel, 'name') ?? ''))
  const idsOf = (name: string) =>
    (byName.get(nameKey(name)) ?? []).flatMap((channel) => idIn(channel, 'id') ?? [])
  const idsByName = names.map((name) => [name, [...new Set(idsOf(name))]] as const)
  const missing = idsByName.filter(([, ids]) => ids.length === 0).map(([name]) => name)
  const problems = idsByName.flatMap(([name, ids]) =>
    ids.length > 1 ? notUniqueProblem(name, ids) : [],
  )
  if (missing.length > 0) problems.unshift(await notFoundProblem(api, missing, listing))
  if (problems.length > 0) throw new ProblemError(...problems)
  return new Map(idsByName.map(([name, [id = '']]) => [name, id]))
}

/** Slack's names are in lower case. People may type an accent in another encoding. */
function nameKey(name: string): string {
  return name.replace(/^#/, '').normalize().toLowerCase()
}

/**
 * Without the scope for private channels, Slack refuses both kinds (`missing_scope` or
 * `invalid_types`). Then only the public ones are listed.
 */
async function listChannels(api: WebApi, names: readonly string[]): Promise<ChannelList> {
  const both = await listTypes(api, 'public_channel,private_channel')
  if ('channels' in both) return both
  const publicOnly = both.advice.codes.includes('missing_scope')
    ? await listTypes(api, 'public_channel')
    : both
  if ('channels' in publicOnly) {
    const incomplete = text`Private channels were not looked up: add the scope \`groups:read\` to the app, or write the channel ID.`
    return { incomplete, ...publicOnly }
  }
  const remedy = text`Write the channel ID instead: ${whereIsTheId}. Or add the scope \`channels:read\` to the app, for private channels also \`groups:read\`, reinstall the app, and store the new token in the secret.`
  const what = text`${list(names)} could not be looked up`
  const lacksScope = publicOnly.advice.codes.includes('missing_scope')
  throw new ProblemError(problemOf(publicOnly, what, lacksScope ? { remedy } : {}))
}

const whereIsTheId = text`it's at the bottom of the channel's details (click the channel name)`

async function listTypes(api: WebApi, types: string): Promise<ChannelList | Failure> {
  const listed = await listPages(api, types)
  if ('channels' in listed || listed.code !== 'missing_argument') return listed
  const identity = await api.identify()
  const team = identity.outcome === 'succeeded' ? teamOf(identity.json) : undefined
  return team === undefined ? listed : listPages(api, types, team)
}

async function listPages(
  api: WebApi,
  types: string,
  team?: string,
): Promise<ChannelList | Failure> {
  const form = { types, team_id: team, exclude_archived: 'true', limit: String(pageSize) }
  const pages = new Map<string | undefined, readonly Json[]>()
  let cursor: string | undefined
  do {
    const result = await api.call(
      'users.conversations',
      { ...form, cursor },
      { safeToRepeat: true },
    )
    if (result.outcome !== 'succeeded') return result
    pages.set(cursor, listIn(result.json, 'channels').filter(isObject))
    cursor = textIn(objectIn(result.json, 'response_metadata'), 'next_cursor')
  } while (!pages.has(cursor) && pages.size < maxPages)
  // A page can be short. Only an empty cursor ends the list.
  if (cursor === undefined) return { channels: [...pages.values()].flat() }
  throw fatal(
    'The list of channels does not end',
    text`The service always names another page, so no channel can be looked up by its name.\nWrite the channel ID instead: ${whereIsTheId}.`,
    'channelId',
  )
}

function notUniqueProblem(name: string, ids: readonly string[]): Problem {
  return errorProblem(
    'Several channels have the same name',
    text`${name} is the name of ${list(ids, { max: 10 })}: a channel of another organization can have the name of your own.\nWrite the ID of the one that you mean.`,
    'channelId',
  )
}

async function notFoundProblem(
  api: WebApi,
  names: readonly string[],
  { channels, incomplete }: ChannelList,
): Promise<Problem> {
  const app = await api.nameApp()
  // Log and summary can be public, so no private channel is suggested.
  const publicNames = channels.flatMap((channel) =>
    channel['is_private'] === false ? (textIn(channel, 'name') ?? []) : [],
  )
  const lines = names.map((name) => {
    const closest = closestMatch(nameKey(name), publicNames, {
      maxDistance: Math.min(3, Math.floor(name.length / 2)),
    })
    const didYouMean = closest && text`Did you mean ${`#${closest}`}?`
    const question = questionForGap(name, [`#${closest}`]) ?? didYouMean
    const where = incomplete ? text`no public channel` : text`no channel`
    return text`The app is in ${where} called ${name}.${question ? text` ${question}` : []}`
  })
  const remedy = text`Check the spelling, or invite the app: type ${`/invite @${app ?? 'name-of-the-app'}`} in the channel. Or is the channel archived? The channel ID works too: ${whereIsTheId}.`
  return errorProblem(
    'No channel with this name was found',
    join([...lines, incomplete ?? text``, remedy], '\n'),
    'channelId',
  )
}
