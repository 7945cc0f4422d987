import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as core from '@actions/core'
import { isLoopback } from './loopback.ts'
import { type Problem, plainText } from './problem.ts'
import { tokenRemover } from './text/token.ts'

/** What the user asked for, every value checked. */
export interface Settings {
  readonly token: string
  readonly channels: readonly string[]
  /** Patterns, one a line. */
  readonly files: string
  /** As typed, with its placeholders. */
  readonly comment: string
  readonly commentFormat: 'mrkdwn' | 'plain'
  readonly allowBroadcast: boolean
  readonly threadTs?: string
  readonly method: 'auto' | 'external' | 'files.upload'
  /** Where the service is; a path is kept, `/api` is not part of it. */
  readonly baseUrl: URL
  /** The service is Slack: its rules for identifiers, tokens and text hold. */
  readonly slack: boolean
  /** Absolute. */
  readonly workspace: string
  /** Absolute. */
  readonly workingDirectory: string
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  readonly includeHiddenFiles: boolean
  readonly maxFiles: number
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  readonly timeoutMilliseconds: number
  readonly dryRun: boolean
}

/** Every mistake in the inputs, so that nobody has to find them one run at a time. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(plainText).join('\n'))
    this.problems = problems
  }
}

/** Masks what must not stand in any log, before anything else happens. Whether there is a token. */
export function keepSecrets(environment: NodeJS.ProcessEnv): { readonly hasToken: boolean } {
  const token = input('token')
  // Masking nothing would mask everything.
  if (token !== '') core.setSecret(token)
  maskProxies(environment)
  return { hasToken: token !== '' }
}

