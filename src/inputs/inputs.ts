import { resolve } from 'node:path'
import * as core from '@actions/core'
import { maskSecret } from '../context.ts'
import { isSlack } from '../hosts.ts'
import { errorProblem, isError, notice, type Problem, ProblemError, warning } from '../problem.ts'
import { noTextProblem, unquoted } from '../text/expressions.ts'
import { text } from '../text/text.ts'
import { shortestToken, tokenRemover } from '../text/token.ts'
import { channelsProblem, gapWarnings, splitChannels, threadTsProblem } from './channel-rules.ts'
import { defaults, hintForMissing, type InputName, misspellingErrors } from './input-names.ts'
import { maskProxies } from './proxy.ts'
import * as rules from './rules.ts'

const policies = ['error', 'warn', 'ignore'] as const
type Policy = (typeof policies)[number]

/** Every value has passed its rule. */
export interface Inputs {
  /** Secret. Printable ASCII without spaces; on Slack's hosts a bot or user token. */
  readonly token: string
  /** As typed, without duplicates. On Slack 1 to 100 IDs or names, elsewhere 1 or more IDs. */
  readonly channels: readonly string[]
  /** Patterns. May be empty unless `ifNoFilesFound` is `error`. */
  readonly files: string
  /** As typed, with placeholders. Empty for `none`. */
  readonly comment: string
  /** Of each file, with its placeholder. */
  readonly title: string
  readonly commentFormat: 'mrkdwn' | 'plain'
  readonly allowBroadcast: boolean
  /** The message to reply to: on Slack `1760688662.900279`. Needs one channel. */
  readonly threadTs: string | undefined
  /** `auto` becomes `external` on Slack's hosts, `files.upload` elsewhere. */
  readonly method: 'external' | 'files.upload'
  /** Without `/api`. Uses https, or http in a private network. */
  readonly baseUrl: URL
  /** As typed; a relative path starts from the workspace. */
  readonly workingDirectory: string
  /** Also if a line without wildcards finds none. */
  readonly ifNoFilesFound: Policy | 'comment'
  readonly includeHiddenFiles: boolean
  /** 1 to 999,999. */
  readonly maxFiles: number
  /** About a message that was accepted but is not seen. */
  readonly ifNotConfirmed: Policy
  /** Above 0, less than 1,000 minutes. */
  readonly timeoutMilliseconds: number
  readonly dryRun: boolean
  /** Not an input. Absolute; symlinks must not lead out of it. */
  readonly workspace: string
  /** Not an input. For text from outside before it is logged, posted or an output. */
  readonly removeToken: (text: string) => string
}

/** Masks the token and the passwords of proxies in the log. True if there is a token. */
export function maskInputs(): boolean {
  const token = core.getInput('token')
  maskSecret(token)
  maskProxies()
  return token !== ''
}

/** @throws ProblemError with all warnings and errors, so that one run shows them all */
export function readInputs(): {
  readonly inputs: Inputs
  readonly problems: readonly Problem[]
} {
  const { invalid, read, readChoice, readFlag, removeToken } = inputReader()
  const baseUrl = new URL(read('base-url', rules.baseUrlRule))
  // If not, no rule that depends on the service applies.
  const isServiceKnown = !invalid.has('base-url')
  const onSlack = isServiceKnown && isSlack(baseUrl.hostname)
  const methods = ['auto', 'external', 'files.upload'] as const
  const choice = readChoice('method', methods, (value) => rules.methodProblem(value, onSlack))
  const method = choice === 'auto' ? (onSlack ? 'external' : 'files.upload') : choice
  const isExternal = method === 'external'
  const typedChannels = read('channels', (value) => channelsProblem(value.trim(), isExternal))
  const channels = splitChannels(typedChannels, isExternal)
  const typedComment = read('comment')
  const comment = /^\s*none\s*$/i.test(typedComment) ? '' : typedComment
  const judgedMethod = isServiceKnown ? method : 'external'
  const ifNoFilesFound = readChoice('if-no-files-found', [...policies, 'comment'], (value) =>
    rules.commentAloneProblem(value, judgedMethod, comment),
  )
  const inputs: Inputs = {
    channels,
    threadTs: read('thread-ts', (ts) => threadTsProblem(ts, channels, isExternal)) || undefined,
    token: read('token', (value) => rules.tokenProblem(value, onSlack, process.env)),
    files: read('files', (value) => rules.filesProblem(value, ifNoFilesFound)),
    comment,
    title: read('title'),
    commentFormat: readChoice('comment-format', ['mrkdwn', 'plain']),
    allowBroadcast: readFlag('allow-broadcast'),
    method,
    baseUrl,
    workingDirectory: read('working-directory'),
    ifNoFilesFound,
    includeHiddenFiles: readFlag('include-hidden-files'),
    maxFiles: Number(read('max-files', rules.maxFilesRule)),
    ifNotConfirmed: readChoice('if-not-confirmed', policies),
    timeoutMilliseconds: Number(read('timeout-minutes', rules.timeoutRule)) * 60_000,
    dryRun: readFlag('dry-run'),
    workspace: resolve(process.env['GITHUB_WORKSPACE'] || process.cwd()),
    removeToken,
  }
  const isShort = inputs.token !== '' && inputs.token.length < shortestToken
  const problems = [
    ...misspellingErrors(process.env),
    ...invalid.values(),
    ...gapWarnings(typedChannels, isExternal),
    ...(isShort ? [shortToken] : []),
  ]
  if (problems.some(isError)) throw new ProblemError(...problems)
  return { inputs, problems }
}

