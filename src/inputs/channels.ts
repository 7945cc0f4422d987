import { code, join, list, type Text, text } from '../text/text.ts'
import { nameInOtherActions } from './other-actions.ts'
import { InvalidInputError, readText, showValue } from './read.ts'

/** Slack: https://docs.slack.dev/reference/methods/files.completeUploadExternal limits `channels` of one message. */
const maxChannels = 100

/**
 * The channels as the user wrote them, without duplicates.
 *
 * @param slack Slack's rules for IDs apply. Elsewhere IDs are opaque.
 * @throws InvalidInputError
 */
export function readChannels(slack: boolean, environment: NodeJS.ProcessEnv): readonly string[] {
  const input = readText('channels')
  const channels = [...new Set(input.split(/[\s,]/).filter((channel) => channel !== ''))]
  if (channels.length === 0) {
    throw new InvalidInputError(
      text`${code('channels')} is empty${nameInOtherActions('channels', environment)}. Write the ID of at least one channel, such as ${code('C0123456789')}. If it comes from a variable, is the variable set?`,
    )
  }
  if (/^\s*-\s/m.test(input)) {
    throw new InvalidInputError(
      text`${code('channels')} is text, not a YAML list. Remove the leading ${code('- ')}: write IDs separated by commas, spaces or line breaks.`,
    )
  }
  if (!slack) return channels
  const problems = channels.flatMap((channel) => {
    const problem = problemWith(channel)
    return problem === undefined ? [] : [text`${code('channels')} contains ${showValue(channel)}, which ${problem}`]
  })
  if (problems.length > 0) throw new InvalidInputError(join(problems, '\n'))
  if (channels.length > maxChannels) {
    throw new InvalidInputError(
      text`${code('channels')} has ${channels.length} IDs, but a message can go to at most ${maxChannels} channels. Use several steps.`,
    )
  }
  return channels
}

/** `channel_id` of https://docs.slack.dev/reference/methods/files.completeUploadExternal, and user IDs, which are resolved. */
const idShape = /^[CGDZUW][A-Z0-9]{8,}$/

function problemWith(channel: string): Text | undefined {
  if (idShape.test(channel)) return undefined
  const whereIsTheId = text`Write the channel ID, such as ${code('C0123456789')}. It is shown at the bottom of the channel's details (click the channel name).`
  if (channel.includes('hooks.slack.com')) return text`is a webhook URL: it cannot take files. ${whereIsTheId}`
  // An ID contains a digit: a name may have the same letters. A token is never quoted.
  const inside = /(?:^|[^A-Za-z0-9])([CGDZUW](?=[A-Z]*\d)[A-Z0-9]{8,})(?![A-Za-z0-9])/.exec(channel)?.[1]
  if (inside !== undefined && !/xox|xapp/.test(channel)) return text`is not a channel ID. Write ${inside}.`
  if (/^[cgdzuw]\d[a-z0-9]{7,}$/.test(channel)) return text`is not a channel ID. Write ${channel.toUpperCase()}.`
  if (channel.startsWith('@')) {
    return text`is the name of a person. Write the member ID, such as ${code('U0123456789')} (profile, three dots, Copy member ID).`
  }
  return channel.startsWith('#')
    ? text`is the name of a channel. ${whereIsTheId}`
    : text`is not a channel ID. ${whereIsTheId}`
}

/**
 * The thread to reply in.
 *
 * @throws InvalidInputError
 */
export function readThreadTs(channels: readonly string[], slack: boolean): string | undefined {
  const ts = readText('thread-ts')
  if (ts === '') return undefined
  if (slack && !/^\d{10}\.\d{6}$/.test(ts)) {
    const link = /p(\d{10})(\d{6})(?!\d)/.exec(ts)
    throw new InvalidInputError(
      link
        ? text`${code('thread-ts')} is ${showValue(ts)}. Write the ts of the message in quotes: ${`'${link[1]}.${link[2]}'`}.`
        : text`${code('thread-ts')} is ${showValue(ts)}. Write the ts of the message in quotes, such as ${code("'1760688662.900279'")}: seconds and six decimals. Without quotes, YAML rounds the number.`,
    )
  }
  if (channels.length > 1) {
    throw new InvalidInputError(
      text`${code('thread-ts')} requires exactly one channel, and ${code('channels')} has ${channels.length}: ${list(channels, { max: 3 })}. Use one step for each thread.`,
    )
  }
  return ts
}