/**
 * Reads the inputs.
 *
 * @throws SettingsError
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const problems: Problem[] = []
  const removeToken = tokenRemover(input('token'))
  /** A value that is refused leaves what stands in for it until all are read. */
  const check = <T>(input: string, standIn: T, read: () => T): T => {
    try {
      if (input !== 'token') refuseToken(input, removeToken)
      return read()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      problems.push({ title: `The input ${input} is not usable`, text: error.message })
      return standIn
    }
  }
  const workspace = resolve(environment['GITHUB_WORKSPACE'] || process.cwd())
  const baseUrl = check('base-url', new URL('https://slack.com'), () => readBaseUrl(input('base-url')))
  const method = check('method', 'auto', readMethod)
  const slack = method === 'external' || isSlack(baseUrl)
  const channels = check('channels', [], () => readChannels(input('channels'), slack, environment))
  const threadTs = check('thread-ts', undefined, () => readThreadTs(input('thread-ts'), channels, slack))
  const settings: Settings = {
    token: check('token', '', () => readToken(input('token'), slack, environment)),
    channels,
    files: check('files', '', () => readFiles(input('files'), environment)),
    // The only input whose white space and empty text mean something.
    comment: check('comment', '', () => core.getInput('comment', { trimWhitespace: false })),
    commentFormat: check('comment-format', 'mrkdwn', () => choice('comment-format', ['mrkdwn', 'plain'])),
    allowBroadcast: check('allow-broadcast', false, () => flag('allow-broadcast')),
    ...(threadTs === undefined ? {} : { threadTs }),
    method,
    baseUrl,
    slack,
    workspace,
    workingDirectory: check('working-directory', workspace, () => readFolder(workspace, input('working-directory'))),
    ifNoFilesFound: check('if-no-files-found', 'error', () => choice('if-no-files-found', ['error', 'warn', 'ignore'])),
    includeHiddenFiles: check('include-hidden-files', false, () => flag('include-hidden-files')),
    maxFiles: check('max-files', 1, () =>
      readNumber('max-files', '50', /^[1-9]\d{0,5}$/, 'a whole number from 1 to 999999, such as 50'),
    ),
    ifNotConfirmed: check('if-not-confirmed', 'error', () => choice('if-not-confirmed', ['error', 'warn', 'ignore'])),
    timeoutMilliseconds: check(
      'timeout-minutes',
      1,
      () =>
        readNumber(
          'timeout-minutes',
          '10',
          /^(?=.*[1-9])\d{1,3}(\.\d+)?$/,
          'minutes above 0 and below 1000, such as 10 or 0.5',
        ) * 60_000,
    ),
    dryRun: check('dry-run', false, () => flag('dry-run')),
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** A value that cannot be used: its text says which, why, and what to write instead. */
class Refused extends Error {}

function input(name: string): string {
  return core.getInput(name)
}

/** In a comment it would be posted, and an error about any other input would print it. */
function refuseToken(name: string, removeToken: (text: string) => string): void {
  const text = input(name)
  if (removeToken(text) === text) return
  throw new Refused(`${name} contains the token: take it out. The token belongs in the input token only.`)
}

/** A value as a refusal names it: on one line, short, and no secret that stands in the wrong input. */
function named(text: string): string {
  if (/xox[a-z][.-]|xapp-|hooks\.slack\.com/i.test(text)) return 'a secret (not shown)'
  const line = text.replace(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

function readToken(token: string, slack: boolean, environment: NodeJS.ProcessEnv): string {
  if (token === '') {
    throw new Refused(
      `token is empty${namedOtherwise('token', environment)}: does the secret exist in this repository or organization, and may this workflow read it? Write \${{ secrets.SLACK_BOT_TOKEN }}, with the name that the secret has.`,
    )
  }
  if (/^(https?:\/\/|hooks\.slack\.com\/)/i.test(token)) {
    throw new Refused(
      'token is a URL. A webhook URL cannot upload files: it takes an access token, on Slack the Bot User OAuth Token (xoxb-…) of an app with the scope files:write.',
    )
  }
  if (/^bearer\s/i.test(token)) {
    throw new Refused('token begins with the word Bearer: give the token alone, the word is added when it is sent.')
  }
  if (/[^\x21-\x7e]/.test(token)) {
    throw new Refused(
      'token has white space, a line break or another character in it that no token has: was it pasted with something else? Store it in the secret again, alone.',
    )
  }
  if (slack && token.startsWith('xapp-')) {
    throw new Refused(
      'token is an app-level token (xapp-…), which cannot upload: use the Bot User OAuth Token (xoxb-…).',
    )
  }
  if (slack && /^xoxe-/.test(token)) {
    throw new Refused(
      'token is a refresh token (xoxe-…), which cannot upload: use the access token that it is exchanged for (xoxe.xoxb-…), or switch token rotation off.',
    )
  }
  return token
}

function readChannels(text: string, slack: boolean, environment: NodeJS.ProcessEnv): readonly string[] {
  const channels = text.split(/[\s,]+/).filter((channel) => channel !== '')
  if (channels.length === 0) {
    throw new Refused(
      `channels is empty${namedOtherwise('channels', environment)}: write the identifier of at least one channel, such as C0123456789. Is the variable it comes from set?`,
    )
  }
  if (!slack) return channels
  const wrong = [...new Set(channels)].flatMap((channel) => {
    const advice = wrongChannel(channel)
    return advice === undefined ? [] : [`${named(channel)} ${advice}`]
  })
  if (wrong.length > 0) throw new Refused(`channels: ${wrong.join('; ')}.`)
  if (new Set(channels).size > 100) {
    throw new Refused(
      `channels has ${new Set(channels).size} identifiers, and a message goes to at most 100: use two steps.`,
    )
  }
  return channels
}

/** https://docs.slack.dev/reference/methods/files.completeUploadExternal takes channel_id by this pattern; users are resolved. */
const channelShape = /^[CGDZUW][A-Z0-9]{8,}$/

function wrongChannel(channel: string): string | undefined {
  if (channelShape.test(channel)) return undefined
  const how = 'write the channel ID, such as C0123456789 (click the name of the channel, it stands at the bottom)'
  if (channel.includes('hooks.slack.com')) return `is a webhook URL, which takes no files: ${how}`
  // With a digit in it, since a name may be of the same letters. Not inside of anything that looks like a token.
  const inside = /(?:^|[^A-Za-z0-9])([CGDZUW](?=[A-Z]*\d)[A-Z0-9]{8,})(?![A-Za-z0-9])/.exec(channel)?.[1]
  if (inside !== undefined && !/xox|xapp/.test(channel)) return `is not an identifier: write ${inside}`
  if (/^[cgdzuw]\d[a-z0-9]{7,}$/.test(channel)) return `is not an identifier: write ${channel.toUpperCase()}`
  if (channel.startsWith('@')) {
    return 'is the name of a person: write the member ID, such as U0123456789 (profile, three dots, Copy member ID)'
  }
  return `is ${channel.startsWith('#') ? 'the name of a channel' : 'not an identifier'}: ${how}`
}

function readFiles(text: string, environment: NodeJS.ProcessEnv): string {
  if (text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) {
    throw new Refused(
      `files is empty${namedOtherwise('files', environment)}: write one pattern a line, such as reports/**/*.csv.`,
    )
  }
  return text
}

function readThreadTs(text: string, channels: readonly string[], slack: boolean): string | undefined {
  if (text === '') return undefined
  if (slack && !/^\d{10}\.\d{6}$/.test(text)) {
    const link = /p(\d{10})(\d{6})(?!\d)/.exec(text)
    throw new Refused(
      link
        ? `thread-ts is ${named(text)}: write the ts of the message, ${link[1]}.${link[2]}.`
        : `thread-ts is ${named(text)}: write the ts of the message as text, seconds and six decimals, such as '1760688662.900279' (in quotes, because YAML would round the number).`,
    )
  }
  if (new Set(channels).size > 1) {
    throw new Refused(
      `thread-ts goes with one channel only, and channels has ${new Set(channels).size}: a thread stands in one channel. Use one step for each.`,
    )
  }
  return text
}

function readMethod(): Settings['method'] {
  const text = input('method')
  if (/^(files\.?)?upload_?v2$/i.test(text) || (/external$/i.test(text) && text !== 'external')) {
    throw new Refused(`method is ${named(text)}: write external.`)
  }
  return choice('method', ['auto', 'external', 'files.upload'])
}

/** Slack's own hosts, commercial and government. */
export function isSlack({ hostname }: URL): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname)
}

function readBaseUrl(text: string): URL {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const url = URL.parse(withScheme ? text : `https://${text || 'slack.com'}`)
  if (url === null) {
    throw new Refused(`base-url is ${named(text)}, which is no URL: write one such as https://chat.example.com.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refused('base-url has a user or password in it: write it without, the token goes into the input token.')
  }
  if (url.hostname === 'hooks.slack.com') {
    throw new Refused(
      'base-url is the host of webhooks, which take no files: write https://slack.com, and an access token as token.',
    )
  }
  if (url.hostname === 'app.slack.com' || url.hostname === 'api.slack.com') {
    throw new Refused(`base-url is ${url.host}, which is for people, not for uploads: write https://slack.com.`)
  }
  const loopback = isLoopback(url)
  // The lookbehind keeps the time linear: a run of slashes is tried from its first one only.
  const path = url.pathname.replace(/(?<!\/)\/+api(\/[^/]*)?\/*$/, '')
  const right = `${loopback && !text.startsWith('https:') ? 'http' : 'https'}://${url.host}${path === '/' ? '' : path}`
  const refuse = (why: string) => {
    // What stands behind ? or # may be a secret.
    throw new Refused(`base-url is ${named(text.replace(/[?#].*/s, ''))}${why}: write ${right}.`)
  }
  if (!withScheme && text !== '') refuse(', which has no scheme')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    refuse(', and the token travels by https only (by http only on this machine)')
  }
  if (url.search !== '' || url.hash !== '') refuse(` with a ${url.search === '' ? 'fragment' : 'query'} behind it`)
  if (path !== url.pathname) refuse(', and the action adds /api and the method itself')
  return url
}

function readFolder(workspace: string, text: string): string {
  const folder = resolve(workspace, text)
  const why = whyNoFolder(folder)
  if (why === undefined) return folder
  throw new Refused(
    text === ''
      ? `The workspace ${folder} ${why === 'not there' ? 'does not exist' : `cannot be used, it is ${why}`}: is there a checkout, or a step that makes the files, before this step?`
      : `working-directory is ${named(text)}, which is ${why}: write a folder that exists, such as packages/app, from the workspace on. Is there a checkout before this step?`,
  )
}

/** Why this is no folder to work in, if it is none. */
function whyNoFolder(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return 'not there'
    return found.isDirectory() ? undefined : 'no folder'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return folderErrors[code] ?? `not accessible (${code})`
  }
}

const folderErrors: Readonly<Record<string, string>> = {
  EACCES: 'in a folder that the user of this step may not open',
  ELOOP: 'a link that leads to itself',
  ENAMETOOLONG: 'too long for a path',
}

function readNumber(name: string, standard: string, shape: RegExp, allowed: string): number {
  const text = input(name) || standard
  if (!shape.test(text)) throw new Refused(`${name} is ${named(text)}: write ${allowed}.`)
  return Number(text)
}

function choice<T extends string>(name: string, allowed: readonly [T, ...T[]]): T {
  const text = input(name) || allowed[0]
  const chosen = allowed.find((one) => one === text)
  if (chosen === undefined) throw new Refused(`${name} is ${named(text)}: write one of ${allowed.join(', ')}.`)
  return chosen
}

/** As YAML 1.2 writes booleans. */
function flag(name: string): boolean {
  const text = input(name) || 'false'
  if (/^(true|True|TRUE)$/.test(text)) return true
  if (/^(false|False|FALSE)$/.test(text)) return false
  throw new Refused(`${name} is ${named(text)}: write true or false.`)
}

/** The proxies in use: undici prefers the names in lower case, as curl does. */
function proxiesIn(environment: NodeJS.ProcessEnv): readonly (readonly [name: string, address: string])[] {
  return ['https_proxy', 'http_proxy'].flatMap((lower) => {
    const name = environment[lower] === undefined ? lower.toUpperCase() : lower
    const address = environment[name]
    return address ? [[name, address] as const] : []
  })
}

/** User and password of a proxy would else stand in every error about it. */
function maskProxies(environment: NodeJS.ProcessEnv): void {
  for (const [, address] of proxiesIn(environment)) {
    const { username = '', password = '' } = URL.parse(address) ?? {}
    const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
    for (const secret of password === '' ? [] : [password, decoded(password) ?? password, basic]) core.setSecret(secret)
  }
}

/**
 * The addresses of the proxies are not shown: there may be a password in them.
 *
 * @throws SettingsError
 */
export function checkProxies(environment: NodeJS.ProcessEnv): void {
  const problems = proxiesIn(environment).flatMap(([name, address]) => {
    const url = URL.parse(address)
    const usable =
      url !== null && /^(https?|socks5?):$/.test(url.protocol) && decoded(url.username + url.password) !== undefined
    if (usable) return []
    return [
      {
        title: 'The address of the proxy is not usable',
        text: `${name} is not the URL of a proxy.\nWrite it with its scheme, such as http://proxy.example:3128 or http://user:password@proxy.example:3128, with special characters in user and password percent-encoded (@ as %40).`,
      },
    ]
  })
  if (problems.length > 0) throw new SettingsError(problems)
}