/** A text without files, so finding none needs no notice. */
export function isTextAlone({ comment, files, ifNoFilesFound }: Inputs): boolean {
  return ifNoFilesFound === 'comment' && files.trim() === '' && !comment.includes('{files}')
}

const shortToken = warning(
  'The token is too short to be protected',
  text`\`token\` has fewer than ${shortestToken} characters, which can occur in any text, so files and comments that contain it are posted anyway.\nUse a longer token.`,
)

export const unencryptedNotice = notice(
  'Requests are not encrypted',
  text`\`base-url\` begins with \`http://\`: anybody who answers the runner's DNS lookups or listens in this network can get the token and the files.`,
)

const dependOnService: readonly InputName[] = ['token', 'channels', 'thread-ts', 'method']

/** An invalid value is noted in `invalid`, and reads as the default. */
function inputReader() {
  const invalid = new Map<InputName, Problem>()
  const removeToken = tokenRemover(core.getInput('token'))

  const problemWith = (name: InputName, value: string, rule?: rules.Rule) => {
    // A comment would post it, and an error about another input would show it.
    if (name !== 'token' && removeToken(value) !== value) {
      return text`contains the token. Remove it: the token belongs only in the input \`token\`.`
    }
    const wrong = rule?.(value)
    // The search explains patterns that match nothing.
    return rule && name !== 'files' ? noTextProblem(value.trim(), wrong) : wrong
  }

  const pageOf = (name: InputName) => (name === 'token' ? 'token' : 'inputs')

  const read = (name: InputName, rule?: rules.Rule): string => {
    // White space around these matters.
    const trimWhitespace = name !== 'comment' && name !== 'channels'
    const given = core.getInput(name, { trimWhitespace }).replaceAll('\r\n', '\n')
    const typed = name === 'channels' || name === 'thread-ts' ? unquoted(given) : given
    const value = typed.trim() === '' ? defaults[name] : typed
    const wrong = problemWith(name, value, rule)
    if (wrong === undefined) return value
    const otherName = value === '' ? hintForMissing(name, process.env) : []
    const what = otherName.length > 0 ? text`is empty${otherName}.` : wrong
    const isForSlack =
      dependOnService.includes(name) && process.env['INPUT_BASE-URL']?.trim() === ''
    const start = isForSlack ? text`\`base-url\` is empty, so this is Slack. ` : []
    const explanation = text`${start}${name} ${what}`
    invalid.set(name, errorProblem(`Invalid input: ${name}`, explanation, pageOf(name)))
    return defaults[name]
  }

  const readChoice = <T extends string>(
    name: InputName,
    choices: readonly T[],
    rule?: rules.Rule,
  ) => read(name, (typed) => rule?.(typed) ?? rules.choiceProblem(typed, choices)) as T

  const readFlag = (name: InputName): boolean => read(name, rules.flagRule).toLowerCase() === 'true'
  return { invalid, read, readChoice, readFlag, removeToken }
}
