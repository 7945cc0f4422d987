import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../files/disk.ts'
import { isLoopback } from '../hosts.ts'
import { code, join, list, type Text, text } from '../text/text.ts'
import { nameInOtherActions } from './names.ts'

/**
 * What is wrong with the value of an input, and what to write instead. The text follows the name of the input. Without a
 * text, the value is valid.
 */
export type Rule = (value: string) => Text | undefined

/** A value in an error: short, and never a secret that was written into the wrong input. */
export function showValue(value: string): Text {
  if (/xox[a-z][.-]|xapp-|hooks\.slack\.com/i.test(value)) return text`a secret (not shown)`
  const line = value.replace(/\s+/g, ' ')
  return text`${line.length > 100 ? `${line.slice(0, 99)}…` : line}`
}

export function choiceRule(choices: readonly string[]): Rule {
  return (value) =>
    choices.includes(value) ? undefined : text`is ${showValue(value)}. Write one of ${list(choices.map(code))}.`
}

/** Booleans as YAML 1.2 writes them. */
export const flagRule: Rule = (value) =>
  /^(true|True|TRUE|false|False|FALSE)$/.test(value)
    ? undefined
    : text`is ${showValue(value)}. Write ${code('true')} or ${code('false')}.`

export const maxFilesRule: Rule = (value) =>
  /^[1-9]\d{0,5}$/.test(value)
    ? undefined
    : text`is ${showValue(value)}. Write a whole number from 1 to 999999, such as ${code('50')}.`

export const timeoutRule: Rule = (value) => {
  const shape = /^(?=.*[1-9])\d{1,3}(\.\d+)?$/
  if (shape.test(value)) return undefined
  const [, minutes = ''] = /^(\S+?)\s*m(?:in(?:utes?|s)?)?$/i.exec(value) ?? []
  return shape.test(minutes)
    ? text`is ${showValue(value)}. Write ${code(minutes)}.`
    : text`is ${showValue(value)}. Write a number of minutes above 0 and below 1000, such as ${code('10')} or ${code('0.5')}.`
}

export function methodRule(methods: readonly string[]): Rule {
  return (value) =>
    /^(files\.?)?upload_?v2$/i.test(value) || (/external$/i.test(value) && value !== 'external')
      ? text`is ${showValue(value)}. Write ${code('external')}.`
      : choiceRule(methods)(value)
}

export function onRerunRule(choices: readonly string[], method: string): Rule {
  return (value) =>
    value === 'missing' && method === 'files.upload'
      ? text`is ${showValue(value)}, but ${method} offers no lookup of what was posted. Write ${code('on-rerun: post')}, or ${code('method: external')} if the server offers Slack's external upload.`
      : choiceRule(choices)(value)
}

