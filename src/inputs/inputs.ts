import { resolve } from 'node:path'
import * as core from '@actions/core'
import { isSlack } from '../hosts.ts'
import { type Problem, ProblemsError } from '../problem.ts'
import { code, text } from '../text/text.ts'
import { tokenRemover } from '../text/token.ts'
import { readBaseUrl } from './base-url.ts'
import { readChannels, readThreadTs } from './channels.ts'
import { nameInOtherActions } from './other-actions.ts'
import { hasProxies, maskProxies } from './proxy.ts'
import { InvalidInputError, readChoice, readFlag, readNumber, readText, showValue } from './read.ts'
import { readToken } from './token.ts'
import { readWorkingDirectory } from './working-directory.ts'

/** What the user asked for. Every value is checked. */
export interface Inputs {
  readonly token: string
  /** As the user wrote them, without duplicates. */
  readonly channels: readonly string[]
  /** Patterns, one per line. */
  readonly files: string
  /** As typed, with its placeholders. */
  readonly comment: string
  /** Title of each file in the channel, with its placeholder. */
  readonly title: string
  readonly commentFormat: 'mrkdwn' | 'plain'
  readonly allowBroadcast: boolean
  readonly threadTs?: string
  readonly refuseExternalChannels: boolean
  readonly method: 'auto' | 'external' | 'files.upload'
  /** The address of the service. It may have a path; `/api` is not part of it. */
  readonly baseUrl: URL
  /** The service is Slack: its rules for IDs, tokens and text apply. */
  readonly slack: boolean
  /** Absolute path. */
  readonly workspace: string
  /** Absolute path. */
  readonly workingDirectory: string
  readonly ifNoFilesFound: 'error' | 'warn' | 'ignore'
  readonly includeHiddenFiles: boolean
  readonly maxFiles: number
  readonly ifNotConfirmed: 'error' | 'warn' | 'ignore'
  readonly timeoutMilliseconds: number
  readonly dryRun: boolean
  /** What a later attempt of the same run posts: everything, or what is missing. */
  readonly onRerun: 'post' | 'missing'
  /** What tells this use of the step apart from others of the run, such as the leg of a matrix. */
  readonly rerunKey: string
  /** Not an input: the environment names a proxy. */
  readonly useProxies: boolean
}

/** Masks what must not appear in a log, before anything else happens. Returns whether there is a token. */
export function maskSecrets(environment: NodeJS.ProcessEnv): { readonly hasToken: boolean } {
  const token = readText('token')
  // An empty mask would hide everything.
  if (token !== '') core.setSecret(token)
  maskProxies(environment)
  return { hasToken: token !== '' }
}

/**
 * Reads the inputs.
 *
 * @throws ProblemsError with one problem for each invalid input, so that nobody has to find them one run at a time
 */
