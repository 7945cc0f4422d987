import { objectIn, textIn } from '../json.ts'
import { code, list, type Text, text } from '../text/text.ts'
import { describeFailure, type PreflightCode, preflightProblem, problemOf } from './failures.ts'
import type { Channel, Finding } from './service.ts'
import type { WebApi } from './web-api.ts'

/** More lookups would use up the rate limit (about 50 a minute), which other apps of the workspace share. */
const maxChannelLookups = 20

/** Who the token belongs to, and its scopes. https://docs.slack.dev/reference/methods/auth.test */
export async function checkToken(api: WebApi): Promise<readonly Finding[]> {
  const result = await api.call('auth.test', {}, { safeToRepeat: true })
  if (result.outcome === 'refused' && !result.notOffered) {
    const problem = problemOf(result.failure, text`The token could not be checked`)
    return [{ subject: 'token', result: 'failed', problem }]
  }
  if (result.outcome !== 'succeeded') {
    return [{ subject: 'token', result: 'unknown', note: describeFailure(result.failure) }]
  }
  const user = textIn(result.json, 'user') ?? text`unknown`
  const team = textIn(result.json, 'team') ?? text`unknown`
  return [{ subject: 'token', result: 'ok', note: text`user ${user} in workspace ${team}` }, checkScopes(api)]
}

function checkScopes(api: WebApi): Finding {
  const subject = 'scopes'
  if (api.scopes === undefined) {
    return { subject, result: 'unknown', note: text`the service did not report the scopes of the token` }
  }
  if (api.lacks('files:write')) {
    const granted = api.scopes.size === 0 ? text`no scope` : list([...api.scopes])
    const what = text`The files cannot be uploaded: the token has ${granted}`
    return {
      subject,
      result: 'failed',
      problem: preflightProblem('missing_scope', what, { ...api.callOf('auth.test'), needed: 'files:write' }),
    }
  }
  const note = api.lacks('files:read')
    ? text`without ${code('files:read')}, the step cannot see whether a message is visible, and there is no ts and no permalink`
    : text`${code('files:write')} and ${code('files:read')}`
  return { subject, result: 'ok', note }
}

/**
 * Whether the app is in each channel, as far as the token allows. Only an explicit response is a failure. Channels that
 * fail for the same reason share one problem, which names them all.
 *
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export async function checkChannels(api: WebApi, channels: readonly Channel[]): Promise<readonly Finding[]> {
  const [first, ...others] = channels.slice(0, maxChannelLookups)
  if (first === undefined) return []
  // The first lookup is made alone: its response reports the scopes, and most tokens may not look up channels at all.
  const lookups = [await lookUp(api, first), ...(await Promise.all(others.map((channel) => lookUp(api, channel))))]
  const problems = new Map<ChannelLookup['result'], Finding['problem']>(
    failures.map((errorCode) => {
      const those = lookups.filter(({ result }) => result === errorCode)
      const what = text`The files cannot be posted to ${list(those.map(channelName))}`
      return [errorCode, preflightProblem(errorCode, what, api.callOf('conversations.info'))]
    }),
  )
  return [
    ...lookups.map(({ channel: { requested }, result, note }): Finding => {
      const problem = problems.get(result)
      if (problem) return { subject: requested, result: 'failed', problem }
      return { subject: requested, result: result === 'ok' ? 'ok' : 'unknown', ...(note && { note }) }
    }),
    ...channels.slice(maxChannelLookups).map(
      ({ requested }): Finding => ({
        subject: requested,
        result: 'unknown',
        note: text`only the first ${maxChannelLookups} channels are checked`,
      }),
    ),
  ]
}

const failures = ['channel_not_found', 'is_archived', 'not_in_channel'] as const satisfies readonly PreflightCode[]

interface ChannelLookup {
  readonly channel: Channel
  readonly result: (typeof failures)[number] | 'ok' | 'unknown'
  /** The name of the channel, or why the result is unknown. */
  readonly note?: Text
}

async function lookUp(api: WebApi, channel: Channel): Promise<ChannelLookup> {
  const { id } = channel
  const scopes = /^D/.test(id) ? ['im:read'] : ['channels:read', 'groups:read']
  const notAllowed = {
    channel,
    result: 'unknown',
    note: text`the token may not look it up: it lacks ${list(scopes.map(code), { separator: ' and ' })}`,
  } as const
  if (/^[UW]/.test(id)) return { channel, result: 'ok', note: text`a direct conversation will be opened` }
  if (scopes.every((scope) => api.lacks(scope))) return notAllowed
  const options = { safeToRepeat: true, maxAttempts: 1, maxWait: 0 }
  const response = await api.call('conversations.info', { channel: id }, options)
  if (response.outcome !== 'succeeded') {
    const { code: errorCode } = response.failure
    if (errorCode === 'missing_scope') return notAllowed
    // Without the scope for its kind, a channel that exists may be reported as not found.
    const explicit = errorCode === 'channel_not_found' && scopes.every((scope) => api.scopes?.has(scope))
    return explicit
      ? { channel, result: errorCode }
      : { channel, result: 'unknown', note: describeFailure(response.failure) }
  }
  const record = objectIn(response.json, 'channel')
  // The record of another channel says nothing about this one.
  if ((textIn(record, 'id') ?? id) !== id) {
    return { channel, result: 'unknown', note: text`the service described another channel` }
  }
  const name = textIn(record, 'name')
  const result =
    record?.['is_archived'] === true
      ? 'is_archived'
      : record?.['is_member'] === false && record['is_im'] !== true
        ? 'not_in_channel'
        : 'ok'
  return { channel, result, ...(name === undefined ? {} : { note: text`${`#${name}`}` }) }
}

function channelName({ channel: { requested }, note }: ChannelLookup): Text {
  return note === undefined ? text`${requested}` : text`${requested} (${note})`
}
