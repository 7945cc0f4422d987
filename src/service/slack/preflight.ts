import { type Json, objectIn, textIn } from '../../json.ts'
import { type Problem, ProblemError, warning } from '../../problem.ts'
import { list, type Text, text, words } from '../../text/text.ts'
import { describeFailure, preflightProblem, problemOf } from '../errors/failures.ts'
import type { Channel, CheckResult, MessagingService, ServiceOptions } from '../service.ts'
import type { WebApi } from '../web-api.ts'
import { userId } from './channels.ts'

type Posts = Parameters<MessagingService['preflight']>[1]

/** The rate limit is about 50 a minute, which other apps of the workspace share. */
const maxChannelLookups = 20
/** Milliseconds. A check that takes longer is left out. */
const maxLookupTime = 10_000

export async function checkToken(api: WebApi, posts: Posts): Promise<readonly CheckResult[]> {
  const subject = 'token'
  const result = await api.identify()
  if (result.outcome === 'succeeded') {
    const user = textIn(result.json, 'user') ?? text`unknown`
    const team = textIn(result.json, 'team') ?? text`unknown`
    return [
      { subject, result: 'ok', note: text`user ${user} in workspace ${team}` },
      checkScopes(api, posts),
    ]
  }
  if (result.outcome === 'no such method')
    return [{ subject, result: 'unknown', note: describeFailure(result) }]
  const problem = problemOf(result, text`The token could not be checked`)
  // Given up, it says nothing about the token. The end of the run is reported.
  if (result.code === 'ABORTED') throw new ProblemError(problem)
  // After any other failure, posting would fail, too.
  return [failedCheck(subject, problem)]
}

function failedCheck(subject: string, problem: Problem): CheckResult {
  return { subject, result: 'failed', note: words(problem.title), problem }
}

function checkScopes(api: WebApi, posts: Posts): CheckResult {
  const subject = 'scopes'
  const { scopes } = api
  if (scopes === undefined) {
    return {
      subject,
      result: 'unknown',
      note: text`the service did not report the scopes of the token`,
    }
  }
  const needed = posts === 'files' ? 'files:write' : 'chat:write'
  if (api.lacks(needed)) {
    const granted = scopes.size === 0 ? text`no scope` : list([...scopes])
    const what = text`The ${words(posts)} cannot be posted: the token has ${granted}`
    const facts = { ...api.callOf('auth.test'), needed }
    return failedCheck(subject, preflightProblem('missing_scope', what, facts))
  }
  if (posts === 'comment') return { subject, result: 'ok', note: text`${needed}` }
  const note = api.lacks('files:read')
    ? text`without \`files:read\`, the step cannot see whether a message is visible, and there is no ts and no permalink`
    : text`\`files:write\` and \`files:read\``
  return { subject, result: 'ok', note }
}

/**
 * Is the app in each channel, as far as the token allows? Channels that fail for the same reason
 * share one problem.
 *
 * https://docs.slack.dev/reference/methods/conversations.info
 */
export async function checkChannels(
  api: WebApi,
  channels: readonly Channel[],
  { dryRun, posts }: Pick<ServiceOptions, 'dryRun'> & { readonly posts: Posts },
): Promise<readonly CheckResult[]> {
  const [first, ...others] = channels.slice(0, maxChannelLookups)
  if (first === undefined) return []
  // Alone, since its response shows the scopes. Most tokens may not look up any channel.
  const lookups = [
    await lookUpChannel(api, first, dryRun),
    ...(await Promise.all(others.map((channel) => lookUpChannel(api, channel, dryRun)))),
  ]
  const note = text`only the first ${maxChannelLookups} channels are checked`
  for (const channel of channels.slice(lookups.length))
    lookups.push({ channel, cause: 'unchecked', note })
  const problems = new Map<ChannelLookup['cause'], Problem>()
  for (const [cause, group] of Map.groupBy(lookups, ({ cause }) => cause)) {
    if (cause === 'unchecked' && dryRun) problems.set(cause, uncheckedWarning(group))
    if (cause === undefined || cause === 'unchecked') continue
    if (cause !== 'is_archived') await api.nameApp()
    const what = text`The ${words(posts)} cannot be posted to ${list(group.map(describeChannel))}`
    const channels = group.map(({ channel }) => channel.id)
    const facts = { ...api.callOf('conversations.info'), channels }
    problems.set(cause, preflightProblem(cause, what, facts))
  }
  return lookups.map((lookup): CheckResult => {
    const { cause, channel, name } = lookup
    const problem = problems.get(cause)
    const subject = channel.requested
    if (problem && cause !== 'unchecked') return { name, ...failedCheck(subject, problem) }
    const result = cause === undefined ? 'ok' : 'unknown'
    return { subject, result, name, note: detailsOf(lookup), problem }
  })
}

function uncheckedWarning(lookups: readonly ChannelLookup[]): Problem {
  const channels = list(lookups.map(describeChannel), { max: 5 })
  const explanation = text`${channels}.\nIf the app is not in the channel, the real run fails.`
  return warning('A channel could not be checked', explanation)
}

interface ChannelLookup extends Pick<CheckResult, 'name' | 'note'> {
  readonly channel: Channel
  /** Absent if the app can post. */
  readonly cause?: 'channel_not_found' | 'is_archived' | 'not_in_channel' | 'unchecked' | undefined
}

async function lookUpChannel(
  api: WebApi,
  channel: Channel,
  dryRun: boolean,
): Promise<ChannelLookup> {
  const { id } = channel
  if (dryRun && userId.test(id))
    return { channel, note: text`a direct conversation will be opened` }
  const unchecked = (note: Text): ChannelLookup => ({ channel, cause: 'unchecked', note })
  const scopes = /^D/.test(id) ? ['im:read'] : ['channels:read', 'groups:read']
  const lacking = () => scopes.filter((scope) => api.lacks(scope))
  if (lacking().length < scopes.length) {
    const options = { safeToRepeat: true, maxFailures: 1, maxTime: maxLookupTime }
    const response = await api.call('conversations.info', { channel: id }, options)
    if (response.outcome === 'succeeded')
      return readChannel(channel, objectIn(response.json, 'channel'))
    // Without the scope for its kind, an existing channel may be reported as not found.
    if (response.code === 'channel_not_found' && scopes.every((scope) => api.scopes?.has(scope)))
      return { channel, cause: 'channel_not_found' }
    if (response.code !== 'missing_scope') return unchecked(describeFailure(response))
  }
  const needed = lacking().length > 0 ? lacking() : scopes
  return unchecked(text`the token lacks ${list(needed, { separator: ' and ' })}`)
}

function readChannel(channel: Channel, record: Json | undefined): ChannelLookup {
  const publicName = record?.['is_private'] === false ? textIn(record, 'name') : undefined
  const lookup = { channel, name: publicName && `#${publicName}` }
  if (record?.['is_archived'] === true) return { ...lookup, cause: 'is_archived' }
  return record?.['is_member'] === false && record['is_im'] !== true
    ? { ...lookup, cause: 'not_in_channel' }
    : lookup
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