export function readInputs(environment: NodeJS.ProcessEnv): Inputs {
  const problems: Problem[] = []
  const removeToken = tokenRemover(readText('token'))
  /** For an invalid value, the fallback is used until all inputs are read. */
  const check = <T>(name: string, fallback: T, read: () => T): T => {
    try {
      if (name !== 'token') refuseToken(name, removeToken)
      return read()
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      problems.push({ title: `Invalid input: ${name}`, text: error.text })
      return fallback
    }
  }
  const workspace = resolve(environment['GITHUB_WORKSPACE'] || process.cwd())
  const baseUrl = check('base-url', new URL('https://slack.com'), readBaseUrl)
  const method = check('method', 'auto', readMethod)
  const slack = method === 'external' || isSlack(baseUrl)
  const channels = check('channels', [], () => readChannels(slack, environment))
  const threadTs = check('thread-ts', undefined, () => readThreadTs(channels, slack))
  const inputs: Inputs = {
    token: check('token', '', () => readToken(slack, environment)),
    channels,
    files: check('files', '', () => readFiles(environment)),
    // The only input in which white space and an empty value have a meaning.
    comment: check('comment', '', () => core.getInput('comment', { trimWhitespace: false })),
    title: check('title', '', () => readText('title') || '{name}'),
    commentFormat: check('comment-format', 'mrkdwn', () => readChoice('comment-format', ['mrkdwn', 'plain'])),
    allowBroadcast: check('allow-broadcast', false, () => readFlag('allow-broadcast')),
    ...(threadTs === undefined ? {} : { threadTs }),
    refuseExternalChannels: check('refuse-external-channels', false, () => readFlag('refuse-external-channels')),
    method,
    baseUrl,
    slack,
    workspace,
    workingDirectory: check('working-directory', workspace, () => readWorkingDirectory(workspace)),
    ifNoFilesFound: check('if-no-files-found', 'error', () => readChoice('if-no-files-found', policies)),
    includeHiddenFiles: check('include-hidden-files', false, () => readFlag('include-hidden-files')),
    maxFiles: check('max-files', 1, () =>
      readNumber('max-files', '50', /^[1-9]\d{0,5}$/, text`a whole number from 1 to 999999, such as ${code('50')}`),
    ),
    ifNotConfirmed: check('if-not-confirmed', 'error', () => readChoice('if-not-confirmed', policies)),
    timeoutMilliseconds: check('timeout-minutes', 1, readTimeout),
    dryRun: check('dry-run', false, () => readFlag('dry-run')),
    onRerun: check('on-rerun', 'post', () => readOnRerun(method)),
    rerunKey: check('rerun-key', '', () => readText('rerun-key')),
    useProxies: hasProxies(environment),
  }
  if (problems.length > 0) throw new ProblemsError(problems)
  return inputs
}

const policies = ['error', 'warn', 'ignore'] as const

/** A token in a comment would be posted, and an error about another input would show it. */
function refuseToken(name: string, removeToken: (text: string) => string): void {
  const value = readText(name)
  if (removeToken(value) === value) return
  throw new InvalidInputError(
    text`${code(name)} contains the token. Remove it: the token belongs in the input ${code('token')} only.`,
  )
}

function readFiles(environment: NodeJS.ProcessEnv): string {
  const patterns = readText('files')
  if (patterns.split('\n').some((line) => !/^\s*(#.*)?$/.test(line))) return patterns
  throw new InvalidInputError(
    text`${code('files')} is empty${nameInOtherActions('files', environment)}. Write one pattern per line, such as ${code('reports/**/*.csv')}.`,
  )
}

function readMethod(): Inputs['method'] {
  const value = readText('method')
  if (/^(files\.?)?upload_?v2$/i.test(value) || (/external$/i.test(value) && value !== 'external')) {
    throw new InvalidInputError(text`${code('method')} is ${showValue(value)}. Write ${code('external')}.`)
  }
  return readChoice('method', ['auto', 'external', 'files.upload'])
}

function readOnRerun(method: Inputs['method']): Inputs['onRerun'] {
  const value = readChoice('on-rerun', ['post', 'missing'])
  if (value === 'post' || method !== 'files.upload') return value
  throw new InvalidInputError(
    text`${code('on-rerun')} is ${showValue(value)}, but ${code('method: files.upload')} offers no lookup of what was posted. Write ${code('on-rerun: post')}, or ${code('method: external')}.`,
  )
}

/** Milliseconds. */
function readTimeout(): number {
  const shape = /^(?=.*[1-9])\d{1,3}(\.\d+)?$/
  const value = readText('timeout-minutes')
  const [, minutes = ''] = /^(\S+?)\s*m(?:in(?:utes?|s)?)?$/i.exec(value) ?? []
  if (shape.test(minutes)) {
    throw new InvalidInputError(text`${code('timeout-minutes')} is ${showValue(value)}. Write ${code(minutes)}.`)
  }
  const allowed = text`a number of minutes above 0 and below 1000, such as ${code('10')} or ${code('0.5')}`
  return readNumber('timeout-minutes', '10', shape, allowed) * 60_000
}