/** Percent-decoded, if it can be. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Inputs of other actions that people leave in when they switch → ours. The runner passes inputs on that are not declared. */
const inputsOfOthers: Readonly<Record<string, string>> = {
  file: 'files',
  file_path: 'files',
  'file-path': 'files',
  filepath: 'files',
  path: 'files',
  filename: 'files',
  channel: 'channels',
  channel_id: 'channels',
  'channel-id': 'channels',
  channel_ids: 'channels',
  slack_channel: 'channels',
  slack_token: 'token',
  'slack-token': 'token',
  slack_bot_token: 'token',
  'slack-bot-token': 'token',
  slack_api_token: 'token',
  webhook: 'token',
  'webhook-url': 'token',
  initial_comment: 'comment',
  'initial-comment': 'comment',
  message: 'comment',
  text: 'comment',
  payload: 'comment',
  thread_ts: 'thread-ts',
  retries: 'timeout-minutes',
  if_no_files_found: 'if-no-files-found',
  slack_api_url: 'base-url',
  api: 'base-url',
}

/** Names of other actions' inputs that are set and mean `ours`. */
function strays(environment: NodeJS.ProcessEnv, ours: string): readonly string[] {
  return Object.keys(inputsOfOthers).filter(
    (name) => inputsOfOthers[name] === ours && environment[`INPUT_${name.toUpperCase()}`],
  )
}

/** Where an input is missing, that it has another name here is the reason. */
function namedOtherwise(ours: string, environment: NodeJS.ProcessEnv): string {
  const names = strays(environment, ours)
  return names.length === 0 ? '' : ` (what other actions call ${names.join(' or ')} is called ${ours} here)`
}

/** What is set and not read, in one warning. No error: the inputs that are needed are there, and a name can be set for another reason. */
export function strayInputs(environment: NodeJS.ProcessEnv): readonly Problem[] {
  const set = [...new Set(Object.values(inputsOfOthers))]
    .map((ours) => ({ ours, names: strays(environment, ours) }))
    .filter(({ names }) => names.length > 0)
  if (set.length === 0) return []
  const text = set.map(({ names, ours }) => `${names.join(', ')} (here: ${ours})`).join('; ')
  return [
    {
      title: 'Inputs of another action',
      text: `These inputs are not read: ${text}.\nTake them out, or write the name of this action.`,
    },
  ]
}
