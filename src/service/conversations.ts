import { ProblemError } from '../problem.ts'
import { fail } from './errors.ts'
import type { Conversation } from './service.ts'
import { idIn, objectIn, type WebApi } from './web-api.ts'

/** Identifiers of users: https://docs.slack.dev/reference/objects/user-object/ */
const userId = /^[UW][A-Z0-9]{8,}$/

/**
 * What the user wrote → conversations. A user's identifier becomes the direct conversation with that user; what then
 * turns out to be the same conversation is kept once.
 *
 * @param create false: opens no direct conversation that does not exist yet
 * @throws ProblemError if a user is not known, or the token may not open direct conversations
 */
export async function openConversations(
  api: WebApi,
  channels: readonly string[],
  options: { readonly create: boolean },
): Promise<readonly Conversation[]> {
  const opened = await Promise.all(
    [...new Set(channels)].map(async (requested) => ({
      id: userId.test(requested) ? await openDirect(api, requested, options.create) : requested,
      requested,
    })),
  )
  return withoutDoubles(opened)
}

/** The first of each. */
export function withoutDoubles(conversations: readonly Conversation[]): readonly Conversation[] {
  const seen = new Set<string>()
  return conversations.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** https://docs.slack.dev/reference/methods/conversations.open */
async function openDirect(api: WebApi, user: string, create: boolean): Promise<string> {
  const form = { users: user, ...(create ? {} : { prevent_creation: 'true' }) }
  const reply = await api.call('conversations.open', form, { harmless: true })
  const id = reply.kind === 'ok' ? idIn(objectIn(reply.json, 'channel'), 'id') : undefined
  if (id !== undefined) return id
  // Without a conversation yet, a dry run has nothing to show but the user.
  if (!create && (reply.kind === 'ok' || reply.failure.code === 'channel_not_found')) return user
  if (reply.kind === 'ok') {
    throw new ProblemError({
      title: 'The direct conversation could not be opened',
      text: `The service answered ok for ${user}, and gave no conversation.\nWrite the identifier of the direct conversation instead: D…, at the bottom of its details.`,
    })
  }
  const { failure } = reply
  return fail(
    failure,
    `The direct conversation with ${user} could not be opened`,
    failure.code === 'missing_scope'
      ? {
          remedy: `Write the identifier of the direct conversation instead of ${user}: D…, at the bottom of its details. Or let the step look it up: add the scope {needed} to the app, reinstall the app, and store the new token in the secret.`,
        }
      : undefined,
  )
}
