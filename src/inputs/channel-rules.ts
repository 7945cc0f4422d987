import { parseList, parseObject } from '../json.ts'
import { type Problem, warning } from '../problem.ts'
import { code, join, list, quoted, showValue, type Text, text, words } from '../text/text.ts'
import { noTextProblem, unquoted, unreplacedProblem } from './rules.ts'

/** Slack: https://docs.slack.dev/reference/methods/files.completeUploadExternal limits `channels` of one message. */
const maxChannels = 100

export function splitChannels(value: string): readonly string[] {
  const parts = parseList(value)?.map((item) => String(item).trim()) ?? withoutComments(value).split(/[\s,]/)
  return [...new Set(parts.map(unquoted).filter((channel) => channel !== ''))]
}

function withoutComments(channels: string): string {
  return channels.replace(/^[^\S\n]*#(?!\S).*/gm, '')
}

/** @param isExternal with the external upload, Slack's rules for IDs apply; with `files.upload`, IDs are opaque */
export function channelsProblem(value: string, isExternal: boolean): Text | undefined {
  const channels = splitChannels(value)
  if (channels.length === 0) {
    const comment = /#.*/.exec(value)?.[0]
    if (comment !== undefined) return commentProblem(comment)
    return text`is empty. Write at least one channel, such as ${code('channels: C0123456789')}, or ${code("channels: '#general'")}: without the quotes, YAML takes the name for a comment. If it comes from ${code('vars.X')}, is that variable set in this repository?`
  }
  if (parseObject(value)) {
    return text`is a JSON object. Which of its entries is meant? Write ${code('${{ fromJSON(vars.CHANNELS)[matrix.team] }}')}, with your names.`
  }
  const other = parseList(value)?.find((item) => typeof item !== 'string')
  if (other !== undefined) {
    return text`is a JSON list with ${showValue(JSON.stringify(other))}. Write a list of strings, such as ${code('["C0123456789", "#releases"]')}.`
  }
  if (/^[^\S\n]*-\s/m.test(value)) {
    return text`is text, not a YAML list. Remove the leading ${code('- ')}: write IDs separated by commas, spaces or line breaks.`
  }
  return isExternal ? slackChannelsProblem(value, channels) : undefined
}

function commentProblem(comment: string): Text {
  return text`contains ${showValue(comment)}. If it is the name of a channel, remove the space after ${code('#')}. If it is a comment, put it on a line of its own, above the channels.`
}

function slackChannelsProblem(value: string, channels: readonly string[]): Text | undefined {
  const noText = noTextProblem(value, text` For a list, write ${code('${{ toJSON(…) }}')}.`)
  if (noText !== undefined) return noText
  const comment = /(?<!\S)#(?!\S).*/.exec(withoutComments(value))?.[0]
  if (comment !== undefined) return commentProblem(comment)
  const inside = channelsInside(value)
  const others = value.replace(channelInside, '').replace(/\band\b/g, '')
  const isNoList = value.startsWith('[') && parseList(value) === undefined
  if (!channels.every(isChannel) && inside.length > (isNoList ? 0 : 1) && !/[\p{L}\p{N}]/u.test(others)) {
    const what = isNoList
      ? text`is not valid JSON: a double quote is missing, or there is one comma too many. Write ${inside.join(', ')}.`
      : channelProblem(value)
    return text`contains ${showValue(value)}, which ${what}`
  }
  const [, start, end] = /(?<!\S)(#[^\s,]+) +(?=[\p{L}\p{N}_-]+(?:[\s,]|$))([^\s,]+)/u.exec(value) ?? []
  if (start !== undefined && end !== undefined && !isChannel(end)) {
    return text`contains ${`${start} ${end}`}. A space separates channels, and names have none. Write ${`'${start}-${end}'`}, or, for two channels, ${`'${start}, #${end}'`}.`
  }
  if (channels.length > maxChannels) {
    return text`has ${channels.length} channels, but a message can go to at most ${maxChannels}. Use several steps.`
  }
  const wrong = channels.filter((channel) => !isChannel(channel))
  const problemOf = (channel: string) => unreplacedProblem(channel) ?? channelProblem(channel)
  const problems = [...Map.groupBy(wrong, (channel) => quoted(problemOf(channel))).values()].map((same) => {
    const which = words(same.length > 1 ? 'each of which' : 'which')
    return text`contains ${list(same.map(showValue), { max: 3 })}, ${which} ${problemOf(same[0] ?? '')}`
  })
  return problems.length > 0 ? join(problems, text`\n${code('channels')} `) : undefined
}

/** `channel_id` of https://docs.slack.dev/reference/methods/files.completeUploadExternal, and user IDs, which are resolved. */
const idShape = /^[CGDZUW][A-Z0-9]{8,}$/
/** Letters of any script: https://docs.slack.dev/reference/methods/conversations.create names no other rules that hold for all. */
const nameShape = /^#(?=.*[\p{L}\p{N}])[^\s!-,/:-@[-^\x60{-\x7f]{1,80}$/u
/** An ID contains a digit, because a name may have the same letters. */
const channelInside =
  /(?<![A-Za-z0-9])[CGDZUW](?=[A-Z]*\d)[A-Z0-9]{8,}(?![A-Za-z0-9])|(?<![\p{L}\p{N}/])#[^\s!-,/:-@[-^\x60{-\x7f]+/gu

function isChannel(channel: string): boolean {
  return idShape.test(channel) || (nameShape.test(channel) && !idShape.test(channel.slice(1)))
}

/** The IDs and names in a text that is neither, such as a link or several channels without a comma. */
function channelsInside(channel: string): readonly string[] {
  // A token is never quoted, not even a part of it.
  if (/xox|xapp|hooks\.slack/.test(channel)) return []
  const matches = (channel.match(channelInside) ?? []).map((match) => (isChannel(match) ? match : match.slice(1)))
  return [...new Set(matches.filter(isChannel))]
}

const whereIsTheId = text`Write the channel ID, such as ${code('C0123456789')}. It is shown at the bottom of the channel's details (click the channel name).`
const memberId = text`Write the member ID, such as ${code('U0123456789')} (profile, three dots, Copy member ID).`

const nameOfVariable = text`Write ${code('${{ vars.NAME }}')} with the name of your variable.`
const mentionGroup = text`Write the ID of a channel, and mention the group in the comment: ${code('<!subteam^S0123456789>')}.`

/** The first that matches decides. */
const otherForms: readonly (readonly [form: RegExp, what: string, remedy: Text])[] = [
  [/^[^\p{L}\p{N}#]+$/u, 'is not a channel.', text`Separate channels by commas, spaces or line breaks.`],
  [/hooks\.slack\.com/, 'is a webhook URL: it cannot take files.', whereIsTheId],
  [/xox|xapp/, 'is not a channel ID.', whereIsTheId],
  [/^[$%]/, 'is the name of a variable instead of its value.', nameOfVariable],
  [/^@(here|channel|everyone)$|^<!/, 'is a mention: it belongs in the comment.', whereIsTheId],
  [/^@/, 'is the name of a person.', memberId],
  [/^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+$/u, 'has a dot, which no name of a channel has. Is it a person?', memberId],
  [/^[^@]+@[^@]+\.[^@.]+$/, 'is an e-mail address.', memberId],
  [/^S(?=[A-Z]*\d)[A-Z0-9]{8,}$/, 'is the ID of a user group.', mentionGroup],
  [/^[ABEFT](?=[A-Z]*\d)[A-Z0-9]{8,}$/, 'is the ID of an app, a file, a workspace or an organization.', whereIsTheId],
  [/^[CGDZUW](?=[A-Z]*\d)[A-Z0-9]{1,7}$/, 'is too short for an ID.', whereIsTheId],
]

function channelProblem(channel: string): Text {
  const [inside, ...more] = channelsInside(channel)
  if (more.length > 0)
    return text`is not one channel. Separate channels by commas: write ${[inside, ...more].join(', ')}.`
  if (inside?.startsWith('#')) return text`is not the name of a channel. Write ${inside}.`
  if (inside !== undefined) return text`is not a channel ID. Write ${inside}.`
  if (/^[cgdzuw]\d[a-z0-9]{7,}$/.test(channel)) return text`is not a channel ID. Write ${channel.toUpperCase()}.`
  const [, what, remedy = []] = otherForms.find(([form]) => form.test(channel)) ?? []
  if (what !== undefined) return text`${words(what)} ${remedy}`
  return nameShape.test(`#${channel}`)
    ? text`is not a channel ID. If it is the name of a channel, write ${`'#${channel}'`} in quotes. Or write the channel ID: it is shown at the bottom of the channel's details (click the channel name).`
    : text`is neither the ID nor the name of a channel. ${whereIsTheId}`
}

/** A warning if nothing is between two commas, as where a variable is not set. */
export function gapWarnings(channels: string): readonly Problem[] {
  const items = parseList(channels)?.map(String)
  const entries = items ?? withoutComments(channels).split(',')
  if (entries.length === 1 || entries.every((entry) => entry.trim() !== '')) return []
  const comment =
    items || entries.at(-1)?.trim()
      ? []
      : text` If a name such as ${code('#releases')} follows the last comma, put the whole value in quotes: without them, YAML takes the name for a comment.`
  const explanation = text`${code('channels')} is ${showValue(channels)}: one of its entries is empty.\nIf it comes from a variable, is the variable set?${comment} Otherwise, remove it.`
  return [warning('A channel is missing', explanation)]
}

/** @param isExternal with the external upload, the shape of Slack's `ts` applies */
export function threadTsProblem(ts: string, channels: readonly string[], isExternal: boolean): Text | undefined {
  if (ts === '') return undefined
  const wrong = noTextProblem(ts) ?? (isExternal ? slackTsProblem(ts, channels) : undefined)
  if (wrong !== undefined || channels.length < 2) return wrong
  return text`requires exactly one channel, and ${code('channels')} has ${channels.length}: ${list(channels, { max: 3 })}. Use one step for each thread.`
}

function slackTsProblem(ts: string, channels: readonly string[]): Text | undefined {
  if (/^\d{10}\.\d{6}$/.test(ts)) return undefined
  const write = text`is ${showValue(ts)}. Write the ts of the message in quotes`
  // The link of a reply names the message that it replies to: a thread hangs on that one.
  const reply = /[?&]thread_ts=(\d{10})\.(\d{6})(?!\d)/.exec(ts)
  const [, seconds, decimals] = reply ?? /(?:p|^)(\d{10})[.,]?(\d{6})(?!\d)/.exec(ts) ?? []
  if (seconds === undefined) {
    const rounded = /^\d[\d.e+]*$/i.test(ts) ? text` Without quotes, it may have lost decimals.` : []
    return text`${write}, such as ${code("'1760688662.900279'")}: seconds and six decimals.${rounded}`
  }
  const [, place = ''] = /[?&]cid=(\w+)/.exec(ts) ?? /\/archives\/(\w+)/.exec(ts) ?? []
  const isElsewhere = place !== '' && !channels.includes(place) && channels.every((id) => /^[CDG]/.test(id))
  const where = text` The message of this link is in the channel ${place}, which ${code('channels')} does not name.`
  const what = reply ? text`links to a reply. Write the ts of the first message of its thread in quotes` : write
  return text`${what}: ${`'${seconds}.${decimals}'`}.${isElsewhere ? where : []}`
}
