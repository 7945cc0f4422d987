import type { Problem } from '../problem.ts'
import { type FoundCode, foundProblem, problemOf, said } from './errors.ts'
import type { Conversation, Finding } from './service.ts'
import { objectIn, textIn, type WebApi } from './web-api.ts'

/** More looks than this would spend the rate limit (about 50 a minute) that others in the workspace need too. */
const mostLooks = 20

/** Who the token belongs to, and what it may do. https://docs.slack.dev/reference/methods/auth.test */
export async function checkToken(api: WebApi): Promise<readonly Finding[]> {
  const reply = await api.call('auth.test', {}, { harmless: true })
  if (reply.kind === 'refused') {
    return [{ about: 'token', verdict: 'fails', problem: problemOf(reply.failure, 'The token could not be checked') }]
  }
  if (reply.kind !== 'ok') return [{ about: 'token', verdict: 'cannot-tell', note: said(reply.failure) }]
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
    const has = api.scopes.size === 0 ? 'no scope' : [...api.scopes].join(', ')
    const problem = foundProblem('missing_scope', `The files cannot be uploaded: the token has ${has}`, 'files:write')
    return [token, { about: 'scopes', verdict: 'fails', problem }]
  }
  const proof = api.lacks('files:read')
    ? 'without files:read it cannot be seen whether a message shows, and there is no ts and no permalink'
    : 'files:write and files:read'
  return [token, { about: 'scopes', verdict: 'fine', note: proof }]
}

/**
 * Whether the token's app is in each conversation, as far as it may look: only an explicit verdict is a failure.
 * Conversations that fail for the same reason share one problem, which names them all.
 *
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export async function checkConversations(
  api: WebApi,
  conversations: readonly Conversation[],
): Promise<readonly Finding[]> {
  const [first, ...others] = conversations.slice(0, mostLooks)
  if (first === undefined) return []
  // One look alone: its answer tells the scopes, and most tokens may not look at all.
  const looks = [await look(api, first), ...(await Promise.all(others.map((conversation) => look(api, conversation))))]
  const problems = new Map<Looked['verdict'], Problem>(
    failures.map((code) => {
      const those = looks.filter(({ verdict }) => verdict === code)
      return [code, foundProblem(code, `The files cannot be posted to ${those.map(nameOf).join(', ')}`)]
    }),
  )
  return [
    ...looks.map(({ conversation: { requested }, verdict, note }): Finding => {
      const problem = problems.get(verdict)
      if (problem) return { about: requested, verdict: 'fails', problem }
      return { about: requested, verdict: verdict === 'fine' ? 'fine' : 'cannot-tell', ...(note && { note }) }
    }),
    ...conversations.slice(mostLooks).map(
      ({ requested }): Finding => ({
        about: requested,
        verdict: 'cannot-tell',
        note: `only the first ${mostLooks} channels are looked at`,
      }),
    ),
  ]
}

const failures = ['channel_not_found', 'is_archived', 'not_in_channel'] as const satisfies readonly FoundCode[]

interface Looked {
  readonly conversation: Conversation
  readonly verdict: (typeof failures)[number] | 'fine' | 'cannot-tell'
  /** The name of the channel, or why nothing can be told. */
  readonly note?: string
}

async function look(api: WebApi, conversation: Conversation): Promise<Looked> {
  const { id } = conversation
  const scopes = /^D/.test(id) ? ['im:read'] : ['channels:read', 'groups:read']
  const mayNot = {
    conversation,
    verdict: 'cannot-tell',
    note: `the token may not look: it lacks ${scopes.join(' and ')}`,
  } as const
  if (/^[UW]/.test(id)) return { conversation, verdict: 'fine', note: 'a direct conversation will be opened' }
  if (scopes.every((scope) => api.lacks(scope))) return mayNot
  const reply = await api.call('conversations.info', { channel: id }, { harmless: true, attempts: 1, patience: 0 })
  if (reply.kind !== 'ok') {
    const { code } = reply.failure
    if (code === 'missing_scope') return mayNot
    // Without the scope for its kind, a conversation that is there may be answered as not found.
    const explicit = code === 'channel_not_found' && scopes.every((scope) => api.scopes?.has(scope))
    return explicit
      ? { conversation, verdict: code }
      : { conversation, verdict: 'cannot-tell', note: said(reply.failure) }
  }
  const channel = objectIn(reply.json, 'channel')
  // A record of another channel is no verdict on this one.
  if ((textIn(channel, 'id') ?? id) !== id) {
    return { conversation, verdict: 'cannot-tell', note: 'the service described another channel' }
  }
  const name = textIn(channel, 'name')
  const verdict =
    channel?.['is_archived'] === true
      ? 'is_archived'
      : channel?.['is_member'] === false && channel['is_im'] !== true
        ? 'not_in_channel'
        : 'fine'
  return { conversation, verdict, ...(name === undefined ? {} : { note: `#${name}` }) }
}

function nameOf({ conversation: { requested }, note }: Looked): string {
  return note === undefined ? requested : `${requested} (${note})`
}
