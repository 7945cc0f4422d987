import pMap from 'p-map'
import { type Json, objectIn, textIn } from '../json.ts'
import { type Problem, titleOf } from '../problem.ts'
import { code, list, quoted, type Text, text } from '../text/text.ts'
import { userId } from './channels.ts'
import { describeFailure, preflightProblem, problemOf } from './failures.ts'
import type { Channel, Finding, Preflight } from './service.ts'
import type { WebApi } from './web-api.ts'

/** More lookups would use up the rate limit (about 50 a minute), which other apps of the workspace share. */
const maxChannelLookups = 20

/** Who the token belongs to, and its scopes. https://docs.slack.dev/reference/methods/auth.test */
export async function checkToken(api: WebApi): Promise<Preflight> {
  const result = await api.call('auth.test', {}, { safeToRepeat: true })
  if (result.outcome !== 'succeeded') {
    const { failure, outcome } = result
    // A portal or a redirect stays, too.
    const isElsewhere = outcome === 'ambiguous' && failure.status !== undefined && failure.row.isPermanent
    if (isElsewhere || (outcome === 'refused' && !result.unknownMethod)) {
      return failedCheck('token', problemOf(failure, text`The token could not be checked`))
    }
    return { findings: [{ subject: 'token', result: 'unknown', note: describeFailure(failure) }], problems: [] }
  }
  const user = textIn(result.json, 'user') ?? text`unknown`
  const team = textIn(result.json, 'team') ?? text`unknown`
  const { findings, problems } = checkScopes(api)
  return {
    findings: [{ subject: 'token', result: 'ok', note: text`user ${user} in workspace ${team}` }, ...findings],
    problems,
  }
}

function failedCheck(subject: string, problem: Problem): Preflight {
  return { findings: [{ subject, result: 'failed', note: titleOf(problem) }], problems: [problem] }
}

function checkScopes(api: WebApi): Preflight {
  const subject = 'scopes'
  if (api.scopes === undefined) {
    const note = text`the service did not report the scopes of the token`
    return { findings: [{ subject, result: 'unknown', note }], problems: [] }
  }
  if (api.lacks('files:write')) {
    const granted = api.scopes.size === 0 ? text`no scope` : list([...api.scopes])
    const what = text`The files cannot be uploaded: the token has ${granted}`
    const facts = { ...api.callOf('auth.test'), needed: 'files:write' }
    return failedCheck(subject, preflightProblem('missing_scope', what, facts))
  }
  const note = api.lacks('files:read')
    ? text`without ${code('files:read')}, the step cannot see whether a message is visible, and there is no ts and no permalink`
    : text`${code('files:write')} and ${code('files:read')}`
  return { findings: [{ subject, result: 'ok', note }], problems: [] }
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
): Promise<Preflight> {
  const [first, ...others] = checks.refuseExternalChannels ? channels : channels.slice(0, maxChannelLookups)
  if (first === undefined) return { findings: [], problems: [] }
  // The first lookup is made alone: its response reports the scopes, and most tokens may not look up channels at all.
  const lookups = [
    await lookUpChannel(api, first, checks),
    ...(await pMap(others, (channel) => lookUpChannel(api, channel, checks), { concurrency: maxChannelLookups })),
  ]
  const problems = new Map<string, Problem>()
  for (const [cause, those] of Map.groupBy(lookups, (lookup) => causeOf(lookup, checks))) {
    if (cause !== undefined) problems.set(cause, problemFor(cause, those, api))
  }
  const findings = lookups.map((lookup): Finding => {
    const { channel, name, result } = lookup
    const problem = problems.get(causeOf(lookup, checks) ?? '')
    const note = problem ? titleOf(problem) : detailsOf(lookup)
    return {
      subject: channel.requested,
      result: problem ? 'failed' : result === 'ok' ? 'ok' : 'unknown',
      ...(name && { name }),
      ...(note && { note }),
    }
  })
  const note = text`only the first ${maxChannelLookups} channels are checked`
  const unchecked = channels.slice(lookups.length)
  return {
    findings: [
      ...findings,
      ...unchecked.map(({ requested }): Finding => ({ subject: requested, result: 'unknown', note })),
    ],
    problems: [...problems.values()],
  }
}

interface ChannelLookup {
  readonly channel: Channel
  readonly result: FailedCheck | 'ok' | 'unknown'
  /** Shared with another organization, or about to be. Absent if that is unknown. */
  readonly isExternal?: boolean
  /** As in `Finding`. */
  readonly name?: string
  /** Why the result is unknown, or what it will be. */
  readonly note?: Text
}