export function filesRule(environment: NodeJS.ProcessEnv): Rule {
  return (value) =>
    value.split('\n').every((line) => /^\s*(#.*)?$/.test(line))
      ? text`is empty${nameInOtherActions('files', environment)}. Write one pattern per line, such as ${code('reports/**/*.csv')}.`
      : undefined
}

/** @param slack Slack's rules for kinds of token apply */
export function tokenRule(slack: boolean, environment: NodeJS.ProcessEnv): Rule {
  return (token) => {
    if (token === '') {
      return text`is empty${nameInOtherActions('token', environment)}. Does the secret exist in this repository or organization, and may this workflow read it? Write ${code('${{ secrets.SLACK_BOT_TOKEN }}')} with the name of your secret.`
    }
    if (/^(https?:\/\/|hooks\.slack\.com\/)/i.test(token)) {
      return text`is a URL. A webhook URL cannot upload files: use an access token, on Slack the Bot User OAuth Token (${code('xoxb-…')}) of an app with the scope ${code('files:write')}.`
    }
    if (/^bearer\s/i.test(token)) {
      return text`begins with ${code('Bearer')}. Store the token alone: the action adds ${code('Bearer')} to the request.`
    }
    if (/[^\x21-\x7e]/.test(token)) {
      return text`contains white space, a line break or another character that no token has. Store the token in the secret again, alone.`
    }
    return slack ? slackTokenProblem(token) : undefined
  }
}

function slackTokenProblem(token: string): Text | undefined {
  if (token.startsWith('xapp-')) {
    return text`is an app-level token (${code('xapp-…')}), which cannot upload files. Use the Bot User OAuth Token (${code('xoxb-…')}).`
  }
  if (token.startsWith('xoxe-')) {
    return text`is a refresh token (${code('xoxe-…')}), which cannot upload files. Use the access token that it is exchanged for (${code('xoxe.xoxb-…')}), or turn token rotation off.`
  }
  return undefined
}

/** Slack: https://docs.slack.dev/reference/methods/files.completeUploadExternal limits `channels` of one message. */
const maxChannels = 100

/** The channels in the input, without duplicates. */
export function splitChannels(value: string): readonly string[] {
  return [...new Set(value.split(/[\s,]/).filter((channel) => channel !== ''))]
}

/** @param slack Slack's rules for IDs apply. Elsewhere IDs are opaque. */
export function channelsRule(slack: boolean, environment: NodeJS.ProcessEnv): Rule {
  return (value) => {
    const channels = splitChannels(value)
    if (channels.length === 0) {
      return text`is empty${nameInOtherActions('channels', environment)}. Write the ID of at least one channel, such as ${code('C0123456789')}. If it comes from a variable, is the variable set?`
    }
    if (/^\s*-\s/m.test(value)) {
      return text`is text, not a YAML list. Remove the leading ${code('- ')}: write IDs separated by commas, spaces or line breaks.`
    }
    if (!slack) return undefined
    const problems = channels.flatMap((channel) => {
      const problem = idProblem(channel)
      return problem === undefined ? [] : [text`contains ${showValue(channel)}, which ${problem}`]
    })
    if (problems.length > 0) return join(problems, text`\n${code('channels')} `)
    return channels.length > maxChannels
      ? text`has ${channels.length} IDs, but a message can go to at most ${maxChannels} channels. Use several steps.`
      : undefined
  }
}

/** `channel_id` of https://docs.slack.dev/reference/methods/files.completeUploadExternal, and user IDs, which are resolved. */
const idShape = /^[CGDZUW][A-Z0-9]{8,}$/

function idProblem(channel: string): Text | undefined {
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

/** @param slack the shape of Slack's `ts` applies */
export function threadTsRule(channels: readonly string[], slack: boolean): Rule {
  return (ts) => {
    if (ts === '') return undefined
    if (slack && !/^\d{10}\.\d{6}$/.test(ts)) {
      const link = /p(\d{10})(\d{6})(?!\d)/.exec(ts)
      return link
        ? text`is ${showValue(ts)}. Write the ts of the message in quotes: ${`'${link[1]}.${link[2]}'`}.`
        : text`is ${showValue(ts)}. Write the ts of the message in quotes, such as ${code("'1760688662.900279'")}: seconds and six decimals. Without quotes, YAML rounds the number.`
    }
    return channels.length > 1
      ? text`requires exactly one channel, and ${code('channels')} has ${channels.length}: ${list(channels, { max: 3 })}. Use one step for each thread.`
      : undefined
  }
}

/** The URL of the service, if the value is one. Without a scheme it is read as https. */
export function parseBaseUrl(value: string): URL | null {
  return URL.parse(hasScheme(value) ? value : `https://${value}`)
}

function hasScheme(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(value)
}

/** Hosts of Slack that are not the Web API. */
const otherHosts: Readonly<Record<string, Text>> = {
  'hooks.slack.com': text`has the host of webhooks, which cannot take files. Write ${code('https://slack.com')}, and use an access token as ${code('token')}.`,
  'app.slack.com': text`has the host ${code('app.slack.com')}, which is for people, not for uploads. Write ${code('https://slack.com')}.`,
  'api.slack.com': text`has the host ${code('api.slack.com')}, which is for people, not for uploads. Write ${code('https://slack.com')}.`,
}

export const baseUrlRule: Rule = (value) => {
  const url = parseBaseUrl(value)
  if (url === null) {
    // What comes before @ may be a password, and what follows ? or # a secret.
    const shown = showValue(value.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@').replace(/[?#].*/s, ''))
    return text`is ${shown}, which is not a URL. Write one such as ${code('https://chat.example.com')}.`
  }
  if (url.username !== '' || url.password !== '') {
    return text`contains a user name or a password. Remove them: the token goes into the input ${code('token')}.`
  }
  return otherHosts[url.hostname] ?? urlFormProblem(value, url)
}

function urlFormProblem(value: string, url: URL): Text | undefined {
  const loopback = isLoopback(url)
  // The lookbehind keeps the time linear: a run of slashes is tried from its first one only.
  const path = url.pathname.replace(/(?<!\/)\/+api(\/[^/]*)?\/*$/, '')
  const why = () => {
    if (!hasScheme(value)) return text`, which has no scheme`
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
      return text`, but the token is sent only over https, or over http to this machine`
    }
    if (url.search !== '') return text`, followed by a query (not shown)`
    if (url.hash !== '') return text`, followed by a fragment (not shown)`
    return path === url.pathname ? undefined : text`, but the action adds ${code('/api')} and the method itself`
  }
  const wrong = why()
  if (wrong === undefined) return undefined
  const scheme = loopback && !value.startsWith('https:') ? 'http' : 'https'
  const corrected = `${scheme}://${url.host}${path === '/' ? '' : path}`
  // What follows ? or # may be a secret.
  return text`is ${showValue(value.replace(/[?#].*/s, ''))}${wrong}. Write ${corrected}.`
}

export function workingDirectoryRule(workspace: string): Rule {
  return (value) => {
    const problem = folderProblem(resolve(workspace, value))
    if (problem === undefined) return undefined
    return value === ''
      ? text`is empty, and the workspace ${workspace} ${problem}. Is there a checkout, or a step that creates the files, before this step?`
      : text`is ${showValue(value)}, which ${problem}. Write a folder that exists, relative to the workspace, such as ${code('packages/app')}. Is there a checkout before this step?`
  }
}

/** Why the path is not a folder that the step can use, if it is not. The text follows the path. */
function folderProblem(path: string): Text | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return text`does not exist`
    return stats.isDirectory() ? undefined : text`is not a folder`
  } catch (error) {
    const found = String(errorCode(error) ?? error)
    return statProblems[found] ?? text`cannot be read (${found})`
  }
}

const statProblems: Readonly<Record<string, Text>> = {
  EACCES: text`is in a folder that the user of this step may not open`,
  ELOOP: text`is a link that leads to itself`,
  ENAMETOOLONG: text`is too long for a path`,
}
