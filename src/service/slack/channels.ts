import { objectIn } from '../../json.ts'
import { ProblemError } from '../../problem.ts'
import { code, text } from '../../text/text.ts'
import { throwProblem } from '../failures.ts'
import type { Channel } from '../service.ts'
import { findChannelsByName } from './channel-names.ts'
import { idIn, type WebApi } from './web-api.ts'

/** https://docs.slack.dev/reference/objects/user-object/ */
export const userId = /^[UW][A-Z0-9]{8,}$/

/**
 * What the user wrote → channels. A name (`#releases`) is looked up, and a user ID is resolved to the direct conversation with that
 * user; what then turns out to be the same channel is kept once.
 *
 * @param create false: opens no direct conversation that does not exist yet
 * @throws ProblemError if a name or a user is unknown, or the token may not look names up or open direct conversations
 */
export async function resolveChannels(
  api: WebApi,
  requested: readonly string[],
  { create }: { readonly create: boolean },
): Promise<readonly Channel[]> {
  const names = requested.filter((channel) => channel.startsWith('#'))
  const byName = names.length === 0 ? new Map<string, string>() : await findChannelsByName(api, names)
  const idOf = async (channel: string) =>
    userId.test(channel) ? await openDirectConversation(api, channel, create) : (byName.get(channel) ?? channel)
  const resolved = await Promise.all(
    requested.map(async (channel) => ({ id: await idOf(channel), requested: channel })),
  )
  return uniqueChannels(resolved)
}

/** The first of those with the same ID. */
export function uniqueChannels(channels: readonly Channel[]): readonly Channel[] {
  const seen = new Set<string>()
  return channels.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** https://docs.slack.dev/reference/methods/conversations.open */
async function openDirectConversation(api: WebApi, user: string, create: boolean): Promise<string> {
  const form = { users: user, prevent_creation: create ? undefined : 'true' }
  const result = await api.call('conversations.open', form, { safeToRepeat: true })
  const id = result.outcome === 'succeeded' ? idIn(objectIn(result.json, 'channel'), 'id') : undefined
  if (id !== undefined) return id
  // If the conversation does not exist yet, a dry run shows the user ID.
  if (!create && (result.outcome === 'succeeded' || result.code === 'channel_not_found')) return user
  if (result.outcome === 'succeeded') {
    throw new ProblemError({
      title: 'The direct conversation could not be opened',
      text: text`The service responded ok for ${user}, but named no conversation.\nWrite the ID of the direct conversation instead: ${code('D…')}, at the bottom of its details.`,
    })
  }
  const scopeRemedy = text`Write the ID of the direct conversation instead of ${user}: ${code('D…')}, at the bottom of its details. Or let the step look it up: add the scope ${result.needed ?? 'im:write'} to the app, reinstall the app, and store the new token in the secret.`
  throwProblem(result, text`The direct conversation with ${user} could not be opened`, { scopeRemedy })
}