type FailedCheck = 'channel_not_found' | 'is_archived' | 'not_in_channel'

/** Why a channel fails: the same for all channels that share a problem. */
function causeOf({ isExternal, note, result }: ChannelLookup, checks: ChannelChecks): string | undefined {
  if (checks.refuseExternalChannels && isExternal) return 'external'
  if (result !== 'ok' && result !== 'unknown') return result
  if (!checks.refuseExternalChannels || isExternal !== undefined) return undefined
  return `unchecked: ${quoted(whyUnchecked({ note, result }))}`
}

function problemFor(cause: string, lookups: readonly ChannelLookup[], api: WebApi): Problem {
  const [first] = lookups
  const names = list(lookups.map(describeChannel))
  if (cause === 'external') return externalChannels(names)
  if (first && first.result !== 'ok' && first.result !== 'unknown') {
    const what = text`The files cannot be posted to ${names}`
    return preflightProblem(first.result, what, api.callOf('conversations.info'))
  }
  return uncheckedChannels(list(lookups.map(({ channel }) => channel.requested)), first ? whyUnchecked(first) : text``)
}

/** Why it is unknown whether a channel is external. */
function whyUnchecked({ note, result }: { readonly note?: Text | undefined; readonly result: string }): Text {
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

async function lookUpChannel(
  api: WebApi,
  channel: Channel,
  { dryRun, refuseExternalChannels }: ChannelChecks,
): Promise<ChannelLookup> {
  const { id } = channel
  if (dryRun && userId.test(id)) {
    return { channel, result: 'ok', isExternal: false, note: text`a direct conversation will be opened` }
  }
  const scopes = /^D/.test(id) ? ['im:read'] : ['channels:read', 'groups:read']
  const unknown = (note: Text): ChannelLookup => ({ channel, result: 'unknown', note })
  const notAllowed = text`the token may not look it up: it lacks ${list(scopes.map(code), { separator: ' and ' })}`
  if (scopes.every((scope) => api.lacks(scope))) return unknown(notAllowed)
  const attempts = refuseExternalChannels ? {} : { maxAttempts: 1, maxWait: 0 }
  const response = await api.call('conversations.info', { channel: id }, { safeToRepeat: true, ...attempts })
  if (response.outcome === 'succeeded') return readChannel(objectIn(response.json, 'channel'), channel)
  const { failure } = response
  if (failure.code === 'missing_scope') return unknown(notAllowed)
  // Without the scope for its kind, a channel that exists may be reported as not found.
  const isExplicit = failure.code === 'channel_not_found' && scopes.every((scope) => api.scopes?.has(scope))
  return isExplicit ? { channel, result: 'channel_not_found' } : unknown(describeFailure(failure))
}

function readChannel(record: Json | undefined, channel: Channel): ChannelLookup {
  // The record of another channel says nothing about this one.
  if ((textIn(record, 'id') ?? channel.id) !== channel.id) {
    return { channel, result: 'unknown', note: text`the service described another channel` }
  }
  const name = record?.['is_private'] === false ? textIn(record, 'name') : undefined
  const isExternal = isExternalIn(record, channel.id)
  const isOutside = record?.['is_member'] === false && record['is_im'] !== true
  return {
    channel,
    result: record?.['is_archived'] === true ? 'is_archived' : isOutside ? 'not_in_channel' : 'ok',
    ...(isExternal !== undefined && { isExternal }),
    ...(name && { name: `#${name}` }),
  }
}

/** https://docs.slack.dev/reference/objects/conversation-object: without `is_ext_shared`, a record says nothing. */
function isExternalIn(record: Json | undefined, id: string): boolean | undefined {
  const { is_ext_shared: shared, is_pending_ext_shared: pending = false } = record ?? {}
  if (shared === true || pending === true) return true
  return textIn(record, 'id') === id && shared === false && pending === false ? false : undefined
}

function describeChannel(lookup: ChannelLookup): Text {
  const { requested } = lookup.channel
  const details = detailsOf(lookup)
  return details === undefined ? text`${requested}` : text`${requested} (${details})`
}

/** Beside a name the ID, beside an ID the name. */
function detailsOf({ channel, name, note }: ChannelLookup): Text | undefined {
  const other = channel.requested.startsWith('#') ? channel.id : name
  return note ?? (other === undefined ? undefined : text`${other}`)
}
