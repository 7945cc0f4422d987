import { problemOf } from './errors.ts'
import type { Conversation, Finding } from './service.ts'
import { objectIn, textIn, type WebApi } from './web-api.ts'

/** More looks than this would spend the rate limit (about 50 a minute) that others in the workspace need too. */
const mostLooks = 20

/** Who the token belongs to, and what it may do. https://docs.slack.dev/reference/methods/auth.test */
export async function checkToken(api: WebApi): Promise<readonly Finding[]> {
  const reply = await api.call('auth.test', {}, { harmless: true })
  if (reply.kind !== 'ok') {
    const problem = problemOf(reply.failure, 'The token could not be checked')
    return [{ about: 'token', verdict: reply.kind === 'refused' ? 'fails' : 'cannot-tell', problem }]
  }
  const user = textIn(reply.json, 'user') ?? 'unknown'
  const team = textIn(reply.json, 'team') ?? 'unknown'
  const token: Finding = { about: 'token', verdict: 'fine', note: `user ${user} in workspace ${team}` }
  if (api.scopes === undefined) {
    return [
      token,
      { about: 'scopes', verdict: 'cannot-tell', note: 'the service did not tell the scopes of the token' },
    ]
  }
  if (api.lacks('files:write')) {
    const failure = {
      method: 'auth.test',
      host: '',
      code: 'missing_scope',
      needed: 'files:write',
      provided: [...api.scopes].join(','),
    }
    return [token, { about: 'scopes', verdict: 'fails', problem: problemOf(failure, 'The files cannot be uploaded') }]
  }
  const proof = api.lacks('files:read')
    ? 'without files:read it cannot be seen whether a message shows, and there is no ts and no permalink'
    : 'files:write and files:read'
  return [token, { about: 'scopes', verdict: 'fine', note: proof }]
}

/**
 * Whether the token's app is in each conversation, as far as it may look: only an explicit verdict is a failure.
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export async function checkConversations(
  api: WebApi,
  conversations: readonly Conversation[],
): Promise<readonly Finding[]> {
  const [first, ...others] = conversations.slice(0, mostLooks)
  if (first === undefined) return []
  // One look alone, because most tokens may not look at all.
  const finding = await checkConversation(api, first)
  if (finding.note === mayNotLook) return conversations.map(({ requested }) => ({ ...finding, about: requested }))
  const rest = await Promise.all(others.map((conversation) => checkConversation(api, conversation)))
  const unseen = conversations.slice(mostLooks).map(({ requested }) => ({
    about: requested,
    verdict: 'cannot-tell' as const,
    note: `only the first ${mostLooks} channels are looked at`,
  }))
  return [finding, ...rest, ...unseen]
}

const mayNotLook = 'without channels:read and groups:read the step cannot look whether the app is in the channel'

async function checkConversation(api: WebApi, { id, requested }: Conversation): Promise<Finding> {
  if (/^[UW]/.test(id)) return { about: requested, verdict: 'fine', note: 'a direct conversation will be opened' }
  const reply = await api.call('conversations.info', { channel: id }, { harmless: true, attempts: 1 })
  if (reply.kind !== 'ok') {
    const { failure } = reply
    const explicit = reply.kind === 'refused' && failure.code === 'channel_not_found' && maySee(api, id)
    if (explicit) return { about: requested, verdict: 'fails', problem: problemOf(failure, notThere(requested)) }
    return {
      about: requested,
      verdict: 'cannot-tell',
      note: failure.code === 'missing_scope' ? mayNotLook : failure.code,
    }
  }
  const channel = objectIn(reply.json, 'channel')
  const name = textIn(channel, 'name')
  const failure = (code: string) => problemOf({ method: 'conversations.info', host: '', code }, notThere(requested))
  if (channel?.['is_archived'] === true) return { about: requested, verdict: 'fails', problem: failure('is_archived') }
  if (channel?.['is_member'] === false && channel['is_im'] !== true) {
    return { about: requested, verdict: 'fails', problem: failure('not_in_channel') }
  }
  return { about: requested, verdict: 'fine', ...(name === undefined ? {} : { note: `#${name}` }) }
}

/** Without the scope for its kind, a conversation that is there may be answered as not found. */
function maySee(api: WebApi, id: string): boolean {
  const scopes = id.startsWith('D') ? ['im:read'] : ['channels:read', 'groups:read']
  return api.scopes !== undefined && scopes.every((scope) => api.scopes?.has(scope))
}

function notThere(requested: string): string {
  return `The files cannot be posted to ${requested}`
}
