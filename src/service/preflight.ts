import pMap from 'p-map'
import { type Json, objectIn, textIn } from '../json.ts'
import type { Problem } from '../problem.ts'
import { code, list, quoted, type Text, text } from '../text/text.ts'
import { userId } from './channels.ts'
import { describeFailure, preflightProblem, problemOf } from './failures.ts'
import type { Channel, Finding } from './service.ts'
import type { WebApi } from './web-api.ts'

/** More lookups would use up the rate limit (about 50 a minute), which other apps of the workspace share. */
const maxChannelLookups = 20

/** Who the token belongs to, and its scopes. https://docs.slack.dev/reference/methods/auth.test */
export async function checkToken(api: WebApi): Promise<readonly Finding[]> {
  const result = await api.call('auth.test', {}, { safeToRepeat: true })
  if (result.outcome !== 'succeeded') {
    const { failure, outcome } = result
    // A portal or a redirect stays, too.
    const isElsewhere = outcome === 'ambiguous' && failure.status !== undefined && failure.row.isPermanent
    if (isElsewhere || (outcome === 'refused' && !result.unknownMethod)) {
      const problem = problemOf(failure, text`The token could not be checked`)
      return [{ subject: 'token', result: 'failed', problem }]
    }
    return [{ subject: 'token', result: 'unknown', note: describeFailure(failure) }]
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

export interface ChannelChecks {
  /** Nothing is created: a user ID may stand for a direct conversation that does not exist yet. */
  readonly dryRun: boolean
  /** A channel that is shared with another organization fails, and also one of which that is unknown. */
  readonly refuseExternalChannels: boolean
}

/**
 * Whether the app is in each channel, as far as the token allows. Only an explicit response is a failure, unless external
 * channels are refused. Channels that fail for the same reason share one problem, which names them all.
 *
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export async function checkChannels(
  api: WebApi,
  channels: readonly Channel[],
  checks: ChannelChecks,
): Promise<readonly Finding[]> {
  const [first, ...others] = checks.refuseExternalChannels ? channels : channels.slice(0, maxChannelLookups)
  if (first === undefined) return []
  // The first lookup is made alone: its response reports the scopes, and most tokens may not look up channels at all.
  const lookups = [
    await lookUp(api, first, checks),
    ...(await pMap(others, (channel) => lookUp(api, channel, checks), { concurrency: maxChannelLookups })),
  ]
  const problems = problemsOf(lookups, api, checks)
  return [
    ...lookups.map((lookup): Finding => {
      const { channel, note, result } = lookup
      const problem = problems.get(lookup)
      if (problem) return { subject: channel.requested, result: 'failed', problem }
      return { subject: channel.requested, result: result === 'ok' ? 'ok' : 'unknown', ...(note && { note }) }
    }),
    ...channels.slice(lookups.length).map(
      ({ requested }): Finding => ({
        subject: requested,
        result: 'unknown',
        note: text`only the first ${maxChannelLookups} channels are checked`,
      }),
    ),
  ]
}

interface ChannelLookup {
  readonly channel: Channel
  readonly result: 'channel_not_found' | 'is_archived' | 'not_in_channel' | 'ok' | 'unknown'
  /** Shared with another organization, or about to be. Absent if that is unknown. */
  readonly isExternal?: boolean
  /** The name of the channel, or why the result is unknown. */
  readonly note?: Text
}

function problemsOf(
  lookups: readonly ChannelLookup[],
  api: WebApi,
  { refuseExternalChannels }: ChannelChecks,
): ReadonlyMap<ChannelLookup, Problem> {
  const problems = new Map<ChannelLookup, Problem>()
  const addShared = (those: readonly ChannelLookup[], problem: (names: Text) => Problem) => {
    const shared = problem(list(those.map(channelName)))
    for (const lookup of those) problems.set(lookup, shared)
  }
  for (const [result, those] of Map.groupBy(lookups, (lookup) => lookup.result)) {
    if (result === 'ok' || result === 'unknown') continue
    addShared(those, (names) =>
      preflightProblem(result, text`The files cannot be posted to ${names}`, api.callOf('conversations.info')),
    )
  }
  if (refuseExternalChannels) {
    const unchecked = lookups.filter((lookup) => lookup.isExternal === undefined && !problems.has(lookup))
    for (const [, those] of Map.groupBy(unchecked, (lookup) => quoted(reasonOf(lookup)))) {
      const names = list(those.map(({ channel }) => channel.requested))
      addShared(those, () => uncheckedChannels(names, those[0] ? reasonOf(those[0]) : text``))
    }
    addShared(
      lookups.filter(({ isExternal }) => isExternal),
      externalChannels,
    )
  }
  return problems
}

/** Why it is unknown whether a channel is external. */
function reasonOf({ note, result }: ChannelLookup): Text {
  return (result === 'unknown' && note) || text`the service did not say`
}

const input = code('refuse-external-channels')

function externalChannels(names: Text): Problem {
  return {
    title: 'A channel is shared with another organization',
    text: text`Nothing is posted, because another organization is in this channel or invited to it: ${names}.\nRemove it from ${code('channels')}. If the other organization may get the files, remove ${input}.`,
  }
}

function uncheckedChannels(names: Text, why: Text): Problem {
  return {
    title: 'A channel could not be checked',
    text: text`Nothing is posted, because it is unknown whether another organization is in ${names}: ${why}.\nThe check needs the scopes ${code('channels:read')} and ${code('groups:read')}, and ${code('im:read')} for direct conversations. Add them to the app, reinstall the app, and store the new token in the secret. To post without the check, remove ${input}.`,
  }
}

/** For an upload method that cannot look up channels. */
export function noChannelCheck(method: string, service: Text): Problem {
  return {
    title: 'The channels could not be checked',
    text: text`Nothing is posted, because ${method} offers no way to find out whether another organization is in a channel.\nIf ${service} offers the external upload, write ${code('method: external')}. To post without the check, remove ${input}.`,
  }
}

async function lookUp(
  api: WebApi,
  channel: Channel,
  { dryRun, refuseExternalChannels }: ChannelChecks,
): Promise<ChannelLookup> {
  const { id } = channel
  const scopes = /^D/.test(id) ? ['im:read'] : ['channels:read', 'groups:read']
  const notAllowed = {
    channel,
    result: 'unknown',
    note: text`the token may not look it up: it lacks ${list(scopes.map(code), { separator: ' and ' })}`,
  } as const
  if (dryRun && userId.test(id)) {
    return { channel, result: 'ok', isExternal: false, note: text`a direct conversation will be opened` }
  }
  if (scopes.every((scope) => api.lacks(scope))) return notAllowed
  const attempts = refuseExternalChannels ? {} : { maxAttempts: 1, maxWait: 0 }
  const response = await api.call('conversations.info', { channel: id }, { safeToRepeat: true, ...attempts })
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
  const isExternal = isExternalIn(record, id)
  const result =
    record?.['is_archived'] === true
      ? 'is_archived'
      : record?.['is_member'] === false && record['is_im'] !== true
        ? 'not_in_channel'
        : 'ok'
  return {
    channel,
    result,
    ...(isExternal === undefined ? {} : { isExternal }),
    ...(name === undefined ? {} : { note: text`${`#${name}`}` }),
  }
}

/** https://docs.slack.dev/reference/objects/conversation-object: without `is_ext_shared`, a record says nothing. */
function isExternalIn(record: Json | undefined, id: string): boolean | undefined {
  const { is_ext_shared: shared, is_pending_ext_shared: pending = false } = record ?? {}
  if (shared === true || pending === true) return true
  return textIn(record, 'id') === id && shared === false && pending === false ? false : undefined
}

function channelName({ channel: { requested }, note }: ChannelLookup): Text {
  return note === undefined ? text`${requested}` : text`${requested} (${note})`
}
